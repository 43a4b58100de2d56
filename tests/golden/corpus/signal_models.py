# SPDX-License-Identifier: Apache-2.0
"""tf.signal: transforms in one to three dimensions, cosine transforms, frames, windows, filters by spectra."""

import numpy as np
import tensorflow as tf

from feeds import f32
from models import frozen

S = tf.signal


def fft_convolution(x, y):
    return S.irfft(S.rfft(x, [64]) * S.rfft(y, [64]), [64])


def hilbert_envelope(x):
    """The analytic signal's magnitude: negative frequencies are dropped."""
    keep = np.zeros(32, np.float32)
    keep[0] = keep[16] = 1
    keep[1:16] = 2
    return tf.abs(S.ifft(S.fft(tf.complex(x, tf.zeros_like(x))) * tf.cast(keep, tf.complex64)))


def phase_vocoder(x):
    spectrum = S.stft(x, 16, 4)
    magnitude, phase = tf.abs(spectrum), tf.math.angle(spectrum)
    return S.inverse_stft(tf.complex(magnitude * tf.cos(phase * 1.5), magnitude * tf.sin(phase * 1.5)), 16, 4)


def spectral_gate(x):
    spectrum = S.stft(x, 16, 8, window_fn=S.hamming_window)
    power = tf.math.real(spectrum * tf.math.conj(spectrum))
    mask = tf.cast(power > tf.reduce_mean(power), tf.complex64)
    return S.inverse_stft(spectrum * mask, 16, 8, window_fn=S.inverse_stft_window_fn(8, S.hamming_window))


def autocorrelation(x):
    spectrum = S.rfft(x, [64])
    return S.irfft(spectrum * tf.math.conj(spectrum))[..., :32]


def complex_polynomial(x, y):
    z = tf.complex(x, y)
    z = z * z + tf.constant(0.5 - 0.25j, tf.complex64)
    return tf.math.real(z), tf.math.imag(tf.exp(z) / (z + 2)), tf.abs(z - tf.roll(z, 1, 0))


def fft2_filter(x):
    mask = np.outer(np.hanning(8), np.hanning(8)).astype(np.float32)
    spectrum = S.fftshift(S.fft2d(tf.cast(x, tf.complex64)), axes=(-2, -1))
    return tf.math.real(S.ifft2d(S.ifftshift(spectrum * tf.cast(mask, tf.complex64), axes=(-2, -1))))


def windows(x):
    made = [S.hann_window(16), S.kaiser_window(16, 8.0), S.vorbis_window(16), S.kaiser_bessel_derived_window(16)]
    return tuple(x * window for window in made)


def mixing(x):
    """A Fourier mixing layer, as FNet has it."""
    return tf.math.real(S.fft(tf.transpose(S.fft(tf.cast(x, tf.complex64)), [0, 2, 1])))


def parts(z):
    return tf.math.real(z), tf.math.imag(z)


MODELS = [
    frozen("rfft_magnitude", lambda x: tf.abs(S.rfft(x)), f32(2, 32)),
    frozen("rfft_padded_real_and_imaginary", lambda x: parts(S.rfft(x, [50])), f32(1, 40)),
    frozen("irfft_of_planes", lambda x, y: S.irfft(tf.complex(x, y)), f32(1, 17), f32(1, 17)),
    frozen("rfft2d_and_back", lambda x: S.irfft2d(S.rfft2d(x) * 0.5), f32(1, 8, 8)),
    frozen("rfft3d_magnitude", lambda x: tf.abs(S.rfft3d(x)), f32(4, 4, 8)),
    frozen("fft_of_complex_input_planes", lambda x, y: parts(S.fft(tf.complex(x, y))), f32(3, 20), f32(3, 20)),
    frozen("fft2d_filter_with_shift", fft2_filter, f32(1, 8, 8)),
    frozen("fft3d_real_part", lambda x: tf.math.real(S.fft3d(tf.cast(x, tf.complex64))), f32(4, 4, 4)),
    frozen("fft_convolution", fft_convolution, f32(1, 40), f32(1, 16)),
    frozen("hilbert_envelope", hilbert_envelope, f32(1, 32)),
    frozen("autocorrelation_by_fft", autocorrelation, f32(2, 32)),
    frozen("fourier_mixing", mixing, f32(1, 6, 8)),
    frozen("dct_2_ortho", lambda x: S.dct(x, norm="ortho"), f32(2, 16)),
    frozen("dct_1_3_4", lambda x: (S.dct(x, 1), S.dct(x, 3), S.dct(x, 4)), f32(2, 12)),
    frozen("idct_ortho", lambda x: S.idct(x, norm="ortho"), f32(2, 16)),
    frozen("mdct_and_inverse", lambda x: S.inverse_mdct(S.mdct(x, 16)), f32(1, 64)),
    frozen("stft_magnitude", lambda x: tf.abs(S.stft(x, 16, 8, 32)), f32(1, 64)),
    frozen("stft_padded_end_power_of_two", lambda x: tf.square(tf.abs(S.stft(x, 20, 10, pad_end=True))), f32(2, 55)),
    frozen("inverse_stft_of_planes", lambda x, y: S.inverse_stft(tf.complex(x, y), 16, 8), f32(1, 7, 9), f32(1, 7, 9)),
    frozen("phase_vocoder", phase_vocoder, f32(1, 48)),
    frozen("spectral_gate", spectral_gate, f32(1, 64)),
    frozen("frames_padded", lambda x: S.frame(x, 6, 4, pad_end=True, pad_value=0.5), f32(2, 17)),
    frozen("frames_along_axis_1", lambda x: S.frame(x, 4, 2, axis=1), f32(2, 9, 3)),
    frozen("overlap_and_add", lambda x: S.overlap_and_add(x, 3), f32(2, 5, 8)),
    frozen("windows", windows, f32(2, 16)),
    frozen("complex_polynomial", complex_polynomial, f32(6), f32(6)),
    frozen("complex_matmul", lambda x, y: tf.math.real(tf.matmul(tf.complex(x, y), tf.complex(y, x), adjoint_b=True)),
           f32(3, 4), f32(3, 4)),
]

# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms, alone and in the chains that audio models have."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(41)
family = Family("spectral")
x = normal(g, 2, 3, 16)
odd = normal(g, 3, 15)
picture = normal(g, 2, 6, 10)
box = normal(g, 1, 4, 6, 5)


def parts(z):
    return [tf.math.real(z), tf.math.imag(z)]


def make(re, im):
    return raw.Complex(real=re, imag=im)


def two(*shape):
    return {"re": normal(g, *shape), "im": normal(g, *shape)}


for name, value, length in (("even", x, 16), ("odd", odd, 15), ("cropped", x, 9), ("half", x, 8),
                            ("prime", normal(g, 2, 13), 13), ("one", normal(g, 3, 1), 1),
                            ("long", normal(g, 1, 512), 512)):
    family.case(f"rfft_{name}", lambda x: parts(raw.RFFT(input=x, fft_length=[length])), {"x": value})
for name, shape, length in (("even", (2, 9), 16), ("odd", (2, 8), 15),
                            ("cropped", (2, 12), 10), ("cropped_odd", (2, 9), 7), ("one", (2, 1), 1)):
    family.case(f"irfft_{name}", lambda re, im: raw.IRFFT(input=make(re, im), fft_length=[length]),
                two(*shape))
for name, lengths in (("whole", (6, 10)), ("rows", (3, 10)), ("cropped", (5, 7)), ("columns", (6, 5)),
                      ("row", (1, 10))):
    family.case(f"rfft2d_{name}", lambda x: parts(raw.RFFT2D(input=x, fft_length=lengths)), {"x": picture})
    family.case(f"irfft2d_{name}", lambda re, im: raw.IRFFT2D(input=make(re, im), fft_length=lengths),
                two(2, 6, 6))
for name, lengths in (("whole", (4, 6, 5)), ("deep", (4, 2, 3)), ("cropped", (2, 3, 4)),
                      ("flat", (1, 6, 5)), ("ones", (1, 1, 5))):
    family.case(f"rfft3d_{name}", lambda x: parts(raw.RFFT3D(input=x, fft_length=lengths)), {"x": box})
    family.case(f"irfft3d_{name}", lambda re, im: raw.IRFFT3D(input=make(re, im), fft_length=lengths),
                two(1, 4, 6, 3))
for op, shapes in (("FFT", ((8,), (2, 15), (3, 2, 7), (4, 1), (2, 32))),
                   ("FFT2D", ((4, 6), (2, 3, 5), (1, 8), (8, 1), (2, 2, 4, 4))),
                   ("FFT3D", ((2, 3, 4), (2, 4, 4, 2), (1, 1, 5), (3, 1, 2), (2, 5, 3)))):
    for i, shape in enumerate(shapes):
        for inverse in ("", "I"):
            family.case(f"{inverse.lower()}{op.lower()}_{i}",
                        lambda re, im: parts(getattr(raw, inverse + op)(input=make(re, im))), two(*shape))

z = two(2, 5)
edges = {"re": np.array([0, -0.0, 1, -1, 0, 0, 3], np.float32),
         "im": np.array([0, 0, 0, 0, 2, -2, 4], np.float32)}
ONE = {"abs": lambda z: raw.ComplexAbs(x=z), "angle": lambda z: raw.Angle(input=z),
       "real": lambda z: raw.Real(input=z), "imag": lambda z: raw.Imag(input=z),
       "conj": lambda z: parts(raw.Conj(input=z)), "neg": lambda z: parts(raw.Neg(x=z)),
       "to_float": lambda z: tf.cast(z, tf.float32)}
for name, f in ONE.items():
    for shape_name, feeds in (("matrix", z), ("edges", edges), ("scalar", two()), ("empty", two(0, 3)),
                              ("rank_4", two(2, 1, 3, 2))):
        if name != "to_float" or shape_name == "matrix":
            family.case(f"{name}_{shape_name}", lambda re, im: f(make(re, im)), feeds)
for op in ("Mul", "AddV2", "Sub", "Add"):
    for name, shapes in (("same", ((2, 3), (2, 3))), ("row", ((2, 3), (3,))), ("scalar", ((2, 3), ())),
                         ("outer", ((4, 1), (3,))), ("rank_3", ((2, 1, 3), (2, 4, 3)))):
        feeds = {"a": normal(g, *shapes[0]), "b": normal(g, *shapes[0]), "c": normal(g, *shapes[1]),
                 "d": normal(g, *shapes[1])}
        family.case(f"{op.lower()}_{name}",
                    lambda a, b, c, d: parts(getattr(raw, op)(x=make(a, b), y=make(c, d))), feeds)
family.case("padded_by_python", lambda x: parts(tf.signal.rfft(x, [20])), {"x": x})
family.case("inverse_padded_by_python", lambda re, im: tf.signal.irfft(make(re, im), [16]), two(2, 5))
family.case("from_float", lambda x: parts(raw.FFT(input=tf.cast(x, tf.complex64))), {"x": x})
family.case("reshaped", lambda re, im: parts(tf.reshape(make(re, im), [5, -1])), z)
family.case("transposed", lambda re, im: parts(tf.transpose(make(re, im), [1, 0])), z)
family.case("expanded", lambda re, im: parts(tf.expand_dims(make(re, im), -1)), z)
family.case("squeezed", lambda re, im: parts(tf.squeeze(make(re, im), [1])), two(3, 1, 2))
family.case("squeezed_all", lambda re, im: parts(tf.squeeze(make(re, im))), two(1, 3, 1, 2))
family.case("joined", lambda re, im: parts(tf.concat([make(re, im), make(im, re)], -1)), z)
family.case("shape", lambda re, im: tf.zeros(tf.shape(make(re, im))) + re, z)
family.case("identity", lambda re, im: parts(tf.identity(make(re, im))), z)

family.write()

family = Family("audio")


def stft(x):
    frames = tf.signal.frame(x, 64, 16)
    return raw.RFFT(input=frames * tf.signal.hann_window(64), fft_length=[64])


sound = {"x": normal(g, 2, 160)}
family.case("stft_magnitude", lambda x: tf.abs(stft(x)), sound)
family.case("stft_power", lambda x: tf.square(tf.abs(stft(x))), sound)
family.case("log_mel", lambda x: tf.math.log(
    tf.matmul(tf.abs(stft(x)), tf.signal.linear_to_mel_weight_matrix(8, 33, 8000, 100.0, 3800.0)) + 1e-3),
            sound)
# Without the first and last bin, which are real: the sign of their zero imaginary part is not specified.
family.case("stft_phase", lambda x: tf.math.angle(stft(x))[..., 1:-1], sound)
family.case("mask_and_back", lambda x: tf.signal.inverse_stft(
    stft(x) * tf.cast(tf.sigmoid(tf.abs(stft(x))), tf.complex64), 64, 16), sound)

speech = {"x": normal(g, 900, 2) * np.float32(0.3)}
FRONT_ENDS = {"plain": (64, 32, False), "squared": (64, 32, True), "odd_window": (50, 13, True),
              "one_frame": (900, 1, True), "long_stride": (32, 100, False)}
for name, (window, stride, squared) in FRONT_ENDS.items():
    family.case(f"audio_spectrogram_{name}", lambda x: raw.AudioSpectrogram(
        input=x, window_size=window, stride=stride, magnitude_squared=squared), speech)
for name, attrs in {"plain": {}, "few": {"filterbank_channel_count": 10, "dct_coefficient_count": 10},
                    "band": {"lower_frequency_limit": 300.0, "upper_frequency_limit": 3000.0},
                    "many": {"filterbank_channel_count": 80, "dct_coefficient_count": 40},
                    "one": {"filterbank_channel_count": 1, "dct_coefficient_count": 1}}.items():
    family.case(f"mfcc_{name}", lambda x: raw.Mfcc(spectrogram=raw.AudioSpectrogram(
        input=x, window_size=128, stride=64, magnitude_squared=True), sample_rate=8000, **attrs), speech)
family.case("mfcc_of_silence", lambda x: raw.Mfcc(spectrogram=x, sample_rate=16000),
            {"x": np.zeros([1, 2, 129], np.float32)})
family.write()

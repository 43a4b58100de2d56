# SPDX-License-Identifier: Apache-2.0
"""Sound: features in front of networks, filters over time, keyword spotting, separation, pitch."""

import numpy as np
import tensorflow as tf

from feeds import f32, given, integers
from models import frozen

S = tf.signal
RATE = 800


def mel(x, bins=8):
    spectrum = tf.abs(S.stft(x, 32, 16, 32))
    return tf.tensordot(spectrum, S.linear_to_mel_weight_matrix(bins, 17, RATE, 20.0, 380.0), 1)


def log_mel(x):
    return tf.math.log(mel(x) + 1e-3)


def mfcc(x):
    return S.mfccs_from_log_mel_spectrograms(log_mel(x))[..., :5]


def mfcc_v1(x):
    """The ops of the speech commands example."""
    spectrogram = tf.raw_ops.AudioSpectrogram(input=x, window_size=32, stride=16, magnitude_squared=True)
    return tf.raw_ops.Mfcc(spectrogram=spectrogram, sample_rate=RATE, upper_frequency_limit=380.0,
                           lower_frequency_limit=20.0,
                           filterbank_channel_count=10, dct_coefficient_count=6)


def weights(*shape, seed=1):
    return tf.constant(np.random.default_rng(seed).uniform(-0.5, 0.5, shape).astype(np.float32))


def keyword_spotting(x):
    features = log_mel(x)[..., None]
    y = tf.nn.relu(tf.nn.conv2d(features, weights(3, 3, 1, 4), [1, 2, 2, 1], "SAME"))
    y = tf.nn.depthwise_conv2d(y, weights(3, 3, 4, 1, seed=2), [1, 1, 1, 1], "SAME")
    return tf.nn.softmax(tf.reduce_mean(y, [1, 2]) @ weights(4, 3, seed=3))


def deltas(x):
    """Slopes over time beside the features."""
    features = log_mel(x)
    padded = tf.pad(features, [[0, 0], [2, 2], [0, 0]], "SYMMETRIC")
    slope = sum(n * (padded[:, 2 + n:2 + n + 7] - padded[:, 2 - n:2 - n + 7]) for n in (1, 2)) / 10.0
    return tf.concat([features, slope], -1)


def per_channel_energy(x):
    """PCEN: a smoother over time, as a scan, and a root."""
    energy = tf.transpose(mel(x)[0])
    smooth = tf.scan(lambda before, now: 0.9 * before + 0.1 * now, tf.transpose(energy))
    return tf.pow(tf.transpose(energy) / tf.pow(1e-3 + smooth, 0.8) + 2.0, 0.5) - 2.0 ** 0.5


def separation(x):
    """A mask over the spectrum, back to sound."""
    spectrum = S.stft(x, 32, 16, 32)
    mask = tf.sigmoid(tf.tensordot(tf.abs(spectrum), weights(17, 17), 1))
    return S.inverse_stft(spectrum * tf.cast(mask, tf.complex64), 32, 16, 32)


def learned_filterbank(x):
    """Conv-TasNet: learned analysis and synthesis."""
    coded = tf.nn.relu(tf.nn.conv1d(x[..., None], weights(8, 1, 6), 4, "SAME"))
    mask = tf.sigmoid(tf.nn.conv1d(coded, weights(3, 6, 6, seed=2), 1, "SAME"))
    frames = tf.tensordot(coded * mask, weights(6, 8, seed=3), 1)
    return S.overlap_and_add(frames, 4)


def biquad(x):
    """A recursive filter, sample by sample."""
    def step(state, now):
        y = 0.2 * now + 0.4 * state[0] + 0.2 * state[1] + 0.9 * state[2] - 0.3 * state[3]
        return tf.stack([now, state[0], y, state[2]])
    return tf.scan(step, x, tf.zeros([4]))[:, 2]


def pre_emphasis_and_gain(x):
    y = tf.concat([x[:, :1], x[:, 1:] - 0.97 * x[:, :-1]], 1)
    return y / (tf.reduce_max(tf.abs(y), 1,
                              keepdims=True) + 1e-6), 20.0 * tf.math.log(tf.sqrt(tf.reduce_mean(y ** 2))) / np.log(10.0)


def pitch(x):
    """The lag of the strongest autocorrelation, refined by a parabola."""
    lags = tf.stack([tf.reduce_sum(x[:, :64] * x[:, lag:64 + lag], 1) for lag in range(4, 20)], 1)
    best = tf.argmax(lags[:, 1:-1], 1, tf.int32) + 1
    left, mid, right = (tf.gather(lags, best + d, batch_dims=1) for d in (-1, 0, 1))
    return RATE / (tf.cast(best, tf.float32) + 4 + 0.5 * (left - right) / (left - 2 * mid + right))


def mu_law(x):
    coded = tf.sign(x) * tf.math.log1p(255.0 * tf.abs(x)) / tf.math.log1p(255.0)
    return tf.cast((coded + 1) / 2 * 255 + 0.5, tf.int32), tf.sign(coded) * (tf.pow(256.0, tf.abs(coded)) - 1) / 255.0


def resample(x):
    """Polyphase: between samples by a strided transposed convolution, then every third."""
    up = tf.nn.conv1d_transpose(x[..., None], weights(4, 1, 1), [1, 96, 1], 2)
    return tf.squeeze(tf.nn.conv1d(up, weights(6, 1, 1, seed=2), 3, "SAME"), -1)


def spec_augment(x, mask):
    return log_mel(x) * tf.cast(mask, tf.float32)[None, :, None]


def speech_encoder(x):
    """Features, subsampling, one recurrent layer, characters."""
    y = tf.nn.relu(tf.nn.conv1d(log_mel(x), weights(3, 8, 6), 2, "SAME"))
    w = weights(10, 4, seed=5)
    state = tf.zeros([1, 4])
    steps = tf.TensorArray(tf.float32, 4)
    for t in tf.range(4):
        state = tf.tanh(tf.concat([y[:, t], state], 1) @ w)
        steps = steps.write(t, state)
    return tf.nn.log_softmax(tf.transpose(steps.stack(), [1, 0, 2]) @ weights(4, 5, seed=6))


def vggish(x):
    frames = S.frame(log_mel(x), 4, 2, axis=1)
    y = tf.reshape(frames, [-1, 4, 8, 1])
    return tf.reshape(tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(y, weights(3, 3, 1, 4), 1, "SAME")), 2, 2, "VALID"),
                      [2, -1])


SOUND = f32(1, 128)
MODELS = [
    frozen("log_mel_spectrogram", log_mel, f32(2, 128)),
    frozen("mfcc", mfcc, SOUND),
    frozen("mfcc_of_speech_commands", mfcc_v1, f32(128, 1)),
    frozen("keyword_spotting", keyword_spotting, SOUND),
    frozen("deltas_of_features", deltas, SOUND),
    frozen("per_channel_energy", per_channel_energy, SOUND),
    frozen("separation_by_mask", separation, SOUND),
    frozen("learned_filterbank", learned_filterbank, f32(1, 64)),
    frozen("biquad_filter", biquad, f32(40)),
    frozen("pre_emphasis_and_level", pre_emphasis_and_gain, f32(1, 64)),
    frozen("pitch_by_autocorrelation", pitch, f32(1, 96)),
    frozen("mu_law", mu_law, f32(1, 32)),
    frozen("resample_polyphase", resample, f32(1, 48)),
    frozen("masked_features", spec_augment, SOUND, given([True, False, True, True, False, True, True])),
    frozen("speech_encoder", speech_encoder, SOUND),
    frozen("frames_of_features", vggish, f32(1, 112)),
    frozen("samples_of_int16", lambda x: log_mel(tf.cast(x, tf.float32) / 32768.0),
           integers(1, 128, low=-30000, high=30000, dtype="int16")),
]

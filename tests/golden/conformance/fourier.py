# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, normal, rng, write
import tensorflow as tf

G = rng(34)
raw = tf.raw_ops
# 1 and 2; powers of 2 and 4; mixed and odd factors; primes.
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 31, 32, 60, 64, 97, 100, 105, 128, 241, 256, 400)


def pairs(z):
    return np.stack([z.real, z.imag], -1).astype(np.float32)


def numbers(*shape):
    return (normal(G, *shape) + 1j * normal(G, *shape)).astype(np.complex64)


def forward(name, x, why=""):
    attrs = {"kind": "Forward", "length": x.shape[-1]}
    return case(name, attrs, [pairs(x)], [pairs(raw.FFT(input=x).numpy())], why)


def inverse(name, x, why=""):
    attrs = {"kind": "Inverse", "length": x.shape[-1]}
    return case(name, attrs, [pairs(x)], [pairs(raw.IFFT(input=x).numpy())], why)


def real_forward(name, x, why=""):
    n = x.shape[-1]
    expected = raw.RFFT(input=x, fft_length=[n]).numpy()
    return case(name, {"kind": "RealForward", "length": n}, [x], [pairs(expected)], why)


def real_inverse(name, x, n, why=""):
    expected = raw.IRFFT(input=x, fft_length=[n]).numpy()
    return case(name, {"kind": "RealInverse", "length": n}, [pairs(x)], [expected], why)


def refused(name, x, **attrs):
    return case(name, attrs, [x], [], error="invalid_plan")


CASES = []
for n in LENGTHS:
    CASES += [forward(f"forward_{n}", numbers(2, n)), inverse(f"inverse_{n}", numbers(2, n)),
              real_forward(f"real_forward_{n}", normal(G, 2, n)),
              real_inverse(f"real_inverse_{n}", numbers(2, n // 2 + 1), n,
                           why="the first and last imaginary parts are not read")]
CASES += [
    real_forward("vector", normal(G, 24)),
    real_forward("rank_4", normal(G, 2, 3, 2, 10)),
    real_forward("many_rows", normal(G, 33, 20), why="several threads"),
    real_forward("no_rows", normal(G, 0, 8)),
    real_forward("constant_signal", np.full([1, 64], 3, np.float32)),
    refused("integers", np.zeros([4], np.int32), kind="RealForward", length=4),
    refused("other_length", np.zeros([4], np.float32), kind="RealForward", length=8),
    refused("no_pairs", np.zeros([4, 3], np.float32), kind="Forward", length=4),
    refused("scalar", np.float32(1), kind="RealForward", length=1),
    refused("vector_of_numbers", np.zeros([2], np.float32), kind="Forward", length=1),
    refused("rank_9", np.zeros([1] * 8, np.float32), kind="RealForward", length=1),
    refused("length_0", np.zeros([1, 0], np.float32), kind="RealForward", length=0),
    refused("too_long", np.zeros([1, 2], np.float32), kind="Forward", length=1 << 40),
    refused("no_kind", np.zeros([4], np.float32), kind="Invalid", length=4),
]
write("Fourier", CASES)

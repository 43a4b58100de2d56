# SPDX-License-Identifier: Apache-2.0
"""Complex constants, and the chains of complex tensors that tf.signal makes."""

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

g = rng(47)
row = (normal(g, 3) + 1j * normal(g, 3)).astype(np.complex64)


def parts(*results):
    return [part for z in results for part in (raw.Real(input=z), raw.Imag(input=z))]


def two(*shape):
    return {"re": normal(g, *shape), "im": normal(g, *shape)}


def make(re, im):
    return raw.Complex(real=re, imag=im)


family = Family("complex_chains")


def as_list(definition, name, values):
    """Writes the constant `name` as a list, as older tools do."""
    tensor = node(definition, name).attr["value"].tensor
    tensor.ClearField("tensor_content")
    del tensor.scomplex_val[:]
    tensor.scomplex_val.extend(values)


z = two(2, 3)
CONSTANTS = {"scalar": 0.5 - 2j, "row": row, "splat": np.full([2, 3], 1 - 1j), "matrix": normal(g, 2, 3) + 1j * normal(g, 2, 3),
             "empty": np.zeros([0, 2, 3])}
for name, value in CONSTANTS.items():
    family.case(f"constant_{name}", lambda re, im: parts(make(re, im) * tf.constant(value, tf.complex64)), z)
    family.case(f"constant_128_{name}", lambda re, im: parts(
        tf.cast(tf.cast(make(re, im), tf.complex128) * tf.constant(value, tf.complex128), tf.complex64)), z)
for name, values in {"none": [], "one": [1, 2], "all": [1, 2, 3, 4, 5, 6], "two": [1, 2, 3, 4]}.items():
    numbers = np.array(values or [0, 0], np.float32).view(np.complex64)
    whole = np.concatenate([numbers, np.repeat(numbers[-1:], 3 - len(numbers))])
    product = (z["re"] + 1j * z["im"]) * whole
    family.case(f"constant_list_{name}", lambda re, im: parts(make(re, im) * tf.constant(row, name="c")), z,
                expected=[product.real.astype(np.float32), product.imag.astype(np.float32)],
                edit=lambda definition: as_list(definition, "c", values))
family.case("constant_expression", lambda x: x + tf.math.real(tf.exp(tf.constant(1 + 1j, tf.complex64)) / (2 - 1j))[tf.newaxis],
            {"x": normal(g, 2)})
large = (normal(g, 12, 20) + 1j * normal(g, 12, 20)).astype(np.complex64)
family.case("constant_large", lambda x: parts(tf.reduce_sum(tf.constant(large) * tf.cast(x, tf.complex64), 0)), {"x": normal(g, 12, 1)})

S = tf.signal
x = {"x": normal(g, 2, 12)}
for kind in (1, 2, 3, 4):
    family.case(f"dct_{kind}", lambda x: S.dct(x, kind), x)
    family.case(f"idct_{kind}", lambda x: S.idct(x, kind), x)
family.case("dct_2_ortho", lambda x: S.dct(x, norm="ortho"), x)
family.case("dct_3_ortho", lambda x: S.dct(x, 3, norm="ortho"), x)
family.case("dct_2_shorter", lambda x: S.dct(x, n=7), x)
family.case("mdct", lambda x: S.mdct(x, 16), {"x": normal(g, 1, 48)})
family.case("inverse_mdct", lambda x: S.inverse_mdct(x), {"x": normal(g, 1, 3, 8)})
family.case("mfcc", lambda x: S.mfccs_from_log_mel_spectrograms(x), {"x": normal(g, 1, 4, 12)})
family.case("fftshift", lambda re, im: parts(S.fftshift(S.fft2d(make(re, im))), S.ifftshift(make(re, im), [1])), two(2, 4, 5))
family.case("analytic_signal", lambda x: tf.abs(S.ifft(S.fft(tf.complex(x, tf.zeros_like(x))) * tf.constant(
    [1] + [2] * 5 + [1] + [0] * 5, tf.complex64))), x)
family.case("phase_vocoder", lambda x: S.inverse_stft(
    tf.cast(tf.abs(S.stft(x, 16, 4)), tf.complex64) * tf.exp(tf.complex(0.0, 1.5 * tf.math.angle(S.stft(x, 16, 4)))), 16, 4),
            {"x": np.abs(normal(g, 1, 64)) + np.float32(1)}, tolerance=1e-4)
family.case("convolution", lambda x, y: S.irfft(S.rfft(x, [24]) * S.rfft(y, [24]), [24]), x | {"y": normal(g, 5)})
family.case("roots_of_unity", lambda x: parts(tf.pow(tf.constant(np.exp(2j * np.pi / 12), tf.complex64), tf.cast(tf.range(12), tf.complex64))
                                              * tf.cast(x, tf.complex64)), x)

most = {"x": [4, 12]}
family.case("varying_rfft", lambda x: parts(S.rfft(x, [12])), x, largest=most)
family.case("varying_irfft", lambda x: S.irfft(S.rfft(x, [12]) * tf.constant(2j, tf.complex64), [12]), x, largest=most)
family.case("varying_dct", lambda x: S.dct(x), x, largest=most)
family.case("varying_moves", lambda x: parts(tf.concat([tf.cast(x, tf.complex64)[:, ::-1], tf.complex(0.0, x)], 1)), x, largest=most)
family.case("varying_arithmetic", lambda x: parts(tf.exp(tf.complex(x, x)) / (tf.complex(0.0, x) + 3), tf.sqrt(tf.complex(x, -x)) ** 2),
            x, largest=most)
family.case("varying_shape", lambda x: tf.zeros(tf.shape(tf.complex(x, x))) + x, x, largest=most)
family.case("varying_matmul", lambda x: parts(tf.matmul(tf.complex(x, x), tf.complex(tf.ones([12, 2]), 2 * tf.ones([12, 2])))),
            x, largest=most)
family.write()

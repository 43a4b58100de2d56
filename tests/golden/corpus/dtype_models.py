# SPDX-License-Identifier: Apache-2.0
"""Types other than f32: floats of 16 and 64 bits, integers of each width, bool; quantised forms; weights in 16 bits."""

import keras
import numpy as np
import tensorflow as tf

from feeds import Feed, booleans, f32, given, integers
from models import frozen
from models import keras as network

L = keras.layers
HALF = {"tolerance": 1e-2}


def half(*shape, dtype="float16"):
    return Feed(shape, dtype)


def brain(x):
    """bfloat16 inside, f32 outside."""
    w = tf.constant(np.linspace(-1, 1, 24).reshape(6, 4), tf.bfloat16)
    return tf.cast(tf.nn.softmax(tf.nn.relu(tf.cast(x, tf.bfloat16) @ w) + 0.5), tf.float32)


def brain_weights(x):
    w = tf.constant(np.linspace(-1, 1, 24).reshape(6, 4), tf.bfloat16)
    return x @ tf.cast(w, tf.float32)


def half_conv(x):
    kernel = tf.cast(np.linspace(-1, 1, 54).reshape(3, 3, 2, 3), tf.float16)
    return tf.cast(tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME")), tf.float32)


def half_encoder(x):
    return L.LayerNormalization(dtype="mixed_float16")(L.Dense(6, "gelu", dtype="mixed_float16")(x))


def half_attention(x):
    scores = tf.nn.softmax(tf.matmul(x, x, transpose_b=True) / tf.cast(2.0, tf.float16))
    return tf.cast(tf.matmul(scores, x), tf.float32)


def int8_dense(x):
    """Dynamic ranges, spelled out: scale, round, multiply integers, scale back."""
    w = tf.constant(np.random.default_rng(1).integers(-127, 128, (6, 4)), tf.int8)
    scale = tf.reduce_max(tf.abs(x)) / 127.0
    q = tf.cast(tf.round(x / scale), tf.int8)
    return tf.cast(tf.matmul(tf.cast(q, tf.int32), tf.cast(w, tf.int32)), tf.float32) * scale * 0.01


def weights_of_4_bits(x):
    packed = tf.constant(np.random.default_rng(1).integers(0, 256, (6, 2)), tf.uint8)
    low = tf.cast(tf.bitwise.bitwise_and(packed, 15), tf.float32) - 8.0
    high = tf.cast(tf.bitwise.right_shift(packed, tf.constant(4, tf.uint8)), tf.float32) - 8.0
    return x @ tf.reshape(tf.stack([low, high], -1), [6, 4]) * 0.1


def fake_quantized(x):
    w = tf.constant(np.linspace(-1, 1, 12).reshape(4, 3), tf.float32)
    w = tf.quantization.fake_quant_with_min_max_vars_per_channel(w, [-1.0, -0.5, -0.8], [1.0, 0.5, 0.9])
    return tf.quantization.fake_quant_with_min_max_args(x @ w, -2, 2, 8, True)


def quantize_and_dequantize(x):
    return tf.quantization.quantize_and_dequantize_v2(x, -1.0, 1.0, range_given=True)


def quantized_layers(x):
    q, low, high = tf.quantization.quantize(x, -1.0, 1.0, tf.quint8)
    return tf.quantization.dequantize(q, low, high)


def uniform_dequantized(x):
    form = {"scales": 0.02, "zero_points": 3, "quantization_min_val": -128, "quantization_max_val": 127}
    return tf.raw_ops.UniformDequantize(input=tf.raw_ops.UniformQuantize(input=x, Tout=tf.qint8, **form),
                                        Tout=tf.float32, **form)


def bitcasts(x):
    """The fast inverse square root."""
    i = 0x5f3759df - tf.bitwise.right_shift(tf.bitcast(x, tf.int32), 1)
    y = tf.bitcast(i, tf.float32)
    return y * (1.5 - 0.5 * x * y * y)


def unsigned(x, y):
    return tf.cast(x, tf.uint16) * tf.cast(y, tf.uint16), tf.bitwise.bitwise_xor(x, y), tf.maximum(x, y)


def hash_of_integers(x):
    """A hash with products that run over, as models that draw noise by position have it."""
    h = tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, 16)) * 73244475
    return tf.bitwise.bitwise_and(tf.bitwise.bitwise_xor(h, tf.bitwise.right_shift(h, 16)), 1023)


def long_integers(x):
    return x * 3_000_000_000, x // 7, tf.math.floormod(x, -5), tf.reduce_max(x, 1)


def shorts(x):
    return tf.cast(tf.clip_by_value(tf.cast(x, tf.int32) * 2, -32768, 32767), tf.int16), x // 3


def doubles(x):
    return tf.reduce_sum(tf.exp(x) / tf.constant(3.0, tf.float64), 1), x > 0.25


def bools(x, y):
    return tf.logical_and(x, tf.logical_not(y)), tf.reduce_all(x, 1), tf.cast(x, tf.int32) + tf.cast(y, tf.int32)


def masks_of_bytes(x):
    return tf.where(tf.cast(x, tf.bool), tf.constant(255, tf.uint8), tf.constant(7, tf.uint8))


def mixed_bfloat(x):
    y = L.Conv2D(4, 3, dtype="mixed_bfloat16", activation="relu")(x)
    return L.Dense(3, dtype="float32")(L.GlobalAveragePooling2D(dtype="mixed_bfloat16")(y))


def int8_keras(x):
    dense = L.Dense(4)
    dense.build((None, 6))
    dense.quantize("int8")
    return dense(x)


MODELS = [
    frozen("f16_input_conv", half_conv, half(1, 5, 5, 2), **HALF),
    frozen("f16_attention", half_attention, half(1, 5, 4), **HALF),
    frozen("f16_output", lambda x: tf.cast(x * 3.0, tf.float16), f32(2, 5), **HALF),
    frozen("f16_sums_and_norms",
           lambda x: (tf.reduce_sum(x, 1), tf.nn.softmax(x),
                      tf.math.rsqrt(tf.abs(x) + tf.cast(1, tf.float16))), half(2, 9), **HALF),
    network("f16_keras_mixed_encoder", half_encoder, f32(1, 5), **HALF),
    frozen("bf16_inside", brain, f32(2, 6), **HALF),
    frozen("bf16_weights_only", brain_weights, f32(2, 6), **HALF),
    network("bf16_keras_mixed", mixed_bfloat, f32(1, 6, 6, 2), **HALF),
    frozen("f64_graph", doubles, Feed((2, 5), "float64")),
    frozen("i8_dense_dynamic", int8_dense, f32(2, 6)),
    network("i8_dense_of_keras", int8_keras, f32(1, 6)),
    frozen("u8_packed_4_bits", weights_of_4_bits, f32(1, 6)),
    frozen("u8_arithmetic", unsigned, integers(2, 6, high=256, dtype="uint8"), integers(2, 6, high=256, dtype="uint8")),
    frozen("u8_masks", masks_of_bytes, integers(2, 6, high=2, dtype="uint8")),
    frozen("i16_clipped", shorts, integers(2, 6, low=-30000, high=30000, dtype="int16")),
    frozen("i32_hash_runs_over", hash_of_integers, integers(9, high=2**30)),
    frozen("i32_division_of_negatives", lambda x, y: (x // y, x % y, tf.math.floordiv(x, 3), tf.truncatemod(x, y)),
           given([-7, 7, -7, 7, 0]), given([2, -2, -3, 3, 5])),
    frozen("i64_arithmetic", long_integers, integers(2, 5, low=-90, high=90, dtype="int64")),
    frozen("u32_and_u64",
           lambda x: (tf.cast(tf.cast(x, tf.uint32) * 3, tf.int64),
                      tf.cast(tf.cast(x, tf.uint64) + 5, tf.float32)), integers(5, high=99)),
    frozen("bool_logic", bools, booleans(2, 6), booleans(2, 6)),
    frozen("casts_round_and_saturate",
           lambda x: (tf.cast(x, tf.int32), tf.saturate_cast(x, tf.uint8), tf.cast(x, tf.bool),
                      tf.round(x)), f32(12, low=-300, high=300)),
    frozen("bitcast_inverse_root", bitcasts, f32(6, low=0.5, high=9)),
    frozen("fake_quant_per_channel", fake_quantized, f32(2, 4)),
    frozen("quantize_and_dequantize", quantize_and_dequantize, f32(2, 6)),
    frozen("quantize_v2_dequantize", quantized_layers, f32(2, 6)),
    frozen("uniform_quantize_dequantize", uniform_dequantized, f32(2, 6)),
    frozen("weights_kept_as_f16", lambda x: x @ tf.constant(np.linspace(-1, 1, 24).reshape(6, 4), tf.float32),
           f32(2, 6), options=["--weights", "f16"], **HALF),
    frozen("algebra_strict", lambda x: (x * 3.0 + 0.1) * 2.0 - 0.7, f32(2, 6), options=["--algebra", "strict"]),
]

# SPDX-License-Identifier: Apache-2.0
"""QuantizeV2 and Dequantize: every mode, dtype, axis and rounding; ranges that are constant, fed and computed."""
import numpy as np
import tensorflow as tf

from tf_cases import Family, normal, raw, rng

family = Family("quantized_types")
MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
DTYPES = (tf.quint8, tf.qint8, tf.quint16, tf.qint16, tf.qint32)
X = 4 * normal(rng(1), 5, 16)
SLICES = 3 * normal(rng(2), 2, 3, 8)
# Values half-way between two steps, in both directions, and values out of range.
TIES = np.concatenate([np.arange(-9, 10) / 2, [-100, 100, 0.49999997, -0.49999997, 1e9]]).astype(np.float32)


def quantize(x, dtype, mode, low, high, **attrs):
    return list(raw.QuantizeV2(input=x, min_range=low, max_range=high, T=dtype, mode=mode, **attrs))


def dequantize(x, mode, low, high, **attrs):
    return raw.Dequantize(input=x, min_range=low, max_range=high, mode=mode, **attrs)


def quantized(integers, dtype):
    """The array in numpy's form of the type."""
    return np.asarray(integers).astype(dtype.as_numpy_dtype)


for mode in MODES:
    for dtype in DTYPES:
        name = f"{mode.lower()}_{dtype.name}"
        # The last bit of 32-bit steps computed in float is not specified, so values stay within half the range.
        inside = np.clip(X, -3, 3) if dtype == tf.qint32 else X
        family.case(f"quantize_{name}", lambda x, dtype=dtype, mode=mode: quantize(x, dtype, mode, -6.0, 7.0), {"x": inside})
        family.case(f"quantize_{name}_fed_range", lambda x, low, high, dtype=dtype, mode=mode: quantize(
            x, dtype, mode, low, high), {"x": inside, "low": np.float32(-5.5), "high": np.float32(6.25)})
        limits = np.iinfo(dtype.name[1:])
        # TensorFlow's float computation overflows where an int32 rounds to 2^31.
        largest = limits.max - 64 if dtype == tf.qint32 else limits.max
        tensor = quantized(np.linspace(limits.min, largest, 30).round().astype(limits.dtype), dtype).reshape(2, 3, 5)
        family.case(f"dequantize_{name}", lambda x, mode=mode: dequantize(x, mode, -6.0, 7.0), {"x": tensor})
        if mode == "MIN_FIRST":
            continue  # TensorFlow supports it without slices only
        family.case(f"quantize_{name}_slices", lambda x, dtype=dtype, mode=mode: quantize(
            x, dtype, mode, [-8.0, -7.0, -9.5], [9.0, 12.0, 8.0], axis=1), {"x": np.clip(SLICES, -4, 4)})
        family.case(f"dequantize_{name}_slices", lambda x, mode=mode: dequantize(
            x, mode, [-8.0, -7.0, 0.0], [9.0, 12.0, 8.0], axis=1), {"x": tensor})
    family.case(f"quantize_ties_{mode.lower()}", lambda x, mode=mode: quantize(x, tf.qint8, mode, -128.0, 127.0), {"x": TIES})
    family.case(f"quantize_ties_{mode.lower()}_unsigned", lambda x, mode=mode: quantize(x, tf.quint8, mode, 0.0, 255.0),
                {"x": TIES})
    family.case(f"quantize_no_range_{mode.lower()}", lambda x, mode=mode: quantize(x, tf.quint8, mode, 0.0, 0.0), {"x": TIES})
    family.case(f"quantize_range_above_0_{mode.lower()}", lambda x, mode=mode: quantize(x, tf.qint8, mode, 2.0, 3.0),
                {"x": X})
    family.case(f"quantize_range_below_0_{mode.lower()}", lambda x, mode=mode: quantize(x, tf.qint8, mode, -3.0, -2.0),
                {"x": X})
    family.case(f"quantize_least_range_{mode.lower()}", lambda x, mode=mode: quantize(
        x, tf.qint8, mode, -1.0, 0.5, ensure_minimum_range=3.0), {"x": X})
    family.case(f"quantize_computed_range_{mode.lower()}", lambda x, mode=mode: quantize(
        x, tf.qint8, mode, tf.reduce_min(x), tf.reduce_max(x)), {"x": X})
    family.case(f"there_and_back_{mode.lower()}", lambda x, mode=mode: (lambda q: dequantize(q[0], mode, q[1], q[2]))(
        quantize(x, tf.quint8, mode, -6.0, 7.0)), {"x": X})
    family.case(f"dequantized_weights_{mode.lower()}", lambda x, mode=mode: tf.matmul(x, dequantize(
        tf.constant(rng(3).integers(0, 256, (16, 4)), tf.quint8), mode, -1.0, 2.0)), {"x": X})
    family.case(f"dequantize_computed_range_{mode.lower()}", lambda x, low, mode=mode: dequantize(
        x, mode, low * 2.0, low + 9.0), {"x": quantized(np.arange(12), tf.qint8), "low": np.float32(-2)})
for dtype in (tf.qint8, tf.qint16):
    family.case(f"quantize_narrow_{dtype.name}", lambda x, dtype=dtype: quantize(
        x, dtype, "SCALED", -6.0, 5.0, narrow_range=True), {"x": X})
    family.case(f"dequantize_narrow_{dtype.name}", lambda x: dequantize(x, "SCALED", -6.0, 5.0, narrow_range=True),
                {"x": quantized(np.arange(-9, 9), dtype)})
for low, high in ((-128.0, 127.0), (-6.0, 7.0), (0.0, 3.0)):
    family.case(f"quantize_to_even_{abs(low):.0f}_{high:.0f}", lambda x, low=low, high=high: quantize(
        x, tf.qint8, "SCALED", low, high, round_mode="HALF_TO_EVEN"), {"x": TIES})
family.case("quantize_last_axis", lambda x: quantize(
    x, tf.qint8, "SCALED", -np.arange(1, 9, dtype=np.float32), np.arange(2, 10, dtype=np.float32), axis=2), {"x": SLICES})
family.case("quantize_scalar", lambda x: quantize(x, tf.quint8, "MIN_FIRST", -1.0, 3.0), {"x": np.float32(1.3)})
family.case("quantize_nothing", lambda x: quantize(x, tf.quint8, "SCALED", -1.0, 3.0), {"x": X[:0]})
family.write()

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import DTYPES, case, write
from elementwise_inputs import INTS, integers, name_of, spread
import tensorflow as tf

ENUM = {
    "f32": 1,
    "f16": 2,
    "i32": 3,
    "i64": 4,
    "u8": 5,
    "i8": 6,
    "bool": 7,
    "i16": 8,
    "u16": 9,
    "f64": 10
}
ALL = (np.float32, np.float64, np.float16, np.bool_) + INTS


def cast(name, x, to, why=""):
    y = tf.cast(tf.constant(x), to).numpy()
    return case(name, {"dtype": ENUM[name_of(to)]}, [x], [y], why)


def values(dtype):
    """Values, with fractions, whose conversion to every other dtype is defined."""
    if dtype == np.bool_:
        return np.array([[True, False, True]])
    if np.dtype(dtype).kind == "f":
        return np.array([0.0, -0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 99.99, 100.0, 3.0, 1e-4], dtype)
    return integers(dtype, 3, 7)


CASES = []
for source in ALL:
    for target in ALL:
        CASES.append(cast(f"{name_of(source)}_to_{name_of(target)}", values(source), target))
NEGATIVE = np.array([-0.5, -1.0, -1.5, -99.99, -128.0], np.float32)
BIG = np.array([
    2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 1e10, -1e10, 1e30, np.inf, -np.inf,
    np.nan
], np.float32)
HALVES = np.array([
    65504, 65519.9, 65520, 1e9, -1e9, 6e-8, 2.9e-8, 3e-8, 1e-5, 6.1e-5, np.inf, -np.inf, np.nan,
    1.00048828125, 1.0014648, -2049, -2051
], np.float32)
CASES += [
    cast(f"negative_to_{name_of(t)}", NEGATIVE, t) for t in (np.int32, np.int64, np.int8, np.int16)
]
CASES += [
    cast(f"big_to_{name_of(t)}", BIG, t, why="out of range as on x86") for t in (np.int32, np.int64)
]
CASES += [
    cast("nan_to_bool", BIG, np.bool_),
    cast("wide_double",
         BIG.astype(np.float64) * 7, np.int32),
    cast("double_to_f32", np.array([1e-50, 1e50, -1e50, 1 + 2**-30, np.nan]), np.float32),
    cast("f32_to_f16_edges", HALVES, np.float16, why="rounding, subnormals, overflow"),
    cast("f16_to_f32_edges",
         np.arange(0, 65536, 61).astype(np.uint16).view(np.float16), np.float32),
    cast("i64_wraps", np.array([2**40 + 7, -2**40 - 7, 2**31, -2**31 - 1]), np.int32),
    cast("i64_multiple_of_2_to_32_to_bool", np.array([2**32, 0]), np.bool_),
    cast("i64_to_f32_rounds", np.array([2**53 + 1, 2**24 + 1, -2**63, 2**63 - 1]), np.float32),
    cast("scalar", np.float32(3.7), np.int32),
    cast("empty", spread(0, 3), np.int32),
    cast("long", spread(1031, low=-100, high=100), np.int32),
    cast("long_to_u8", np.arange(1031, dtype=np.int32), np.uint8),
    cast("long_to_f16", spread(1031, low=-100, high=100), np.float16),
    dict(case("no_dtype", {"dtype": 0}, [spread(2)], []), error="invalid_plan"),
    dict(case("unknown_dtype", {"dtype": 99}, [spread(2)], []), error="invalid_plan"),
]
write("Cast", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, normal, rng, write
import tensorflow as tf

NAN = np.nan


def unique(name, x, why=""):
    """TensorFlow's rows, indices and counts, padded to the number of rows of x, and the number of unique rows."""
    x = np.asarray(x)
    y, idx, counts = (t.numpy() for t in tf.raw_ops.UniqueWithCountsV2(x=x, axis=np.array([0], np.int64)))
    rows, padded = np.zeros_like(x), np.zeros(len(x), np.int32)
    rows[:len(y)], padded[:len(y)] = y, counts
    return case(name, {}, [x], [rows, idx, padded, np.int32(len(y))], why)


def integers(dtype, n=200, low=0):
    return rng(1).integers(low, 40, n).astype(dtype)


EXTREMES = np.array([2**63 - 1, -2**63, 0, -1, 2**32, -2**63, 2**63 - 1, 2**32 + 1], np.int64)
CASES = [
    unique("i32", integers(np.int32, low=-20)),
    unique("i64", EXTREMES, why="no two differ in the lower or the upper half alone"),
    unique("u8", integers(np.uint8)),
    unique("i8", integers(np.int8, low=-20)),
    unique("i16", integers(np.int16, low=-20)),
    unique("u16", integers(np.uint16)),
    unique("bool", rng(2).random(20) < 0.5),
    unique("f32", rng(3).integers(0, 30, 100).astype(np.float32) / 7),
    unique("zeros", np.array([0.0, -0.0, 1, -0.0], np.float32), why="-0 equals 0, and the first of them stays"),
    unique("negative_zero_first", np.array([-0.0, 0.0, 5, 0.0], np.float32)),
    unique("nan", np.array([1, NAN, 1, NAN, NAN, 2], np.float32), why="NaN equals nothing"),
    unique("infinities", np.array([np.inf, -np.inf, 3, np.inf, -np.inf], np.float32)),
    unique("all_equal", np.full(50, 7, np.int32)),
    unique("all_distinct", rng(4).permutation(300).astype(np.int32)),
    unique("multiples", np.arange(256, dtype=np.int64)[::-1] << 48, why="differ in their highest bits only"),
    unique("whole_floats", np.arange(500, dtype=np.float32), why="their lowest bits are zeros"),
    unique("one", np.array([3], np.int32)),
    unique("none", np.zeros(0, np.float32)),
    unique("rows", rng(5).integers(0, 2, (40, 3)).astype(np.int32)),
    unique("rows_f32", normal(rng(6), 5, 4)[[0, 1, 0, 3, 2, 3, 0]]),
    unique("rows_nan", np.array([[0.0, NAN], [0.0, NAN], [-0.0, 1], [0.0, 1]], np.float32)),
    unique("rows_u8", rng(7).integers(0, 2, (60, 5)).astype(np.uint8)),
    unique("rank_3", rng(8).integers(0, 2, (30, 2, 2)).astype(np.int16)),
    unique("swapped", np.array([[1, 2], [2, 1], [1, 2]], np.int32), why="the order within a row counts"),
    unique("empty_rows", np.zeros((5, 0), np.float32), why="they are all equal"),
    unique("no_rows", np.zeros((0, 3), np.int32)),
    dict(case("scalar", {}, [np.int32(1)], []), error="invalid_plan"),
    dict(case("f64", {}, [np.zeros(3, np.float64)], []), error="invalid_plan"),
    dict(case("f16", {}, [np.zeros(3, np.float16)], []), error="invalid_plan"),
]
write("Unique", CASES)

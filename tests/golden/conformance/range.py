# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, write
import tensorflow as tf


def inputs(dtype, start, limit, delta):
    return [constant(np.array(v, dtype)) for v in (start, limit, delta)]


def span(name, dtype, start, limit, delta, why=""):
    y = tf.raw_ops.Range(start=tf.constant(start, dtype),
                         limit=tf.constant(limit, dtype),
                         delta=tf.constant(delta, dtype)).numpy()
    return case(name, {}, inputs(dtype, start, limit, delta), [y], why)


def bad(name, values):
    return dict(case(name, {}, values, []), error="invalid_plan")


F, I, L = np.float32, np.int32, np.int64
CASES = [
    span("count", I, 0, 10, 1),
    span("step", I, 3, 18, 3),
    span("step_over", I, 3, 19, 4),
    span("down", I, 10, 0, -3),
    span("empty", I, 5, 5, 1),
    span("empty_down", I, 5, 5, -1),
    span("one", I, 0, 1, 100),
    span("negative", I, -7, -1, 2),
    span("i64", L, 2**40, 2**40 + 9, 4),
    span("i64_whole", L, -2**62, 2**62, 2**60),
    span("i32_whole", I, -2**31, 2**31 - 1, 2**28),
    span("lowest_delta", I, 5, -2**31, -2**31),
    span("f32", F, 0, 1, 0.25),
    span("f32_tenths", F, 0, 10, 0.1, why="rounding accumulates"),
    span("f32_long", F, 0.5, 300, 0.3),
    span("f32_down", F, 1, -1, -0.3),
    span("f32_empty", F, 2, 2, 0.5),
    span("f32_above", F, 0, 0.95, 0.1),
    bad("zero_delta", inputs(I, 0, 5, 0)),
    bad("wrong_way", inputs(I, 0, 5, -1)),
    bad("wrong_way_down", inputs(I, 5, 0, 1)),
    bad("nan", inputs(F, 0, 5, np.nan)),
    bad("nan_limit", inputs(F, 0, np.nan, 1)),
    bad("infinite", inputs(F, 0, np.inf, 1)),
    bad("too_many", inputs(L, -2**62, 2**62, 1)),
    bad("fed", [np.int32(0), np.int32(5), np.int32(1)]),
    bad("two_dtypes",
        [constant(np.int32(0)), constant(np.int64(5)),
         constant(np.int32(1))]),
    bad("vector", [constant(np.zeros(1, np.int32)),
                   constant(np.int32(5)),
                   constant(np.int32(1))]),
    bad("u8", inputs(np.uint8, 0, 5, 1)),
]
write("Range", CASES)

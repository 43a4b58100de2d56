#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, constant, normal, np, output_range, rng, write
import tensorflow as tf
from windows import activate


def fully_connected(name, in_shape, outputs, why="", bias=True, bounds=None, fed=False,
                    change=None):
    r = rng(len(name) + sum(in_shape) + outputs)
    x = normal(r, *in_shape)
    w = normal(r, outputs, in_shape[-1])
    b = normal(r, outputs)
    if change:
        change(x)
    rows = x.reshape(int(np.prod(in_shape[:-1])), in_shape[-1])
    y = tf.matmul(rows, w, transpose_b=True).numpy().reshape(*in_shape[:-1], outputs)
    if bias:
        y = y + b
    attrs = {} if bounds is None else {"range": output_range(*bounds)}
    inputs = [x, w if fed else constant(w)] + ([constant(b)] if bias else [])
    return case(name, attrs, inputs, [activate(y, bounds)], why)


def put_nan(x):
    x[1, 3] = np.nan


write("FullyConnected", [
    fully_connected("row", (1, 64), 130, "matrix x vector: several panels at once"),
    fully_connected("row_small", (1, 7), 3, "less than one panel"),
    fully_connected("row_16", (1, 33), 16, "exactly one panel"),
    fully_connected("row_24", (1, 20), 24, "a panel and a half panel"),
    fully_connected("row_25", (1, 20), 25, "two panels, one partial"),
    fully_connected("rows_2", (2, 30), 80),
    fully_connected("rows_3", (3, 17), 41),
    fully_connected("rows_4", (4, 9), 8),
    fully_connected("rows_5", (5, 16), 12, bounds=(0, np.inf)),
    fully_connected("rows_7", (7, 21), 19, "a tile and a row"),
    fully_connected("rows_100", (100, 12), 10, "more rows than a block"),
    fully_connected("rank_1", (19,), 6),
    fully_connected("rank_3", (2, 5, 8), 9, bounds=(0, 6)),
    fully_connected("rank_4", (2, 1, 3, 10), 4, bias=False),
    fully_connected("fed_filter", (6, 13), 37, fed=True),
    fully_connected("fed_filter_row", (1, 50), 50, fed=True, bias=False),
    fully_connected("depth_1", (3, 1), 20, "outer product"),
    fully_connected("one_output", (5, 40), 1, "a dot product per row"),
    fully_connected("long_sums", (2, 2000), 4),
    fully_connected("nan", (3, 8), 9, change=put_nan, bounds=(0, 6)),
    fully_connected("depth_0", (2, 0), 3, "empty sums are the bias"),
    fully_connected("rows_0", (0, 4), 3),
    fully_connected("outputs_0", (2, 4), 0),
    case("refuse_depth", {}, [np.zeros((2, 5), np.float32), constant(np.zeros((3, 4), np.float32))],
         [], "5 and 4", error="invalid_plan"),
    case("refuse_scalar", {}, [np.zeros((), np.float32), constant(np.zeros((3, 1), np.float32))],
         [], "rank 0", error="invalid_plan"),
])

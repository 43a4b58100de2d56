#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, constant, normal, np, rng, write
import tensorflow as tf


def matmul(name, a_shape, b_shape, why="", transpose_a=False, transpose_b=False, known=False,
           integer=False, change=None):
    """Shapes of the operands as they are stored, before any transposition."""
    r = rng(len(name) + sum(a_shape) + sum(b_shape))
    if integer:
        a, b = (r.integers(-2**31, 2**31, s).astype(np.int32) for s in (a_shape, b_shape))
    else:
        a, b = normal(r, *a_shape), normal(r, *b_shape)
    if change:
        change(a, b)
    y = tf.raw_ops.BatchMatMulV2(x=a, y=b, adj_x=transpose_a, adj_y=transpose_b).numpy()
    attrs = {}
    if transpose_a:
        attrs["transpose_a"] = True
    if transpose_b:
        attrs["transpose_b"] = True
    return case(name, attrs, [a, constant(b) if known else b], [y], why)


def put_nan(a, b):
    a[0, 1, 2] = np.nan


def put_infinity(a, b):
    b[0, 1, 2] = np.inf


write("BatchMatMul", [
    matmul("plain", (5, 7), (7, 9)),
    matmul("plain_known", (5, 7), (7, 9), "b packed once", known=True),
    matmul("transpose_a", (7, 5), (7, 9), transpose_a=True),
    matmul("transpose_b", (5, 7), (9, 7), transpose_b=True),
    matmul("transpose_both", (7, 5), (9, 7), transpose_a=True, transpose_b=True),
    matmul("transpose_b_known", (2, 5, 7), (2, 9, 7), transpose_b=True, known=True),
    matmul("batch", (3, 6, 8), (3, 8, 10)),
    matmul("attention_scores", (2, 3, 10, 16), (2, 3, 10, 16), "q x k^T", transpose_b=True),
    matmul("attention_values", (2, 3, 10, 10), (2, 3, 10, 16)),
    matmul("one_row", (4, 1, 12), (4, 12, 70), "matrix x vector, several panels"),
    matmul("one_row_transposed", (4, 1, 12), (4, 70, 12), transpose_b=True),
    matmul("one_column", (2, 30, 5), (2, 5, 1)),
    matmul("wide", (3, 4), (4, 150), "more columns than are packed at a time"),
    matmul("tall", (230, 5), (5, 3), "more rows than a block"),
    matmul("tall_transpose_a", (5, 120), (5, 18), "more rows than are copied at a time",
           transpose_a=True),
    matmul("depth_1", (2, 6, 1), (2, 1, 5), "outer products"),
    matmul("long_sums", (2, 1500), (1500, 3)),
    matmul("broadcast_a", (1, 4, 6), (3, 6, 5)),
    matmul("broadcast_b", (3, 4, 6), (1, 6, 5), known=True),
    matmul("broadcast_rank", (2, 3, 4, 6), (6, 5), "b has no batch"),
    matmul("broadcast_both", (2, 1, 4, 6), (1, 3, 6, 5)),
    matmul("broadcast_both_known", (2, 1, 4, 6), (3, 6, 5), known=True),
    matmul("broadcast_a_rank", (4, 6), (2, 2, 6, 5)),
    matmul("nan", (1, 3, 4), (1, 4, 5), change=put_nan),
    matmul("infinity", (1, 3, 4), (1, 4, 5), change=put_infinity),
    matmul("integer", (2, 5, 6), (2, 6, 7), "products wrap", integer=True),
    matmul("integer_transpose_a", (6, 5), (6, 7), transpose_a=True, integer=True),
    matmul("integer_transpose_b", (5, 6), (7, 6), transpose_b=True, integer=True, known=True),
    matmul("integer_broadcast", (2, 1, 3, 4), (3, 4, 2), integer=True),
    matmul("batch_0", (0, 3, 4), (0, 4, 5)),
    matmul("broadcast_to_0", (0, 3, 4), (1, 4, 5), "1 against 0"),
    matmul("rows_0", (2, 0, 4), (2, 4, 5)),
    matmul("columns_0", (2, 3, 4), (2, 4, 0)),
    matmul("depth_0", (2, 3, 0), (2, 0, 5), "empty sums are 0"),
    matmul("integer_depth_0", (2, 3, 0), (2, 0, 5), integer=True),
    case("refuse_depth", {}, [np.zeros((2, 3), np.float32), np.zeros((4, 5), np.float32)], [],
         error="invalid_plan"),
    case("refuse_batch", {}, [np.zeros((2, 2, 3), np.float32), np.zeros((3, 3, 5), np.float32)], [],
         error="invalid_plan"),
    case("refuse_dtypes", {}, [np.zeros((2, 3), np.float32), np.zeros((3, 5), np.int32)], [],
         error="invalid_plan"),
    case("refuse_vector", {}, [np.zeros((3,), np.float32), np.zeros((3, 5), np.float32)], [],
         error="invalid_plan"),
])

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def gather(name, params, indices, axis=0, batch_dims=0, dtype=np.int32, why="", known=False):
    indices = np.array(indices, dtype)
    values = getattr(params, "array", params)
    expected = tf.gather(values, indices, axis=axis, batch_dims=batch_dims).numpy()
    inputs = [params, constant(indices) if known else indices]
    return case(name, {"axis": axis, "batch_dims": batch_dims}, inputs, [expected], why)


def refused(name, params, indices, error, **attrs):
    return dict(case(name, attrs, [params, indices], []), error=error)


def i32(*values):
    return np.array(values, np.int32)


CASES = [
    gather("embedding", numbered([10, 4]), [[3, 0, 9], [9, 9, 1]], why="rows, one of them thrice"),
    gather("vector", numbered([7]), [6, 0, 3]),
    gather("scalar_index", numbered([5, 3]), 2, why="the dimension disappears"),
    gather("axis_1", numbered([2, 5, 3]), [4, 0], axis=1),
    gather("last_axis", numbered([2, 3, 5]), [4, 4, 0, 1], axis=2),
    gather("matrix_of_indices", numbered([2, 5, 3]), [[4, 0], [1, 2]], axis=1),
    gather("batch", numbered([2, 5, 3]), [[4, 0], [1, 1]], axis=1, batch_dims=1),
    gather("batch_outer", numbered([2, 3, 5, 2]), [[4, 0, 2], [1, 1, 3]], axis=2, batch_dims=1),
    gather("batch_all", numbered([2, 3, 5]), [[4, 0, 2], [1, 1, 3]], axis=2, batch_dims=2,
           why="one index per row"),
    gather("i64", numbered([6, 2]), [5, 1], dtype=np.int64),
    gather("no_indices", numbered([5, 3]), np.zeros([0])),
    gather("empty_rows", numbered([5, 0]), [1, 4]),
    gather("pairs", numbered([9, 2]), [8, 3, 3], why="rows of eight bytes"),
    gather("special_values", special([6]), [5, 4, 3, 2, 1, 0]),
] + [gather(f"dtype_{name_of(d)}", numbered([4, 3], d), [3, 1]) for d in ALL_DTYPES]
# Indices, or both inputs, that are known when the plan is made.
KNOWN = [
    ("embedding", [10, 4], [[3, 0, 9], [9, 9, 1]], 0, 0),
    ("vector", [7], [6, 0, 3, 2, 2], 0, 0),
    ("scalar_index", [5, 3], 2, 0, 0),
    ("element", [5], 2, 0, 0),
    ("axis_1", [2, 5, 3], [4, 0], 1, 0),
    ("last_axis", [2, 3, 5], [4, 4, 0, 1, 2], 2, 0),
    ("last_axis_scalar", [2, 3, 5], 4, 2, 0),
    ("matrix_of_indices", [2, 5, 2, 7], [[4, 0], [1, 2]], 1, 0),
    ("batch", [2, 5, 3], [[4, 0], [1, 1]], 1, 1),
    ("batch_outer", [2, 3, 5, 2], [[4, 0, 2], [1, 1, 3]], 2, 1),
    ("batch_scalar", [2, 6, 5], [4, 1], 2, 1),
    ("batch_last", [2, 3, 5], [[4, 0, 2, 1, 0], [1, 1, 3, 0, 4]], 2, 1),
    ("batch_all", [2, 3, 5], [[4, 0, 2], [1, 1, 3]], 2, 2),
    ("no_indices", [5, 3], np.zeros([0]), 0, 0),
]
CASES += [
    gather(f"known_{name}", numbered(shape), i, axis, batch_dims, known=True)
    for name, shape, i, axis, batch_dims in KNOWN
]
CASES += [
    gather("known_i64", numbered([6, 2]), [5, 1], dtype=np.int64, known=True),
    gather("known_special_values", special([6]), [5, 4, 3, 2, 1, 0], known=True),
    gather("known_table", constant(numbered([6, 5])), [5, 1, 1], known=True),
    gather("known_table_i64", constant(numbered([6, 5])), [[5], [1]], dtype=np.int64, known=True),
] + [gather(f"known_dtype_{name_of(d)}", numbered([4, 3], d), [3, 1], known=True) for d in ALL_DTYPES
    ] + [gather("known_table_u8", constant(numbered([4, 3], np.uint8)), [3, 1], known=True)]
CASES += [
    refused("above", numbered([4, 2]), i32(1, 4), "bad_index"),
    refused("negative", numbered([4, 2]), i32(-1), "bad_index"),
    refused("far_i64", numbered([4, 2]), np.array([2**40 + 1]), "bad_index"),
    refused("known_above", numbered([4, 2]), constant(i32(1, 4)), "bad_index"),
    refused("known_negative_i64", numbered([4, 2]), constant(np.array([-1])), "bad_index"),
    refused("into_nothing", numbered([0, 2]), i32(0), "bad_index"),
    refused("float_indices", numbered([4, 2]), numbered([1]), "invalid_plan"),
    refused("axis_too_high", numbered([4, 2]), i32(0), "invalid_plan", axis=2),
    refused("batch_differs", numbered([4, 2]), i32(0), "invalid_plan", axis=1, batch_dims=1),
    refused("batch_above_axis", numbered([4, 2]), i32(0), "invalid_plan", axis=0, batch_dims=1),
]
write("Gather", CASES)

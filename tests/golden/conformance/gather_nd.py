# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def gather_nd(name, params, indices, batch_dims=0, dtype=np.int32, why=""):
    indices = np.array(indices, dtype)
    expected = tf.gather_nd(params, indices, batch_dims=batch_dims).numpy()
    return case(name, {"batch_dims": batch_dims}, [params, indices], [expected], why)


def refused(name, params, indices, error, batch_dims=0):
    return dict(case(name, {"batch_dims": batch_dims}, [params, np.array(indices)], []),
                error=error)


CASES = [
    gather_nd("elements", numbered([3, 4]), [[0, 1], [2, 3], [0, 0]]),
    gather_nd("rows", numbered([3, 4]), [[2], [0]]),
    gather_nd("matrices", numbered([3, 2, 4]), [[[2], [0]], [[1], [1]]]),
    gather_nd("one_row", numbered([3, 4]), [1], why="indices of rank 1: one position"),
    gather_nd("full_depth", numbered([2, 3, 4]), [[1, 2, 3], [0, 0, 1]]),
    gather_nd("batch", numbered([2, 3, 4]), [[[2], [0]], [[1], [1]]], batch_dims=1),
    gather_nd("batch_full", numbered([2, 3, 4]), [[[2, 3]], [[0, 1]]], batch_dims=1),
    gather_nd("batch_2", numbered([2, 2, 3]), [[[2], [0]], [[1], [1]]], batch_dims=2),
    gather_nd("i64", numbered([3, 4]), [[2, 0]], dtype=np.int64),
    gather_nd("depth_0", numbered([2, 3]), np.zeros([2, 0]), why="the whole input, twice"),
    gather_nd("no_indices", numbered([3, 4]), np.zeros([0, 2])),
    gather_nd("special_values", special([6]), [[5], [0], [3]]),
] + [gather_nd(f"dtype_{name_of(d)}", numbered([4, 3], d), [[3, 1], [0, 2]]) for d in ALL_DTYPES]
CASES += [
    refused("above", numbered([4, 2]), [[1, 2]], "bad_index"),
    refused("negative", numbered([4, 2]), [[-1]], "bad_index"),
    refused("into_nothing", numbered([0, 2]), [[0]], "bad_index"),
    refused("too_deep", numbered([4, 2]), [[1, 1, 1]], "invalid_plan"),
    refused("float_indices", numbered([4, 2]), [[0.0]], "invalid_plan"),
    refused("scalar_index", numbered([4, 2]), 0, "invalid_plan"),
    refused("batch_differs", numbered([4, 2]), [[[0]]], "invalid_plan", batch_dims=1),
]
write("GatherNd", CASES)

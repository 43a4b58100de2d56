# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def concat(name, inputs, axis, why=""):
    return case(name, {"axis": axis}, inputs, [tf.concat(inputs, axis).numpy()], why)


def row(axis, extents, shape, dtype=np.float32):
    """Inputs of `shape`, except for their extents along `axis`."""
    return [numbered([e if i == axis else d for i, d in enumerate(shape)], dtype) + dtype(k)
            for k, e in enumerate(extents)]


CASES = [
    concat("channels", row(3, [3, 5], [1, 4, 4, 0]), 3, why="inception block"),
    concat("wide_channels", row(3, [8, 4, 12], [2, 3, 1, 0]), 3, why="multiples of four"),
    concat("narrow_channels", row(2, [5, 1, 1, 7, 4, 3], [2, 3, 0]), 2, why="several parts in four elements"),
    concat("batch", row(0, [1, 2, 3], [0, 3, 5]), 0, why="inputs are contiguous"),
    concat("middle", row(1, [2, 1, 4], [3, 0, 5]), 1),
    concat("single", row(1, [4], [3, 0]), 1),
    concat("with_empty", row(1, [2, 0, 3], [3, 0, 2]), 1),
    concat("all_empty", row(1, [0, 0], [3, 0, 2]), 1),
    concat("empty_elsewhere", row(1, [2, 3], [0, 0, 2]), 1),
    concat("vector", row(0, [1, 2, 3, 1], [0]), 0),
    concat("one_column_each", row(1, [1] * 9, [6, 0]), 1),
    concat("outer_ones", row(1, [2, 3], [1, 0, 4]), 1, why="contiguous although axis is 1"),
    concat("rank_8", row(4, [1, 2], [1, 2, 1, 2, 0, 2, 1, 2]), 4),
    concat("special_values", [special([2, 3]), special([2, 2])], 1),
] + [concat(f"dtype_{name_of(d)}", [numbered([2, 3, 2], d), numbered([2, 1, 2], d)], 1)
     for d in ALL_DTYPES]
CASES += [
    dict(case("axis_too_high", {"axis": 2}, row(0, [1, 1], [0, 3]), []), error="invalid_plan"),
    dict(case("shapes_differ", {"axis": 0}, [numbered([2, 3]), numbered([2, 4])], []),
         error="invalid_plan"),
    dict(case("ranks_differ", {"axis": 0}, [numbered([2, 3]), numbered([2])], []),
         error="invalid_plan"),
    dict(case("dtypes_differ", {"axis": 0}, [numbered([2]), numbered([2], np.int32)], []),
         error="invalid_plan"),
]
write("Concat", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered
import tensorflow as tf


def reverse(name, x, lengths, sequence_axis, batch_axis, dtype=np.int32, why=""):
    lengths = np.array(lengths, dtype)
    expected = tf.reverse_sequence(x, lengths, sequence_axis, batch_axis).numpy()
    attrs = {"sequence_axis": sequence_axis, "batch_axis": batch_axis}
    return case(name, attrs, [x, lengths], [expected], why)


def failing(name, error, x, lengths, sequence_axis=1, batch_axis=0):
    attrs = {"sequence_axis": sequence_axis, "batch_axis": batch_axis}
    return case(name, attrs, [x, np.array(lengths)], [], error=error)


X = numbered([3, 5, 2])
CASES = [
    reverse("batch_first", X, [5, 0, 3], 1, 0),
    reverse("time_first", X, [3, 1, 2, 0, 3], 0, 1),
    reverse("last_axis", numbered([2, 3, 4]), [4, 2], 2, 0),
    reverse("rank_2", numbered([3, 4]), [4, 2, 1], 1, 0),
    reverse("rank_2_time_first", numbered([3, 4]), [3, 2, 1, 0], 0, 1),
    reverse("between", numbered([2, 3, 2, 4, 2]), [4, 2, 3], 3, 1),
    reverse("between_swapped", numbered([2, 3, 2, 4, 2]), [3, 1, 2, 0], 1, 3),
    reverse("i64", X, [2, 4, 1], 1, 0, np.int64),
    reverse("all_zero", X, [0, 0, 0], 1, 0),
    reverse("one_step", numbered([2, 1, 3]), [1, 0], 1, 0),
    reverse("no_sequences", numbered([0, 4, 2]), [], 1, 0),
    reverse("no_steps", numbered([2, 0, 3]), [0, 0], 1, 0),
    reverse("no_rows", numbered([2, 3, 0]), [1, 3], 1, 0),
    reverse("long", numbered([2, 400, 3]), [399, 201], 1, 0),
] + [reverse(f"dtype_{name_of(d)}", numbered([2, 4], d), [3, 4], 1, 0) for d in ALL_DTYPES]
CASES += [
    failing("too_long", "bad_index", X, [6, 0, 0]),
    failing("negative", "bad_index", X, [0, -1, 0]),
    failing("same_axes", "invalid_plan", X, [1, 1, 1], 0, 0),
    failing("no_such_axis", "invalid_plan", X, [1, 1, 1], 3, 0),
    failing("lengths_do_not_fit", "invalid_plan", X, [1, 1]),
    failing("float_lengths", "invalid_plan", X, [1.0, 1.0, 1.0]),
]
write("ReverseSequence", CASES)

# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def transpose(name, x, perm, why=""):
    return case(name, {"perm": perm}, [x], [tf.transpose(x, perm).numpy()], why)


CASES = [
    transpose("matrix", numbered([5, 7]), [1, 0]),
    transpose("tiles", numbered([16, 32]), [1, 0], why="whole 4x4 tiles"),
    transpose("tile_edges", numbered([19, 37]), [1, 0], why="a rest on both sides"),
    transpose("nhwc_to_nchw", numbered([2, 5, 6, 3]), [0, 3, 1, 2]),
    transpose("nchw_to_nhwc", numbered([2, 3, 5, 6]), [0, 2, 3, 1]),
    transpose("heads", numbered([2, 7, 3, 8]), [0, 2, 1, 3], why="rows stay whole"),
    transpose("identity", numbered([3, 4, 5]), [0, 1, 2]),
    transpose("ones", numbered([1, 6, 1, 5]), [2, 1, 3, 0], why="nothing moves"),
    transpose("scalar", np.float32(2), []),
    transpose("vector", numbered([9]), [0]),
    transpose("empty", numbered([3, 0, 2]), [2, 0, 1]),
    transpose("reverse_rank_5", numbered([2, 3, 4, 5, 6]), [4, 3, 2, 1, 0]),
    transpose("rank_8", numbered([2, 1, 3, 2, 2, 1, 2, 3]), [7, 0, 6, 1, 5, 2, 4, 3]),
    transpose("special_values", special([4, 6]), [1, 0]),
    transpose("threads", numbered([290, 230], np.int8), [1, 0], why="several threads share it"),
] + [transpose(f"dtype_{name_of(d)}", numbered([9, 3, 17], d), [0, 2, 1]) for d in ALL_DTYPES] + [
    transpose("rank_4_" + "".join(map(str, p)), numbered([2, 3, 5, 4], np.uint8), list(p))
    for p in itertools.permutations(range(4))]
CASES += [
    dict(case("repeated_axis", {"perm": [0, 0]}, [numbered([2, 3])], []), error="invalid_plan"),
    dict(case("axis_too_high", {"perm": [0, 2]}, [numbered([2, 3])], []), error="invalid_plan"),
    dict(case("wrong_rank", {"perm": [0]}, [numbered([2, 3])], []), error="invalid_plan"),
]
write("Transpose", CASES)

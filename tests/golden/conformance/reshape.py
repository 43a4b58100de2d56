# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def reshape(name, x, shape, why=""):
    return case(name, {"shape": shape}, [x], [tf.reshape(x, shape).numpy()], why)


CASES = [
    reshape("flatten", numbered([2, 3, 4]), [2, 12]),
    reshape("split", numbered([6, 4]), [2, 3, 2, 2]),
    reshape("to_scalar", numbered([1, 1]), []),
    reshape("from_scalar", np.float32(5), [1, 1, 1]),
    reshape("same", numbered([3, 5]), [3, 5]),
    reshape("empty", numbered([0, 3]), [5, 0, 7]),
    reshape("rank_8", numbered([16]), [1, 2, 1, 2, 1, 2, 1, 2]),
    reshape("special_values", special([2, 6]), [3, 4], why="bits stay"),
] + [reshape(f"dtype_{name_of(d)}", numbered([4, 3], d), [3, 4]) for d in ALL_DTYPES]
CASES += [
    dict(case("count_differs", {"shape": [5]}, [numbered([6])], []), error="invalid_plan"),
    dict(case("overflow", {"shape": [2**32, 2**32]}, [numbered([6])], []), error="invalid_plan"),
    dict(case("minus_one", {"shape": [-1]}, [numbered([6])], []), error="invalid_plan"),
]
write("Reshape", CASES)

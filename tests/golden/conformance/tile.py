# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def tile(name, x, multiples, why=""):
    # TensorFlow has no kernel for u16: tiles the bits as another type.
    same_size = x.view(np.int16) if x.dtype == np.uint16 else x
    expected = tf.tile(same_size, np.array(multiples, np.int32)).numpy().view(x.dtype)
    return case(name, {"multiples": multiples}, [x], [expected], why)


CASES = [
    tile("rows", numbered([2, 3]), [3, 1]),
    tile("columns", numbered([2, 3]), [1, 3]),
    tile("wide", numbered([2, 8]), [3, 2]),
    tile("both", numbered([2, 3]), [2, 4]),
    tile("once", numbered([2, 3]), [1, 1]),
    tile("never", numbered([2, 3]), [0, 2]),
    tile("empty", numbered([0, 3]), [2, 2]),
    tile("scalar", np.float32(1.5), []),
    tile("column_vector", numbered([4, 1]), [1, 5], why="each element repeated"),
    tile("one_element", numbered([1, 1, 1]), [2, 3, 4]),
    tile("image", numbered([1, 3, 4, 2]), [1, 2, 2, 1]),
    tile("rank_8", numbered([1, 2, 1, 2, 1, 2, 1, 1]), [2, 1, 1, 2, 2, 1, 2, 2]),
    tile("special_values", special([3]), [3]),
] + [tile(f"dtype_{name_of(d)}", numbered([2, 3, 1], d), [2, 1, 3]) for d in ALL_DTYPES]
CASES += [
    dict(case("wrong_rank", {"multiples": [2]}, [numbered([2, 3])], []), error="invalid_plan"),
    dict(case("negative", {"multiples": [-2]}, [numbered([2])], []), error="invalid_plan"),
    dict(case("too_large", {"multiples": [2**62]}, [numbered([2])], []), error="invalid_plan"),
    dict(case("too_large_in_all", {"multiples": [2**40, 2**40]}, [numbered([2, 1])], []),
         error="invalid_plan"),
]
write("Tile", CASES)

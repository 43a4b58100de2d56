# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def broadcast_to(name, x, shape, why=""):
    return case(name, {"shape": shape}, [x], [tf.broadcast_to(x, shape).numpy()], why)


CASES = [
    broadcast_to("row", numbered([4]), [3, 4]),
    broadcast_to("column", numbered([3, 1]), [3, 4]),
    broadcast_to("scalar", np.float32(2.5), [2, 3]),
    broadcast_to("scalar_to_scalar", np.float32(2.5), []),
    broadcast_to("same", numbered([2, 3]), [2, 3]),
    broadcast_to("outer_and_inner", numbered([1, 3, 1]), [2, 3, 4]),
    broadcast_to("middle", numbered([2, 1, 3]), [2, 4, 3]),
    broadcast_to("new_dims", numbered([2, 1]), [3, 2, 2, 5]),
    broadcast_to("alternating", numbered([2, 1, 3, 1, 2]), [2, 4, 3, 5, 2]),
    broadcast_to("to_nothing", numbered([1, 3]), [0, 3]),
    broadcast_to("from_nothing", numbered([0, 1]), [2, 0, 3]),
    broadcast_to("rank_8", numbered([2, 1, 3, 1]), [1, 2, 1, 2, 2, 2, 3, 2]),
    broadcast_to("special_values", special([6, 1]), [6, 2]),
] + [broadcast_to(f"dtype_{name_of(d)}", numbered([3, 1], d), [2, 3, 5]) for d in ALL_DTYPES]
CASES += [dict(case(name, {"shape": shape}, [numbered([2, 3])], []), error="invalid_plan")
          for name, shape in {"fewer_dims": [3], "dim_differs": [4, 3], "shrinks": [1, 3],
                              "negative": [-2, 3]}.items()]
write("BroadcastTo", CASES)

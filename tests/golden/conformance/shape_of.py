# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
import tensorflow as tf


def shape_of(name, x, dtype=np.int32):
    shape = tf.shape(x, out_type=tf.as_dtype(dtype)).numpy()
    return case(name, {"dtype": 3 if dtype == np.int32 else 4}, [x], [shape])


CASES = [
    shape_of("matrix", np.zeros((3, 5), np.float32)),
    shape_of("vector", np.zeros(7, np.int64)),
    shape_of("scalar", np.float32(1)),
    shape_of("empty", np.zeros((2, 0, 3), np.float32)),
    shape_of("rank_8", np.zeros((1, 2, 1, 3, 1, 1, 2, 1), np.uint8)),
    shape_of("wide", np.zeros((4, 2), np.float32), np.int64),
    shape_of("bools", np.zeros((4, 2), bool), np.int64),
    dict(case("floats", {"dtype": 1}, [np.zeros(3, np.float32)], []), error="invalid_plan"),
]
write("ShapeOf", CASES)

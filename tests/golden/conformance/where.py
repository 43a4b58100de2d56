# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
import tensorflow as tf


def where(name, x, why=""):
    """TensorFlow's positions, padded to one row per element, and their count."""
    x = np.asarray(x)
    found = tf.where(x).numpy()
    positions = np.zeros((x.size, x.ndim), np.int64)
    positions[:len(found)] = found
    return case(name, {}, [x], [positions, np.int32(len(found))], why)


SPARSE = rng(3).random((4, 5, 6)) < 0.3
CASES = [
    where("vector", np.array([True, False, True, True])),
    where("matrix", rng(1).random((7, 9)) < 0.5),
    where("rank_3", SPARSE),
    where("rank_8", rng(2).random((2, 1, 2, 1, 2, 1, 2, 1)) < 0.5),
    where("none", np.zeros((3, 4), bool)),
    where("all", np.ones((3, 4), bool)),
    where("empty", np.zeros((0, 3), bool)),
    where("floats", np.array([0.0, -0.0, 1.0, np.nan, -2.5, np.inf], np.float32), why="NaN is not zero, -0 is"),
    where("i32", rng(4).integers(-1, 2, (5, 5)).astype(np.int32)),
    where("i64", rng(5).integers(-1, 2, 20).astype(np.int64)),
    where("u8", rng(6).integers(0, 2, 20).astype(np.uint8)),
    where("i16", rng(7).integers(-1, 2, 20).astype(np.int16)),
    dict(case("scalar", {}, [np.array(True)], []), error="invalid_plan"),
    dict(case("f64", {}, [np.zeros(3, np.float64)], []), error="invalid_plan"),
]
write("Where", CASES)

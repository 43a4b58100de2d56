# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
import tensorflow as tf


def one_hot(name, indices, depth, axis=-1, on=np.float32(1), off=np.float32(0), why=""):
    y = tf.one_hot(indices, depth, on, off, axis).numpy()
    place = axis if axis >= 0 else np.ndim(indices)
    return case(name, {"depth": depth, "axis": place}, [indices, on, off], [y], why)


I = np.array([0, 2, 1, 3], np.int32)
GRID = np.array([[0, 4, 2], [1, 1, 3]], np.int64)
F0, F1 = np.float32(0), np.float32(1)
CASES = [
    one_hot("classes", I, 4),
    one_hot("first_axis", I, 4, 0),
    one_hot("i64", I.astype(np.int64), 5),
    one_hot("u8", I.astype(np.uint8), 3),
    one_hot("grid", GRID, 5),
    one_hot("grid_middle", GRID, 5, 1),
    one_hot("grid_first", GRID, 5, 0),
    one_hot("i32_grid", GRID.astype(np.int32), 5),
    one_hot("i32_grid_middle", GRID.astype(np.int32), 5, 1),
    one_hot("i32_grid_first", GRID.astype(np.int32), 5, 0),
    one_hot("i32_box", np.arange(30, dtype=np.int32).reshape(2, 3, 5) % 4, 3, 1, why="rows of five"),
    one_hot("scalar", np.int32(2), 4),
    one_hot("out_of_range",
            np.array([-1, 0, 7, 2**31 - 1, -2**31], np.int32),
            3,
            why="selects nothing"),
    one_hot("far_out_of_range",
            np.array([2**32, -2**63, 2**63 - 1, 1]),
            3,
            why="no wrap to 32 bits"),
    one_hot("values", I, 4, -1, np.float32(2.5), np.float32(-1)),
    one_hot("ints", I, 4, -1, np.int32(7), np.int32(-7)),
    one_hot("longs", I, 4, -1, np.int64(2**40), np.int64(-1)),
    one_hot("bytes", I, 4, -1, np.uint8(200), np.uint8(3)),
    one_hot("bools", I, 4, -1, np.bool_(True), np.bool_(False)),
    one_hot("halves", I, 4, 0, np.float16(1), np.float16(0)),
    one_hot("depth_0", I, 0),
    one_hot("no_indices", np.zeros((0, 2), np.int32), 3),
    one_hot("depth_1", I, 1),
    dict(case("negative_depth", {
        "depth": -1,
        "axis": 1
    }, [I, F1, F0], []), error="invalid_plan"),
    dict(case("axis_too_large", {
        "depth": 3,
        "axis": 2
    }, [I, F1, F0], []), error="invalid_plan"),
    dict(case("negative_axis", {
        "depth": 3,
        "axis": -1
    }, [I, F1, F0], []), error="invalid_plan"),
    dict(case("two_dtypes", {
        "depth": 3,
        "axis": 1
    }, [I, F1, np.int32(0)], []),
         error="invalid_plan"),
    dict(case("vector_value", {
        "depth": 3,
        "axis": 1
    }, [I, np.ones(2, np.float32), F0], []),
         error="invalid_plan"),
    dict(case("float_indices", {
        "depth": 3,
        "axis": 1
    }, [I.astype(np.float32), F1, F0], []),
         error="invalid_plan"),
    dict(case("huge_depth", {
        "depth": 2**62,
        "axis": 1
    }, [I, F1, F0], []), error="invalid_plan"),
    dict(case("rank_9", {
        "depth": 2,
        "axis": 0
    }, [np.zeros((1,) * 8, np.int32), F1, F0], []),
         error="invalid_plan"),
]
write("OneHot", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
from elementwise_inputs import INTS, integers, name_of, spread
import tensorflow as tf

ENUM = {np.int32: 3, np.int64: 4}


def arg(name, x, axis, least=False, to=np.int64, why=""):
    f = tf.argmin if least else tf.argmax
    y = f(tf.constant(x), axis=axis, output_type=to).numpy()
    return case(name, {"min": least, "axis": axis, "dtype": ENUM[to]}, [x], [y], why)


NAN, INF = np.nan, np.inf
SPECIAL = np.array(
    [[NAN, 1, 2], [1, NAN, 0], [2, 3, NAN], [NAN, NAN, NAN], [-INF, -INF, -INF], [INF, 1, INF],
     [-INF, NAN, -INF], [NAN, -INF, NAN], [-3.4028235e38, -INF, -1e38], [-INF, -3.4028235e38, NAN]],
    np.float32)
TIES = rng(1).integers(0, 3, (4, 5, 6)).astype(np.float32)
CASES = []
for least in (False, True):
    tag = "min" if least else "max"
    special = -SPECIAL if least else SPECIAL
    for axis in range(3):
        CASES.append(arg(f"{tag}_axis_{axis}", spread(4, 5, 6), axis, least, np.int32))
        CASES.append(arg(f"{tag}_ties_axis_{axis}", TIES, axis, least, why="first one wins"))
    CASES.append(arg(f"{tag}_special_rows", special, 1, least, why="NaN is passed over"))
    CASES.append(arg(f"{tag}_special_columns", special.T.copy(), 0, least,
                     why="NaN is passed over"))
    for dtype in INTS:
        CASES.append(arg(f"{tag}_{name_of(dtype)}_rows", integers(dtype, 5, 19), 1, least))
        CASES.append(arg(f"{tag}_{name_of(dtype)}_columns", integers(dtype, 5, 19), 0, least))
    CASES.append(arg(f"{tag}_long_row", spread(2, 1003), 1, least))
    CASES.append(arg(f"{tag}_wide", spread(3, 701), 0, least))
    CASES.append(arg(f"{tag}_late_tie", np.zeros((1, 600), np.float32), 1, least))
    CASES.append(arg(f"{tag}_vector", spread(37), 0, least))
    CASES.append(arg(f"{tag}_bool", rng(2).random((4, 5)) < 0.5, 1, least))
    # The same with positions in i32, as devices without i64 have them.
    i32 = [
        ("ties_axis_1", TIES, 1),
        ("ties_axis_2", TIES, 2),
        ("special_rows", special, 1),
        ("special_columns", special.T.copy(), 0),
        ("i32_rows", integers(np.int32, 5, 19), 1),
        ("i32_columns", integers(np.int32, 5, 19), 0),
        ("u8_rows", integers(np.uint8, 5, 19), 1),
        ("long_row", spread(2, 1003), 1),
        ("tall", spread(301, 7), 0),
        ("late_tie", np.zeros((1, 600), np.float32), 1),
        ("ties_tall", rng(5).integers(0, 3, (90, 5)).astype(np.float32), 0),
        ("vector", spread(37), 0),
        ("bool", rng(2).random((4, 5)) < 0.5, 1),
    ]
    CASES += [arg(f"{tag}_{name}_to_i32", x, axis, least, np.int32) for name, x, axis in i32]
CASES += [
    arg("one_element", spread(3, 1), 1),
    arg("no_outputs", spread(0, 3), 1),
    arg("rank_6", spread(1, 2, 3, 2, 1, 2), 2),
    dict(case("empty_axis", {
        "axis": 1,
        "dtype": 4
    }, [spread(3, 0)], []), error="invalid_plan"),
    dict(case("axis_too_large", {
        "axis": 2,
        "dtype": 4
    }, [spread(3, 2)], []), error="invalid_plan"),
    dict(case("negative_axis", {
        "axis": -1,
        "dtype": 4
    }, [spread(3, 2)], []), error="invalid_plan"),
    dict(case("float_positions", {
        "axis": 0,
        "dtype": 1
    }, [spread(3, 2)], []), error="invalid_plan"),
]
write("ArgReduce", CASES)

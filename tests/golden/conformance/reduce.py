# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, normal, rng, write
from elementwise_inputs import integers, name_of, spread
import tensorflow as tf

FUNCTIONS = {
    "Sum": tf.reduce_sum,
    "Mean": tf.reduce_mean,
    "Max": tf.reduce_max,
    "Min": tf.reduce_min,
    "Prod": tf.reduce_prod,
    "All": tf.reduce_all,
    "Any": tf.reduce_any
}


def reduce(name, kind, x, axes, keep_dims=False, why="", tolerance=None):
    # Cases about accuracy compute the reference in float64.
    exact = tf.constant(x, tf.float64) if tolerance else tf.constant(x)
    y = FUNCTIONS[kind](exact, axis=list(axes), keepdims=keep_dims).numpy().astype(x.dtype)
    return case(name, {
        "kind": kind,
        "axes": list(axes),
        "keep_dims": keep_dims
    }, [x], [y], why, tolerance)


X = spread(2, 3, 4, 5)
CASES = []
for kind in ("Sum", "Mean", "Max", "Min", "Prod"):
    for axes in ((0,), (1,), (3,), (1, 2), (0, 3), (2, 3), (0, 2), (1, 3), (0, 1, 2, 3), ()):
        name = "_".join(map(str, axes)) or "none"
        CASES.append(reduce(f"{kind.lower()}_axes_{name}", kind, X, axes, keep_dims=len(axes) == 2))
MIXED = np.array([[1, 2, np.nan], [np.inf, 1, 2], [-np.inf, 0, 5], [np.nan, np.inf, -np.inf]],
                 np.float32)
ALIKE = np.array([[-np.inf, -np.inf], [np.inf, np.inf], [np.nan, np.nan]], np.float32)
for kind in ("Sum", "Max", "Min"):
    CASES.append(reduce(f"{kind.lower()}_special_rows", kind, MIXED, [1], why="NaN wins"))
    CASES.append(reduce(f"{kind.lower()}_special_columns", kind, MIXED, [0], why="NaN wins"))
    CASES.append(reduce(f"{kind.lower()}_alike", kind, ALIKE, [1]))
WIDE = spread(1, 40)
WIDE[0, 37] = np.nan
CASES += [
    reduce(f"{k.lower()}_nan_in_wide_row", k, WIDE, [1], why="NaN in the tail of a vector loop")
    for k in ("Max", "Min")
]
for kind in ("Sum", "Mean", "Max", "Min", "Prod"):
    CASES.append(
        reduce(f"{kind.lower()}_of_nothing", kind, spread(3, 0), [1], why="neutral element"))
    CASES.append(
        reduce(f"{kind.lower()}_of_no_rows", kind, spread(0, 3), [0], why="neutral element"))
    CASES.append(reduce(f"{kind.lower()}_no_outputs", kind, spread(0, 3), [1]))
    CASES.append(reduce(f"{kind.lower()}_scalar", kind, np.float32(2.5), []))
for dtype in (np.int32, np.int64):
    for kind in ("Sum", "Prod", "Max", "Min", "Mean"):
        # Sums wrap around; TensorFlow's mean of such a sum is not specified.
        x = rng(3).integers(-9, 10,
                            (3, 5,
                             7)).astype(dtype) if kind == "Mean" else integers(dtype, 3, 5, 7)
        for axes in ((0,), (2,), (0, 2), (1,)):
            CASES.append(
                reduce(f"{kind.lower()}_{name_of(dtype)}_{''.join(map(str, axes))}", kind, x, axes))
        if kind != "Mean":
            CASES.append(reduce(f"{kind.lower()}_{name_of(dtype)}_of_nothing", kind, x[:, :0], [1]))
for dtype in (np.uint8, np.int8):
    for kind in ("Max", "Min"):
        x = integers(dtype, 3, 5, 7)
        CASES += [
            reduce(f"{kind.lower()}_{name_of(dtype)}_{axis}", kind, x, [axis]) for axis in range(3)
        ]
        CASES.append(reduce(f"{kind.lower()}_{name_of(dtype)}_of_nothing", kind, x[:0], [0]))
BOOLS = rng(4).random((4, 3, 5)) < 0.7
for kind in ("All", "Any"):
    x = BOOLS if kind == "All" else ~BOOLS
    for axes in ((0,), (1,), (2,), (0, 2), (0, 1, 2), ()):
        CASES.append(reduce(f"{kind.lower()}_{''.join(map(str, axes)) or 'none'}", kind, x, axes))
    CASES.append(reduce(f"{kind.lower()}_of_nothing", kind, x[:, :0], [1]))
CASES += [
    reduce("global_average_pooling", "Mean", spread(2, 7, 7, 33), [1, 2], keep_dims=True),
    reduce("rank_8", "Sum", spread(2, 1, 2, 3, 1, 2, 2, 2), [0, 2, 4, 6]),
    reduce("many_columns", "Sum", spread(3, 517), [0], why="more columns than one block"),
    reduce("long_row", "Sum", spread(2, 4099, low=-1.0), [1], tolerance=1e-6),
    reduce("many_rows", "Mean", spread(1031, 3, low=0.0), [0], tolerance=1e-6),
    reduce("offset_mean", "Mean", normal(rng(5), 3, 2001) + np.float32(1000), [1], tolerance=1e-6),
    reduce("planes_and_rows", "Sum", spread(5, 2, 6, 9), [0, 2], why="positions in two dimensions"),
    reduce("planes_and_columns", "Sum", spread(7, 2, 21), [0, 2], why="positions in two dimensions"),
    reduce("planes_and_columns_max", "Max", spread(7, 2, 21), [0, 2]),
    reduce("planes_and_columns_i32", "Sum", integers(np.int32, 7, 2, 21), [0, 2]),
    reduce("even_rows", "Sum", spread(3, 6, 8), [1, 2]),
    reduce("even_image", "Mean", spread(1, 9, 11, 4), [1, 2, 3], keep_dims=True),
    reduce("odd_image", "Mean", spread(1, 9, 11, 3), [1, 2, 3], keep_dims=True),
    reduce("turns_of_columns", "Sum", spread(2, 2, 2, 2, 2, 2, 2, 5), [0, 2, 4, 6]),
    reduce("turns_of_rows", "Sum", spread(2, 2, 2, 2, 2, 2, 2, 5), [1, 3, 5, 7]),
    reduce("turns_of_pairs", "Sum", spread(2, 2, 2, 2, 2, 2, 2, 5), [0, 2, 4, 6, 7],
           why="the last two dimensions and every other one"),
    reduce("inner_of_one", "Sum", spread(3, 4, 1), [2]),
    reduce("ones", "Sum", spread(1, 1, 1), [0, 2]),
    dict(case("axis_too_large", {
        "kind": "Sum",
        "axes": [2]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("axes_repeat", {
        "kind": "Sum",
        "axes": [1, 1]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("axes_fall", {
        "kind": "Sum",
        "axes": [1, 0]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("negative_axis", {
        "kind": "Sum",
        "axes": [-1]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("many_axes", {
        "kind": "Sum",
        "axes": list(range(20))
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("no_kind", {
        "kind": "Invalid",
        "axes": [0]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("all_of_float", {
        "kind": "All",
        "axes": [0]
    }, [spread(2, 3)], []),
         error="invalid_plan"),
    dict(case("sum_of_bool", {
        "kind": "Sum",
        "axes": [0]
    }, [BOOLS], []), error="invalid_plan"),
]
write("Reduce", CASES)

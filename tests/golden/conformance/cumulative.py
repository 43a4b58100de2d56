# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, normal, rng, write
import tensorflow as tf

FUNCTIONS = {
    "Sum": tf.raw_ops.Cumsum,
    "Product": tf.raw_ops.Cumprod,
    "LogSumExp": tf.raw_ops.CumulativeLogsumexp,
}


def cumulative(name, kind, x, axis=0, why="", exclusive=False, reverse=False):
    expected = FUNCTIONS[kind](x=x, axis=axis, exclusive=exclusive, reverse=reverse).numpy()
    attrs = {"kind": kind, "axis": axis, "exclusive": exclusive, "reverse": reverse}
    return case(name, attrs, [x], [expected], why)


def refused(name, kind, x, axis=0):
    return case(name, {"kind": kind, "axis": axis}, [x], [], error="invalid_plan")


G = rng(31)
X = normal(G, 3, 5, 4)
BIG = np.array([2**30, 2**30, 2**30, -7, 3], np.int32)
CASES = []
for kind in FUNCTIONS:
    low = kind.lower()
    for axis in range(3):
        CASES.append(cumulative(f"{low}_axis_{axis}", kind, X, axis))
    for exclusive, reverse in ((True, False), (False, True), (True, True)):
        CASES.append(
            cumulative(f"{low}_{'exclusive' * exclusive}{'_' * (exclusive and reverse)}"
                       f"{'reverse' * reverse}", kind, X, 1, exclusive=exclusive, reverse=reverse))
    CASES += [
        cumulative(f"{low}_one_element", kind, normal(G, 2, 1), 1, exclusive=True),
        cumulative(f"{low}_empty_axis", kind, normal(G, 2, 0), 1),
        cumulative(f"{low}_empty_others", kind, normal(G, 0, 3), 1),
        cumulative(f"{low}_long", kind, (normal(G, 300) * 0.1 + 1).astype(np.float32)),
        cumulative(f"{low}_wide", kind, normal(G, 4, 130), 0, why="more columns than one block"),
        cumulative(f"{low}_infinities", kind,
                   np.array([[1, np.inf, 2], [3, -np.inf, 4], [5, 6, -np.inf], [-np.inf, -np.inf, 1]], np.float32), 1),
    ]
CASES += [
    cumulative("sum_i32", "Sum", np.arange(12, dtype=np.int32).reshape(3, 4) - 5, 1),
    cumulative("sum_i64", "Sum", np.arange(12, dtype=np.int64).reshape(3, 4) << 33, 0, reverse=True),
    cumulative("sum_i32_wraps", "Sum", BIG),
    cumulative("product_i32_wraps", "Product", BIG),
    cumulative("product_i64", "Product", np.array([3, -2, 5, 0, 7], np.int64), exclusive=True),
    cumulative("rank_8", "Sum", normal(G, 1, 2, 1, 2, 1, 2, 1, 2), 5),
    refused("no_axis", "Sum", X, 3),
    refused("scalar", "Sum", np.float32(1)),
    refused("no_kind", "Invalid", X),
    refused("bools", "Sum", np.array([True, False])),
    refused("integer_logarithms", "LogSumExp", np.array([1, 2], np.int32)),
]
write("Cumulative", CASES)

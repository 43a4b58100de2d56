# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, normal, rng, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered
import tensorflow as tf

raw = tf.raw_ops
FUNCTIONS = {
    "Update": raw.TensorScatterUpdate,
    "Add": raw.TensorScatterAdd,
    "Sub": raw.TensorScatterSub,
    "Max": raw.TensorScatterMax,
    "Min": raw.TensorScatterMin,
}
G = rng(32)
BASE = normal(G, 4, 3, 5)


def scatter(name, kind, base, indices, updates, why="", dtype=np.int32):
    indices = np.array(indices, dtype)
    expected = FUNCTIONS[kind](tensor=base, indices=indices, updates=updates).numpy()
    return case(name, {"kind": kind}, [base, indices, updates], [expected], why)


def failing(name, error, base, indices, updates, **attrs):
    return case(name, {"kind": "Add", **attrs}, [base, np.array(indices), updates], [], error=error)


CASES = []
for kind in FUNCTIONS:
    low = kind.lower()
    CASES += [
        scatter(f"{low}_rows", kind, BASE, [[2], [0]], normal(G, 2, 3, 5)),
        scatter(f"{low}_twice", kind, BASE, [[1], [3], [1], [1]], normal(G, 4, 3, 5),
                why="in order: a row named more than once"),
        scatter(f"{low}_two_deep", kind, BASE, [[2, 1], [0, 0], [2, 1]], normal(G, 3, 5)),
        scatter(f"{low}_elements", kind, BASE, [[3, 2, 4], [0, 0, 0]], normal(G, 2)),
        scatter(f"{low}_index_matrix", kind, BASE, [[[0], [1]], [[2], [2]]], normal(G, 2, 2, 3, 5)),
        scatter(f"{low}_i64", kind, numbered([4, 3], np.int64), [[1], [1]],
                np.array([[1, -2, 3], [4, 5, -6]], np.int64), dtype=np.int64),
        scatter(f"{low}_i32", kind, numbered([4], np.int32), [[1], [3]], np.array([7, -2], np.int32)),
        scatter(f"{low}_nothing", kind, BASE, np.zeros([0, 1]), normal(G, 0, 3, 5)),
    ]
CASES += [scatter(f"update_dtype_{name_of(d)}", "Update", numbered([4, 3], d), [[2], [0]],
                  numbered([2, 3], d) * d(3)) for d in ALL_DTYPES]
big = np.array([2**31 - 1, 5], np.int32)
nan = np.array([np.nan, 1, np.inf, 0], np.float32)
CASES += [
    case("mul", {"kind": "Mul"}, [BASE[0], np.array([[2], [0], [2]], np.int32), BASE[1]],
         [np.stack([BASE[0, 0] * BASE[1, 1], BASE[0, 1], BASE[0, 2] * BASE[1, 0] * BASE[1, 2]])]),
    case("mul_wraps", {"kind": "Mul"}, [big, np.array([[0], [0]], np.int32), big],
         [np.array([5, 5], np.int32)], why="(2^31 - 1)^2 is 1 modulo 2^32"),
    scatter("add_wraps", "Add", big, [[0]], np.array([1], np.int32)),
    case("max_of_nan", {"kind": "Max"}, [nan, np.array([[0], [1], [2]], np.int32),
                                         np.array([1, np.nan, 2], np.float32)],
         [np.array([np.nan, np.nan, np.inf, 0], np.float32)]),
    scatter("long_rows", "Add", normal(G, 3, 3000), [[1], [1], [0]], normal(G, 3, 3000),
            why="threads share the columns"),
    case("depth_0", {"kind": "Add"}, [BASE[0, 0], np.zeros([2, 0], np.int32), BASE[0, 1:]],
         [BASE[0, 0] + BASE[0, 1] + BASE[0, 2]], why="each row is the whole tensor"),
    case("skip_negative", {"kind": "Add", "skip_negative": True},
         [np.zeros([3, 2], np.float32), np.array([[1], [-1], [2], [-7]], np.int32), BASE[0, :2, :4].T],
         [np.stack([np.zeros(2, np.float32), BASE[0, :2, 0], BASE[0, :2, 2]])]),
    failing("above", "bad_index", BASE[0], [[3]], BASE[1, :1]),
    failing("negative", "bad_index", BASE[0], [[-1]], BASE[1, :1]),
    failing("skips_only_negative", "bad_index", BASE[0], [[3]], BASE[1, :1], skip_negative=True),
    failing("into_nothing", "bad_index", np.zeros([0, 5], np.float32), [[0]], BASE[1, :1]),
    failing("too_deep", "invalid_plan", BASE[0], [[0, 0, 0]], BASE[0, 0, :1]),
    failing("float_indices", "invalid_plan", BASE[0], [[0.5]], BASE[1, :1]),
    failing("wrong_updates", "invalid_plan", BASE[0], [[0]], BASE[1]),
    failing("two_dtypes", "invalid_plan", BASE[0], [[0]], np.zeros([1, 5], np.int32)),
    failing("sum_of_bools", "invalid_plan", np.zeros([2], bool), [[0]], np.ones([1], bool)),
    failing("no_kind", "invalid_plan", BASE[0], [[0]], BASE[1, :1], kind="Invalid"),
]
write("Scatter", CASES)

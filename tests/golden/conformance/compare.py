# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
from elementwise_inputs import INTS, name_of, spread
import tensorflow as tf

FUNCTIONS = {
    "Equal": np.equal,
    "NotEqual": np.not_equal,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal
}
KINDS = {
    "Equal": tf.equal,
    "NotEqual": tf.not_equal,
    "Less": tf.less,
    "LessEqual": tf.less_equal,
    "Greater": tf.greater,
    "GreaterEqual": tf.greater_equal
}
SPECIAL = np.array([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf], np.float32)


def compare(name, kind, a, b, why=""):
    try:
        y = KINDS[kind](tf.constant(a), tf.constant(b)).numpy()
    # TensorFlow has no kernel for some narrow dtypes and for five dimensions that cannot be merged.
    except (tf.errors.NotFoundError, tf.errors.UnimplementedError):
        y = FUNCTIONS[kind](a, b)
    return case(name, {"kind": kind}, [a, b], [y], why)


CASES = []
for kind in KINDS:
    CASES.append(compare(f"{kind.lower()}_special", kind, SPECIAL[:, None], SPECIAL[None, :]))
    for dtype in (np.float32, np.float16) + INTS:
        a = rng(1).integers(0, 4, (3, 11)).astype(dtype)
        b = rng(2).integers(0, 4, (3, 11)).astype(dtype)
        if np.dtype(dtype).kind != "u":
            a, b = a - dtype(2), b - dtype(2)
        CASES.append(compare(f"{kind.lower()}_{name_of(dtype)}", kind, a, b))
bools = np.array([[True], [False]])
CASES += [
    compare("equal_bool", "Equal", bools, bools.T),
    compare("notequal_bool", "NotEqual", bools, bools.T),
    compare("large_i64", "Less", np.array([2**40, -2**40, 2**62]), np.array([2**40 + 1, 2**40,
                                                                             -1])),
    compare("large_u16", "Less", np.array([40000, 1], np.uint16), np.array([2, 65535], np.uint16)),
    compare("broadcast_scalar", "Greater", spread(4, 9), np.float32(0.0)),
    compare("broadcast_outer", "Less", spread(5, 1), spread(1, 6, seed=1)),
    compare("broadcast_rank_6", "Less", spread(2, 1, 3, 1, 2, 1), spread(1, 2, 1, 3, 1, 2, seed=1)),
    compare("long_row", "Less", spread(2, 701), spread(701, seed=1)),
    compare("empty", "Less", spread(0, 3), spread(3)),
    compare("scalars", "Less", np.float32(1), np.float32(2)),
    dict(case("bool_order", {"kind": "Less"}, [bools, bools], []), error="invalid_plan"),
    dict(case("two_dtypes", {"kind": "Less"}, [spread(2), np.zeros(2, np.int32)], []),
         error="invalid_plan"),
    dict(case("no_broadcast", {"kind": "Less"}, [spread(2, 3), spread(2)], []),
         error="invalid_plan"),
]
write("Compare", CASES)

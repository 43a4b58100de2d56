# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from elementwise_inputs import EDGES, INTS, integers, name_of, spread
import tensorflow as tf

FUNCTIONS = {
    "Abs": tf.abs,
    "Neg": tf.negative,
    "Sign": tf.sign,
    "Square": tf.square,
    "Sqrt": tf.sqrt,
    "Rsqrt": tf.math.rsqrt,
    "Reciprocal": tf.math.reciprocal,
    "Exp": tf.exp,
    "Expm1": tf.math.expm1,
    "Log": tf.math.log,
    "Log1p": tf.math.log1p,
    "Sin": tf.sin,
    "Cos": tf.cos,
    "Tan": tf.tan,
    "Tanh": tf.tanh,
    "Sigmoid": tf.sigmoid,
    "Erf": tf.math.erf,
    "GeluErf": lambda x: tf.nn.gelu(x, approximate=False),
    "GeluTanh": lambda x: tf.nn.gelu(x, approximate=True),
    "Swish": tf.nn.silu,
    "HardSwish": lambda x: x * tf.nn.relu6(x + 3.0) / 6.0,
    "HardSigmoid": lambda x: tf.clip_by_value(x / 6.0 + 0.5, 0.0, 1.0),
    "Elu": tf.nn.elu,
    "Selu": tf.nn.selu,
    "Softplus": tf.nn.softplus,
    "Softsign": tf.nn.softsign,
    "Floor": tf.floor,
    "Ceil": tf.math.ceil,
    "Round": tf.round,
    "Asin": tf.asin,
    "Acos": tf.acos,
    "Atan": tf.atan,
    "Sinh": tf.sinh,
    "Cosh": tf.cosh,
    "Asinh": tf.asinh,
    "Acosh": tf.acosh,
    "Atanh": tf.atanh,
    "Lgamma": tf.math.lgamma,
    "Digamma": tf.math.digamma,
    "Erfc": tf.math.erfc,
    "Erfinv": tf.math.erfinv,
    "IsNan": tf.math.is_nan,
    "IsInf": tf.math.is_inf,
    "IsFinite": tf.math.is_finite,
}
POSITIVE = {"Sqrt", "Rsqrt", "Log", "Log1p"}
# Where the function oscillates or grows, one huge value would hide errors of all others.
TAME = {"Exp": 3.0, "Expm1": 3.0, "Sin": 60.0, "Cos": 60.0, "Tan": 1.4, "Square": 6.0, "Asin": 1.0, "Acos": 1.0, "Atanh": 0.99,
        "Erfinv": 0.99, "Sinh": 4.0, "Cosh": 4.0}
# Edge values at which TensorFlow's result depends only on its approximation.
LEAVE_OUT = {"Sin": 1e4, "Cos": 1e4, "Tan": 1e4}


def unary(name, kind, x, why="", tolerance=None, **attrs):
    y = FUNCTIONS[kind](tf.constant(x)).numpy()
    return case(name, {"kind": kind, **attrs}, [x], [y], why, tolerance)


CASES = []
for kind in FUNCTIONS:
    limit = TAME.get(kind, 8.0)
    x = spread(2, 3, 7, low=0.01 if kind in POSITIVE else -limit, high=limit)
    CASES.append(unary(f"{kind.lower()}", kind, x, why="an odd number of elements"))
    edges = EDGES
    if kind in LEAVE_OUT:
        edges = EDGES[~(np.abs(EDGES) > LEAVE_OUT[kind]) | ~np.isfinite(EDGES)]
    # In separate cases, because the tolerance is relative to the largest element.
    with np.errstate(all="ignore"):
        y = FUNCTIONS[kind](tf.constant(edges)).numpy()
    for part, chosen in (("small", np.abs(edges) <= 10.0), ("large", ~(np.abs(edges) <= 10.0))):
        CASES.append(
            case(f"{kind.lower()}_{part}_edges", {"kind": kind}, [edges[chosen]], [y[chosen]]))
CASES += [
    case("leaky_relu", {
        "kind": "LeakyRelu",
        "alpha": 0.1
    }, [spread(3, 5)], [tf.nn.leaky_relu(spread(3, 5), 0.1).numpy()]),
    case("leaky_relu_steep", {
        "kind": "LeakyRelu",
        "alpha": 1.5
    }, [EDGES], [tf.nn.leaky_relu(EDGES, 1.5).numpy()],
         why="alpha > 1: not max(x, alpha x)"),
    unary("scalar", "Tanh", np.float32(0.25)),
    unary("empty", "Exp", spread(0, 4)),
    unary("rank_8", "Abs", spread(1, 2, 1, 2, 1, 2, 1, 2)),
    unary("tiny_arguments", "Tanh", np.array([1e-10, -1e-6, 1e-4, 1e-3], np.float32)),
    unary("tiny_log1p", "Log1p", np.array([1e-10, -1e-6, 1e-4, -1e-3], np.float32)),
    unary("tiny_expm1", "Expm1", np.array([1e-10, -1e-6, 1e-4, -1e-3], np.float32)),
    case("logical_not", {"kind": "LogicalNot"}, [np.array([[True, False, True]])],
         [np.array([[False, True, False]])]),
]
for dtype in INTS:
    x = integers(dtype, 3, 7)
    signed = np.iinfo(dtype).min < 0
    for kind, f in (("Abs", np.abs), ("Neg", np.negative), ("Sign", np.sign), ("Square",
                                                                               np.square),
                    ("BitwiseNot", np.invert)):
        # numpy wraps as TensorFlow does, which lacks kernels for some of these dtypes.
        CASES.append(case(f"{kind.lower()}_{name_of(dtype)}", {"kind": kind}, [x], [f(x)]))
CASES += [
    dict(case("no_kind", {"kind": "Invalid"}, [spread(2)], []), error="invalid_plan"),
    dict(case("exp_of_integers", {"kind": "Exp"}, [np.zeros(2, np.int32)], []),
         error="invalid_plan"),
    dict(case("bits_of_float", {"kind": "BitwiseNot"}, [spread(2)], []), error="invalid_plan"),
    dict(case("not_of_float", {"kind": "LogicalNot"}, [spread(2)], []), error="invalid_plan"),
]
write("Unary", CASES)

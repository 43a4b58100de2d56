# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, output_range, write
from elementwise_inputs import EDGES, INTS, integers, name_of, spread
import tensorflow as tf

raw = tf.raw_ops
FUNCTIONS = {
    "Add": raw.AddV2,
    "Sub": raw.Sub,
    "Mul": raw.Mul,
    "Div": raw.RealDiv,
    "FloorDiv": raw.FloorDiv,
    "FloorMod": raw.FloorMod,
    "TruncateMod": raw.TruncateMod,
    "DivNoNan": raw.DivNoNan,
    "Maximum": raw.Maximum,
    "Minimum": raw.Minimum,
    "Pow": raw.Pow,
    "SquaredDifference": raw.SquaredDifference,
    "Atan2": lambda x, y: raw.Atan2(y=x, x=y),
}
BITWISE = {
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
    "LeftShift": "left_shift",
    "RightShift": "right_shift"
}
INTEGER = {
    "Add": raw.AddV2,
    "Sub": raw.Sub,
    "Mul": raw.Mul,
    "Div": raw.Div,
    "FloorDiv": raw.FloorDiv,
    "FloorMod": raw.FloorMod,
    "TruncateDiv": raw.TruncateDiv,
    "TruncateMod": raw.TruncateMod,
    "Maximum": raw.Maximum,
    "Minimum": raw.Minimum,
    "SquaredDifference": raw.SquaredDifference
}


def binary(name, kind, a, b, why="", functions=FUNCTIONS, known=False, **attrs):
    y = functions[kind](x=tf.constant(a), y=tf.constant(b)).numpy()
    return case(name, {"kind": kind, **attrs}, [a, constant(b) if known else b], [y], why)


CASES = []
for kind in FUNCTIONS:
    positive = kind == "Pow"
    a = spread(3, 7, low=0.1 if positive else -5.0, high=5.0, seed=1)
    b = spread(3, 7, low=-3.0, high=3.0, seed=2)
    CASES.append(binary(kind.lower(), kind, a, b))

# Signs and special values; each finite magnitude in its own case, so that none hides errors of another.
SIGNS = np.array([5.5, -5.5, 3.0, -3.0, 0.0, 7.25, -0.5], np.float32)
for kind in ("FloorDiv", "FloorMod", "TruncateMod", "Div", "DivNoNan"):
    CASES.append(
        binary(f"{kind.lower()}_signs",
               kind,
               SIGNS[:, None],
               SIGNS[None, :],
               why="signs of both sides, division by zero"))
CASES.append(
    case("truncatediv_signs", {"kind": "TruncateDiv"}, [SIGNS[:, None], SIGNS[None, :4]],
         [np.trunc(SIGNS[:, None] / SIGNS[None, :4])]))
FEW = np.array([1.0, -2.0, 0.0, np.inf, -np.inf, np.nan], np.float32)
for kind in ("Maximum", "Minimum", "Add", "Mul", "Pow", "Atan2"):
    CASES.append(
        binary(f"{kind.lower()}_special", kind, FEW[:, None], FEW[None, :], why="NaN, infinities"))

# Broadcasting: every way in which two shapes meet.
SHAPES = [
    ("scalar_right", (2, 3, 5), ()),
    ("scalar_left", (), (4, 3)),
    ("both_scalar", (), ()),
    ("channels", (2, 3, 4, 5), (5,)),
    ("channels_left", (5,), (2, 3, 4, 5)),
    ("short_channels", (2, 9, 11, 3), (3,)),
    ("rows", (4, 6), (4, 1)),
    ("rows_left", (4, 1), (4, 6)),
    ("outer", (7, 1), (1, 9)),
    ("outer_swapped", (1, 9), (7, 1)),
    ("middle", (2, 3, 4), (2, 1, 4)),
    ("ends", (2, 1, 4), (1, 3, 1)),
    ("batch", (3, 4, 5), (1, 4, 5)),
    ("one_channel", (2, 3, 3, 1), (2, 3, 3, 3)),
    ("rank_6", (2, 1, 3, 1, 2, 1), (1, 2, 1, 3, 1, 2)),
    ("rank_8", (2, 1, 2, 1, 2, 1, 2, 1), (1, 2, 1, 2, 1, 2, 1, 2)),
    ("ones", (1, 1, 1), (1,)),
    ("long_row", (2, 700), (700,)),
    ("long_row_scalar", (2, 1030), (2, 1)),
    ("empty", (0, 3), (3,)),
    ("empty_from_one", (2, 0), (2, 1)),
    ("higher_rank_of_ones", (3,), (1, 1, 1)),
]
for name, a, b in SHAPES:
    x, y = spread(*a, seed=3), spread(*b, seed=4)
    try:
        CASES.append(binary(f"broadcast_{name}", "Sub", x, y))
    except tf.errors.UnimplementedError:  # five dimensions and more that do not merge
        CASES.append(case(f"broadcast_{name}", {"kind": "Sub"}, [x, y], [x - y]))

for dtype in INTS:
    a, b = integers(dtype, 4, 9, seed=5), integers(dtype, 4, 9, seed=6)
    b[b == 0] = 3
    small = (b % 7 + 1).astype(dtype)
    if np.iinfo(dtype).min < 0:
        small[1] *= -1
    for kind in INTEGER:
        divides = "Div" in kind or "Mod" in kind
        x, y = a.copy(), small if divides else b
        if divides:
            x.reshape(-1)[0] = np.iinfo(dtype).min
            x, y = x[1:], y[1:]  # the smallest number / -1 has its own case: TensorFlow traps
            x = np.where(x == np.iinfo(dtype).min, x + 1, x)
        try:
            CASES.append(binary(f"{kind.lower()}_{name_of(dtype)}", kind, x, y, functions=INTEGER))
        except (tf.errors.OpError, TypeError) as error:
            print(f"no TensorFlow kernel: {kind} {name_of(dtype)}: {str(error)[:60]}")
# Operands that are known when the plan is made, and so need no check when it runs.
for dtype in (np.int32, np.int64, np.uint8):
    x, y = integers(dtype, 4, 9, seed=5), np.array([1, 2, 3, 7, 9, 64, 100, 101, 127]).astype(dtype)
    if np.iinfo(dtype).min < 0:
        y[::2] *= -1
    for kind in INTEGER:
        if dtype == np.uint8 and kind == "TruncateMod":  # no TensorFlow kernel
            continue
        if "Div" in kind or "Mod" in kind:
            CASES.append(
                binary(f"{kind.lower()}_known_{name_of(dtype)}", kind, x, y, functions=INTEGER, known=True))
    powers = np.array([[1, 0, 3, 2, 5, 1, 2, 3, 4]]).astype(dtype)
    CASES.append(
        case(f"pow_known_{name_of(dtype)}", {"kind": "Pow"}, [x % 5, constant(powers)], [(x % 5)**powers]))
for dtype in INTS:
    a, b = integers(dtype, 4, 9, seed=9), integers(dtype, 4, 9, seed=10)
    places = (np.abs(b.astype(np.int64)) % (np.iinfo(dtype).bits)).astype(dtype)
    for kind, y in (("BitwiseAnd", b), ("BitwiseOr", b), ("BitwiseXor", b), ("LeftShift", places),
                    ("RightShift", places)):
        CASES.append(
            case(f"{kind.lower()}_{name_of(dtype)}", {"kind": kind}, [a, y],
                 [getattr(tf.bitwise, BITWISE[kind])(a, y).numpy()]))
for dtype in (np.int32, np.int64):
    x, y = np.array([5, -5, 1, -1], dtype), np.array([[-1], [0], [200]], dtype)
    for kind in ("LeftShift", "RightShift"):
        CASES.append(
            case(f"{kind.lower()}_limits_{name_of(dtype)}", {"kind": kind}, [x, y],
                 [getattr(tf.bitwise, BITWISE[kind])(x, y).numpy()],
                 why="negative counts and ones beyond the last bit"))
for dtype in (np.int32, np.int64):
    low = np.iinfo(dtype).min
    CASES.append(
        binary(f"pow_{name_of(dtype)}",
               "Pow",
               np.array([[2], [-3], [0], [7]], dtype),
               np.array([0, 1, 2, 5, 40], dtype),
               why="wraps"))
    for kind, expected in (("Div", low), ("FloorDiv", low), ("FloorMod", 0), ("TruncateMod", 0)):
        CASES.append(
            case(f"{kind.lower()}_lowest_{name_of(dtype)}", {"kind": kind},
                 [np.array([low], dtype), np.array([-1], dtype)], [np.array([expected], dtype)],
                 why="wraps; would trap on x86"))

bools = np.array([[True], [False]])
CASES += [
    case("logicaland", {"kind": "LogicalAnd"}, [bools, bools[:, 0]],
         [np.logical_and(bools, bools[:, 0])]),
    case("logicalor", {"kind": "LogicalOr"}, [bools, bools[:, 0]],
         [np.logical_or(bools, bools[:, 0])]),
]
a, b = spread(3, 7, seed=7), spread(7, seed=8)
a[0, :3] = [np.nan, np.inf, -np.inf]
for name, low, high in (("relu", 0.0, np.inf), ("relu6", 0.0, 6.0), ("band", -1.0, 1.0),
                        ("below", -np.inf, 0.5)):
    y = tf.clip_by_value(a + b, low, high).numpy()
    y[np.isnan(a + b)] = np.nan
    CASES.append(
        case(f"range_{name}", {
            "kind": "Add",
            "range": output_range(low, high)
        }, [a, b], [y]))
CASES += [
    dict(case("zero_divisor", {"kind": "Div"},
              [np.array([4], np.int32), np.array([0], np.int32)], []),
         error="bad_index"),
    dict(case("zero_modulus_u8", {"kind": "FloorMod"},
              [np.array([4, 4], np.uint8), np.array([1, 0], np.uint8)], []),
         error="bad_index"),
    dict(case("known_zero_divisor", {"kind": "Div"},
              [np.array([4, 4], np.int32), constant(np.array([1, 0], np.int32))], []),
         error="bad_index"),
    dict(case("known_negative_power", {"kind": "Pow"},
              [np.array([4], np.int32), constant(np.array([-1], np.int32))], []),
         error="bad_index"),
    dict(case("negative_power", {"kind": "Pow"},
              [np.array([4], np.int64), np.array([-1], np.int64)], []),
         error="bad_index"),
    dict(case("no_broadcast", {"kind": "Add"}, [spread(2, 3), spread(2)], []),
         error="invalid_plan"),
    dict(case("two_dtypes", {"kind": "Add"}, [spread(2), np.zeros(2, np.int32)], []),
         error="invalid_plan"),
    dict(case("integer_range", {
        "kind": "Add",
        "range": output_range(0, 6)
    }, [np.zeros(2, np.int32)] * 2, []),
         error="invalid_plan"),
    dict(case("float_bits", {"kind": "BitwiseAnd"}, [spread(2), spread(2)], []),
         error="invalid_plan"),
    dict(case("bool_add", {"kind": "Add"}, [bools, bools], []), error="invalid_plan"),
    dict(case("float_and", {"kind": "LogicalAnd"}, [spread(2), spread(2)], []),
         error="invalid_plan"),
    dict(case("empty_range", {
        "kind": "Add",
        "range": output_range(2, 1)
    }, [spread(2), spread(2)], []),
         error="invalid_plan"),
]
write("Binary", CASES)

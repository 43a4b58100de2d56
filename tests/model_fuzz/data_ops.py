# SPDX-License-Identifier: Apache-2.0
"""Ops without effects: each function adds one to a scope and returns its value, or None if no available value fits."""
import numpy as np
import tensorflow as tf

from scope import LARGEST, random_array

NUMBERS = ["float32", "int32", "int64"]


def add_data_op(scope):
    value = scope.choices.pick(OPS)(scope)
    if value is not None and value.bound <= LARGEST and elements(value.shape) <= 64:
        scope.values.append(value)
    return value


def elements(shape):
    return int(np.prod([4 if isinstance(extent, str) else extent for extent in shape], dtype=np.int64))


def find_number(scope, **wanted):
    """An available value that is not bool."""
    fitting = [v for v in scope.values if v.dtype in NUMBERS and v.bound <= wanted.get("bound", LARGEST)
               and (v.exact or not wanted.get("exact")) and len(v.shape) >= wanted.get("rank", 0)]
    return scope.choices.pick(fitting[::-1]) if fitting else None


def unary(scope):
    x = find_number(scope)
    if x is None:
        return None
    op, bound = scope.choices.pick([("Neg", x.bound), ("Abs", x.bound), ("Square", x.bound ** 2), ("Sign", 1),
                                    ("Identity", x.bound), ("ZerosLike", 0), ("OnesLike", 1), ("Relu", x.bound)])
    if bound > LARGEST or op == "Relu" and x.dtype == "int64" or op == "Sign" and not x.exact:
        return None
    return scope.value(op, [x], x.dtype, x.shape, x.exact, bound)


def smooth(scope):
    """Functions that round: their results decide nothing."""
    x = scope.find("float32", bound=50)
    if x is None:
        return None
    op = scope.choices.pick(["Tanh", "Sigmoid", "Softplus", "Sin", "Cos", "Erf", "Elu", "Softmax", "LogSoftmax"])
    if op in ("Softmax", "LogSoftmax"):
        return scope.value(op, [x], x.dtype, x.shape, False, 60) if len(x.shape) >= 1 else None
    return scope.value(op, [x], x.dtype, x.shape, False, max(1, x.bound + 1))


def broadcast_partner(scope, x):
    """A second operand for an elementwise op of x: a value of x's shape, a scalar, or one extent."""
    shapes = [x.shape, (), x.shape[-1:], tuple(1 for _ in x.shape)]
    return scope.want(x.dtype, scope.choices.pick(shapes), exact=False)


def binary(scope):
    x = find_number(scope)
    y = x and broadcast_partner(scope, x)
    if y is None:
        return None
    op, bound = scope.choices.pick([("AddV2", x.bound + y.bound), ("Sub", x.bound + y.bound), ("Mul", x.bound * y.bound),
                                    ("Maximum", max(x.bound, y.bound)), ("Minimum", max(x.bound, y.bound)),
                                    ("Add", x.bound + y.bound), ("SquaredDifference", (x.bound + y.bound) ** 2)])
    if bound > LARGEST:
        return None
    if scope.choices.chance(30):
        return scope.value(op, [y, x], x.dtype, x.shape, x.exact and y.exact, bound)
    return scope.value(op, [x, y], x.dtype, x.shape, x.exact and y.exact, bound)


def divide(scope):
    x = find_number(scope, exact=True)
    if x is None:
        return None
    by = scope.number(scope.choices.pick([1, 2, 3, 5, -2, -3]), x.dtype)
    op = scope.choices.pick(["FloorMod", "FloorDiv"] + (["RealDiv"] if x.dtype == "float32" else []))
    return scope.value(op, [x, by], x.dtype, x.shape, op != "RealDiv", 5 if op == "FloorMod" else x.bound + 1)


def compare(scope):
    x = find_number(scope, exact=True)
    y = x and scope.want(x.dtype, scope.choices.pick([x.shape, ()]))
    op = scope.choices.pick(["Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"])
    return y and scope.value(op, [x, y], "bool", x.shape, True, 1)


def logical(scope):
    x = scope.find("bool")
    if x is None:
        return None
    op = scope.choices.pick(["LogicalNot", "LogicalAnd", "LogicalOr"])
    inputs = [x] if op == "LogicalNot" else [x, scope.want("bool", scope.choices.pick([x.shape, ()]))]
    return scope.value(op, inputs, "bool", x.shape, True, 1) if inputs[-1] else None


def select(scope):
    x = scope.find()
    y = x and scope.want(*x.type, exact=False)
    condition = y and scope.want("bool", scope.choices.pick([x.shape, ()]))
    return condition and scope.value("SelectV2", [condition, x, y], *x.type, x.exact and y.exact, max(x.bound, y.bound))


def cast(scope):
    x = scope.find(exact=True)
    dtype = scope.choices.pick(["float32", "int32", "int64", "bool"])
    return x and scope.value("Cast", [x], dtype, x.shape, True, x.bound, DstT=tf.as_dtype(dtype))


def constant(scope):
    shape = scope.choices.pick([(), (2,), (3,), (2, 3), (1, 3), (0,), (1,)])
    return scope.random_constant(scope.choices.pick(["float32", "int32", "bool", "int64"]), shape)


def odd_constant(scope):
    """A value of a type that few ops accept, or that plans do not have."""
    dtype = scope.choices.pick(["uint8", "int8", "int16", "uint16", "float16", "float64", "uint32", "uint64", "complex64",
                                "bfloat16"])
    return scope.constant(np.array([scope.choices.below(4) for _ in range(2)]).astype(tf.as_dtype(dtype).as_numpy_dtype))


def pass_through(scope):
    x = scope.find()
    if x is None:
        return None
    op = scope.choices.pick(["StopGradient", "PreventGradient", "Snapshot", "IdentityN", "EnsureShape",
                             "PlaceholderWithDefault", "CheckNumerics"])
    attributes = {}
    static = tf.TensorShape([None if isinstance(n, str) else n for n in x.shape])
    if op == "CheckNumerics":
        if x.dtype != "float32":
            return None
        attributes["message"] = "not finite"
    elif op in ("EnsureShape", "PlaceholderWithDefault"):
        attributes["shape"] = static
    if op == "PlaceholderWithDefault" and (scope.graph.name or scope.pivot):
        return None
    return scope.value(op, [x], *x.type, x.exact, x.bound, **attributes)


def folded(scope):
    """A chain of ops on constants only, which the converter folds."""
    shape = scope.choices.pick([(), (3,), (2, 3)])
    value = scope.random_constant(scope.choices.pick(["float32", "int32"]), shape)
    for _ in range(scope.choices.between(1, 3)):
        other = scope.random_constant(value.dtype, scope.choices.pick([shape, ()]))
        op = scope.choices.pick(["AddV2", "Mul", "Sub", "Maximum"])
        bound = value.bound * other.bound + value.bound + other.bound
        value = scope.value(op, [value, other], value.dtype, shape, True, bound)
    return value


def shape_of(scope):
    x = scope.find()
    if x is None:
        return None
    op = scope.choices.pick(["Shape", "Size", "Rank"])
    return scope.value(op, [x], "int32", (len(x.shape),) if op == "Shape" else (), True, 64)


def extent_of(scope):
    """One extent as a scalar, which may be the limit of a loop."""
    x = find_number(scope, rank=1)
    if x is None:
        return None
    shape = scope.value("Shape", [x], "int32", (len(x.shape),), True, 4)
    at = scope.choices.below(len(x.shape))
    ends = [scope.constant(np.array([n], np.int32)) for n in (at, at + 1, 1)]
    return scope.value("StridedSlice", [shape, *ends], "int32", (), True, 4, shrink_axis_mask=1)


def reduce(scope):
    op = scope.choices.pick(["Sum", "Max", "Min", "Mean", "Prod", "All", "Any"])
    x = scope.find("bool") if op in ("All", "Any") else find_number(scope, rank=1)
    if x is None or not x.shape or 0 in x.shape or op == "Mean" and x.dtype != "float32":
        return None
    axes = scope.choices.some(range(len(x.shape)), len(x.shape))
    keep = scope.choices.chance(40)
    shape = [1 if i in axes else n for i, n in enumerate(x.shape) if keep or i not in axes]
    count = elements(x.shape)
    bound = {"Sum": x.bound * count, "Prod": x.bound ** count}.get(op, x.bound)
    if bound > LARGEST:
        return None
    negative = [i - len(x.shape) if scope.choices.chance(20) else i for i in axes]
    return scope.value(op, [x, scope.constant(np.array(negative, np.int32))], x.dtype, shape, x.exact and op != "Mean",
                       bound, keep_dims=keep)


def arg_max(scope):
    x = find_number(scope, rank=1, exact=True)
    if x is None or 0 in x.shape:
        return None
    axis = scope.choices.below(len(x.shape))
    return scope.value(scope.choices.pick(["ArgMax", "ArgMin"]), [x, scope.number(axis, "int32")], "int64",
                       x.shape[:axis] + x.shape[axis + 1:], True, 4)


def reshape(scope):
    x = scope.find()
    if x is None or any(isinstance(extent, str) for extent in x.shape[1:]):
        return None
    rest = elements(x.shape[1:])
    if x.shape and isinstance(x.shape[0], str):  # [n, a, b] -> [n, a * b]
        wanted, shape = [-1, rest], (x.shape[0], rest)
        if rest == 0:
            return None
    else:
        count = elements(x.shape)
        shape = scope.choices.pick([(count,), (1, count), (count, 1)] + ([(2, count // 2)] if count % 2 == 0 else []))
        wanted = list(shape)
    return scope.value("Reshape", [x, scope.constant(np.array(wanted, np.int32))], x.dtype, shape, x.exact, x.bound)


def transpose(scope):
    x = scope.find()
    if x is None or len(x.shape) < 2:
        return None
    order = list(range(len(x.shape)))[::-1]
    shape = [x.shape[i] for i in order]
    return scope.value("Transpose", [x, scope.constant(np.array(order, np.int32))], x.dtype, shape, x.exact, x.bound)


def expand(scope):
    x = scope.find()
    if x is None or len(x.shape) > 3:
        return None
    axis = scope.choices.between(0, len(x.shape))
    return scope.value("ExpandDims", [x, scope.number(axis, "int32")], x.dtype, (*x.shape[:axis], 1, *x.shape[axis:]),
                       x.exact, x.bound)


def squeeze(scope):
    x = scope.find()
    if x is None or 1 not in x.shape:
        return None
    axis = x.shape.index(1)
    return scope.value("Squeeze", [x], x.dtype, x.shape[:axis] + x.shape[axis + 1:], x.exact, x.bound,
                       squeeze_dims=[axis])


def concat(scope):
    x = scope.find()
    if x is None or not x.shape:
        return None
    axes = [i for i, extent in enumerate(x.shape) if not isinstance(extent, str)]
    y = axes and scope.want(*x.type, exact=False)
    if not y:
        return None
    axis = scope.choices.pick(axes)
    shape = [n * 2 if i == axis else n for i, n in enumerate(x.shape)]
    return scope.value("ConcatV2", [x, y, scope.number(axis, "int32")], x.dtype, shape, x.exact and y.exact,
                       max(x.bound, y.bound))


def pack(scope):
    x = scope.find()
    y = x and scope.want(*x.type, exact=False)
    axis = x and scope.choices.between(0, len(x.shape))
    return y and scope.value("Pack", [x, y], x.dtype, (*x.shape[:axis], 2, *x.shape[axis:]), x.exact and y.exact,
                             max(x.bound, y.bound), axis=axis)


def unpack(scope):
    x = scope.find()
    if x is None or not x.shape or isinstance(x.shape[0], str) or x.shape[0] == 0:
        return None
    return scope.value("Unpack", [x], x.dtype, x.shape[1:], x.exact, x.bound, slot=scope.choices.below(x.shape[0]),
                       num=x.shape[0], axis=0)


def strided_slice(scope):
    x = scope.find()
    if x is None or not x.shape or isinstance(x.shape[0], str) or x.shape[0] == 0:
        return None
    begin = scope.choices.below(x.shape[0])
    ends = [scope.constant(np.array([n], np.int32)) for n in (begin, x.shape[0], 1)]
    if scope.choices.chance(50):
        return scope.value("StridedSlice", [x, *ends], x.dtype, x.shape[1:], x.exact, x.bound, shrink_axis_mask=1)
    return scope.value("StridedSlice", [x, *ends], x.dtype, (x.shape[0] - begin, *x.shape[1:]), x.exact, x.bound)


def gather(scope):
    x = scope.find()
    if x is None or not x.shape or isinstance(x.shape[0], str) or x.shape[0] == 0:
        return None
    indices = scope.want("int32", scope.choices.pick([(), (2,), (3,)]))
    modulo = scope.value("FloorMod", [indices, scope.number(x.shape[0], "int32")], *indices.type, True, x.shape[0])
    return scope.value("GatherV2", [x, modulo, scope.number(0, "int32")], x.dtype, indices.shape + x.shape[1:], x.exact,
                       x.bound)


def tile(scope):
    x = scope.find()
    if x is None or not x.shape or isinstance(x.shape[0], str):
        return None
    times = [scope.choices.between(1, 2)] + [1] * (len(x.shape) - 1)
    return scope.value("Tile", [x, scope.constant(np.array(times, np.int32))], x.dtype,
                       (x.shape[0] * times[0], *x.shape[1:]), x.exact, x.bound)


def pad(scope):
    x = find_number(scope, rank=1)
    if x is None or isinstance(x.shape[0], str):
        return None
    pads = [[scope.choices.below(2), scope.choices.below(2)]] + [[0, 0]] * (len(x.shape) - 1)
    return scope.value("Pad", [x, scope.constant(np.array(pads, np.int32))], x.dtype,
                       (x.shape[0] + sum(pads[0]), *x.shape[1:]), x.exact, x.bound)


def matmul(scope):
    fitting = [v for v in scope.values if v.dtype == "float32" and len(v.shape) == 2 and v.bound <= 1000
               and not isinstance(v.shape[1], str)]
    if not fitting:
        return None
    x = scope.choices.pick(fitting[::-1])
    depth, columns = x.shape[1], scope.choices.between(1, 3)
    y = scope.want("float32", (depth, columns), exact=False, bound=1000)
    bound = max(depth, 1) * x.bound * (y.bound if y else 0)
    if y is None or bound > LARGEST:
        return None
    return scope.value("MatMul", [x, y], "float32", (x.shape[0], columns), x.exact and y.exact, bound)


def cumulate(scope):
    x = find_number(scope, rank=1)
    if x is None or x.bound * 4 > LARGEST:
        return None
    axis = scope.choices.below(len(x.shape))
    return scope.value("Cumsum", [x, scope.number(axis, "int32")], *x.type, x.exact, x.bound * elements(x.shape),
                       exclusive=scope.choices.chance(30), reverse=scope.choices.chance(30))


def reverse(scope):
    x = scope.find()
    if x is None or not x.shape:
        return None
    axes = np.array([scope.choices.below(len(x.shape))], np.int32)
    return scope.value("ReverseV2", [x, scope.constant(axes)], *x.type, x.exact, x.bound)


def one_hot(scope):
    x = scope.find("int32", exact=True)
    if x is None or len(x.shape) > 2:
        return None
    on, off = (scope.constant(random_array(scope.choices, "float32", ())) for _ in range(2))
    return scope.value("OneHot", [x, scope.number(3, "int32"), on, off], "float32", (*x.shape, 3), True,
                       max(on.bound, off.bound))


# A shortened list of choices leads to the first ones.
OPS = [unary, binary, binary, compare, constant, divide, select, reduce, cast, logical, smooth, pass_through, folded, shape_of, extent_of,
       arg_max, reshape, transpose, expand, squeeze, concat, pack, unpack, strided_slice, gather, tile, pad, matmul,
       cumulate, reverse, one_hot, odd_constant]

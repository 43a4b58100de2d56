# SPDX-License-Identifier: Apache-2.0
"""Edge cases of elementwise ops: rank 0 and 6, no elements, limits of each dtype, infinities and NaN."""

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

family = Family("elementwise_edges")
g = rng(101)
deep = normal(g, 2, 1, 3, 1, 2, 1)
edges = np.array([0, -0.0, 0.5, -0.5, 1, -1, 2.5, -2.5, 4, -4, 1e-6, np.inf, -np.inf, np.nan], np.float32)
large = np.array([20, -20, 87, -87, 200, -200, 3e38, -3e38, 0.25], np.float32)
ACTIVATIONS = ("Elu", "LeakyRelu", "Relu", "Relu6", "Selu", "Softplus", "Softsign")
PERIODIC = ("Cos", "Sin", "Tan")
for op in ACTIVATIONS + PERIODIC + (
        "Abs", "Ceil", "Erf", "Exp", "Expm1", "Floor", "Inv", "IsFinite", "IsInf", "IsNan", "Log", "Log1p", "Neg",
        "Reciprocal", "Rint", "Round", "Rsqrt", "Sigmoid", "Sign", "Sqrt", "Square", "Tanh"):
    low, key = op.lower(), "features" if op in ACTIVATIONS else "x"
    f = lambda x: getattr(raw, op)(**{key: x})
    family.case(f"{low}_scalar", f, {"x": np.float32(0.75)})
    family.case(f"{low}_rank_6", f, {"x": np.abs(deep) if op in ("Log", "Log1p", "Sqrt", "Rsqrt") else deep})
    family.case(f"{low}_empty", f, {"x": deep[:, :0]})
    family.case(f"{low}_edges", f, {"x": edges})
    family.case(f"{low}_large", f, {"x": large[:6] if op in PERIODIC else large})
    # Computed in float32.
    family.case(f"{low}_double", f, {"x": np.linspace(0.3, 3, 7)}, tolerance=1e-6)
for op in ("Abs", "Neg", "Sign", "Square"):
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        info = np.iinfo(dtype)
        family.case(f"{op.lower()}_limits_{np.dtype(dtype).name}", lambda x: getattr(raw, op)(x=x),
                    {"x": np.array([info.min, info.max, info.min + 1, 0, -3], dtype)})
for dtype in (np.uint8, np.int8, np.int16, np.int64):
    for op in ("Relu", "Relu6"):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", lambda x: getattr(raw, op)(features=x),
                    {"x": np.array([0, 3, 6, 7, 100], dtype) - (0 if dtype == np.uint8 else 5)})
for slope in (0.0, 1.0, -0.5, 2.0, 1e30):
    family.case(f"leaky_relu_{slope:g}".replace("-", "minus_").replace(".", "_").replace("+", ""),
                lambda x: raw.LeakyRelu(features=x, alpha=slope), {"x": normal(g, 5)})

for op in ("Atan2", "DivNoNan", "MulNoNan", "Pow", "Mod", "FloorMod", "TruncateMod", "SquaredDifference"):
    low = op.lower()
    f = (lambda a, b: raw.Atan2(y=a, x=b)) if op == "Atan2" else (lambda a, b: getattr(raw, op)(x=a, y=b))
    finite = edges[:11]
    grid = finite if op in ("Mod", "FloorMod", "TruncateMod") else edges
    family.case(f"{low}_edges", f, {"a": grid[:, None], "b": grid})
    family.case(f"{low}_scalars", f, {"a": np.float32(2.5), "b": np.float32(-2)})
    family.case(f"{low}_both_broadcast", f, {"a": normal(g, 3, 1, 2), "b": normal(g, 2, 1, 4, 1)})
    family.case(f"{low}_empty", f, {"a": normal(g, 0, 1), "b": normal(g, 3)})
    family.case(f"{low}_double", f, {"a": np.array([0.5, 7.25, 0, 2]), "b": np.array([3, 2.5, 0.5, -1])},
                tolerance=1e-6)
for op in ("Mod", "TruncateMod", "TruncateDiv", "Div", "FloorDiv", "FloorMod"):
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64):
        if "Mod" in op and dtype in (np.uint8, np.int8, np.uint16, np.int16) and op != "FloorMod":
            continue  # no kernel
        info = np.iinfo(dtype)
        family.case(f"{op.lower()}_limits_{np.dtype(dtype).name}", lambda a, b: getattr(raw, op)(x=a, y=b),
                    {"a": np.array([[info.max], [info.min], [7]], dtype), "b": np.array([1, 2, 3, info.max], dtype)})
    family.case(f"{op.lower()}_empty_i32", lambda a, b: getattr(raw, op)(x=a, y=b),
                {"a": np.zeros((2, 0), np.int32), "b": np.ones((2, 1), np.int32)})
    family.case(f"{op.lower()}_scalar_i32", lambda a: getattr(raw, op)(x=a, y=-3),
                {"a": np.array([-7, 7, 0, 9, -2], np.int32)})
for dtype in (np.int32, np.int64):
    family.case(f"pow_table_{np.dtype(dtype).name}", lambda a, b: raw.Pow(x=a, y=b),
                {"a": np.array([[0], [1], [-1], [2], [-3], [46341]], dtype), "b": np.arange(9, dtype=dtype)})
    family.case(f"squared_difference_limits_{np.dtype(dtype).name}", lambda a, b: raw.SquaredDifference(x=a, y=b),
                {"a": np.array([np.iinfo(dtype).min, 46341, 3], dtype), "b": np.array([[0], [-5]], dtype)})

bools = np.array([[True], [False]])
flags = np.array([[[True], [False]], [[False], [False]]])
for op in ("LogicalAnd", "LogicalOr"):
    f = lambda a, b: getattr(raw, op)(x=a, y=b)
    family.case(f"{op.lower()}_same", f, {"a": flags, "b": ~flags})
    family.case(f"{op.lower()}_scalar", f, {"a": flags, "b": np.bool_(True)})
    family.case(f"{op.lower()}_outer", f, {"a": flags, "b": np.array([True, False, True])})
    family.case(f"{op.lower()}_empty", f, {"a": flags[:0], "b": np.array([True, False])})
    family.case(f"{op.lower()}_constant", lambda a: getattr(raw, op)(x=a, y=tf.constant([True, False])), {"a": flags})
for name, x in (("rank_3", flags), ("scalar", np.bool_(False)), ("empty", flags[:, :0]), ("twice", flags[0])):
    family.case(f"logical_not_{name}", lambda x: raw.LogicalNot(x=raw.LogicalNot(x=x) if name == "twice" else x),
                {"x": x})

for op in ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"):
    f = lambda a, b: getattr(raw, op)(x=a, y=b)
    for dtype in (np.uint8, np.int8, np.int16, np.int32, np.float64):
        limits = np.iinfo(dtype) if dtype != np.float64 else np.finfo(np.float32)
        values = np.array([limits.min, limits.max, 0, 1], dtype)
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", f, {"a": values[:, None], "b": values})
    family.case(f"{op.lower()}_edges", f, {"a": edges[:, None], "b": edges})
    family.case(f"{op.lower()}_scalars", f, {"a": np.float32(2), "b": np.float32(2)})
    family.case(f"{op.lower()}_empty", f, {"a": normal(g, 2, 0, 1), "b": normal(g, 2, 1, 3)})
family.case("notequal_bool", lambda a, b: raw.NotEqual(x=a, y=b), {"a": bools, "b": bools[:, 0]})

for op in ("AddN", "AccumulateNV2"):
    low = "add_n" if op == "AddN" else "accumulate_n"

    def total(values, op=op):
        return raw.AddN(inputs=values) if op == "AddN" else raw.AccumulateNV2(inputs=values, shape=values[0].shape)

    family.case(f"{low}_eight", lambda x, y: total([x, y] * 4), {"x": normal(g, 3, 2), "y": normal(g, 3, 2)})
    family.case(f"{low}_scalars", lambda x, y: total([x, y]), {"x": np.float32(2), "y": np.float32(-0.5)})
    family.case(f"{low}_empty", lambda x, y: total([x, y]), {"x": deep[:0], "y": deep[:0]})
    family.case(f"{low}_rank_6", lambda x: total([x, x, x]), {"x": deep})
    family.case(f"{low}_one", lambda x: total([x]) + 1.0, {"x": deep})
    family.case(f"{low}_constant", lambda x: total([x, tf.constant([1.0, 2]), x]), {"x": normal(g, 2)})
    for dtype in (np.int32, np.int64, np.uint8, np.int8, np.int16):
        family.case(f"{low}_{np.dtype(dtype).name}", lambda x, y: total([x, y, y]),
                    {"x": np.array([100, 1, 7], dtype), "y": np.array([90, 0, 1], dtype)})

for op in ("BiasAdd", "BiasAddV1"):
    f = lambda x, b: getattr(raw, op)(value=x, bias=b)
    low = op.lower()
    for name, shape in (("rank_2", (3, 4)), ("rank_3", (2, 3, 4)), ("rank_5", (2, 1, 3, 1, 4)), ("empty", (0, 4)),
                        ("one_channel", (2, 3, 1))):
        family.case(f"{low}_fed_{name}", f, {"x": normal(g, *shape), "b": normal(g, shape[-1])})
    for dtype in (np.int32, np.int64, np.float64):
        family.case(f"{low}_{np.dtype(dtype).name}", f,
                    {"x": np.arange(6, dtype=dtype).reshape(2, 3), "b": np.array([1, -2, 100], dtype)})
for name, shape in (("rank_3", (2, 3, 4)), ("rank_5", (2, 3, 1, 2, 2)), ("fed", (1, 3, 4, 2)), ("empty", (0, 3, 4, 2))):
    x, b = normal(g, *shape), normal(g, 3)
    family.case(f"bias_add_nchw_{name}", lambda x, b: raw.BiasAdd(value=x, bias=b, data_format="NCHW"),
                {"x": x, "b": b}, expected=x + b.reshape(3, *[1] * (len(shape) - 2)))

x = normal(g, 2, 3) * 2
for dtype in (np.int32, np.int64, np.uint8, np.int8, np.int16):
    family.case(f"clip_{np.dtype(dtype).name}", lambda x: raw.ClipByValue(
        t=x, clip_value_min=tf.constant(2, x.dtype), clip_value_max=tf.constant(90, x.dtype)),
                {"x": np.array([0, 1, 2, 3, 90, 91, 127], dtype)})
family.case("clip_bounds_of_the_shape", lambda x, lo, hi: raw.ClipByValue(t=x, clip_value_min=lo, clip_value_max=hi),
            {"x": x, "lo": -np.abs(x[::-1]), "hi": np.abs(x[::-1]) * 0.5})
family.case("clip_scalar", lambda x: raw.ClipByValue(t=x, clip_value_min=0.0, clip_value_max=6.0), {"x": x[0, 0]})
family.case("clip_empty", lambda x: raw.ClipByValue(t=x, clip_value_min=0.0, clip_value_max=6.0), {"x": x[:0]})
family.case("clip_at_one_end", lambda x: raw.ClipByValue(t=x, clip_value_min=-np.inf, clip_value_max=0.25),
            {"x": edges[:13]})
family.case("clip_double", lambda x: raw.ClipByValue(t=x, clip_value_min=tf.constant(-0.5, tf.float64),
                                                     clip_value_max=tf.constant(0.5, tf.float64)),
            {"x": x.astype(np.float64)})
family.case("clip_bounds_swapped", lambda x: raw.ClipByValue(t=x, clip_value_min=1.0, clip_value_max=-1.0), {"x": x})


def to_prelu(definition):
    """Replaces the Maximum, a stand-in, by tfjs' Prelu(x, alpha)."""
    node(definition, "prelu").op = "Prelu"


for name, shape, slopes in (("one_slope", (2, 3), normal(g, 1)), ("slope_each", (2, 2, 3), normal(g, 2, 3)),
                            ("vector", (5,), normal(g, 5)), ("empty", (0, 3), normal(g, 3)),
                            ("rank_5", (1, 2, 1, 2, 3), normal(g, 1, 1, 3)), ("zero", (4, 2), np.zeros(2, np.float32))):
    x = normal(g, *shape)
    family.case(f"prelu_{name}", lambda x: raw.Maximum(x=x, y=tf.constant(slopes), name="prelu"), {"x": x},
                expected=np.where(x >= 0, x, slopes * x), edit=to_prelu)
x = normal(g, 3, 2)
family.case("prelu_fed_slopes", lambda x, a: raw.Maximum(x=x, y=a, name="prelu"),
            {"x": x, "a": np.array([0.1, -3], np.float32)},
            expected=np.where(x >= 0, x, np.array([0.1, -3], np.float32) * x), edit=to_prelu)
family.write()

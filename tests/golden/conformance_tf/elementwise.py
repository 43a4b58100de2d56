# SPDX-License-Identifier: Apache-2.0
import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

family = Family("elementwise")
g = rng(1)
x = normal(g, 2, 3, 5) * 2
positive = np.abs(x) + 0.1

for op in ("Abs", "Neg", "Sign", "Square", "Exp", "Expm1", "Sin", "Cos", "Tan", "Tanh", "Sigmoid",
           "Erf", "Erfc", "Softplus", "Softsign", "Floor", "Ceil", "Round", "Rint", "IsNan", "IsInf",
           "IsFinite", "Relu", "Relu6", "Elu", "Selu"):
    key = "features" if op in ("Softplus", "Softsign", "Relu", "Relu6", "Elu", "Selu") else "x"
    data = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, np.inf, -np.inf, np.nan, 0, 7],
                    np.float32) if op.startswith("Is") else x
    family.case(op.lower(), lambda x, op=op, key=key: getattr(raw, op)(**{key: x}), {"x": data})
for op in ("Sqrt", "Rsqrt", "Reciprocal", "Inv", "Log", "Log1p"):
    family.case(op.lower(), lambda x, op=op: getattr(raw, op)(x=x), {"x": positive})
family.case("round_half_to_even", lambda x: raw.Round(x=x),
            {"x": np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5], np.float32)})
# No Round of integers: TensorFlow 2.21 returns zeros there, older versions (and we) the input.
family.case("leaky_relu_default", lambda x: raw.LeakyRelu(features=x), {"x": x})
family.case("leaky_relu_alpha", lambda x: raw.LeakyRelu(features=x, alpha=0.03), {"x": x})
i32 = np.array([[-7, 7, -7, 7, 0], [5, -5, 2, -2, 9]], np.int32)
d32 = np.array([[2, 2, -2, -2, 3], [5, 5, 3, 3, -4]], np.int32)
for op, data in (("Abs", i32), ("Neg", i32), ("Sign", i32), ("Square", i32)):
    family.case(f"{op.lower()}_i32", lambda x, op=op: getattr(raw, op)(x=x), {"x": data})
family.case("relu_i32", lambda x: raw.Relu(features=x), {"x": i32})
family.case("relu6_i32", lambda x: raw.Relu6(features=x), {"x": i32})
family.case("logical_not", lambda x: raw.LogicalNot(x=x), {"x": np.array([True, False])})

a, b = normal(g, 2, 1, 4), normal(g, 3, 1)
for op in ("Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "FloorDiv", "FloorMod", "Mod", "Maximum",
           "Minimum", "SquaredDifference"):
    family.case(f"{op.lower()}_broadcast", lambda a, b, op=op: getattr(raw, op)(x=a, y=b),
                {"a": a, "b": b})
for op in ("AddV2", "Sub", "Mul", "Div", "FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod",
           "Maximum", "Minimum", "SquaredDifference"):
    for dtype in (np.int32, np.int64):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}",
                    lambda a, b, op=op: getattr(raw, op)(x=a, y=b),
                    {"a": i32.astype(dtype), "b": d32.astype(dtype)})
family.case("pow", lambda a, b: raw.Pow(x=a, y=b), {"a": np.abs(a), "b": b})
family.case("pow_i32", lambda a: raw.Pow(x=a, y=tf.constant(3)), {"a": i32})
family.case("div_no_nan", lambda a, b: raw.DivNoNan(x=a, y=b),
            {"a": np.array([1, 0, -2], np.float32), "b": np.array([0, 0, 4], np.float32)})
family.case("mul_no_nan", lambda a, b: raw.MulNoNan(x=a, y=b),
            {"a": np.array([np.inf, np.nan, -2], np.float32), "b": np.array([0, 0, 4], np.float32)})
family.case("xlogy", lambda a, b: raw.Xlogy(x=a, y=b),
            {"a": np.array([0, 2, -2], np.float32), "b": np.array([0, 3, 4], np.float32)})
family.case("xdivy", lambda a, b: raw.Xdivy(x=a, y=b),
            {"a": np.array([0, 2, -2], np.float32), "b": np.array([0, 3, 4], np.float32)})
family.case("atan", lambda a: raw.Atan(x=a), {"a": a})
family.case("atan2", lambda a, b: raw.Atan2(y=a, x=b), {"a": a, "b": b})
bools = np.array([[True], [False]])
for op in ("LogicalAnd", "LogicalOr"):
    family.case(op.lower(), lambda a, b, op=op: getattr(raw, op)(x=a, y=b),
                {"a": bools, "b": bools[:, 0]})
values = np.array([1, 2, np.nan, -1], np.float32)
for op in ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"):
    family.case(op.lower(), lambda a, b, op=op: getattr(raw, op)(x=a, y=b),
                {"a": values[:, None], "b": values})
    family.case(f"{op.lower()}_i64", lambda a, op=op: getattr(raw, op)(x=a, y=tf.constant(2, tf.int64)),
                {"a": i32.astype(np.int64)})
family.case("equal_bool", lambda a, b: raw.Equal(x=a, y=b), {"a": bools, "b": bools[:, 0]})

family.case("add_n", lambda x, y, z: raw.AddN(inputs=[x, y, z]), {"x": x, "y": x + 1, "z": x * 3})
family.case("add_n_single", lambda x: raw.AddN(inputs=[x]) * 2, {"x": x})
for source in (np.float32, np.int32, np.uint8, np.bool_):
    for target in (tf.float32, tf.int32, tf.int64, tf.uint8, tf.int8, tf.bool):
        data = np.array([0, 1, 2, 3, 100], np.float32) * (0.7 if source == np.float32 else 1)
        name = f"cast_{np.dtype(source).name}_{target.name}".replace("bool_", "bool")
        family.case(name, lambda x, target=target: raw.Identity(input=raw.Cast(x=x, DstT=target)),
                    {"x": data.astype(source)})
family.case("cast_truncates_to_zero", lambda x: raw.Cast(x=x, DstT=tf.int32),
            {"x": np.array([-1.9, -0.5, 0.5, 1.9], np.float32)})
family.case("bias_add", lambda x: raw.BiasAdd(value=x, bias=tf.constant([1.0, 2, 3, 4, 5])), {"x": x})
picture = normal(g, 1, 3, 2, 2)
bias = np.array([1, 2, 3], np.float32)
family.case("bias_add_nchw",
            lambda x: raw.BiasAdd(value=x, bias=tf.constant(bias), data_format="NCHW"),
            {"x": picture}, expected=picture + bias[:, None, None])
family.case("bias_add_nchw_rank3",
            lambda x: raw.BiasAdd(value=x, bias=tf.constant(bias), data_format="NCHW"),
            {"x": picture[..., 0]}, expected=picture[..., 0] + bias[:, None])
family.case("clip_by_value",
            lambda x: raw.ClipByValue(t=x, clip_value_min=-1.0, clip_value_max=0.5), {"x": x})
family.case("clip_by_value_fed",
            lambda x, lo, hi: raw.ClipByValue(t=x, clip_value_min=lo, clip_value_max=hi),
            {"x": x, "lo": np.float32(-1), "hi": np.float32(0.25)})


def to_prelu(definition):
    """Replaces the Maximum, a stand-in, by tfjs' Prelu(x, alpha)."""
    prelu = node(definition, "prelu")
    prelu.op = "Prelu"


alpha = np.array([0.1, 0.2, 0.3, -0.4, 2], np.float32)
family.case("prelu", lambda x: raw.Maximum(x=x, y=tf.constant(alpha), name="prelu"), {"x": x},
            expected=np.where(x >= 0, x, alpha * x), edit=to_prelu)
family.case("half_in_half_out", lambda x: raw.AddV2(x=x, y=tf.constant([1.5, 2, 3, 4, 5], tf.half)),
            {"x": x.astype(np.float16)}, tolerance=2e-3)
family.case("double_in_double_out", lambda x: raw.Mul(x=x, y=tf.constant(1.25, tf.float64)),
            {"x": x.astype(np.float64)}, tolerance=1e-6)
family.case("half_to_int", lambda x: raw.Cast(x=raw.Cast(x=x, DstT=tf.half), DstT=tf.int32),
            {"x": np.array([1.5, -2.5, 100], np.float32)})
family.write()

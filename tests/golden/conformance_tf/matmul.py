# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

family = Family("matmul")
g = rng(3)

for ta, tb, constant in itertools.product((False, True), (False, True), (True, False)):
    a = normal(g, *((4, 3) if ta else (3, 4)))
    b = normal(g, *((5, 4) if tb else (4, 5)))
    name = f"matmul_{'t' if ta else 'n'}{'t' if tb else 'n'}_{'constant' if constant else 'fed'}"
    if constant:
        family.case(name, lambda a: raw.MatMul(a=a, b=tf.constant(b), transpose_a=ta, transpose_b=tb),
                    {"a": a})
    else:
        family.case(name, lambda a, b: raw.MatMul(a=a, b=b, transpose_a=ta, transpose_b=tb),
                    {"a": a, "b": b})
    for op in ("BatchMatMul", "BatchMatMulV2"):
        x = normal(g, 2, *((4, 3) if ta else (3, 4)))
        y = normal(g, 2, *((5, 4) if tb else (4, 5)))
        if constant:
            family.case(f"{op.lower()}_{name}",
                        lambda x, op=op: getattr(raw, op)(x=x, y=tf.constant(y), adj_x=ta, adj_y=tb),
                        {"x": x})
        else:
            family.case(f"{op.lower()}_{name}",
                        lambda x, y, op=op: getattr(raw, op)(x=x, y=y, adj_x=ta, adj_y=tb),
                        {"x": x, "y": y})
x = normal(g, 2, 3, 4, 5)
for name, y in (("matrix", normal(g, 5, 6)), ("batch_of_one", normal(g, 1, 5, 6)),
                ("more_batch", normal(g, 3, 1, 1, 5, 6)), ("outer_batch", normal(g, 2, 1, 5, 6))):
    family.case(f"batch_constant_{name}", lambda x, y=y: raw.BatchMatMulV2(x=x, y=tf.constant(y)),
                {"x": x})
    family.case(f"batch_fed_{name}", lambda x, y: raw.BatchMatMulV2(x=x, y=y), {"x": x, "y": y})
family.case("batch_v3", lambda x, y: raw.BatchMatMulV3(x=x, y=y, Tout=tf.float32),
            {"x": normal(g, 2, 3), "y": normal(g, 3, 2)})
family.case("batch_constant_matrix_transposed",
            lambda x: raw.BatchMatMulV2(x=x, y=tf.constant(normal(rng(9), 6, 5)), adj_y=True), {"x": x})
family.case("matmul_i32", lambda a, b: raw.MatMul(a=a, b=b),
            {"a": np.arange(6, dtype=np.int32).reshape(2, 3),
             "b": np.arange(12, dtype=np.int32).reshape(3, 4)})
family.case("matmul_i32_constant", lambda a: raw.MatMul(a=a, b=tf.constant([[1, 2], [3, 4]])),
            {"a": np.arange(6, dtype=np.int32).reshape(3, 2)})
family.case("matmul_half",
            lambda a: raw.MatMul(a=a, b=tf.constant(normal(rng(8), 4, 3).astype(np.float16))),
            {"a": normal(g, 2, 4).astype(np.float16)}, tolerance=4e-3)

w, bias, alpha = normal(g, 4, 3), normal(g, 3), np.abs(normal(g, 3))
x = normal(g, 2, 4)



def fused(fused_ops, arguments):
    def edit(definition):
        n = node(definition, "product")
        n.op = "_FusedMatMul"
        n.input.extend(arguments)
        n.attr["num_args"].i = len(arguments)
        n.attr["fused_ops"].list.s.extend(f.encode() for f in fused_ops)
    return edit


def build(x):
    tf.constant(bias, name="bias")
    tf.constant(alpha, name="alpha")
    return raw.MatMul(a=x, b=tf.constant(w), name="product")


def build_fed(x, w):
    tf.constant(bias, name="bias")
    return raw.MatMul(a=x, b=w, name="product")


y = x @ w + bias
for name, fused_ops, arguments, expected in (
        ("bias", ["BiasAdd"], ["bias"], y),
        ("bias_relu", ["BiasAdd", "Relu"], ["bias"], np.maximum(y, 0)),
        ("bias_relu6", ["BiasAdd", "Relu6"], ["bias"], np.clip(y, 0, 6)),
        ("bias_elu", ["BiasAdd", "Elu"], ["bias"], tf.nn.elu(y).numpy()),
        ("bias_sigmoid", ["BiasAdd", "Sigmoid"], ["bias"], tf.nn.sigmoid(y).numpy()),
        ("bias_prelu", ["BiasAdd", "Prelu"], ["bias", "alpha"], np.where(y >= 0, y, y * alpha))):
    family.case(f"fused_{name}", build, {"x": x}, expected=expected, edit=fused(fused_ops, arguments))
family.case("fused_fed_bias", build_fed, {"x": x, "w": w}, expected=y, edit=fused(["BiasAdd"], ["bias"]))
family.case("fused_fed_bias_relu", build_fed, {"x": x, "w": w}, expected=np.maximum(y, 0),
            edit=fused(["BiasAdd", "Relu"], ["bias"]))

g = rng(115)
for name, a, b, attrs in (("batch", (2, 3, 4), (2, 4, 5), {}), ("transposed_x", (2, 4, 3), (2, 4, 5), {"adj_x": True}),
                          ("transposed_y", (2, 3, 4), (2, 5, 4), {"adj_y": True}),
                          ("transposed_both", (4, 3), (5, 4), {"adj_x": True, "adj_y": True}),
                          ("broadcast", (2, 1, 3, 4), (5, 4, 2), {}), ("no_batch", (0, 3, 4), (1, 4, 2), {}),
                          ("no_rows", (2, 0, 4), (2, 4, 3), {}), ("nothing_to_sum", (2, 3, 0), (2, 0, 4), {}),
                          ("vectors", (3, 1, 4), (3, 4, 1), {})):
    x, y = normal(g, *a), normal(g, *b)
    for op, extra in (("BatchMatMulV2", {}), ("BatchMatMulV3", {"Tout": tf.float32})):
        low = op.lower()
        family.case(f"{low}_{name}", lambda x, y: getattr(raw, op)(x=x, y=y, **attrs, **extra), {"x": x, "y": y})
        family.case(f"{low}_{name}_known", lambda x: getattr(raw, op)(x=x, y=tf.constant(y), **attrs, **extra),
                    {"x": x})
family.case("batchmatmulv3_i32", lambda x, y: raw.BatchMatMulV3(x=x, y=y, Tout=tf.int32),
            {"x": np.arange(12, dtype=np.int32).reshape(2, 2, 3), "y": np.arange(6, dtype=np.int32).reshape(3, 2)})
family.case("batchmatmulv3_double", lambda x, y: raw.BatchMatMulV3(x=x, y=y, Tout=tf.float64),
            {"x": normal(g, 2, 3).astype(np.float64), "y": normal(g, 3, 2).astype(np.float64)}, tolerance=1e-6)
for a, b in ((np.int8, np.int8), (np.uint8, np.int8)):
    family.case(f"batchmatmulv3_{np.dtype(a).name}_{np.dtype(b).name}_i32",
                lambda x, y: raw.BatchMatMulV3(x=x, y=y, Tout=tf.int32),
                {"x": np.array([[100, 127, 3], [0, 90, 1]], a), "y": np.array([[-128, 2], [100, 127], [5, 7]], b)})
for name, a, b in (("no_rows", (0, 3), (3, 2)), ("nothing_to_sum", (2, 0), (0, 3)), ("one", (1, 1), (1, 1))):
    family.case(f"matmul_{name}", lambda x, y: raw.MatMul(a=x, b=y), {"x": normal(g, *a), "y": normal(g, *b)})
family.write()

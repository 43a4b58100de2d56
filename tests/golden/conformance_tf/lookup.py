# SPDX-License-Identifier: Apache-2.0
"""Gather, top k, one-hot, select, fills."""

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

g = rng(5)
x = normal(g, 3, 4, 5)

family = Family("gather")
rows = np.array([2, 0, 2, 1], np.int32)
family.case("gather", lambda x, i: raw.Gather(params=x, indices=i), {"x": x, "i": rows})
family.case("gather_i64", lambda x, i: raw.GatherV2(params=x, indices=i, axis=0),
            {"x": x, "i": rows.astype(np.int64)})
for axis in (1, 2, -1):
    family.case(f"gather_axis_{axis}".replace("-", "m"),
                lambda x, i, axis=axis: raw.GatherV2(params=x, indices=i, axis=axis),
                {"x": x, "i": rows.reshape(2, 2)})
family.case("gather_scalar", lambda x: raw.GatherV2(params=x, indices=2, axis=1), {"x": x})
family.case("gather_batch", lambda x, i: raw.GatherV2(params=x, indices=i, axis=1, batch_dims=1),
            {"x": x, "i": np.array([[3, 1], [0, 0], [2, 1]], np.int32)})
family.case("gather_batch_inner", lambda x, i: raw.GatherV2(params=x, indices=i, axis=2, batch_dims=1),
            {"x": x, "i": np.array([[3, 1], [0, 0], [2, 4]], np.int32)})
family.case("gather_constant_params", lambda i: raw.GatherV2(params=tf.constant(x), indices=i, axis=0),
            {"i": rows})
family.case("gather_nd", lambda x, i: raw.GatherNd(params=x, indices=i),
            {"x": x, "i": np.array([[0, 1], [2, 3]], np.int32)})
family.case("gather_nd_elements", lambda x, i: raw.GatherNd(params=x, indices=i),
            {"x": x, "i": np.array([[[0, 1, 2]], [[2, 3, 4]]], np.int64)})
family.case("gather_nd_whole", lambda x: raw.GatherNd(params=x, indices=np.zeros((2, 0), np.int32)),
            {"x": x})
for k in (1, 3, 5):
    family.case(f"top_{k}", lambda x, k=k: list(raw.TopKV2(input=x, k=k)), {"x": x})
family.case("top_k_ties", lambda x: list(raw.TopKV2(input=x, k=3)),
            {"x": np.array([[1, 3, 3, 2, 3]], np.float32)})
family.case("top_k_i32", lambda x: list(raw.TopKV2(input=x, k=2)), {"x": rows})
family.case("top_k_computed_k", lambda x: raw.TopKV2(input=x, k=tf.minimum(tf.shape(x)[2], 4))[1],
            {"x": x})
for axis in (-1, 0, 1):
    family.case(f"one_hot_axis_{axis}".replace("-", "m"),
                lambda i, axis=axis: raw.OneHot(indices=i, depth=3, on_value=1.0, off_value=0.0, axis=axis),
                {"i": np.array([[0, 2, -1], [1, 1, 7]], np.int32)})
family.case("one_hot_i32", lambda i: raw.OneHot(indices=i, depth=4, on_value=5, off_value=-1),
            {"i": np.array([3, 0], np.int64)})
family.case("one_hot_fed_values",
            lambda i, on: raw.OneHot(indices=i, depth=2, on_value=on, off_value=0.5),
            {"i": np.array([1, 0], np.uint8), "on": np.float32(3)})
more = rng(107)
deep = normal(more, 2, 3, 1, 2, 2)
matrix = np.array([[0, 2], [1, 0]], np.int32)
for name, value, indices in (("matrix", x, matrix), ("scalar", x, np.int64(2)), ("empty", x, matrix[:0]),
                             ("bool", x > 0, rows), ("i64", np.arange(6).reshape(3, 2), rows),
                             ("rank_6", deep, matrix[None] % 2),
                             ("u8", np.arange(9, dtype=np.uint8), rows)):
    family.case(f"gather_v1_{name}", lambda x, i: raw.Gather(params=x, indices=i, validate_indices=False),
                {"x": value, "i": indices})
for name, value, indices in (("vector", x[0, 0], [[4], [0]]), ("rows", x, [[2], [0], [2]]),
                             ("none", x, np.zeros((0, 2))),
                             ("rank_5", deep, [[[1, 2, 0], [0, 0, 0]]]),
                             ("i32", np.arange(6, dtype=np.int32).reshape(2, 3), [[1, 2]]),
                             ("bool", x > 0, [[0, 0, 0], [2, 3, 4]])):
    family.case(f"gather_nd_{name}", lambda x, i: raw.GatherNd(params=x, indices=i),
                {"x": value, "i": np.array(indices, np.int32)})
family.case("gather_nd_constant_params", lambda i: raw.GatherNd(params=tf.constant(x), indices=i),
            {"i": np.array([[1], [1]], np.int64)})


def to_top_k(definition):
    """The op's first version (2015), in which k is an attribute."""
    top = node(definition, "top")
    top.op = "TopK"
    top.attr["k"].i = k
    del top.input[1]
    del top.attr["Tk"], top.attr["index_type"]


for name, value, k in (("one", x, 1), ("all", x, 5), ("none", x, 0), ("vector", x[0, 0], 3), ("i32", rows, 2),
                       ("ties", np.array([[2, 7, 7, 2, 7]], np.float32), 4), ("empty", x[:0], 2), ("rank_5", deep, 2),
                       ("u8", np.array([[9, 200, 9], [0, 0, 1]], np.uint8), 2), ("double", x[0].astype(np.float64), 3),
                       ("infinite", np.array([1, np.inf, -np.inf, 2], np.float32), 4)):
    def top(x):
        return list(raw.TopKV2(input=x, k=tf.constant(k, name="k"), name="top"))

    tolerance = 1e-6 if value.dtype == np.float64 else None  # computed in float32
    family.case(f"top_k_{name}_v2", top, {"x": value}, tolerance=tolerance)
    values, places = raw.TopKV2(input=value, k=k)
    family.case(f"top_k_{name}_v1", top, {"x": value}, expected=[values.numpy(), places.numpy()], edit=to_top_k,
                tolerance=tolerance)
family.write()

family = Family("select")
a, b = normal(g, 3, 2), normal(g, 3, 2)
mask = np.array([[True, False], [False, True], [True, True]])
family.case("select", lambda c, a, b: raw.Select(condition=c, x=a, y=b), {"c": mask, "a": a, "b": b})
family.case("select_rows", lambda c, a, b: raw.Select(condition=c, x=a, y=b),
            {"c": mask[:, 0], "a": a, "b": b})
family.case("select_square_rows", lambda c, a, b: raw.Select(condition=c, x=a, y=b),
            {"c": np.array([True, False]), "a": a[:2], "b": b[:2]})
family.case("select_scalar", lambda c, a, b: raw.Select(condition=c, x=a, y=b),
            {"c": np.bool_(True), "a": a, "b": b})
family.case("select_vectors", lambda c, a, b: raw.Select(condition=c, x=a, y=b),
            {"c": mask[:, 0], "a": a[:, 0], "b": b[:, 0]})
family.case("select_v2", lambda c, a: raw.SelectV2(condition=c, t=a, e=0.5),
            {"c": mask[0], "a": a})
family.case("select_v2_broadcast", lambda c, a, b: raw.SelectV2(condition=c, t=a, e=b),
            {"c": mask[:, :1], "a": a[:1], "b": b[:, :1]})
family.case("select_i64", lambda c, a: raw.SelectV2(condition=c, t=a, e=-a),
            {"c": mask, "a": np.arange(6, dtype=np.int64).reshape(3, 2)})
more = rng(108)
deep = normal(more, 2, 1, 3, 1, 2)
for name, c, t, e in (("scalars", np.bool_(False), np.float32(1), np.float32(2)),
                      ("all_broadcast", mask[:, :1], normal(more, 1, 2), normal(more, 4, 1, 1)),
                      ("empty", mask[:0], a[:0], np.float32(0)), ("rank_5", deep > 0, deep, -deep),
                      ("bool", mask, mask[:, :1], ~mask), ("u8", mask[0], np.array([1, 255], np.uint8), np.uint8(7)),
                      ("i32", mask, np.int32(-1), np.arange(2, dtype=np.int32)),
                      ("nan_not_taken", np.array([True, False]), np.array([1, np.nan], np.float32),
                       np.array([np.inf, 2], np.float32))):
    family.case(f"select_v2_{name}", lambda c, t, e: raw.SelectV2(condition=c, t=t, e=e), {"c": c, "t": t, "e": e})
family.case("select_v2_constant_condition", lambda a, b: raw.SelectV2(condition=tf.constant(mask), t=a, e=b),
            {"a": a, "b": b})
for name, c, t in (("rank_5", deep > 0, deep), ("rows_of_rank_5", np.array([True, False]), deep),
                   ("empty", mask[:0], a[:0]),
                   ("bool", mask, mask[::-1].copy()), ("of_i64", mask, np.arange(6).reshape(3, 2))):
    family.case(f"select_{name}", lambda c, t: raw.Select(condition=c, x=t, y=t[::-1]), {"c": c, "t": t})
family.write()

family = Family("constant_like")
family.case("fill", lambda v: raw.Fill(dims=[2, 3], value=v), {"v": np.float32(1.5)})
family.case("fill_from_shape", lambda x: raw.Fill(dims=tf.shape(x)[:2], value=7) + tf.cast(x[0, 0, 0], tf.int32),
            {"x": x})
family.case("fill_scalar", lambda x: raw.Fill(dims=np.array([], np.int32), value=2.0) * x, {"x": x})
family.case("zeros_like", lambda x: raw.ZerosLike(x=x), {"x": x})
family.case("ones_like_i32", lambda x: raw.OnesLike(x=x), {"x": rows})
family.case("zeros_like_bool", lambda x: raw.ZerosLike(x=x), {"x": mask})
family.case("range", lambda x: tf.cast(raw.Range(start=0, limit=tf.shape(x)[2], delta=2), tf.float32) + x[0, 0, :3],
            {"x": x})
family.case("range_down", lambda x: raw.Range(start=5, limit=-2, delta=-3) + x[0], {"x": rows})
family.case("range_float", lambda x: raw.Range(start=0.5, limit=2.0, delta=0.25) + x[0, 0, 0], {"x": x})
family.case("range_empty", lambda x: raw.Range(start=3, limit=3, delta=1) + x[0], {"x": rows})
family.case("range_i64", lambda x: raw.Range(start=np.int64(0), limit=np.int64(3), delta=np.int64(1)) + x[0],
            {"x": rows.astype(np.int64)})
family.case("lin_space", lambda x: raw.LinSpace(start=-1.0, stop=2.0, num=7) + x[0, 0, 0], {"x": x})
for lower, upper in ((0, 0), (-1, 0), (0, -1), (1, 2)):
    family.case(f"matrix_band_part_{lower}_{upper}".replace("-", "m"),
                lambda x, lower=lower, upper=upper: raw.MatrixBandPart(
                    input=x, num_lower=lower, num_upper=upper), {"x": x})
family.case("matrix_diag", lambda x: raw.MatrixDiag(diagonal=x), {"x": x[0]})
family.case("matrix_diag_v3", lambda x: tf.linalg.diag(x, padding_value=-1), {"x": x[0]})
family.case("eye", lambda x: tf.linalg.eye(tf.shape(x)[2]) + x[0, 0], {"x": x})
square = normal(g, 2, 3, 3)
family.case("matrix_set_diag", lambda x, d: raw.MatrixSetDiag(input=x, diagonal=d),
            {"x": square, "d": square[:, 0]})
family.case("matrix_set_diag_v3", lambda x, d: tf.linalg.set_diag(x, d), {"x": square, "d": square[:, 0]})
more = rng(109)
VALUES = {"empty": normal(more, 0, 3), "scalar": np.float32(4), "rank_6": normal(more, 1, 2, 1, 2, 1, 1),
          "u8": np.arange(3, dtype=np.uint8),
          "i64": np.arange(3), "double": np.arange(3.0), "flags": np.array([True, False])}
for name, value in VALUES.items():
    family.case(f"zeros_like_{name}", lambda x: raw.ZerosLike(x=x), {"x": value})
    family.case(f"ones_like_{name}", lambda x: raw.OnesLike(x=x), {"x": value})
family.case("zeros_like_nan", lambda x: raw.ZerosLike(x=x), {"x": np.array([np.nan, np.inf], np.float32)})
for name, start, stop, num in (("one", 3.0, 9.0, 1), ("two", 3.0, 9.0, 2), ("down", 1.0, -1.0, 9),
                               ("same", 2.0, 2.0, 4),
                               ("many", 0.0, 1.0, 100), ("large", -1e30, 1e30, 5)):
    family.case(f"lin_space_{name}", lambda one: raw.LinSpace(start=start, stop=stop, num=np.int64(num)) * one,
                {"one": np.float32(1)})
family.case("lin_space_double", lambda one: raw.LinSpace(
    start=tf.constant(0.1, tf.float64), stop=tf.constant(0.7, tf.float64), num=4) * one, {"one": np.float64(1)},
    tolerance=1e-6)
for name, start, limit, delta, dtype in (("negative", 3, -4, -2, np.int32), ("float_down", 1, -1, -0.3, np.float32),
                                         ("i64_step", 2**33, 2**33 + 10, 4, np.int64), ("one", 0, 1, 5, np.int32),
                                         ("double", 0, 2, 0.5, np.float64)):
    family.case(f"range_x_{name}", lambda one: raw.Range(start=dtype(start), limit=dtype(limit),
                                                         delta=dtype(delta)) * one,
                {"one": dtype(1)})
family.write()

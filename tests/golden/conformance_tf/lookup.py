# SPDX-License-Identifier: Apache-2.0
"""Gather, top k, one-hot, select, fills."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

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
family.write()

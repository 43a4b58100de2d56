# SPDX-License-Identifier: Apache-2.0
"""Normalisation, pooling, reductions, resizing, blocks, fake quantisation."""

import itertools

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(6)
x = normal(g, 2, 4, 5, 3)


def nchw(t):
    return np.transpose(t, (0, 3, 1, 2))


family = Family("normalization")
scale, offset, mean, variance = normal(g, 3), normal(g, 3), normal(g, 3), np.abs(normal(g, 3)) + 0.1
for op in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
    extra = {} if op == "FusedBatchNorm" else {"U": tf.float32}

    def norm(x, op=op, **kwargs):
        arguments = dict(scale=scale, offset=offset, mean=mean, variance=variance, epsilon=0.001,
                         is_training=False)
        return getattr(raw, op)(**{"x": x, **arguments, **kwargs})

    family.case(f"{op.lower()}_inference", lambda x: norm(x).y, {"x": x}, tolerance=1e-5)
    family.case(f"{op.lower()}_training",
                lambda x: list(norm(x, is_training=True, mean=np.zeros(0, np.float32),
                                    variance=np.zeros(0, np.float32))[:3]), {"x": x}, tolerance=1e-5)
family.case("batch_norm_fed", lambda x, s, o, m, v: raw.FusedBatchNormV3(
    x=x, scale=s, offset=o, mean=m, variance=v, is_training=False).y,
    {"x": x, "s": scale, "o": offset, "m": mean, "v": variance})
family.case("batch_norm_statistics_pass", lambda x: list(norm(x)[:3]), {"x": x})
family.case("batch_norm_nchw", lambda x: norm(x, data_format="NCHW").y, {"x": nchw(x)},
            expected=nchw((x - mean) / np.sqrt(variance + 0.001) * scale + offset))
family.case("softmax", lambda x: raw.Softmax(logits=x * 10), {"x": x})
family.case("softmax_vector", lambda x: raw.Softmax(logits=x), {"x": x[0, 0, 0]})
family.case("log_softmax", lambda x: raw.LogSoftmax(logits=x), {"x": x})
family.case("lrn", lambda x: raw.LRN(input=x, depth_radius=1, bias=2.0, alpha=0.5, beta=0.75), {"x": x})
family.case("lrn_default", lambda x: raw.LRN(input=x), {"x": x})
family.write()

family = Family("pooling")
for op, padding, stride, window in itertools.product(("MaxPool", "AvgPool"), ("SAME", "VALID"), (1, 2, 3),
                                                     ((2, 2), (3, 2))):
    key = "input" if op == "MaxPool" else "value"
    family.case(f"{op.lower()}_{padding.lower()}_s{stride}_k{window[0]}{window[1]}",
                lambda x: getattr(raw, op)(**{key: x}, ksize=[1, *window, 1],
                                           strides=[1, stride, stride, 1], padding=padding), {"x": x})
family.case("max_pool_explicit", lambda x: raw.MaxPool(
    input=x, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="EXPLICIT",
    explicit_paddings=[0, 0, 1, 0, 0, 2, 0, 0]), {"x": x})
family.case("max_pool_v2", lambda x: raw.MaxPoolV2(input=x, ksize=[1, 2, 2, 1], strides=[1, 1, 2, 1],
                                                   padding="VALID"), {"x": x})
family.case("max_pool_channels", lambda x: raw.MaxPool(input=x, ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3],
                                                       padding="VALID"), {"x": x})
family.case("max_pool_i32", lambda x: raw.MaxPool(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
                                                  padding="SAME"), {"x": (x * 10).astype(np.int32)})
family.case("max_pool_nchw", lambda x: raw.MaxPool(input=x, ksize=[1, 1, 3, 2], strides=[1, 1, 2, 1],
                                                   padding="SAME", data_format="NCHW"), {"x": nchw(x)},
            expected=nchw(tf.nn.max_pool2d(x, (3, 2), (2, 1), "SAME").numpy()))
family.case("avg_pool_nchw", lambda x: raw.AvgPool(value=x, ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2],
                                                   padding="VALID", data_format="NCHW"), {"x": nchw(x)},
            expected=nchw(tf.nn.avg_pool2d(x, 2, 2, "VALID").numpy()))
family.write()

family = Family("reduction")
r = normal(g, 2, 3, 4)
for op in ("Sum", "Mean", "Prod", "Max", "Min"):
    for name, axes in (("all", [0, 1, 2]), ("last", [-1]), ("outer", [0, 1]), ("middle", [1]),
                       ("ends", [2, 0])):
        family.case(f"{op.lower()}_{name}", lambda x: getattr(raw, op)(input=x, axis=axes), {"x": r})
    family.case(f"{op.lower()}_keep", lambda x: getattr(raw, op)(input=x, axis=[1, -1], keep_dims=True),
                {"x": r})
    family.case(f"{op.lower()}_scalar_axis", lambda x: getattr(raw, op)(input=x, axis=0), {"x": r})
    family.case(f"{op.lower()}_no_axes",
                lambda x: getattr(raw, op)(input=x, axis=np.array([], np.int32)) + 1, {"x": r})
    family.case(f"{op.lower()}_i32", lambda x: getattr(raw, op)(input=x, axis=np.array([1], np.int64)),
                {"x": np.arange(12, dtype=np.int32).reshape(3, 4) - 5})
flags = np.array([[True, False, True], [True, True, True]])
for op in ("All", "Any"):
    family.case(f"{op.lower()}_axis", lambda x: getattr(raw, op)(input=x, axis=[-1]), {"x": flags})
    family.case(f"{op.lower()}_keep", lambda x: getattr(raw, op)(input=x, axis=[0], keep_dims=True), {"x": flags})
for op in ("ArgMax", "ArgMin"):
    for axis in (0, 1, -1):
        family.case(f"{op.lower()}_{axis}".replace("-", "m"),
                    lambda x: getattr(raw, op)(input=x, dimension=axis), {"x": r})
    family.case(f"{op.lower()}_i32_output",
                lambda x: getattr(raw, op)(input=x, dimension=1, output_type=tf.int32), {"x": r})
family.case("arg_max_ties", lambda x: raw.ArgMax(input=x, dimension=0),
            {"x": np.array([1, 3, 3, 2], np.float32)})
family.case("euclidean_norm", lambda x: raw.EuclideanNorm(input=x, axis=[-1], keep_dims=True), {"x": r})
family.case("l2_loss", lambda x: raw.L2Loss(t=x), {"x": r})
for exclusive, reverse in itertools.product((False, True), (False, True)):
    family.case(f"cumsum_{int(exclusive)}{int(reverse)}", lambda x: raw.Cumsum(
        x=x, axis=1, exclusive=exclusive, reverse=reverse), {"x": r})
family.case("cumsum_last", lambda x: raw.Cumsum(x=x, axis=-1), {"x": r})
family.case("cumsum_i32", lambda x: raw.Cumsum(x=x, axis=0), {"x": np.arange(6, dtype=np.int32)})
family.write()

family = Family("image")
for op in ("ResizeBilinear", "ResizeNearestNeighbor"):
    for name, flag in (("legacy", {}), ("corners", {"align_corners": True}),
                       ("half_pixel", {"half_pixel_centers": True})):
        for size in ((8, 10), (3, 2), (1, 1), (7, 5)):
            family.case(f"{op.lower()}_{name}_{size[0]}x{size[1]}",
                        lambda x: getattr(raw, op)(images=x, size=list(size), **flag), {"x": x})
    family.case(f"{op.lower()}_u8", lambda x: getattr(raw, op)(images=x, size=[8, 9]),
                {"x": np.arange(60, dtype=np.uint8).reshape(1, 4, 5, 3)})
    family.case(f"{op.lower()}_computed_size",
                lambda x: getattr(raw, op)(images=x, size=tf.shape(x)[1:3] * 2), {"x": x})
family.write()

family = Family("blocks")
d = normal(g, 2, 4, 6, 8)
for block in (2,):
    family.case(f"depth_to_space_{block}", lambda x: raw.DepthToSpace(input=x, block_size=block), {"x": d})
    family.case(f"space_to_depth_{block}", lambda x: raw.SpaceToDepth(input=x, block_size=block), {"x": d})
family.case("depth_to_space_nchw",
            lambda x: raw.DepthToSpace(input=x, block_size=2, data_format="NCHW"), {"x": nchw(d)},
            expected=nchw(tf.nn.depth_to_space(d, 2).numpy()))
family.case("space_to_depth_nchw",
            lambda x: raw.SpaceToDepth(input=x, block_size=2, data_format="NCHW"), {"x": nchw(d)},
            expected=nchw(tf.nn.space_to_depth(d, 2).numpy()))
family.case("space_to_batch_nd", lambda x: raw.SpaceToBatchND(
    input=x, block_shape=[2, 3], paddings=[[1, 1], [0, 3]]), {"x": d})
family.case("space_to_batch_nd_1d", lambda x: raw.SpaceToBatchND(
    input=x, block_shape=[2], paddings=[[1, 1]]), {"x": d[:, :, 0]})
family.case("space_to_batch_nd_no_rest", lambda x: raw.SpaceToBatchND(
    input=x, block_shape=[2, 2], paddings=[[0, 0], [0, 0]]), {"x": d[..., 0]})
family.case("space_to_batch_v1", lambda x: raw.SpaceToBatch(
    input=x, block_size=2, paddings=[[0, 0], [1, 1]]), {"x": d})
b = normal(g, 6, 2, 3, 2)
family.case("batch_to_space_nd", lambda x: raw.BatchToSpaceND(
    input=x, block_shape=[2, 3], crops=[[1, 0], [2, 1]]), {"x": b})
family.case("batch_to_space_nd_1d", lambda x: raw.BatchToSpaceND(
    input=x, block_shape=[3], crops=[[0, 0]]), {"x": b[..., 0]})
family.case("batch_to_space_v1", lambda x: raw.BatchToSpace(
    input=x, block_size=2, crops=[[0, 1], [1, 0]]), {"x": normal(g, 4, 2, 3, 2)})
family.write()

family = Family("quantization")
q = np.array([-10.1, -10, -9.9, -9.75, 53.75, 53.8, 0.3], np.float32)
for name, low, high, narrow in (("q1", -10, 53.75, False), ("q2", -0.1, 63.65, False),
                                ("q3", -0.125, 63.625, False), ("q4", -10, 53.5, True),
                                ("positive", 1, 5, False), ("negative", -5, -1, False)):
    family.case(f"fake_quant_vars_{name}", lambda x: raw.FakeQuantWithMinMaxVars(
        inputs=x, min=low, max=high, narrow_range=narrow), {"x": q})
family.case("fake_quant_args", lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x), {"x": x})
family.case("fake_quant_args_bits", lambda x: raw.FakeQuantWithMinMaxArgs(
    inputs=x, min=-1.0, max=2.0, num_bits=4), {"x": x})
family.case("fake_quant_vars_zero", lambda x: raw.FakeQuantWithMinMaxVars(inputs=x, min=0.0, max=0.0),
            {"x": q})
family.case("fake_quant_per_channel", lambda x: raw.FakeQuantWithMinMaxVarsPerChannel(
    inputs=x, min=[-1.0, -0.3, 0.0], max=[1.0, 2.0, 3.0]), {"x": x})
family.write()

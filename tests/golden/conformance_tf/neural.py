# SPDX-License-Identifier: Apache-2.0
"""Normalisation, pooling, reductions, resizing, blocks, fake quantisation."""

import itertools

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

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
more = rng(110)
for op in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
    def norm(x, training=False, **kwargs):
        empty = np.zeros(0, np.float32)
        arguments = dict(scale=scale, offset=offset, mean=empty if training else mean,
                         variance=empty if training else variance, is_training=training)
        return getattr(raw, op)(**{"x": x, **arguments, **kwargs})

    low = op.lower()
    family.case(f"{low}_epsilon", lambda x: norm(x, epsilon=0.5).y, {"x": x})
    family.case(f"{low}_one_pixel", lambda x: norm(x).y, {"x": normal(more, 5, 1, 1, 3)})
    family.case(f"{low}_no_batch", lambda x: norm(x).y, {"x": x[:0]})
    family.case(f"{low}_fed_variance", lambda x, v: norm(x, variance=v).y, {"x": x, "v": variance})
    # TensorFlow sums mean and variance in another order.
    family.case(f"{low}_training_epsilon", lambda x: norm(x, True, epsilon=0.1).y, {"x": x}, tolerance=1e-5)
    family.case(f"{low}_training_one_channel", lambda x: list(norm(x, True, scale=[2.0], offset=[-1.0]))[:3],
                {"x": normal(more, 2, 3, 3, 1)}, tolerance=1e-5)
    for training in (False, True):
        reference = norm(x, training).y.numpy()
        family.case(f"{low}_nchw_{'training' if training else 'inference'}",
                    lambda x: norm(x, training, data_format="NCHW").y, {"x": nchw(x)}, expected=nchw(reference),
                    tolerance=1e-5)
    if op != "FusedBatchNorm":
        family.case(f"{low}_half", lambda x: norm(x).y, {"x": x.astype(np.float16)}, tolerance=4e-3)
for factor in (0.0, 0.25):
    family.case(f"fusedbatchnormv3_moving_average_{factor:g}".replace(".", "_"), lambda x: list(raw.FusedBatchNormV3(
        x=x, scale=scale, offset=offset, mean=mean, variance=variance, is_training=True,
        exponential_avg_factor=factor))[:3], {"x": x}, tolerance=1e-5)


def to_global(definition):
    """Replaces the IdentityN, a stand-in, by the op of 2015 with inputs x, mean, variance, beta, gamma."""
    old = node(definition, "norm")
    old.op = "BatchNormWithGlobalNormalization"
    del old.attr["T"]
    old.attr["T"].type = tf.float32.as_datatype_enum
    old.attr["variance_epsilon"].f, old.attr["scale_after_normalization"].b = epsilon, scales


for name, shape, epsilon, scales in (("plain", (2, 4, 5, 3), 1e-3, True), ("unscaled", (2, 4, 5, 3), 1e-3, False),
                                     ("large_epsilon", (2, 4, 5, 3), 2.0, True),
                                     ("one_pixel", (1, 1, 1, 3), 1e-5, True),
                                     ("empty", (0, 2, 2, 3), 1e-3, True), ("no_epsilon", (1, 2, 2, 3), 0.0, False)):
    picture = normal(more, *shape)
    expected = (picture - mean) / np.sqrt(variance + np.float32(epsilon)) * (scale if scales else 1) + offset

    def build(x, m, v, b, s):
        return raw.IdentityN(input=[x, m, v, b, s], name="norm")[0]

    for fed in (True, False):
        values = {"m": mean, "v": variance, "b": offset, "s": scale}
        f = build if fed else lambda x: build(x, *[tf.constant(value) for value in values.values()])
        family.case(f"global_{name}_{'fed' if fed else 'known'}", f, {"x": picture, **(values if fed else {})},
                    expected=expected.astype(np.float32), edit=to_global)

for op in ("Softmax", "LogSoftmax"):
    f = getattr(raw, op)
    low = op.lower()
    family.case(f"{low}_one_class", lambda x: f(logits=x), {"x": normal(more, 3, 1)})
    family.case(f"{low}_no_rows", lambda x: f(logits=x), {"x": normal(more, 0, 4)})
    family.case(f"{low}_large", lambda x: f(logits=x),
                {"x": np.array([[1e4, 0, -1e4], [88, 89, 90], [-3e38, 3e38, 0]], np.float32)})
    family.case(f"{low}_equal", lambda x: f(logits=x), {"x": np.full((2, 7), -5, np.float32)})
    family.case(f"{low}_infinite", lambda x: f(logits=x),
                {"x": np.array([[-np.inf, 1, 2], [0, -np.inf, -np.inf]], np.float32)})
    family.case(f"{low}_rank_5", lambda x: f(logits=x), {"x": normal(more, 2, 1, 2, 1, 3)})
    family.case(f"{low}_half", lambda x: f(logits=x), {"x": normal(more, 2, 5).astype(np.float16)}, tolerance=2e-3)
    family.case(f"{low}_double", lambda x: f(logits=x), {"x": normal(more, 2, 5).astype(np.float64)}, tolerance=1e-6)
for name, shape, attrs in (("radius_0", (1, 2, 2, 4), {"depth_radius": 0}),
                           ("wide", (1, 2, 1, 5), {"depth_radius": 20}),
                           ("alone", (2, 1, 1, 1), {"bias": 0.5, "alpha": 2.0, "beta": 1.0}),
                           ("empty", (0, 2, 2, 3), {}),
                           ("beta_0", (1, 2, 2, 4), {"beta": 0.0}),
                           ("tiny_alpha", (1, 1, 2, 8), {"alpha": 1e-4, "beta": 0.75, "depth_radius": 2})):
    family.case(f"lrn_{name}", lambda x: raw.LRN(input=x, **attrs), {"x": normal(more, *shape)})
family.case("lrn_half", lambda x: raw.LRN(input=x, depth_radius=1), {"x": normal(more, 1, 2, 2, 4).astype(np.float16)},
            tolerance=4e-3)
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
more = rng(111)
y = normal(more, 2, 5, 7, 4)
for name, value, k, s, padding in (("same", y, [1, 3, 2, 1], [1, 2, 1, 1], "SAME"),
                                   ("whole", y, [1, 5, 7, 1], [1, 1, 1, 1], "VALID"),
                                   ("channels", y, [1, 1, 1, 2], [1, 1, 1, 2], "VALID"),
                                   ("no_batch", y[:0], [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
                                   ("one", y, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
                                   ("gaps", y, [1, 1, 1, 1], [1, 3, 2, 1], "VALID"),
                                   ("larger_than_picture", y[:, :2, :2], [1, 4, 4, 1], [1, 1, 1, 1], "SAME")):
    family.case(f"max_pool_v2_{name}", lambda x: raw.MaxPoolV2(input=x, ksize=k, strides=s, padding=padding),
                {"x": value})
    family.case(f"max_pool_v1_{name}", lambda x: raw.MaxPool(input=x, ksize=k, strides=s, padding=padding),
                {"x": value})
    if name != "channels":
        family.case(f"avg_pool_{name}", lambda x: raw.AvgPool(value=x, ksize=k, strides=s, padding=padding),
                    {"x": value})
family.case("max_pool_v2_nchw", lambda x: raw.MaxPoolV2(input=x, ksize=[1, 1, 2, 3], strides=[1, 1, 2, 2],
                                                        padding="SAME",
                                                        data_format="NCHW"), {"x": nchw(y)},
            expected=nchw(tf.nn.max_pool2d(y, (2, 3), (2, 2), "SAME").numpy()))
for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int64):
    for op in ("MaxPool", "MaxPoolV2"):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", lambda x: getattr(raw, op)(
            input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"),
                    {"x": more.integers(0, 120, (1, 4, 4, 2)).astype(dtype)})
family.case("max_pool_negative_border", lambda x: raw.MaxPool(input=x, ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1],
                                                              padding="SAME"),
            {"x": -np.abs(y[:1])})
family.case("max_pool_infinite", lambda x: raw.MaxPool(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
                                                       padding="SAME"),
            {"x": np.where(y[:1] > 1, np.inf, y[:1]).astype(np.float32)})
family.case("avg_pool_half", lambda x: raw.AvgPool(value=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"),
            {"x": y[:1].astype(np.float16)}, tolerance=2e-3)
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
more = rng(112)
deep = normal(more, 2, 1, 3, 1, 2, 2)
empty = normal(more, 2, 0, 3)
NAN = np.array([[1, np.nan, 3], [-np.inf, 2, np.inf]], np.float32)
for op in ("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"):
    f = lambda x, axis, keep=False: getattr(raw, op)(input=x, axis=np.array(axis, np.int32), keep_dims=keep)
    low = op.lower()
    family.case(f"{low}_of_scalar", lambda x: f(x, []) * 2.0, {"x": np.float32(-1.5)})
    family.case(f"{low}_rank_6", lambda x: f(x, [0, -2, 2], True), {"x": deep})
    family.case(f"{low}_of_nothing", lambda x: f(x, [2]), {"x": empty})
    family.case(f"{low}_of_empty_axis", lambda x: f(x, [1]), {"x": empty})
    family.case(f"{low}_ones", lambda x: f(x, [1, 3]), {"x": deep})
    family.case(f"{low}_nothing_reduced", lambda x: f(x, []) + 1.0, {"x": r})
    family.case(f"{low}_all_i64_axes", lambda x: getattr(raw, op)(input=x, axis=np.array([0, 1, 2], np.int64)),
                {"x": r})
    family.case(f"{low}_double", lambda x: f(x, [0]), {"x": r.astype(np.float64)}, tolerance=1e-6)
    if op in ("Sum", "Mean", "Prod"):
        family.case(f"{low}_special", lambda x: f(x, [1]), {"x": NAN})
for op in ("Sum", "Prod", "Max", "Min"):
    for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int64):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", lambda x: getattr(raw, op)(input=x, axis=[1]),
                    {"x": np.array([[100, 100, 3], [1, 2, 3]], dtype)})
deep_flags = deep > 0.5
for op in ("All", "Any"):
    f = lambda x, axis, keep=False: getattr(raw, op)(input=x, axis=np.array(axis, np.int32), keep_dims=keep)
    for name, value, axis, keep in (("everything", deep_flags, range(6), False), ("none", flags, [], False),
                                    ("scalar", np.bool_(True), [], False), ("rank_6", deep_flags, [-1, 2, 0], True),
                                    ("of_nothing", empty > 0, [2], False), ("of_empty_axis", empty > 0, [1], True)):
        family.case(f"{op.lower()}_{name}", lambda x: raw.LogicalNot(x=f(x, list(axis), keep)), {"x": value})
    family.case(f"{op.lower()}_i64_axis", lambda x: getattr(raw, op)(input=x, axis=np.int64(-2)), {"x": flags})
for op in ("ArgMax", "ArgMin"):
    f = lambda x, axis, **options: getattr(raw, op)(input=x, dimension=axis, **options)
    family.case(f"{op.lower()}_rank_6", lambda x: f(x, -4), {"x": deep})
    family.case(f"{op.lower()}_vector", lambda x: f(x, 0), {"x": r[0, 0]})
    family.case(f"{op.lower()}_all_equal", lambda x: f(x, 1), {"x": np.zeros((2, 4), np.float32)})
    family.case(f"{op.lower()}_i64_axis", lambda x: f(x, np.int64(2)), {"x": r})
    family.case(f"{op.lower()}_no_rows", lambda x: f(x, 1), {"x": r[:0]})
    family.case(f"{op.lower()}_infinite", lambda x: f(x, 0),
                {"x": np.array([1, np.inf, -np.inf, np.inf, -np.inf], np.float32)})
    family.case(f"{op.lower()}_bool", lambda x: f(x, 1), {"x": flags})
    for dtype in (np.uint8, np.int8, np.int32, np.int64, np.float64):
        family.case(f"{op.lower()}_of_{np.dtype(dtype).name}", lambda x: f(x, 1),
                    {"x": np.array([[3, 100, 0, 100], [0, 5, 0, 1]], dtype)})
family.case("argmax_u16_output", lambda x: raw.ArgMax(input=x, dimension=0, output_type=tf.uint16), {"x": r})
family.case("argmax_i16_output", lambda x: raw.ArgMax(input=x, dimension=0, output_type=tf.int16), {"x": r})
for name, axis, keep in (("all", [0, 1, 2], False), ("two", [0, -1], False), ("kept", [1], True)):
    family.case(f"euclideannorm_{name}", lambda x: raw.EuclideanNorm(input=x, axis=axis, keep_dims=keep), {"x": r})
for name, value in (("scalar", np.float32(3)), ("empty", empty), ("rank_6", deep),
                    ("large", np.array([1e15, 3e15], np.float32)),
                    ("double", r.astype(np.float64)), ("nan", NAN)):
    family.case(f"l2_loss_{name}", lambda x: raw.L2Loss(t=x), {"x": value},
                tolerance=1e-6 if name == "double" else None)
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
for name, align in (("area", False), ("area_corners", True)):
    for size in ((8, 10), (3, 2), (1, 1), (2, 7), (4, 5), (9, 3)):
        family.case(f"resize_{name}_{size[0]}x{size[1]}",
                    lambda x: raw.ResizeArea(images=x, size=list(size), align_corners=align), {"x": x})
    family.case(f"resize_{name}_one_pixel", lambda x: raw.ResizeArea(images=x, size=[3, 4], align_corners=align),
                {"x": x[:, :1, :1]})
    family.case(f"resize_{name}_row", lambda x: raw.ResizeArea(images=x, size=[1, 2], align_corners=align),
                {"x": x[:1, 2:3]})
for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.float16, np.float64):
    family.case(f"resize_area_{np.dtype(dtype).name}", lambda x: raw.ResizeArea(images=x, size=[3, 7]),
                {"x": np.arange(60).reshape(1, 4, 5, 3).astype(dtype)})
family.case("resize_area_no_pictures", lambda x: raw.ResizeArea(images=x, size=[3, 7]), {"x": x[:0]})
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
more = rng(113)
for op in ("DepthToSpace", "SpaceToDepth"):
    f = lambda x, block, **options: getattr(raw, op)(input=x, block_size=block, **options)
    low = "depth_to_space" if op == "DepthToSpace" else "space_to_depth"
    for name, block, shape in (("3", 3, (1, 3, 6, 9)), ("one_pixel", 2, (1, 2, 2, 4)), ("4", 4, (1, 4, 4, 16)),
                               ("no_batch", 2, (0, 2, 2, 4)),
                               ("batch", 2, (3, 2, 4, 4))):
        value = normal(more, *shape)
        family.case(f"{low}_of_{name}", lambda x: f(x, block), {"x": value})
        family.case(f"{low}_of_{name}_nchw", lambda x: f(x, block, data_format="NCHW"), {"x": nchw(value)},
                    expected=nchw(f(value, block).numpy()))
    for dtype in (np.int32, np.uint8, np.int8):
        family.case(f"{low}_{np.dtype(dtype).name}", lambda x: f(x, 2),
                    {"x": np.arange(64).reshape(1, 4, 4, 4).astype(dtype)})
for name, shape, blocks, pads in (("1d_one", (2, 4), [1], [[0, 0]]),
                                  ("no_blocks", (3, 2), np.zeros(0), np.zeros((0, 2))),
                                  ("3d", (1, 2, 3, 4, 2), [2, 3, 2], [[0, 0], [1, 2], [0, 2]]),
                                  ("pads_only", (2, 3, 1), [1, 1], [[1, 2], [0, 1]]),
                                  ("empty", (0, 4, 2), [2], [[1, 1]]),
                                  ("all_of_it", (1, 4, 6, 1), [4, 6], [[0, 0], [0, 0]])):
    family.case(f"space_to_batch_nd_of_{name}", lambda x: raw.SpaceToBatchND(
        input=x, block_shape=np.array(blocks, np.int32), paddings=np.array(pads, np.int64)),
        {"x": normal(more, *shape)})
for name, shape, blocks, crops in (("1d_one", (2, 4), [1], [[1, 0]]),
                                   ("no_blocks", (3, 2), np.zeros(0), np.zeros((0, 2))),
                                   ("3d", (8, 2, 1, 2, 2), [2, 2, 2], [[0, 1], [1, 0], [2, 1]]),
                                   ("crops_only", (2, 3, 4, 1), [1, 1], [[1, 1], [0, 3]]),
                                   ("crops_all", (4, 2, 3), [2], [[3, 1]]),
                                   ("to_one", (6, 1, 1, 2), [2, 3], [[0, 0], [0, 0]])):
    family.case(f"batch_to_space_nd_of_{name}", lambda x: raw.BatchToSpaceND(
        input=x, block_shape=np.array(blocks, np.int32), crops=np.array(crops, np.int64)), {"x": normal(more, *shape)})
for name, shape, block, pads in (("3", (1, 3, 4, 2), 3, [[1, 2], [0, 2]]),
                                 ("no_pads", (2, 4, 2, 1), 2, [[0, 0], [0, 0]]),
                                 ("no_batch", (0, 2, 2, 1), 2, [[0, 0], [0, 0]]),
                                 ("4", (1, 2, 2, 3), 4, [[1, 1], [2, 0]])):
    family.case(f"space_to_batch_v1_{name}", lambda x: raw.SpaceToBatch(input=x, block_size=block, paddings=pads),
                {"x": normal(more, *shape)})
    family.case(f"batch_to_space_v1_{name}", lambda x: raw.BatchToSpace(input=x, block_size=block, crops=pads),
                {"x": normal(more, shape[0] * block * block, 2, 2, shape[3])})
family.case("space_to_batch_v1_i64_pads", lambda x: raw.SpaceToBatch(input=x, block_size=2,
                                                                     paddings=np.array([[1, 1], [0, 0]])),
            {"x": np.arange(8, dtype=np.int32).reshape(1, 2, 4, 1)})
family.case("batch_to_space_v1_i64_crops", lambda x: raw.BatchToSpace(input=x, block_size=2,
                                                                      crops=np.array([[1, 1], [0, 1]])),
            {"x": np.arange(16, dtype=np.int32).reshape(4, 2, 2, 1)})
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
more = rng(114)
for name, attrs in (("2_bits", {"num_bits": 2}), ("16_bits", {"num_bits": 16, "min": -3.0, "max": 1.0}),
                    ("narrow", {"narrow_range": True}),
                    ("positive", {"min": 0.5, "max": 2.0}), ("negative", {"min": -2.0, "max": -0.5}),
                    ("zero_at_end", {"min": 0.0, "max": 1.0}),
                    ("wide", {"min": -1e4, "max": 1e4})):
    family.case(f"fake_quant_args_{name}", lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x, **attrs), {"x": x})
for name, shape in (("scalar", ()), ("empty", (0, 3)), ("rank_6", (1, 2, 1, 2, 1, 2))):
    family.case(f"fake_quant_args_{name}", lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x), {"x": normal(more, *shape)})
for name, shape, attrs in (("vector", (3,), {}), ("matrix", (4, 3), {}),
                           ("narrow_4_bits", (4, 3), {"narrow_range": True, "num_bits": 4}),
                           ("16_bits", (2, 2, 3), {"num_bits": 16}), ("empty", (0, 3), {}),
                           ("pictures", (2, 2, 2, 3), {"num_bits": 2})):
    family.case(f"fake_quant_per_channel_{name}", lambda x: raw.FakeQuantWithMinMaxVarsPerChannel(
        inputs=x, min=[-1.0, 0.0, -4.0], max=[0.5, 2.0, 3.5], **attrs), {"x": normal(more, *shape) * 3})
family.case("fake_quant_per_channel_zero_range", lambda x: raw.FakeQuantWithMinMaxVarsPerChannel(
    inputs=x, min=[-1.0, 0.0], max=[1.0, 0.0]), {"x": normal(more, 3, 2)})
family.case("fake_quant_constant_weights", lambda x: x @ raw.FakeQuantWithMinMaxVars(
    inputs=normal(rng(2), 3, 2), min=-1.5, max=1.5), {"x": normal(more, 2, 3)})
family.write()

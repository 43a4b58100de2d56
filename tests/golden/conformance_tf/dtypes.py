# SPDX-License-Identifier: Apache-2.0
"""One case of each op that moves or counts elements, and of arithmetic, for each dtype that a tensor can have."""

import numpy as np

from tf_cases import Family, raw, rng, tf

DTYPES = (np.bool_, np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64)
g = rng(121)


def values(dtype, *shape):
    """Numbers that every dtype holds, in every order."""
    numbers = g.permutation(np.arange(np.prod(shape, dtype=np.int64)) % 50)
    return (numbers % 2 == 0 if dtype == np.bool_ else numbers.astype(dtype)).reshape(shape)


def constant(x, value):
    return tf.cast(value, x.dtype)


MOVERS = {
    "reshape": ((2, 3), lambda x: raw.Reshape(tensor=x, shape=[3, -1])),
    "transpose": ((2, 3), lambda x: raw.Transpose(x=x, perm=[1, 0])),
    "concat": ((2, 3), lambda x: raw.ConcatV2(values=[x, x[:1]], axis=0)),
    "pack": ((3,), lambda x: raw.Pack(values=[x, x], axis=1)),
    "unpack": ((2, 3), lambda x: raw.Unpack(value=x, num=3, axis=1)),
    "split": ((2, 4), lambda x: raw.Split(axis=1, value=x, num_split=2)),
    "slice": ((3, 4), lambda x: raw.Slice(input=x, begin=[1, 0], size=[2, 3])),
    "strided_slice": ((5,), lambda x: x[::-2]),
    "reverse": ((2, 3), lambda x: raw.ReverseV2(tensor=x, axis=[1])),
    "roll": ((5,), lambda x: raw.Roll(input=x, shift=2, axis=0)),
    "reverse_sequence": ((2, 4), lambda x: raw.ReverseSequence(input=x, seq_lengths=[2, 4], seq_dim=1)),
    "tile": ((2, 2), lambda x: raw.Tile(input=x, multiples=[1, 2])),
    "pad": ((2, 2), lambda x: raw.Pad(input=x, paddings=[[1, 0], [0, 2]])),
    "pad_v2": ((2, 2), lambda x: raw.PadV2(input=x, paddings=[[1, 0], [0, 2]], constant_values=constant(x, 1))),
    "mirror_pad": ((2, 3), lambda x: raw.MirrorPad(input=x, paddings=[[1, 0], [0, 2]], mode="REFLECT")),
    "broadcast_to": ((2, 1), lambda x: raw.BroadcastTo(input=x, shape=[2, 3])),
    "gather": ((3, 2), lambda x: raw.GatherV2(params=x, indices=[2, 0], axis=0)),
    "gather_nd": ((3, 2), lambda x: raw.GatherNd(params=x, indices=[[2, 0], [1, 1]])),
    "select": ((2, 3), lambda x: raw.SelectV2(condition=[True, False, True], t=x, e=x[:1])),
    "one_hot": ((1,), lambda x: raw.OneHot(indices=[1, 0, 7], depth=3, on_value=x[0], off_value=constant(x, 1))),
    "fill": ((1,), lambda x: raw.Fill(dims=[2, 2], value=x[0])),
    "zeros_like": ((2,), lambda x: raw.ZerosLike(x=x)),
    "ones_like": ((2,), lambda x: raw.OnesLike(x=x)),
    "space_to_depth": ((1, 2, 2, 1), lambda x: raw.SpaceToDepth(input=x, block_size=2)),
    "depth_to_space": ((1, 1, 1, 4), lambda x: raw.DepthToSpace(input=x, block_size=2)),
    "space_to_batch": ((1, 3, 2), lambda x: raw.SpaceToBatchND(input=x, block_shape=[2], paddings=[[1, 0]])),
    "batch_to_space": ((2, 2, 2), lambda x: raw.BatchToSpaceND(input=x, block_shape=[2], crops=[[1, 0]])),
    "matrix_diag": ((3,), lambda x: raw.MatrixDiag(diagonal=x)),
    "matrix_diag_part": ((2, 3), lambda x: raw.MatrixDiagPart(input=x)),
    "matrix_set_diag": ((2, 3), lambda x: raw.MatrixSetDiag(input=x, diagonal=x[0, :2])),
    "matrix_band_part": ((3, 3), lambda x: raw.MatrixBandPart(input=x, num_lower=np.int64(1), num_upper=np.int64(0))),
    "scatter_nd": ((2,), lambda x: raw.ScatterNd(indices=[[3], [0]], updates=x, shape=[4])),
    "tensor_scatter": ((4,), lambda x: raw.TensorScatterUpdate(tensor=x, indices=[[3], [0]], updates=x[1:3])),
    "dynamic_stitch": ((2, 2), lambda x: raw.DynamicStitch(indices=[[1], [0, 2]], data=[x[:1], x])),
    "equal": ((4,), lambda x: raw.Equal(x=x, y=x[::-1])),
    "not_equal": ((4,), lambda x: raw.NotEqual(x=x, y=x[:1])),
}
NUMBERS = {
    "add": lambda x, y: raw.AddV2(x=x, y=y), "add_v1": lambda x, y: raw.Add(x=x, y=y),
    "sub": lambda x, y: raw.Sub(x=x, y=y), "mul": lambda x, y: raw.Mul(x=x, y=y),
    "div": lambda x, y: raw.Div(x=x, y=y), "real_div": lambda x, y: raw.RealDiv(x=x, y=y),
    "floor_div": lambda x, y: raw.FloorDiv(x=x, y=y), "floor_mod": lambda x, y: raw.FloorMod(x=x, y=y),
    "truncate_div": lambda x, y: raw.TruncateDiv(x=x, y=y), "truncate_mod": lambda x, y: raw.TruncateMod(x=x, y=y),
    "maximum": lambda x, y: raw.Maximum(x=x, y=y), "minimum": lambda x, y: raw.Minimum(x=x, y=y),
    "squared_difference": lambda x, y: raw.SquaredDifference(x=x, y=y), "pow": lambda x, y: raw.Pow(x=x, y=y),
    "less": lambda x, y: raw.Less(x=x, y=y), "greater_equal": lambda x, y: raw.GreaterEqual(x=x, y=y),
    "add_n": lambda x, y: raw.AddN(inputs=[x, y, x]), "bias_add": lambda x, y: raw.BiasAdd(value=x, bias=y[0]),
    "clip": lambda x, y: raw.ClipByValue(t=x, clip_value_min=y[0, 0], clip_value_max=constant(y, 30)),
    "abs": lambda x: raw.Abs(x=x), "neg": lambda x: raw.Neg(x=x), "sign": lambda x: raw.Sign(x=x),
    "square": lambda x: raw.Square(x=x), "relu": lambda x: raw.Relu(features=x),
    "relu6": lambda x: raw.Relu6(features=x),
    "sum": lambda x: raw.Sum(input=x, axis=[1]), "prod": lambda x: raw.Prod(input=x, axis=[1]),
    "max": lambda x: raw.Max(input=x, axis=[0]), "min": lambda x: raw.Min(input=x, axis=[0, 1]),
    "mean": lambda x: raw.Mean(input=x, axis=[0]), "arg_max": lambda x: raw.ArgMax(input=x, dimension=1),
    "arg_min": lambda x: raw.ArgMin(input=x, dimension=0), "top_k": lambda x: list(raw.TopKV2(input=x, k=2)),
    "top_k_i64": lambda x: list(raw.TopKV2(input=x, k=2, index_type=tf.int64)),
    "cumsum": lambda x: raw.Cumsum(x=x, axis=0), "cumprod": lambda x: raw.Cumprod(x=x, axis=1),
    "matmul": lambda x, y: raw.MatMul(a=x, b=y, transpose_b=True),
    "batch_matmul": lambda x, y: raw.BatchMatMulV2(x=x, y=y, adj_y=True),
    "unsorted_max": lambda x: raw.UnsortedSegmentMax(data=x, segment_ids=[0, 0], num_segments=1),
    "unsorted_prod": lambda x: raw.UnsortedSegmentProd(data=x, segment_ids=[0, 0], num_segments=2),
    "segment_prod": lambda x: raw.SegmentProd(data=x, segment_ids=[0, 2]),
    "segment_min": lambda x: raw.SegmentMin(data=x, segment_ids=[1, 1]),
    "segment_sum": lambda x: raw.SegmentSum(data=x, segment_ids=[0, 0]),
    "segment_max": lambda x: raw.SegmentMax(data=x, segment_ids=[0, 1]),
    "unsorted_sum": lambda x: raw.UnsortedSegmentSum(data=x, segment_ids=[1, 1], num_segments=2),
    "unsorted_min": lambda x: raw.UnsortedSegmentMin(data=x, segment_ids=[1, 0], num_segments=2),
    "scatter_add": lambda x: raw.TensorScatterAdd(tensor=x, indices=[[1], [1]], updates=x),
    "scatter_nd_add": lambda x: raw.ScatterNdNonAliasingAdd(input=x, indices=[[0], [0]], updates=x),
    "bucketize": lambda x: raw.Bucketize(input=x, boundaries=[0, 3, 20]),
    "resize_nearest": lambda x: raw.ResizeNearestNeighbor(images=tf.reshape(x, [1, 2, 3, 1]), size=[3, 4]),
    "resize_bilinear": lambda x: raw.ResizeBilinear(images=tf.reshape(x, [1, 2, 3, 1]), size=[3, 4]),
    "max_pool": lambda x: raw.MaxPool(input=tf.reshape(x, [1, 2, 3, 1]), ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1],
                                      padding="SAME"),
    "range": lambda x: raw.Range(start=constant(x, 2), limit=constant(x, 12), delta=constant(x, 3)) * x[0, 0],
}
SMALL = "uint8 int8 uint16 int16"
# Cases for which TensorFlow has no kernel.
NO_KERNEL = {"tile": "uint16", "space_to_batch": "bool", "batch_to_space": "bool", "add_v1": "uint16",
             "real_div": SMALL + " int32 int64", "truncate_mod": SMALL + " float16", "squared_difference": SMALL,
             "pow": "uint8 uint16", "abs": "uint8 uint16", "neg": "uint8 uint16", "sign": "uint8 uint16",
             "matmul": SMALL, "batch_matmul": "uint8 int8 uint16", "bucketize": SMALL + " float16",
             "range": SMALL + " float16"}
# Cases that Linnet refuses: 64-bit products, and means of narrow integers, whose sums overflow in TensorFlow.
REFUSED = {"matmul": "int64", "batch_matmul": "int16 int64", "mean": SMALL}


def dtypes(name, candidates):
    skipped = f"{NO_KERNEL.get(name, '')} {REFUSED.get(name, '')}".split()
    return [dtype for dtype in candidates if np.dtype(dtype).name not in skipped]


# Half and double are computed in float32; half has 11 bits of precision.
TOLERANCE = {np.float16: 2e-3, np.float64: 1e-6}
# float32 is left out, because all other families have it.
family = Family("dtypes_moved")
for name, (shape, f) in MOVERS.items():
    for dtype in dtypes(name, DTYPES[:-2] + DTYPES[-1:]):
        family.case(f"{name}_{np.dtype(dtype).name}", f, {"x": values(dtype, *shape)})
family.write()

family = Family("dtypes_counted")
for name, f in NUMBERS.items():
    for dtype in dtypes(name, DTYPES[1:-2] + DTYPES[-1:]):
        feeds = {"x": values(dtype, 2, 3)}
        if "y" in f.__code__.co_varnames:
            feeds["y"] = values(dtype, 2, 3) % 5 + dtype(1)
        family.case(f"{name}_{np.dtype(dtype).name}", f, feeds, tolerance=TOLERANCE.get(dtype))
family.write()

# A bfloat16 has 8 bits of precision. It is fed and fetched as float32, which it is the upper half of.
g = rng(122)
family = Family("bfloat16")


def brain(name, f, *shape):
    """`f` inside, floats outside."""
    family.case(name, lambda x: tf.cast(f(tf.cast(x, tf.bfloat16)), tf.float32),
                {"x": g.standard_normal(shape).astype(np.float32)}, tolerance=2e-2)


def weights(*shape):
    return tf.constant(g.standard_normal(shape), tf.bfloat16)


brain("relu", tf.nn.relu, 2, 3)
brain("softmax", tf.nn.softmax, 2, 5)
brain("add_constant", lambda x: x + weights(4), 3, 4)
brain("scalar_constant", lambda x: x * tf.constant(0.5, tf.bfloat16), 3, 4)
brain("equal_elements", lambda x: x + tf.constant(-1.5, tf.bfloat16, [3, 4]), 3, 4)
brain("matmul", lambda x: tf.matmul(x, weights(4, 3)), 2, 4)
brain("conv2d", lambda x: tf.nn.conv2d(x, weights(3, 3, 2, 4), 1, "SAME"), 1, 5, 5, 2)
brain("concat", lambda x: tf.concat([x, weights(2, 3)], 0), 2, 3)
brain("reduce_max", lambda x: tf.reduce_max(x, 1), 2, 3)
family.case("weights_alone", lambda x: tf.matmul(x, tf.cast(weights(40, 3), tf.float32)),
            {"x": g.standard_normal((2, 40)).astype(np.float32)})
family.write()

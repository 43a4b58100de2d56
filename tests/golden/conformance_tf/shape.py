# SPDX-License-Identifier: Apache-2.0
"""Ops that move elements: shapes, slices, joins."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(4)
x = normal(g, 2, 3, 4)

family = Family("shape")
family.case("shape_chain", lambda x: tf.reshape(x, tf.stack([tf.shape(x)[0], -1])), {"x": x})
family.case("shape_i64", lambda x: raw.Shape(input=x, out_type=tf.int64), {"x": x})
family.case("shape_n", lambda x: raw.ShapeN(input=[x, x[0]]), {"x": x})
family.case("rank", lambda x: raw.Rank(input=x), {"x": x})
family.case("size", lambda x: raw.Size(input=x), {"x": x})
family.case("size_of_empty", lambda x: raw.Size(input=x, out_type=tf.int64),
            {"x": np.zeros((0, 3), np.float32)})
family.case("reshape", lambda x: raw.Reshape(tensor=x, shape=[4, 6]), {"x": x})
family.case("reshape_unknown", lambda x: raw.Reshape(tensor=x, shape=[3, -1, 2]), {"x": x})
family.case("reshape_i64", lambda x: raw.Reshape(tensor=x, shape=np.array([-1], np.int64)), {"x": x})
family.case("reshape_to_scalar", lambda x: raw.Reshape(tensor=x, shape=np.array([], np.int32)),
            {"x": np.ones((1, 1), np.float32)})
family.case("reshape_empty", lambda x: raw.Reshape(tensor=x, shape=[0, -1]),
            {"x": np.zeros((3, 0), np.float32)})
family.case("reshape_same", lambda x: raw.Reshape(tensor=x, shape=[2, 3, 4]), {"x": x})
ones = normal(g, 1, 3, 1, 2, 1)
family.case("squeeze_all", lambda x: raw.Squeeze(input=x), {"x": ones})
family.case("squeeze_some", lambda x: raw.Squeeze(input=x, axis=[0, -1]), {"x": ones})
for axis in (0, 2, -1, -4):
    family.case(f"expand_dims_{axis}".replace("-", "m"),
                lambda x, axis=axis: raw.ExpandDims(input=x, axis=axis), {"x": x})
family.case("transpose", lambda x: raw.Transpose(x=x, perm=[2, 0, 1]), {"x": x})
family.case("transpose_i64_perm", lambda x: raw.Transpose(x=x, perm=np.array([1, 0, 2], np.int64)),
            {"x": x})
family.case("transpose_identity", lambda x: raw.Transpose(x=x, perm=[0, 1, 2]), {"x": x})
family.case("transpose_by_inverse",
            lambda x: raw.Transpose(x=x, perm=raw.InvertPermutation(x=tf.constant([2, 0, 1]))), {"x": x})
family.case("broadcast_to", lambda x: raw.BroadcastTo(input=x, shape=[5, 2, 3, 4]), {"x": x})
family.case("broadcast_to_args",
            lambda x: raw.BroadcastTo(input=x, shape=raw.BroadcastArgs(
                s0=tf.shape(x), s1=tf.constant([6, 1, 3, 1]))), {"x": x})
family.case("ensure_shape", lambda x: raw.EnsureShape(input=x, shape=[None, 3, None]), {"x": x})
family.case("identities", lambda x: raw.IdentityN(input=[raw.StopGradient(input=x),
                                                         raw.PreventGradient(input=x[0])]), {"x": x})
family.case("check_numerics", lambda x: raw.CheckNumerics(tensor=x, message="m"), {"x": x})
family.case("placeholder_default",
            lambda x: raw.PlaceholderWithDefault(input=tf.constant(2.0), shape=[]) * x, {"x": x})


def asserted(x):
    check = tf.debugging.Assert(tf.reduce_all(x < 100), [x, "too large"])
    with tf.control_dependencies([check, tf.no_op()]):
        return tf.identity(x) + 1


family.case("assert_dropped", asserted, {"x": x})
more = rng(103)
deep = normal(more, 2, 1, 3, 1, 2, 1)
INPUTS = {"scalar": np.float32(3), "empty": normal(more, 2, 0, 3), "rank_6": deep, "bool": np.array([[True, False]]),
          "i64": np.arange(3)}
for name, value in INPUTS.items():
    family.case(f"shape_of_{name}", lambda x: raw.Shape(input=x), {"x": value})
    family.case(f"shape_i64_of_{name}", lambda x: raw.Shape(input=x, out_type=tf.int64), {"x": value})
    family.case(f"rank_of_{name}", lambda x: raw.Rank(input=x), {"x": value})
    family.case(f"size_of_{name}_i32", lambda x: raw.Size(input=x), {"x": value})
    family.case(f"shape_n_of_{name}", lambda x, y: list(raw.ShapeN(input=[x, y, y], out_type=tf.int64)),
                {"x": value, "y": np.stack([value, value])})
    family.case(f"ensure_shape_{name}", lambda x: raw.EnsureShape(input=x, shape=value.shape), {"x": value})
    family.case(f"ensure_any_shape_{name}", lambda x: raw.EnsureShape(input=x, shape=[None] * value.ndim), {"x": value})
    family.case(f"squeeze_{name}", lambda x: raw.Squeeze(input=x), {"x": value})
    family.case(f"conjugate_transpose_{name}", lambda x: raw.ConjugateTranspose(x=x,
            perm=list(range(x.shape.rank))[::-1]),
                {"x": value})
    family.case(f"transpose_{name}", lambda x: raw.Transpose(x=x, perm=list(range(x.shape.rank))[::-1]), {"x": value})
    family.case(f"broadcast_{name}", lambda x: raw.BroadcastTo(input=x, shape=[2, *value.shape]), {"x": value})
family.case("shape_n_one", lambda x: raw.ShapeN(input=[x])[0], {"x": x})
family.case("squeeze_negative", lambda x: raw.Squeeze(input=x, axis=[-1, 3, 1]), {"x": deep})
family.case("squeeze_repeated", lambda x: raw.Squeeze(input=x, axis=[1, -5]), {"x": deep})
family.case("squeeze_to_scalar", lambda x: raw.Squeeze(input=x), {"x": np.ones((1, 1, 1), np.float32)})
family.case("squeeze_ones_of_empty", lambda x: raw.Squeeze(input=x, axis=[0]), {"x": normal(more, 1, 0, 1)})
for perm in ([0, 2, 1], [1, 2, 0], [0, 1, 2]):
    tag = "".join(map(str, perm))
    family.case(f"conjugate_transpose_{tag}", lambda x: raw.ConjugateTranspose(x=x, perm=np.array(perm, np.int64)),
                {"x": x})
family.case("transpose_negative", lambda x: raw.Transpose(x=x, perm=[-1, 0, -2]), {"x": x})
family.case("conjugate_transpose_negative", lambda x: raw.ConjugateTranspose(x=x, perm=[-1, 0, -2]), {"x": x})
for perm in ([0], [], [3, 1, 0, 2], [4, 3, 2, 1, 0]):
    for dtype in (np.int32, np.int64):
        family.case(f"invert_permutation_{len(perm)}_{np.dtype(dtype).name}",
                    lambda one: raw.InvertPermutation(x=np.array(perm, dtype)) * one, {"one": dtype(1)})
family.case("invert_permutation_of_shape", lambda x: raw.Transpose(
    x=x, perm=raw.InvertPermutation(x=tf.shape(x) - 2)), {"x": normal(more, 4, 2, 3)})
for name, shape in (("ones", [2, 3, 4]), ("rank_8", [1, 1, 1, 1, 2, 2, 3, 4]), ("i64", np.array([2, 2, 3, 4]))):
    family.case(f"broadcast_to_{name}", lambda x: raw.BroadcastTo(input=x, shape=shape), {"x": x[:, :1]})
family.case("broadcast_to_nothing", lambda x: raw.BroadcastTo(input=x, shape=[0, 2, 3, 4]), {"x": x})
family.case("broadcast_scalar_to_scalar", lambda x: raw.BroadcastTo(input=x, shape=np.zeros(0, np.int32)),
            {"x": np.float32(2)})
for name, a, b in (("same", [2, 3], [2, 3]), ("scalar", [], [4, 1]), ("both", [3, 1, 5], [4, 1]),
                   ("zero", [0, 1], [1, 7]),
                   ("scalars", [], []), ("longer_second", [5], [2, 3, 1])):
    for dtype in (np.int32, np.int64):
        family.case(f"broadcast_args_{name}_{np.dtype(dtype).name}", lambda one: raw.BroadcastArgs(
            s0=np.array(a, dtype), s1=np.array(b, dtype)) * one, {"one": dtype(1)})
family.write()

family = Family("slicing")
family.case("slice", lambda x: raw.Slice(input=x, begin=[0, 1, 2], size=[2, 2, 1]), {"x": x})
family.case("slice_rest", lambda x: raw.Slice(input=x, begin=[1, 0, 1], size=[-1, -1, 2]), {"x": x})
family.case("slice_empty", lambda x: raw.Slice(input=x, begin=[2, 0, 0], size=[0, 3, 4]), {"x": x})
family.case("slice_i64", lambda x: raw.Slice(input=x, begin=np.array([0, 0, 0], np.int64),
                                             size=np.array([1, 2, 3], np.int64)), {"x": x})
v = np.arange(10, dtype=np.int32)
m = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
for name, data, index in (
        ("all", v, lambda t: t[:]), ("from", v, lambda t: t[3:]), ("to", v, lambda t: t[:-2]),
        ("step", v, lambda t: t[1:9:3]), ("reverse", v, lambda t: t[::-1]),
        ("negative_step", v, lambda t: t[8:1:-3]), ("negative_open", v, lambda t: t[:3:-2]),
        ("out_of_range", v, lambda t: t[-20:40]), ("nothing", v, lambda t: t[5:2]),
        ("nothing_backwards", v, lambda t: t[2:5:-1]), ("shrink", v, lambda t: t[4]),
        ("shrink_last", v, lambda t: t[-1]), ("shrink_inner", m, lambda t: t[:, 1]),
        ("shrink_two", m, lambda t: t[1, :, -1]), ("new_axis", m, lambda t: t[:, tf.newaxis, 1:]),
        ("new_axis_last", m, lambda t: t[..., tf.newaxis]), ("ellipsis", m, lambda t: t[..., 1:3]),
        ("ellipsis_shrink", m, lambda t: t[1, ..., 2]),
        ("ellipsis_new_axis", m, lambda t: t[tf.newaxis, ..., ::2, tf.newaxis]),
        ("ellipsis_of_nothing", m, lambda t: t[0, ..., 1, 2]), ("mixed", m, lambda t: t[::-1, 2:0:-1, tf.newaxis, 0]),
        ("bool", v > 4, lambda t: t[2:7:2])):
    family.case(f"strided_{name}", lambda x, index=index: tf.identity(index(x)), {"x": data})
for name, masks in (("begin_mask", dict(begin_mask=1)), ("end_mask", dict(end_mask=1)),
                    ("both_masks", dict(begin_mask=2, end_mask=2)),
                    ("shrink_mask", dict(shrink_axis_mask=2)), ("new_axis_mask", dict(new_axis_mask=1)),
                    ("ellipsis_mask", dict(ellipsis_mask=1)),
                    ("shrink_with_begin_mask", dict(shrink_axis_mask=1, begin_mask=1)),
                    ("new_axis_over_shrink", dict(shrink_axis_mask=1, new_axis_mask=1))):
    family.case(f"strided_{name}",
                lambda x, masks=masks: raw.StridedSlice(input=x, begin=[1, 1], end=[2, 2],
                                                        strides=[1, 1], **masks), {"x": m})
family.case("strided_fed_row",
            lambda x, i: raw.StridedSlice(input=x, begin=tf.reshape(i, [1]), end=tf.reshape(i + 1, [1]),
                                          strides=[1], shrink_axis_mask=1), {"x": m, "i": np.int32(1)})
family.case("split", lambda x: raw.Split(axis=2, value=x, num_split=2), {"x": x})
family.case("split_negative_axis", lambda x: raw.Split(axis=-2, value=x, num_split=3), {"x": x})
family.case("split_one", lambda x: raw.Split(axis=0, value=x, num_split=1), {"x": x})
family.case("split_v", lambda x: raw.SplitV(value=x, size_splits=[1, 0, 3], axis=2, num_split=3),
            {"x": x})
family.case("split_v_rest", lambda x: raw.SplitV(value=x, size_splits=[1, -1], axis=-1, num_split=2),
            {"x": x})
family.case("unpack", lambda x: raw.Unpack(value=x, num=3, axis=1), {"x": x})
family.case("unpack_last", lambda x: raw.Unpack(value=x, num=4, axis=-1), {"x": x})
family.case("unpack_one_used", lambda x: raw.Unpack(value=x, num=2)[1] * 2, {"x": x})
family.case("unpack_vector", lambda x: raw.Unpack(value=x, num=10), {"x": v})
family.case("roll", lambda x: raw.Roll(input=x, shift=[1, -3], axis=[0, 2]), {"x": x})
family.case("roll_around", lambda x: raw.Roll(input=x, shift=7, axis=-1), {"x": x})
family.case("reverse_v2", lambda x: raw.ReverseV2(tensor=x, axis=[0, -1]), {"x": x})
family.case("reverse_none", lambda x: raw.ReverseV2(tensor=x, axis=np.array([], np.int32)), {"x": x})
family.case("reverse_v1", lambda x: raw.Reverse(tensor=x, dims=[False, True, False]), {"x": x})


def ints(values):
    """An array unchanged, anything else as int32."""
    return values if isinstance(values, np.ndarray) else np.array(values, np.int32)


more = rng(104)
deep = normal(more, 2, 1, 3, 1, 2, 2)
for name, value, axis, count in (("scalar_parts", normal(more, 3), 0, 3), ("empty", normal(more, 2, 0, 4), 2, 2),
                                 ("nothing", normal(more, 2, 0), 1, 3), ("rank_6", deep, -2, 2),
                                 ("i64", np.arange(6).reshape(2, 3), 1, 3), ("bool", deep > 0, 2, 3)):
    family.case(f"split_{name}", lambda x: raw.Split(axis=axis, value=x, num_split=count), {"x": value})
    family.case(f"unpack_{name}", lambda x: raw.Unpack(value=x, num=x.shape[axis], axis=axis) or tf.zeros([]),
                {"x": value})
family.case("split_middle_used", lambda x: raw.Split(axis=1, value=x, num_split=3)[1] * 2.0, {"x": x})
for name, value, sizes, axis in (("one", x, [4], 2), ("i64", x, np.array([1, 2]), -2), ("zeros", x, [0, 0, 2, 0], 0),
                                 ("rest_is_nothing", x, [3, -1, 1], 2), ("rest_first", x, [-1, 1, 1], 1),
                                 ("empty", x[:, :0], [0, 0], 1), ("bool", x > 0, [1, 3], 2),
                                 ("rank_6", deep, [1, 2], 2)):
    family.case(f"split_v_{name}", lambda x: raw.SplitV(value=x, size_splits=sizes, axis=axis, num_split=len(sizes)),
                {"x": value})
family.case("split_v_last_used", lambda x: raw.SplitV(value=x, size_splits=[1, 3], axis=2, num_split=2)[1] + 1.0,
            {"x": x})
for name, value, shift, axis in (("vector", v, 3, 0), ("far", v, -23, 0), ("nothing", x, 0, 1), ("whole", x, 3, 1),
                                 ("same_axis_twice", x, [1, 2], [2, 2]), ("none", x, [], []), ("empty", x[:0], 1, 0),
                                 ("i64_shift", x, np.array([2, -1]), np.array([-1, 0])), ("bool", x > 0, 1, -2),
                                 ("rank_6", deep, [1, 1, -1], [0, 2, 5])):
    family.case(f"roll_{name}", lambda x: raw.Roll(input=x, shift=ints(shift), axis=ints(axis)), {"x": value})
for name, value, axes in (("vector", v, [0]), ("all", x, [0, 1, 2]), ("i64_axes", x, np.array([1])),
                          ("empty", x[:, :0], [1]),
                          ("bool", x > 0, [-1]), ("rank_6", deep, [0, 4, -4]), ("scalar", np.float32(2), []),
                          ("u8", np.arange(5, dtype=np.uint8), [0])):
    dims = [i in [a % value.ndim for a in axes] for i in range(value.ndim)]
    family.case(f"reverse_v2_{name}", lambda x: raw.ReverseV2(tensor=x, axis=ints(axes)),
                {"x": value})
    family.case(f"reverse_v1_{name}", lambda x: raw.Reverse(tensor=x, dims=np.array(dims, bool)), {"x": value})
family.write()

family = Family("joining")
family.case("concat", lambda x, y: raw.ConcatV2(values=[x, y, x], axis=1), {"x": x, "y": normal(g, 2, 1, 4)})
family.case("concat_last", lambda x: raw.ConcatV2(values=[x, x], axis=-1), {"x": x})
family.case("concat_one", lambda x: raw.ConcatV2(values=[x, x[:0]], axis=0), {"x": x})
family.case("concat_v1", lambda x: raw.Concat(concat_dim=0, values=[x, x]), {"x": x})
family.case("concat_i64", lambda x: raw.ConcatV2(values=[x, x], axis=0), {"x": v.astype(np.int64)})
family.case("concat_constant", lambda x: raw.ConcatV2(values=[x, tf.ones([2, 3, 1])], axis=2), {"x": x})
family.case("pack", lambda x, y: raw.Pack(values=[x, y]), {"x": x, "y": x + 1})
family.case("pack_inner", lambda x, y: raw.Pack(values=[x, y], axis=1), {"x": x, "y": x + 1})
family.case("pack_last", lambda x, y: raw.Pack(values=[x, y], axis=-1), {"x": x, "y": x + 1})
family.case("pack_scalars", lambda x, y: raw.Pack(values=[x, y, x]), {"x": np.int32(3), "y": np.int32(4)})
family.case("pack_one", lambda x: raw.Pack(values=[x]), {"x": x})
family.case("concat_offset",
            lambda x: raw.ConcatOffset(concat_dim=1, shape=[tf.shape(x), tf.constant([2, 5, 4])]),
            {"x": x})
family.case("tile", lambda x: raw.Tile(input=x, multiples=[2, 1, 3]), {"x": x})
family.case("tile_nothing", lambda x: raw.Tile(input=x, multiples=[1, 0, 1]), {"x": x})
family.case("tile_i32", lambda x: raw.Tile(input=x, multiples=np.array([2], np.int64)), {"x": v})
family.case("pad", lambda x: raw.Pad(input=x, paddings=[[0, 1], [2, 0], [1, 1]]), {"x": x})
family.case("pad_nothing", lambda x: raw.Pad(input=x, paddings=[[0, 0], [0, 0], [0, 0]]), {"x": x})
family.case("pad_i32", lambda x: raw.Pad(input=x, paddings=[[2, 3]]), {"x": v})
family.case("pad_v2", lambda x: raw.PadV2(input=x, paddings=[[0, 1], [2, 0], [1, 1]],
                                          constant_values=-1.5), {"x": x})
for mode in ("REFLECT", "SYMMETRIC"):
    family.case(f"mirror_pad_{mode.lower()}",
                lambda x, mode=mode: raw.MirrorPad(input=x, paddings=[[1, 1], [2, 0], [0, 3]], mode=mode),
                {"x": x})
more = rng(105)
deep = normal(more, 1, 2, 1, 2, 1, 3)
for name, values, axis in (("vectors", [v, v[:2]], 0), ("empties", [x[:0], x[:0]], 0), ("many", [x] * 9, 1),
                           ("rank_6", [deep, deep], -3), ("bool", [x > 0, x < 1], 2),
                           ("u8", [v.astype(np.uint8)] * 2, -1)):
    feeds = dict(zip("abcdefghi", values))
    build = {2: lambda a, b: raw.Concat(concat_dim=axis, values=[a, b]),
             9: lambda a, b, c, d, e, f, g, h, i: raw.Concat(concat_dim=axis, values=[a, b, c, d, e, f, g, h, i])}
    family.case(f"concat_v1_{name}", build[len(values)], feeds)
for name, axis, shapes in (("first", 0, [[2, 3], [4, 3], [0, 3]]), ("last", -1, [[2, 3], [2, 0]]),
                           ("vectors", 0, [[5], [0], [2]]),
                           ("rank_4", 2, [[1, 2, 3, 4]] * 3), ("negative", -3, [[1, 5, 6], [7, 5, 6]])):
    family.case(f"concat_offset_{name}", lambda one: [t * one for t in raw.ConcatOffset(
        concat_dim=axis, shape=[np.array(s, np.int32) for s in shapes])], {"one": np.int32(1)})
family.case("concat_offset_used", lambda x: raw.Slice(input=x, begin=raw.ConcatOffset(
    concat_dim=2, shape=[tf.constant([2, 3, 1]), tf.shape(x)])[1], size=[2, 3, -1]), {"x": x})
for name, value, multiples in (("scalar", np.float32(2), []), ("all", x, [2, 2, 2]), ("zero", x, [0, 1, 1]),
                               ("empty", x[:, :0], [2, 3, 1]), ("bool", x > 0, [1, 2, 1]),
                               ("rank_6", deep, [2, 1, 3, 1, 1, 2]),
                               ("u8", np.arange(3, dtype=np.uint8), [4])):
    family.case(f"tile_{name}", lambda x: raw.Tile(input=x, multiples=np.array(multiples, np.int32)), {"x": value})
for name, value, paddings, filler in (
        ("scalar", np.float32(2), np.zeros((0, 2)), 1.0), ("vector", v, [[3, 0]], -7),
        ("empty", x[:, :0], [[0, 0], [2, 1], [0, 1]], 0.5),
        ("infinite", x, [[0, 0], [1, 0], [0, 2]], -np.inf), ("nan", x[0], [[1, 0], [0, 1]], np.nan),
        ("i64", np.arange(3), [[1, 2]], 2**40),
        ("u8", np.arange(3, dtype=np.uint8), [[2, 2]], 255), ("bool", x > 0, [[0, 1], [0, 0], [1, 0]], True),
        ("nothing", x, [[0, 0]] * 3, 3.0), ("rank_6", deep, [[1, 0], [0, 0], [0, 1], [0, 0], [2, 0], [0, 1]], 9.0)):
    family.case(f"pad_v2_{name}", lambda x: raw.PadV2(input=x, paddings=np.array(paddings, np.int64),
                                                      constant_values=np.array(filler, x.dtype.as_numpy_dtype)),
                                                      {"x": value})
for mode, most in (("REFLECT", 2), ("SYMMETRIC", 3)):
    for name, value, paddings in (("most", x[:, :, :3], [[0, 0], [most, most], [0, most]]), ("vector", v, [[4, 2]]),
                                  ("nothing", x, [[0, 0]] * 3), ("i64", np.arange(6).reshape(2, 3), [[1, 0], [0, 2]]),
                                  ("bool", x > 0, [[0, 1], [1, 0], [0, 0]]),
                                  ("u8", np.arange(9, dtype=np.uint8), [[0, 8]]),
                                  ("rank_5", normal(more, 2, 2, 2, 2, 2), [[1, 0], [0, 0], [0, 1], [1, 1], [0, 0]]),
                                  ("scalar", np.float32(1), np.zeros((0, 2)))):
        family.case(f"mirror_pad_{mode.lower()}_{name}", lambda x: raw.MirrorPad(
            input=x, paddings=np.array(paddings, np.int32), mode=mode), {"x": value})
family.write()

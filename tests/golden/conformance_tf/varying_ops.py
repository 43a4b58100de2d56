# SPDX-License-Identifier: Apache-2.0
"""Ops whose own form depends on extents that vary: masks, rolls, blocks of pixels, products over several of them."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(92)
family = Family("varying_ops")
x = normal(g, 5, 4)


def case(name, build, feeds=None, largest=None):
    family.case(name, build, {"x": x} if feeds is None else feeds, largest={"x": [9, 4]} if largest is None else largest)


# Diagonals of matrices.
for name, lower, upper in (("causal", -1, 0), ("band", 1, 2), ("upper", 0, -1), ("all", -1, -1)):
    case(f"band_part_{name}", lambda x: tf.linalg.band_part(tf.matmul(x, x, transpose_b=True), lower, upper))
case("band_part_wide", lambda x: tf.linalg.band_part(x, 1, 1))
case("band_part_batch", lambda x: tf.linalg.band_part(x, -1, 0), {"x": normal(g, 2, 3, 4)}, {"x": [5, 6, 7]})

# One-hot vectors as long as an extent.
INDICES = np.array([1, 3, 0, -1, 7], np.int32)
case("one_hot_depth", lambda i: tf.one_hot(i, tf.shape(i)[0]), {"i": INDICES}, {"i": [9]})
case("one_hot_first_axis", lambda i: tf.one_hot(i, tf.shape(i)[0] + 1, on_value=2.0, off_value=-1.0, axis=0),
     {"i": INDICES}, {"i": [9]})
case("one_hot_of_matrix", lambda i: tf.one_hot(i, tf.shape(i)[1], axis=1), {"i": INDICES.reshape(1, 5)}, {"i": [1, 9]})

# Rolled tensors.
case("roll_rows", lambda x: tf.roll(x, 2, 0))
case("roll_rows_back", lambda x: tf.roll(x, -7, 0))
case("roll_columns_of_many_rows", lambda x: tf.roll(x, 1, 1))
case("roll_by_half", lambda x: tf.roll(x, tf.shape(x)[0] // 2, 0))
case("roll_both", lambda x: tf.roll(x, [1, -1], [0, 1]))
case("roll_one_axis_twice", lambda x: tf.roll(x, tf.stack([1, tf.shape(x)[0] - 1]), [0, 0]))
case("roll_i64", lambda x: tf.roll(x, np.int64(3), 0))
case("roll_none", lambda x: tf.roll(x, 2, 0), {"x": normal(g, 0, 4)})
family.case("roll_by_fed", lambda x, s: tf.roll(x, s, [1]), {"x": x, "s": np.array([6], np.int32)})
family.case("roll_by_fed_i64", lambda x, s: tf.roll(x, s, [1, 0]), {"x": x, "s": np.array([-3, 2], np.int64)})
family.case("roll_integers_by_fed", lambda x, s: tf.roll(x, s, 0),
            {"x": g.integers(0, 99, (4, 3)).astype(np.int32), "s": np.array(-1, np.int32)})

# Norms over the axis that varies, for which no op has factors enough, and over the other one.
def by_rms(x):
    return x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-3)


case("rms_norm", lambda x: by_rms(x) * tf.constant([1.5, 1.0, 0.5, 2.0]))
case("rms_norm_of_columns", lambda x: by_rms(tf.transpose(x)))
case("layer_norm_of_columns", lambda x: by_rms(tf.transpose(x - tf.reduce_mean(x, 0))))

# Blocks of pixels.
PICTURE = {"x": normal(g, 1, 3, 2, 12)}
LARGER = {"x": [1, 5, 6, 12]}
case("depth_to_space", lambda x: tf.nn.depth_to_space(x, 2), PICTURE, LARGER)
case("depth_to_space_one_side", lambda x: tf.nn.depth_to_space(x, 2), PICTURE, {"x": [1, 3, 6, 12]})
case("depth_to_space_batch", lambda x: tf.nn.depth_to_space(x, 2), PICTURE, {"x": [3, 3, 2, 12]})
CHANNELS_FIRST = normal(g, 1, 8, 3, 2)
# TensorFlow's CPU kernel does not have this format.
expected = tf.transpose(tf.nn.depth_to_space(CHANNELS_FIRST.transpose(0, 2, 3, 1), 2), [0, 3, 1, 2]).numpy()
family.case("depth_to_space_nchw", lambda x: raw.DepthToSpace(input=x, block_size=2, data_format="NCHW"),
            {"x": CHANNELS_FIRST}, expected=expected, largest={"x": [1, 8, 4, 4]})
case("depth_to_space_twice", lambda x: tf.nn.depth_to_space(tf.nn.depth_to_space(x, 2), 2),
     {"x": normal(g, 1, 2, 3, 16)}, {"x": [1, 4, 4, 16]})

case("space_to_depth", lambda x: tf.nn.space_to_depth(tf.nn.depth_to_space(x, 2), 2), PICTURE, LARGER)
case("space_to_depth_by_3", lambda x: tf.nn.space_to_depth(tf.tile(x, [1, 3, 3, 1]), 3), {"x": PICTURE["x"][..., :2]}, {"x": [1, 5, 6, 2]})
case("space_to_depth_batch", lambda x: tf.nn.space_to_depth(x, 2), {"x": normal(g, 2, 4, 2, 3)}, {"x": [3, 4, 2, 3]})
case("space_to_depth_one_side", lambda x: tf.nn.space_to_depth(tf.tile(x, [1, 1, 4, 1]), 4), {"x": normal(g, 1, 4, 2, 2)}, {"x": [1, 4, 3, 2]})
case("space_to_depth_twice", lambda x: tf.nn.space_to_depth(tf.nn.space_to_depth(tf.tile(x, [1, 4, 4, 1]), 2), 2),
     {"x": normal(g, 1, 1, 2, 1)}, {"x": [1, 3, 3, 1]})

# Blocks in the batch, and extents rounded up to multiples.
SOUND, LONGER = {"x": normal(g, 1, 5, 3)}, {"x": [1, 9, 3]}


def missing_to(x, of, axis=1):
    return (of - tf.shape(x)[axis] % of) % of


for of in (2, 4):
    case(f"padded_to_multiple_of_{of}", lambda x: tf.pad(x, tf.stack([[0, 0], tf.stack([0, missing_to(x, of)]), [0, 0]])), SOUND, LONGER)
    case(f"split_into_chunks_of_{of}", lambda x: tf.reduce_sum(tf.reshape(
        tf.pad(x, tf.stack([[0, 0], tf.stack([0, missing_to(x, of)]), [0, 0]])), [1, -1, of, 3]), 2), SOUND, {"x": [1, 8, 3]})
    case(f"cut_to_multiple_of_{of}", lambda x: x[:, :tf.shape(x)[1] - tf.shape(x)[1] % of], SOUND, LONGER)
case("padded_by_negative", lambda x: tf.pad(x, tf.stack([[0, 0], tf.stack([0, -tf.shape(x)[1] % 4]), [0, 0]])), SOUND, LONGER)
case("rounded_up", lambda x: x[:, :-(-tf.shape(x)[1] // 3)], SOUND, LONGER)
case("negative_remainder", lambda x: x * tf.cast(-tf.shape(x)[1] % 3, tf.float32), SOUND, LONGER)
case("remainder", lambda x: x * tf.cast(tf.shape(x)[1] % 3, tf.float32), SOUND, LONGER)
case("space_to_batch", lambda x: raw.SpaceToBatchND(input=tf.tile(x, [1, 2, 1]), block_shape=[2], paddings=[[2, 0]]), SOUND, LONGER)
case("space_to_batch_and_back", lambda x: raw.BatchToSpaceND(input=tf.nn.relu(raw.SpaceToBatchND(
    input=tf.tile(x, [1, 3, 1]), block_shape=[3], paddings=[[0, 0]])), block_shape=[3], crops=[[1, 2]]), SOUND, LONGER)
case("space_to_batch_old", lambda x: raw.SpaceToBatch(input=tf.tile(x, [1, 2, 2, 1]), block_size=2, paddings=[[0, 0], [1, 1]]), PICTURE, LARGER)
case("batch_to_space_old", lambda x: raw.BatchToSpace(input=x, block_size=2, crops=[[0, 1], [1, 0]]),
     {"x": normal(g, 4, 2, 3, 2)}, {"x": [4, 4, 5, 2]})
case("batch_to_space_rows", lambda x: raw.BatchToSpaceND(input=tf.tile(x, [2, 1, 1]), block_shape=[2], crops=[[0, 0]]),
     {"x": normal(g, 2, 3, 2)}, {"x": [4, 3, 2]})
KERNEL = normal(g, 3, 3, 2)
for dilation in (2, 3):
    for padding in ("SAME", "VALID"):
        case(f"dilated_{padding.lower()}_{dilation}", lambda x: tf.nn.conv1d(x, KERNEL, 1, padding, dilations=dilation),
             {"x": normal(g, 1, 8, 3)}, {"x": [1, 13, 3]})
case("dilated_causal", lambda x: tf.nn.conv1d(tf.pad(x, [[0, 0], [4, 0], [0, 0]]), KERNEL, 1, "VALID", dilations=2), SOUND, LONGER)

# Ends that may lie beyond a dimension.
for count, rows in (("fewer", x[:3]), ("more", x)):
    case(f"first_four_of_{count}", lambda x: x[:4] * 2.0, {"x": rows})
    case(f"middle_of_{count}", lambda x: x[1:4] + 1.0, {"x": rows})
    case(f"beyond_of_{count}", lambda x: tf.reduce_sum(x[4:], 0), {"x": rows})
    case(f"as_many_as_{count}", lambda x: tf.constant(normal(rng(5), 4, 4))[:tf.shape(x)[0]] + x[:4], {"x": rows})
    case(f"both_sides_of_{count}", lambda x: x[:4, 1:3], {"x": rows})
    case(f"behind_new_axis_of_{count}", lambda x: x[tf.newaxis, :4, 2], {"x": rows})
    case(f"behind_ellipsis_of_{count}", lambda x: tf.transpose(x)[..., :4], {"x": rows})
    case(f"cut_twice_of_{count}", lambda x: x[:4][:2], {"x": rows})

# Products with several extents that vary.
W = normal(g, 4, 2, 3)
Q, K = normal(g, 2, 3, 2, 4), normal(g, 2, 5, 2, 4)
MANY_Q, MANY_K = [3, 6, 2, 4], [3, 8, 2, 4]


def by_constant(name, equation, a, largest, b):
    case(f"einsum_{name}", lambda a: raw.Einsum(inputs=[a, tf.constant(b)], equation=equation), {"a": a}, {"a": largest})


def by_fed(name, equation, a, largest_a, b, largest_b):
    case(f"einsum_{name}", lambda a, b: raw.Einsum(inputs=[a, b], equation=equation), {"a": a, "b": b},
         {"a": largest_a, "b": largest_b})


X, MANY_X = normal(g, 2, 3, 4), [3, 7, 4]
by_constant("heads", "abc,cde->abde", X, MANY_X, W)
by_constant("heads_transposed", "abc,cde->adbe", X, MANY_X, W)
by_constant("layer", "abc,cd->abd", X, MANY_X, W[:, 0])
by_constant("out", "abde,dec->abc", Q, MANY_Q, normal(g, 2, 4, 3))
by_constant("ellipsis", "...c,cd->...d", X, MANY_X, W[:, 0])
by_constant("one_extent", "abc,cd->abd", X, [2, 7, 4], W[:, 0])
by_fed("scores", "aecd,abcd->acbe", K, MANY_K, Q, MANY_Q)
by_fed("values", "acbe,aecd->abcd", normal(g, 2, 2, 3, 5), [3, 2, 6, 8], K, MANY_K)
by_fed("outer", "ab,cd->abcd", normal(g, 2, 3), [4, 5], normal(g, 3, 2), [6, 4])
by_fed("right", "abc,cd->abd", X, MANY_X, normal(g, 4, 3), [4, 6])
by_fed("many_right", "ca,cbd->abd", normal(g, 4, 2), [4, 3], W, [4, 5, 6])
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Extents that are known only when the model runs: fed, or computed by the model."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(91)
family = Family("varying")
x = normal(g, 5, 4)
long = {"x": [9, 4]}


def case(name, build, feeds=None, largest=None):
    family.case(name, build, {"x": x} if feeds is None else feeds, largest=long if largest is None else largest)


# Shapes as numbers.
case("shape", lambda x: tf.shape(x))
case("shape_i64", lambda x: tf.shape(x, out_type=tf.int64))
case("shape_n", lambda x: raw.ShapeN(input=[x, tf.transpose(x)]))
case("size", lambda x: tf.size(x))
case("rank", lambda x: tf.rank(x) + tf.shape(x)[0])
# Changes of shape.
case("flatten", lambda x: tf.reshape(x, [-1]))
case("reshape_first", lambda x: tf.reshape(x, [-1, 2, 2]))
case("reshape_by_shape", lambda x: tf.reshape(x, tf.stack([2, tf.shape(x)[0], 2])))
case("reshape_halves", lambda x: tf.reshape(x, [tf.shape(x)[0] * 2, -1]))
case("expand_squeeze", lambda x: tf.squeeze(tf.expand_dims(tf.expand_dims(x, 0), 2), [0]) * 2.0)
case("transpose", lambda x: tf.transpose(x))
case("transpose_rank_3", lambda x: tf.transpose(tf.reshape(x, [1, -1, 2, 2]), [0, 2, 1, 3]))
case("pack", lambda x: tf.stack([x, x + 1.0], 1))
case("unpack", lambda x: tf.unstack(x, axis=1))
# Parts.
case("drop_first", lambda x: x[1:])
case("drop_last", lambda x: x[:-1])
case("last_row", lambda x: x[-1])
case("first_column", lambda x: x[:, 0])
case("columns", lambda x: x[:, 1:3])
case("new_axis", lambda x: x[:, tf.newaxis] + 1.0)
case("slice_rest", lambda x: tf.slice(x, [1, 1], [-1, 2]))
case("slice_by_shape", lambda x: tf.slice(tf.ones([9, 4]), [0, 0], tf.shape(x)))
case("table_rows", lambda x: x + tf.constant(normal(rng(1), 9, 4))[:tf.shape(x)[0]])
case("split", lambda x: tf.split(x, 2, axis=1))
case("gather_columns", lambda x: tf.gather(x, [2, 0], axis=1))
case("gather_by_range", lambda x: tf.gather(tf.constant(normal(rng(2), 9, 3)), tf.range(tf.shape(x)[0])))
case("gather_fed", lambda i: tf.gather(tf.constant(normal(rng(3), 6, 3)), i),
     {"i": np.array([[1, 5, 0]], np.int32)}, {"i": [1, 8]})
case("gather_nd", lambda i: tf.gather_nd(tf.constant(normal(rng(3), 6, 3)), i),
     {"i": np.array([[1, 2], [5, 0]], np.int32)}, {"i": [8, 2]})
case("one_hot", lambda i: tf.one_hot(i, 6), {"i": np.array([1, 5, 0], np.int32)}, {"i": [8]})
# Joins.
case("concat_rows", lambda x: tf.concat([x, tf.ones([2, 4]), x], 0))
case("concat_columns", lambda x: tf.concat([x, x * 2.0], 1))
case("pad", lambda x: tf.pad(x, [[2, 1], [0, 3]]))
case("pad_to_largest", lambda x: tf.pad(x, tf.stack([[0, 9 - tf.shape(x)[0]], [0, 0]])))
case("tile_columns", lambda x: tf.tile(x, [1, 3]))
case("concat_to_largest", lambda x: tf.concat([x, tf.zeros(tf.stack([9 - tf.shape(x)[0], 4]))], 0) + 1.0)
# Made from extents.
case("zeros_like", lambda x: tf.zeros_like(x) + x)
case("ones_like", lambda x: tf.raw_ops.OnesLike(x=x) * 2.0)
case("fill", lambda x: tf.fill(tf.shape(x)[:1], 2.5))
case("broadcast_to", lambda x: tf.broadcast_to(tf.constant([1.0, 2.0, 3.0, 4.0]), tf.shape(x)))
case("range", lambda x: tf.range(tf.shape(x)[0]))
case("range_from", lambda x: tf.range(2, tf.shape(x)[0] + 3))
case("mask", lambda x: tf.where(tf.range(tf.shape(x)[0])[:, None] < 3, x, tf.zeros_like(x)))
case("mean_by_count", lambda x: tf.reduce_sum(x, 0) / tf.cast(tf.shape(x)[0], tf.float32))
# Arithmetic.
case("elementwise", lambda x: tf.nn.gelu(x) * x + tf.sqrt(tf.abs(x)))
case("broadcast_row", lambda x: x * tf.constant([1.0, 2.0, 3.0, 4.0]))
case("broadcast_column", lambda x: x - tf.reduce_max(x, 1, keepdims=True))
case("two_feeds", lambda x, y: x + y, {"x": x, "y": normal(g, 5, 4)}, {"x": [9, 4], "y": [9, 4]})
case("matmul", lambda x: tf.matmul(x, tf.constant(normal(rng(4), 4, 6))))
case("matmul_self", lambda x: tf.matmul(x, x, transpose_b=True))
case("matmul_batch", lambda x: tf.matmul(tf.reshape(x, [1, -1, 2, 2]), tf.constant(normal(rng(5), 2, 3))))
case("reduce_rows", lambda x: [tf.reduce_mean(x, 0), tf.reduce_max(x, 0), tf.reduce_sum(x)])
case("reduce_columns", lambda x: [tf.reduce_mean(x, 1), tf.reduce_min(x, -1, keepdims=True)])
case("arg_max", lambda x: [tf.argmax(x, 0), tf.argmax(x, 1)])
case("cumsum", lambda x: tf.cumsum(x, 0))
case("reverse", lambda x: tf.reverse(x, [0]))
case("reverse_both", lambda x: tf.reverse(x, [0, 1]) + x)
case("reverse_sequence", lambda x: tf.reverse_sequence(tf.reshape(x, [1, -1, 4]), [3], seq_axis=1))
case("softmax", lambda x: tf.nn.softmax(x))
case("softmax_rows", lambda x: tf.nn.softmax(tf.transpose(x)))
case("attention", lambda x: tf.matmul(tf.nn.softmax(tf.matmul(x, x, transpose_b=True) * 0.5), x))
case("layer_norm", lambda x: (lambda c: c * tf.math.rsqrt(tf.reduce_mean(c * c, -1, keepdims=True) + 1e-3) * 1.5 + 0.25)(
    x - tf.reduce_mean(x, -1, keepdims=True)))
case("select", lambda x: tf.where(x > 0.0, x, x * 0.1))
case("compare_cast", lambda x: tf.cast(x > 0.0, tf.int32))
case("two_extents", lambda x, y: tf.matmul(x, y),
     {"x": normal(g, 3, 4), "y": normal(g, 4, 2)}, {"x": [6, 4], "y": [4, 5]})
case("no_rows", lambda x: [x * 2.0, tf.reduce_sum(x), tf.concat([x, x], 0)], {"x": normal(g, 0, 4)})

# Extents computed by the model.
flags = np.array([True, False, True, True, False])
grid = rng(6).random((4, 5)) < 0.4


def found(name, build, feeds=None):
    family.case(name, build, {"x": x, "f": flags} if feeds is None else feeds)


found("where_vector", lambda f: tf.where(f), {"f": flags})
found("where_matrix", lambda f: tf.where(f), {"f": grid})
found("where_none", lambda f: tf.where(f), {"f": np.zeros(5, bool)})
found("where_all", lambda f: tf.where(f), {"f": np.ones((2, 3), bool)})
found("where_floats", lambda x: tf.where(x > 0.0), {"x": x})
found("where_integers", lambda i: tf.where(i), {"i": np.array([3, 0, -1, 0, 2], np.int32)})
found("boolean_mask", lambda x, f: tf.boolean_mask(x, f))
found("boolean_mask_matrix", lambda x: tf.boolean_mask(x, x > 0.2), {"x": x})
found("boolean_mask_count", lambda x, f: tf.shape(tf.boolean_mask(x, f))[0] * 10)
found("boolean_mask_sum", lambda x, f: tf.reduce_sum(tf.boolean_mask(x, f), 0))
found("boolean_mask_padded", lambda x, f: (lambda kept: tf.pad(kept, tf.stack([[0, 5 - tf.shape(kept)[0]], [0, 0]])))(
    tf.boolean_mask(x, f)))
found("boolean_mask_none", lambda x, f: tf.boolean_mask(x, f) + 1.0, {"x": x, "f": np.zeros(5, bool)})
found("top_k_of_found", lambda x, f: (lambda kept: tf.math.top_k(kept, tf.minimum(2, tf.shape(kept)[0])))(
    tf.boolean_mask(x[:, 0], f)))
found("slice_of_found", lambda x, f: (lambda kept: tf.slice(kept, [0, 1], [tf.minimum(2, tf.shape(kept)[0]), 2]))(
    tf.boolean_mask(x, f)))
found("count_by_sum", lambda x: tf.range(tf.reduce_sum(tf.cast(x[:, 0] > 0.0, tf.int32))), {"x": x})
found("rows_before_first", lambda x: x[:tf.reduce_sum(tf.cast(x[:, 0] > 0.0, tf.int32))], {"x": x})

# Convolutions and pooling over pictures of any size, over sounds of any length.
def filters(seed, *shape):
    return tf.constant(normal(rng(seed), *shape))


pictures = {"p": normal(g, 1, 7, 9, 3)}
sizes = {"p": [1, 12, 16, 3]}
sounds = {"s": normal(g, 2, 11, 4)}
lengths = {"s": [2, 30, 4]}
case("conv_valid", lambda p: tf.nn.conv2d(p, filters(11, 3, 3, 3, 5), 1, "VALID"), pictures, sizes)
case("conv_same", lambda p: tf.nn.relu(tf.nn.conv2d(p, filters(11, 3, 3, 3, 5), 1, "SAME") + 0.5), pictures, sizes)
case("conv_stride", lambda p: tf.nn.conv2d(p, filters(11, 3, 3, 3, 5), 2, "VALID"), pictures, sizes)
case("conv_explicit", lambda p: tf.nn.conv2d(p, filters(11, 3, 3, 3, 5), 2, [[0, 0], [1, 1], [1, 0], [0, 0]]),
     pictures, sizes)
case("conv_dilated", lambda p: tf.nn.conv2d(p, filters(12, 3, 3, 3, 2), 1, "SAME", dilations=2), pictures, sizes)
case("conv_point", lambda p: tf.nn.conv2d(p, filters(13, 1, 1, 3, 6), 1, "SAME"), pictures, sizes)
case("conv_padded", lambda p: tf.nn.conv2d(tf.pad(p, [[0, 0], [0, 1], [0, 1], [0, 0]]), filters(11, 3, 3, 3, 5), 2,
                                           "VALID"), pictures, sizes)
case("conv_sound", lambda s: tf.nn.conv1d(s, filters(14, 5, 4, 3), 2, "VALID"), sounds, lengths)
case("conv_causal", lambda s: tf.nn.conv1d(tf.pad(s, [[0, 0], [4, 0], [0, 0]]), filters(14, 5, 4, 3), 1, "VALID"),
     sounds, lengths)
case("depthwise", lambda p: tf.nn.depthwise_conv2d(p, filters(15, 3, 3, 3, 2), [1, 1, 1, 1], "SAME"), pictures, sizes)
case("depthwise_stride", lambda p: tf.nn.depthwise_conv2d(p, filters(15, 3, 3, 3, 1), [1, 2, 2, 1], "VALID"),
     pictures, sizes)
case("max_pool", lambda p: tf.nn.max_pool2d(p, 2, 2, "VALID"), pictures, sizes)
case("max_pool_same", lambda p: tf.nn.max_pool2d(p, 3, 1, "SAME"), pictures, sizes)
case("average_pool", lambda p: tf.nn.avg_pool2d(p, [2, 3], [2, 1], "VALID"), pictures, sizes)
case("average_pool_same", lambda p: tf.nn.avg_pool2d(p, 3, 1, "SAME"), pictures, sizes)
case("mirror_pad", lambda s: tf.pad(s, [[0, 0], [2, 1], [0, 0]], "SYMMETRIC"), sounds, lengths)
case("network", lambda p: (lambda y: tf.nn.softmax(tf.matmul(tf.reduce_mean(y, [1, 2]), filters(18, 4, 3))))(
    tf.nn.relu6(raw.FusedBatchNormV3(
        x=tf.nn.conv2d(tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(p, filters(16, 3, 3, 3, 4), 1, "SAME")), 2, 2, "VALID"),
                       filters(17, 3, 3, 4, 4), 1, "SAME"),
        scale=[1.0, 2.0, 0.5, 1.5], offset=[0.1, 0.2, 0.3, 0.4], mean=[0.0, 0.1, 0.2, 0.3],
        variance=[1.0, 0.5, 2.0, 1.5], is_training=False)[0])), pictures, sizes)

# Fed and computed extents together.
case("where_of_fed", lambda x: tf.where(x > 0.0))
case("boolean_mask_of_fed", lambda x: tf.boolean_mask(x, x[:, 0] > 0.0))
case("found_with_found", lambda x: tf.boolean_mask(x, x[:, 0] > 0.0) + tf.boolean_mask(x, x[:, 0] > 0.0) * 2.0)
case("flatten_found_of_fed", lambda x: tf.reshape(tf.boolean_mask(x, x[:, 0] > 0.0), [-1]) * 2.0)
case("einsum", lambda x: tf.einsum("ab,cb->ac", x, tf.constant(normal(rng(8), 3, 4))))
case("einsum_batch", lambda x: tf.einsum("abc,cd->abd", x[None], tf.constant(normal(rng(9), 4, 2))))

corner = g.uniform(0, 1, (30, 2))
boxes = np.concatenate([corner, corner + g.uniform(0.1, 0.5, (30, 2))], 1).astype(np.float32)
scores = ((g.permutation(30) + 1) / np.float32(31)).astype(np.float32)
detected = {"b": boxes, "s": scores}
for name, (most, iou, score) in {"some": (10, 0.5, 0.0), "all": (30, 0.9, -1e9), "more": (50, 0.3, 0.2),
                                 "none": (0, 0.5, 0.0), "few": (8, 0.1, 0.9)}.items():
    found(f"nms_v1_{name}", lambda b, s: raw.NonMaxSuppression(
        boxes=b, scores=s, max_output_size=most, iou_threshold=max(iou, 0.0)), detected)
    found(f"nms_v2_{name}", lambda b, s: raw.NonMaxSuppressionV2(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou), detected)
    found(f"nms_v3_{name}", lambda b, s: raw.NonMaxSuppressionV3(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou, score_threshold=score), detected)
    found(f"nms_v4_{name}", lambda b, s: list(raw.NonMaxSuppressionV4(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou, score_threshold=score)), detected)
    found(f"nms_v5_{name}", lambda b, s: list(raw.NonMaxSuppressionV5(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou, score_threshold=score, soft_nms_sigma=0.4)), detected)


def detector(b, s):
    """Boxes of two classes, suppressed separately, padded, joined and sliced, as in detectors of the model zoo."""
    parts = []
    for shift in (0.0, 0.3):
        kept = raw.NonMaxSuppressionV3(boxes=b, scores=s - shift, max_output_size=12, iou_threshold=0.4,
                                       score_threshold=0.2)
        padding = 12 - tf.shape(kept)[0]
        index = tf.concat([kept, tf.zeros([padding], tf.int32)], 0)
        score = tf.where(tf.range(12) < tf.shape(kept)[0], tf.gather(s, index) - shift, -1.0)
        parts.append((tf.gather(b, index), score))
    all_boxes = tf.concat([p[0] for p in parts], 0)
    all_scores = tf.concat([p[1] for p in parts], 0)
    good = tf.boolean_mask(all_scores, all_scores > 0.0)
    order = tf.math.top_k(good, tf.minimum(9, tf.size(good)))
    chosen = tf.gather(tf.boolean_mask(all_boxes, all_scores > 0.0), order.indices)
    return [chosen, order.values, tf.size(good)]


found("detector", detector, detected)
family.write()

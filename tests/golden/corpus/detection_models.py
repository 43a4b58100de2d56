# SPDX-License-Identifier: Apache-2.0
"""What stands behind a detector's or a segmenter's net: anchors, boxes, suppression, key points, masks, tracking."""

import numpy as np
import tensorflow as tf

from feeds import f32, given, integers
from models import frozen

I = tf.image
BOXES = given([[[0.1, 0.1, 0.5, 0.5], [0.12, 0.1, 0.52, 0.5], [0.6, 0.6, 0.9, 0.9], [0.0, 0.5, 0.3, 0.9],
                [0.61, 0.6, 0.9, 0.95]]])
SCORES = given([[0.9, 0.8, 0.75, 0.3, 0.6]])


def anchors(size):
    centres = (np.arange(size) + 0.5) / size
    y, x = np.meshgrid(centres, centres, indexing="ij")
    return tf.constant(np.stack([y.ravel(), x.ravel(), np.full(size * size, 0.3), np.full(size * size, 0.2)],
                                -1).astype(np.float32))


def decode_boxes(raw):
    """SSD's: offsets and scales about anchors."""
    a = anchors(4)
    centre = raw[..., :2] / 10.0 * a[:, 2:] + a[:, :2]
    half = tf.exp(raw[..., 2:] / 5.0) * a[:, 2:] / 2.0
    return tf.clip_by_value(tf.concat([centre - half, centre + half], -1), 0.0, 1.0)


def decode_yolo(x):
    """Grid offsets, anchors and class scores of one level."""
    x = tf.reshape(x, [1, 3, 3, 2, 7])
    grid = tf.cast(tf.stack(tf.meshgrid(tf.range(3), tf.range(3)), -1), tf.float32)[None, :, :, None]
    xy = (tf.sigmoid(x[..., :2]) * 2 - 0.5 + grid) * 8.0
    wh = tf.square(tf.sigmoid(x[..., 2:4]) * 2) * tf.constant([[10.0, 13], [16, 30]])
    scores = tf.sigmoid(x[..., 4:5]) * tf.sigmoid(x[..., 5:])
    return tf.reshape(tf.concat([xy - wh / 2, xy + wh / 2], -1), [1, 18, 4]), tf.reshape(scores, [1, 18, 2])


def distribution_boxes(x):
    """Distances as expectations over bins, as recent YOLOs have them."""
    bins = tf.nn.softmax(tf.reshape(x, [1, 9, 4, 8]))
    distance = tf.reduce_sum(bins * tf.range(8.0), -1)
    points = tf.constant(np.stack(np.meshgrid(np.arange(3), np.arange(3)), -1).reshape(9, 2).astype(np.float32)) + 0.5
    return tf.concat([points - distance[..., :2], points + distance[..., 2:]], -1)


def suppress(boxes, scores):
    return I.non_max_suppression(boxes[0], scores[0], 3, 0.5)


def suppress_padded(boxes, scores):
    return tf.image.non_max_suppression_padded(boxes, scores, 4, 0.5, pad_to_max_output_size=True)[0]


def suppress_with_scores(boxes, scores):
    index, kept = I.non_max_suppression_with_scores(boxes[0], scores[0], 4, soft_nms_sigma=0.5)
    return tf.gather(boxes[0], index), kept


def suppress_combined(boxes, scores):
    result = I.combined_non_max_suppression(boxes[:, :, None], tf.stack([scores, 1 - scores], -1), 3, 5, 0.5, 0.2)
    return tuple(result)


def suppress_gathered(boxes, scores):
    """What apps get: as many rows as were kept, padded to five."""
    kept = I.non_max_suppression(boxes[0], scores[0], 5, 0.5, 0.4)
    picked = tf.gather(boxes[0], kept)
    return tf.pad(picked, [[0, 5 - tf.shape(kept)[0]], [0, 0]]), tf.shape(kept)[0]


def suppress_by_loop(boxes, scores):
    """Suppression that a model spells out as a loop over the best."""
    def overlap(box, all_boxes):
        low, high = tf.maximum(box[:2], all_boxes[:, :2]), tf.minimum(box[2:], all_boxes[:, 2:])
        shared = tf.reduce_prod(tf.maximum(high - low, 0.0), -1)
        area = tf.reduce_prod(all_boxes[:, 2:] - all_boxes[:, :2], -1)
        return shared / (tf.reduce_prod(box[2:] - box[:2]) + area - shared)
    left, order = scores[0], tf.TensorArray(tf.int32, 3)
    for i in tf.range(3):
        best = tf.argmax(left, output_type=tf.int32)
        order = order.write(i, best)
        left = tf.where(overlap(boxes[0][best], boxes[0]) > 0.5, -1.0, left)
    return order.stack()


def suppress_by_matrix(boxes, scores):
    """Matrix suppression: all at once."""
    low = tf.maximum(boxes[0][:, None, :2], boxes[0][None, :, :2])
    high = tf.minimum(boxes[0][:, None, 2:], boxes[0][None, :, 2:])
    shared = tf.reduce_prod(tf.maximum(high - low, 0.0), -1)
    area = tf.reduce_prod(boxes[0][:, 2:] - boxes[0][:, :2], -1)
    overlap = tf.linalg.band_part(shared / (area[:, None] + area[None] - shared), 0, -1) - tf.eye(5)
    most = tf.reduce_max(tf.nn.relu(overlap), 0)
    return scores[0] * tf.reduce_min((1 - tf.nn.relu(overlap)) / (1 - most[:, None] + 1e-3), 0)


def per_class_top(scores, boxes):
    values, places = tf.math.top_k(tf.transpose(scores, [0, 2, 1]), 2)
    return values, tf.gather(boxes, places, batch_dims=1)


def filtered(boxes, scores):
    """How many there are depends on the scores; what is done with them does not."""
    kept = tf.boolean_mask(boxes[0], scores[0] > 0.5)
    return tf.reduce_sum(kept, 0), tf.shape(kept)[0]


def heat_map_points(x):
    """The place of each key point: the strongest cell, refined by its neighbours' difference."""
    flat = tf.reshape(x, [1, 36, 3])
    best = tf.argmax(flat, 1, tf.int32)
    place = tf.stack([best // 6, best % 6], -1)
    return tf.cast(place, tf.float32) / 6.0, tf.reduce_max(flat, 1)


def soft_argmax(x):
    heat = tf.reshape(tf.nn.softmax(tf.reshape(x, [1, 36, 3]) * 4.0, 1), [1, 6, 6, 3])
    axis = tf.linspace(0.0, 1.0, 6)
    return tf.stack([tf.einsum("bhwk,h->bk", heat, axis), tf.einsum("bhwk,w->bk", heat, axis)], -1)


def local_maxima(x):
    """CenterNet: cells that are the greatest of their neighbours, best first."""
    peaks = tf.where(tf.equal(tf.nn.max_pool2d(x, 3, 1, "SAME"), x), x, 0.0)
    scores, places = tf.math.top_k(tf.reshape(tf.transpose(peaks, [0, 3, 1, 2]), [1, -1]), 5)
    return scores, places // 36, places % 36 // 6, places % 6


def region_features(x, boxes):
    """Mask R-CNN: levels by box sizes, cut out and resized."""
    return tf.nn.max_pool2d(I.crop_and_resize(x, boxes[0], tf.zeros([5], tf.int32), [6, 6]), 2, 2, "VALID")


def paste_masks(mask, threshold):
    big = I.resize(tf.sigmoid(mask), [12, 12])
    return tf.cast(big > threshold, tf.uint8), tf.reduce_sum(tf.cast(big > threshold, tf.int32), [1, 2])


def prototypes(coefficients, masks):
    """YOLACT: masks as sums of prototypes."""
    return tf.sigmoid(tf.einsum("bnk,bhwk->bnhw", tf.tanh(coefficients), masks)) > 0.5


def panoptic(logits, centres):
    classes = tf.argmax(logits, -1, tf.int32)
    strongest = tf.math.top_k(tf.reshape(centres, [-1]), 2)[1]
    y, x = tf.cast(strongest // 6, tf.float32), tf.cast(strongest % 6, tf.float32)
    rows, columns = tf.meshgrid(tf.range(6.0), tf.range(6.0), indexing="ij")
    nearest = tf.argmin((rows[..., None] - y) ** 2 + (columns[..., None] - x) ** 2, -1, tf.int32)
    return classes * 10 + nearest


def confusion(predicted, truth):
    return tf.math.confusion_matrix(truth, predicted, 4)


def color_map(logits):
    palette = tf.constant([[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]], tf.uint8)
    return tf.gather(palette, tf.argmax(logits, -1))


def depth_points(depth):
    """A depth picture as points in space."""
    rows, columns = tf.meshgrid(tf.range(4.0), tf.range(5.0), indexing="ij")
    z = 1.0 / tf.maximum(depth, 0.1)
    return tf.reshape(tf.stack([(columns - 2.0) * z / 3.0, (rows - 1.5) * z / 3.0, z], -1), [-1, 3])


def track(before, now):
    """Assigns each new box to the nearest old one, greedily by a matrix of distances."""
    distance = tf.norm(before[:, None] - now[None], axis=-1)
    return tf.argmin(distance, 0), tf.reduce_min(distance, 0) < 0.5


def rotated_points(points, box):
    """Landmarks of a turned crop, back in the picture."""
    c, s = tf.cos(box[4]), tf.sin(box[4])
    turned = tf.stack([points[:, 0] * c - points[:, 1] * s, points[:, 0] * s + points[:, 1] * c], -1)
    return turned * box[2:4] + box[:2]


def flow_warp(x, flow):
    """Samples between pixels where a flow points: gathers of four neighbours."""
    rows, columns = tf.meshgrid(tf.range(5.0), tf.range(5.0), indexing="ij")
    y, x_at = tf.clip_by_value(rows + flow[0, ..., 0], 0, 3.999), tf.clip_by_value(columns + flow[0, ..., 1], 0, 3.999)
    y0, x0 = tf.cast(tf.floor(y), tf.int32), tf.cast(tf.floor(x_at), tf.int32)
    dy, dx = (y - tf.floor(y))[..., None], (x_at - tf.floor(x_at))[..., None]

    def at(i, j):
        return tf.gather_nd(x[0], tf.stack([y0 + i, x0 + j], -1))
    return (at(0, 0) * (1 - dx) + at(0, 1) * dx) * (1 - dy) + (at(1, 0) * (1 - dx) + at(1, 1) * dx) * dy


def correlation(left, right):
    """A cost volume over shifts, as flow nets compute it."""
    padded = tf.pad(right, [[0, 0], [1, 1], [1, 1], [0, 0]])
    return tf.stack([tf.reduce_mean(left * padded[:, i:i + 5, j:j + 5], -1) for i in range(3) for j in range(3)], -1)


MODELS = [
    frozen("boxes_by_anchors", decode_boxes, f32(1, 16, 4, low=-3, high=3)),
    frozen("boxes_yolo", decode_yolo, f32(1, 3, 3, 14, low=-3, high=3)),
    frozen("boxes_by_distributions", distribution_boxes, f32(1, 9, 32)),
    frozen("suppression", suppress, BOXES, SCORES),
    frozen("suppression_padded", suppress_padded, BOXES, SCORES),
    frozen("suppression_soft", suppress_with_scores, BOXES, SCORES),
    frozen("suppression_combined", suppress_combined, BOXES, SCORES),
    frozen("suppression_gathered_and_padded", suppress_gathered, BOXES, SCORES),
    frozen("suppression_by_loop", suppress_by_loop, BOXES, SCORES),
    frozen("suppression_by_matrix", suppress_by_matrix, BOXES, SCORES),
    frozen("best_per_class", per_class_top, f32(1, 6, 3), f32(1, 6, 4)),
    frozen("boxes_over_threshold", filtered, BOXES, SCORES),
    frozen("key_points_of_heat_maps", heat_map_points, f32(1, 6, 6, 3)),
    frozen("key_points_by_soft_argmax", soft_argmax, f32(1, 6, 6, 3)),
    frozen("local_maxima", local_maxima, f32(1, 6, 6, 2)),
    frozen("regions_of_features", region_features, f32(1, 8, 8, 3), BOXES),
    frozen("masks_pasted", paste_masks, f32(1, 6, 6, 2, low=-3, high=3), given(np.float32(0.5))),
    frozen("masks_of_prototypes", prototypes, f32(1, 3, 4), f32(1, 5, 5, 4)),
    frozen("panoptic_grouping", panoptic, f32(6, 6, 3), f32(6, 6)),
    frozen("confusion_matrix", confusion, integers(9, high=4), integers(9, high=4)),
    frozen("segmentation_to_colours", color_map, f32(1, 5, 5, 4)),
    frozen("depth_to_points", depth_points, f32(4, 5, low=0.1, high=1.0)),
    frozen("tracking_by_distance", track, f32(4, 2), f32(3, 2)),
    frozen("landmarks_turned_back", rotated_points, f32(5, 2), given([0.5, 0.4, 0.3, 0.2, 0.7])),
    frozen("flow_warp", flow_warp, f32(1, 5, 5, 2), f32(1, 5, 5, 2, low=-2, high=2)),
    frozen("cost_volume", correlation, f32(1, 5, 5, 3), f32(1, 5, 5, 3)),
]

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
import tensorflow as tf

G = rng(51)
INF = np.inf


def random_boxes(count, spread=1.0):
    corner = G.uniform(0, spread, (count, 2))
    return np.concatenate([corner, corner + G.uniform(0.1, 0.5, (count, 2))], 1).astype(np.float32)


def distinct(count):
    return (G.permutation(count) / np.float32(count) + np.float32(0.001)).astype(np.float32)


def nms(name, boxes, scores, most, iou=0.5, score=0.0, sigma=0.0, why=""):
    boxes, scores = np.array(boxes, np.float32).reshape(-1, 4), np.array(scores, np.float32)
    indices, kept, count = tf.raw_ops.NonMaxSuppressionV5(
        boxes=boxes, scores=scores, max_output_size=most, iou_threshold=iou, score_threshold=score,
        soft_nms_sigma=sigma, pad_to_max_output_size=True)
    attrs = {"max_outputs": most, "iou_threshold": iou, "score_threshold": score, "sigma": sigma}
    return case(name, attrs, [boxes, scores], [indices.numpy(), kept.numpy(), count.numpy()], why)


def failing(name, boxes=(2, 4), scores=(2,), dtype=np.float32, **attrs):
    return case(name, {"max_outputs": 2, "iou_threshold": 0.5, "score_threshold": 0.0, **attrs},
                [np.zeros(boxes, dtype), np.zeros(scores, np.float32)], [], error="invalid_plan")


THREE = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 2, 1, 3]]
MANY, MANY_SCORES = random_boxes(60), distinct(60)
CASES = [
    nms("two_overlap", THREE, [0.9, 0.8, 0.7], 3),
    nms("better_second", THREE, [0.7, 0.8, 0.9], 3),
    nms("room_for_one", THREE, [0.7, 0.8, 0.9], 1),
    nms("room_for_none", THREE, [0.7, 0.8, 0.9], 0),
    nms("more_room_than_boxes", THREE, [0.7, 0.8, 0.9], 7),
    nms("score_threshold", THREE, [0.3, 0.8, 0.5], 3, score=0.5, why="a score at the threshold is out"),
    nms("nothing_above", THREE, [0.3, 0.2, 0.1], 3, score=0.5),
    nms("no_threshold", THREE, [-1, -2, -3], 3, score=-INF),
    nms("no_overlap_allowed", THREE, [0.9, 0.8, 0.7], 3, iou=0.0),
    nms("any_overlap_allowed", THREE, [0.9, 0.8, 0.7], 3, iou=1.0),
    nms("corners_swapped", [[1, 1, 0, 0], [0, 1.1, 1, 0.1], [1, 2, 0, 3]], [0.9, 0.8, 0.7], 3),
    nms("empty_boxes", [[0, 0, 0, 1], [0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5]], [0.9, 0.8, 0.7], 3, iou=0.0,
        why="overlap with nothing is 0"),
    nms("equal_scores", THREE + THREE, [0.5] * 6, 6, why="the smaller index first"),
    nms("equal_boxes", THREE[:1] * 5, [0.1, 0.5, 0.3, 0.5, 0.2], 5),
    nms("no_boxes", np.zeros([0, 4]), np.zeros([0]), 4),
    nms("one_box", THREE[:1], [0.4], 1),
    nms("many", MANY, MANY_SCORES, 20),
    nms("many_strict", MANY, MANY_SCORES, 60, iou=0.1),
    nms("many_loose", MANY, MANY_SCORES, 60, iou=0.9, score=0.3),
    nms("large_coordinates", MANY * 1000, MANY_SCORES, 30, iou=0.3),
    nms("soft", MANY, MANY_SCORES, 30, iou=1.0, sigma=0.5),
    nms("soft_strong", MANY, MANY_SCORES, 60, iou=1.0, sigma=0.05, score=0.1),
    nms("soft_with_limit", MANY, MANY_SCORES, 60, iou=0.4, sigma=0.5, score=0.001),
    nms("soft_two", THREE, [0.9, 0.8, 0.7], 3, iou=1.0, sigma=0.3),
    failing("five_corners", boxes=(2, 5)),
    failing("score_missing", scores=(1,)),
    failing("integers", dtype=np.int32),
    failing("negative_count", max_outputs=-1),
    failing("threshold_above_one", iou_threshold=1.5),
    failing("negative_sigma", sigma=-1.0),
]
write("NonMaxSuppression", CASES)

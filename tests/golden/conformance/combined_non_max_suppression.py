# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
import tensorflow as tf

G = rng(52)


def boxes_of(*shape, reach=1.0):
    corner = G.uniform(-0.1, reach, (*shape, 2))
    return np.concatenate([corner, corner + G.uniform(0.1, 0.5, (*shape, 2))], -1).astype(np.float32)


def scores_of(*shape):
    count = int(np.prod(shape))
    return ((G.permutation(count) + 1) / np.float32(count + 1)).astype(np.float32).reshape(shape)


def combined(name, boxes, scores, per_class, total, iou=0.5, score=0.0, clip=True, why=""):
    outputs = tf.raw_ops.CombinedNonMaxSuppression(
        boxes=boxes, scores=scores, max_output_size_per_class=per_class, max_total_size=total,
        iou_threshold=iou, score_threshold=score, pad_per_class=False, clip_boxes=clip)
    attrs = {"max_per_class": per_class, "max_total": total, "iou_threshold": iou,
             "score_threshold": score, "clip": clip}
    return case(name, attrs, [boxes, scores], [output.numpy() for output in outputs], why)


def failing(name, boxes=(1, 3, 1, 4), scores=(1, 3, 2), dtype=np.float32, **attrs):
    return case(name, {"max_per_class": 2, "max_total": 3, "iou_threshold": 0.5, "score_threshold": 0.0, **attrs},
                [np.zeros(boxes, dtype), np.zeros(scores, np.float32)], [], error="invalid_plan")


SHARED, OWN, SCORES = boxes_of(2, 20, 1), boxes_of(2, 20, 3), scores_of(2, 20, 3)
CASES = [
    combined("shared_boxes", SHARED, SCORES, 5, 10),
    combined("own_boxes", OWN, SCORES, 5, 10),
    combined("one_class", SHARED, scores_of(2, 20, 1), 10, 10),
    combined("one_picture", SHARED[:1], SCORES[:1], 20, 60),
    combined("more_room_than_boxes", SHARED, SCORES, 50, 100),
    combined("one_per_class", OWN, SCORES, 1, 5),
    combined("best_only", OWN, SCORES, 5, 1),
    combined("score_threshold", OWN, SCORES, 5, 12, score=0.7),
    combined("nothing_above", OWN, SCORES, 5, 6, score=1.0),
    combined("strict", SHARED, SCORES, 20, 30, iou=0.05),
    combined("loose", SHARED, SCORES, 20, 60, iou=1.0),
    combined("not_clipped", boxes_of(1, 9, 1, reach=2.0), scores_of(1, 9, 2), 5, 10, clip=False),
    combined("clipped", boxes_of(1, 9, 1, reach=2.0), scores_of(1, 9, 2), 5, 10),
    combined("corners_swapped", SHARED[..., [2, 3, 0, 1]].copy(), SCORES, 5, 10),
    combined("many_classes", boxes_of(1, 30, 1), scores_of(1, 30, 20), 3, 25, score=0.2),
    combined("three_pictures", boxes_of(3, 6, 2), scores_of(3, 6, 2), 4, 8),
    failing("three_corners", boxes=(1, 3, 1, 3)),
    failing("boxes_for_other_classes", boxes=(1, 3, 5, 4)),
    failing("other_batch", scores=(2, 3, 2)),
    failing("other_count", scores=(1, 4, 2)),
    failing("integers", dtype=np.int32),
    failing("negative_count", max_total=-1),
    failing("threshold_below_zero", iou_threshold=-0.5),
]
write("CombinedNonMaxSuppression", CASES)

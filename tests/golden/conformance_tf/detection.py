# SPDX-License-Identifier: Apache-2.0
"""The last ops of detection networks: suppression of boxes."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(81)
family = Family("detection")
corner = g.uniform(0, 1, (30, 2))
boxes = np.concatenate([corner, corner + g.uniform(0.1, 0.5, (30, 2))], 1).astype(np.float32)
scores = ((g.permutation(30) + 1) / np.float32(31)).astype(np.float32)
feeds = {"b": boxes, "s": scores}

for name, (most, iou, score) in {"some": (10, 0.5, 0.0), "all": (30, 0.9, -1e9), "more": (50, 0.3, 0.2),
                                 "none": (0, 0.5, 0.0), "few": (8, 0.1, 0.9)}.items():
    family.case(f"v4_{name}", lambda b, s: list(raw.NonMaxSuppressionV4(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou, score_threshold=score,
        pad_to_max_output_size=True)), feeds)
    family.case(f"v5_{name}", lambda b, s: list(raw.NonMaxSuppressionV5(
        boxes=b, scores=s, max_output_size=most, iou_threshold=iou, score_threshold=score, soft_nms_sigma=0.4,
        pad_to_max_output_size=True)), feeds)
family.case("gathered", lambda b, s: (lambda chosen: [tf.gather(b, chosen[0]), chosen[1] + 1])(
    raw.NonMaxSuppressionV4(boxes=b, scores=s, max_output_size=10, iou_threshold=0.5, score_threshold=0.1,
                            pad_to_max_output_size=True)), feeds)

many = np.repeat(boxes[None, :, None], 2, 0)
class_scores = ((g.permutation(2 * 30 * 3) + 1) / np.float32(181)).astype(np.float32).reshape(2, 30, 3)
for name, options in {"plain": {}, "padded_per_class": {"pad_per_class": True}, "not_clipped": {"clip_boxes": False},
                      "few": {"max_total_size": 4}, "threshold": {"score_threshold": 0.6}}.items():
    family.case(f"combined_{name}", lambda b, s: list(tf.image.combined_non_max_suppression(
        b, s, **{"max_output_size_per_class": 5, "max_total_size": 40, "iou_threshold": 0.4, **options})),
                {"b": many, "s": class_scores})

anchors = normal(g, 30, 4)


def ssd_head(codes, logits):
    """The end of an SSD detector: boxes from anchors and codes, scores from logits, and the best of them."""
    centers = anchors[:, :2] + codes[..., :2] * 0.1
    sizes = tf.exp(tf.minimum(codes[..., 2:] * 0.2, 2.0)) * 0.3
    decoded = tf.concat([centers - sizes / 2.0, centers + sizes / 2.0], -1)
    return list(tf.image.combined_non_max_suppression(
        decoded[:, :, None, :], tf.sigmoid(logits)[..., 1:], 10, 20, 0.5, 0.3, clip_boxes=False))


family.case("ssd_head", ssd_head, {"codes": normal(g, 1, 30, 4), "logits": normal(g, 1, 30, 6)})
family.write()

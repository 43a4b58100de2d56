# SPDX-License-Identifier: Apache-2.0
"""DrawBoundingBoxes and DrawBoundingBoxesV2."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("drawing")
g = rng(23)
pictures = normal(g, 2, 7, 9, 3)
BOXES = {
    "inside": [[[0.1, 0.2, 0.8, 0.9], [0.3, 0.3, 0.6, 0.5]], [[0, 0, 1, 1], [0.5, 0.1, 0.5, 0.9]]],
    "border": [[[-0.4, 0.2, 0.5, 1.9], [0.3, -0.3, 1.6, 0.5]], [[-1, -1, 2, 2], [-0.1, 0.4, 0.4, 1.1]]],
    "beside": [[[0.8, 0.2, 0.2, 0.9], [0.2, 0.9, 0.7, 0.3]], [[1.5, 0, 2, 1], [-1e4, 0.4, 1e4, 0.7]]],
}
COLORS = normal(g, 3, 4)


def case(name, x, boxes, colors=None, **options):
    boxes = np.array(boxes, np.float32)
    tolerance = 2e-3 if x.dtype == np.float16 else None
    if colors is None:
        family.case(name, lambda x, b: raw.DrawBoundingBoxes(images=x, boxes=b), {"x": x, "b": boxes}, tolerance=tolerance, **options)
    else:
        family.case(name, lambda x, b, c: raw.DrawBoundingBoxesV2(images=x, boxes=b, colors=c), {"x": x, "b": boxes, "c": colors},
                    tolerance=tolerance, **options)


for name, boxes in BOXES.items():
    case(f"default_{name}", pictures, boxes)
    case(f"colors_{name}", pictures, boxes, COLORS)
many = np.sort(g.random((1, 12, 2, 2)), axis=2).reshape(1, 12, 4)
case("default_many", pictures[:1], many)
case("default_grey", pictures[:, :, :, :1], BOXES["inside"])
case("default_with_alpha", normal(g, 2, 5, 5, 4), BOXES["inside"])
case("colors_many", pictures[:1], many, COLORS)
case("colors_grey", pictures[:, :, :, :1], BOXES["inside"], COLORS)
case("colors_none", pictures, BOXES["inside"], COLORS[:0])
case("colors_of_half", pictures.astype(np.float16), BOXES["border"], COLORS)
case("default_of_half", pictures.astype(np.float16), BOXES["border"])
case("no_boxes", pictures, np.zeros((2, 0, 4)), COLORS)
family.case("batch_varies", lambda x: raw.DrawBoundingBoxesV2(
    images=x, boxes=tf.reshape(tf.sigmoid(tf.reshape(x, [-1, 189])[:, :8]), [-1, 2, 4]), colors=COLORS), {"x": pictures},
            largest={"x": [3, 7, 9, 3]})
family.write()

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, normal, rng, write
import tensorflow as tf

G = rng(33)
IMAGES = normal(G, 2, 6, 7, 3)
BOXES = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.1, 0.3], [-0.2, 0.3, 0.6, 1.3]],
                 np.float32)
INDEX = np.array([0, 1, 1, 0], np.int32)


def crop(name, images=IMAGES, boxes=BOXES, index=INDEX, size=(4, 5), method="bilinear", value=0.0,
         why=""):
    boxes, index = np.array(boxes, np.float32), np.array(index, np.int32)
    expected = tf.raw_ops.CropAndResize(image=images, boxes=boxes, box_ind=index, crop_size=size,
                                        method=method, extrapolation_value=value).numpy()
    attrs = {"mode": method.capitalize(), "crop_h": size[0], "crop_w": size[1],
             "extrapolation": value}
    return case(name, attrs, [images, boxes, constant(index)], [expected], why)


def failing(name, error, images=IMAGES, boxes=BOXES, index=INDEX, **attrs):
    return case(name, {"mode": "Bilinear", "crop_h": 2, "crop_w": 2, **attrs},
                [images, boxes, index], [], error=error)


CASES = []
for method in ("bilinear", "nearest"):
    CASES += [
        crop(f"{method}", method=method),
        crop(f"{method}_identity", boxes=[[0, 0, 1, 1]], index=[1], size=(6, 7), method=method),
        crop(f"{method}_one_pixel", size=(1, 1), method=method, why="the middle of the box"),
        crop(f"{method}_one_row", size=(1, 6), method=method),
        crop(f"{method}_larger", size=(13, 11), method=method),
        crop(f"{method}_outside", boxes=[[1.5, 0, 2, 1], [-1, -1, 2, 2]], index=[0, 1], size=(5, 5),
             method=method, value=-2.5),
        crop(f"{method}_empty_box", boxes=[[0.5, 0.5, 0.5, 0.5]], index=[0], method=method),
        crop(f"{method}_one_channel", images=IMAGES[..., :1].copy(), method=method),
        crop(f"{method}_single_pixel_picture", images=IMAGES[:, :1, :1].copy(), method=method),
        crop(f"{method}_no_boxes", boxes=np.zeros([0, 4]), index=[], method=method),
    ]
CASES += [
    crop("flipped_both", boxes=[[1, 1, 0, 0]], index=[0], size=(6, 7)),
    crop("many_boxes", boxes=G.uniform(-0.1, 1.1, (40, 4)), index=G.integers(0, 2, 40), size=(3, 4)),
    failing("picture_too_large", "bad_index", index=np.array([0, 2, 0, 0], np.int32)),
    failing("picture_negative", "bad_index", index=np.array([0, -1, 0, 0], np.int32)),
    failing("crop_of_nothing", "invalid_plan", crop_h=0),
    failing("bicubic", "invalid_plan", mode="Bicubic"),
    failing("boxes_of_three", "invalid_plan", boxes=BOXES[:, :3].copy()),
    failing("index_missing", "invalid_plan", index=INDEX[:3].copy()),
    failing("index_i64", "invalid_plan", index=INDEX.astype(np.int64)),
    failing("empty_picture", "invalid_plan", images=IMAGES[:, :0].copy()),
    failing("bytes", "invalid_plan", images=IMAGES.astype(np.uint8)),
]
write("CropAndResize", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
from elementwise_inputs import spread
import tensorflow as tf

FLAGS = {
    "Legacy": {},
    "AlignCorners": {
        "align_corners": True
    },
    "HalfPixel": {
        "half_pixel_centers": True
    }
}
OPS = {"Bilinear": tf.raw_ops.ResizeBilinear, "Nearest": tf.raw_ops.ResizeNearestNeighbor,
       "Bicubic": tf.raw_ops.ResizeBicubic}


def resize(name, mode, sampling, x, h, w, why=""):
    y = OPS[mode](images=x, size=[h, w], **FLAGS[sampling]).numpy()
    attrs = {"mode": mode, "sampling": sampling, "output_h": h, "output_w": w}
    return case(name, attrs, [x], [y], why, tolerance=None if mode == "Nearest" else 1e-6)


SIZES = [  # name, input NHWC, output
    ("double", (1, 4, 5, 3), (8, 10)),
    ("halve", (2, 6, 8, 4), (3, 4)),
    ("same", (1, 3, 4, 2), (3, 4)),
    ("odd_up", (1, 3, 5, 1), (7, 13)),
    ("odd_down", (1, 13, 11, 5), (5, 3)),
    ("mixed", (1, 9, 2, 3), (4, 7)),
    ("from_one", (2, 1, 1, 6), (4, 3)),
    ("to_one", (1, 5, 4, 3), (1, 1)),
    ("to_row", (1, 5, 4, 3), (1, 6)),
    ("many_channels", (1, 2, 3, 33), (3, 5)),
    ("wide", (1, 2, 40, 1), (2, 97)),
    ("one_and_a_half", (1, 4, 4, 4), (6, 6)),
]
CASES = []
for sampling in FLAGS:
    for mode in ("Bilinear", "Nearest"):
        for name, shape, (h, w) in SIZES:
            CASES.append(
                resize(f"{mode.lower()}_{sampling.lower()}_{name}", mode, sampling, spread(*shape),
                       h, w))
    for name, shape, (h, w) in SIZES:
        x = spread(*shape[:3], min(shape[3], 9))
        CASES.append(resize(f"bicubic_{sampling.lower()}_{name}", "Bicubic", sampling, x, h, w))
    for dtype in (np.uint8, np.int8, np.int32, np.int16, np.uint16):
        x = rng(1).integers(0, 120, (1, 3, 4, 3)).astype(dtype)
        tag = f"{sampling.lower()}_{np.dtype(dtype).name}"
        CASES.append(resize(f"bilinear_{tag}", "Bilinear", sampling, x, 5, 7))
        CASES.append(resize(f"nearest_{tag}", "Nearest", sampling, x, 5, 7))
    # Positions on the boundary between two pixels, where the rounding of the scale decides.
    line = np.arange(70, dtype=np.float32).reshape(1, 1, 70, 1)
    for width in (3, 7, 21, 33, 69, 71, 100, 137):
        CASES.append(
            resize(f"nearest_{sampling.lower()}_boundaries_{width}", "Nearest", sampling, line, 1,
                   width))
X = spread(1, 2, 3, 2)


def bad(name, x, **attrs):
    attrs = {"mode": "Nearest", "sampling": "Legacy", "output_h": 2, "output_w": 2, **attrs}
    return dict(case(name, attrs, [x], []), error="invalid_plan")


CASES += [
    resize("nearest_no_images", "Nearest", "HalfPixel", spread(0, 2, 3, 2), 4, 4),
    resize("bilinear_no_images", "Bilinear", "HalfPixel", spread(0, 2, 3, 2), 4, 4),
    case("nearest_bool", {
        "mode": "Nearest",
        "output_h": 1,
        "output_w": 4
    }, [np.array([True, False]).reshape(1, 1, 2, 1)],
         [np.array([True, True, False, False]).reshape(1, 1, 4, 1)]),
    case("nearest_i64", {
        "mode": "Nearest",
        "output_h": 1,
        "output_w": 4
    }, [np.array([2**40, -1]).reshape(1, 1, 2, 1)],
         [np.array([2**40, 2**40, -1, -1]).reshape(1, 1, 4, 1)]),
    bad("bicubic_bytes", (X * 9).astype(np.uint8), mode="Bicubic"),
    bad("rank_3", X[0]),
    bad("no_height", X[:, :0]),
    bad("size_0", X, output_h=0),
    bad("negative_size", X, output_w=-3),
    bad("bilinear_bool", X > 0, mode="Bilinear"),
    bad("huge_row", spread(0, 1, 1, 5), output_h=2**31 - 1, output_w=2**31 - 1),
]
CASES[-1]["inputs"][0]["shape"] = [0, 1, 1, 2**40]
write("Resize", CASES)

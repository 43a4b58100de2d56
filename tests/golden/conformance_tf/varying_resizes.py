# SPDX-License-Identifier: Apache-2.0
"""Pictures of any size resized to fixed and to computed sizes. Every case runs at several sizes, odd and even, the largest included."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("varying_resizes")
LARGEST = [1, 5, 6, 2]
SIZES = [(5, 6), (4, 3), (3, 6), (2, 2)]
METHODS = {"bilinear": raw.ResizeBilinear, "nearest": raw.ResizeNearestNeighbor, "bicubic": raw.ResizeBicubic}


def filters(seed, *shape):
    return tf.constant(normal(rng(seed), *shape))


def case(name, build, sizes=None, dtype=np.float32):
    for height, width in sizes or SIZES[:2]:
        p = (normal(rng(height * 100 + width), 1, height, width, 2) * (1 if dtype == np.float32 else 60)).astype(dtype)
        family.case(f"{name}_{height}x{width}", build, {"p": p}, largest={"p": LARGEST})


def size(p):
    return tf.shape(p)[1:3]


for method, resize in METHODS.items():
    case(f"{method}_half", lambda p, r=resize: r(images=p, size=size(p) // 2, half_pixel_centers=True), SIZES)
    case(f"{method}_twice", lambda p, r=resize: r(images=p, size=size(p) * 2, half_pixel_centers=True))
    case(f"{method}_legacy", lambda p, r=resize: r(images=p, size=size(p) * 2 - 1))
    case(f"{method}_corners", lambda p, r=resize: r(images=p, size=size(p) + 3, align_corners=True))
    case(f"{method}_fixed", lambda p, r=resize: r(images=p, size=[4, 5], half_pixel_centers=True), SIZES)
    case(f"{method}_fixed_height", lambda p, r=resize: r(images=p, size=tf.stack([4, tf.shape(p)[2]]), half_pixel_centers=True))
    case(f"{method}_same", lambda p, r=resize: r(images=p, size=size(p), half_pixel_centers=True) + p)
case("bilinear_relu", lambda p: tf.nn.relu(raw.ResizeBilinear(images=tf.nn.relu(p), size=size(p) * 2)))
case("bilinear_third_rounded_up", lambda p: raw.ResizeBilinear(images=p, size=(size(p) + 2) // 3))
for dtype in (np.uint8, np.int32):
    name = np.dtype(dtype).name
    case(f"bilinear_of_{name}", lambda p: raw.ResizeBilinear(images=p, size=size(p) * 2, half_pixel_centers=True), dtype=dtype)
    case(f"nearest_of_{name}", lambda p: raw.ResizeNearestNeighbor(images=p, size=size(p) // 2, half_pixel_centers=True), dtype=dtype)
case("there_and_back", lambda p: tf.image.resize(tf.image.resize(p, size(p) // 2), size(p)) - p)


def pyramid(p):
    """Three levels, each added to the next one at its size."""
    levels = [tf.nn.relu(tf.nn.conv2d(p, filters(1, 3, 3, 2, 4), 1, "SAME"))]
    for seed in (2, 3):
        levels.append(tf.nn.relu(tf.nn.conv2d(levels[-1], filters(seed, 3, 3, 4, 4), 2, "SAME")))
    y = levels[-1]
    for level in reversed(levels[:-1]):
        y = level + raw.ResizeNearestNeighbor(images=y, size=size(level))
    return y


case("pyramid", pyramid, SIZES)
family.write()

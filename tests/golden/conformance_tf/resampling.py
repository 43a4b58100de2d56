# SPDX-License-Identifier: Apache-2.0
"""ScaleAndTranslate: kernels, scales and translations of pictures."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

KERNELS = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")

family = Family("resampling")
g = rng(31)
picture = normal(g, 1, 9, 8, 2)


def case(name, pixels, size, scale, translation=(0.0, 0.0), kernel="lanczos3", antialias=True, largest=None):
    family.case(name, lambda x: raw.ScaleAndTranslate(images=x, size=size, scale=scale, translation=translation, kernel_type=kernel,
                                                      antialias=antialias), {"x": pixels}, tolerance=2e-5, largest=largest)


for kernel in KERNELS:
    case(f"{kernel}_down", picture, [4, 3], [4 / 9, 3 / 8], kernel=kernel)
    case(f"{kernel}_down_aliased", picture, [4, 3], [4 / 9, 3 / 8], kernel=kernel, antialias=False)
    case(f"{kernel}_up", picture, [13, 11], [13 / 9, 11 / 8], kernel=kernel)
    case(f"{kernel}_moved", picture, [7, 6], [0.8, 1.3], [1.7, -2.2], kernel=kernel)

# Where the output lies: beyond the border, at it, in part.
case("beyond", picture, [4, 5], [1, 1], [20, 0])
case("beyond_in_part", picture, [12, 12], [1, 1], [3, -4], "triangle")
case("border", picture, [5, 5], [1, 1], [0.5, -7.5], "box")
case("of_halves", picture, [10, 9], [1, 1], [0.5, 0.5], "box")
case("same", picture, [9, 8], [1, 1], kernel="triangle")
case("part", picture, [3, 3], [1, 1], [-4, -2], "keyscubic")
case("far_down", picture, [1, 1], [0.01, 0.02], kernel="gaussian")
case("far_up", picture, [17, 5], [1000, 300], [-300, -200], kernel="mitchellcubic")
case("tall", normal(g, 1, 20, 2, 1), [3, 9], [0.15, 4.5])
case("wide", normal(g, 1, 2, 20, 1), [9, 3], [4.5, 0.15])
# Large enough that the matrices are cut into bands; some of them have no pixel.
case("bands_of_rows", normal(g, 1, 90, 2, 1), [40, 2], [40 / 90, 1], kernel="triangle")
case("bands_of_columns", normal(g, 1, 2, 90, 1), [2, 64], [1, 64 / 90], kernel="lanczos3")
case("bands_up", normal(g, 1, 30, 3, 1), [90, 3], [3, 1], kernel="keyscubic")
case("bands_beyond", normal(g, 1, 40, 2, 1), [128, 2], [1, 1], [70, 0], kernel="box")
# Channels, batches, types.
case("many_channels", normal(g, 1, 4, 5, 17), [3, 8], [0.75, 1.6])
case("batch", normal(g, 3, 5, 4, 3), [3, 6], [0.6, 1.5])
case("batch_varies", normal(g, 2, 5, 4, 3), [3, 6], [0.6, 1.5], largest={"x": [4, 5, 4, 3]})
case("batch_and_channels_vary_not", normal(g, 2, 4, 3, 16), [6, 6], [1.5, 2], largest={"x": [3, 4, 3, 16]})
for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.float16, np.float64):
    pixels = g.integers(0, 120, (1, 5, 6, 2)).astype(dtype)
    case(f"of_{np.dtype(dtype).name}", pixels, [3, 8], [0.6, 8 / 6])
# As tf.image makes it: the scale follows from the shape.
for kernel in ("bilinear", "bicubic", "lanczos3", "mitchellcubic"):
    family.case(f"resize_{kernel}", lambda x, kernel=kernel: tf.image.resize(x, [5, 4], kernel, antialias=True), {"x": picture},
                tolerance=2e-5)
family.case("resize_batch_varies", lambda x: tf.image.resize(x, [5, 4], "lanczos5", antialias=True), {"x": picture}, tolerance=2e-5,
            largest={"x": [3, 9, 8, 2]})
family.write()

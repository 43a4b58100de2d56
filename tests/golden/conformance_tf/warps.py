# SPDX-License-Identifier: Apache-2.0
"""ImageProjectiveTransformV2 and V3."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("warps")
g = rng(77)
picture = normal(g, 1, 6, 5, 2)
pictures = normal(g, 3, 5, 6, 2)
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0]
TURN = [0.8, 0.3, 0.4, -0.25, 0.9, 0.7, 0, 0]
FAR = [2.3, 0.4, -7.3, -0.3, 2.7, -6.2, 0, 0]
PERSPECTIVE = [0.9, 0.1, 0.2, -0.1, 1.1, 0.3, 0.02, -0.03]
VANISHING = [1, 0, 0, 0, 1, 0, -0.25, 0]  # in column 4 all is infinitely far
MODES = ("CONSTANT", "REFLECT", "WRAP", "NEAREST")


def case(name, pixels, transform, size=(5, 6), interpolation="BILINEAR", mode="CONSTANT", fill=0.0, largest=None, fed=False, version=3):
    transform = np.asarray(transform, np.float32)
    transform = transform[None] if transform.ndim == 1 else transform
    tolerance = 2e-3 if pixels.dtype == np.float16 else 2e-5 if pixels.dtype in (np.float32, np.float64) and interpolation == "BILINEAR" else None

    def build(x, t=transform):
        if version == 2:
            return raw.ImageProjectiveTransformV2(images=x, transforms=t, output_shape=size, interpolation=interpolation, fill_mode=mode)
        return raw.ImageProjectiveTransformV3(images=x, transforms=t, output_shape=size, fill_value=fill, interpolation=interpolation,
                                              fill_mode=mode)

    if fed:
        family.case(name, lambda x, t: build(x, t), {"x": pixels, "t": transform}, tolerance=tolerance, largest=largest)
    else:
        family.case(name, lambda x: build(x), {"x": pixels}, tolerance=tolerance, largest=largest)


for interpolation in ("NEAREST", "BILINEAR"):
    name = interpolation.lower()
    for mode in MODES:
        case(f"{name}_{mode.lower()}", picture, TURN, (7, 6), interpolation, mode, 2.5)
        case(f"{name}_{mode.lower()}_far", picture, FAR, (7, 8), interpolation, mode, fed=True)
        case(f"{name}_{mode.lower()}_v2", picture, PERSPECTIVE, (4, 4), interpolation, mode, version=2)
        case(f"{name}_{mode.lower()}_vanishing", picture, VANISHING, (3, 6), interpolation, mode, -1.5, fed=True)
        case(f"{name}_{mode.lower()}_of_one_pixel", picture[:, :1, :1], FAR, (3, 3), interpolation, mode, 4.0)
    case(f"{name}_identity", picture, IDENTITY, (6, 5), interpolation)
    case(f"{name}_each_its_own", pictures, [TURN, FAR, PERSPECTIVE], (4, 5), interpolation, "REFLECT")
    case(f"{name}_each_its_own_fed", pictures, [TURN, FAR, PERSPECTIVE], (4, 5), interpolation, "WRAP", fed=True)
    case(f"{name}_one_for_all", pictures, TURN, (4, 5), interpolation, fill=1.0)
    case(f"{name}_one_for_all_fed", pictures, PERSPECTIVE, (4, 5), interpolation, fill=1.0, fed=True)
    case(f"{name}_batch_varies", pictures, TURN, (4, 5), interpolation, largest={"x": [5, 5, 6, 2]})
    for dtype in (np.uint8, np.int32, np.int64, np.float16, np.float64):
        case(f"{name}_of_{np.dtype(dtype).name}", g.integers(0, 250, (1, 4, 5, 3)).astype(dtype), TURN, (5, 5), interpolation, fill=7.7)
# Halfway between pixels, also beside the picture.
for mode in MODES:
    case(f"halves_{mode.lower()}", picture, [1, 0, -2.5, 0, 1, -1.5, 0, 0], (9, 9), "NEAREST", mode, 9.0)
    case(f"negative_halves_{mode.lower()}", picture, [-0.5, 0, 5, 0, 0.5, -4, 0, 0], (16, 20), "NEAREST", mode, 9.0)
case("nowhere", picture, [np.nan, 0, 0, 0, 1, 0, 0, 0], (2, 2), "NEAREST", fed=True, fill=3.0)
family.case("computed_for_each", lambda x: raw.ImageProjectiveTransformV3(
    images=x, transforms=tf.constant([TURN], tf.float32) + 0.05 * tf.reshape(x, [-1, 60])[:, :8], output_shape=tf.shape(x)[1:3],
    fill_value=0.0, interpolation="BILINEAR", fill_mode="REFLECT"), {"x": pictures}, tolerance=5e-5, largest={"x": [4, 5, 6, 2]})
family.write()

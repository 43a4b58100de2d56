# SPDX-License-Identifier: Apache-2.0
import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("color")
g = rng(5)
picture = g.random((2, 3, 4, 3)).astype(np.float32)
# Grey, black, white, pure colours, two channels equal, negative ones.
special = np.array([[0, 0, 0], [1, 1, 1], [0.4, 0.4, 0.4], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1],
                    [0.2, 0.7, 0.7], [0.7, 0.7, 0.2], [0.7, 0.2, 0.7]], np.float32)
hsv = np.array([[0, 0, 0], [0, 1, 1], [1, 1, 1], [0.5, 0.5, 0.5], [1 / 6, 1, 0.5], [1 / 3, 0.2, 1], [2 / 3, 0, 0.3], [5 / 6, 1, 1]],
               np.float32)



def in_floats(op, pixels, **attributes):
    """TensorFlow's result for pictures of 16 bits, which only its GPUs compute themselves; None for others: it is run."""
    return op(images=pixels.astype(np.float32), **attributes).numpy().astype(np.float16) if pixels.dtype == np.float16 else None


for name, pixels in (("picture", picture), ("special", special), ("one", picture[0, 0, 0]), ("empty", picture[:0]),
                     ("large", picture * 255), ("half", picture.astype(np.float16)), ("double", picture.astype(np.float64))):
    tolerance = 4e-3 if pixels.dtype == np.float16 else 1e-5
    family.case(f"rgb_to_hsv_{name}", lambda x: raw.RGBToHSV(images=x), {"x": pixels}, tolerance=tolerance)
for name, pixels in (("picture", picture), ("special", hsv), ("one", hsv[1]), ("empty", picture[:0]), ("half", picture.astype(np.float16))):
    tolerance = 4e-3 if pixels.dtype == np.float16 else 1e-5
    family.case(f"hsv_to_rgb_{name}", lambda x: raw.HSVToRGB(images=x), {"x": pixels}, tolerance=tolerance)
for name, pixels, delta in (("forth", picture, 0.2), ("back", picture, -0.4), ("round", picture, 1.0), ("none", picture, 0.0),
                            ("special", special[None], 0.3), ("half", picture.astype(np.float16), 0.1)):
    tolerance = 4e-3 if pixels.dtype == np.float16 else 1e-5
    family.case(f"hue_{name}", lambda x, d: raw.AdjustHue(images=x, delta=d), {"x": pixels, "d": np.float32(delta)}, tolerance=tolerance,
                expected=in_floats(raw.AdjustHue, pixels, delta=delta))
for name, pixels, scale in (("less", picture, 0.3), ("more", picture, 4.0), ("grey", picture, 0.0), ("special", special[None], 0.5),
                            ("half", picture.astype(np.float16), 2.0)):
    tolerance = 4e-3 if pixels.dtype == np.float16 else 1e-5
    family.case(f"saturation_{name}", lambda x, s: raw.AdjustSaturation(images=x, scale=s), {"x": pixels, "s": np.float32(scale)},
                tolerance=tolerance, expected=in_floats(raw.AdjustSaturation, pixels, scale=scale))
for name, pixels, factor in (("less", picture, 0.5), ("more", picture, 3.0), ("inverted", picture, -1.0), ("alone", picture[0], 2.0),
                             ("batches", normal(g, 2, 2, 3, 2, 4), 1.5), ("half", picture.astype(np.float16), 2.0)):
    tolerance = 4e-3 if pixels.dtype == np.float16 else 1e-5
    family.case(f"contrast_{name}", lambda x, f: raw.AdjustContrastv2(images=x, contrast_factor=f),
                {"x": pixels, "f": np.float32(factor)}, tolerance=tolerance,
                expected=in_floats(raw.AdjustContrastv2, pixels, contrast_factor=factor))
family.case("adjusted_one_after_another", lambda x: tf.image.adjust_contrast(tf.image.adjust_saturation(tf.image.adjust_hue(
    x, 0.1), 1.5), 0.8), {"x": picture}, tolerance=1e-5)
family.write()

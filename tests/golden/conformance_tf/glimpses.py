# SPDX-License-Identifier: Apache-2.0
"""ExtractGlimpseV2: parts of pictures at places that are fed."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("glimpses")
g = rng(19)
pictures = normal(g, 3, 7, 8, 2)
PLACES = {"inside": [[0.1, 0.2], [-0.3, 0.4], [0.0, 0.0]], "border": [[0.9, -0.95], [-1.0, 1.0], [1.3, 0.2]],
          "far": [[5.0, 0.1], [0.1, -7.0], [-1e30, 1e30]], "pixels": [[2.0, 3.7], [-2.6, -1.2], [6.4, 7.0]],
          "none": [[np.nan, 0.0], [0.0, np.inf], [-np.inf, 1.0]]}


def case(name, size, places, centered, normalized):
    family.case(name, lambda x, o: raw.ExtractGlimpseV2(input=x, size=size, offsets=o, centered=centered, normalized=normalized,
                                                        uniform_noise=False, noise="zero"),
                {"x": pictures, "o": np.array(places, np.float32)})


for form, centered, normalized in (("", True, True), ("_in_pixels", True, False), ("_from_corner", False, True),
                                   ("_from_corner_in_pixels", False, False)):
    for name, places in PLACES.items():
        case(name + form, (3, 4), places, centered, normalized)
case("odd", (2, 3), PLACES["inside"], True, True)
case("larger_than_pictures", (9, 11), PLACES["border"], True, True)
case("one_pixel", (1, 1), PLACES["inside"], True, True)
family.case("batch_varies", lambda x: raw.ExtractGlimpseV2(input=x, size=(3, 2), offsets=tf.reduce_mean(x, [1, 2]) * 3.0,
                                                           centered=True, normalized=True, uniform_noise=False, noise="zero"),
            {"x": pictures}, largest={"x": [5, 7, 8, 2]})
family.case("constant_place", lambda x: tf.image.extract_glimpse(x, [3, 3], np.array(PLACES["border"], np.float32), noise="zero"),
            {"x": pictures})
family.write()

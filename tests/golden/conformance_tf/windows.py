# SPDX-License-Identifier: Apache-2.0
"""Windows of pictures: Dilation2D and MaxPoolWithArgmax."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("windows")
g = rng(41)
picture = normal(g, 2, 6, 7, 3)


def dilation(name, pixels, kernel, stride=(1, 1), rate=(1, 1), padding="SAME", largest=None, fed=False):
    dtype = pixels.dtype
    weights = (g.standard_normal((*kernel, pixels.shape[-1])) * (1 if dtype.kind == "f" else 30)).astype(dtype)
    attributes = {"strides": [1, *stride, 1], "rates": [1, *rate, 1], "padding": padding}
    tolerance = 4e-3 if dtype == np.float16 else None
    if fed:
        family.case(name, lambda x, f: raw.Dilation2D(input=x, filter=f, **attributes), {"x": pixels, "f": weights}, tolerance=tolerance)
    else:
        family.case(name, lambda x: raw.Dilation2D(input=x, filter=weights, **attributes), {"x": pixels}, tolerance=tolerance,
                    largest=largest)


for padding in ("SAME", "VALID"):
    name = f"dilation_{padding.lower()}"
    dilation(name, picture, (3, 3), padding=padding)
    dilation(f"{name}_strides", picture, (3, 2), (2, 3), padding=padding)
    dilation(f"{name}_rates", picture, (2, 3), (1, 1), (3, 2), padding=padding)
    dilation(f"{name}_strides_and_rates", picture, (2, 2), (2, 1), (2, 3), padding=padding)
    dilation(f"{name}_fed_filter", picture, (2, 3), padding=padding, fed=True)
dilation("dilation_of_one", picture, (1, 1))
dilation("dilation_wide_rates", picture, (2, 2), rate=(5, 6))
dilation("dilation_batch_varies", picture, (3, 3), (2, 2), largest={"x": [4, 6, 7, 3]})
for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.float16, np.float64):
    dilation(f"dilation_of_{np.dtype(dtype).name}", g.integers(0, 120, (1, 4, 5, 2)).astype(dtype), (3, 2), (2, 1))
family.case("erosion", lambda x: tf.nn.erosion2d(x, tf.constant(normal(rng(3), 3, 3, 3)), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
            {"x": picture})


def pool(name, pixels, size, stride, padding="SAME", largest=None, **attributes):
    family.case(name, lambda x: list(raw.MaxPoolWithArgmax(input=x, ksize=[1, *size, 1], strides=[1, *stride, 1], padding=padding,
                                                           **attributes)), {"x": pixels}, largest=largest)


for padding in ("SAME", "VALID"):
    name = f"argmax_{padding.lower()}"
    pool(name, picture, (2, 2), (2, 2), padding)
    pool(f"{name}_overlapping", picture, (3, 2), (1, 1), padding)
    pool(f"{name}_i32", picture, (3, 3), (2, 2), padding, Targmax=tf.int32)
    pool(f"{name}_of_all_pictures", picture, (2, 3), (2, 3), padding, include_batch_in_index=True)
    pool(f"{name}_gaps", picture, (1, 2), (2, 3), padding)
    pool(f"{name}_batch_varies", picture, (2, 2), (2, 2), padding, largest={"x": [3, 6, 7, 3]})
pool("argmax_of_one", picture, (1, 1), (2, 1), "VALID")
pool("argmax_of_one_batch_varies", picture, (1, 1), (2, 2), "VALID", largest={"x": [3, 6, 7, 3]})
pool("argmax_ties", np.round(picture), (3, 3), (1, 1))
pool("argmax_all_equal", np.full((1, 4, 4, 2), -3, np.float32), (2, 2), (1, 1))
for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.float16, np.float64):
    pool(f"argmax_of_{np.dtype(dtype).name}", g.integers(0, 6, (1, 5, 5, 2)).astype(dtype), (2, 2), (2, 2))
family.case("argmax_alone", lambda x: raw.MaxPoolWithArgmax(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")[1],
            {"x": picture})
family.case("maxima_alone", lambda x: raw.MaxPoolWithArgmax(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")[0],
            {"x": picture})
family.write()

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def pad(name, x, paddings, mode="CONSTANT", value=0, why=""):
    before, after = [[int(p[i]) for p in paddings] for i in (0, 1)]
    attrs = {"before": before, "after": after, "mode": mode.capitalize(), "value": float(value)}
    if x.ndim <= 6:
        expected = tf.pad(x, np.reshape(paddings, [-1, 2]).astype(np.int32), mode, value).numpy()
    else:  # TensorFlow's kernel cannot do this
        expected = np.pad(x, paddings, constant_values=value)
    return case(name, attrs, [x], [expected], why)


CASES = [
    pad("image", numbered([1, 4, 5, 3]), [(0, 0), (1, 1), (1, 1), (0, 0)], why="SAME padding"),
    pad("uneven", numbered([2, 3, 5, 2]), [(0, 0), (0, 1), (2, 0), (0, 0)]),
    pad("channels", numbered([1, 3, 3, 5]), [(0, 0), (0, 0), (0, 0), (1, 2)]),
    pad("every_dim", numbered([2, 3, 2, 3]), [(1, 2), (2, 1), (0, 3), (1, 0)]),
    pad("batch_only", numbered([2, 9]), [(1, 1), (0, 0)], why="input is contiguous in the output"),
    pad("nothing", numbered([3, 4]), [(0, 0), (0, 0)]),
    pad("scalar", np.float32(3), np.zeros([0, 2], np.int32)),
    pad("value", numbered([3, 4]), [(1, 0), (0, 2)], value=-1.5),
    pad("minus_infinity", numbered([1, 3, 3, 1]), [(0, 0), (1, 1), (1, 1), (0, 0)],
        value=-np.inf, why="before a max pool"),
    pad("special_values", special([2, 5]), [(0, 1), (1, 0)]),
    pad("from_nothing", numbered([0, 3]), [(1, 2), (0, 1)], value=7, why="all border"),
    pad("still_nothing", numbered([0, 3]), [(0, 0), (1, 1)]),
    pad("rank_8", numbered([1, 2, 1, 2, 1, 2, 1, 2]), [(0, 1)] * 8),
    pad("reflect", numbered([1, 4, 5, 2]), [(0, 0), (3, 1), (2, 4), (0, 0)], "REFLECT",
        why="up to dim - 1"),
    pad("reflect_every_dim", numbered([3, 2, 4]), [(2, 1), (1, 1), (0, 3)], "REFLECT"),
    pad("reflect_dim_1", numbered([1, 3]), [(0, 0), (1, 1)], "REFLECT"),
    pad("symmetric", numbered([1, 4, 5, 2]), [(0, 0), (4, 1), (2, 5), (0, 0)], "SYMMETRIC",
        why="up to dim"),
    pad("symmetric_every_dim", numbered([3, 1, 4]), [(3, 2), (1, 1), (0, 4)], "SYMMETRIC"),
] + [pad(f"dtype_{name_of(d)}", numbered([3, 4], d), [(1, 1), (2, 0)],
         value=0 if d == np.bool_ else 3) for d in ALL_DTYPES if d not in (np.float16,)]
CASES.append(pad("dtype_f16", numbered([3, 4], np.float16), [(1, 1), (2, 0)]))
CASES += [
    dict(case("reflect_too_wide", {"before": [3], "after": [0], "mode": "Reflect"},
              [numbered([3])], []), error="invalid_plan"),
    dict(case("wrong_rank", {"before": [1], "after": [1]}, [numbered([3, 3])], []),
         error="invalid_plan"),
    dict(case("too_large", {"before": [2**62], "after": [2**62]}, [numbered([3])], []),
         error="invalid_plan"),
    dict(case("negative", {"before": [-1], "after": [1]}, [numbered([3])], []),
         error="invalid_plan"),
]
write("Pad", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered, special
import tensorflow as tf


def cut(name, x, begin, size, stride=None, why=""):
    steps = stride or [1] * len(begin)
    ends = [b + n * s for b, n, s in zip(begin, size, steps)]
    # An end below 0 would count from the back in TensorFlow; begin - dim - 1 is "before the start".
    ends = [e if e >= 0 else -x.shape[i] - 1 for i, e in enumerate(ends)]
    expected = tf.strided_slice(x, begin, ends, steps).numpy() if len(begin) else x
    assert list(expected.shape) == list(size), (name, expected.shape)
    attrs = {"begin": begin, "size": size}
    if stride:
        attrs["stride"] = stride
    return case(name, attrs, [x], [expected], why)


CASES = [
    cut("box", numbered([5, 6, 7]), [1, 2, 3], [3, 2, 4]),
    cut("rows", numbered([6, 5]), [2, 0], [3, 5], why="contiguous"),
    cut("columns", numbered([6, 5]), [0, 1], [6, 3]),
    cut("all", numbered([3, 4]), [0, 0], [3, 4]),
    cut("one_element", numbered([3, 4, 5]), [2, 3, 4], [1, 1, 1]),
    cut("channels", numbered([1, 4, 4, 8]), [0, 0, 0, 4], [1, 4, 4, 4], why="split in two"),
    cut("stride", numbered([9, 10]), [1, 0], [4, 4], [2, 3]),
    cut("reverse", numbered([7]), [6], [7], [-1]),
    cut("reverse_rows", numbered([4, 6]), [3, 0], [4, 6], [-1, 1]),
    cut("reverse_all", numbered([3, 4, 5]), [2, 3, 4], [3, 4, 5], [-1, -1, -1]),
    cut("stride_minus_2", numbered([4, 9]), [3, 7], [2, 4], [-2, -2]),
    cut("nothing", numbered([4, 5]), [1, 2], [0, 3]),
    cut("from_nothing", numbered([0, 5]), [0, 2], [0, 3]),
    cut("rank_8", numbered([2, 1, 2, 3, 1, 2, 2, 3]), [1, 0, 0, 1, 0, 1, 0, 1],
        [1, 1, 2, 2, 1, 1, 2, 2]),
    cut("special_values", special([3, 6]), [1, 1], [2, 4]),
    case("scalar", {}, [np.float32(4)], [np.float32(4)]),
    case("huge_unused_stride", {"begin": [2], "size": [1], "stride": [2**62]}, [numbered([5])],
         [numbered([5])[2:3]], why="the stride is never taken"),
] + [cut(f"dtype_{name_of(d)}", numbered([4, 5], d), [1, 3], [2, 2], [2, -3])
     for d in ALL_DTYPES]
CASES += [dict(case(name, attrs, [numbered([5])], []), error="invalid_plan") for name, attrs in {
    "beyond_end": {"begin": [3], "size": [3]},
    "before_start": {"begin": [1], "size": [3], "stride": [-1]},
    "stride_0": {"begin": [1], "size": [1], "stride": [0]},
    "overflow": {"begin": [1], "size": [2**62], "stride": [2**62]},
    "wrong_rank": {"begin": [1, 0], "size": [1, 1]},
    "lengths_differ": {"begin": [1], "size": [1, 1]},
    "negative_size": {"begin": [1], "size": [-1]},
}.items()]
write("Slice", CASES)

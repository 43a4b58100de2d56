# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from data_movement_inputs import ALL_DTYPES, name_of, numbered
import tensorflow as tf


def expect(x, block):
    """Uses TensorFlow's kernel, or its definition for dtypes that the kernel lacks, empty inputs and block 1."""
    if x.size and block > 1 and x.dtype == np.float32:
        return tf.nn.depth_to_space(x, block).numpy()
    n, h, w, c = x.shape
    b = x.reshape(n, h, w, block, block, c // block**2)
    return b.transpose(0, 1, 3, 2, 4, 5).reshape(n, h * block, w * block, c // block**2)


SHAPES = [
    ("block_2", [1, 2, 3, 8], 2, ""),
    ("block_3", [2, 2, 1, 18], 3, ""),
    ("one_channel", [1, 3, 3, 4], 2, "sub-pixel upsampling"),
    ("block_4", [1, 2, 2, 32], 4, ""),
    ("whole_quads", [2, 2, 3, 16], 2, "four channels"),
    ("batch", [3, 1, 2, 12], 2, ""),
    ("one_pixel", [1, 1, 1, 75], 5, ""),
    ("empty_batch", [0, 2, 3, 8], 2, ""),
    ("no_channels", [1, 2, 3, 0], 2, ""),
]
CASES = [case(name, {"block": block}, [x], [expect(x, block)], why)
         for name, shape, block, why in SHAPES for x in [numbered(shape)]]
CASES += [case(f"dtype_{name_of(d)}", {"block": 2}, [x], [expect(x, 2)])
          for d in ALL_DTYPES for x in [numbered([1, 2, 3, 8], d)]]
CASES.append(case("block_1", {"block": 1}, [numbered([1, 2, 3, 4])], [numbered([1, 2, 3, 4])]))
CASES += [dict(case(name, {"block": block}, [numbered(shape)], []), error="invalid_plan")
          for name, shape, block in [("channels_do_not_divide", [1, 2, 2, 6], 2), ("rank_3", [2, 2, 4], 2),
                                   ("block_0", [1, 2, 2, 4], 0), ("huge", [1, 2, 2, 4], 2**30)]]
write("DepthToSpace", CASES)

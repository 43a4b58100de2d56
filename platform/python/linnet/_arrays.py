# SPDX-License-Identifier: Apache-2.0
"""How NumPy makes arrays for a session."""
import numpy as np

# What a run needs of memory that it works in without a copy: where it begins, and bytes behind it.
ALIGNMENT, SLACK = 64, 16


def as_array(value, dtype):
    """Elements of `dtype` in their order, of Python's numbers and lists of them. What has a type of its own keeps it, so that
    the caller is told where it is the wrong one."""
    array = np.asarray(value, order="C")
    if isinstance(value, (bool, int, float, list, tuple)) and not (array.dtype.kind == "f" and dtype.kind in "iub"):
        array = np.asarray(value, dtype, order="C")
    return array


def empty(info):
    """An array of the shape and type of `info` (a TensorInfo), whose memory a run can write an output to without a copy: for
    Session.run(out=...)."""
    size = info.bytes + ALIGNMENT + SLACK
    memory = np.empty(size, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start:start + info.bytes].view(info.dtype).reshape(info.shape)

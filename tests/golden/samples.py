# SPDX-License-Identifier: Apache-2.0
"""Summary of a golden output: its type, its largest magnitude and a sample of its elements. Needs numpy only.

  {"name", "dtype", "shape", "max_abs", "values"}   values: at sample_positions, or all elements if there are few
"""

import numpy as np

import compare

SAMPLES = 256


def sample(name, array):
    array = np.asarray(array)
    return {"name": name, "dtype": str(array.dtype), "shape": list(array.shape),
            "max_abs": _number(np.max(np.abs(array), initial=0)),
            "values": [_number(value) for value in array.ravel()[sample_positions(array.size)]]}


def sample_positions(size):
    """Indices of the elements that are kept of an array of `size` elements."""
    if size <= SAMPLES:
        return np.arange(size)
    return np.unique((np.random.default_rng(0).random(SAMPLES) * size).astype(np.int64))


def sample_error(expected, array):
    """Largest difference relative to the output's largest magnitude; of integers the share that differs. Infinite
    when type, shape or finiteness differ."""
    if str(array.dtype) != expected["dtype"] or list(array.shape) != expected["shape"]:
        return np.inf
    values = array.ravel()[sample_positions(array.size)]
    wanted = np.array(expected["values"], expected["dtype"])
    if array.dtype.kind != "f":
        return compare.relative_error(wanted, values)
    if not np.isfinite(array).all():
        return np.inf
    difference = np.max(np.abs(wanted.astype(np.float64) - values), initial=0.0)
    return float(difference / expected["max_abs"]) if difference else 0.0


def _number(value):
    """The shortest number that reads back as the same element."""
    return float(str(value)) if value.dtype.kind == "f" else int(value)

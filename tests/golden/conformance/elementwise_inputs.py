# SPDX-License-Identifier: Apache-2.0
"""Inputs for ops that compute with elements one by one."""

import numpy as np

import cases

INTS = (np.int32, np.int64, np.uint8, np.int8, np.int16, np.uint16)

# Values at which float functions change their behaviour.
EDGES = np.array([
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 6.0, 1e-3, -1e-3, 10.0, -10.0, 88.0,
    -88.0, 100.0, -100.0, 1e-30, 8388609.0, -4194304.5, 1e30, -1e30, np.inf, -np.inf, np.nan
], np.float32)


def spread(*shape, low=-6.0, high=6.0, seed=0):
    """Evenly random float32 values in [low, high)."""
    return cases.rng(seed).uniform(low, high, shape).astype(np.float32)


def integers(dtype, *shape, seed=0):
    """Random integers over the whole range of the dtype, including its ends."""
    info = np.iinfo(dtype)
    values = cases.rng(seed).integers(info.min, info.max, shape, dtype, endpoint=True)
    flat = values.reshape(-1)
    flat[:4] = [info.min, info.max, 0, 1][:flat.size]
    return values


def name_of(dtype):
    return cases.DTYPES[np.dtype(dtype).name]

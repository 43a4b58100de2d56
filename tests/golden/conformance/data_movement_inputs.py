# SPDX-License-Identifier: Apache-2.0
"""Inputs for ops that move elements without looking at them."""

import numpy as np

import cases

ALL_DTYPES = (np.float32, np.float16, np.int32, np.int64, np.uint8, np.int8, np.bool_, np.int16,
              np.uint16)


def numbered(shape, dtype=np.float32):
    """Elements that differ, as far as the dtype allows, so that a misplaced one is detected."""
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == np.bool_:
        return cases.rng(count).random(shape) < 0.5
    return (np.arange(count) % 251 - (0 if np.dtype(dtype).kind == "u" else 100)).astype(
        dtype).reshape(shape)


def special(shape):
    """float32 bit patterns that arithmetic would change."""
    values = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38], np.float32)
    return np.resize(values, shape)


def name_of(dtype):
    return cases.DTYPES[np.dtype(dtype).name]

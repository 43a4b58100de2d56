# SPDX-License-Identifier: Apache-2.0
"""What a model of the corpus is fed: a shape, a type, how values are drawn, and at which other sizes it runs."""

import dataclasses
import zlib

import numpy as np


@dataclasses.dataclass(frozen=True)
class Feed:
    shape: tuple
    dtype: str = "float32"
    low: float = -1.0
    high: float = 1.0
    content: object = None  # an array, instead of values drawn from a seed
    flag: str = ""  # the shape as --input has it, for extents that vary or that the model leaves open
    sizes: tuple = ()  # further shapes to run at
    is_set: bool = False  # a constant of the conversion (--set): TensorFlow is fed it, the plan is not

    def varying(self, flag, *sizes):
        """The model leaves the extents written as A..B open; the plan runs at `shape` and at each of `sizes`."""
        return dataclasses.replace(self, flag=flag, sizes=sizes)

    def as_set(self):
        return dataclasses.replace(self, is_set=True)

    @property
    def open_shape(self):
        """None for each extent that varies."""
        if not self.flag:
            return list(self.shape)
        return [None if ".." in text or text == "?" else int(text) for text in self.flag.split("x")]

    def values(self, model, name, run=0):
        """Run 0 is at `shape`, run N at sizes[N - 1]; the same values every time."""
        if self.content is not None:
            return np.asarray(self.content, object if self.dtype == "string" else self.dtype)
        shape = self.shape if run == 0 or not self.sizes else self.sizes[run - 1]
        random = np.random.default_rng(zlib.crc32(f"{model}/{name}/{run}".encode()))
        if self.dtype == "bool":
            return random.integers(0, 2, shape).astype(bool)
        if np.dtype(self.dtype).kind in "iu":
            return random.integers(int(self.low), int(self.high), shape).astype(self.dtype)
        return random.uniform(self.low, self.high, shape).astype(self.dtype)

    def set_text(self):
        """The value as --set has it."""
        value = np.asarray(self.content)
        return str(bool(value)).lower() if value.dtype == bool else str(value.item())


def f32(*shape, low=-1.0, high=1.0):
    return Feed(shape, low=low, high=high)


def positive(*shape):
    return Feed(shape, low=0.1, high=2.0)


def picture(height, width, channels=3, batch=1):
    return Feed((batch, height, width, channels), low=0.0, high=255.0)


def integers(*shape, low=0, high=10, dtype="int32"):
    return Feed(shape, dtype, low, high)


def booleans(*shape):
    return Feed(shape, "bool")


def given(content, dtype=None):
    content = np.asarray(content, object if dtype == "string" else dtype)
    if dtype == "string":
        return Feed(content.shape, dtype, content=content)
    if dtype is None and content.dtype == np.float64:
        content = content.astype(np.float32)
    if dtype is None and content.dtype == np.int64:
        content = content.astype(np.int32)
    return Feed(content.shape, content.dtype.name, content=content)

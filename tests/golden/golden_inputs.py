# SPDX-License-Identifier: Apache-2.0
"""The inputs that models are tested with: a picture and seeded noise. The same numbers on every machine; numpy only."""

import numpy as np

import pictures

RANDOM_CASES = 3


def make_cases(picture_dir, model):
    """Yields (case name, {input name: array}) of a model_catalog.Model."""
    picture = pictures.read_png(picture_dir / "astronaut.png")
    yield "picture", {entry["name"]: picture_input(picture, entry, model.pixels)
                      for entry in model.inputs}
    for seed in range(RANDOM_CASES):
        rng = np.random.default_rng(seed)
        yield f"random{seed}", {entry["name"]: random_input(rng, entry, model.pixels)
                                for entry in model.inputs}


def picture_input(picture, entry, pixels):
    """The whole picture, resized without regard to its aspect, as a batch of one; words are the picture's first bytes."""
    if len(entry["shape"]) == 4:
        _, height, width, channels = entry["shape"]
        resized = pictures.resize(pictures.grey(picture) if channels == 1 else picture, height, width)
    else:
        resized = picture.ravel()[:np.prod(entry["shape"])]
    values = resized.astype(np.float32).reshape(entry["shape"]) / np.float32(255)
    scaled = values * np.float32(pixels.high - pixels.low) + np.float32(pixels.low)
    return _to_dtype(scaled, entry["dtype"])


def random_input(rng, entry, pixels):
    return _to_dtype(rng.uniform(pixels.low, pixels.high, entry["shape"]), entry["dtype"])


def _to_dtype(values, dtype):
    if np.issubdtype(np.dtype(dtype), np.integer):
        values = np.rint(values)
    return values.astype(dtype)

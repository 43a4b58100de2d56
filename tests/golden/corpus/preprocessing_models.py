# SPDX-License-Identifier: Apache-2.0
"""Keras' preprocessing layers. The random ones do nothing when a model is used; those on strings are refused."""

import keras
import numpy as np

from feeds import f32, given, integers, picture
from models import keras as network
from models import layer

L = keras.layers
WORDS = given(np.array([["cat", "sat", "dog"]], dtype=object), "string")


def adapted(layer_of, data):
    made = layer_of()
    made.adapt(np.asarray(data))
    return made


LOOKUP = ("StatefulPartitionedCall_1/StatefulPartitionedCall/functional_1/string_lookup_1/hash_table_Lookup/"
          "LookupTableFindV2")
HASH = "PartitionedCall_1/PartitionedCall/functional_1/hashing_1/hash"
CROSSED = "PartitionedCall_1/PartitionedCall/functional_1/hashed_crossing_1/ExpandDims"
SAMPLE = np.arange(24, dtype=np.float32).reshape(8, 3) ** 1.5

MODELS = [
    layer("normalization_adapted", lambda: adapted(L.Normalization, SAMPLE), f32(1, 3)),
    layer("normalization_given_per_channel", lambda: L.Normalization(mean=[1.0, 2, 3], variance=[4.0, 1, 9]),
          picture(4, 4)),
    layer("normalization_inverted", lambda: L.Normalization(mean=3.0, variance=2.0, invert=True), f32(1, 5)),
    layer("rescaling_u8", lambda: L.Rescaling(1 / 127.5, offset=-1), integers(1, 5, 5, 3, high=256, dtype="uint8")),
    layer("resizing_bilinear_down", lambda: L.Resizing(5, 4), picture(9, 11)),
    layer("resizing_nearest_up", lambda: L.Resizing(9, 12, interpolation="nearest"), picture(5, 4)),
    layer("resizing_bicubic", lambda: L.Resizing(7, 7, interpolation="bicubic"), picture(5, 9)),
    layer("resizing_area", lambda: L.Resizing(4, 4, interpolation="area"), picture(8, 12)),
    layer("resizing_antialiased", lambda: L.Resizing(4, 4, antialias=True), picture(8, 12)),
    layer("resizing_crop_to_aspect_ratio", lambda: L.Resizing(6, 6, crop_to_aspect_ratio=True), picture(8, 12)),
    layer("resizing_pad_to_aspect_ratio", lambda: L.Resizing(6, 6, pad_to_aspect_ratio=True), picture(8, 12)),
    layer("center_crop", lambda: L.CenterCrop(4, 5), picture(7, 8)),
    layer("center_crop_of_smaller_resizes", lambda: L.CenterCrop(8, 8), picture(5, 7)),
    layer("category_encoding_one_hot", lambda: L.CategoryEncoding(5, output_mode="one_hot"), integers(3, 1, high=5)),
    layer("category_encoding_multi_hot", lambda: L.CategoryEncoding(6), integers(2, 4, high=6)),
    layer("category_encoding_count", lambda: L.CategoryEncoding(6, output_mode="count"), integers(2, 4, high=6)),
    layer("discretization_by_boundaries", lambda: L.Discretization([-0.5, 0.0, 0.5]), f32(2, 5)),
    layer("discretization_one_hot", lambda: L.Discretization([-0.5, 0.0, 0.5], output_mode="one_hot"), f32(3, 1)),
    layer("integer_lookup", lambda: L.IntegerLookup(vocabulary=[10, 25, 7]), integers(1, 6, high=30, dtype="int64")),
    layer("integer_lookup_multi_hot", lambda: L.IntegerLookup(vocabulary=[1, 2, 3], output_mode="multi_hot"),
          integers(1, 4, high=5, dtype="int64")),
    layer("hashing_of_integers", lambda: L.Hashing(5), integers(1, 4, high=50, dtype="int64"),
          cut={"feeds": {HASH: integers(1, 4, high=5, dtype="int64")}, "outputs": [], "expected": lambda ids: {"output_0": ids}}),
    layer("hashed_crossing", lambda: L.HashedCrossing(7), integers(3, high=9, dtype="int64"),
          integers(3, high=9, dtype="int64"),
          cut={"outputs": [CROSSED], "expected": lambda x, y: {CROSSED: x[:, None]}}),
    layer("string_lookup", lambda: L.StringLookup(vocabulary=["cat", "dog"]), WORDS,
          cut={"feeds": {LOOKUP: integers(1, 3, high=9, dtype="int64")}, "outputs": [],
               "expected": lambda ids: {"output_0": ids}}),
    layer("mel_spectrogram",
          lambda: L.MelSpectrogram(fft_length=32, sequence_stride=16, sequence_length=32, sampling_rate=800,
                                   num_mel_bins=6), f32(1, 128)),
    layer("stft_spectrogram", lambda: L.STFTSpectrogram(frame_length=32, frame_step=16, fft_length=32), f32(1, 128, 1)),
    layer("random_flip_is_identity", lambda: L.RandomFlip(), picture(4, 4)),
    layer("random_crop_is_center_crop", lambda: L.RandomCrop(4, 4), picture(6, 7)),
    layer("random_zoom_of_nothing", lambda: L.RandomZoom(0.2), picture(4, 4)),
    layer("auto_contrast", lambda: L.AutoContrast(), picture(5, 5)),
    layer("solarization", lambda: L.Solarization(), picture(4, 4)),
    network("augmentations_are_identity",
            lambda x: L.RandomBrightness(0.2)(L.RandomContrast(0.2)(L.RandomRotation(0.1)(x))), picture(4, 4)),
]

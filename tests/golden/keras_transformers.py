# SPDX-License-Identifier: Apache-2.0
"""Transformers of the sizes that people embed, built of Keras 3's own layers: keras.applications has none.

Each function takes `weights=None`, as those of keras.applications do, and returns a Model that ends in a softmax.
"""

import keras
from keras import layers, ops

PATCH = 16
WORDS = 8000
LENGTH = 128


def vision_transformer(weights=None):
    """ViT-Ti/16 (Dosovitskiy et al. 2020, Touvron et al. 2021): 12 pre-norm blocks of width 192 on 224 x 224 pixels."""
    assert weights is None
    width = 192
    image = keras.Input((224, 224, 3))
    patches = layers.Conv2D(width, PATCH, PATCH)(image)
    x = layers.Reshape((-1, width))(patches)
    x = _ClassToken()(x)
    x = _Positions(x.shape[1])(x)
    for _ in range(12):
        normal = layers.LayerNormalization(epsilon=1e-6)(x)
        x = x + layers.MultiHeadAttention(3, width // 3)(normal, normal)
        x = x + _feed_forward(layers.LayerNormalization(epsilon=1e-6)(x), width)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    return keras.Model(image, layers.Dense(1000, activation="softmax")(x[:, 0]))


def text_encoder(weights=None):
    """The encoder of MiniLM-L6 (Wang et al. 2020) for 128 words, with a classifier: 6 post-norm layers of width 384."""
    assert weights is None
    width = 384
    words = keras.Input((LENGTH,), dtype="int32")
    x = _Positions(LENGTH)(layers.Embedding(WORDS, width)(words))
    x = layers.LayerNormalization(epsilon=1e-12)(x)
    for _ in range(6):
        x = layers.LayerNormalization(epsilon=1e-12)(x + layers.MultiHeadAttention(12, width // 12)(x, x))
        x = layers.LayerNormalization(epsilon=1e-12)(x + _feed_forward(x, width))
    return keras.Model(words, layers.Dense(16, activation="softmax")(ops.mean(x, axis=1)))


def _feed_forward(x, width):
    hidden = layers.Dense(4 * width)(x)
    return layers.Dense(width)(ops.gelu(hidden, approximate=False))


class _ClassToken(layers.Layer):
    """Puts a learnt token before those of the patches."""

    def build(self, shape):
        self.token = self.add_weight(shape=(1, 1, shape[-1]), initializer="random_normal", name="token")

    def call(self, x):
        return ops.concatenate([ops.broadcast_to(self.token, (ops.shape(x)[0], 1, x.shape[-1])), x], axis=1)


class _Positions(layers.Layer):
    """Adds a learnt vector to each position."""

    def __init__(self, length):
        super().__init__()
        self.length = length

    def build(self, shape):
        self.positions = self.add_weight(shape=(1, self.length, shape[-1]), initializer="random_normal", name="positions")

    def call(self, x):
        return x + self.positions

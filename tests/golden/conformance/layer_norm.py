# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from elementwise_inputs import spread
import tensorflow as tf


def layer_norm(name, x, epsilon=1e-3, why="", tolerance=None, plain=False):
    channels = x.shape[-1]
    gamma = np.ones(channels, np.float32) if plain else spread(channels, seed=1)
    beta = np.zeros(channels, np.float32) if plain else spread(channels, seed=2)
    mean, variance = tf.nn.moments(tf.constant(x, tf.float64), [-1], keepdims=True)
    y = tf.nn.batch_normalization(tf.constant(x, tf.float64), mean, variance, beta.astype(float),
                                  gamma.astype(float), epsilon)
    return case(name, {"epsilon": epsilon}, [x, gamma, beta], [y.numpy().astype(np.float32)], why,
                tolerance)


CASES = [
    layer_norm("rows", spread(4, 8)),
    layer_norm("odd_width", spread(3, 5, 7)),
    layer_norm("bert", spread(1, 3, 768), 1e-12),
    layer_norm("vector", spread(33)),
    layer_norm("rank_5", spread(1, 2, 2, 3, 6)),
    layer_norm("plain", spread(4, 16), plain=True),
    layer_norm("one_channel", spread(3, 1), why="variance 0: beta"),
    layer_norm("constant_rows", np.full((2, 20), 3.5, np.float32), why="variance 0: beta"),
    layer_norm("offset",
               spread(2, 64) + np.float32(1000),
               why="variance of values far from 0",
               tolerance=1e-4),
    layer_norm("small",
               spread(2, 32) * np.float32(1e-4), 1e-6),
    layer_norm("large",
               spread(2, 32) * np.float32(1e15)),
    layer_norm("long", spread(1, 2051)),
    layer_norm("no_rows", spread(0, 4)),
    case("nan", {"epsilon": 1e-3}, [
        np.array([[1, np.nan], [1, 2]], np.float32),
        np.ones(2, np.float32),
        np.zeros(2, np.float32)
    ], [np.array([[np.nan, np.nan], [-0.998006, 0.998006]], np.float32)]),
    case("no_channels", {"epsilon": 1e-3},
         [spread(3, 0), spread(0), spread(0)], [spread(3, 0)]),
    dict(case("gamma_mismatch", {"epsilon": 0.1},
              [spread(2, 3), spread(2), spread(3)], []),
         error="invalid_plan"),
    dict(case("negative_epsilon", {"epsilon": -1.0},
              [spread(2, 3), spread(3), spread(3)], []),
         error="invalid_plan"),
    dict(case("nan_epsilon", {"epsilon": np.nan},
              [spread(2, 3), spread(3), spread(3)], []),
         error="invalid_plan"),
    dict(case("scalar", {"epsilon": 0.1},
              [np.float32(1), spread(1), spread(1)], []),
         error="invalid_plan"),
]
write("LayerNorm", CASES)

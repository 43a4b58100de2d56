# SPDX-License-Identifier: Apache-2.0
"""Networks over pictures of any size, whose branches make them smaller in different ways and meet again: which extents are equal
must be known."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

family = Family("varying_networks")
SIZES = [(9, 12), (6, 7), (8, 5), (5, 12), (1, 2)]


def filters(seed, *shape):
    return tf.constant(normal(rng(seed), *shape))


def case(name, build, sizes=None):
    for height, width in sizes or SIZES[:3]:
        family.case(f"{name}_{height}x{width}", build, {"p": normal(rng(height * 100 + width), 1, height, width, 2)},
                    largest={"p": [1, 9, 12, 2]})


def conv(p, seed, kernel, channels, stride=1):
    return tf.nn.conv2d(p, filters(seed, *kernel, p.shape[3], channels), stride, "SAME")


def norm(y, seed):
    g = rng(seed)
    channels = int(y.shape[3])
    return raw.FusedBatchNormV3(x=y, scale=g.uniform(0.5, 1.5, channels).astype(np.float32), offset=normal(g, channels),
                                mean=normal(g, channels), variance=g.uniform(0.5, 1.5, channels).astype(np.float32),
                                is_training=False)[0]


def residual(p):
    y = tf.nn.relu(norm(conv(p, 20, (3, 3), 2, 2), 21))
    y = norm(conv(y, 22, (3, 3), 2), 23)
    return tf.nn.relu(y + norm(conv(p, 24, (1, 1), 2, 2), 25))


def up(y, like):
    """Twice as large, every pixel four times, then cut to the size of `like`."""
    shape, channels = tf.shape(y), int(y.shape[3])
    y = tf.tile(tf.reshape(y, tf.stack([1, shape[1], 1, shape[2], 1, channels])), [1, 1, 2, 1, 2, 1])
    y = tf.reshape(y, tf.stack([1, shape[1] * 2, shape[2] * 2, channels]))
    return tf.slice(y, [0, 0, 0, 0], tf.stack([1, tf.shape(like)[1], tf.shape(like)[2], channels]))


def u_net(p):
    full = tf.nn.relu(conv(p, 30, (3, 3), 2))
    half = tf.nn.relu(conv(tf.nn.max_pool2d(full, 2, 2, "SAME"), 31, (3, 3), 2))
    quarter = tf.nn.relu(conv(half, 32, (3, 3), 3, 2))
    half = tf.nn.relu(conv(tf.concat([half, up(quarter, half)], 3), 33, (3, 3), 2))
    return tf.nn.sigmoid(conv(tf.concat([full, up(half, full)], 3), 34, (1, 1), 2))


case("residual", residual, SIZES)
case("residual_pooled", lambda p: conv(p, 26, (3, 3), 2, 2) + tf.nn.max_pool2d(p, 3, 2, "SAME"))
case("joined", lambda p: tf.concat([conv(p, 27, (3, 3), 2, 2), tf.nn.avg_pool2d(p, 2, 2, "SAME")], 3))
case("halves_of_halves", lambda p: conv(conv(p, 28, (3, 3), 2, 2), 29, (3, 3), 2, 2) + conv(p, 35, (5, 5), 2, 4))
case("stride_along_each", lambda p: conv(conv(p, 36, (3, 3), 2, (2, 1)), 37, (3, 3), 2, (1, 2)) + conv(p, 38, (1, 1), 2, 2))
case("without_margins", lambda p: tf.nn.conv2d(p, filters(39, 3, 3, 2, 2), 2, "VALID") +
     tf.nn.conv2d(tf.nn.max_pool2d(p, 3, 2, "VALID"), filters(40, 1, 1, 2, 2), 1, "VALID"))
case("u_net", u_net, SIZES)
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Networks over pictures of any size that make a picture smaller and larger again, cut to where it came from, and sizes that are
computed in floats."""

from tf_cases import Family, normal, rng, tf

family = Family("varying_decoders")
SIZES = [(5, 6), (4, 3), (3, 6), (1, 2)]


def case(name, build, sizes=None):
    for height, width in sizes or SIZES[:2]:
        family.case(f"{name}_{height}x{width}", build, {"p": normal(rng(height * 100 + width), 1, height, width, 2)},
                    largest={"p": [1, 5, 6, 2]})


def conv(p, seed, kernel, channels, stride=1):
    return tf.nn.conv2d(p, tf.constant(normal(rng(seed), *kernel, p.shape[3], channels)), stride, "SAME")


def cropped(y, like):
    """As decoders write it. That it is not larger than `y` follows from y being twice its half, rounded up."""
    return y[:, :tf.shape(like)[1], :tf.shape(like)[2]]


def twice(y):
    return tf.image.resize(y, tf.shape(y)[1:3] * 2)


def decoder(p):
    """Each level is pooled from the last one, made larger again, cut and joined."""
    half = tf.nn.avg_pool2d(p, 2, 2, "SAME")
    quarter = tf.nn.avg_pool2d(half, 2, 2, "SAME")
    y = tf.nn.relu(conv(quarter, 41, (3, 3), 3))
    for level, seed in ((half, 42), (p, 43)):
        y = tf.nn.relu(conv(tf.concat([level, cropped(twice(y), level)], 3), seed, (3, 3), 3))
    return y


case("cropped", lambda p: p - cropped(twice(conv(p, 44, (3, 3), 2, 2)), p), SIZES)
case("cropped_by_shape_arithmetic", lambda p: tf.image.resize(p, (tf.shape(p)[1:3] + 1) // 2 * 2)[:, :tf.shape(p)[1], :tf.shape(p)[2]] + p)
case("cropped_from_a_third", lambda p: p + cropped(tf.image.resize(conv(p, 45, (3, 3), 2, 3), tf.shape(conv(p, 45, (3, 3), 2, 3))[1:3] * 3), p))
case("cropped_to_even", lambda p: tf.image.resize(p[:, :tf.shape(p)[1] // 2 * 2, :tf.shape(p)[2] // 2 * 2], tf.shape(p)[1:3]))
case("halves_by_arithmetic", lambda p: conv(p, 46, (3, 3), 2, 2) + tf.image.resize(p, (tf.shape(p)[1:3] + 1) // 2))
case("decoder", decoder, SIZES)


def levels_joined(p):
    """Without cuts: for sides that can be halved twice. The picture itself is not joined to what comes back."""
    half = conv(p, 48, (3, 3), 2, 2)
    quarter = conv(half, 49, (3, 3), 3, 2)
    return tf.concat([half, twice(quarter)], 3)


for height, width in ((4, 8), (8, 8), (4, 4)):
    family.case(f"levels_joined_{height}x{width}", levels_joined, {"p": normal(rng(height + width), 1, height, width, 2)},
                largest={"p": [1, 8, 8, 2]})
for height, width in ((5, 6), (3, 2)):
    family.case(f"prelu_{height}x{width}", lambda p: tf.nn.relu(conv(p, 50, (3, 3), 3, 2)) - tf.constant([0.1, 0.2, 0.3]) * tf.nn.relu(
        -conv(p, 50, (3, 3), 3, 2)), {"p": normal(rng(height), 1, height, width, 2)}, largest={"p": [1, 5, 6, 2]})


def scaled(p, ratio, rounding=lambda x: x):
    """Sizes computed in floats, as of pictures that are made smaller by a ratio."""
    return tf.image.resize(p, tf.cast(rounding(tf.cast(tf.shape(p)[1:3], tf.float32) * ratio), tf.int32))


case("at_ratio", lambda p: scaled(p, 0.7), SIZES[:3])
case("at_ratio_rounded", lambda p: scaled(p, 0.4, tf.round))
case("at_ratio_up", lambda p: scaled(p, 0.34, tf.math.ceil), SIZES)
case("at_ratio_at_most", lambda p: scaled(p, 1.5, lambda x: tf.minimum(x, 7.0)))
for height, width in ((21, 7), (14, 28)):
    family.case(f"sevenths_{height}x{width}", lambda p: p[:, :tf.cast(tf.math.ceil(tf.shape(p)[1] / 7), tf.int32), :tf.cast(
        tf.cast(tf.shape(p)[2], tf.float32) / 7.0, tf.int32)], {"p": normal(rng(height), 1, height, width, 1)}, largest={"p": [1, 28, 28, 1]})
case("at_ratio_and_back", lambda p: tf.image.resize(conv(scaled(p, 0.5, tf.math.ceil), 47, (3, 3), 2), tf.shape(p)[1:3]) * p, SIZES)
family.write()

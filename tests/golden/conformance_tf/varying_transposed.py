# SPDX-License-Identifier: Apache-2.0
"""Transposed convolutions of pictures of any size. Every case runs at several sizes, odd and even, the largest included."""

from tf_cases import Family, normal, raw, rng, tf

family = Family("varying_transposed")
LARGEST = [1, 5, 6, 2]
SIZES = [(5, 6), (4, 3), (3, 6), (2, 2)]


def filters(seed, *shape):
    return tf.constant(normal(rng(seed), *shape))


def case(name, build, sizes=None, **more):
    family.pictures(name, build, sizes or SIZES[:2], LARGEST, **more)


def transposed(p, out, seed, kernel, stride, padding="SAME", channels=3, **more):
    kernel = filters(seed, *kernel, channels, int(p.shape[3]))
    return raw.Conv2DBackpropInput(input_sizes=out, filter=kernel, out_backprop=p, strides=[1, stride, stride, 1], padding=padding, **more)


def sizes_of(p, factor, offset=0, channels=3):
    shape = tf.shape(p)
    return tf.stack([shape[0], shape[1] * factor + offset, shape[2] * factor + offset, channels])


case("transposed_2", lambda p: transposed(p, sizes_of(p, 2), 10, (3, 3), 2), SIZES)
case("transposed_2_even_kernel", lambda p: transposed(p, sizes_of(p, 2), 11, (4, 4), 2))
case("transposed_2_one_less", lambda p: transposed(p, sizes_of(p, 2, -1), 12, (3, 3), 2))
case("transposed_1", lambda p: transposed(p, sizes_of(p, 1), 13, (3, 3), 1))
case("transposed_3_small_kernel", lambda p: transposed(p, sizes_of(p, 3), 14, (2, 2), 3))
case("transposed_valid_2", lambda p: transposed(p, sizes_of(p, 2, 1), 15, (3, 3), 2, "VALID"), SIZES)
case("transposed_valid_2_wider", lambda p: transposed(p, sizes_of(p, 2, 3), 16, (4, 4), 2, "VALID"))
case("transposed_valid_2_point", lambda p: transposed(p, sizes_of(p, 2), 17, (2, 2), 2, "VALID"))
case("transposed_explicit", lambda p: transposed(p, sizes_of(p, 2), 18, (4, 4), 2, "EXPLICIT", explicit_paddings=[0, 0, 1, 1, 1, 1, 0, 0]))
case("transposed_relu", lambda p: tf.nn.relu(transposed(p, sizes_of(p, 2), 19, (3, 3), 2) + [0.1, -0.2, 0.3]))


def first(p, channels=3):
    shape = tf.shape(p)
    return raw.Conv2DBackpropInput(
        input_sizes=tf.stack([1, channels, shape[2] * 2, shape[3] * 2]), filter=filters(20, 3, 3, channels, 2), out_backprop=p,
        strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")


case("transposed_2_nchw", first, first=True, reference=lambda p: transposed(p, sizes_of(p, 2), 20, (3, 3), 2))


def u_net(p):
    """Where a side is odd, what comes back is one too large and cut."""
    full = tf.nn.relu(tf.nn.conv2d(p, filters(30, 3, 3, 2, 4), 1, "SAME"))
    half = tf.nn.relu(tf.nn.conv2d(full, filters(31, 3, 3, 4, 4), 2, "SAME"))
    back = transposed(half, sizes_of(half, 2, channels=4), 32, (3, 3), 2, channels=4)
    back = tf.slice(back, [0, 0, 0, 0], tf.stack([1, tf.shape(full)[1], tf.shape(full)[2], 4]))
    return tf.nn.sigmoid(tf.nn.conv2d(tf.concat([full, back], 3), filters(33, 1, 1, 8, 1), 1, "SAME"))


case("u_net_transposed", u_net, SIZES)
family.write()

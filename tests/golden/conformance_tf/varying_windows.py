# SPDX-License-Identifier: Apache-2.0
"""Windows whose margins follow from extents that are known only when the model runs (padding SAME). Every case runs at several sizes of
the picture, odd and even, the largest included."""

from tf_cases import Family, normal, raw, rng, tf

family = Family("varying_windows")
LARGEST = [1, 9, 12, 2]
SIZES = [(9, 12), (6, 7), (8, 5), (5, 12), (1, 2)]


def filters(seed, *shape):
    return tf.constant(normal(rng(seed), *shape))


def case(name, build, sizes=None, **more):
    family.pictures(name, build, sizes or SIZES[:3], LARGEST, **more)


def conv(p, seed, kernel, channels, stride=1, dilation=1):
    return tf.nn.conv2d(p, filters(seed, *kernel, p.shape[3], channels), stride, "SAME", dilations=dilation)


case("conv_2", lambda p: conv(p, 1, (3, 3), 3, 2), SIZES)
case("conv_3", lambda p: conv(p, 2, (5, 5), 2, 3))
case("conv_2_even_kernel", lambda p: conv(p, 3, (2, 4), 3, 2))
case("conv_2_point", lambda p: conv(p, 4, (1, 1), 4, 2))
case("conv_2_by_3", lambda p: conv(p, 5, (3, 2), 2, (2, 3)))
case("conv_1_dilated", lambda p: conv(p, 6, (3, 3), 2, 1, 2))
case("conv_relu6", lambda p: tf.nn.relu6(conv(p, 7, (3, 3), 2, 2) + [0.1, 0.2]))
case("conv_larger_than_picture", lambda p: conv(p, 8, (9, 9), 1, 4), [(3, 2), (9, 12)])
case("depthwise_2", lambda p: tf.nn.depthwise_conv2d(p, filters(9, 3, 3, 2, 2), [1, 2, 2, 1], "SAME"), SIZES)
case("depthwise_3", lambda p: tf.nn.depthwise_conv2d(p, filters(10, 5, 5, 2, 1), [1, 3, 3, 1], "SAME"))
case("depthwise_1_dilated", lambda p: raw.DepthwiseConv2dNative(
    input=p, filter=filters(11, 3, 3, 2, 1), strides=[1, 1, 1, 1], padding="SAME", dilations=[1, 2, 2, 1]),
     reference=lambda p: tf.nn.depthwise_conv2d(p, filters(11, 3, 3, 2, 1), [1, 1, 1, 1], "SAME", dilations=[2, 2]))
case("max_pool_2", lambda p: tf.nn.max_pool2d(p, 3, 2, "SAME"), SIZES)
case("max_pool_3", lambda p: tf.nn.max_pool2d(p, [2, 4], 3, "SAME"))
case("max_pool_point", lambda p: tf.nn.max_pool2d(p, 1, 2, "SAME"))
case("max_pool_of_integers", lambda p: tf.nn.max_pool2d(tf.cast(p * 50.0, tf.int32), 3, 2, "SAME"))
case("average_pool_2", lambda p: tf.nn.avg_pool2d(p, 3, 2, "SAME"), SIZES)
case("average_pool_3", lambda p: tf.nn.avg_pool2d(p, [4, 2], [3, 2], "SAME"))
case("sound", lambda p: tf.nn.conv1d(p[:, 0], filters(12, 5, 2, 2), 2, "SAME"), [(9, 12), (5, 7)])

# Channels first.
case("conv_2_nchw", lambda p: tf.nn.conv2d(p, filters(13, 3, 3, 2, 2), [1, 1, 2, 2], "SAME", "NCHW"),
     first=True, reference=lambda p: tf.nn.conv2d(p, filters(13, 3, 3, 2, 2), 2, "SAME"))
case("depthwise_2_nchw", lambda p: tf.nn.depthwise_conv2d(p, filters(14, 3, 3, 2, 1), [1, 1, 2, 2], "SAME", "NCHW"),
     first=True, reference=lambda p: tf.nn.depthwise_conv2d(p, filters(14, 3, 3, 2, 1), [1, 2, 2, 1], "SAME"))
case("max_pool_2_nchw", lambda p: tf.nn.max_pool2d(p, 3, [1, 1, 2, 2], "SAME", "NCHW"),
     first=True, reference=lambda p: tf.nn.max_pool2d(p, 3, 2, "SAME"))
case("average_pool_2_nchw", lambda p: tf.nn.avg_pool2d(p, 3, [1, 1, 2, 2], "SAME", "NCHW"),
     first=True, reference=lambda p: tf.nn.avg_pool2d(p, 3, 2, "SAME"))
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Keras convolutions with their options, and small networks around them."""

import keras

from feeds import f32, picture
from models import keras as network
from models import layer

L = keras.layers

LAYERS = [
    layer("conv1d_causal_dilated", lambda: L.Conv1D(4, 3, padding="causal", dilation_rate=2), f32(1, 10, 3)),
    layer("conv1d_same_stride", lambda: L.Conv1D(4, 5, strides=2, padding="same", activation="relu"), f32(1, 11, 3)),
    layer("conv1d_groups", lambda: L.Conv1D(6, 3, groups=3), f32(1, 8, 6)),
    layer("conv2d_valid_relu", lambda: L.Conv2D(5, 3, activation="relu"), f32(1, 7, 8, 3)),
    layer("conv2d_same_stride_2_tfjs", lambda: L.Conv2D(4, 3, strides=2, padding="same"), f32(1, 8, 7, 3), form="tfjs"),
    layer("conv2d_dilated_same", lambda: L.Conv2D(4, 3, dilation_rate=(2, 3), padding="same"), f32(1, 9, 9, 2)),
    layer("conv2d_groups_2", lambda: L.Conv2D(6, 3, groups=2, use_bias=False), f32(1, 6, 6, 4)),
    layer("conv2d_uneven_kernel", lambda: L.Conv2D(3, (1, 5), padding="same", activation="tanh"), f32(2, 5, 9, 2)),
    layer("conv3d_same", lambda: L.Conv3D(3, 3, padding="same"), f32(1, 4, 5, 4, 2)),
    layer("conv3d_stride_valid", lambda: L.Conv3D(3, (2, 3, 2), strides=(1, 2, 2)), f32(1, 4, 7, 6, 2)),
    layer("depthwise_conv1d", lambda: L.DepthwiseConv1D(3, depth_multiplier=2), f32(1, 9, 3)),
    layer("depthwise_conv2d_multiplier", lambda: L.DepthwiseConv2D(3, depth_multiplier=2, padding="same"),
          f32(1, 6, 7, 3)),
    layer("depthwise_conv2d_stride_2", lambda: L.DepthwiseConv2D(5, strides=2, padding="same"), f32(1, 9, 9, 4)),
    layer("depthwise_conv2d_dilated", lambda: L.DepthwiseConv2D(3, dilation_rate=2), f32(1, 9, 9, 2)),
    layer("separable_conv1d_stride_2", lambda: L.SeparableConv1D(4, 3, strides=2, padding="same"), f32(1, 8, 3)),
    layer("separable_conv2d", lambda: L.SeparableConv2D(5, 3, padding="same", activation="silu"), f32(1, 7, 7, 3)),
    layer("conv1d_transpose", lambda: L.Conv1DTranspose(3, 4, strides=2, padding="same"), f32(1, 6, 2)),
    layer("conv2d_transpose_same_stride_2", lambda: L.Conv2DTranspose(4, 3, strides=2, padding="same"),
          f32(1, 5, 6, 3)),
    layer("conv2d_transpose_valid_output_padding", lambda: L.Conv2DTranspose(3, 3, strides=3, output_padding=1),
          f32(1, 4, 4, 2)),
    layer("conv3d_transpose", lambda: L.Conv3DTranspose(2, 3, strides=2, padding="same"), f32(1, 3, 3, 4, 2)),
    layer("conv_lora", lambda: conv_with_lora(), f32(1, 6, 6, 3)),
]


def conv_with_lora():
    conv = L.Conv2D(4, 3)
    conv.build((None, 6, 6, 3))
    conv.enable_lora(2)
    return conv


def conv_bn_relu(x, filters, stride=1):
    x = L.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    return L.ReLU()(L.BatchNormalization()(x))


def residual(x):
    y = conv_bn_relu(conv_bn_relu(x, 8), 8)
    return L.ReLU()(L.Add()([y, L.Conv2D(8, 1)(x)]))


def squeeze_excite(x):
    y = L.Conv2D(8, 3, padding="same")(x)
    scale = L.GlobalAveragePooling2D(keepdims=True)(y)
    scale = L.Conv2D(8, 1, activation="hard_sigmoid")(L.Conv2D(2, 1, activation="relu")(scale))
    return L.Multiply()([y, scale])


def unet(x):
    down1 = conv_bn_relu(x, 4)
    down2 = conv_bn_relu(L.MaxPooling2D()(down1), 8)
    up = L.Conv2DTranspose(4, 2, strides=2)(conv_bn_relu(L.MaxPooling2D()(down2), 8))
    up = L.Conv2DTranspose(4, 2, strides=2)(L.Concatenate()([up, down2]))
    return L.Conv2D(3, 1, activation="softmax")(L.Concatenate()([up, down1]))


def deeplab(x):
    """Atrous pyramid with pictures pooled whole, resized back."""
    x = conv_bn_relu(x, 8, 2)
    pooled = L.Conv2D(4, 1)(L.GlobalAveragePooling2D(keepdims=True)(x))
    branches = [L.Conv2D(4, 3, padding="same", dilation_rate=rate)(x) for rate in (1, 2, 4)]
    branches.append(L.UpSampling2D((8, 8), interpolation="bilinear")(pooled))
    return L.UpSampling2D(2, interpolation="bilinear")(L.Conv2D(2, 1)(L.Concatenate()(branches)))


def super_resolution(x):
    y = L.Conv2D(12, 3, padding="same", activation="relu")(x)
    return keras.ops.nn.depth_to_space(L.Conv2D(12, 3, padding="same")(y), 2)


def shuffle(x):
    """Channel shuffle of ShuffleNet."""
    y = L.Conv2D(8, 1, groups=2)(x)
    y = L.Reshape((6, 6, 2, 4))(y)
    y = L.Reshape((6, 6, 8))(L.Permute((1, 2, 4, 3))(y))
    return L.DepthwiseConv2D(3, strides=2, padding="same")(y)


def autoencoder(x):
    y = L.Flatten()(conv_bn_relu(x, 4, 2))
    y = L.Dense(4 * 4 * 4, activation="relu")(L.Dense(6, name="code")(y))
    return L.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid")(L.Reshape((4, 4, 4))(y))


def temporal_net(x):
    """Dilated causal convolutions with gates and skips, as in WaveNet."""
    x = L.Conv1D(6, 1)(x)
    skips = []
    for rate in (1, 2, 4):
        gate = L.Conv1D(6, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
        y = L.Multiply()([gate, L.Conv1D(6, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)])
        skips.append(L.Conv1D(4, 1)(y))
        x = L.Add()([x, L.Conv1D(6, 1)(y)])
    return L.Conv1D(3, 1, activation="softmax")(L.ReLU()(L.Add()(skips)))


def feature_pyramid(x):
    c2 = conv_bn_relu(x, 4, 2)
    c3 = conv_bn_relu(c2, 8, 2)
    p3 = L.Conv2D(4, 1)(c3)
    p2 = L.Add()([L.UpSampling2D(2)(p3), L.Conv2D(4, 1)(c2)])
    return [L.Conv2D(6, 3, padding="same", name=f"head{i}")(p) for i, p in enumerate((p2, p3))]


def mixed_precision(x):
    x = L.Conv2D(4, 3, dtype="mixed_float16")(x)
    return L.Dense(3, dtype="float32")(L.GlobalMaxPooling2D(dtype="mixed_float16")(x))


NETWORKS = [
    network("net_residual_block", residual, f32(1, 8, 8, 4)),
    network("net_squeeze_excite_pb", squeeze_excite, f32(1, 6, 6, 3), form="pb"),
    network("net_unet", unet, f32(1, 16, 16, 3)),
    network("net_deeplab", deeplab, f32(1, 16, 16, 3)),
    network("net_super_resolution", super_resolution, f32(1, 6, 5, 3)),
    network("net_channel_shuffle", shuffle, f32(1, 6, 6, 4)),
    network("net_autoencoder_tfjs", autoencoder, f32(1, 8, 8, 1), form="tfjs"),
    network("net_wavenet", temporal_net, f32(1, 12, 2)),
    network("net_feature_pyramid", feature_pyramid, f32(1, 16, 16, 3)),
    network("net_mixed_float16", mixed_precision, f32(1, 6, 6, 2), tolerance=1e-2),
    network("net_with_preprocessing", lambda x: residual(L.Rescaling(1 / 127.5, offset=-1)(L.Resizing(8, 8)(x))),
            picture(11, 9)),
]

MODELS = LAYERS + NETWORKS

# SPDX-License-Identifier: Apache-2.0
"""Miniature forms of keras.applications: the families' own code with few channels and blocks, and small pictures.

Those whose widths are written into their code (VGG, Xception, Inception) are built while their layers are thinner."""

import contextlib
import unittest.mock

import keras
from keras.src.applications import (convnext, densenet, efficientnet, efficientnet_v2, inception_resnet_v2,
                                    inception_v3, mobilenet_v2, mobilenet_v3, nasnet, resnet, vgg16, vgg19, xception)

from feeds import Feed
from models import keras as network

A = keras.applications
FEW = {"weights": None, "classes": 3}


class ThinLayers:
    """keras.layers, whose wide layers get 1/`divisor` of their units or filters."""

    def __init__(self, divisor):
        self.divisor = divisor

    def __getattr__(self, name):
        layer = getattr(keras.layers, name)
        if name not in ("Conv2D", "SeparableConv2D", "Dense"):
            return layer

        def thin_layer(width, *more, **options):
            return layer(max(1, width // self.divisor) if width > 3 else width, *more, **options)
        return thin_layer


@contextlib.contextmanager
def thin(module, divisor):
    with unittest.mock.patch.object(module, "layers", ThinLayers(divisor)):
        yield


def thin_inception_resnet(x):
    """Its blocks add to what they read, of whose width they are; so only layers with an activation become thinner."""
    whole, divided = inception_resnet_v2.conv2d_bn, 16

    def narrow(x, filters, *more, **options):
        keeps = options.get("activation", "relu") is None
        return whole(x, filters if keeps else max(1, filters // divided), *more, **options)
    block = inception_resnet_v2.inception_resnet_block
    # One block of each type instead of 10, 20 and 10.
    once = lambda x, scale, block_type, block_idx, activation="relu": (
        block(x, scale, block_type, block_idx, activation) if block_idx == 1 else x)
    with unittest.mock.patch.object(inception_resnet_v2, "conv2d_bn", narrow), \
            unittest.mock.patch.object(inception_resnet_v2, "inception_resnet_block", once):
        return A.InceptionResNetV2(input_tensor=x, **FEW)


def thin_inception(x):
    whole = inception_v3.conv2d_bn
    narrow = lambda x, filters, *more, **options: whole(x, max(1, filters // 16), *more, **options)
    with unittest.mock.patch.object(inception_v3, "conv2d_bn", narrow):
        return A.InceptionV3(input_tensor=x, **FEW)


def thinner(module, make, divisor):
    def build(x):
        with thin(module, divisor):
            return make(input_tensor=x, **FEW)
    return build


def resnet_of(stack, preact):
    def blocks(x):
        x = stack(x, 4, 2, stride1=1, name="conv2")
        return stack(x, 8, 2, name="conv3")
    return lambda x: resnet.ResNet(blocks, preact, True, input_tensor=x, **FEW)


def efficientnet_mini(x):
    return efficientnet.EfficientNet(0.1, 0.2, 32, input_tensor=x, weights=None, classes=3, name="mini")


def efficientnet_v2_mini(x):
    blocks = [dict(block, num_repeat=1) for block in efficientnet_v2.DEFAULT_BLOCKS_ARGS["efficientnetv2-b0"]]
    return efficientnet_v2.EfficientNetV2(0.1, 0.2, 32, blocks_args=blocks, input_tensor=x, name="mini", **FEW)


def convnext_mini(x):
    return convnext.ConvNeXt([1, 1, 1, 1], [4, 8, 12, 16], input_tensor=x, weights=None, classes=3, name="mini")


def densenet_mini(x):
    with thin(densenet, 8):
        return densenet.DenseNet([1, 2, 1, 1], input_tensor=x, **FEW)


def mobilenet_v2_mini(x):
    with thin(mobilenet_v2, 4):
        return A.MobileNetV2(alpha=0.5, input_tensor=x, **FEW)


def minimalistic(x):
    with thin(mobilenet_v3, 8):
        return A.MobileNetV3Large(minimalistic=True, input_tensor=x, **FEW)


def nasnet_mini(x):
    return nasnet.NASNet((32, 32, 3), 96, 1, 4, True, 2, input_tensor=x, default_size=32, **FEW)


def with_backbone(x):
    """As users fine-tune: preprocessing, a backbone without its top, a new head."""
    with thin(mobilenet_v2, 4):
        base = A.MobileNetV2(input_shape=(32, 32, 3), alpha=0.5, include_top=False, weights=None)
    x = base(A.mobilenet_v2.preprocess_input(x), training=False)
    return keras.layers.Dense(2)(keras.layers.Dropout(0.2)(keras.layers.GlobalAveragePooling2D()(x)))


def pictures(size, high=1.0):
    return Feed((1, size, size, 3), low=0.0, high=high)


MODELS = [
    network("mobilenet", lambda x: A.MobileNet(alpha=0.1, input_tensor=x, **FEW), pictures(32)),
    network("mobilenet_v2", mobilenet_v2_mini, pictures(32)),
    network("mobilenet_v3_small", thinner(mobilenet_v3, A.MobileNetV3Small, 8), pictures(32, 255)),
    network("mobilenet_v3_large_minimalistic",
            minimalistic,
            pictures(32, 255), form="pb"),
    network("resnet", resnet_of(resnet.stack_residual_blocks_v1, False), pictures(32)),
    network("resnet_v2_tfjs", resnet_of(resnet.stack_residual_blocks_v2, True), pictures(32), form="tfjs"),
    network("densenet", densenet_mini, pictures(32)),
    network("efficientnet", efficientnet_mini, pictures(32, 255)),
    network("efficientnet_v2", efficientnet_v2_mini, pictures(32, 255), form="pb"),
    network("convnext", convnext_mini, pictures(32, 255)),
    network("nasnet", nasnet_mini, pictures(32)),
    network("vgg16", thinner(vgg16, A.VGG16, 64), pictures(32)),
    network("vgg19_pb", thinner(vgg19, A.VGG19, 64), pictures(32), form="pb"),
    network("xception", thinner(xception, A.Xception, 64), pictures(71)),
    network("inception_v3", thin_inception, pictures(75), form="pb"),
    network("inception_resnet_v2", thin_inception_resnet, pictures(75), form="pb"),
    network("mobilenet_v2_fine_tuned", with_backbone, pictures(32, 255)),
]

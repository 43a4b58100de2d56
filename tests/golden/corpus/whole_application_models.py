# SPDX-License-Identifier: Apache-2.0
"""Networks of keras.applications in their whole size, with random weights. Too large to be committed."""

import keras

from feeds import Feed
from models import keras as network

A = keras.applications


def whole(name, make, size, high=1.0, **options):
    return network(f"whole_{name}", lambda x: make(input_tensor=x, weights=None, **options),
                   Feed((1, size, size, 3), low=0.0, high=high), form="pb")


MODELS = [
    whole("mobilenet", A.MobileNet, 224),
    whole("mobilenet_v3_large", A.MobileNetV3Large, 224, 255),
    whole("densenet121", A.DenseNet121, 224),
    whole("efficientnet_v2_b0", A.EfficientNetV2B0, 224, 255),
    whole("convnext_tiny", A.ConvNeXtTiny, 224, 255),
    whole("nasnet_mobile", A.NASNetMobile, 224),
    whole("resnet50_v2", A.ResNet50V2, 224),
    whole("inception_v3", A.InceptionV3, 299),
    whole("xception", A.Xception, 299),
    whole("inception_resnet_v2", A.InceptionResNetV2, 299),
    whole("vgg16_without_top", A.VGG16, 224, include_top=False, pooling="avg"),
]

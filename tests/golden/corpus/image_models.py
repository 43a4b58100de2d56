# SPDX-License-Identifier: Apache-2.0
"""tf.image and keras.ops.image: resizing by every kernel, colours, crops, warps, gradients, comparisons of pictures."""

import keras
import numpy as np
import tensorflow as tf

from feeds import f32, given, integers, picture
from models import frozen
from models import keras as network

I = tf.image
v1 = tf.compat.v1
K = keras.ops.image

TURN = [0.8, 0.1, 1, -0.1, 0.9, 0.5, 0, 0]
PLACES = [[0.5, 2.2, 3.0], [1.5, 0.3, 2.9]]


def resize(method, antialias=False, down=True):
    size = (5, 4) if down else (11, 9)
    kind = f"{method}{'_antialiased' if antialias else ''}_{'down' if down else 'up'}"
    return frozen(f"resize_{kind}", lambda x: I.resize(x, size, method, antialias=antialias), picture(8, 7))


def box_blur(x):
    kernel = np.ones((3, 3, 3, 1), np.float32) / 9
    return tf.nn.depthwise_conv2d(x, kernel, [1, 1, 1, 1], "SAME")


def sepia(x):
    matrix = np.array([[0.39, 0.77, 0.19], [0.35, 0.69, 0.17], [0.27, 0.53, 0.13]], np.float32)
    return tf.clip_by_value(tf.tensordot(x, matrix.T, 1), 0, 255)


def standard_pipeline(x):
    """u8 pictures, as classifiers prepare them."""
    x = I.convert_image_dtype(x, tf.float32)
    x = I.resize_with_crop_or_pad(I.central_crop(x, 0.75), 7, 7)
    return I.per_image_standardization(x)


def crop_and_resize_boxes(x, boxes):
    return I.crop_and_resize(x, boxes, tf.zeros([3], tf.int32), [4, 5], extrapolation_value=7.0)


def letterbox(x):
    return I.resize_with_pad(x, 8, 8)


def turned(x):
    return I.rot90(x, 1), I.flip_left_right(x), I.flip_up_down(x), I.transpose(x)


def matting(x, background):
    alpha = tf.sigmoid(tf.reduce_mean(x, -1, keepdims=True) / 64 - 2)
    return tf.cast(tf.round(x * alpha + background * (1 - alpha)), tf.uint8), I.resize(alpha, [3, 3])


def hsv(x):
    there = I.rgb_to_hsv(x)
    return there, I.hsv_to_rgb(there)


MODELS = [
    *(resize(method, down=down) for method in ("bilinear", "nearest", "bicubic", "area") for down in (True, False)),
    *(resize(method, True) for method in ("bilinear", "bicubic", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")),
    resize("lanczos3", False, False),
    frozen("resize_v1_align_corners", lambda x: v1.image.resize_bilinear(x, [9, 12], align_corners=True),
           picture(5, 6)),
    frozen("resize_v1_asymmetric_nearest", lambda x: v1.image.resize_nearest_neighbor(x, [9, 12]), picture(5, 6)),
    frozen("resize_preserving_aspect", lambda x: I.resize(x, [6, 6], preserve_aspect_ratio=True), picture(4, 8)),
    frozen("resize_of_u8", lambda x: I.resize(x, [6, 6]), integers(1, 4, 8, 3, high=256, dtype="uint8")),
    frozen("resize_then_crop_pipeline", standard_pipeline, integers(8, 9, 3, high=256, dtype="uint8")),
    frozen("letterbox_with_pad", letterbox, picture(6, 12)),
    frozen("scale_and_translate",
           lambda x: tf.raw_ops.ScaleAndTranslate(images=x, size=[6, 6], scale=[1.5, 0.5], translation=[1.0, 0.5],
           kernel_type="triangle", antialias=True), picture(5, 8)),
    frozen("crop_and_resize_boxes", crop_and_resize_boxes, picture(8, 8), f32(3, 4, low=-0.1, high=1.1)),
    frozen("crop_to_bounding_box", lambda x: I.crop_to_bounding_box(x, 1, 2, 3, 4), picture(6, 7)),
    frozen("pad_to_bounding_box", lambda x: I.pad_to_bounding_box(x, 1, 2, 8, 9), picture(4, 5)),
    frozen("extract_glimpse", lambda x, at: I.extract_glimpse(x, [3, 3], at, noise="zero"), picture(6, 6),
           given([[0.1, -0.2]])),
    frozen("turned_and_flipped", turned, picture(4, 6)),
    frozen("draw_bounding_boxes", lambda x, b: I.draw_bounding_boxes(x, b, [[255.0, 0, 0]]), picture(8, 8),
           given([[[0.1, 0.2, 0.8, 0.9]]])),
    frozen("adjust_brightness_contrast", lambda x: I.adjust_contrast(I.adjust_brightness(x, 0.1), 1.5), picture(5, 5)),
    frozen("adjust_gamma", lambda x: I.adjust_gamma(x / 255, 0.8, 1.1), picture(4, 4)),
    frozen("adjust_hue", lambda x: I.adjust_hue(x / 255, 0.2), picture(4, 4)),
    frozen("adjust_saturation", lambda x: I.adjust_saturation(x / 255, 0.4), picture(4, 4)),
    frozen("rgb_to_hsv_and_back", lambda x: hsv(x / 255), picture(4, 4)),
    frozen("rgb_to_yuv_and_yiq", lambda x: (I.rgb_to_yuv(x), I.rgb_to_yiq(x), I.yuv_to_rgb(x)), picture(4, 4)),
    frozen("grayscale_both_ways", lambda x: I.grayscale_to_rgb(I.rgb_to_grayscale(x)), picture(4, 5)),
    frozen("sepia_by_matrix", sepia, picture(4, 4)),
    frozen("sobel_edges", lambda x: I.sobel_edges(x), picture(5, 5)),
    frozen("image_gradients", lambda x: I.image_gradients(x), picture(5, 5)),
    frozen("total_variation", lambda x: I.total_variation(x), picture(5, 5, batch=2)),
    frozen("psnr_and_ssim", lambda x, y: (I.psnr(x, y, 255), I.ssim(x, y, 255)), picture(14, 14), picture(14, 14)),
    frozen("box_blur", box_blur, picture(6, 6)),
    frozen("matting_composite_to_u8", matting, picture(6, 6), picture(6, 6)),
    frozen("projective_transform_v3", lambda x: tf.raw_ops.ImageProjectiveTransformV3(
        images=x, transforms=[[0.8, 0.1, 1, -0.1, 0.9, 0.5, 0,
                               0]], output_shape=[6, 6], fill_value=0.0, interpolation="BILINEAR"), picture(6, 6)),
    network("keras_affine_transform", lambda x: K.affine_transform(x, keras.ops.array([TURN]), "bilinear"),
            picture(6, 6)),
    network("keras_map_coordinates", lambda x: K.map_coordinates(x[0, :, :, 0], keras.ops.array(PLACES), 1),
            picture(5, 5), form="pb"),
    network("keras_gaussian_blur", lambda x: K.gaussian_blur(x, (3, 3), (0.8, 1.2)), picture(6, 6)),
    network("keras_perspective_transform", lambda x: K.perspective_transform(
        x, keras.ops.array([[[0.0, 0], [0, 5], [5, 0],
                             [5, 5]]]), keras.ops.array([[[0.0, 1], [0, 5], [4, 0], [5, 5]]])), picture(6, 6)),
    network("keras_hsv_to_rgb", lambda x: K.hsv_to_rgb(K.rgb_to_hsv(x / 255)), picture(4, 4)),
    network("keras_extract_patches", lambda x: K.extract_patches(x, (2, 3), strides=2, padding="same"), picture(6, 6)),
]

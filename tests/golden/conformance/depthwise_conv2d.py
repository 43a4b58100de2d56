#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, constant, normal, np, output_range, rng, write
import tensorflow as tf
from windows import activate, pad_nhwc, pads_of, same_attrs, window_attrs


def depthwise(name, in_shape, kernel, why="", multiplier=1, stride=(1, 1), dilation=(1, 1),
              padding="VALID", bias=True, bounds=None, change=None, same=False):
    r = rng(len(name) + sum(in_shape))
    x = normal(r, *in_shape)
    w = normal(r, *kernel, in_shape[3], multiplier)
    b = normal(r, in_shape[3] * multiplier)
    if change:
        change(x, w)
    pads = pads_of(padding, in_shape, kernel, stride, dilation)
    y = reference(pad_nhwc(x, pads), w, stride, dilation)
    attrs = window_attrs(pads, stride, dilation)
    if same:
        attrs = same_attrs(attrs)
    if bias:
        y = y + b
    if bounds is not None:
        attrs["range"] = output_range(*bounds)
    hwc = w.reshape(*kernel, -1)
    inputs = [x, constant(hwc)] + ([constant(b)] if bias else [])
    return case(name, attrs, inputs, [activate(y, bounds)], why)


def reference(x, w, stride, dilation):
    """TensorFlow's kernel needs equal strides, and no dilation with strides: computes with stride 1
    and drops rows and columns."""
    strides = (1, 1, 1, 1)
    y = tf.nn.depthwise_conv2d(x, w, strides, "VALID", dilations=list(dilation)).numpy()
    return np.ascontiguousarray(y[:, ::stride[0], ::stride[1], :])


def put_nan(x, w):
    x[0, 2, 2, 1] = np.nan


def put_infinite_weight(x, w):
    w[0, 0, 0, 0] = np.inf


relu6 = (0, 6)
write("DepthwiseConv2D", [
    depthwise("same_c32", (1, 6, 9, 32), (3, 3), "SAME, stride 1, several pixels at a time",
              padding="SAME", bounds=relu6),
    depthwise("same_even_stride_2", (1, 8, 12, 24), (3, 3), "pads bottom and right only",
              padding="SAME", stride=(2, 2), bounds=relu6),
    depthwise("odd_channels", (1, 5, 11, 13), (3, 3), "channels: 8 + 4 + 1", padding="SAME"),
    depthwise("one_channel", (2, 7, 6, 1), (3, 3), padding="SAME"),
    depthwise("three_channels", (1, 6, 13, 3), (2, 2)),
    depthwise("c20_valid", (1, 7, 12, 20), (3, 3), "no borders"),
    depthwise("k5_stride_2", (1, 11, 11, 16), (5, 5), padding="SAME", stride=(2, 2)),
    depthwise("k7", (1, 8, 8, 8), (7, 7), padding="SAME"),
    depthwise("k7_c20", (1, 9, 7, 20), (7, 7), "a row that is no multiple of the strip", padding="SAME", bounds=relu6),
    depthwise("k7_valid", (2, 8, 13, 9), (7, 7), "no borders"),
    depthwise("k7_narrow", (1, 5, 3, 8), (7, 7), "fewer columns than a strip", padding="SAME"),
    depthwise("k3x7_stride_2", (1, 7, 15, 16), (3, 7), padding="SAME", stride=(2, 1)),
    depthwise("row_kernel", (1, 4, 10, 8), (1, 4), "1xN window, lopsided SAME", padding="SAME"),
    depthwise("column_kernel", (1, 10, 4, 8), (4, 1), padding="SAME"),
    depthwise("k1", (1, 4, 6, 16), (1, 1), "a scale per channel"),
    depthwise("dilated", (1, 12, 14, 8), (3, 3), dilation=(2, 3), padding="SAME"),
    depthwise("dilated_stride", (1, 14, 15, 8), (3, 3), dilation=(2, 2), stride=(2, 2),
              padding=((2, 1), (2, 2))),
    depthwise("strides_differ", (1, 9, 13, 8), (3, 3), stride=(1, 3), padding=((1, 1), (0, 2))),
    depthwise("asymmetric", (1, 5, 6, 12), (3, 3), padding=((0, 2), (2, 1))),
    depthwise("pads_beyond_window", (1, 3, 3, 8), (2, 2), "windows that see padding alone",
              padding=((2, 3), (4, 2))),
    depthwise("beside_the_picture", (1, 4, 6, 16), (1, 1), "no window meets the picture",
              stride=(16, 1), padding=((8, 0), (0, 0))),
    depthwise("wide_window", (1, 3, 3, 8), (5, 5), "window larger than the picture",
              padding="SAME"),
    depthwise("multiplier_2", (1, 6, 6, 8), (3, 3), multiplier=2, padding="SAME", bounds=relu6),
    depthwise("multiplier_3_odd", (2, 5, 4, 5), (3, 2), multiplier=3, stride=(2, 2),
              padding="SAME"),
    depthwise("multiplier_16_of_1", (1, 7, 7, 1), (3, 3), multiplier=16, padding="SAME",
              bias=False),
    depthwise("no_bias", (2, 5, 7, 16), (3, 3), padding="SAME", bias=False),
    depthwise("range_high_only", (1, 5, 5, 8), (3, 3), bounds=(-np.inf, 0.5)),
    depthwise("nan", (1, 6, 8, 8), (3, 3), "NaN stays in its channel", change=put_nan,
              bounds=relu6, padding="SAME"),
    depthwise("infinite_weight_over_padding", (1, 4, 4, 8), (3, 3), change=put_infinite_weight),
    depthwise("batch_0", (0, 4, 4, 8), (3, 3)),
    depthwise("channels_0", (1, 4, 4, 0), (3, 3)),
    depthwise("same_at_run_odd", (1, 7, 9, 8), (3, 3), "margins computed from the picture", stride=(2, 2), padding="SAME", same=True),
    depthwise("same_at_run_even", (1, 8, 10, 4), (5, 4), multiplier=2, stride=(3, 3), padding="SAME", bounds=relu6, same=True),
    depthwise("same_at_run_dilated", (1, 9, 8, 8), (3, 3), dilation=(2, 2), padding="SAME", same=True),
    case("refuse_same_with_pads", {"same": True, "pad_right": 1}, [np.zeros((1, 4, 4, 8), np.float32),
                                                                   constant(np.zeros((3, 3, 8), np.float32))], [],
         "pads given twice", error="invalid_plan"),
    case("refuse_channels", {}, [np.zeros((1, 4, 4, 6), np.float32),
                                 constant(np.zeros((3, 3, 8), np.float32))], [],
         "8 is no multiple of 6", error="invalid_plan"),
    case("refuse_dilation_0", {"dilation_w": 0}, [np.zeros((1, 4, 4, 8), np.float32),
                                                  constant(np.zeros((3, 3, 8), np.float32))], [],
         "dilation 0", error="invalid_plan"),
])

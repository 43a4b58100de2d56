#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, constant, normal, np, output_range, rng, write
import tensorflow as tf
from windows import activate, pad_nhwc, pads_of, same_attrs, window_attrs


def conv(name, in_shape, kernel, out_channels, why="", stride=(1, 1), dilation=(1, 1),
         padding="VALID", groups=1, bias=True, bounds=None, change=None, fed=False, same=False,
         winograd=0):
    """One convolution; `padding` is "SAME", "VALID" or explicit ((top, bottom), (left, right))."""
    r = rng(len(name) + sum(in_shape))
    x = normal(r, *in_shape)
    hwio = normal(r, *kernel, in_shape[3] // groups, out_channels)
    b = normal(r, out_channels)
    if change:
        change(x, hwio, b)
    pads = pads_of(padding, in_shape, kernel, stride, dilation)
    y = one_group_at_a_time(pad_nhwc(x, pads), hwio, stride, dilation, groups)
    if isinstance(padding, str) and groups == 1 and y.size and x.size:
        direct = tf.nn.conv2d(x, hwio, stride, padding, dilations=dilation).numpy()
        np.testing.assert_allclose(y, direct, atol=1e-4)
    attrs = window_attrs(pads, stride, dilation)
    if same:
        attrs = same_attrs(attrs)
    if groups > 1:
        attrs["groups"] = groups
    if winograd:
        attrs["winograd"] = winograd
    if bias:
        y = y + b
    if bounds is not None:
        attrs["range"] = output_range(*bounds)
    ohwi = np.ascontiguousarray(hwio.transpose(3, 0, 1, 2))
    inputs = [x, ohwi if fed else constant(ohwi)] + ([constant(b)] if bias else [])
    return case(name, attrs, inputs, [activate(y, bounds)], why)


def one_group_at_a_time(x, hwio, stride, dilation, groups):
    """TensorFlow's CPU kernel does not support all groups; accumulates in float64 for exactness."""
    if hwio.shape[2] == 0:  # TensorFlow refuses it; an empty sum is 0
        ones = np.ones((*x.shape[:3], 1), np.float32)
        return 0 * one_group_at_a_time(ones, np.ones((*hwio.shape[:2], 1, hwio.shape[3]), np.float32),
                                       stride, dilation, groups)
    parts = zip(np.split(x.astype(np.float64), groups, axis=3),
                np.split(hwio.astype(np.float64), groups, axis=3))
    return np.concatenate([tf.nn.conv2d(a, w, stride, "VALID", dilations=dilation).numpy()
                           for a, w in parts], axis=3).astype(np.float32)


def put_nan(x, hwio, b):
    x[0, 2, 2, 0] = np.nan


def put_inf(x, hwio, b):
    x[0, 0, 0, 0] = np.inf
    hwio[...] = np.abs(hwio)


def refused(name, attrs, in_shape, filter_shape, why, bias_shape=None, fed=False):
    zeros = np.zeros(filter_shape, np.float32)
    inputs = [np.zeros(in_shape, np.float32), zeros if fed else constant(zeros)]
    if bias_shape:
        inputs.append(np.zeros(bias_shape, np.float32))
    return case(name, attrs, inputs, [], why, error="invalid_plan")


relu, relu6 = (0, np.inf), (0, 6)
write("Conv2D", [
    conv("pointwise", (1, 5, 7, 8), (1, 1), 16, "one tap: a plain matrix product"),
    conv("pointwise_no_bias", (2, 3, 3, 24), (1, 1), 20, "last panel of 8 is partial", bias=False),
    conv("pointwise_stride_2", (1, 7, 6, 4), (1, 1), 8, "reads every second pixel", stride=(2, 2)),
    conv("pointwise_wide", (1, 1, 1, 24), (1, 1), 133, "one row, many columns: several panels at once"),
    conv("pointwise_rows_2", (1, 1, 2, 12), (1, 1), 70, "two rows"),
    conv("pointwise_odd", (1, 11, 3, 3), (1, 1), 5, "no multiple of any tile"),
    conv("pointwise_padded", (1, 3, 3, 8), (1, 1), 8, "border pixels are the bias",
         padding=((1, 0), (2, 1))),
    conv("k3_same", (1, 6, 6, 8), (3, 3), 16, "SAME, stride 1", padding="SAME"),
    conv("k3_many_channels", (2, 5, 7, 18), (3, 3), 17,
         "enough channels for Winograd's method, whose tiles do not fit", padding="SAME",
         bounds=(-2, np.inf)),
    conv("k3_many_channels_padded", (1, 6, 5, 16), (3, 3), 16, "tiles in the padding alone", bias=False,
         padding=((2, 5), (1, 4))),
    conv("k3_same_even_stride_2", (1, 8, 8, 9), (3, 3), 10,
         "SAME on even sizes pads bottom and right only", stride=(2, 2), padding="SAME", bounds=relu6),
    conv("k3_same_odd_stride_2", (2, 7, 9, 16), (3, 3), 8, "batch 2", stride=(2, 2), padding="SAME",
         bounds=relu),
    conv("first_layer", (1, 13, 15, 3), (3, 3), 24, "three channels: rows are gathered",
         stride=(2, 2), padding="SAME", bounds=relu6),
    conv("gather_block", (2, 11, 9, 1), (5, 5), 5, "one channel, more rows than a block",
         padding="SAME"),
    conv("k7_stride_4", (1, 23, 19, 3), (7, 7), 4, stride=(4, 3), padding=((3, 2), (1, 4))),
    conv("row_kernel", (1, 5, 9, 8), (1, 5), 8, "1xN window", padding="SAME"),
    conv("column_kernel", (1, 9, 5, 8), (5, 1), 8, "Nx1 window", padding="SAME"),
    conv("even_kernel", (1, 7, 7, 8), (4, 2), 12, "SAME with an even window is lopsided",
         padding="SAME"),
    conv("dilated", (1, 12, 11, 8), (3, 3), 9, dilation=(2, 3), padding="SAME"),
    conv("dilated_valid", (1, 13, 13, 2), (3, 3), 4, dilation=(4, 5)),
    conv("asymmetric", (1, 5, 6, 8), (3, 3), 8, "all four pads differ", padding=((0, 3), (2, 1))),
    conv("pads_beyond_window", (1, 2, 2, 8), (2, 2), 4, "windows that see padding alone",
         padding=((3, 2), (0, 4))),
    conv("beside_the_picture", (1, 4, 6, 8), (1, 1), 16, "no window meets the picture",
         stride=(16, 1), padding=((8, 0), (0, 0))),
    conv("groups_2", (1, 5, 5, 16), (3, 3), 20, groups=2, padding="SAME"),
    conv("groups_depthwise", (1, 5, 5, 6), (3, 3), 12, "as many groups as channels", groups=6,
         padding="SAME"),
    conv("groups_pointwise", (2, 3, 3, 24), (1, 1), 36, groups=3),
    conv("deep", (1, 2, 3, 64), (3, 3), 9, "long sums", padding="SAME"),
    conv("whole_picture", (3, 5, 5, 8), (5, 5), 10, "1x1 output"),
    conv("fed_filter", (1, 6, 5, 8), (3, 3), 20, "filter packed by each run", fed=True,
         padding="SAME"),
    conv("range_low_only", (1, 4, 4, 8), (3, 3), 8, bounds=(-0.5, np.inf)),
    conv("range_high_only", (1, 4, 4, 8), (3, 3), 8, bounds=(-np.inf, 0.25)),
    conv("nan", (1, 6, 6, 8), (3, 3), 8, "NaN spreads and survives relu6", change=put_nan,
         bounds=relu6),
    conv("infinity", (1, 4, 4, 8), (2, 2), 8, change=put_inf, bounds=relu),
    conv("batch_0", (0, 4, 4, 8), (3, 3), 8, "no rows"),
    conv("channels_0", (1, 3, 3, 0), (2, 2), 4, "empty sums are the bias"),
    conv("outputs_0", (1, 3, 3, 4), (2, 2), 0, "no columns"),
    conv("window_larger_by_stride", (1, 2, 5, 4), (3, 3), 4, "output height 0", stride=(1, 1)),
    conv("same_at_run_odd", (1, 7, 9, 2), (3, 3), 4, "margins computed from the picture", stride=(2, 2), padding="SAME", same=True),
    conv("same_at_run_even", (2, 8, 6, 2), (5, 4), 3, stride=(3, 2), padding="SAME", bounds=relu6, same=True),
    conv("same_at_run_dilated", (1, 9, 8, 2), (3, 3), 4, dilation=(2, 3), padding="SAME", same=True),
    conv("same_at_run_window_beyond", (1, 2, 1, 2), (5, 3), 3, stride=(2, 2), padding="SAME", same=True),
    conv("winograd_2", (1, 4, 6, 8), (3, 3), 8, "tiles of 2 x 2 that fit", padding="SAME", bounds=relu, winograd=2),
    conv("winograd_2_odd", (2, 3, 5, 9), (3, 3), 11, "tiles beyond the edges, vectors beyond the channels", padding="SAME", winograd=2),
    conv("winograd_4", (1, 6, 6, 1), (3, 3), 66, "a tile of 4 x 4 that fits, several runs of columns", winograd=4),
    conv("winograd_4_odd", (2, 7, 5, 10), (3, 3), 6, padding="SAME", bounds=relu6, winograd=4),
    conv("winograd_4_few_channels", (1, 6, 9, 3), (3, 3), 2, "fewer channels than a vector has", bias=False, winograd=4),
    conv("winograd_4_padded", (1, 3, 4, 8), (3, 3), 8, "tiles in the padding alone", padding=((5, 4), (0, 6)), winograd=4),
    conv("winograd_2_batch_0", (0, 4, 4, 8), (3, 3), 8, "no tiles", winograd=2),
    conv("winograd_4_channels_0", (1, 4, 4, 0), (3, 3), 4, "empty sums are the bias", winograd=4),
    refused("refuse_winograd_3", {"winograd": 3}, (1, 4, 4, 2), (2, 3, 3, 2), "tiles are 2 x 2 or 4 x 4"),
    refused("refuse_winograd_3x1", {"winograd": 2}, (1, 4, 4, 2), (2, 3, 1, 2), "windows must be 3 x 3"),
    refused("refuse_winograd_1x3", {"winograd": 2}, (1, 4, 4, 2), (2, 1, 3, 2), "windows must be 3 x 3"),
    refused("refuse_winograd_stride_h", {"winograd": 2, "stride_h": 2}, (1, 4, 4, 2), (2, 3, 3, 2), "strides must be 1"),
    refused("refuse_winograd_stride_w", {"winograd": 2, "stride_w": 2}, (1, 4, 4, 2), (2, 3, 3, 2), "strides must be 1"),
    refused("refuse_winograd_dilation_h", {"winograd": 4, "dilation_h": 2}, (1, 6, 6, 2), (2, 3, 3, 2), "dilations must be 1"),
    refused("refuse_winograd_dilation_w", {"winograd": 4, "dilation_w": 2}, (1, 6, 6, 2), (2, 3, 3, 2), "dilations must be 1"),
    refused("refuse_winograd_groups", {"winograd": 4, "groups": 2}, (1, 4, 4, 2), (2, 3, 3, 1), "one group"),
    refused("refuse_winograd_fed", {"winograd": 4}, (1, 4, 4, 2), (2, 3, 3, 2), "the filter must be constant", fed=True),
    refused("refuse_same_with_pads", {"same": True, "pad_top": 1}, (1, 4, 4, 8), (6, 3, 3, 8), "pads given twice"),
    refused("refuse_same_too_far", {"same": True, "dilation_h": 2147483647}, (1, 4, 4, 8), (6, 3, 3, 8), "margins beyond 2^31"),
    refused("refuse_groups", {"groups": 3}, (1, 4, 4, 8), (6, 1, 1, 2), "3 does not divide 8"),
    refused("refuse_stride_0", {"stride_h": 0}, (1, 4, 4, 8), (6, 1, 1, 8), "stride 0"),
    refused("refuse_negative_pad", {"pad_left": -1}, (1, 4, 4, 8), (6, 1, 1, 8), "pad -1"),
    refused("refuse_filter_channels", {}, (1, 4, 4, 8), (6, 1, 1, 7), "7 channels, want 8"),
    refused("refuse_small_picture", {}, (1, 4, 4, 8), (6, 6, 1, 8), "window beyond the picture"),
    refused("refuse_bias", {}, (1, 4, 4, 8), (6, 1, 1, 8), "bias [5], want [6]", (5,)),
    refused("refuse_range", {"range": {"min": 1.0, "max": 0.0}}, (1, 4, 4, 8), (6, 1, 1, 8),
            "min > max"),
])

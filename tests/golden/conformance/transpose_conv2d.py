#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, constant, normal, np, output_range, rng, write
import tensorflow as tf
from windows import activate, pads_of, window_attrs


def transpose_conv(name, out_shape, kernel, in_channels, why="", stride=(1, 1), dilation=(1, 1),
                   padding="VALID", bias=True, bounds=None, fed=False, change=None):
    """`out_shape` is NHWC of the output; the input has the size of the forward convolution."""
    r = rng(len(name) + sum(out_shape))
    pads = pads_of(padding, out_shape, kernel, stride, dilation)
    in_h, in_w = ((out_shape[1 + i] + sum(pads[i]) - (kernel[i] - 1) * dilation[i] - 1) // stride[i]
                  + 1 for i in range(2))
    x = normal(r, out_shape[0], in_h, in_w, in_channels)
    w = normal(r, *kernel, out_shape[3], in_channels)  # HWOI, as Conv2DBackpropInput expects it
    b = normal(r, out_shape[3])
    if change:
        change(x)
    y = gradient(out_shape, w, x, stride, dilation, pads)
    attrs = window_attrs(pads, stride, dilation)
    attrs |= {"output_h": out_shape[1], "output_w": out_shape[2]}
    if bias:
        y = y + b
    if bounds is not None:
        attrs["range"] = output_range(*bounds)
    ohwi = np.ascontiguousarray(w.transpose(2, 0, 1, 3))
    inputs = [x, ohwi if fed else constant(ohwi)] + ([constant(b)] if bias else [])
    return case(name, attrs, inputs, [activate(y, bounds)], why)


def gradient(out_shape, w, x, stride, dilation, pads):
    """Uses TensorFlow's kernel where it supports the attributes, else the definition in float64."""
    if dilation == (1, 1) and x.size:
        padding = [[0, 0], list(pads[0]), list(pads[1]), [0, 0]]
        y = tf.raw_ops.Conv2DBackpropInput(
            input_sizes=out_shape, filter=w, out_backprop=x, strides=[1, *stride, 1],
            padding="EXPLICIT", explicit_paddings=sum(padding, [])).numpy()
        np.testing.assert_allclose(y, definition(out_shape, w, x, stride, dilation, pads), atol=1e-4)
        return y
    return definition(out_shape, w, x, stride, dilation, pads)


def definition(out_shape, w, x, stride, dilation, pads):
    y = np.zeros(out_shape, np.float64)
    for iy in range(x.shape[1]):
        for ix in range(x.shape[2]):
            for ky in range(w.shape[0]):
                for kx in range(w.shape[1]):
                    oy = iy * stride[0] + ky * dilation[0] - pads[0][0]
                    ox = ix * stride[1] + kx * dilation[1] - pads[1][0]
                    if 0 <= oy < out_shape[1] and 0 <= ox < out_shape[2]:
                        y[:, oy, ox, :] += x[:, iy, ix, :].astype(np.float64) @ w[ky, kx].T
    return y.astype(np.float32)


def put_nan(x):
    x[0, 1, 1, 0] = np.nan


relu = (0, np.inf)
write("TransposeConv2D", [
    transpose_conv("k3_stride_1", (1, 5, 6, 8), (3, 3), 8, padding="SAME"),
    transpose_conv("k3_stride_2_same", (1, 8, 8, 12), (3, 3), 8, "phases with 1, 2, 2 and 4 taps",
                   stride=(2, 2), padding="SAME", bounds=relu),
    transpose_conv("k3_stride_2_odd", (2, 7, 9, 5), (3, 3), 3, "phases of different sizes",
                   stride=(2, 2), padding="SAME"),
    transpose_conv("k2_stride_2", (1, 8, 6, 16), (2, 2), 8, "one tap per phase", stride=(2, 2)),
    transpose_conv("k4_stride_2", (1, 10, 10, 8), (4, 4), 8, stride=(2, 2), padding="SAME"),
    transpose_conv("k2_stride_3", (1, 9, 9, 4), (2, 2), 4, "pixels that nothing reaches",
                   stride=(3, 3), padding="SAME"),
    transpose_conv("k1_stride_2", (1, 6, 6, 4), (1, 1), 4, "three phases of bias alone",
                   stride=(2, 2), padding="SAME"),
    transpose_conv("strides_differ", (1, 6, 9, 6), (3, 5), 7, stride=(1, 3), padding="SAME"),
    transpose_conv("valid_remainder", (1, 10, 8, 4), (3, 3), 4,
                   "last rows and columns lie beyond every window", stride=(3, 2)),
    transpose_conv("explicit_pads", (1, 8, 9, 4), (4, 3), 5, stride=(2, 2),
                   padding=((2, 1), (0, 2))),
    transpose_conv("dilated", (1, 9, 11, 4), (3, 3), 4, dilation=(2, 3), padding="SAME"),
    transpose_conv("dilated_stride_2", (1, 11, 11, 4), (3, 3), 4, "dilation shares a factor",
                   stride=(2, 2), dilation=(2, 1), padding=((2, 2), (1, 0))),
    transpose_conv("row_kernel", (1, 3, 12, 8), (1, 4), 8, stride=(1, 2), padding="SAME"),
    transpose_conv("one_pixel", (1, 4, 4, 20), (4, 4), 24, "from 1x1", stride=(1, 1)),
    transpose_conv("wide", (1, 4, 4, 40), (3, 3), 16, "three panels", stride=(2, 2),
                   padding="SAME", bias=False),
    transpose_conv("fed_filter", (1, 6, 6, 9), (3, 3), 10, stride=(2, 2), padding="SAME", fed=True),
    transpose_conv("batch_3", (3, 4, 4, 3), (2, 2), 2, stride=(2, 2), bounds=(-1, 1)),
    transpose_conv("nan", (1, 6, 6, 4), (3, 3), 4, stride=(2, 2), padding="SAME", change=put_nan),
    transpose_conv("batch_0", (0, 4, 4, 3), (2, 2), 2, stride=(2, 2)),
    transpose_conv("channels_0", (1, 4, 4, 3), (2, 2), 0, "only the bias", stride=(2, 2)),
    case("refuse_size", {"stride_h": 2, "stride_w": 2, "output_h": 9, "output_w": 8},
         [np.zeros((1, 3, 4, 2), np.float32), constant(np.zeros((3, 2, 2, 2), np.float32))], [],
         "the forward convolution of 9 gives 4 rows, not 3", error="invalid_plan"),
])

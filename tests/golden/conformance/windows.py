# SPDX-License-Identifier: Apache-2.0
"""Padding arithmetic that the generators of convolutions and poolings share."""

import numpy as np


def same_pads(extent, kernel, stride=1, dilation=1):
    """(before, after) that TensorFlow's SAME means along one axis."""
    reach = (kernel - 1) * dilation + 1
    outputs = -(-extent // stride)
    total = max((outputs - 1) * stride + reach - extent, 0)
    return total // 2, total - total // 2


def pads_of(padding, in_shape, kernel, stride=(1, 1), dilation=(1, 1)):
    """((top, bottom), (left, right)) for "SAME" or "VALID", or the pair itself."""
    if padding == "VALID":
        return (0, 0), (0, 0)
    if padding == "SAME":
        return tuple(same_pads(in_shape[1 + i], kernel[i], stride[i], dilation[i])
                     for i in range(2))
    return padding


def window_attrs(pads, stride=(1, 1), dilation=(1, 1)):
    """Attributes that all window ops have; those with their default value are left out."""
    values = {"stride_h": stride[0], "stride_w": stride[1], "dilation_h": dilation[0],
              "dilation_w": dilation[1], "pad_top": pads[0][0], "pad_bottom": pads[0][1],
              "pad_left": pads[1][0], "pad_right": pads[1][1]}
    return {key: value for key, value in values.items()
            if value != (0 if key.startswith("pad") else 1)}


def same_attrs(attrs):
    """The attributes with `same` in place of the pads."""
    return {key: value for key, value in attrs.items() if not key.startswith("pad")} | {"same": True}


def pad_nhwc(x, pads, value=0):
    """x with explicit padding, for TensorFlow's VALID."""
    return np.pad(x, ((0, 0), pads[0], pads[1], (0, 0)), constant_values=value)


def activate(y, bounds):
    """y clamped to (low, high) or unchanged for None; NaN stays."""
    if bounds is None:
        return y
    y = np.where(y < np.float32(bounds[0]), np.float32(bounds[0]), y)
    return np.where(y > np.float32(bounds[1]), np.float32(bounds[1]), y).astype(np.float32)

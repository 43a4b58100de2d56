#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, normal, np, output_range, rng, write
import tensorflow as tf
from windows import activate, pad_nhwc, pads_of, same_attrs, window_attrs


def pool(name, kind, in_shape, window, why="", stride=(1, 1), padding="VALID", bounds=None,
         dtype=np.float32, change=None, same=False):
    r = rng(len(name) + sum(in_shape))
    if dtype == np.float32:
        x = normal(r, *in_shape)
    else:
        info = np.iinfo(dtype)
        x = r.integers(info.min, info.max, in_shape, dtype=dtype, endpoint=True)
    if change:
        change(x)
    pads = pads_of(padding, in_shape, window, stride)
    y = reference(kind, x, window, stride, pads)
    if isinstance(padding, str) and dtype == np.float32 and x.size and not change:
        op = tf.nn.max_pool2d if kind == "Max" else tf.nn.avg_pool2d
        np.testing.assert_allclose(y, op(x, window, stride, padding).numpy(), rtol=1e-5, atol=1e-6)
    attrs = {"kind": kind, "window_h": window[0], "window_w": window[1]}
    attrs |= same_attrs(window_attrs(pads, stride)) if same else window_attrs(pads, stride)
    if bounds is not None:
        attrs["range"] = output_range(*bounds)
    return case(name, attrs, [x], [activate(y, bounds)], why)


def reference(kind, x, window, stride, pads):
    """Pools by the definition; `pool` checks it against TensorFlow where TensorFlow supports the attributes."""
    h, w = ((x.shape[1 + i] + sum(pads[i]) - window[i]) // stride[i] + 1 for i in range(2))
    y = np.zeros((x.shape[0], h, w, x.shape[3]), x.dtype)
    for oy in range(h):
        for ox in range(w):
            top, left = oy * stride[0] - pads[0][0], ox * stride[1] - pads[1][0]
            part = x[:, max(top, 0):top + window[0], max(left, 0):left + window[1], :]
            if kind == "Max":
                y[:, oy, ox] = part.max(axis=(1, 2))
            else:
                y[:, oy, ox] = part.mean(axis=(1, 2), dtype=np.float64)
    return y


def put_nan(x):
    x[0, 2, 3, 1] = np.nan
    x[0, 0, 0, 0] = np.nan


def put_infinities(x):
    x[0, 0:2, 0:2, 0] = -np.inf
    x[0, 3, 3, :] = np.inf


def refused(name, why, **attrs):
    return case(name, {"kind": "Max", "window_h": 2, "window_w": 2} | attrs,
                [np.zeros((1, 4, 4, 2), np.float32)], [], why, error="invalid_plan")


write("Pool2D", [
    pool("max_2x2", "Max", (1, 6, 8, 5), (2, 2), stride=(2, 2)),
    pool("max_3x3_same_even", "Max", (1, 8, 8, 16), (3, 3), "pads bottom and right only",
         stride=(2, 2), padding="SAME"),
    pool("max_same_negative", "Max", (1, 5, 5, 3), (3, 3), "padding is not 0", padding="SAME",
         change=lambda x: np.subtract(x, 10, out=x)),
    pool("max_overlapping", "Max", (2, 7, 6, 8), (3, 2)),
    pool("max_range", "Max", (1, 4, 4, 8), (2, 2), bounds=(0, 1)),
    pool("max_nan", "Max", (1, 6, 6, 3), (3, 3), "NaN wins", stride=(2, 2), padding="SAME",
         change=put_nan),
    pool("max_infinities", "Max", (1, 4, 4, 2), (2, 2), stride=(2, 2), change=put_infinities),
    pool("max_lopsided", "Max", (1, 5, 6, 4), (3, 4), stride=(2, 3), padding=((0, 2), (3, 1))),
    pool("max_skips", "Max", (1, 9, 9, 4), (1, 1), "stride larger than the window", stride=(3, 2)),
    pool("max_global", "Max", (2, 7, 5, 130), (7, 5), "one row: channels are shared out"),
    pool("max_i32", "Max", (1, 5, 5, 4), (3, 3), padding="SAME", dtype=np.int32),
    pool("max_i64", "Max", (1, 5, 5, 3), (2, 2), stride=(2, 2), dtype=np.int64),
    pool("max_u8", "Max", (2, 6, 6, 7), (3, 3), stride=(2, 2), padding="SAME", dtype=np.uint8),
    pool("max_i8", "Max", (1, 6, 6, 19), (2, 3), padding="SAME", dtype=np.int8),
    pool("average_2x2", "Average", (1, 6, 8, 5), (2, 2), stride=(2, 2)),
    pool("average_same", "Average", (1, 5, 7, 9), (3, 3), "borders divide by fewer",
         padding="SAME"),
    pool("average_same_even", "Average", (2, 8, 8, 4), (3, 3), stride=(2, 2), padding="SAME"),
    pool("average_lopsided", "Average", (1, 6, 5, 4), (4, 3), stride=(2, 2),
         padding=((3, 0), (1, 2))),
    pool("average_global", "Average", (2, 7, 7, 70), (7, 7)),
    pool("average_range", "Average", (1, 4, 4, 8), (2, 2), bounds=(-0.25, 0.25)),
    pool("average_nan", "Average", (1, 6, 6, 3), (2, 2), stride=(2, 2), change=put_nan,
         bounds=(0, 6)),
    pool("average_window_beyond", "Average", (1, 2, 3, 4), (4, 5),
         "window larger than the picture", padding=((1, 2), (2, 2))),
    pool("batch_0", "Max", (0, 4, 4, 2), (2, 2)),
    pool("channels_0", "Average", (1, 4, 4, 0), (2, 2)),
    pool("max_same_at_run", "Max", (1, 7, 10, 5), (3, 3), "margins computed from the picture", stride=(2, 2), padding="SAME", same=True),
    pool("max_same_at_run_i32", "Max", (1, 8, 7, 4), (4, 2), stride=(3, 2), padding="SAME", dtype=np.int32, same=True),
    pool("average_same_at_run", "Average", (2, 9, 6, 8), (3, 4), stride=(3, 2), padding="SAME", bounds=(-0.5, 0.5), same=True),
    pool("average_same_at_run_even", "Average", (1, 8, 8, 4), (3, 3), stride=(2, 2), padding="SAME", same=True),
    refused("refuse_same_with_pads", "pads given twice", same=True, pad_left=1),
    refused("refuse_window_0", "window 0", window_h=0),
    refused("refuse_pads", "a window of padding alone", pad_top=2),
    refused("refuse_kind", "kind 0", kind=0),
    case("refuse_average_of_integers", {"kind": "Average", "window_h": 2, "window_w": 2},
         [np.zeros((1, 4, 4, 2), np.int32)], [], error="invalid_plan"),
    case("refuse_empty_picture",
         {"kind": "Max", "window_h": 2, "window_w": 2, "pad_top": 1, "pad_bottom": 1},
         [np.zeros((1, 0, 4, 2), np.float32)], [], "nothing to pool", error="invalid_plan"),
])

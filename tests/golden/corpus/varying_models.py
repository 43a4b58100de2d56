# SPDX-License-Identifier: Apache-2.0
"""Models whose extents vary from run to run: pictures of any size, sequences of any length, batches, counts."""

import keras
import numpy as np
import tensorflow as tf

from feeds import f32, given, integers
from models import frozen
from models import keras as network

L = keras.layers
I = tf.image
PICTURE = f32(1, 8, 12, 3).varying("1x4..16x4..16x3", (1, 4, 4, 3), (1, 7, 9, 3), (1, 16, 16, 3))
MAP = f32(1, 5, 6, 4).varying("1x3..8x3..8x4", (1, 3, 3, 4), (1, 8, 7, 4))
LENGTH = f32(1, 5, 4).varying("1x1..12x4", (1, 1, 4), (1, 12, 4))
BOTH = f32(2, 5, 4).varying("1..3x1..9x4", (1, 1, 4), (3, 9, 4), (3, 2, 4))
IDS = integers(1, 6, low=1, high=9).varying("1x1..10", (1, 1), (1, 10))
BATCH = f32(2, 6).varying("1..4x6", (1, 6), (4, 6))


SIZES = ((1, 32, 32, 3), (1, 9, 31, 3), (1, 17, 13, 3), (1, 8, 8, 3))
FRAME = f32(1, 24, 20, 3, low=0).varying("1x8..32x8..32x3", *SIZES)


def state_of(size, part, channels):
    """The shape of a state: of a picture at half its size, made smaller by `part`, rounded up."""
    return (1, *(-(-(side // 2) // part) for side in size[1:3]), channels)


def states(part, channels, largest):
    shapes = [state_of(size, part, channels) for size in (FRAME.shape, *SIZES)]
    return f32(*shapes[0]).varying(f"1x1..{largest}x1..{largest}x{channels}", *shapes[1:])


def w(*shape, seed=1):
    return tf.constant(np.random.default_rng(seed).uniform(-0.5, 0.5, shape).astype(np.float32))


def varying(name, function, *feeds, **more):
    return frozen(f"any_{name}", function, *feeds, **more)


def net(name, build, *feeds, **more):
    return network(f"any_{name}", build, *feeds, **more)


def transposed(x):
    shape = tf.shape(x)
    return tf.nn.conv2d_transpose(x, w(3, 3, 2, 4), tf.stack([1, shape[1] * 2, shape[2] * 2, 2]), 2)


def cnn(x):
    x = L.Conv2D(4, 3, strides=2, padding="same", activation="relu")(x)
    return L.Dense(3)(L.GlobalAveragePooling2D()(x))


def unet(x):
    a = L.Conv2D(4, 3, padding="same", activation="relu")(x)
    b = L.Conv2D(6, 3, padding="same", activation="relu")(L.MaxPooling2D(2)(a))
    return L.Conv2D(1, 1, activation="sigmoid")(L.Concatenate()([a, L.UpSampling2D(2)(b)]))


def back_to_size(x):
    y = tf.nn.relu(tf.nn.conv2d(x, w(3, 3, 3, 4), 2, "SAME"))
    return I.resize(y, tf.shape(x)[1:3])


def half_size(x, method):
    return I.resize(x, tf.shape(x)[1:3] // 2, method)


def recurrent(x, state, seed):
    """A convolutional GRU. A state of another shape is broadcast: a scalar where there is no last picture."""
    channels = x.shape[3]
    state = tf.broadcast_to(state, tf.shape(x))
    gates = tf.sigmoid(tf.nn.conv2d(tf.concat([x, state], 3), w(3, 3, 2 * channels, 2 * channels, seed=seed), 1, "SAME"))
    reset, update = tf.split(gates, 2, 3)
    new = tf.tanh(tf.nn.conv2d(tf.concat([x, reset * state], 3), w(3, 3, 2 * channels, channels, seed=seed + 1), 1, "SAME"))
    return (1.0 - update) * state + update * new


def matting(picture, half, quarter, ratio):
    """Video matting: computed on a smaller picture, whose size follows from a ratio that is set at conversion. The decoder
    cuts each level to the size of the encoder's. Returns the foreground's share, and the states for the next picture."""
    size = tf.shape(picture)[1:3]
    small = I.resize(picture, tf.cast(tf.cast(size, tf.float32) * ratio, tf.int32))
    first = tf.nn.relu(tf.nn.conv2d(small, w(3, 3, 3, 4, seed=2), 2, "SAME"))
    second = tf.nn.relu(tf.nn.conv2d(first, w(3, 3, 4, 6, seed=3), 2, "SAME"))
    quarter = recurrent(second, quarter, 4)
    larger = I.resize(quarter, tf.shape(quarter)[1:3] * 2)[:, :tf.shape(first)[1], :tf.shape(first)[2]]
    joined = tf.nn.relu(tf.nn.conv2d(tf.concat([first, larger], 3), w(3, 3, 10, 4, seed=6), 1, "SAME"))
    half = recurrent(joined, half, 7)
    larger = I.resize(half, tf.shape(half)[1:3] * 2)[:, :tf.shape(small)[1], :tf.shape(small)[2]]
    share = tf.sigmoid(tf.nn.conv2d(tf.concat([small, larger], 3), w(3, 3, 7, 1, seed=9), 1, "SAME"))
    return I.resize(share, size), half, quarter


def pyramid_pooling(x):
    whole = tf.reduce_mean(x, [1, 2], keepdims=True)
    return tf.concat([x, tf.broadcast_to(whole, tf.shape(x))], -1)


def space_to_batch(x):
    return tf.nn.conv2d(x, w(3, 3, 3, 2), 1, "SAME", dilations=2)


def causal_attention(x):
    n = tf.shape(x)[1]
    scores = tf.matmul(x, x, transpose_b=True)
    mask = tf.linalg.band_part(tf.ones(tf.stack([n, n])), -1, 0)
    return tf.nn.softmax(scores * mask - 1e9 * (1 - mask)) @ x


def heads_einsum(x):
    q = tf.einsum("btd,dhk->bthk", x, w(4, 2, 3))
    scores = tf.nn.softmax(tf.einsum("bthk,bshk->bhts", q, q))
    return tf.einsum("bhts,bshk->bthk", scores, q)


def positions(ids):
    return tf.gather(w(9, 4), ids) + tf.gather(w(10, 4, seed=2), tf.range(tf.shape(ids)[1]))


def lists(x):
    """A loop over as many steps as there are, its results stacked."""
    n = tf.shape(x)[1]
    out = tf.TensorArray(tf.float32, n, element_shape=[1, 4])
    state = tf.zeros([1, 4])
    for t in tf.range(n):
        state = tf.tanh(x[:, t] + state @ w(4, 4))
        out = out.write(t, state)
    return tf.transpose(out.stack(), [1, 0, 2])


def one_hots(ids):
    return tf.one_hot(ids, tf.shape(ids)[1]), tf.math.bincount(ids[0], minlength=9, maxlength=9)


def rolled(x):
    n = tf.shape(x)[1]
    return tf.roll(x, n // 2, 1), tf.tile(x, tf.stack([1, 2, 1])), tf.fill(tf.stack([n]), 2.5), tf.reverse(x, [1])


def padded_to_multiple(x):
    n = tf.shape(x)[1]
    y = tf.pad(x, tf.stack([[0, 0], tf.stack([0, (-n) % 4]), [0, 0]]))
    return tf.reduce_sum(tf.reshape(y, tf.stack([1, -1, 4, 4])), 2)


def segments(x):
    rows = tf.range(tf.shape(x)[1]) // 2
    return tf.math.unsorted_segment_sum(x[0], rows, 6)


def branches(x):
    return tf.cond(tf.shape(x)[1] > 4, lambda: tf.reduce_sum(x[:, :4], 1), lambda: tf.reduce_max(x, 1))


def nested_loop(x):
    """A loop that reads a tensor of any length from outside of it."""
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y + tf.reduce_mean(x, 1, keepdims=True))),
                         [0, x])[1]


def stft(x):
    return tf.abs(tf.signal.stft(x, 16, 8))


def cropped_center(x):
    h, width = tf.shape(x)[1], tf.shape(x)[2]
    return x[:, h // 4:h - h // 4, width // 4:width - width // 4]


def depth_and_space(x):
    return tf.nn.depth_to_space(x, 2), tf.nn.space_to_depth(tf.nn.depth_to_space(x, 2), 2)


WAVE = f32(1, 64).varying("1x32..128", (1, 32), (1, 101))
MODELS = [
    varying("size_conv_same_stride_2", lambda x: tf.nn.relu(tf.nn.conv2d(x, w(3, 3, 3, 4), 2, "SAME")), PICTURE),
    varying("size_conv_valid_global_mean", lambda x: tf.reduce_mean(tf.nn.conv2d(x, w(3, 3, 3, 4), 1, "VALID"), [1, 2]),
            PICTURE),
    varying("size_conv_dilated_same", space_to_batch, PICTURE),
    varying("size_depthwise_same_stride_2", lambda x: tf.nn.depthwise_conv2d(x, w(3, 3, 3, 2), [1, 2, 2, 1], "SAME"),
            PICTURE),
    varying("size_max_pool_same", lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), PICTURE),
    varying("size_average_pool_same", lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), PICTURE),
    varying("size_conv_transpose", transposed, MAP),
    varying("size_resized_back", back_to_size, PICTURE),
    varying("size_resize_to_half", lambda x: half_size(x, "bilinear"), PICTURE),
    varying("size_resize_nearest_to_half", lambda x: half_size(x, "nearest"), PICTURE),
    varying("size_resize_to_fixed", lambda x: I.resize(x, [6, 6]), PICTURE),
    varying("size_pyramid_pooling", pyramid_pooling, MAP),
    varying("size_depth_to_space", depth_and_space, MAP),
    varying("size_cropped_center", cropped_center, PICTURE),
    varying("size_argmax_of_map", lambda x: (tf.argmax(x, -1), tf.reduce_max(x, [1, 2])), MAP),
    varying("size_matting_first_picture", matting, FRAME, given(0.0), given(0.0), given(0.5).as_set()),
    varying("size_matting_next_picture", matting, FRAME, states(2, 4, 8), states(4, 6, 4), given(0.5).as_set()),
    net("size_keras_cnn", cnn, PICTURE),
    net("size_keras_unet", unet, f32(1, 8, 12, 3).varying("1x4..16x4..16x3", (1, 4, 4, 3), (1, 16, 16, 3))),
    net("size_keras_upsampling", lambda x: L.UpSampling2D(2)(x), MAP),
    net("length_keras_lstm", lambda x: L.LSTM(3, return_sequences=True)(x), LENGTH),
    net("length_keras_bidirectional_gru", lambda x: L.Bidirectional(L.GRU(3))(x), LENGTH),
    net("length_and_batch_keras_lstm", lambda x: L.LSTM(3)(x), BOTH),
    net("length_keras_conv1d_causal", lambda x: L.Conv1D(3, 3, padding="causal", dilation_rate=2)(x), LENGTH),
    net("length_keras_attention", lambda x: L.MultiHeadAttention(2, 3)(x, x), LENGTH),
    net("length_and_batch_keras_encoder",
        lambda x: L.LayerNormalization()(x + L.Dense(4)(L.Dense(8, "gelu")(L.MultiHeadAttention(2, 2)(x, x)))), BOTH),
    net("length_keras_embedding_mask", lambda x: L.GlobalAveragePooling1D()(L.Embedding(9, 4, mask_zero=True)(x)), IDS),
    varying("length_attention_causal", causal_attention, LENGTH),
    varying("length_heads_by_einsum", heads_einsum, BOTH),
    varying("length_positions_gathered", positions, IDS),
    varying("length_list_of_steps", lists, LENGTH),
    varying("length_one_hot_depth", one_hots, IDS),
    varying("length_roll_tile_fill", rolled, LENGTH),
    varying("length_padded_to_multiple", padded_to_multiple, LENGTH),
    varying("length_segments", segments, LENGTH),
    varying("length_decides_branch", branches, LENGTH),
    varying("length_captured_by_loop", nested_loop, LENGTH),
    varying("length_top_k_cumsum",
            lambda x: (tf.cumsum(x, 1), tf.math.top_k(tf.transpose(x, [0, 2, 1]), 1)[0], tf.sort(x, 1)), LENGTH),
    varying("length_stft", stft, WAVE),
    varying("batch_mlp", lambda x: tf.nn.softmax(tf.nn.relu(x @ w(6, 5)) @ w(5, 3)), BATCH),
    varying("batch_similarities",
            lambda x: tf.matmul(tf.math.l2_normalize(x, 1), tf.math.l2_normalize(x, 1), transpose_b=True), BATCH),
    varying("batch_reshaped", lambda x: tf.reshape(x, [-1, 2, 3]) + tf.cast(tf.shape(x)[0], tf.float32), BATCH),
    varying("count_of_boxes_nms", lambda b, s: I.non_max_suppression(b, s, 3, 0.5),
            f32(5, 4, low=0, high=1).varying("1..8x4", (1, 4), (8, 4)), f32(5).varying("1..8", (1,), (8,))),
]

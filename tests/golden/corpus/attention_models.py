# SPDX-License-Identifier: Apache-2.0
"""Attention: Keras' layers for it, encoder and decoder blocks, positions, and small vision and language models."""

import keras
import numpy as np
import tensorflow as tf

from feeds import booleans, f32, integers
from models import frozen
from models import keras as network

L = keras.layers
O = keras.ops


def block(x, heads=2, width=4, norm_first=True, norm=None, mlp="gelu"):
    """A transformer's encoder block."""
    norm = norm or (lambda: L.LayerNormalization(epsilon=1e-6))
    attend = L.MultiHeadAttention(heads, width)
    features = x.shape[-1]
    if norm_first:
        y = norm()(x)
        x = L.Add()([x, attend(y, y)])
        y = L.Dense(features)(L.Dense(2 * features, activation=mlp)(norm()(x)))
        return L.Add()([x, y])
    x = norm()(L.Add()([x, attend(x, x)]))
    return norm()(L.Add()([x, L.Dense(features)(L.Dense(2 * features, activation=mlp)(x))]))


def positions(ids, vocabulary, length, features):
    return L.Embedding(vocabulary, features)(ids) + L.Embedding(length, features)(O.arange(length))


def vit(x):
    """Patches by a convolution, a class token, two blocks."""
    x = L.Reshape((16, 8))(L.Conv2D(8, 4, strides=4)(x))
    token = L.Dense(8)(O.zeros_like(x[:, :1]))
    x = L.Concatenate(axis=1)([token, x])
    x = block(block(x))
    return L.Dense(3)(L.LayerNormalization()(x)[:, 0])


def mlp_mixer(x):
    x = L.Reshape((16, 6))(L.Conv2D(6, 4, strides=4)(x))
    y = L.Permute((2, 1))(L.LayerNormalization()(x))
    x = x + L.Permute((2, 1))(L.Dense(16)(L.Dense(8, activation="gelu")(y)))
    x = x + L.Dense(6)(L.Dense(12, activation="gelu")(L.LayerNormalization()(x)))
    return L.Dense(2)(L.GlobalAveragePooling1D()(x))


def bert(ids, mask):
    x = L.LayerNormalization()(positions(ids, 20, 6, 8))
    attend = L.MultiHeadAttention(2, 4)
    x = L.LayerNormalization()(x + attend(x, x, attention_mask=mask[:, None, :]))
    x = L.LayerNormalization()(x + L.Dense(8)(L.Dense(16, activation="gelu")(x)))
    return L.Dense(8, activation="tanh")(x[:, 0])


def gpt(ids):
    x = positions(ids, 17, 5, 8)
    y = L.LayerNormalization()(x)
    x = x + L.MultiHeadAttention(2, 4)(y, y, use_causal_mask=True)
    x = x + L.Dense(8)(O.gelu(L.Dense(16)(L.LayerNormalization()(x)), approximate=True))
    return L.Dense(17)(L.LayerNormalization()(x))


def rotate(x):
    """Rotary positions, halves as in NeoX."""
    half = x.shape[-1] // 2
    frequencies = O.convert_to_tensor(1 / 10 ** (np.arange(half) / half), "float32")
    angles = O.arange(x.shape[1], dtype="float32")[:, None] * frequencies
    cos, sin = O.concatenate([O.cos(angles)] * 2, -1), O.concatenate([O.sin(angles)] * 2, -1)
    rotated = O.concatenate([-x[..., half:], x[..., :half]], -1)
    return x * cos[None, :, None] + rotated * sin[None, :, None]


def llama(ids):
    """RMS norm, rotary positions, grouped queries, gated SiLU."""
    x = L.Embedding(11, 8)(ids)
    y = L.RMSNormalization()(x)
    q, k, v = (L.EinsumDense("btd,dnh->btnh", (5, heads, 4))(y) for heads in (2, 1, 1))
    k, v = O.concatenate([rotate(k)] * 2, 2), O.concatenate([v] * 2, 2)
    y = O.dot_product_attention(rotate(q), k, v, is_causal=True)
    x = x + L.Dense(8, use_bias=False)(L.Reshape((5, 8))(y))
    y = L.RMSNormalization()(x)
    return x + L.Dense(8)(O.silu(L.Dense(12)(y)) * L.Dense(12)(y))


def decoder(target, memory):
    """Attention to itself and to an encoder's output."""
    x = target + L.MultiHeadAttention(2, 3)(target, target, use_causal_mask=True)
    x = L.LayerNormalization()(x)
    attended, scores = L.MultiHeadAttention(2, 3)(x, memory, return_attention_scores=True)
    return [L.LayerNormalization()(x + attended), scores]


def conformer(x):
    """Half-step feed-forward, attention, a gated depthwise convolution."""
    x = x + 0.5 * L.Dense(6)(L.Dense(12, activation="swish")(L.LayerNormalization()(x)))
    y = L.LayerNormalization()(x)
    x = x + L.MultiHeadAttention(2, 3)(y, y)
    y = keras.activations.glu(L.Dense(12)(L.LayerNormalization()(x)))
    y = O.silu(L.BatchNormalization()(L.DepthwiseConv1D(3, padding="same")(y)))
    return L.LayerNormalization()(x + L.Dense(6)(y))


def window_attention(x):
    """Swin: windows of 4x4, shifted by a roll."""
    y = O.roll(x, (-2, -2), (1, 2))
    y = O.reshape(O.transpose(O.reshape(y, (-1, 2, 4, 2, 4, 6)), (0, 1, 3, 2, 4, 5)), (-1, 16, 6))
    y = L.MultiHeadAttention(2, 3)(y, y)
    y = O.transpose(O.reshape(y, (-1, 2, 2, 4, 4, 6)), (0, 1, 3, 2, 4, 5))
    return x + O.roll(O.reshape(y, (-1, 8, 8, 6)), (2, 2), (1, 2))


def linear_attention(x):
    q, k, v = (L.Dense(6)(x) for _ in range(3))
    q, k = O.elu(q) + 1, O.elu(k) + 1
    return O.einsum("btd,bde->bte", q,
                    O.einsum("bsd,bse->bde", k, v)) / O.einsum("btd,bd->bt", q, O.sum(k, 1))[..., None]


def alibi(q, k):
    distance = tf.abs(tf.range(6)[:, None] - tf.range(6)[None])
    scores = tf.einsum("bhtd,bhsd->bhts", q, k) / 2.0
    return tf.nn.softmax(scores - tf.cast(distance, tf.float32) * tf.constant([0.5, 0.25])[:, None, None])


def bias_and_padding(x, y):
    """T5: a bias of relative positions for each head, and words to leave out."""
    q, k, v = (tf.einsum("btd,dnh->btnh", x, tf.constant(np.random.default_rng(i).normal(size=(8, 4, 2)), tf.float32))
               for i in range(3))
    bias = tf.constant(np.random.default_rng(3).normal(size=(1, 4, 6, 6)), tf.float32)
    scores = tf.einsum("bqnh,bknh->bnqk", q, k) + bias
    scores += (1 - tf.cast(y, tf.float32))[:, None, None, :] * -1e9
    return tf.einsum("bnqk,bknh->bqnh", tf.nn.softmax(scores), v)


def grouped_heads_first(q, k, v):
    """As in PyTorch: the heads of k and v are repeated behind their transposition."""
    q, k, v = (tf.transpose(x, (0, 2, 1, 3)) for x in (q, k, v))
    k, v = (tf.reshape(tf.repeat(x[:, :, None], 3, axis=2), (2, 6, 5, 4)) for x in (k, v))
    y = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 2), v)
    return tf.transpose(y, (0, 2, 1, 3))


def relative_positions(q):
    """The shift of Transformer-XL: pad, reshape, slice."""
    x = tf.pad(q, [[0, 0], [0, 0], [1, 0]])
    b, t, s = 2, 5, 9
    return tf.reshape(tf.reshape(x, [b, s + 1, t])[:, 1:], [b, t, s])[:, :, :t]


def self_attention_of(x):
    return L.MultiHeadAttention(2, 4)(x, x)


MHA = L.MultiHeadAttention
MODELS = [
    network("multi_head_attention_self", lambda x: MHA(2, 4)(x, x), f32(1, 6, 8)),
    network("multi_head_attention_cross_value_dim_pb", lambda x, y: MHA(3, 2, value_dim=4)(x, y), f32(1, 4, 6),
            f32(1, 7, 5), form="pb"),
    network("multi_head_attention_causal_batch_of_2", lambda x: MHA(2, 4)(x, x, use_causal_mask=True), f32(2, 5, 8)),
    network("multi_head_attention_mask_input", lambda x, y: MHA(2, 4)(x, x, attention_mask=y), f32(1, 5, 8),
            booleans(1, 5, 5)),
    network("multi_head_attention_two_axes", lambda x: MHA(2, 4, attention_axes=(1, 2))(x, x), f32(1, 3, 4, 8)),
    network("multi_head_attention_output_shape_no_bias", lambda x: MHA(2, 4, use_bias=False, output_shape=5)(x, x),
            f32(1, 4, 8)),
    network("multi_head_attention_masked_embedding", lambda x: self_attention_of(L.Embedding(6, 8, mask_zero=True)(x)),
            integers(1, 6, high=3)),
    network("group_query_attention", lambda x: L.GroupQueryAttention(4, 4, 2)(x, x), f32(1, 5, 8)),
    network("group_query_attention_causal", lambda x: L.GroupQueryAttention(4, 6, 3)(x, x, use_causal_mask=True),
            f32(2, 5, 8)),
    frozen("group_query_attention_heads_first", grouped_heads_first, f32(2, 5, 6, 4), f32(2, 5, 2, 4),
           f32(2, 5, 2, 4)),
    network("attention_dot_scaled", lambda x, y: L.Attention(use_scale=True)([x, y]), f32(1, 4, 6), f32(1, 5, 6)),
    network("attention_concat_scores",
            lambda x, y: L.Attention(score_mode="concat")([x, y], return_attention_scores=True),
            f32(1, 4, 6), f32(1, 5, 6)),
    network("additive_attention_causal", lambda x: L.AdditiveAttention()([x, x], use_causal_mask=True), f32(1, 4, 6)),
    network("attention_value_mask", lambda x, y: L.Attention()([x, x], mask=[None, y]), f32(1, 4, 6), booleans(1, 4)),
    network("encoder_block_pre_norm", block, f32(1, 5, 8)),
    network("encoder_block_post_norm_tfjs", lambda x: block(x, norm_first=False, mlp="relu"), f32(1, 5, 8),
            form="tfjs"),
    network("encoder_block_rms_norm", lambda x: block(x, norm=L.RMSNormalization, mlp="silu"), f32(1, 5, 8)),
    network("decoder_block_with_scores", decoder, f32(1, 4, 6), f32(1, 5, 6)),
    network("net_vit", vit, f32(1, 16, 16, 3)),
    network("net_mlp_mixer", mlp_mixer, f32(1, 16, 16, 3)),
    network("net_bert", bert, integers(1, 6, high=20), booleans(1, 6)),
    network("net_gpt", gpt, integers(1, 5, high=17)),
    network("net_llama", llama, integers(1, 5, high=11)),
    network("net_conformer", conformer, f32(1, 6, 6)),
    network("net_swin_windows", window_attention, f32(1, 8, 8, 6)),
    network("linear_attention", linear_attention, f32(1, 5, 6)),
    frozen("attention_alibi", alibi, f32(1, 2, 6, 4), f32(1, 2, 6, 4)),
    frozen("attention_bias_and_padding", bias_and_padding, f32(2, 6, 8), integers(2, 6, high=2)),
    frozen("attention_relative_shift", relative_positions, f32(2, 5, 9)),
]

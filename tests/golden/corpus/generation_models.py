# SPDX-License-Identifier: Apache-2.0
"""Loops that make something step by step: greedy and beam search, caches, diffusion, flows, adversarial nets."""

import numpy as np
import tensorflow as tf
from tensorflow.compiler.tf2xla.python import xla

from feeds import f32, given, integers, positive
from models import frozen


def table(rows, columns, seed):
    return tf.constant(np.random.default_rng(seed).uniform(-1, 1, (rows, columns)).astype(np.float32))


def grown(*shape):
    return lambda: tf.Variable(np.random.default_rng(len(shape)).uniform(-1, 1, shape).astype(np.float32))


def greedy(first, weights):
    """Each token decides the next; all of them come out."""
    tokens = tf.TensorArray(tf.int32, 6).write(0, first)
    state, token = tf.zeros([1, 4]), first
    for i in tf.range(1, 6):
        state = tf.tanh(tf.matmul(state, weights[:4, :4]) + tf.gather(weights[:, :4], token))
        token = tf.argmax(tf.matmul(state, weights[:, :4], transpose_b=True), -1, tf.int32)
        tokens = tokens.write(i, token)
    return tf.transpose(tokens.stack())


def until_end_token(first):
    """Stops at a token; the length is an output."""
    following = tf.constant([3, 0, 4, 2, 1])  # 1 ends
    def go_on(i, token, _):
        return tf.logical_and(i < 8, token[0] != 1)
    def body(i, token, out):
        token = tf.gather(following, token)
        return i + 1, token, tf.tensor_scatter_nd_update(out, tf.reshape(i, [1, 1]), token)
    length, _, out = tf.while_loop(go_on, body, [0, first, tf.zeros([8], tf.int32)])
    return out, length


def beam_search(logits):
    """Two beams over fixed scores of each step, kept by top-k and gathered backwards."""
    scores = tf.constant([0.0, -1e9])
    paths = tf.zeros([2, 4], tf.int32)
    for step in tf.range(4):
        total = tf.reshape(scores[:, None] + tf.nn.log_softmax(logits[step])[None], [-1])
        scores, index = tf.math.top_k(total, 2)
        paths = tf.gather(paths, index // 5)
        paths = tf.where(tf.range(4)[None] == step, (index % 5)[:, None], paths)
    return paths, scores


def with_growing_context(ids, weights):
    """Attends to all tokens so far, which become more in every step."""
    for _ in range(3):
        x = tf.gather(weights, ids)
        scores = tf.nn.softmax(tf.matmul(x[:, -1:], x, transpose_b=True))
        token = tf.argmax(tf.matmul(tf.matmul(scores, x)[:, 0], weights, transpose_b=True), -1, tf.int32)
        ids = tf.concat([ids, token[:, None]], 1)
    return ids


def growing_loop(ids):
    """The same with a loop whose tensors grow."""
    weights = table(7, 4, 5)
    def body(i, ids):
        x = tf.gather(weights, ids)
        token = tf.argmax(tf.matmul(tf.reduce_mean(x, 1), weights, transpose_b=True), -1, tf.int32)
        return i + 1, tf.concat([ids, token[:, None]], 1)
    return tf.while_loop(lambda i, _: i < 3, body, [0, ids], [tf.TensorShape([]), tf.TensorShape([1, None])])[1]


def key_value_cache(x, keys, position):
    """One step: the cache is an input and an output, written at a position that is fed."""
    new = tf.tanh(x @ table(4, 4, 1))
    keys = tf.where(tf.range(6)[None, :, None] == position, new[:, None], keys)
    allowed = tf.range(6)[None] <= position
    scores = tf.where(allowed, tf.einsum("bd,btd->bt", x, keys), -1e9)
    return tf.einsum("bt,btd->bd", tf.nn.softmax(scores), keys), keys


def cache_by_dynamic_slice(x, keys, position):
    keys = xla.dynamic_update_slice(keys, x, tf.stack([0, position, 0]))
    return tf.reduce_sum(keys * x, -1)


def diffusion(noise, weights):
    """Denoises in eight steps by a small net and a schedule."""
    betas = np.linspace(0.01, 0.2, 8).astype(np.float32)
    alphas = tf.constant(1 - betas)
    products = tf.constant(np.cumprod(1 - betas).astype(np.float32))
    x = noise
    for i in tf.range(7, -1, -1):
        t = tf.fill([1, 1], tf.cast(i, tf.float32) / 8.0)
        predicted = tf.tanh(tf.concat([x, tf.sin(t), tf.cos(t)], 1) @ weights)
        x = (x - (1 - alphas[i]) / tf.sqrt(1 - products[i]) * predicted) / tf.sqrt(alphas[i])
    return x


def runge_kutta(x):
    """Lorenz' equations, integrated."""
    def slope(p):
        a, b, c = p[0], p[1], p[2]
        return tf.stack([10.0 * (b - a), a * (28.0 - c) - b, a * b - 8.0 / 3.0 * c])
    def step(i, p):
        k1 = slope(p)
        k2 = slope(p + 0.005 * k1)
        k3 = slope(p + 0.005 * k2)
        return i + 1, p + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + slope(p + 0.01 * k3))
    return tf.while_loop(lambda i, _: i < 10, step, [0, x])[1]


def generator(z, weights):
    x = tf.reshape(tf.nn.leaky_relu(z @ weights), [1, 4, 4, 4])
    for i in range(2):
        kernel = tf.constant(np.random.default_rng(i).uniform(-0.5, 0.5, (4, 4, 4, 4)).astype(np.float32))
        x = tf.nn.leaky_relu(tf.nn.conv2d_transpose(x, kernel, [1, 8 << i, 8 << i, 4], 2), 0.2)
    return tf.tanh(x[..., :3])


def variational(x, noise, weights):
    mean, log_variance = tf.split(x @ weights, 2, -1)
    z = mean + tf.exp(0.5 * log_variance) * noise
    divergence = -0.5 * tf.reduce_sum(1 + log_variance - mean ** 2 - tf.exp(log_variance), -1)
    return tf.sigmoid(z @ tf.transpose(weights)[:2]), divergence


def flow(z):
    """Affine couplings with their inverse's determinant."""
    total = 0.0
    for i in range(3):
        a, b = tf.split(tf.reverse(z, [-1]), 2, -1)
        scale, shift = tf.tanh(a @ table(3, 3, i)), a @ table(3, 3, 9 + i)
        z = tf.concat([a, b * tf.exp(scale) + shift], -1)
        total += tf.reduce_sum(scale, -1)
    return z, total


def top_p(logits):
    """What nucleus sampling keeps."""
    ordered = tf.sort(logits, direction="DESCENDING")
    cumulative = tf.cumsum(tf.nn.softmax(ordered), -1)
    threshold = tf.reduce_min(tf.where(cumulative <= 0.8, ordered, np.inf), -1, keepdims=True)
    return tf.nn.softmax(tf.where(logits >= tf.minimum(threshold, ordered[:, :1]), logits, -1e9))


def repetition_penalty(logits, ids):
    seen = tf.reduce_max(tf.one_hot(ids, 9), 1) > 0
    return tf.where(seen, tf.where(logits > 0, logits / 1.3, logits * 1.3), logits)


def quantizer(x):
    """The nearest row of a codebook, with the straight-through estimator."""
    codes = table(6, 4, 3)
    distance = tf.reduce_sum(x ** 2, -1,
                             keepdims=True) - 2 * tf.matmul(x, codes, transpose_b=True) + tf.reduce_sum(codes ** 2, -1)
    index = tf.argmin(distance, -1)
    nearest = tf.gather(codes, index)
    return x + tf.stop_gradient(nearest - x), index


def game_of_life(cells):
    kernel = tf.constant(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.float32)[..., None, None])
    for _ in tf.range(4):
        near = tf.nn.conv2d(cells, kernel, 1, "SAME")
        cells = tf.cast((near == 3) | ((cells > 0.5) & (near == 2)), tf.float32)
    return cells


def markov_decision(rewards):
    """Value iteration until it changes little."""
    moves = tf.nn.softmax(table(5, 5, 4))
    def go_on(i, value, change):
        return tf.logical_and(i < 50, change > 1e-3)
    def body(i, value, _):
        new = rewards + 0.9 * tf.linalg.matvec(moves, value)
        return i + 1, new, tf.reduce_max(tf.abs(new - value))
    return tf.while_loop(go_on, body, [0, tf.zeros([5]), tf.constant(1e9)])[1]


MODELS = [
    frozen("greedy_tokens", greedy, integers(1, high=7), grow=grown(7, 4)),
    frozen("greedy_until_end", until_end_token, given([0])),
    frozen("greedy_until_end_lowered", until_end_token, given([0]), lower=True),
    frozen("beam_search", beam_search, f32(4, 5, low=-2, high=2)),
    frozen("context_grows_unrolled", with_growing_context, integers(1, 3, high=7), grow=grown(7, 4)),
    frozen("context_grows_in_loop", growing_loop, integers(1, 3, high=7)),
    frozen("key_value_cache_by_mask", key_value_cache, f32(1, 4), f32(1, 6, 4), given(np.int32(3))),
    frozen("key_value_cache_by_dynamic_slice", cache_by_dynamic_slice, f32(1, 1, 4), f32(1, 6, 4), given(np.int32(2))),
    frozen("diffusion_steps", diffusion, f32(1, 4), grow=grown(6, 4)),
    frozen("runge_kutta_lorenz", runge_kutta, given([1.0, 1.5, 20.0])),
    frozen("adversarial_generator", generator, f32(1, 6), grow=grown(6, 64)),
    frozen("variational_autoencoder", variational, f32(2, 6), f32(2, 2), grow=grown(6, 4)),
    frozen("normalizing_flow", flow, f32(2, 6)),
    frozen("nucleus_filter", top_p, f32(2, 9, low=-3, high=3)),
    frozen("repetition_penalty", repetition_penalty, f32(1, 9), integers(1, 4, high=9)),
    frozen("vector_quantizer", quantizer, f32(2, 5, 4)),
    frozen("game_of_life", game_of_life, integers(1, 8, 8, 1, high=2, dtype="float32")),
    frozen("value_iteration", markov_decision, positive(5)),
]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from cases import case, normal, np, rng, write
import tensorflow as tf

HIDDEN = -1e9


def attention(name, q_shape, rows, value_depth=None, scale=1.0, mask=None, groups=None, why="", change=None):
    """q_shape is [batch, rows, heads, depth]; `rows` and `groups` are the rows and heads of k and v. `mask` may be
    several. The sums are of 64-bit floats."""
    batch, _, heads, depth = q_shape
    groups = heads if groups is None else groups
    r = rng(len(name) + sum(q_shape) + rows)
    q, k = normal(r, *q_shape), normal(r, batch, rows, groups, depth)
    v = normal(r, batch, rows, groups, depth if value_depth is None else value_depth)
    if change:
        change(q, k, v)
    of_heads = [np.repeat(x.astype(float), heads // max(groups, 1), 2) for x in (k, v)]
    scores = tf.einsum("bshd,bthd->bhst", q.astype(float), of_heads[0]) * scale
    attrs = {} if scale == 1.0 else {"scale": scale}
    masks = [] if mask is None else mask if isinstance(mask, list) else [mask]
    for one in masks:
        if one.dtype == bool:
            scores = tf.where(one, scores, np.float64(HIDDEN))
            attrs["hidden"] = HIDDEN
        else:
            scores += one
    y = tf.einsum("bhst,bthd->bshd", tf.nn.softmax(scores), of_heads[1])
    return case(name, attrs, [q, k, v, *masks], [y.numpy().astype(np.float32)], why)


def kept(*shape):
    """Keeps about half of the rows, and always the first."""
    mask = rng(sum(shape)).random(shape) < 0.5
    mask[..., 0] = True
    return mask


def added(mask):
    return np.where(mask, np.float32(0), np.float32(HIDDEN))


def causal(rows):
    return np.tril(np.ones((rows, rows), bool))


def large(q, k, v):
    q *= 30
    k *= 30


def put_nan(q, k, v):
    q[0, 1, 0, 2] = np.nan


def put_infinity(q, k, v):
    v[0, 2, 1, 0] = np.inf


def refuse(name, *shapes, attrs={}, dtype=np.float32):
    inputs = [np.zeros(shape, np.float32) for shape in shapes]
    inputs[-1] = inputs[-1].astype(dtype)
    return case(name, attrs, inputs, [], error="invalid_plan")


write("Attention", [
    attention("one_head", (1, 5, 1, 4), 5),
    attention("heads", (1, 6, 3, 8), 6, scale=0.25),
    attention("batch", (2, 5, 2, 4), 5, scale=0.5),
    attention("cross", (1, 3, 2, 4), 11, scale=0.5, why="other rows than q has"),
    attention("value_depth", (2, 4, 2, 3), 6, value_depth=5),
    attention("wide_values", (1, 4, 2, 3), 6, value_depth=37),
    attention("one_row", (1, 1, 4, 16), 20, scale=0.25, why="the next word of a text"),
    attention("one_row_of_values", (2, 3, 2, 4), 1, why="the values themselves"),
    attention("depth_1", (1, 4, 2, 1), 5, value_depth=1),
    attention("bert", (1, 32, 4, 16), 32, scale=0.25, mask=added(kept(1, 1, 1, 32))),
    attention("causal", (1, 9, 2, 4), 9, scale=0.5, mask=added(causal(9))),
    attention("mask_of_batches", (3, 4, 2, 4), 5, mask=added(kept(3, 1, 1, 5))),
    attention("mask_of_heads", (2, 4, 3, 4), 5, mask=added(kept(3, 4, 5))),
    attention("mask_of_all", (2, 3, 2, 4), 5, mask=added(kept(2, 2, 3, 5))),
    attention("mask_of_columns", (1, 4, 2, 4), 6, mask=added(kept(6))),
    attention("mask_of_one_column", (1, 4, 2, 4), 1, mask=normal(rng(4), 4, 1)),
    attention("all_hidden", (1, 3, 2, 4), 5, mask=np.full((3, 5), -np.inf, np.float32), why="NaN"),
    attention("kept_words", (2, 4, 2, 4), 37, scale=0.5, mask=kept(2, 1, 1, 37)),
    attention("kept_causal", (1, 9, 2, 4), 9, scale=0.5, mask=causal(9)),
    attention("kept_of_all", (2, 3, 2, 4), 5, mask=kept(2, 2, 3, 5)),
    attention("kept_rows", (1, 4, 2, 4), 6, mask=np.repeat([[True], [False], [True], [False]], 6, 1), why="means"),
    attention("grouped", (1, 5, 6, 4), 7, groups=2, scale=0.5, why="three heads read one of k and v"),
    attention("grouped_batch", (2, 4, 4, 3), 5, groups=2, value_depth=6, mask=added(kept(2, 1, 1, 5))),
    attention("one_group", (2, 3, 5, 4), 6, groups=1, mask=added(kept(2, 5, 3, 6)), why="multi-query attention"),
    attention("grouped_word", (1, 1, 8, 16), 20, groups=2, scale=0.25, mask=kept(1, 1, 1, 20), why="the next word"),
    attention("grouped_tall", (1, 70, 6, 4), 50, groups=3, mask=causal(70)[:, :50], why="blocks end within a head"),
    attention("bias_and_padding", (2, 4, 3, 4), 5, scale=0.5, mask=[normal(rng(9), 3, 4, 5), added(kept(2, 1, 1, 5))]),
    attention("causal_and_kept", (2, 5, 2, 4), 5, mask=[causal(5), kept(2, 1, 1, 5)]),
    attention("bias_and_kept", (2, 4, 4, 4), 5, groups=2, mask=[normal(rng(9), 4, 4, 5), kept(2, 1, 1, 5)]),
    attention("kept_and_bias", (2, 4, 2, 4), 5, mask=[kept(2, 1, 1, 5), normal(rng(9), 2, 4, 5)]),
    attention("scale_0", (1, 3, 2, 4), 5, scale=0.0, why="means"),
    attention("negative_scale", (1, 3, 2, 4), 5, scale=-1.5),
    attention("large_scores", (1, 6, 2, 8), 6, why="exp overflows unless the maximum is subtracted", change=large),
    attention("short_rows", (1, 7, 2, 4), 40, scale=0.5, why="softmax of several rows at once"),
    attention("long_rows", (1, 2, 1, 2), 1100, scale=0.5),
    attention("tall", (1, 211, 2, 4), 50, scale=0.5, why="several blocks of rows"),
    attention("vit", (1, 19, 3, 64), 19, scale=0.125),
    attention("nan", (1, 3, 2, 4), 4, change=put_nan),
    attention("infinity", (1, 3, 2, 4), 4, change=put_infinity),
    attention("batch_0", (0, 3, 2, 4), 5),
    attention("rows_0", (1, 0, 2, 4), 5),
    attention("heads_0", (1, 3, 0, 4), 5),
    attention("heads_0_of_2", (1, 3, 0, 4), 5, groups=2),
    attention("depth_0", (1, 3, 2, 0), 5, value_depth=4, why="means"),
    attention("value_depth_0", (1, 3, 2, 4), 5, value_depth=0),
    case("no_values", {}, [np.ones((1, 3, 2, 4), np.float32)] + [np.ones((1, 0, 2, 4), np.float32)] * 2,
         [np.zeros((1, 3, 2, 4), np.float32)], "empty sums are 0"),
    refuse("refuse_rank", (3, 2, 4), (3, 2, 4), (3, 2, 4)),
    refuse("refuse_depth", (1, 3, 2, 4), (1, 3, 2, 5), (1, 3, 2, 4)),
    refuse("refuse_heads", (1, 3, 3, 4), (1, 3, 2, 4), (1, 3, 2, 4)),
    refuse("refuse_more_groups", (1, 3, 2, 4), (1, 3, 4, 4), (1, 3, 4, 4)),
    refuse("refuse_no_groups", (1, 3, 2, 4), (1, 3, 0, 4), (1, 3, 0, 4)),
    refuse("refuse_groups_of_values", (1, 3, 4, 4), (1, 3, 2, 4), (1, 3, 4, 4)),
    refuse("refuse_batch", (2, 3, 2, 4), (1, 3, 2, 4), (1, 3, 2, 4)),
    refuse("refuse_rows", (1, 3, 2, 4), (1, 3, 2, 4), (1, 5, 2, 4)),
    refuse("refuse_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (3, 4)),
    refuse("refuse_mask_rank", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (1, 1, 1, 3, 5)),
    refuse("refuse_mask_of_rows", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (3, 1)),
    refuse("refuse_scalar_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), ()),
    refuse("refuse_large_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (2, 1, 3, 5)),
    refuse("refuse_second_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (3, 5), (4, 5)),
    refuse("refuse_third_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (5,), (5,), (5,)),
    refuse("refuse_dtype", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), dtype=np.int32),
    refuse("refuse_integer_mask", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), (5,), dtype=np.int32),
    refuse("refuse_bool_values", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), dtype=bool),
    refuse("refuse_hidden", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), attrs={"hidden": np.nan}),
    refuse("refuse_scale", (1, 3, 2, 4), (1, 5, 2, 4), (1, 5, 2, 4), attrs={"scale": np.inf}),
])

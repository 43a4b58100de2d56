# SPDX-License-Identifier: Apache-2.0
"""tf.functions and tf.Modules: control flow, shapes, gathers and scatters, variables, several outputs."""

import numpy as np
import tensorflow as tf

from feeds import booleans, f32, given, integers, positive
from models import frozen, portable, saved


class Counter(tf.Module):
    """Says what its state was: a variable that a call changes."""

    def __init__(self):
        super().__init__()
        self.count = tf.Variable(3.0)

    def run(self, x):
        return {"y": x * self.count.assign_add(1.0)}


class Cache(tf.Module):
    """One step of a decoder with a cache of keys, written at a position."""

    def __init__(self):
        super().__init__()
        self.keys = tf.Variable(tf.zeros([1, 6, 4]))

    def run(self, key, position):
        self.keys[:, 2:3].assign(key)
        return {"scores": tf.einsum("btd,bsd->bts", self.keys.read_value(), key) + tf.cast(position, tf.float32)}


class ScatterCache(tf.Module):
    def __init__(self):
        super().__init__()
        self.rows = tf.Variable(tf.reshape(tf.range(12.0), [4, 3]))

    def run(self, index, row):
        self.rows.scatter_nd_update(index, row)
        return {"rows": self.rows.read_value()}


class TwoTowers(tf.Module):
    """Nested modules that share weights."""

    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))

    @tf.function
    def tower(self, x):
        return tf.nn.l2_normalize(tf.nn.relu(x @ self.weight), -1)

    def run(self, left, right):
        left, right = self.tower(left), self.tower(right)
        return {"similarity": tf.reduce_sum(left * right, -1), "left": left}


class Structured(tf.Module):
    def run(self, a, b):
        return {"sum": a + b, "difference": a - b, "order": tf.argsort(a), "mask": a > b}


def branch(x):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1)


def switch_case(index, x):
    return tf.switch_case(index, [lambda: x + 1, lambda: x * 3, lambda: tf.reverse(x, [1])])


def case_of(x):
    return tf.case([(x[0] > 1, lambda: x), (x[1] > 0, lambda: -x)], default=lambda: x * 0.5)


def newton(x):
    """While something is not small enough yet."""
    _, y = tf.while_loop(lambda i, y: tf.logical_and(i < 20, tf.reduce_max(tf.abs(y * y - x)) > 1e-3),
                         lambda i, y: (i + 1, 0.5 * (y + x / y)), [0, x])
    return y


def autograph_loop(x):
    total = tf.zeros([3])
    for row in x:
        total = tf.tanh(total + row)
    return total


def early_break(x):
    total = 0.0
    for i in tf.range(6):
        if x[i] < 0:
            break
        total += x[i]
    return total


def map_rows(x):
    return tf.map_fn(lambda row: tf.cumsum(row) / tf.reduce_max(tf.abs(row)), x)


def scan_rows(x):
    return tf.scan(lambda state, row: state * 0.5 + row, x)


def fold_rows(x):
    return tf.foldl(lambda a, b: a * 0.9 + b, x), tf.foldr(lambda a, b: a - b, x)


def vectorized(x):
    return tf.vectorized_map(lambda row: tf.tensordot(row, row, 1) + tf.reduce_max(row), x)


def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) * x)
    return tape.gradient(y, x)


def tensor_array(x):
    array = tf.TensorArray(tf.float32, 4)
    for i in range(4):
        array = array.write(i, x[3 - i] * float(i))
    return array.concat()


def shapes(x):
    batch, rows = tf.shape(x)[0], tf.shape(x)[1]
    return tf.reshape(x, tf.stack([batch, rows * 4])), tf.size(x), tf.zeros(tf.stack([rows, 2])) + 1


def new_axes(x):
    return x[:, tf.newaxis, ..., ::2], x[..., -1], x[1, ::-1], tf.squeeze(x[:1], 0)


def ranges(n):
    steps = tf.linspace(0.0, 1.0, 5) * tf.cast(n, tf.float32)
    return tf.range(2, 14, 3) + n, steps, tf.fill([2, 3], n), tf.eye(3, 4) * 2


def sparse_to_dense(x):
    sparse = tf.sparse.SparseTensor([[0, 1], [2, 0]], x, [3, 4])
    return tf.sparse.to_dense(sparse)


def sparse_matmul(x, y):
    sparse = tf.sparse.SparseTensor([[0, 1], [1, 0], [2, 3]], x, [3, 4])
    return tf.sparse.sparse_dense_matmul(sparse, y)


def segments(x, ids):
    return tf.math.segment_sum(x, tf.constant([0, 0, 1, 2, 2])), tf.math.unsorted_segment_max(x, ids, 4), \
        tf.math.unsorted_segment_mean(x, ids, 4)


def one_hots(ids):
    return tf.one_hot(ids, 5, 2.0, -1.0), tf.one_hot(ids, 5, axis=1), tf.sequence_mask(ids, 6)


def sorting(x):
    values, places = tf.math.top_k(x, 3)
    return values, places, tf.sort(x, direction="DESCENDING"), tf.argsort(x, axis=0), tf.math.in_top_k([1, 0], x, 2)


def custom_gradient(x):
    @tf.custom_gradient
    def clipped(y):
        return tf.minimum(y, 0.3), lambda dy: dy
    return clipped(x)


def polynomial(x):
    return tf.math.polyval([tf.constant(2.0), tf.constant(-1.0), tf.constant(0.5)],
                           x), tf.math.cumulative_logsumexp(x, 1)


def checked(x):
    tf.debugging.assert_positive(x)
    tf.print("x", x)
    return tf.sqrt(x)


MODELS = [
    saved("module_two_towers", TwoTowers, f32(1, 4), f32(1, 4)),
    saved("module_structured_outputs", Structured, f32(2, 5), f32(2, 5)),
    saved("module_counts_calls", Counter, f32(1, 3)),
    saved("module_cache_by_slice", Cache, f32(1, 1, 4), integers(1, high=5)),
    saved("module_cache_by_scatter", ScatterCache, given([[2], [0]]), f32(2, 3)),
    frozen("cond_of_sum", branch, f32(4, 3)),
    frozen("cond_lowered", branch, f32(4, 3), lower=True),
    frozen("switch_case_of_three", switch_case, given(np.int32(2)), f32(2, 3)),
    frozen("case_in_turn", case_of, f32(3)),
    frozen("while_newton", newton, positive(4)),
    frozen("while_newton_lowered_pbtxt", newton, positive(4), lower=True, form="pbtxt"),
    frozen("autograph_rows", autograph_loop, f32(5, 3)),
    frozen("autograph_break", early_break, given([0.5, 1.0, 2.0, -1.0, 3.0, 4.0])),
    frozen("map_fn_rows", map_rows, f32(4, 5)),
    frozen("scan_rows", scan_rows, f32(4, 3)),
    frozen("foldl_foldr", fold_rows, f32(4, 3)),
    frozen("vectorized_map", vectorized, f32(4, 3)),
    frozen("gradient_of_tanh", gradient, f32(2, 3), cut={"outputs": ["Tanh"]}),
    frozen("tensor_array_concat", tensor_array, f32(4, 2, 3)),
    frozen("shapes_computed", shapes, f32(2, 3, 4)),
    frozen("slices_with_new_axes", new_axes, f32(3, 2, 6)),
    frozen("ranges_and_fills", ranges, given(np.int32(3))),
    frozen("gather_nd_batch", lambda x, i: tf.gather_nd(x, i, batch_dims=1), f32(2, 4, 3), integers(2, 3, 1, high=4)),
    frozen("gather_axis_batch", lambda x, i: tf.gather(x, i, axis=2, batch_dims=1), f32(2, 3, 5),
           integers(2, 2, high=5)),
    frozen("scatter_nd_and_update", lambda x, i, u: (tf.scatter_nd(i, u, [5, 3]), tf.tensor_scatter_nd_max(x, i, u)),
           f32(5, 3), given([[4], [1]]), f32(2, 3)),
    frozen("boolean_mask_of_constant", lambda x: tf.boolean_mask(x, [True, False, True], axis=1), f32(2, 3, 2)),
    frozen("where_indices_counted", lambda x: tf.reduce_sum(tf.gather_nd(x, tf.where(x > 0))), f32(3, 4)),
    frozen("unique_with_counts", lambda x: tf.reduce_max(tf.unique_with_counts(x).count), integers(9, high=4)),
    frozen("sparse_to_dense", sparse_to_dense, f32(2)),
    frozen("sparse_dense_matmul", sparse_matmul, f32(3), f32(4, 2)),
    frozen("segments", segments, f32(5, 2), integers(5, high=4)),
    frozen("one_hot_and_sequence_mask", one_hots, integers(4, high=6)),
    frozen("sort_top_k", sorting, f32(2, 6)),
    frozen("custom_gradient", custom_gradient, f32(5)),
    frozen("polyval_logsumexp", polynomial, f32(2, 4)),
    frozen("cumsum_exclusive_reverse", lambda x: (tf.cumsum(x, 1, exclusive=True, reverse=True), tf.math.cumprod(x, 0)),
           f32(3, 4)),
    frozen("histogram_and_bincount",
           lambda x: (tf.math.bincount(x, minlength=6, maxlength=6), tf.histogram_fixed_width(x, [0, 8], 4)),
           integers(12, high=6)),
    frozen("roll_reverse_tile", lambda x: tf.tile(tf.reverse(tf.roll(x, [1, -2], [0, 1]), [1]), [2, 1]), f32(3, 4)),
    frozen("space_and_batch",
           lambda x: tf.batch_to_space(tf.space_to_batch(x, [2, 2], [[1, 1], [0, 2]]) * 2, [2, 2], [[1, 1], [0, 2]]),
           f32(1, 4, 4, 2)),
    frozen("pad_modes", lambda x: (tf.pad(x, [[1, 1], [0, 2]], "SYMMETRIC"), tf.pad(x, [[1, 1], [2, 1]], "REFLECT"),
                                   tf.pad(x, [[0, 1], [1, 0]], constant_values=7)), f32(3, 4)),
    frozen("reductions",
           lambda x: (tf.reduce_logsumexp(x, [0, 2]), tf.math.reduce_std(x, 1), tf.math.reduce_euclidean_norm(x, 2),
                                    tf.reduce_prod(x), tf.reduce_any(x > 0.9, 1), tf.argmin(x, 1)), f32(2, 3, 4)),
    frozen("where_broadcast", lambda p, x: tf.where(p[:, None], x, tf.reduce_min(x)), booleans(3), f32(3, 4)),
    frozen("extract_patches", lambda x: tf.image.extract_patches(x, [1, 3, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
           f32(1, 6, 5, 2)),
    frozen("max_pool_with_argmax", lambda x: tf.nn.max_pool_with_argmax(x, 2, 2, "SAME"), f32(1, 4, 4, 2)),
    frozen("local_response_norm", lambda x: tf.nn.local_response_normalization(x, 2, 1.0, 0.5, 0.75), f32(1, 3, 3, 6)),
    frozen("dilation_and_erosion",
           lambda x: tf.nn.dilation2d(x, np.zeros((3, 3, 2), np.float32), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
           f32(1, 5, 5, 2)),
    frozen("ragged_to_dense", lambda x: tf.RaggedTensor.from_row_lengths(x, [2, 0, 3]).to_tensor(), f32(5)),
    frozen("print_and_assert", lambda x: checked(x), positive(3)),
    portable(frozen("division_of_zeros", lambda x, y: x / y, given([0.0, 1.0, -1.0, 2.0]),
                    given([0.0, 0.0, 0.0, 4.0]))),
    frozen("random_uniform_stateless", lambda x: x + tf.random.stateless_uniform([3], [1, 2]), f32(3)),
]

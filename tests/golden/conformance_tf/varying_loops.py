# SPDX-License-Identifier: Apache-2.0
"""Loops whose length is that of a fed tensor, and lists in loops that only the model's input ends."""

import numpy as np

from tf_cases import Family, normal, rng, tf

g = rng(92)
family = Family("varying_loops")
x = normal(g, 5, 4)


def case(name, build, feeds=None, largest=None):
    family.case(name, build, {"x": x} if feeds is None else feeds,
                largest={"x": [9, 4]} if largest is None else largest)


def array_of(x, step, element_shape=None):
    count = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, count, element_shape=element_shape)
    return tf.while_loop(lambda i, _, rows: i < count, lambda i, last, rows: step(i, last, rows),
                         [0, tf.zeros([4]), rows])


def collatz(n):
    def step(i, n, path):
        return i + 1, tf.where(tf.equal(n % 2, 0), n // 2, 3 * n + 1), path.write(i, n)
    i, _, path = tf.while_loop(lambda i, n, path: n > 1, step, [0, n, tf.TensorArray(tf.int32, 40, element_shape=[])])
    return [i, path.stack(), path.read(2), path.size()]


case("map_fn", lambda x: tf.map_fn(lambda row: tf.sin(row) + tf.reduce_sum(row * row), x))
case("map_fn_of_two", lambda x, y: tf.map_fn(lambda rows: (rows[0] * rows[1], tf.reduce_max(rows[1])), (x, y),
                                             fn_output_signature=(tf.float32, tf.float32)),
     {"x": x, "y": normal(g, 5, 4)}, {"x": [9, 4], "y": [9, 4]})
case("map_fn_of_integers", lambda i: tf.map_fn(lambda n: n * n - 3, i), {"i": np.arange(5, dtype=np.int32)}, {"i": [8]})
case("scan", lambda x: tf.scan(lambda last, row: last * 0.5 + row, x, initializer=tf.zeros([4])))
case("scan_back", lambda x: tf.scan(lambda last, row: tf.maximum(last, row), x, reverse=True))
case("fold", lambda x: tf.foldl(lambda last, row: tf.tanh(last + row), x, initializer=tf.ones([4])))
case("array_of_length", lambda x: array_of(
    x, lambda i, last, rows: (i + 1, last + 1.0, rows.write(i, last + tf.cast(i, tf.float32))))[2].stack() + x)
case("array_of_known_elements", lambda x: array_of(
    x, lambda i, last, rows: (i + 1, last + 0.5, rows.write(i, last)), [4])[2].stack())
case("array_is_read", lambda x: array_of(
    x, lambda i, last, rows: (i + 1, rows.read(tf.maximum(i - 1, 0)) + 1.0, rows.write(i, last)), [4])[1])
case("array_size", lambda x: array_of(
    x, lambda i, last, rows: (i + 1, last, rows.write(i, last)), [4])[2].size() * 10 + tf.shape(x)[0])
case("array_is_gathered", lambda x: array_of(
    x, lambda i, last, rows: (i + 1, last + 0.5, rows.write(i, last)), [4])[2].gather([2, 0]))
case("map_fn_in_map_fn", lambda x: tf.map_fn(lambda row: tf.map_fn(lambda e: e * e + row[0], row), x))
case("map_fn_then_map_fn", lambda x: tf.map_fn(tf.reduce_sum, tf.map_fn(lambda row: row * 2.0, x)))

# Branches and loops over what varies.
for name, feed in (("short", x[:3]), ("long", x)):
    case(f"branch_by_length_{name}", lambda x: tf.cond(tf.shape(x)[0] > 4, lambda: tf.reverse(x, [0]) * 2.0, lambda: x + 1.0), {"x": feed})
    case(f"branch_by_content_{name}", lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: [x * 2.0, x[0]], lambda: [tf.exp(x), x[1]]),
         {"x": feed})
    case(f"branch_of_scalars_{name}", lambda x: tf.cond(tf.shape(x)[0] > 4, lambda: tf.reduce_max(x), lambda: tf.reduce_min(x)), {"x": feed})
    case(f"switch_by_length_{name}", lambda x: tf.switch_case(tf.shape(x)[0] // 3, [lambda: x, lambda: x * x, lambda: -x]), {"x": feed})
for name, feed in (("some", x), ("none", x[:0])):
    case(f"branch_of_fixed_rows_{name}", lambda x: tf.cond(tf.reduce_sum(x) > 0.1, lambda: tf.ones([8, 4]), lambda: tf.zeros([8, 4])), {"x": feed})
case("loop_of_known_count", lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 0.5 + x), [0, x])[1])
case("loop_with_counter", lambda x: tf.while_loop(
    lambda i, y: tf.logical_and(i < 6, tf.reduce_max(tf.abs(y)) > 0.4), lambda i, y: (i + 1, y * 0.7), [0, x])[1])
case("loop_captures", lambda x: tf.while_loop(
    lambda i, y: i < 2, lambda i, y: (i + 1, tf.matmul(x, tf.matmul(x, y), transpose_a=True) * 0.1 + y), [0, tf.matmul(x, x, transpose_a=True)])[1])
case("loop_adds_rows", lambda x: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.concat([y, x[:1]], 0)), [0, x],
                                               shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 4])])[1])
for start in (1, 7, 27 // 3):
    family.case(f"collatz_{start}", collatz, {"n": np.int32(start)})
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Loops, branches and calls that depend on shapes and constants, and branches that depend on the input."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(71)
family = Family("control_flow")
x = normal(g, 3, 4)


def loop(count, body, *start, **options):
    """The result of `count` iterations of body(i, *values), beginning with `start`."""
    return tf.while_loop(lambda i, *_: i < count, lambda i, *v: (i + 1, *body(i, *v)), (0, *start), **options)[1:]


family.case("counted", lambda x: loop(5, lambda i, v: (v * 0.5 + tf.cast(i, tf.float32),), x), {"x": x})
family.case("never", lambda x: loop(0, lambda i, v: (v * 2.0,), x), {"x": x})
family.case("once", lambda x: loop(1, lambda i, v: (tf.nn.relu(v),), x), {"x": x})
family.case("two_values_swap", lambda x: loop(3, lambda i, a, b: (b, a + b), x, x * 2.0), {"x": x})
family.case("count_from_shape", lambda x: loop(tf.shape(x)[1], lambda i, v: (v + x[:, i:i + 1],), x), {"x": x})
family.case("growing", lambda x: loop(3, lambda i, v: (tf.concat([v, x[:1]], 0),), x,
                                      shape_invariants=(tf.TensorShape([]), tf.TensorShape([None, 4]))), {"x": x})
family.case("nested", lambda x: loop(3, lambda i, v: loop(i + 1, lambda j, w: (w * 1.1 + x,), v), x), {"x": x})
weights = normal(g, 4, 4)
family.case("shared_weights", lambda x: loop(6, lambda i, v: (tf.tanh(tf.matmul(v, weights) + 0.1),), x), {"x": x})
family.case("countdown", lambda x: tf.while_loop(lambda i, v: i > 0, lambda i, v: (i - 2, v + 1.0), (7, x))[1],
            {"x": x})
family.case("two_conditions", lambda x: tf.while_loop(
    lambda i, j, v: tf.logical_and(i < 10, j > 3), lambda i, j, v: (i + 1, j - 1, v * 0.9), (0, 9, x))[2], {"x": x})
family.case("maximum_iterations", lambda x: tf.while_loop(
    lambda v: tf.constant(True), lambda v: (v + 1.0,), (x,), maximum_iterations=4), {"x": x})
family.case("float_condition", lambda x: tf.while_loop(
    lambda t, v: t < 1.0, lambda t, v: (t + 0.25, v * t), (0.0, x))[1], {"x": x})
family.case("integers", lambda n: loop(4, lambda i, v: (v * 2 + i,), n), {"n": np.array([1, -2, 3], np.int32)})


def branch(condition, a, b):
    return tf.cond(condition, a, b)


family.case("cond_from_shape", lambda x: branch(tf.shape(x)[0] > 2, lambda: x + 1.0, lambda: x - 1.0), {"x": x})
family.case("cond_from_shape_else", lambda x: branch(tf.shape(x)[0] > 3, lambda: x + 1.0, lambda: x - 1.0), {"x": x})
for value in (True, False):
    family.case(f"cond_fed_{str(value).lower()}", lambda x, p: branch(p, lambda: tf.nn.relu(x), lambda: x * 0.1),
                {"x": x, "p": np.array(value)})
    family.case(f"cond_from_data_{str(value).lower()}", lambda x: branch(
        tf.reduce_sum(x) > (-1e3 if value else 1e3), lambda: (x * 2.0, tf.zeros([2])), lambda: (x, tf.ones([2]))),
                {"x": x})
family.case("cond_nested", lambda x, p, q: branch(p, lambda: branch(q, lambda: x, lambda: -x), lambda: x * 3.0),
            {"x": x, "p": np.array(True), "q": np.array(False)})
family.case("cond_in_loop", lambda x: loop(4, lambda i, v: (branch(
    tf.equal(i % 2, 0), lambda: v + 1.0, lambda: v * 2.0),), x), {"x": x})
family.case("loop_in_cond", lambda x, p: branch(
    p, lambda: loop(3, lambda i, v: (v * 0.5,), x), lambda: (x,)), {"x": x, "p": np.array(True)})
for index in (0, 1, 2, -1, 7):
    name = str(index).replace("-", "minus_")
    arms = [lambda x: x + 1.0, lambda x: x * 2.0, lambda x: -x]
    family.case(f"case_{name}", lambda x: tf.switch_case(tf.constant(index), [lambda a=a: a(x) for a in arms]),
                {"x": x})
    family.case(f"case_fed_{name}", lambda x, i: tf.switch_case(i, [lambda a=a: a(x) for a in arms]),
                {"x": x, "i": np.array(index, np.int32)})


def _concrete(function):
    return tf.function(function).get_concrete_function(tf.TensorSpec([3, 4], tf.float32))


@tf.function
def affine(x, scale):
    return x * scale + 1.0


@tf.function
def twice(x):
    return affine(affine(x, 2.0), 3.0)


family.case("call", lambda x: affine(x, 2.0), {"x": x})
family.case("calls_in_calls", lambda x: twice(x), {"x": x})
family.case("calls_in_loops", lambda x: loop(3, lambda i, v: (twice(v) * 0.1,), x), {"x": x})
family.case("if_of_a_number", lambda x, n: raw.StatelessIf(
    cond=n, input=[x], Tout=[tf.float32], then_branch=_concrete(lambda v: v + 1.0),
    else_branch=_concrete(lambda v: v - 1.0), output_shapes=[[3, 4]]), {"x": x, "n": np.array(3, np.int32)})


family.write()

family = Family("tensor_lists")
sequence = normal(g, 5, 2, 3)

family.case("map_fn", lambda x: tf.map_fn(lambda row: tf.reduce_sum(row, 1) * 2.0, x), {"x": sequence})
family.case("map_fn_two", lambda x, y: tf.map_fn(lambda p: p[0] * p[1][0], (x, y), fn_output_signature=tf.float32),
            {"x": sequence, "y": normal(g, 5, 1)})
family.case("map_fn_dtype", lambda x: tf.map_fn(lambda r: tf.argmax(r, 1, tf.int32), x, fn_output_signature=tf.int32),
            {"x": sequence})
family.case("scan", lambda x: tf.scan(lambda a, row: a * 0.5 + row, x), {"x": sequence})
family.case("scan_reverse", lambda x: tf.scan(lambda a, row: a * 0.5 + row, x, reverse=True), {"x": sequence})
family.case("scan_with_start", lambda x: tf.scan(lambda a, row: tf.tanh(a + row), x, initializer=tf.zeros([2, 3])),
            {"x": sequence})
family.case("foldl", lambda x: tf.foldl(lambda a, row: a * 0.5 + row, x), {"x": sequence})
family.case("vectorized_map_of_map", lambda x: tf.map_fn(lambda m: tf.map_fn(lambda r: r[::-1], m), x),
            {"x": sequence})


def array_of_steps(x):
    steps = tf.TensorArray(tf.float32, size=5, element_shape=[2, 3]).unstack(x)
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    _, out, last = tf.while_loop(lambda i, *_: i < 5,
                                 lambda i, o, s: (i + 1, o.write(i, s + steps.read(4 - i)), s + steps.read(i)),
                                 (0, out, tf.zeros([2, 3])))
    return [out.stack(), last, out.size()]


family.case("array_of_steps", array_of_steps, {"x": sequence})
family.case("array_gather", lambda x: tf.TensorArray(tf.float32, size=5).unstack(x).gather([4, 0, 0]), {"x": sequence})
family.case("array_concat", lambda x: tf.TensorArray(tf.float32, size=5, infer_shape=False).unstack(x).concat(),
            {"x": sequence})
family.case("array_split", lambda x: tf.TensorArray(tf.float32, size=3, infer_shape=False).split(
    x, [1, 3, 1]).read(1), {"x": sequence})
family.case("array_scatter", lambda x: tf.TensorArray(tf.float32, size=6, element_shape=[2, 3]).scatter(
    [5, 0, 1, 4, 3], x).stack(), {"x": sequence})

F32 = {"element_dtype": tf.float32}


def _list(x):
    return raw.TensorListFromTensor(tensor=x, element_shape=[2, 3])


def _push_and_pop(x):
    pushed = raw.TensorListPushBack(input_handle=_list(x), tensor=x[0] * 3.0)
    rest, last = raw.TensorListPopBack(input_handle=pushed, element_shape=[2, 3], **F32)
    return last, raw.TensorListPopBack(input_handle=rest, element_shape=[2, 3], **F32)[1]


family.case("reserve_zeros", lambda x: raw.TensorListStack(input_handle=raw.TensorListSetItem(
    input_handle=raw.TensorListReserve(element_shape=[2, 3], num_elements=3, **F32), index=1, item=x[0]),
                                                           element_shape=[2, 3], **F32), {"x": sequence})
family.case("push_and_pop", lambda x: list(_push_and_pop(x)), {"x": sequence})
family.case("resize", lambda x: raw.TensorListStack(input_handle=raw.TensorListResize(input_handle=_list(x), size=7),
                                                    element_shape=[2, 3], **F32), {"x": sequence})
family.case("shrink", lambda x: raw.TensorListStack(input_handle=raw.TensorListResize(input_handle=_list(x), size=2),
                                                    element_shape=[-1, 3], **F32), {"x": sequence})
family.case("item_fed", lambda x, i: raw.TensorListGetItem(input_handle=_list(x), index=i, element_shape=[2, 3], **F32),
            {"x": sequence, "i": np.array(3, np.int32)})
family.case("length", lambda x: raw.TensorListLength(input_handle=_list(x)) + 1, {"x": sequence})
family.case("element_shape", lambda x: raw.TensorListElementShape(input_handle=_list(x), shape_type=tf.int64) + 0,
            {"x": sequence})
family.case("gather", lambda x: raw.TensorListGather(input_handle=_list(x), indices=[1, 4], element_shape=[2, 3],
                                                     **F32), {"x": sequence})
family.case("scatter", lambda x: raw.TensorListStack(input_handle=raw.TensorListScatterV2(
    tensor=x, indices=[4, 0, 2, 1, 6], element_shape=[2, 3], num_elements=-1), element_shape=[2, 3], **F32),
            {"x": sequence})
family.case("scatter_into", lambda x: raw.TensorListStack(input_handle=raw.TensorListScatterIntoExistingList(
    input_handle=_list(x * 2.0), tensor=x[:2], indices=[3, 1]), element_shape=[2, 3], **F32), {"x": sequence})
family.case("concat", lambda x: list(raw.TensorListConcatV2(
    input_handle=_list(x), element_shape=[-1, 3], leading_dims=np.zeros(0, np.int64), **F32)), {"x": sequence})
family.case("split", lambda x: raw.TensorListGetItem(input_handle=raw.TensorListSplit(
    tensor=x, element_shape=[-1, 2, 3], lengths=np.array([2, 3], np.int64)), index=1, element_shape=[3, 2, 3], **F32),
            {"x": sequence})
family.case("concat_lists", lambda x: raw.TensorListStack(input_handle=raw.TensorListConcatLists(
    input_a=_list(x), input_b=_list(x[::-1]), **F32), element_shape=[2, 3], **F32), {"x": sequence})


family.write()

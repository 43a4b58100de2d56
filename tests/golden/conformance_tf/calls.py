# SPDX-License-Identifier: Apache-2.0
"""Calls of functions: by op name, by the ops that have a function as attribute, and nested."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(120)
family = Family("calls")
x = normal(g, 3, 4)
VALUES = {"scalar": np.float32(1.5), "empty": normal(g, 0, 4), "rank_6": normal(g, 1, 2, 1, 2, 1, 2),
          "i64": np.arange(6).reshape(2, 3), "bool": np.array([True, False])}


def concrete(function, *like):
    return tf.function(function).get_concrete_function(*[tf.TensorSpec(v.shape, v.dtype) for v in like])


def of_dtype(value, number):
    return tf.cast(number, value.dtype)


CALLS = {"partitioned": raw.PartitionedCall, "stateful": raw.StatefulPartitionedCall}
for name, op in CALLS.items():
    def call(function, *arguments):
        body = concrete(function, *arguments)
        return op(args=list(arguments), Tout=[t.dtype for t in body.outputs], f=body)

    for value_name, value in VALUES.items():
        family.case(f"{name}_{value_name}", lambda v: call(lambda t: tf.stack([t, t]), v), {"v": value})
    family.case(f"{name}_two_results", lambda x: call(lambda t: (t + 1.0, tf.reduce_sum(t, 1)), x), {"x": x})
    family.case(f"{name}_one_result_used", lambda x: call(lambda t: (t + 1.0, t * 2.0), x)[1] - 1.0, {"x": x})
    family.case(f"{name}_passes_through", lambda x, y: call(lambda a, b: (b, a), x, y * 2.0), {"x": x, "y": x[0]})
    family.case(f"{name}_no_arguments", lambda x: x + call(lambda: tf.fill([3, 4], 2.5))[0], {"x": x})
    family.case(f"{name}_constant_argument", lambda x: call(
        lambda t, shape: tf.reshape(t, shape), x, tf.constant([2, 6])), {"x": x})
    family.case(f"{name}_nested", lambda x: call(lambda t: call(lambda u: tf.nn.relu(u) + 1.0, t * 2.0)[0], x),
                {"x": x})
    family.case(f"{name}_twice_in_a_row", lambda x: call(lambda t: t * t, call(lambda t: t - 0.5, x)[0]), {"x": x})
    family.case(f"{name}_with_loop", lambda x: call(lambda t: tf.while_loop(
        lambda i, v: i < 3, lambda i, v: (i + 1, v * 0.5), (0, t))[1], x), {"x": x})
    family.case(f"{name}_in_loop", lambda x: tf.while_loop(
        lambda i, v: i < 2, lambda i, v: (i + 1, call(lambda t: tf.tanh(t), v)[0]), (0, x))[1], {"x": x})
    family.case(f"{name}_with_branch", lambda x, p: call(
        lambda t, q: tf.cond(q, lambda: t, lambda: -t), x, p), {"x": x, "p": np.array(False)})

CONDITIONS = {"true": np.array(True), "false": np.array(False), "zero": np.int32(0), "negative": np.int32(-2),
              "float": np.float32(0.5), "float_zero": np.float32(0)}
for op in ("If", "StatelessIf"):
    def choose(condition, then, other, *arguments):
        bodies = [concrete(f, *arguments) for f in (then, other)]
        return getattr(raw, op)(cond=condition, input=list(arguments), Tout=[t.dtype for t in bodies[0].outputs],
                                then_branch=bodies[0], else_branch=bodies[1],
                                output_shapes=[t.shape for t in bodies[0].outputs])

    for name, condition in CONDITIONS.items():
        family.case(f"{op.lower()}_{name}_known", lambda x: choose(
            tf.constant(condition), lambda t: t + 1.0, lambda t: t * 2.0, x), {"x": x})
        family.case(f"{op.lower()}_{name}_fed", lambda x, c: choose(c, lambda t: t + 1.0, lambda t: t * 2.0, x),
                    {"x": x, "c": condition})
    family.case(f"{op.lower()}_two_results", lambda x, c: choose(
        c, lambda t: (t, tf.reduce_max(t)), lambda t: (-t, tf.reduce_min(t)), x), {"x": x, "c": np.array(False)})
    family.case(f"{op.lower()}_i64", lambda n, c: choose(c, lambda t: t + 1, lambda t: t * 2, n),
                {"n": np.arange(3), "c": np.array(True)})
for op in ("While", "StatelessWhile"):
    def repeat(condition, body, *start):
        return getattr(raw, op)(input=list(start), cond=concrete(condition, *start), body=concrete(body, *start),
                                output_shapes=[t.shape for t in start])

    for times in (0, 1, 5):
        family.case(f"{op.lower()}_{times}_times", lambda x: repeat(
            lambda i, t: i < times, lambda i, t: (i + 1, t * 0.5 + tf.cast(i, tf.float32)), tf.constant(0), x),
            {"x": x})
    family.case(f"{op.lower()}_constant_result", lambda x: repeat(
        lambda i, t: i * i < 50, lambda i, t: (i + 3, t), tf.constant(1), x)[0] + tf.cast(x[0, 0] * 0.0, tf.int32),
        {"x": x})
    family.case(f"{op.lower()}_condition_of_number", lambda x: repeat(
        lambda i, t: i, lambda i, t: (i - 1, t + 1.0), tf.constant(3), x)[1], {"x": x})
    family.case(f"{op.lower()}_i64_state", lambda n: repeat(
        lambda i, t: i < 3, lambda i, t: (i + 1, t * 3 - tf.cast(i, tf.int64)), tf.constant(0), n), {"n": np.arange(4)})
for op in ("Case", "StatelessCase"):
    def pick(index, arms, *arguments):
        bodies = [concrete(f, *arguments) for f in arms]
        return getattr(raw, op)(branch_index=index, input=list(arguments), branches=bodies,
                                Tout=[t.dtype for t in bodies[0].outputs],
                                output_shapes=[t.shape for t in bodies[0].outputs])

    arms = [lambda t: t + 1.0, lambda t: t * 2.0, lambda t: -t, lambda t: tf.zeros_like(t)]
    for index in (0, 3, 4, -1):
        tag = str(index).replace("-", "minus_")
        family.case(f"{op.lower()}_{tag}_known", lambda x: pick(tf.constant(index), arms, x), {"x": x})
        family.case(f"{op.lower()}_{tag}_fed", lambda x, i: pick(i, arms, x), {"x": x, "i": np.int32(index)})
    family.case(f"{op.lower()}_one_arm", lambda x, i: pick(i, arms[:1], x), {"x": x, "i": np.int32(5)})
    family.case(f"{op.lower()}_empty", lambda x, i: pick(i, arms, x), {"x": x[:0], "i": np.int32(1)})
family.write()

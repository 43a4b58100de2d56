#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/models/control_flow.json: loops and conditionals as TensorFlow writes them, with its results.

Each case has some of these forms of one computation, as GraphDef (zlib, base64):
  v1        Switch, Merge, Enter ... of tf.cond and tf.while_loop with control_flow_v2 disabled
  stripped  the same without control edges, as in models that went through tfjs
  lowered   If and While, which TensorFlow lowered to Switch, Merge, Enter ...
  v2        If and While with functions
and runs: inputs and outputs by name, as conformance_tf/tf_cases.py writes tensors.
"""
import argparse
import base64
import copy
import json
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "conformance_tf"))

import numpy as np
import tf_cases  # imported before TensorFlow, whose log messages it turns off
import tensorflow as tf
from tensorflow.python.framework import convert_to_constants

FILE = pathlib.Path(__file__).resolve().parents[1] / "models" / "control_flow.json"
MAX_BYTES = 100_000
F = np.float32
I = np.int32


def two_variables(n, x):
    """i, y = i + 1, y * 1.5 + i"""
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 1.5 + tf.cast(i, tf.float32)), [0, x])
    return y


def invariant(n, x, w):
    """w is only read."""
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + w * y), [0, x])[1]


def both_results(n, x):
    i, y = tf.while_loop(lambda i, y: tf.reduce_sum(y) < 100.0, lambda i, y: (i + n, y * 2.0), [0, x])
    return [tf.identity(i), tf.identity(y)]


def bounded(n, x):
    """maximum_iterations adds a counter."""
    loop = tf.while_loop(lambda y: tf.reduce_max(y) < 50.0, lambda y: [y * 2.0], [x], maximum_iterations=n)
    return tf.nest.flatten(loop)[0]


def nested_loops(n, x):
    def outer(i, y):
        y = tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, z + x * tf.cast(i, tf.float32)), [0, y])[1]
        return i + 1, y
    return tf.while_loop(lambda i, y: i < n, outer, [0, x])[1]


def three_loops(n, x):
    def innermost(k, z):
        return k + 1, z * 1.01 + tf.cast(k, tf.float32)

    def middle(j, z):
        return j + 1, tf.while_loop(lambda k, z: k < j, innermost, [0, z])[1]

    def outer(i, y):
        return i + 1, tf.while_loop(lambda j, z: j < i, middle, [0, y])[1]
    return tf.while_loop(lambda i, y: i < n, outer, [0, x])[1]


def captures(p, x, y):
    return tf.cond(p, lambda: x * 2.0 + y, lambda: x - y)


def two_results(p, x, y):
    a, b = tf.cond(p, lambda: (x + y, tf.reduce_sum(x)), lambda: (x * y, tf.reduce_max(y)))
    return [tf.identity(a), tf.identity(b)]


def constant_branch(p, x):
    return tf.cond(p, lambda: x + 1.0, lambda: tf.constant([7.0, 8.0, 9.0]))


def constant_branches(p, x):
    return x * tf.cond(p, lambda: tf.constant(2.0), lambda: tf.constant(3.0))


def passes_through(p, x, y):
    return tf.cond(p, lambda: x, lambda: y)


def nested_conds(p, q, x):
    def inner():
        return tf.cond(q, lambda: x * 10.0, lambda: x + 100.0)
    return tf.cond(p, inner, lambda: -x)


def nested_both(p, q, x):
    def inner(scale):
        return lambda: tf.cond(q, lambda: x * scale, lambda: x + scale) - 1.0
    return tf.cond(p, inner(2.0), inner(5.0))


def same_predicate(p, x):
    """One predicate decides twice; the second conditional uses the result of the first."""
    y = tf.cond(p, lambda: x + 1.0, lambda: x * 2.0)
    z = tf.nn.relu(y)
    return tf.cond(p, lambda: z + y, lambda: z * 3.0)


def cond_in_loop(n, x):
    def body(i, y):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y + x, lambda: y * 1.25)
    return tf.while_loop(lambda i, y: i < n, body, [0, x])[1]


def cond_in_condition(n, x):
    def go_on(i, y):
        return tf.cond(i < 2, lambda: True, lambda: tf.reduce_sum(y) < 20.0 * tf.cast(n, tf.float32))
    return tf.while_loop(go_on, lambda i, y: (i + 1, y + 1.5), [0, x])[1]


def loop_in_cond(p, n, x):
    def loop():
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 2.0 + x), [0, x])[1]
    return tf.cond(p, loop, lambda: x - 1.0)


def loop_cond_loop(n, x):
    def inner(y):
        return lambda: tf.while_loop(lambda j, z: j < 3, lambda j, z: (j + 1, z + x), [0, y])[1]

    def body(i, y):
        return i + 1, tf.cond(i > 1, inner(y), lambda: y * 2.0)
    return tf.while_loop(lambda i, y: i < n, body, [0, x])[1]


def switch_merge(p, x):
    """Merge also returns the index of the input that it took."""
    no, yes = tf.raw_ops.Switch(data=x, pred=p)
    merged, index = tf.raw_ops.Merge(inputs=[no + 1.0, yes * 2.0])
    return [tf.identity(merged), tf.identity(index)]


def array(n, x):
    """A TensorArray, written in a loop."""
    ta = tf.TensorArray(tf.float32, size=n, element_shape=[3])
    ta = tf.while_loop(lambda i, _: i < n, lambda i, a: (i + 1, a.write(i, x * tf.cast(i, tf.float32))), [0, ta])[1]
    return ta.stack()


X = np.array([1.0, -2.0, 3.5], F)
Y = np.array([0.5, 4.0, -1.0], F)


def both(**feeds):
    return [dict(p=np.bool_(p), **feeds) for p in (False, True)]


# name, function, arguments that are constants, inputs of each run, whether the computation is still the same without
# control edges
CASES = [
    ("two_variables", two_variables, dict(n=I(5)), [dict(x=X)], True),
    ("zero_trips", two_variables, dict(n=I(0)), [dict(x=X)], True),
    ("fed_bound", two_variables, {}, [dict(n=I(5), x=X), dict(n=I(0), x=X)], True),
    ("invariant", invariant, dict(n=I(3)), [dict(x=X, w=Y)], True),
    ("both_results", both_results, dict(n=I(2)), [dict(x=X)], True),
    ("bounded", bounded, dict(n=I(3)), [dict(x=X), dict(x=X * F(9))], True),
    ("nested_loops", nested_loops, dict(n=I(4)), [dict(x=X)], True),
    ("three_loops", three_loops, dict(n=I(4)), [dict(x=X)], True),
    ("captures", captures, {}, both(x=X, y=Y), True),
    ("two_results", two_results, {}, both(x=X, y=Y), True),
    ("constant_branch", constant_branch, {}, both(x=X), True),
    ("constant_branches", constant_branches, {}, both(x=X), False),
    ("passes_through", passes_through, {}, both(x=X, y=Y), True),
    ("nested_conds", nested_conds, {}, both(q=np.bool_(True), x=X) + both(q=np.bool_(False), x=X), True),
    ("nested_both", nested_both, {}, both(q=np.bool_(True), x=X), True),
    ("same_predicate", same_predicate, {}, both(x=X), True),
    ("cond_in_loop", cond_in_loop, dict(n=I(5)), [dict(x=X)], True),
    ("cond_in_condition", cond_in_condition, dict(n=I(2)), [dict(x=X)], True),
    ("loop_in_cond", loop_in_cond, dict(n=I(3)), both(x=X), True),
    ("loop_cond_loop", loop_cond_loop, dict(n=I(4)), [dict(x=X)], True),
    ("switch_merge", switch_merge, {}, both(x=X), True),
    ("array", array, dict(n=I(4)), [dict(x=X)], True),
]


def without_control_edges(definition):
    stripped = copy.deepcopy(definition)
    for node in stripped.node:
        data = [name for name in node.input if not name.startswith("^")]
        del node.input[:]
        node.input.extend(data)
    return stripped


def without_noise(definition):
    """Removes what readers of the file do not need."""
    definition.ClearField("versions")
    for nodes in [definition.node, *(f.node_def for f in definition.library.function)]:
        for node in nodes:
            for key in [k for k in node.attr if k.startswith("_")]:
                del node.attr[key]
    for function in definition.library.function:
        for key in list(function.attr):
            del function.attr[key]
        function.arg_attr.clear()
    return definition


def named_outputs(function, constants, inputs):
    """The outputs of `function`, named result0, result1, ..."""
    outputs = function(**{key: tf.constant(value) for key, value in constants.items()}, **inputs)
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [tf.identity(output, name=f"result{i}") for i, output in enumerate(outputs)]


def in_graph(function, constants, all_feeds):
    """The GraphDef, and its outputs for each of `all_feeds`."""
    with tf.Graph().as_default() as graph:
        inputs = {key: tf.compat.v1.placeholder(value.dtype, value.shape, name=key)
                  for key, value in all_feeds[0].items()}
        outputs = named_outputs(function, constants, inputs)
        with tf.compat.v1.Session() as session:
            results = [session.run(outputs, {inputs[key]: value for key, value in feeds.items()})
                       for feeds in all_feeds]
    return without_noise(graph.as_graph_def()), results


def lowered(function, constants, feeds):
    specs = [tf.TensorSpec(value.shape, value.dtype, name=key) for key, value in feeds.items()]
    concrete = tf.function(lambda *inputs: named_outputs(function, constants, dict(zip(feeds, inputs))),
                           autograph=False).get_concrete_function(*specs)
    frozen = convert_to_constants.convert_variables_to_constants_v2(concrete, lower_control_flow=True)
    definition = frozen.graph.as_graph_def()
    definition.ClearField("library")
    return without_noise(definition)


def packed(definition):
    return base64.b64encode(zlib.compress(definition.SerializeToString(deterministic=True), 9)).decode()


def row_of(name, function, constants, all_feeds, strippable):
    all_feeds = [{key: np.asarray(value) for key, value in feeds.items()} for feeds in all_feeds]
    graphs = {}
    tf.compat.v1.disable_control_flow_v2()
    graphs["v1"], results = in_graph(function, constants, all_feeds)
    if strippable:
        graphs["stripped"] = without_control_edges(graphs["v1"])
    tf.compat.v1.enable_control_flow_v2()
    graphs["v2"], again = in_graph(function, constants, all_feeds)
    for want, got in zip(results, again):
        for a, b in zip(want, got):
            np.testing.assert_array_equal(a, b, err_msg=name)
    graphs["lowered"] = lowered(function, constants, all_feeds[0])
    runs = [{"inputs": {key: tf_cases.tensor_row(value) for key, value in feeds.items()},
             "outputs": {f"result{i}": tf_cases.tensor_row(np.asarray(value)) for i, value in enumerate(values)}}
            for feeds, values in zip(all_feeds, results)]
    return {"name": name, "graphs": {form: packed(graph) for form, graph in graphs.items()}, "runs": runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=pathlib.Path, default=FILE)
    file = parser.parse_args().file
    lines = ",\n".join(json.dumps(row_of(*case), allow_nan=False) for case in CASES)
    text = f'{{"cases": [\n{lines}\n]}}\n'
    if len(text) > MAX_BYTES:
        raise ValueError(f"{len(text)} bytes, want <= {MAX_BYTES}")
    file.write_text(text)
    print(f"{file}: {len(CASES)} cases, {len(text)} bytes")


if __name__ == "__main__":
    main()

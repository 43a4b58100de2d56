#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/models/control_flow/{v1,stripped,lowered,v2}.json: loops and conditionals as TensorFlow writes them,
with its results, in the format of conformance_tf/tf_cases.py.

  v1        Switch, Merge, Enter ... of tf.cond and tf.while_loop with control_flow_v2 disabled
  stripped  the same without control edges, as graphs that went through tfjs (only cases that bear it)
  lowered   If and While, lowered to Switch, Merge, Enter ... by TensorFlow
  v2        If and While with functions

A case has the same name, inputs and outputs in each file.
"""
import argparse
import copy
import inspect
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "conformance_tf"))

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from tensorflow.python.framework import convert_to_constants  # noqa: E402

import tf_cases  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "models" / "control_flow"
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
    """One predicate decides twice, the second time about what the first gave."""
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
    """Merge also says which of its inputs it was."""
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


# name, function, feeds of each case, whether it still means the same without control edges
CASES = [
    ("two_variables", two_variables, [dict(n=I(5), x=X), dict(n=I(0), x=X)], True),
    ("invariant", invariant, [dict(n=I(3), x=X, w=Y)], True),
    ("both_results", both_results, [dict(n=I(2), x=X)], True),
    ("bounded", bounded, [dict(n=I(3), x=X), dict(n=I(30), x=X)], True),
    ("nested_loops", nested_loops, [dict(n=I(4), x=X)], True),
    ("three_loops", three_loops, [dict(n=I(5), x=X)], True),
    ("captures", captures, both(x=X, y=Y), True),
    ("two_results", two_results, both(x=X, y=Y), True),
    ("constant_branch", constant_branch, both(x=X), True),
    ("constant_branches", constant_branches, both(x=X), False),
    ("passes_through", passes_through, both(x=X, y=Y), True),
    ("nested_conds", nested_conds, both(q=np.bool_(True), x=X) + both(q=np.bool_(False), x=X), True),
    ("nested_both", nested_both, both(q=np.bool_(True), x=X), True),
    ("same_predicate", same_predicate, both(x=X), True),
    ("cond_in_loop", cond_in_loop, [dict(n=I(5), x=X)], True),
    ("cond_in_condition", cond_in_condition, [dict(n=I(2), x=X)], True),
    ("loop_in_cond", loop_in_cond, both(n=I(3), x=X), True),
    ("loop_cond_loop", loop_cond_loop, [dict(n=I(4), x=X)], True),
    ("switch_merge", switch_merge, both(x=X), True),
    ("array", array, [dict(n=I(4), x=X)], True),
]


def strip(definition):
    """Control edges away; their ends too, where nothing else asks for them."""
    for node in definition.node:
        data = [name for name in node.input if not name.startswith("^")]
        del node.input[:]
        node.input.extend(data)


def drop_noise(definition):
    """What a reader of the file does not need."""
    definition.ClearField("versions")
    for nodes in [definition.node, *(f.node_def for f in definition.library.function)]:
        for node in nodes:
            for key in [k for k in node.attr if k.startswith("_")]:
                del node.attr[key]
    for function in definition.library.function:
        for key in list(function.attr):
            del function.attr[key]
        function.arg_attr.clear()


def lowered(function, feeds, names):
    """The GraphDef of `function` with If and While lowered, outputs called `names`."""
    tf.compat.v1.enable_control_flow_v2()
    specs = [tf.TensorSpec(np.shape(value), np.asarray(value).dtype, name=key) for key, value in feeds.items()]

    def named(*arguments):
        outputs = function(*arguments)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        return [tf.identity(output, name=name) for output, name in zip(outputs, names)]
    concrete = tf.function(named, autograph=False).get_concrete_function(*specs)
    frozen = convert_to_constants.convert_variables_to_constants_v2(concrete, lower_control_flow=True)
    definition = frozen.graph.as_graph_def()
    definition.ClearField("library")
    return definition


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER)
    folder = parser.parse_args().folder
    files = {name: tf_cases.Family(name) for name in ("v1", "stripped", "lowered", "v2")}
    for name, function, feeds_of_cases, strippable in CASES:
        for number, feeds in enumerate(feeds_of_cases):
            add(files, name if len(feeds_of_cases) == 1 else f"{name}_{number}", function, feeds, strippable)
    for family in files.values():
        family.write(folder)


def add(files, name, function, feeds, strippable):
    def build(*arguments):
        outputs = function(*arguments)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        return [tf.identity(output, name=f"result{i}") for i, output in enumerate(outputs)]
    build.__signature__ = inspect.signature(function)
    tf.compat.v1.disable_control_flow_v2()
    files["v1"].case(name, build, feeds, edit=drop_noise)
    if strippable:
        row = copy.deepcopy(files["v1"].cases[-1])
        definition = text_format.Parse(row["graph"], tf.compat.v1.GraphDef())
        strip(definition)
        row["graph"] = text_format.MessageToString(definition, as_one_line=True)
        files["stripped"].cases.append(row)
    tf.compat.v1.enable_control_flow_v2()
    files["v2"].case(name, build, feeds, edit=drop_noise)
    want, got = files["v1"].cases[-1], files["v2"].cases[-1]
    assert want["outputs"] == got["outputs"], name
    definition = lowered(function, feeds, list(want["outputs"]))
    drop_noise(definition)
    row = dict(want, graph=text_format.MessageToString(definition, as_one_line=True))
    files["lowered"].cases.append(row)


if __name__ == "__main__":
    main()

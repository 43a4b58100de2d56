# SPDX-License-Identifier: Apache-2.0
"""Writes graph-level conformance cases: tests/conformance/tf/<family>.json, small TensorFlow graphs
with TensorFlow's own results, read by tests/conformance/tf_conformance_test.cc.

  family = Family("reduction")
  family.case("sum_keep_dims", lambda x: raw.Sum(input=x, axis=[1], keep_dims=True), {"x": array})
  family.write()

The graph is built with one placeholder per feed (its name is the key) and run by TensorFlow, with its
variables at their initial values.  Where
TensorFlow cannot run it (NCHW on CPUs, ops that only tfjs writes) `expected` gives the results and
`edit` may rewrite the GraphDef.  Ops in the collection TABLE_INITIALIZERS run first; `files` are texts
by name, which are in the current folder for TensorFlow, and beside the model for the converter.
"""

import base64
import contextlib
import inspect
import json
import os
import pathlib
import re
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf
from google.protobuf import text_format

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "conformance" / "tf"
MAX_BYTES = 400_000
DTYPES = {"float32": "f32", "float16": "f16", "int32": "i32", "int64": "i64", "uint8": "u8",
          "int8": "i8", "bool": "bool", "int16": "i16", "uint16": "u16", "float64": "f64"}

raw = tf.raw_ops


def rng(seed=0):
    return np.random.default_rng(seed)


def normal(generator, *shape):
    return generator.standard_normal(shape).astype(np.float32)


class Family:
    def __init__(self, name):
        self.name = name
        self.cases = []

    def case(self, name, build, feeds=None, *, tolerance=None, expected=None, edit=None, largest=None,
             files=None, runs=None):
        """`build` takes the placeholders by name (its parameters without default) and returns a tensor
        or a list of tensors; `expected` is an array or a list, in that order. `largest` names the feeds
        whose extents may vary: to the graph their size is unknown, to the converter a range up to this. With `runs`, the outputs are those of
        as many runs of one session, stacked."""
        if not re.fullmatch(r"[a-z0-9_]+", name):
            raise ValueError(f"case name {name!r}: want [a-z0-9_]+")
        feeds = {key: np.asarray(value) for key, value in (feeds or {}).items()}
        graph = tf.Graph()
        with graph.as_default():
            inputs = {key: tf.compat.v1.placeholder(
                          value.dtype, [size if most == size else None for size, most in
                                        zip(value.shape, (largest or {}).get(key, value.shape), strict=True)], name=key)
                      for key, value in feeds.items()}
            wanted = inspect.signature(build).parameters.values()
            outputs = build(*[inputs[p.name] for p in wanted if p.default is p.empty])
            variables = tf.compat.v1.global_variables()
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        if expected is None:
            with beside(files or {}), tf.compat.v1.Session(graph=graph, config=_without_optimizer()) as session:
                session.run([v.initializer for v in variables])
                session.run(graph.get_collection(tf.compat.v1.GraphKeys.TABLE_INITIALIZERS))
                values = session.run([v.initial_value for v in variables])
                results = [session.run(list(outputs), {inputs[key]: value for key, value in feeds.items()})
                           for _ in range(runs or 1)]
                expected = results[0] if runs is None else [np.stack(values) for values in zip(*results, strict=True)]
        elif not isinstance(expected, (list, tuple)):
            expected = [expected]
        definition = graph.as_graph_def()
        definition.ClearField("versions")
        if edit is not None:
            edit(definition)
        row = {"name": name, "graph": text_format.MessageToString(definition, as_one_line=True),
               "inputs": {key: tensor_row(value) for key, value in feeds.items()},
               "outputs": {_tensor_name(tensor): tensor_row(np.asarray(value))
                           for tensor, value in zip(outputs, expected, strict=True)}}
        if variables:
            row["variables"] = {v.op.name: tensor_row(value) for v, value in zip(variables, values, strict=True)}
        if files:
            row["files"] = files
        if largest:
            row["largest"] = largest
        if runs is not None:
            row["runs"] = runs
        if tolerance is not None:
            row["tolerance"] = tolerance
        self.cases.append(row)

    def pictures(self, name, build, sizes, largest, reference=None, first=False):
        """A case for each height and width in `sizes`, of one picture in NHWC whose sides may vary up to `largest`. `reference` computes, for
        pictures in NHWC, what TensorFlow cannot run on CPUs as `build` has it. `first`: `build` has NCHW."""
        def to_first(x):
            return np.transpose(x, (0, 3, 1, 2)) if first else x

        for height, width in sizes:
            p = normal(rng(height * 100 + width), 1, height, width, largest[3])
            expected = None if reference is None else to_first(reference(tf.constant(p)).numpy())
            self.case(f"{name}_{height}x{width}", build, {"p": to_first(p)}, expected=expected,
                      largest={"p": [largest[i] for i in ((0, 3, 1, 2) if first else range(4))]})

    def write(self):
        names = [case["name"] for case in self.cases]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.name}: case names repeat: {sorted(names)}")
        lines = ",\n".join(json.dumps(case, allow_nan=False) for case in self.cases)
        text = f'{{"family": "{self.name}", "cases": [\n{lines}\n]}}\n'
        if len(text) > MAX_BYTES:
            raise ValueError(f"{self.name}: {len(text)} bytes, want <= {MAX_BYTES}")
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{self.name}.json").write_text(text)
        print(f"{self.name}.json: {len(names)} cases, {len(text)} bytes")


@contextlib.contextmanager
def beside(files):
    """A context in which the current folder contains `files`, texts by name."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_bytes(text.encode())
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _without_optimizer():
    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def node(definition, name):
    """Finds a node of a GraphDef, for `edit`."""
    return next(n for n in definition.node if n.name == name)


def _tensor_name(tensor):
    return tensor.op.name if tensor.value_index == 0 else tensor.name


def tensor_row(array):
    if array.dtype.names:  # numpy's form of TensorFlow's quantised types
        array = array[array.dtype.names[0]]
    little = array.astype(array.dtype.newbyteorder("<"))
    return {"dtype": DTYPES[array.dtype.name], "shape": list(array.shape),
            "data": base64.b64encode(little.tobytes()).decode()}

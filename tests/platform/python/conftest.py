# SPDX-License-Identifier: Apache-2.0
"""Small models as GraphDef text, converted by linnet.convert."""
import threading

import numpy as np
import pytest

import linnet


def placeholder(name, dtype, *dims):
    shape = " ".join(f"dim {{ size: {dim} }}" for dim in dims)
    return (f'node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: {dtype} }} }} '
            f'attr {{ key: "shape" value {{ shape {{ {shape} }} }} }} }}\n')


def node(name, op, dtype, *inputs, attribute="T"):
    feeds = " ".join(f'input: "{one}"' for one in inputs)
    return f'node {{ name: "{name}" op: "{op}" {feeds} attr {{ key: "{attribute}" value {{ type: {dtype} }} }} }}\n'


RELU = placeholder("x", "DT_FLOAT", 16) + node("y", "Relu", "DT_FLOAT", "x")
# Two inputs whose first dimensions are equal and vary, two outputs.
VARYING = (placeholder("a", "DT_FLOAT", -1, 3) + placeholder("b", "DT_FLOAT", -1, 3)
           + node("sum", "AddV2", "DT_FLOAT", "a", "b") + node("difference", "Sub", "DT_FLOAT", "a", "b"))
REFUSED = (placeholder("x", "DT_FLOAT", 4, 4) + node("root", "MatrixSquareRoot", "DT_FLOAT", "x")
           + node("power", "MatrixExponential", "DT_FLOAT", "x") + node("sum", "AddV2", "DT_FLOAT", "root", "power"))


def convolution():
    """A small net with weights: x[?,4,4,1] -> 3x3 convolution -> Relu."""
    values = " ".join(f"float_val: {value:g}" for value in np.linspace(-1, 1, 18))
    weights = ('node { name: "filter" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { '
               'dtype: DT_FLOAT tensor_shape { dim { size: 3 } dim { size: 3 } dim { size: 1 } dim { size: 2 } } ' + values
               + " } } } }\n")
    conv = ('node { name: "conv" op: "Conv2D" input: "x" input: "filter" attr { key: "T" value { type: DT_FLOAT } } '
            'attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } attr { key: "padding" value { s: "SAME" } } }\n')
    return placeholder("x", "DT_FLOAT", -1, 4, 4, 1) + weights + conv + node("y", "Relu", "DT_FLOAT", "conv")


def in_threads(work, count=4):
    """Calls work(0), work(1), .. at the same time, and waits for all."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def model(tmp_path):
    """Writes the text of a model and returns its path."""
    def write(text, name="model.pbtxt"):
        path = tmp_path / name
        path.write_text(text)
        return path
    return write


@pytest.fixture
def plan(model, tmp_path):
    """Converts the text of a model and opens the plan."""
    def convert(text, **options):
        linnet.convert(model(text), tmp_path / "model.linnet", **options)
        return linnet.Plan(tmp_path / "model.linnet")
    return convert

# SPDX-License-Identifier: Apache-2.0
"""The python of platform/python/README.md, and the example at the head of platform/python/linnet/__init__.py, run as they stand
there, on a small model."""
import pathlib
import re
import shutil
import subprocess
import textwrap

import numpy as np
import pytest

import linnet
from conftest import node, placeholder

ROOT = pathlib.Path(__file__).resolve().parents[3]


def net(source, result):
    return placeholder(source, "DT_FLOAT", -1, 224, 224, 3) + node(result, "Relu", "DT_FLOAT", source)


def tensor(name):
    return f'{{ name: "{name}:0" dtype: DT_FLOAT tensor_shape {{ unknown_rank: true }} }}'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def picture():
    return np.random.default_rng(3).standard_normal((1, 224, 224, 3)).astype(np.float32)


def test_the_readme(here, picture):
    code, = re.findall(r"^```python\n(.*?)^```$", (ROOT / "platform/python/README.md").read_text(), re.MULTILINE | re.DOTALL)
    (here / "exported").mkdir()
    (here / "exported/saved_model.pbtxt").write_text(
        f'saved_model_schema_version: 1 meta_graphs {{ meta_info_def {{ tags: "serve" }} graph_def {{ {net("x", "y")} }}\n'
        f'signature_def {{ key: "serving_default" value {{ inputs {{ key: "image" value {tensor("x")} }}\n'
        f'outputs {{ key: "scores" value {tensor("y")} }} }} }} }}\n')
    made = {"picture": picture}
    exec(compile(code, "README.md", "exec"), made)
    np.testing.assert_array_equal(made["scores"], np.maximum(picture, 0))
    assert made["report"].problems == []


def test_the_module(here, picture):
    protoc = shutil.which("protoc")
    if protoc is None:
        pytest.skip("there is no protoc, which makes model.pb of text")
    binary = subprocess.run([protoc, f"--proto_path={ROOT}", "--encode=linnet.tf.GraphDef", ROOT / "schema/tensorflow/graph.proto"],
                            input=net("x", "y").encode(), stdout=subprocess.PIPE, check=True)
    (here / "model.pb").write_bytes(binary.stdout)
    code = "\n".join(line for line in linnet.__doc__.splitlines() if line.startswith("    "))
    made = {"linnet": linnet, "picture": picture}
    exec(compile(textwrap.dedent(code), "__init__.py", "exec"), made)
    output, = made["outputs"].values()
    np.testing.assert_array_equal(output, np.maximum(picture, 0))

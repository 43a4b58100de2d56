# SPDX-License-Identifier: Apache-2.0
"""The stub of linnet._runtime, which is a file of the repository, says what the module has."""
import ast
import pathlib
import subprocess
import sys

import pytest

import linnet
from linnet import _runtime

STUB = pathlib.Path(linnet.__file__).parent / "_runtime.pyi"
# What nanobind's stubgen does not see.
BY_HAND = {"Error", "__version__"}


def parts(text):
    """name -> what is said of it, without how that is laid out. Docstrings are compared word for word."""
    found = {}
    for node in ast.parse(text).body:
        for inner in ast.walk(node):
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)) and (doc := ast.get_docstring(inner)) is not None:
                inner.body[0].value.value = " ".join(doc.split())
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found[node.name] = ast.dump(node)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = ast.dump(node)
    return found


def test_it_is_what_nanobind_writes(tmp_path):
    pytest.importorskip("nanobind", reason="nanobind's stubgen writes the stub: python -m nanobind.stubgen -m linnet._runtime")
    made = tmp_path / "made.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-m", "linnet._runtime", "-o", made], check=True, cwd=tmp_path)
    wanted = parts(made.read_text())
    assert {"Plan", "Session", "TensorInfo"} <= wanted.keys()
    assert {name: text for name, text in parts(STUB.read_text()).items() if name not in BY_HAND} == wanted


def test_the_rest_is_there():
    found = parts(STUB.read_text())
    assert found.keys() >= BY_HAND
    node = next(node for node in ast.parse(STUB.read_text()).body if getattr(node, "name", "") == "Error")
    assert ast.get_docstring(node) == _runtime.Error.__doc__
    fields = {inner.target.id: ast.unparse(inner.annotation) for inner in node.body if isinstance(inner, ast.AnnAssign)}
    assert fields == {name: type(getattr(_runtime.Error, name)).__name__ for name in ("status", "step")}
    assert isinstance(_runtime.__version__, str)

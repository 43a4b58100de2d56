# SPDX-License-Identifier: Apache-2.0
"""Writes conformance cases: tests/conformance/golden/<op>.json, read by tests/conformance/op_case.cc.

A generator makes its inputs with `rng` and its outputs with TensorFlow, then:

  write("Softmax", [case("one_class", {}, [x], [tf.nn.softmax(x).numpy()], why="exactly 1"), ...])

`attrs` is the op's table in schema/ops.fbs as FlatBuffers JSON.  Inputs and outputs are numpy arrays
(float16/32/64, bool, [u]int8/16, int32/64); an input in `constant(array)` is a constant for the shape rule
and for `prepare`, as weights are.
"""

import base64
import json
import math
import os
import pathlib
import re

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
# No optimised kernels: reference numbers must not depend on the machine that computes them.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "conformance" / "golden"
MAX_BYTES = 400_000
F32_MAX = 3.4028234663852886e38

DTYPES = {"float32": "f32", "float16": "f16", "int32": "i32", "int64": "i64", "uint8": "u8",
          "int8": "i8", "bool": "bool", "int16": "i16", "uint16": "u16", "float64": "f64"}


class Constant:
    def __init__(self, array):
        self.array = np.asarray(array)


def constant(array):
    """An input whose value is known when the plan is made."""
    return Constant(array)


def rng(seed=0):
    """The only source of random numbers, so that the files are the same on every machine."""
    return np.random.default_rng(seed)


def normal(generator, *shape):
    """Standard normal float32 array."""
    return generator.standard_normal(shape).astype(np.float32)


def output_range(low=-math.inf, high=math.inf):
    """Value of the attribute `range`; leave the attribute out where there is no bound at all."""
    return {"min": low, "max": high}


def case(name, attrs, inputs, outputs, why="", tolerance=None, error=None):
    """One case.  `tolerance` is relative to the largest finite |expected| (driver's default 1e-5,
    float16 1e-3); integers and bools are compared exactly, NaN equals NaN.
    error="invalid_plan": decode or the shape rule must refuse; outputs = [].
    error="bad_index": running must fail; outputs = []."""
    if error not in (None, "invalid_plan", "bad_index"):
        raise ValueError(f"case {name}: unknown error {error!r}")
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise ValueError(f"case name {name!r}: want [a-z0-9_]+")
    result = {"name": name, "why": why, "attrs": _json_attrs(attrs),
              "inputs": [_tensor(x) for x in inputs], "outputs": [_tensor(x) for x in outputs]}
    if tolerance is not None:
        result["tolerance"] = tolerance
    if error is not None:
        result["error"] = error
    return result


def write(op, cases):
    """Writes golden/<op>.json; `op` is the name in runtime/ops/op_list.def."""
    names = [c["name"] for c in cases]
    if len(set(names)) != len(names):
        raise ValueError(f"{op}: case names repeat: {sorted(names)}")
    lines = ",\n".join(json.dumps(c, allow_nan=False) for c in cases)
    text = f'{{"op": "{op}", "cases": [\n{lines}\n]}}\n'
    if len(text) > MAX_BYTES:
        raise ValueError(f"{op}: {len(text)} bytes of cases, want <= {MAX_BYTES}")
    path = FOLDER / f"{op_file(op)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(f"{path.name}: {len(cases)} cases, {len(text)} bytes")


def op_file(op):
    """File name of an op: second column of op_list.def."""
    rows = (pathlib.Path(__file__).resolve().parents[3] / "runtime/ops/op_list.def").read_text()
    return re.search(rf"^LINNET_OP\({op}, *([a-z0-9_]+)\)", rows, re.MULTILINE).group(1)


def _tensor(value):
    is_constant = isinstance(value, Constant)
    array = np.asarray(value.array if is_constant else value)
    little = array.astype(array.dtype.newbyteorder("<"))
    result = {"dtype": DTYPES[array.dtype.name], "shape": list(array.shape),
              "data": base64.b64encode(little.tobytes()).decode()}
    if is_constant:
        result["constant"] = True
    return result


def _json_attrs(attrs):
    """JSON has no infinity and no NaN: they are written as the strings "inf", "-inf", "nan", which op_case.cc turns
    into FlatBuffers' spelling."""
    if isinstance(attrs, dict):
        return {key: _json_attrs(value) for key, value in attrs.items()}
    if isinstance(attrs, (list, tuple)):
        return [_json_attrs(value) for value in attrs]
    if isinstance(attrs, (float, np.floating)) and not math.isfinite(attrs):
        return {math.inf: "inf", -math.inf: "-inf"}.get(float(attrs), "nan")
    if isinstance(attrs, np.generic):
        return attrs.item()
    return attrs

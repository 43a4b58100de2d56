#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts every form of every case in control_flow.json (tests/golden/make_control_flow.py) and compares with
TensorFlow's results.

  control_flow_test.py --bin DIR [--may-refuse OPS] [--only CASE]

With --may-refuse (a comma-separated list of ops) a form may also be refused if all problems are about these ops.
"""

import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import compare

CASES = pathlib.Path(__file__).resolve().parent / "control_flow.json"
DTYPES = {"f32": np.float32, "i32": np.int32, "bool": np.bool_}
BAD_MODEL = 2
TIMEOUT_S = 60


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--may-refuse", default="")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    counts = {"right": 0, "refused": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as scratch:
        for case in json.loads(CASES.read_text())["cases"]:
            for form, graph in case["graphs"].items():
                if arguments.only in (None, case["name"]):
                    text = check(arguments, case, graph, pathlib.Path(scratch))
                    counts[text.split()[0]] += 1
                    print(f"{case['name']:20} {form:10} {text}")
    print(counts)
    if counts["wrong"]:
        sys.exit("see above")


def check(arguments, case, graph, scratch):
    model, plan = scratch / "model.pb", scratch / "plan.linnet"
    model.write_bytes(zlib.decompress(base64.b64decode(graph)))
    first = case["runs"][0]
    command = ["linnet", "convert", model, "-o", plan]
    for name, tensor in first["inputs"].items():
        command += ["--input", f"{name}={'x'.join(map(str, tensor['shape'])) or 'scalar'}"]
    for name in first["outputs"]:
        command += ["--output", name]
    result = run(arguments.bin, command)
    if result.returncode == 0:
        return " ".join(sorted({numbers(arguments, data, plan, scratch) for data in case["runs"]}, reverse=True))
    ops = set(re.findall(r"(?:^|: )(\w+) '[^']+': ", result.stderr, re.MULTILINE))
    if result.returncode == BAD_MODEL and ops and ops <= set(arguments.may_refuse.split(",")):
        return f"refused {sorted(ops)}"
    return f"wrong exit {result.returncode}: {result.stderr}"


def numbers(arguments, data, plan, scratch):
    command = ["linnet-run", plan, "--output-dir", scratch / "out"]
    for name, tensor in data["inputs"].items():
        np.save(scratch / f"{name}.npy", array(tensor))
        command += ["--input", f"{name}={scratch / name}.npy"]
    result = run(arguments.bin, command)
    if result.returncode != 0:
        return f"wrong linnet-run exit {result.returncode}: {result.stderr}"
    for name, tensor in data["outputs"].items():
        want, got = array(tensor), np.load(scratch / "out" / f"{name}.npy")
        error = compare.relative_error(want, got) if got.dtype == want.dtype else np.inf
        if not error <= (compare.TOLERANCE if want.dtype.kind == "f" else 0):
            return f"wrong {name}: {got}, wanted {want}"
    return "right"


def array(tensor):
    return np.frombuffer(base64.b64decode(tensor["data"]), DTYPES[tensor["dtype"]]).reshape(tensor["shape"])


def run(folder, command):
    return subprocess.run([folder / command[0], *command[1:]], capture_output=True, text=True, timeout=TIMEOUT_S,
                          check=False)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes golden inputs and outputs for every model that make_models.py made.

  make_goldens.py DIR     reads DIR/human, DIR/human_pb, DIR/keras, DIR/pictures; writes DIR/golden:

    manifest.json                       what there is, see below
    <model>/<case>/inputs/<name>.npy    cases: picture, random0, random1, random2
    <model>/<case>/outputs/<name>.npy   TensorFlow's results; `/` and `:` in names become `_`

manifest.json: {"oracle": "TensorFlow x.y", "models": [{model, sources {form: path}, inputs
[{name, key, file, dtype, shape}], outputs [{name, key, file}], cases [{name, unstable [output name]}]}]}.
Paths are relative to DIR.  `name` is what --input and --output take.

An output is unstable in a case when rounding noise in the weights (relative 3e-7) moves it by more than
half the tolerance: an index or an order that hangs on a near-tie.  compare.py skips it.
"""

import argparse
import json
import os
import pathlib
import shutil

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
from tensorflow.core.framework import graph_pb2, types_pb2
from tensorflow.python.framework import tensor_util

import compare
import golden_inputs
import model_catalog
import run_tensorflow
from model_catalog import file_name

WEIGHT_NOISE = 3e-7  # a few float32 roundings
NOISE_TRIALS = 2


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path, help="folder of models and pictures")
    parser.add_argument("--only", action="append", metavar="MODEL", help="this model only")
    arguments = parser.parse_args()
    golden = arguments.dir / "golden"
    entries = _read_entries(golden)
    for model in model_catalog.find_models(arguments.dir, arguments.only):
        entries[model.name] = make_model(arguments.dir, golden, model)
    manifest = {"oracle": f"TensorFlow {run_tensorflow.VERSION}",
                "models": [entries[name] for name in sorted(entries)]}
    (golden / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def make_model(root, golden, model):
    """Writes all cases of one model; returns its entry in the manifest."""
    graph = graph_pb2.GraphDef.FromString(model.graph.read_bytes())
    noisy_graphs = [with_weight_noise(graph, seed) for seed in range(NOISE_TRIALS)]
    fetches = [output["name"] for output in model.outputs]
    shutil.rmtree(golden / model.name, ignore_errors=True)
    cases = []
    for case, feeds in golden_inputs.make_cases(root / "pictures", model):
        outputs = run_tensorflow.run_graph(graph, feeds, fetches)
        check_finite(model.name, case, outputs)
        noisy = [run_tensorflow.run_graph(noisy, feeds, fetches) for noisy in noisy_graphs]
        folder = golden / model.name / case
        save_arrays(folder / "inputs", feeds)
        save_arrays(folder / "outputs", outputs)
        cases.append({"name": case, "unstable": find_unstable(outputs, noisy)})
    for case in cases:
        print(f"{model.name}/{case['name']}", "unstable:" if case["unstable"] else "",
              *case["unstable"])
    return {
        "model": model.name,
        "sources": {form: str(path.relative_to(root)) for form, path in model.sources.items()},
        "inputs": [{"name": entry["name"], "key": entry["key"], "file": file_name(entry["name"]),
                    "dtype": entry["dtype"], "shape": entry["shape"]} for entry in model.inputs],
        "outputs": [{**entry, "file": file_name(entry["name"])} for entry in model.outputs],
        "cases": cases,
    }


def with_weight_noise(graph, seed):
    """A copy of `graph` whose large float constants are off by a few roundings."""
    rng = np.random.default_rng(seed)
    noisy = graph_pb2.GraphDef()
    noisy.CopyFrom(graph)
    for node in noisy.node:
        if node.op == "Const" and node.attr["dtype"].type == types_pb2.DT_FLOAT:
            value = tensor_util.MakeNdarray(node.attr["value"].tensor)
            if value.ndim >= 2:
                factor = 1 + WEIGHT_NOISE * rng.uniform(-1, 1, value.shape)
                node.attr["value"].tensor.CopyFrom(
                    tensor_util.make_tensor_proto((value * factor).astype(np.float32)))
    return noisy


def find_unstable(outputs, noisy_runs):
    return [name for name, expected in outputs.items()
            if any(compare.relative_error(expected, noisy[name]) > compare.TOLERANCE / 2
                   for noisy in noisy_runs)]


def check_finite(model, case, outputs):
    for name, value in outputs.items():
        if not np.isfinite(value).all():
            raise ValueError(f"{model}/{case}: {name} is not finite")


def save_arrays(folder, arrays):
    folder.mkdir(parents=True)
    for name, value in arrays.items():
        np.save(folder / file_name(name), value)


def _read_entries(golden):
    golden.mkdir(parents=True, exist_ok=True)
    path = golden / "manifest.json"
    if not path.exists():
        return {}
    return {entry["model"]: entry for entry in json.loads(path.read_text())["models"]}


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes samples of the golden outputs that make_goldens.py made, small enough to be committed.

  sample_goldens.py DIR TO      reads DIR/golden, writes TO/<model>.json for each model with a tfjs form

Each file: {oracle, model, inputs [{name, key, dtype, shape}], outputs [{name, key}],
cases [{name, outputs [see samples.py]}]}.  The inputs themselves come from golden_inputs.py.
"""

import argparse
import json
import pathlib

import numpy as np

import samples


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path, help="folder of models and goldens")
    parser.add_argument("to", type=pathlib.Path, help="folder of the samples, tests/models/goldens")
    arguments = parser.parse_args()
    golden = arguments.dir / "golden"
    manifest = json.loads((golden / "manifest.json").read_text())
    arguments.to.mkdir(exist_ok=True)
    for entry in manifest["models"]:
        if "tfjs" in entry["sources"]:
            path = arguments.to / f"{entry['model']}.json"
            path.write_text(to_text(sample_model(golden, entry, manifest["oracle"])))


def sample_model(golden, entry, oracle):
    return {
        "oracle": oracle,
        "model": entry["model"],
        "inputs": [{key: value[key] for key in ("name", "key", "dtype", "shape")}
                   for value in entry["inputs"]],
        "outputs": [{key: value[key] for key in ("name", "key")} for value in entry["outputs"]],
        "cases": [sample_case(golden / entry["model"] / case["name"], entry, case)
                  for case in entry["cases"]],
    }


def sample_case(folder, entry, case):
    if case["unstable"]:
        raise ValueError(f"{folder}: unstable outputs {case['unstable']} cannot be judged by samples")
    return {"name": case["name"],
            "outputs": [samples.sample(output["name"], np.load(folder / "outputs" / output["file"]))
                        for output in entry["outputs"]]}


def to_text(model):
    """One line for each output of a case, so that diffs are readable."""
    cases = ",\n".join(
        f'  {{"name": {json.dumps(case["name"])}, "outputs": [\n    '
        + ",\n    ".join(json.dumps(output) for output in case["outputs"]) + "]}"
        for case in model["cases"])
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(model[key])}"
                      for key in ("oracle", "model", "inputs", "outputs"))
    return f'{{\n{head},\n "cases": [\n{cases}]\n}}\n'


if __name__ == "__main__":
    main()

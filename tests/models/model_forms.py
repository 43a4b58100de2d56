# SPDX-License-Identifier: Apache-2.0
"""The models under test with TensorFlow's outputs, and the two programs that are tested."""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy as np

GOLDEN_DIR = pathlib.Path(__file__).resolve().parent.parent / "golden"
sys.path.insert(0, str(GOLDEN_DIR))

import compare
import golden_inputs
import model_catalog
import samples

TIMEOUT_S = 300


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    source: pathlib.Path      # the argument of `linnet convert`
    inputs: list              # [{name, dtype, shape}]
    outputs: list             # [{name}]
    pixels: model_catalog.PixelRange
    cases: dict               # case -> {output: function(array) -> error}

    def feeds(self, pictures):
        """Yields (case, {input: array})."""
        return golden_inputs.make_cases(pictures, self)


def make_parser(description):
    """A parser with the options that choose a model and the programs under test; see load."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--golden", type=pathlib.Path)
    parser.add_argument("--model")
    parser.add_argument("--form", default="tfjs")
    return parser


def load(arguments):
    """Returns (the model that the arguments choose, the name of its files without suffix)."""
    if arguments.golden:
        model = load_sampled(arguments.models, arguments.golden)
        return model, model.name
    model = load_full(arguments.models, arguments.model, arguments.form)
    return model, f"{model.name}.{arguments.form}"


def load_sampled(models, golden_file):
    """A tfjs model, compared with committed samples of outputs."""
    golden = json.loads(golden_file.read_text())
    name = golden["model"]
    cases = {case["name"]: {output["name"]: _sample_judge(output) for output in case["outputs"]}
             for case in golden["cases"]}
    return Model(name, models / "human" / f"{name}.json", golden["inputs"], golden["outputs"],
                 model_catalog.PIXEL_RANGES[name], cases)


def load_full(models, name, form):
    """A model, compared with every element of the golden outputs in `models`."""
    entries = json.loads((models / "golden" / "manifest.json").read_text())["models"]
    entry = next(entry for entry in entries if entry["model"] == name)
    cases = {case["name"]: {output["name"]: _full_judge(
                 models / "golden" / name / case["name"] / "outputs" / output["file"])
                 for output in entry["outputs"]}
             for case in entry["cases"]}
    return Model(name, models / entry["sources"][form], entry["inputs"], entry["outputs"],
                 model_catalog.PIXEL_RANGES[name], cases)


def _sample_judge(expected):
    return lambda array: samples.sample_error(expected, array)


def _full_judge(path):
    def judge(array):
        expected = np.load(path)
        return compare.relative_error(expected, array) if array.dtype == expected.dtype else np.inf
    return judge


@dataclasses.dataclass(frozen=True)
class Programs:
    bin: pathlib.Path

    def convert(self, model, plan, report=None, options=()):
        """Runs `linnet convert` with the names and shapes of the golden outputs; returns the finished process."""
        command = [self.bin / "linnet", "convert", model.source, "-o", plan, *options]
        for entry in model.inputs:
            command += ["--input", f"{entry['name']}={'x'.join(map(str, entry['shape']))}"]
        for output in model.outputs:
            command += ["--output", output["name"]]
        if report:
            command += ["--report", report]
        return _run(command)

    def run(self, plan, feeds, folder, backend, threads):
        """Runs the plan on .npy files {input: path}; returns the finished process, outputs are in `folder`."""
        command = [self.bin / "linnet-run", plan, "--output-dir", folder, "--backend", backend,
                   "--threads", str(threads)]
        for name, path in feeds.items():
            command += ["--input", f"{name}={path}"]
        return _run(command)


def _run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=TIMEOUT_S)

# SPDX-License-Identifier: Apache-2.0
"""MNN: converts the ONNX form (its own reader of TensorFlow graphs loses output names); runs on the CPU."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import peers_onnxruntime
from peers_timing import run_command_line


def convert(model, destination):
    with tempfile.TemporaryDirectory() as folder:
        onnx = pathlib.Path(folder, "model.onnx")
        peers_onnxruntime.convert(model, onnx)
        converter = pathlib.Path(sys.executable).with_name("mnnconvert")
        subprocess.run([converter, "-f", "ONNX", "--modelFile", onnx, "--MNNModel", destination.resolve(),
                        "--bizCode", "peer"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    if not destination.exists():  # mnnconvert exits with 0 also when it fails
        raise RuntimeError("mnnconvert wrote no model")


def load(path, model, threads):
    runtime = nn.create_runtime_manager(
        ({"backend": "CPU", "numThread": threads, "precision": "high"},))
    module = nn.load_module_from_file(
        str(path), [f"{entry['name']}:0" for entry in model.inputs],
        [f"{entry['name']}:0" for entry in model.outputs], runtime_manager=runtime)
    inputs, outputs = [], []

    def set_inputs(feeds):
        # The layout tag of an ONNX input is NCHW whatever its axes mean.
        inputs[:] = [expr.const(value, list(value.shape), expr.NCHW, mnn_type(value))
                     for value in feeds]

    def run():
        outputs[:] = [np.array(output.read()) for output in module.forward(inputs)]

    return set_inputs, run, lambda: outputs


def mnn_type(value):
    return {"float32": expr.float, "int32": expr.int, "uint8": expr.uint8}[value.dtype.name]


if __name__ == "__main__":
    import MNN.expr as expr  # before the clock starts
    import MNN.nn as nn
    run_command_line(__doc__, convert, load)

# SPDX-License-Identifier: Apache-2.0
"""ncnn: pnnx converts the ONNX form; runs all in float32, no half precision anywhere.

Inputs and outputs keep TensorFlow's axes: the transposes between NHWC and NCHW are layers of the model, as with
ONNX Runtime.
"""

import importlib.util
import pathlib
import subprocess
import tempfile

import ncnn
import numpy as np

import peers_onnxruntime
from peers_timing import run_command_line

PNNX_TYPES = {"float32": "f32", "int32": "i32", "uint8": "u8"}
HALF_PRECISION = ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic",
                  "use_bf16_packed", "use_bf16_storage")


def convert(model, destination):
    with tempfile.TemporaryDirectory() as folder:
        onnx = pathlib.Path(folder, "model.onnx")
        peers_onnxruntime.convert(model, onnx)
        name_pad_modes(onnx)
        shapes = ",".join(f"{entry['shape']}{PNNX_TYPES[entry['dtype']]}".replace(" ", "")
                          for entry in model.inputs)
        subprocess.run([pnnx_program(), onnx, f"inputshape={shapes}", "fp16=0",
                        f"ncnnparam={destination.resolve()}",
                        f"ncnnbin={weights_file(destination).resolve()}"],
                       check=True, cwd=folder, stdout=subprocess.DEVNULL)
    missing = unknown_layers(destination)
    if missing:
        destination.unlink()
        raise RuntimeError(f"ncnn has no layer for {', '.join(missing)}")


def name_pad_modes(path):
    """Writes out the default mode of every Pad, without which pnnx does not recognise it."""
    import onnx
    model = onnx.load(path)
    for node in model.graph.node:
        if node.op_type == "Pad" and not any(entry.name == "mode" for entry in node.attribute):
            node.attribute.append(onnx.helper.make_attribute("mode", "constant"))
    onnx.save(model, path)


def pnnx_program():
    """The program inside the package, which cannot be imported: it asks for torch."""
    return pathlib.Path(importlib.util.find_spec("pnnx").origin).with_name("pnnx")


def weights_file(param):
    return param.with_suffix(".bin")


def unknown_layers(param):
    """pnnx leaves what it cannot translate in the model under its own name."""
    types = {line.split()[0] for line in param.read_text().splitlines()[2:]}
    return sorted(kind for kind in types if ncnn.layer_to_index(kind) < 0)


def load(path, model, threads, vulkan=False):
    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = vulkan
    for option in HALF_PRECISION:
        setattr(net.opt, option, False)
    if net.load_param(str(path)) or net.load_model(str(weights_file(path))):
        raise RuntimeError("ncnn does not load the model")
    inputs, outputs = [], []

    def set_inputs(feeds):
        inputs[:] = [ncnn.Mat(value, batch_index=0).clone() for value in feeds]

    def run():
        extractor = net.create_extractor()
        for index, value in enumerate(inputs):
            extractor.input(f"in{index}", value)
        outputs[:] = [extractor.extract(f"out{index}") for index in range(len(model.outputs))]

    def get_outputs():
        if any(status for status, _ in outputs):
            raise RuntimeError("ncnn did not compute every output")
        return [np.array(value.numpy(batch_index=0)) for _, value in outputs]

    return set_inputs, run, get_outputs


if __name__ == "__main__":
    run_command_line(__doc__, convert, load)

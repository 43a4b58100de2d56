# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch: converts the ONNX form (peers_executorch_export.py); runs in the wheel's runtime, XNNPACK first.

Converting and running need an environment of their own, beside the one that makes the ONNX form.  Inputs and outputs
keep TensorFlow's axes: the transposes between NHWC and NCHW are operators of the model, as with ONNX Runtime.
"""

import pathlib
import subprocess
import sys
import tempfile

from peers_engines import python_of
from peers_timing import run_command_line

OPSET = 13  # onnx2torch does not know what came after of ReduceMean, Split and Resize


def convert(model, destination):
    import peers_onnxruntime
    export = pathlib.Path(__file__).with_name("peers_executorch_export.py")
    with tempfile.TemporaryDirectory() as folder:
        onnx = pathlib.Path(folder, "model.onnx")
        peers_onnxruntime.convert(model, onnx, OPSET)
        result = subprocess.run([python_of("executorch"), export, onnx, destination.resolve()],
                                capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr.strip().splitlines()[-1])


def load(path, model, threads):
    del model  # inputs and outputs keep the order of the ONNX form
    portable_lib._unsafe_reset_threadpool(threads)
    forward = Runtime.get().load_program(path).load_method("forward")
    inputs, outputs = [], []

    def set_inputs(feeds):
        inputs[:] = [torch.from_numpy(value) for value in feeds]

    def run():
        outputs[:] = forward.execute(inputs)

    return set_inputs, run, lambda: [output.numpy() for output in outputs]


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:  # before the clock starts
        import torch
        from executorch.extension.pybindings import portable_lib
        from executorch.runtime import Runtime
    run_command_line(__doc__, convert, load)

# SPDX-License-Identifier: Apache-2.0
"""The engines that peers.py measures: the commands by which each converts and runs a model."""

import dataclasses
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PYTHON_PEERS = {  # label: suffixes of a model's files; the first file is the one commands are given
    "litert": [".tflite"],
    "onnxruntime": [".onnx"],
    "executorch": [".pte"],
    "mnn": [".mnn"],
    "ncnn": [".ncnn.param", ".ncnn.bin"],
    "ncnn_vulkan": [".ncnn.param", ".ncnn.bin"],
}
OWN_ENVIRONMENTS = {"executorch"}  # peers that need a separate environment
FLOORS = {"session": "floor", "xnnpack": "xnnpack floor"}  # placement of operators: label


def python_of(label):
    """The Python in which a peer runs: that of peers.py, or that of the peer's own environment."""
    if label not in OWN_ENVIRONMENTS:
        return pathlib.Path(sys.executable)
    return pathlib.Path(sys.prefix).with_name(f"venv_{label}") / "bin" / "python"


@dataclasses.dataclass(frozen=True)
class PythonPeer:
    """A peer used through its Python package by peers_<label>.py."""
    label: str
    root: pathlib.Path
    converts = True

    def model_files(self, model, folder):
        return [folder / self.label / f"{model.name}{suffix}" for suffix in PYTHON_PEERS[self.label]]

    def convert_command(self, model, file):
        return [sys.executable, HERE / f"peers_{self.label}.py", "convert", self.root, model.name,
                file]

    def run_command(self, model, file, case, threads, output_dir):
        command = [python_of(self.label), HERE / f"peers_{self.label}.py", "run", self.root, model.name, file,
                   "--threads", threads, "--case", case]
        return command + (["--output-dir", output_dir] if output_dir else [])


@dataclasses.dataclass(frozen=True)
class Linnet:
    """A build of Linnet: a folder of programs, or of scripts that call them elsewhere."""
    label: str
    root: pathlib.Path
    bin_dir: pathlib.Path
    form: str = "pb"  # which form of the model is converted, where there are several
    backend: str = "cpu"
    converts = True

    def model_files(self, model, folder):
        return [folder / self.label / f"{model.name}.linnet"]

    def convert_command(self, model, file):
        source = model.sources.get(self.form, model.graph)
        command = [self.bin_dir / "linnet", "convert", source, "-o", file]
        if self.backend == "vulkan":
            command += ["--place", "vulkan"]
        for entry in model.inputs:
            shape = "x".join(str(size) for size in entry["shape"])
            command += ["--input", f"{entry['name']}={shape}"]
        for entry in model.outputs:
            command += ["--output", entry["name"]]
        return command

    def run_command(self, model, file, case, threads, output_dir):
        from model_catalog import file_name
        inputs = self.root / "golden" / model.name / case / "inputs"
        command = [self.bin_dir / "linnet-run", file, "--bench", "--json", "--threads", threads,
                   "--backend", self.backend]
        for entry in model.inputs:
            command += ["--input", f"{entry['name']}={inputs / file_name(entry['name'])}"]
        return command + (["--output-dir", output_dir] if output_dir else [])

    def bounds_command(self, file, threads):
        """Measures what the machine could do. A run of its own, because profiling takes time."""
        return [self.bin_dir / "linnet-run", file, "--bench", "--profile", "--json", "--warmup", "0", "--runs", "1",
                "--threads", threads, "--backend", "cpu"]


@dataclasses.dataclass(frozen=True)
class Floor:
    """The operators of a build's plans without its interpreter. Not a peer: it converts nothing and has no outputs."""
    linnet: Linnet
    placement: str
    converts = False

    @property
    def label(self):
        return FLOORS[self.placement]

    def model_files(self, model, folder):
        return self.linnet.model_files(model, folder)

    def run_command(self, model, file, case, threads, output_dir):
        return [self.linnet.bin_dir / "xnnpack_floor_benchmark", file, "--placement", self.placement,
                "--threads", threads]

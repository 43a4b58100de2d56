# SPDX-License-Identifier: Apache-2.0
"""Converts a model with Linnet, runs it, and compares its outputs."""
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

import oracle

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import compare  # noqa: E402

GOOD, BAD_MODEL = 0, 2
TIMEOUT_S = 30
BFLOAT16_TOLERANCE = 1e-2
# A table's columns, worst first.
VERDICTS = ["wrong", "bug", "crash", "fails", "refused", "agrees", "undefined"]


class Linnet:
    """The programs in the folder `bin`."""

    def __init__(self, bin_folder, scratch):
        self._bin = bin_folder
        self._scratch = scratch

    def judge(self, model, expected, backend="cpu", threads=1):
        """(verdict, reason) for a model whose outputs in TensorFlow are `expected`."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        oracle.save(model, expected, self._scratch / "model")
        plan = self._scratch / "plan.linnet"
        command = ["linnet", "convert", self._scratch / "model", "-o", plan]
        for name, (_, shape) in model.inputs.items():
            if -1 in shape or unknown_rank(model, name):
                command += ["--input", f"{name}={'x'.join('1..4' if n < 0 else str(n) for n in shape) or 'scalar'}"]
        status, text = self._run(command)
        if status == BAD_MODEL:
            return "refused", refusal(text)
        if status != GOOD:
            return ("bug" if status > 0 else "crash"), last_line(text) or f"signal {-status}"
        return self._numbers(model, expected, plan, backend, threads)

    def _numbers(self, model, expected, plan, backend, threads):
        for i, inputs in enumerate(model.runs):
            for name, value in inputs.items():
                np.save(self._scratch / f"{i}.{name}.npy", value)
        status, text = self._run(["run_steps", plan, backend, str(threads), str(len(model.runs)), self._scratch])
        if status != GOOD:
            return ("fails" if status > 0 else "crash"), last_line(text) or f"signal {-status}"
        for i, outputs in enumerate(expected):
            for key, want in outputs.items():
                got = np.load(self._scratch / f"{i}.{key}.out.npy")
                if not agree(np.asarray(want), got):
                    return "wrong", f"run {i}: {key} is {got.tolist()}, wanted {np.asarray(want).tolist()}"
        return "agrees", ""

    def _run(self, command):
        try:
            result = subprocess.run([self._bin / command[0], *command[1:]], capture_output=True, text=True,
                                    errors="replace", timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return -14, f"{command[0]} takes more than {TIMEOUT_S} s"
        return result.returncode, result.stderr


def unknown_rank(model, name):
    return any(node.name == name and node.attr["shape"].shape.unknown_rank for node in model.graph_def.node)


def agree(want, got):
    tolerance = compare.TOLERANCE if want.dtype.kind == "f" else 0
    if want.dtype.name == "bfloat16":  # Linnet computes with 32 bits instead, and outputs have as many
        want, tolerance = want.astype(np.float32), BFLOAT16_TOLERANCE
    return want.dtype == got.dtype and compare.relative_error(want, got) <= tolerance


def last_line(text):
    return text.strip().splitlines()[-1] if text.strip() else ""


def refusal(text):
    """The first problem in a message, without the names in it."""
    first = text.strip().splitlines()[0] if text.strip() else "says nothing"
    first = re.sub(r"^linnet: \S+: ", "", first)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'...'", first))

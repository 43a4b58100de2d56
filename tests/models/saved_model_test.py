#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts a SavedModel and compares with what TensorFlow computed (tests/golden/make_saved_models.py).

  saved_model_test.py --bin DIR FOLDER [--text TEXT]..    FOLDER.npz holds inputs and outputs by signature key, maybe of several runs
  ... --dims 1x1..128                                     every input may have these extents
  ... --stream                                            one row of the only input per run, with the program run_stream
  ... --gpu f32                                           on the GPU, see gpu_checks.py; exit status 77: there is no Vulkan

`linnet inspect FOLDER` must print every TEXT of --text.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import compare
import gpu_checks

TIMEOUT_S = 300


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--text", action="append", default=[])
    parser.add_argument("--stream", action="store_true")
    parser.add_argument("--dims")
    parser.add_argument("--gpu", choices=sorted(gpu_checks.TOLERANCES), help="precision")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    inspect(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        check_numbers(arguments, pathlib.Path(scratch))


def inspect(arguments):
    result = run(arguments.bin / "linnet", "inspect", arguments.folder)
    missing = [text for text in arguments.text if text not in result.stdout]
    if result.returncode != 0 or missing:
        sys.exit(f"linnet inspect: exit {result.returncode}, does not say {missing}\n"
                 f"{result.stderr}{result.stdout}")


def check_numbers(arguments, scratch):
    runs = list(runs_of(np.load(arguments.folder.with_suffix(".npz"))))
    convert = ["linnet", "convert", arguments.folder, "-o", scratch / "plan.linnet", "--report", scratch / "report.json"]
    if arguments.gpu:
        convert += gpu_checks.convert_options(arguments.gpu)
    for name, value in runs[0]["in/"].items():
        if not arguments.stream:
            convert += ["--input", f"{name}={arguments.dims or 'x'.join(map(str, value.shape)) or 'scalar'}"]
    checked(arguments, *convert)
    wrong = [name for by_side in runs for name in wrong_outputs(arguments, scratch, by_side)]
    if wrong:
        sys.exit(f"wrong: {', '.join(wrong)}")


def runs_of(expected):
    """Inputs and outputs of each run."""
    prefixes = [f"{i}/" for i in range(len(expected.files)) if any(name.startswith(f"{i}/") for name in expected.files)]
    for prefix in prefixes or [""]:
        yield {side: {name.removeprefix(prefix + side): expected[name] for name in expected.files
                      if name.startswith(prefix + side)} for side in ("in/", "out/")}


def checked(arguments, program, *words):
    result = run(arguments.bin / program, *words)
    if result.returncode != 0:
        sys.exit(f"{program}: exit {result.returncode}\n{result.stderr}")
    return result


def wrong_outputs(arguments, scratch, by_side):
    command = ["linnet-run", scratch / "plan.linnet", "--output-dir", scratch / "out"]
    if arguments.gpu:
        command += ["--backend", "vulkan"]
    for name, value in by_side["in/"].items():
        np.save(scratch / f"{name}.npy", value)
        if arguments.stream:
            (scratch / "out").mkdir()
            command = ["run_stream", scratch / "plan.linnet", scratch / f"{name}.npy", scratch / "out"]
            continue
        command += ["--input", f"{name}={scratch / name}.npy"]
    result = checked(arguments, *command)
    wrong = check_gpu(arguments, json.loads((scratch / "report.json").read_text()), result) if arguments.gpu else []
    tolerance = gpu_checks.TOLERANCES[arguments.gpu] if arguments.gpu else compare.TOLERANCE
    for name, value in by_side["out/"].items():
        got = np.load(scratch / "out" / f"{name}.npy")
        error = compare.relative_error(value, got) if got.dtype == value.dtype else np.inf
        print(f"{arguments.folder.name:20} {name:20} {error:.2e}")
        if not error <= (tolerance if value.dtype.kind == "f" else 0):
            wrong.append(name)
    return wrong


def check_gpu(arguments, report, result):
    if gpu_checks.is_missing(result):
        print(f"skipped: {result.stderr.strip()}")
        sys.exit(gpu_checks.SKIPPED)
    return [*gpu_checks.check_report(arguments.folder.name, report), *gpu_checks.check_ran_there(result)]


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=TIMEOUT_S)


if __name__ == "__main__":
    main()

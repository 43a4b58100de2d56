#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts a model for the GPU, runs it there and compares with TensorFlow's numbers.

  gpu_model_test.py --bin DIR --models DIR --golden FILE --plans DIR               samples of the outputs
  gpu_model_test.py --bin DIR --models DIR --model NAME --form FORM --plans DIR    every element

DIR/NAME.linnet of --plans is the plan without a GPU (convert_test.py), with its report beside it. The plan for the GPU may be 5 %
larger, and its program for the CPU gives the same bits. Most of the model must run on the GPU, see gpu_checks.py. Exit status 77: there is no
Vulkan.
"""

import json
import pathlib
import sys
import tempfile

import numpy as np

import gpu_checks
import model_forms
from model_forms import model_catalog
from model_test import save


def main():
    parser = model_forms.make_parser(__doc__)
    parser.add_argument("--plans", type=pathlib.Path, required=True)
    parser.add_argument("--cases", nargs="+", help="these only (default: all)")
    parser.add_argument("--gpu", choices=sorted(gpu_checks.TOLERANCES), default="f32", help="precision")
    arguments = parser.parse_args()
    model, name = model_forms.load(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        problems = list(check(model, arguments.plans / name, arguments, pathlib.Path(scratch)))
    sys.exit("\n".join(problems) if problems else 0)


def check(model, cpu, arguments, scratch):
    programs = model_forms.Programs(arguments.bin)
    plan, report_file = scratch / "gpu.linnet", scratch / "gpu.json"
    result = programs.convert(model, plan, report_file, gpu_checks.convert_options(arguments.gpu))
    if result.returncode != 0:
        yield f"linnet convert: exit {result.returncode}\n{result.stderr}"
        return
    report, cpu_report = (json.loads(path.read_text()) for path in (report_file, cpu.with_name(cpu.name + ".json")))
    yield from gpu_checks.check_report(model.name, report)
    yield from gpu_checks.check_plan_size(model.name, report, cpu_report)
    for case, feeds in model.feeds(arguments.models / "pictures"):
        if arguments.cases and case not in arguments.cases:
            continue
        files = save(feeds, scratch / case / "inputs")
        yield from check_case(programs, model, case, plan, files, arguments.gpu)
        yield from check_cpu(programs, model, plan, cpu.with_name(cpu.name + ".linnet"), files)


def check_case(programs, model, case, plan, files, precision):
    """Compares one run on the GPU."""
    outputs, result = run(programs, model, plan, files, "vulkan")
    if gpu_checks.is_missing(result):
        print(f"skipped: {result.stderr.strip()}")
        sys.exit(gpu_checks.SKIPPED)
    if result.returncode != 0:
        yield f"{case}: exit {result.returncode}\n{result.stderr}"
        return
    yield from gpu_checks.check_ran_there(result)
    for name, array in outputs.items():
        if not gpu_checks.is_comparable(model.name, name, precision):
            print(f"{model.name:20} {case:8} {name:40} not compared, it is ranked")
            continue
        error = model.cases[case][name](array)
        allowed = gpu_checks.TOLERANCES[precision] if array.dtype.kind == "f" else 0
        print(f"{model.name:20} {case:8} {name:40} {error:.2e}")
        if not error <= allowed:
            yield (f"{case}: {name} {array.dtype}{list(array.shape)} is off by {error:.2e}, "
                   f"{allowed:.0e} is allowed")


def check_cpu(programs, model, plan, cpu_plan, files):
    """The CPU runs the same program, whether or not there is one for the GPU beside it."""
    both = [run(programs, model, path, files, "cpu")[0] for path in (plan, cpu_plan)]
    if not both[0]:
        yield "the plan for the GPU does not run on the CPU"
    for name, array in both[0].items():
        if array.tobytes() != both[1][name].tobytes():
            yield f"{name} has other bits on the CPU when the plan has a program for the GPU"


def run(programs, model, plan, files, backend):
    """Returns ({output: array}, the finished process)."""
    with tempfile.TemporaryDirectory() as folder:
        result = programs.run(plan, files, folder, backend, threads=2)
        paths = {output["name"]: pathlib.Path(folder, model_catalog.file_name(output["name"])) for output in model.outputs}
        return {name: np.load(path) for name, path in paths.items() if path.exists()}, result


if __name__ == "__main__":
    main()

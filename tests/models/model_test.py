#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a plan that convert_test.py made on a picture and on noise and compares with TensorFlow's numbers.

  model_test.py --bin DIR --models DIR --golden FILE --plans DIR               samples of the outputs
  model_test.py --bin DIR --models DIR --model NAME --form FORM --plans DIR    every element

Floats may differ by 1e-4 (--tolerance) of the output's largest magnitude, integers not at all; for every number of
threads the bits must be the same.
"""

import pathlib
import sys
import tempfile

import numpy as np

import model_forms
from model_forms import compare, model_catalog


def main():
    arguments = parse_arguments()
    model, name = model_forms.load(arguments)
    problems = check(model, arguments.plans / f"{name}.linnet", arguments)
    sys.exit("\n".join(problems) if problems else 0)


def parse_arguments():
    parser = model_forms.make_parser(__doc__)
    parser.add_argument("--plans", type=pathlib.Path, required=True)
    parser.add_argument("--backends", nargs="+", default=["cpu", "portable"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--cases", nargs="+", help="these only (default: all)")
    parser.add_argument("--tolerance", type=float, default=compare.TOLERANCE)
    return parser.parse_args()


def check(model, plan, arguments):
    """Prints a table of errors; returns the problems."""
    programs, problems, worst = model_forms.Programs(arguments.bin), [], {}
    with tempfile.TemporaryDirectory() as scratch:
        for case, feeds in model.feeds(arguments.models / "pictures"):
            if arguments.cases and case not in arguments.cases:
                continue
            folder = pathlib.Path(scratch, case)
            files = save(feeds, folder / "inputs")
            for backend in arguments.backends:
                runs = []
                for threads in arguments.threads:
                    to = folder / f"{backend}{threads}"
                    result = programs.run(plan, files, to, backend, threads)
                    label = f"{model.name}/{case} on {backend}, {threads} threads"
                    if result.returncode != 0:
                        problems.append(f"{label}: exit {result.returncode}\n{result.stderr}")
                        continue
                    runs.append({output["name"]: np.load(to / model_catalog.file_name(output["name"]))
                                 for output in model.outputs})
                    problems += judge(label, model.cases[case], runs[-1], worst, backend, arguments.tolerance)
                problems += differing_bits(f"{model.name}/{case} on {backend}", runs)
    for (backend, name), error in sorted(worst.items()):
        print(f"{model.name:20} {backend:9} {name:40} {error:.2e}")
    return problems


def judge(label, judges, outputs, worst, backend, tolerance=compare.TOLERANCE):
    """Returns the problems with the outputs of one run; `worst` collects the largest errors."""
    problems = []
    for name, array in outputs.items():
        error = judges[name](array)
        worst[backend, name] = max(worst.get((backend, name), 0.0), error)
        allowed = tolerance if array.dtype.kind == "f" else 0
        if not error <= allowed:
            problems.append(f"{label}: {name} {array.dtype}{list(array.shape)} is off by {error:.2e}, "
                            f"{allowed:.0e} is allowed")
    return problems


def differing_bits(label, runs):
    return [f"{label}: {name} has other bits with other numbers of threads"
            for run in runs[1:] for name, array in run.items()
            if array.tobytes() != runs[0][name].tobytes()]


def save(feeds, folder):
    """Writes the inputs; returns {name: path}."""
    folder.mkdir(parents=True)
    files = {name: folder / model_catalog.file_name(name) for name in feeds}
    for name, path in files.items():
        np.save(path, feeds[name])
    return files


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts one model; leaves plan and report for the tests that follow.

  convert_test.py --bin DIR --models DIR --golden FILE --out DIR             tfjs, writes DIR/<model>.{linnet,json}
  convert_test.py --bin DIR --models DIR --model NAME --form FORM --out DIR  any form, writes DIR/<model>.FORM.*
  ... --refused OP,OP..   the model must be refused (exit 2) with a problem for each of these ops
"""

import argparse
import json
import pathlib
import sys

import model_forms

BAD_MODEL = 2


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--golden", type=pathlib.Path)
    parser.add_argument("--model")
    parser.add_argument("--form", default="tfjs")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--refused", help="ops that are not supported")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.golden:
        model = model_forms.load_sampled(arguments.models, arguments.golden)
        stem = arguments.out / model.name
    else:
        model = model_forms.load_full(arguments.models, arguments.model, arguments.form)
        stem = arguments.out / f"{model.name}.{arguments.form}"
    programs = model_forms.Programs(arguments.bin)
    if arguments.refused:
        check_refused(programs, model, stem, arguments.refused.split(","))
    else:
        check_converted(programs, model, stem)


def check_converted(programs, model, stem):
    plan, report = f"{stem}.linnet", f"{stem}.json"
    result = programs.convert(model, plan, report)
    if result.returncode != 0:
        sys.exit(f"linnet convert: exit {result.returncode}\n{result.stderr}")
    written = json.loads(pathlib.Path(report).read_text())
    sources = [port["source"].removesuffix(":0") for port in written["outputs"]]
    wanted = [output["name"] for output in model.outputs]
    if not written["succeeded"] or sources != wanted:
        sys.exit(f"the report lists outputs {sources}, wanted {wanted}")
    print(result.stdout)


def check_refused(programs, model, stem, ops):
    plan, report = pathlib.Path(f"{stem}.linnet"), pathlib.Path(f"{stem}.json")
    plan.unlink(missing_ok=True)
    result = programs.convert(model, plan, report)
    print(result.stderr)
    if result.returncode != BAD_MODEL:
        sys.exit(f"exit {result.returncode} instead of {BAD_MODEL}")
    if plan.exists():
        sys.exit("a plan was written")
    problems = json.loads(report.read_text())["problems"]
    silent = [op for op in ops if op not in {problem["op"] for problem in problems}]
    if silent:
        sys.exit(f"no problem is reported for {', '.join(silent)}")
    unsaid = [problem["node"] for problem in problems if problem["node"] not in result.stderr]
    if unsaid:
        sys.exit(f"in the report but not on stderr: {', '.join(unsaid)}")
    if str(len(problems)) not in result.stderr.strip().splitlines()[-1]:
        sys.exit("the last line does not say how many problems there are")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts one model; leaves the plan and the report for the tests that follow.

  convert_test.py --bin DIR --models DIR --golden FILE --out DIR             tfjs, writes DIR/<model>.{linnet,json}
  convert_test.py --bin DIR --models DIR --model NAME --form FORM --out DIR  any form, writes DIR/<model>.FORM.*
"""

import argparse
import json
import pathlib
import sys

import model_forms


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--golden", type=pathlib.Path)
    parser.add_argument("--model")
    parser.add_argument("--form", default="tfjs")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.golden:
        model = model_forms.load_sampled(arguments.models, arguments.golden)
        stem = arguments.out / model.name
    else:
        model = model_forms.load_full(arguments.models, arguments.model, arguments.form)
        stem = arguments.out / f"{model.name}.{arguments.form}"
    programs = model_forms.Programs(arguments.bin)
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


if __name__ == "__main__":
    main()

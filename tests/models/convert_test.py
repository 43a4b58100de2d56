#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts one model; leaves the plan and the report for the tests that follow.

  convert_test.py --bin DIR --models DIR --golden FILE --out DIR             tfjs, writes DIR/<model>.{linnet,json}
  convert_test.py --bin DIR --models DIR --model NAME --form FORM --out DIR  any form, writes DIR/<model>.FORM.*

--option=--OPTION=VALUE, any number of times: an option for `linnet convert`.
"""

import json
import pathlib
import sys

import model_forms


def main():
    parser = model_forms.make_parser(__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--option", action="append", default=[])
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    model, name = model_forms.load(arguments)
    check_converted(model_forms.Programs(arguments.bin), model, arguments.out / name, arguments.option)


def check_converted(programs, model, stem, options=()):
    plan, report = f"{stem}.linnet", f"{stem}.json"
    result = programs.convert(model, plan, report, options)
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

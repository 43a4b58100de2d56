#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the code of images for microcontrollers, with its constants and without the C library and plans, with limits and with
tests/golden/budget.txt: more than 3 % of growth fails.

  size_test.py BUDGET.txt [--update] NAME=IMAGE.elf:LIMIT...    --update rewrites the budget instead
"""
import argparse
import pathlib
import sys

import images

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "models"))
import budget_test


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the budget instead")
    parser.add_argument("images", nargs="+", metavar="NAME=IMAGE:LIMIT")
    arguments = parser.parse_args()
    measured, problems = {}, []
    for word in arguments.images:
        name, _, rest = word.partition("=")
        image, _, limit = rest.rpartition(":")
        size = images.parts(pathlib.Path(f"{image}.map"))["code"]
        measured[f"cortex-m/{name}"] = {"code": size}
        if size > int(limit):
            problems.append(f"{image} has {size} bytes of code, at most {limit} are allowed")
    print("\n".join(budget_test.line(name, values) for name, values in measured.items()))
    budget = budget_test.read_budget(arguments.budget)
    if arguments.update:
        budget_test.write_budget(arguments.budget, {**budget, **measured})
        return
    problems += budget_test.check_budget(budget, measured)
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()

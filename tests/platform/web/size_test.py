#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bytes that a page transfers, gzip's, with limits and with tests/golden/budget.txt: more than 3 % of growth fails.

  size_test.py BUDGET.txt [--update] NAME=FILE:LIMIT...    --update rewrites the budget instead
"""
import argparse
import gzip
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "models"))
import budget_test


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the budget instead")
    parser.add_argument("modules", nargs="+", metavar="NAME=FILE:LIMIT")
    arguments = parser.parse_args()
    measured, problems = {}, []
    for module in arguments.modules:
        name, _, rest = module.partition("=")
        file, _, limit = rest.rpartition(":")
        size = len(gzip.compress(pathlib.Path(file).read_bytes(), 9))
        measured[f"web/{name}"] = {"gzip": size}
        if size > int(limit):
            problems.append(f"{file} has {size} bytes after gzip, at most {limit} are allowed")
    print("\n".join(budget_test.line(name, values) for name, values in measured.items()))
    budget = budget_test.read_budget(arguments.budget)
    if arguments.update:
        budget_test.write_budget(arguments.budget, {**budget, **measured})
        return
    problems += budget_test.check_budget(budget, measured)
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()

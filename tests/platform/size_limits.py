# SPDX-License-Identifier: Apache-2.0
"""What the size tests of platforms share: they compare bytes of built files with limits and with tests/golden/budget.txt, where more than
3 % of growth fails."""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "models"))
import budget_test


def main(description, platform, key, measure, what):
    """Reads the command line: BUDGET.txt [--update] NAME=FILE:LIMIT... The budget's line PLATFORM/NAME has KEY=measure(FILE); `what` is its
    unit in sentences. Ends the program if a file is too large."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the budget instead")
    parser.add_argument("files", nargs="+", metavar="NAME=FILE:LIMIT")
    arguments = parser.parse_args()
    measured, problems = {}, []
    for word in arguments.files:
        name, _, rest = word.partition("=")
        file, _, limit = rest.rpartition(":")
        size = measure(pathlib.Path(file))
        measured[f"{platform}/{name}"] = {key: size}
        if size > int(limit):
            problems.append(f"{file} has {size} {what}, at most {limit} are allowed")
    print("\n".join(budget_test.line(name, values) for name, values in measured.items()))
    budget = budget_test.read_budget(arguments.budget)
    if arguments.update:
        budget_test.write_budget(arguments.budget, {**budget, **measured})
        return
    problems += budget_test.check_budget(budget, measured)
    sys.exit("\n".join(problems) if problems else 0)

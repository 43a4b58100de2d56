#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the sizes of plans and the library with tests/golden/budget.txt: more than 3 % of growth fails.

  budget_test.py BUDGET.txt --reports DIR [--graphs NAME..] [--library FILE] [--update]

Reads the reports DIR/NAME.json that convert_test.py wrote. One line of the budget is a name followed by NAME=VALUE:
  arena, plan   bytes          steps   their number
  xnnpack       share of the multiply-accumulates that run on XNNPACK, by Winograd's method, in strips or from filters in panels, in percent (must not shrink)
  stripped      bytes of liblinnet.so without symbols
  code          bytes of code and constants of a small program (embedded/embedded_test.py measures it) or of an image for a
                microcontroller (../platform/freestanding/size_test.py)
  vulkan        bytes of code and data in it that only Vulkan needs; at most VULKAN_LIMIT, however it grows
An arena may be at most 2 % above the lower bound of its schedule, and no schedule worse than the imported order.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

GROWTH = 1.03
ARENA_SLACK = 1.02
VULKAN_LIMIT = 450_000
LIBRARY = "liblinnet.so"
HEADER = "# SPDX-License-Identifier: Apache-2.0\n# Written by tests/models/budget_test.py --update.\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", type=pathlib.Path)
    parser.add_argument("--reports", type=pathlib.Path, required=True)
    parser.add_argument("--graphs", nargs="+", help="reports that count (default: all there are)")
    parser.add_argument("--library", type=pathlib.Path, help="not measured where not given")
    parser.add_argument("--strip", default="strip")
    parser.add_argument("--vulkan", nargs="+", help="the archives of which the library's Vulkan parts are linked")
    parser.add_argument("--update", action="store_true", help="rewrite the budget instead")
    arguments = parser.parse_args()
    names = arguments.graphs or sorted(path.stem for path in arguments.reports.glob("*.json"))
    reports = {name: json.loads((arguments.reports / f"{name}.json").read_text()) for name in names}
    reports = {name: report for name, report in reports.items() if report["succeeded"]}
    measured = {name: measure(report) for name, report in reports.items()}
    if arguments.library:
        measured[LIBRARY] = {"stripped": stripped_size(arguments.library, arguments.strip)}
    if arguments.vulkan:
        measured[LIBRARY]["vulkan"] = sum(section_bytes(archive) for archive in arguments.vulkan)
    budget = read_budget(arguments.budget)
    if arguments.update:
        write_budget(arguments.budget, {**budget, **measured})
        return
    problems = [problem for name, report in reports.items() for problem in check_bounds(name, report)]
    problems += check_budget(budget, measured)
    problems += [f"{name}: no plan" for name in names if name not in reports]
    sys.exit("\n".join(problems) if problems else 0)


def measure(report):
    """The figures of one conversion."""
    macs = sum(step["macs"] for step in report["steps"])
    on_xnnpack = sum(step["macs"] for step in report["steps"]
                     if step["backend"] == "xnnpack" or "winograd:" in step["attributes"] or "order of our kernel" in step["reason"] or step["strips"] >= 0)
    return {"arena": report["memory"]["arena_bytes"], "plan": report["plan_bytes"],
            "steps": len(report["steps"]), "xnnpack": round(100 * on_xnnpack / max(macs, 1), 2)}


def stripped_size(library, strip):
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch, library.name)
        subprocess.run([strip, "-o", copy, library], check=True)
        return copy.stat().st_size


def section_bytes(archive):
    """Bytes of the sections that an archive's objects bring along."""
    table = subprocess.run(["size", archive], check=True, capture_output=True, text=True).stdout
    return sum(int(text) + int(data) for text, data, *_ in (row.split() for row in table.splitlines()[1:]))


def check_bounds(name, report):
    memory = report["memory"]
    if memory["arena_bytes"] > ARENA_SLACK * memory["lower_bound"]:
        yield (f"{name}: arena of {memory['arena_bytes']} bytes, {ARENA_SLACK} times the lower bound "
               f"{memory['lower_bound']} are allowed")
    if memory["lower_bound"] > memory["imported_bound"]:
        yield (f"{name}: the schedule needs {memory['lower_bound']} bytes, the imported order "
               f"{memory['imported_bound']}")


def check_budget(budget, measured):
    """Returns the figures that grew too much; prints all others that changed."""
    problems = []
    for name, values in measured.items():
        old = budget.get(name)
        if old is None:
            problems.append(f"not in the budget: {line(name, values)}")
            continue
        for key, value in values.items():
            if is_worse(key, value, old[key]):
                problems.append(f"{name}: {key} was {old[key]}, is {value}")
        if values != old:
            print(f"changed, new line: {line(name, values)}")
    return problems


def is_worse(key, value, old):
    if key == "xnnpack":
        return value < old
    return value > (VULKAN_LIMIT if key == "vulkan" else GROWTH * old)


def line(name, values):
    return f"{name:20} " + " ".join(f"{key}={value}" for key, value in values.items())


def read_budget(path):
    rows = [row.split() for row in path.read_text().splitlines() if row and row[0] != "#"] \
        if path.exists() else []
    return {name: {key: float(value) if "." in value else int(value)
                   for key, value in (word.split("=") for word in words)}
            for name, *words in rows}


def write_budget(path, budget):
    path.write_text(HEADER + "".join(line(name, budget[name]).rstrip() + "\n" for name in sorted(budget)))


if __name__ == "__main__":
    main()

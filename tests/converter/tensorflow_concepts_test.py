#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tensorflow_concepts_test.py ROOT: compares TensorFlow's graph concepts and its own test cases with our tests.

A test must name each row of converter/graph/tensorflow_concepts.md that is IN or CONV and not pending, and at
least MIN_CASES cases of TensorFlow's public test files must be restated, each with its file and name.
"""

import collections
import pathlib
import re
import sys

MIN_CASES = 150
SCOPES = {"IN", "CONV", "REDUCED", "OUT"}
ROW_MARK = re.compile(r"// TensorFlow graph row (\d+): ")
# The formatter may break the line after the colon.
CITATION = re.compile(r"// (tensorflow/\S+_test\.(?:cc|py)):\s+(?://\s+)?(\w+\.\w+)")
AREAS = {
    "import": "graph_constructor tensor_id validate node_def_util attr_value_util op_def_util importer",
    "graph": "graph algorithm edgeset",
    "partial execution": "subgraph graph_util",
    "common subexpressions": "optimizer_cse",
    "folding": "constant_folding",
    "functions": "function graph_def_util",
    "control flow": "control_flow lower_if_op lower_while_op lower_case_op lower_functional_ops",
    "shapes": "common_shape_fns",
    "placement": "placer colocation_graph colocation inspecting_placer device_name_utils device_set",
    "partition": "graph_partition costmodel cost_model",
}


def read_rows(text):
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if re.match(r"\| \d+ \|", line):
            rows[int(cells[0])] = (cells[1], cells[2], cells[3].rstrip(" |") if len(cells) > 3 else "")
    return rows


def area_of(file):
    stem = re.sub(r"_test$", "", pathlib.PurePosixPath(file).stem)
    return next((area for area, stems in AREAS.items() if stem in stems.split()), "other")


def check_rows(rows, marked):
    problems = []
    if sorted(rows) != list(range(1, len(rows) + 1)):
        problems.append("tensorflow_concepts.md: rows are not numbered 1, 2, 3 ...")
    pending = []
    for row, (concept, scope, note) in rows.items():
        if scope not in SCOPES:
            problems.append(f"row {row}: scope '{scope}' is none of {', '.join(sorted(SCOPES))}")
        if scope in ("OUT", "REDUCED") and not note:
            problems.append(f"row {row}: {scope} without a reason")
        if scope in ("IN", "CONV") and not marked[row]:
            if note.startswith("pending: "):
                pending.append(f"  {row} {concept}: {note.removeprefix('pending: ')}")
            else:
                problems.append(f"row {row} ({concept}) has no test: // TensorFlow graph row {row}: {concept}")
    problems += [f"tests name row {row}, which the table lacks" for row in sorted(set(marked) - set(rows))]
    stale = [row for row in sorted(marked) if row in rows and rows[row][2].startswith("pending: ")]
    if stale:
        print(f"tested, though the table says pending: {stale}")
    wanted = [row for row, (_, scope, _) in rows.items() if scope in ("IN", "CONV")]
    tested = sum(marked[row] > 0 for row in wanted)
    print(f"{len(wanted)} rows IN or CONV: {tested} tested, {len(pending)} pending")
    print("\n".join(pending))
    return problems


def check_cases(cases):
    areas = collections.Counter(area_of(file) for file, _ in cases)
    print(f"{len(cases)} cases of TensorFlow's tests restated")
    for area in [*AREAS, "other"]:
        if areas[area]:
            print(f"{areas[area]:6} {area}")
    return [] if len(cases) >= MIN_CASES else [f"{len(cases)} restated cases, want {MIN_CASES}"]


def main(root):
    root = pathlib.Path(root)
    rows = read_rows((root / "converter/graph/tensorflow_concepts.md").read_text())
    marked, cases = collections.Counter(), set()
    for path in sorted((root / "tests").rglob("*.cc")):
        text = path.read_text()
        marked.update(int(row) for row in ROW_MARK.findall(text))
        cases.update(CITATION.findall(text))
    problems = check_rows(rows, marked) + check_cases(cases)
    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ops_table_test.py LINNET ROOT: compares `linnet ops` with the rest of the tree.

Every op that TensorFlow defines must convert, be settled before or be refused with a reason, and each op that converts must have MIN_CASES
graph cases in tests/conformance/tf.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

MIN_CASES = 5


def main(linnet, root):
    root = pathlib.Path(root)
    table = json.loads(subprocess.run([linnet, "ops", "--json"], check=True, capture_output=True).stdout)
    supported = [row["op"] for row in table["supported"]]
    settled = [row["op"] for row in table["settled"]]
    refused = [row["op"] for row in table["rejected"]]
    problems = []

    definitions = (root / "converter/graph/tensorflow/tf_ops.pbtxt").read_text()
    answers = collections.Counter(supported + settled + refused)
    for op in re.findall(r'^op \{ name: "([^"]+)"', definitions, re.MULTILINE):
        if answers[op] != 1:
            problems.append(f"{op} is listed {answers[op]} times, want once: see tf_op_table.h and tf_op_groups.def")
        del answers[op]
    problems += [f"{op} is not one of TensorFlow's ops" for op in answers]
    problems += [f"{op['op']} has no reason or no way out" for op in table["rejected"] if not (op["reason"] and op["way_out"])]

    cases = collections.Counter()
    for path in sorted((root / "tests/conformance/tf").glob("*.json")):
        for case in json.loads(path.read_text())["cases"]:
            cases.update(set(re.findall(r'\bop: "([^"]+)"', case["graph"])))
    print(f"{len(supported)} ops convert, {len(settled)} are folded or dropped, {len(refused)} are refused; graph cases of each op:")
    for op in supported:
        print(f"{cases[op]:6} {op}")
        if cases[op] < MIN_CASES:
            problems.append(f"{op} has {cases[op]} graph cases, want {MIN_CASES}: see tests/golden/conformance_tf")

    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

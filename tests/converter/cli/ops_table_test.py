#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ops_table_test.py LINNET ROOT: compares `linnet ops` with the rest of the tree.

Every op that TensorFlow defines must convert or be refused with a reason, and each op that converts must have MIN_CASES
graph cases in tests/conformance/tf.
"""

import collections
import fnmatch
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
    refused = [row["op"] for row in table["rejected"]]
    problems = []

    definitions = (root / "converter/graph/tensorflow/tf_ops.pbtxt").read_text()
    for op in re.findall(r'^op \{ name: "([^"]+)"', definitions, re.MULTILINE):
        if op not in supported and not any(fnmatch.fnmatchcase(op, pattern) for pattern in refused):
            problems.append(f"{op} neither converts nor has a reason in rejected_tf_ops.cc")

    cases = collections.Counter()
    for path in sorted((root / "tests/conformance/tf").glob("*.json")):
        for case in json.loads(path.read_text())["cases"]:
            cases.update(set(re.findall(r'\bop: "([^"]+)"', case["graph"])))
    print(f"{len(supported)} ops convert, {len(refused)} rows refuse; graph cases of each op:")
    for op in supported:
        print(f"{cases[op]:6} {op}")
        if cases[op] < MIN_CASES:
            problems.append(f"{op} has {cases[op]} graph cases, want {MIN_CASES}: see tests/golden/conformance_tf")

    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

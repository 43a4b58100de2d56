#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails for a pass that is only partly added: it needs a row of passes.def, a file that begins with its contract, and a
test."""
import pathlib
import re
import sys

ROW = re.compile(r'^PASS\(([a-z_/]+), ([a-z0-9_]+), (\w+), ".+"\)$', re.MULTILINE)
DEFINITION = re.compile(r"^absl::StatusOr<int> (\w+)\(Graph& graph, const PassContext& \w*\)|"
                        r"^absl::StatusOr<int> (\w+)\(Graph& graph, const PassContext&\)", re.MULTILINE)


def problems(root):
    """Yields one sentence per thing that is missing."""
    table = (root / "converter/pass/passes.def").read_text()
    rows = ROW.findall(table)
    if len(rows) != len(re.findall(r"^PASS\(", table, re.MULTILINE)) or not rows:
        yield "passes.def has rows that this test does not understand"
    for folder, name, function in rows:
        source = root / "converter" / folder / f"{name}.cc"
        if not source.exists():
            yield f"{name}: there is no {source.relative_to(root)}"
            continue
        lines = source.read_text().splitlines()
        if not lines[1].startswith("// "):
            yield f"{source.relative_to(root)} does not begin with its contract"
        if function not in {a or b for a, b in DEFINITION.findall(source.read_text())}:
            yield f"{source.relative_to(root)} does not define {function}"
        test = root / "tests/converter" / folder / f"{name}_test.cc"
        if not test.exists():
            yield f"{name}: there is no {test.relative_to(root)}"
    known = {function for _, _, function in rows}
    for source in sorted((root / "converter").rglob("*.cc")):
        for a, b in DEFINITION.findall(source.read_text()):
            if (a or b) not in known and (a or b) != "RunPass":
                yield f"{source.relative_to(root)} defines {a or b}, which has no row in passes.def"


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every pass has its row, file, contract and test")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

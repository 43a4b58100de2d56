#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails for a backend that is only partly added: it needs a row of backends.def, a folder with its parts and a README, and
tests."""
import pathlib
import re
import sys

ROW = re.compile(r"^BACKEND\(([a-z0-9_]+)\)$", re.MULTILINE)
PARTS = ("CMakeLists.txt", "README.md", "backend.h", "backend.cc", "support.h", "support.cc")


def problems(root):
    """Yields one sentence per thing that is missing."""
    backends = root / "runtime/backends"
    table = (backends / "backends.def").read_text()
    rows = ROW.findall(table)
    if len(rows) != len(re.findall(r"^BACKEND\(", table, re.MULTILINE)) or not rows:
        yield "backends.def has rows that this test does not understand"
    if rows and rows[-1] != "portable":
        yield "backends.def: the portable backend runs what no other one does and has to stand last"
    for name in rows:
        for part in PARTS:
            if not (backends / name / part).exists():
                yield f"{name}: there is no runtime/backends/{name}/{part}"
        header = backends / name / "backend.h"
        if header.exists() and "const Backend& GetBackend();" not in header.read_text():
            yield f"{name}: backend.h does not declare GetBackend"
        if not list((root / "tests/runtime/backends" / name).glob("*_test.cc")):
            yield f"{name}: there is no test in tests/runtime/backends/{name}"
    for folder in sorted(path.name for path in backends.iterdir() if path.is_dir()):
        if folder not in rows:
            yield f"runtime/backends/{folder} has no row in backends.def"


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every backend has its row, folder and tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

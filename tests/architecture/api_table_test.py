#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless every function of linnet.h has a row in the header's README and the test named there calls it; former
names (deprecated.h) must all be in one test, and so must the functions and public methods of linnet.hpp."""
import pathlib
import re
import sys

FUNCTION = re.compile(r"LINNET_API[^;]*?\b(linnet_\w+)\(")
FORMER = re.compile(r"^LINNET_FORMER_NAME\(linnet_\w+\)\n.*?\b(linnet_\w+)\(", re.MULTILINE)
ROW = re.compile(r"^\|( `linnet_[^|]+)\|([^|]+)\|([^|]*)\| `(\w+\.cc)` \|$", re.MULTILINE)
# In these headers, members are indented by two spaces; what stands in functions has more.
CLASS = re.compile(r"^(?:class|struct) (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
METHOD = re.compile(r"^  (?!return\b|explicit\b|friend\b)(?:[\w:<>,*&]+ )+[*&]?(\w+)\(", re.MULTILINE)
FREE = re.compile(r"^(?:inline|constexpr) (?:[\w:<>,*&]+ )+[*&]?(\w+)\(", re.MULTILINE)


def cpp_problems(root):
    """Yields one sentence per function or public method of the C++ API that cpp17_test.cc does not call."""
    called = (root / "tests/runtime/api/cpp17_test.cc").read_text()
    names = set()
    for header in ("linnet.hpp", "open_options.hpp", "result.hpp", "session_options.hpp", "span.hpp"):
        text = (root / "runtime/include/linnet" / header).read_text()
        names.update((f"linnet::{name}", rf"\blinnet::{name}\b") for name in FREE.findall(text))
        for owner, body in CLASS.findall(text):
            names.update((f"{owner}::{name}", rf"(?:\.|->|::){name}\b")
                         for name in METHOD.findall(body.split("\n private:\n")[0]) if name != owner)
    if "Session::Run" not in dict(names) or "linnet::Holds" not in dict(names):
        yield "linnet.hpp is written in a way that this test does not understand"
    for name, call in sorted(names):
        if not re.search(call, called):
            yield f"{name}: cpp17_test.cc does not call it"


def problems(root):
    """Yields one sentence per thing that is missing."""
    header = (root / "runtime/include/linnet/linnet.h").read_text()
    declared = set(FUNCTION.findall(header))
    tests = root / "tests/runtime/api"
    rows = {}
    for names, _, _, test in ROW.findall((root / "runtime/include/linnet/README.md").read_text()):
        rows.update((name, test) for name in re.findall(r"`(linnet_\w+)`", names))
    if not declared:
        yield "no function found in linnet.h"
    for name in sorted(declared - rows.keys()):
        yield f"{name} has no row in runtime/include/linnet/README.md"
    for name in sorted(rows.keys() - declared):
        yield f"{name} has a row, but linnet.h does not have it"
    for name, test in sorted(rows.items()):
        file = tests / test
        if not file.exists() or not re.search(rf"\b{name}\(", file.read_text()):
            yield f"{name}: {file.relative_to(root)} does not call it"
    test = (tests / "deprecated_test.cc").read_text()
    former = (root / "runtime/include/linnet/deprecated.h").read_text()
    if len(FORMER.findall(former)) != former.count("LINNET_FORMER_NAME(linnet_"):
        yield "deprecated.h: a former name is not on the line after LINNET_FORMER_NAME"
    for name in FORMER.findall(former):
        if not re.search(rf"\b{name}\(", test):
            yield f"{name}: deprecated_test.cc does not call it"
    yield from cpp_problems(root)


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every function has its row and its test")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails for a subcommand of `linnet` that is only partly added: its file must be compiled, declared, called in program.cc, listed in
the README, and run by a test of the file's name."""
import pathlib
import re
import sys

DEFINITION = re.compile(r"^void (Add\w+Command)\(CLI::App& app, int\* exit_code\) \{$", re.MULTILINE)
SUBCOMMAND = re.compile(r'\badd_subcommand\(\s*"(\w+)"')


def problems(root):
    """Yields one sentence per thing that is missing."""
    room = root / "converter/cli"
    files = sorted(room.glob("*_command.cc"))
    if not files:
        yield "no *_command.cc found in converter/cli"
    lists = re.search(r"\n  SRCS ([^\n]*)\n", (room / "CMakeLists.txt").read_text())[1].split()
    declared = set(re.findall(r"^void (Add\w+Command)\(", (room / "commands.h").read_text(), re.MULTILINE))
    called = set(re.findall(r"^  (Add\w+Command)\(app, &exit_code\);$", (room / "program.cc").read_text(), re.MULTILINE))
    defined = set()
    for file in files:
        text = file.read_text()
        functions, commands = DEFINITION.findall(text), SUBCOMMAND.findall(text)
        if not functions or len(functions) != len(commands):
            yield f"{file.name}: has to define one Add...Command for each add_subcommand"
        defined.update(functions)
        if file.name not in lists:
            yield f"{file.name}: converter/cli/CMakeLists.txt does not compile it"
        if not re.search(rf"^\| {file.name} \|", (room / "README.md").read_text(), re.MULTILINE):
            yield f"{file.name}: converter/cli/README.md does not list it"
        test = root / f"tests/converter/cli/{file.stem}_test.cc"
        for command in commands:
            if not test.exists() or not re.search(rf'"{command}[ "]', test.read_text()):
                yield f"linnet {command}: tests/converter/cli/{test.name} does not run it"
    for name in sorted(defined - declared):
        yield f"{name}: commands.h does not declare it"
    for name in sorted(declared - defined):
        yield f"{name}: commands.h declares it, but no *_command.cc defines it"
    for name in sorted(defined - called):
        yield f"{name}: program.cc does not call it"


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every subcommand is compiled, declared, called, listed and tested")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

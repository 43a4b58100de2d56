#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays the blocks `console` of tests/examples/first_minute/README.md, in a copy of that folder, and compares what the commands print
with what stands there. A line `...` stands for any lines. Times, and memory that is measured, may differ.

    transcript_test.py PROGRAMS [--write]     PROGRAMS: the folder with linnet and linnet-run; --write puts into the page what they print
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "tests/examples/first_minute/README.md"
MEASURED = re.compile(r"\d+(\.\d+)?(?= (ns|us|ms|s|GFLOP/s|MB/s|runs/s)\b)|(?<=peak memory )[\d.]+ [KMG]i?B")


def masked(text):
    """Without what another run measures differently."""
    return re.sub(r" +", " ", MEASURED.sub("N", text)).strip()


def commands(block):
    """Pairs of a command, of which a line that ends in a backslash goes on in the next, and what it is said to print."""
    return [(command.replace("\\\n", ""), shown) for command, shown in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


def run(command, programs, folder):
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False).stdout


def fits(shown, printed):
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(masked(line)) + r"\n" for line in shown.splitlines())
    lines = "".join(masked(line) + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern, lines) is not None


def shortened(shown, printed):
    """What is printed, with the `...` that the page has, where the lines around these are still there."""
    if "..." not in shown.splitlines():
        return printed
    first = shown.splitlines().index("...")
    last = len(shown.splitlines()) - 1 - first
    lines = printed.splitlines()
    return "\n".join([*lines[:first], "...", *(lines[-last:] if last else [])]) + "\n"


def main():
    programs, write = pathlib.Path(sys.argv[1]).resolve(), "--write" in sys.argv
    page = PAGE.read_text()
    blocks = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    replayed, wrong = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        folder = shutil.copytree(PAGE.parent, pathlib.Path(scratch) / "first_minute")
        for block in blocks:
            for command, shown in commands(block):
                printed = run(command, programs, folder)
                replayed += 1
                if fits(shown, printed):
                    continue
                wrong.append(f"$ {command}\n" + "\n".join(difflib.unified_diff(
                    shown.splitlines(), printed.splitlines(), "README.md", "printed", lineterm="")))
                if write:
                    page = page.replace(f"$ {command}\n{shown}", f"$ {command}\n{shortened(shown, printed)}")
    if replayed < 5:
        sys.exit(f"{PAGE}: {replayed} commands are too few, the blocks were not found")
    if write:
        PAGE.write_text(page)
    print(*wrong, sep="\n\n")
    print(f"{replayed} commands replayed, {len(wrong)} of them print something else")
    sys.exit(bool(wrong) and not write)


if __name__ == "__main__":
    main()

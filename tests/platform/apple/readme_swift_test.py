#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Swift of README.md and of platform/apple/README.md compiles as it stands there.

    readme_swift_test.py COMMAND...     the command compiles the files that are appended to it
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ("README.md", "platform/apple/README.md")
# What the pages' blocks, which follow each other, use without having made it.
PROGRAM = """
import Foundation
import Linnet

func page%d(path: String, pixels: [Float], frames: AsyncStream<[Float]>, show: @Sendable ([Float]) -> Void) async throws {
%s  _ = scores
}
"""


def main(command):
    with tempfile.TemporaryDirectory() as scratch:
        files = []
        for number, page in enumerate(PAGES):
            blocks = re.findall(r"^```swift\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
            code = [block for block in blocks if ".package(" not in block]  # of a Package.swift
            if not code:
                sys.exit(f"{page} has no Swift")
            files.append(pathlib.Path(scratch, f"page{number}.swift"))
            files[-1].write_text(PROGRAM % (number, "".join(code)))
        done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    print(f"the Swift of {' and '.join(PAGES)} compiles")


if __name__ == "__main__":
    main(sys.argv[1:])

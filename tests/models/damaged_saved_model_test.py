#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages the checkpoint of a SavedModel in every way that a broken download or disk does; each time
`linnet convert` must refuse it and say what is damaged.

  damaged_saved_model_test.py --bin DIR FOLDER
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

BAD_MODEL = 2
DATA = "variables.data-00000-of-00001"
INDEX = "variables.index"


def cut(length):
    return lambda file: file.write_bytes(file.read_bytes()[:length])


def flip(position):
    def change(file):
        content = bytearray(file.read_bytes())
        content[position] ^= 1
        file.write_bytes(content)
    return change


def damages(folder):
    """Yields (what is damaged, file, function that damages it, text that must be in stderr)."""
    size = (folder / "variables" / DATA).stat().st_size
    index_size = (folder / "variables" / INDEX).stat().st_size
    tensor = "checkpoint tensor '"
    yield "data file missing", DATA, pathlib.Path.unlink, tensor
    for length in (0, 1, 4, 15):  # weights come before the object graph
        yield f"data file of {length} bytes", DATA, cut(length), f"data file 0 ends at {length}"
    yield "flipped byte of a weight", DATA, flip(0), "Checksum does not match"
    yield "flipped byte of a weight", DATA, flip(0), tensor
    for length in (0, 1, 47, 48, index_size // 2, index_size - 1):
        yield f"index of {length} of {index_size} bytes", INDEX, cut(length), f"{INDEX}: not a table"
    for position in (0, 7, index_size // 3, index_size - 1):
        yield f"flipped byte {position} of the index", INDEX, flip(position), f"{INDEX}: not a table"
    yield "index missing", INDEX, pathlib.Path.unlink, "has no checkpoint"
    assert size > 15


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    wrong = 0
    for what, name, change, text in damages(arguments.folder):
        with tempfile.TemporaryDirectory() as scratch:
            model, plan = pathlib.Path(scratch, "model"), pathlib.Path(scratch, "plan.linnet")
            shutil.copytree(arguments.folder, model)
            change(model / "variables" / name)
            result = subprocess.run([arguments.bin / "linnet", "convert", model, "-o", plan],
                                    capture_output=True, text=True, timeout=60)
            if result.returncode != BAD_MODEL or text not in result.stderr or plan.exists():
                wrong += 1
                print(f"{what}: exit {result.returncode}, wanted {BAD_MODEL} and '{text}'\n{result.stderr}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

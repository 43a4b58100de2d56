#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform/freestanding/image_check.py accepts images, and says of a wrong one everything that is wrong.

  image_check_test.py --nm NM --wrong IMAGE IMAGE...
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "platform" / "freestanding"))
import image_check

WANTED = {"a heap": "malloc", "files": "fopen", "printf": "printf", "a clock": "time", "an environment": "getenv",
          "exceptions": "__cxa_throw", "an end of the program": "abort", "constructors before main": "_GLOBAL__sub_I_"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--wrong", required=True)
    parser.add_argument("images", nargs="+")
    arguments = parser.parse_args()
    failures = [problem for image in arguments.images for problem in image_check.problems(image, arguments.nm)]
    found = list(image_check.problems(arguments.wrong, arguments.nm))
    for need, name in WANTED.items():
        if not any(f"needs {need}: " in problem and name in problem for problem in found):
            failures.append(f"{arguments.wrong}: not found: {need} ({name}) in {found}")
    print("\n".join(found))
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the code of images for microcontrollers, with its constants and without the C library and plans, with limits and with
tests/golden/budget.txt: more than 3 % of growth fails.

  size_test.py BUDGET.txt [--update] NAME=IMAGE.elf:LIMIT...    --update rewrites the budget instead
"""
import pathlib
import sys

import images

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import size_limits


def code(image):
    return images.parts(pathlib.Path(f"{image}.map"))["code"]


if __name__ == "__main__":
    size_limits.main(__doc__, "cortex-m", "code", code, "bytes of code")

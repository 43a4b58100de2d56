#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bytes that a page transfers, gzip's, with limits and with tests/golden/budget.txt: more than 3 % of growth fails.

  size_test.py BUDGET.txt [--update] NAME=FILE:LIMIT...    --update rewrites the budget instead
"""
import gzip
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import size_limits


def gzipped(file):
    return len(gzip.compress(file.read_bytes(), 9))


if __name__ == "__main__":
    size_limits.main(__doc__, "web", "gzip", gzipped, "bytes after gzip")

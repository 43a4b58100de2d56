#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the outputs of a plan with golden outputs and prints one row per output.

  compare.py MANIFEST --model NAME --case CASE OUTPUT_DIR
  compare.py EXPECTED_DIR OUTPUT_DIR          every .npy of EXPECTED_DIR, no manifest

Floats may differ by 1e-4 of the largest expected magnitude of that output (--tolerance); everything else is exact.
Outputs that the manifest calls unstable are shown, but may differ.  Exit status: 0 if all agree, else 1.
Needs numpy only.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

TOLERANCE = 1e-4


def main():
    arguments = parse_arguments()
    expected_dir, unstable = locate_expected(arguments)
    rows = [compare_file(path, arguments.output_dir / path.name, path.name in unstable, arguments.tolerance)
            for path in sorted(expected_dir.glob("*.npy"))]
    if not rows:
        sys.exit(f"{expected_dir}: no .npy files")
    print_table(rows)
    sys.exit(0 if all(verdict in ("ok", "unstable") for *_, verdict in rows) else 1)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected", type=pathlib.Path, help="manifest.json or a folder of .npy")
    parser.add_argument("output_dir", type=pathlib.Path, help="--output-dir of linnet-run")
    parser.add_argument("--model", help="model in the manifest")
    parser.add_argument("--case", default="picture", help="case in the manifest (default: picture)")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE)
    arguments = parser.parse_args()
    if arguments.expected.is_file() and not arguments.model:
        parser.error("a manifest needs --model")
    return arguments


def locate_expected(arguments):
    """Returns (folder of expected outputs, names of files that may differ)."""
    if arguments.expected.is_dir():
        return arguments.expected, set()
    models = json.loads(arguments.expected.read_text())["models"]
    entry = next((entry for entry in models if entry["model"] == arguments.model), None)
    cases = entry["cases"] if entry else []
    case = next((case for case in cases if case["name"] == arguments.case), None)
    if case is None:
        sys.exit(f"{arguments.expected}: no {arguments.model}/{arguments.case}")
    unstable = {output["file"] for output in entry["outputs"] if output["name"] in case["unstable"]}
    return arguments.expected.parent / arguments.model / arguments.case / "outputs", unstable


def compare_file(expected_path, actual_path, unstable, tolerance):
    """Returns a table row: (file, shape, error, allowed, verdict)."""
    expected = np.load(expected_path)
    shape = f"{expected.dtype}{list(expected.shape)}"
    if not actual_path.exists():
        return expected_path.name, shape, "", "", "missing"
    actual = np.load(actual_path)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return expected_path.name, shape, f"{actual.dtype}{list(actual.shape)}", "", "differs in type"
    error = relative_error(expected, actual)
    allowed = tolerance if expected.dtype.kind == "f" else 0
    verdict = "ok" if error <= allowed else "unstable" if unstable else "WRONG"
    return expected_path.name, shape, f"{error:.2e}", f"{allowed:.0e}", verdict


def relative_error(expected, actual):
    """Largest absolute difference, relative to the largest expected magnitude; for integers the share that differs.

    NaN must meet NaN and infinity the same infinity; otherwise the error is infinite.
    """
    if actual.shape != expected.shape:
        return np.inf
    if expected.size == 0:
        return 0.0
    if expected.dtype.kind != "f":
        return float(np.mean(expected != actual))
    finite = np.isfinite(expected)
    if not np.array_equal(expected[~finite], actual[~finite], equal_nan=True):
        return np.inf
    if not np.isfinite(actual[finite]).all():
        return np.inf
    expected, actual = expected[finite].astype(np.float64), actual[finite].astype(np.float64)
    difference = np.max(np.abs(expected - actual), initial=0.0)
    magnitude = np.max(np.abs(expected), initial=0.0)
    if difference == 0:
        return 0.0
    return float(difference / magnitude) if magnitude > 0 else np.inf


def print_table(rows):
    header = ("output", "expected", "error", "allowed", "verdict")
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in (header, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What every peer's runner shares: command line, timing, resident memory, outputs.

A runner module offers `convert(model, destination)` and `load(path, model, threads)`, which returns
three functions: set_inputs(arrays), run() and get_outputs().  Inputs and outputs are in the model's order.
The figures are defined as `linnet-run --bench --json` defines them, so that rows can be compared.
"""

import argparse
import json
import math
import pathlib
import statistics
import sys
import time

import numpy as np

GOLDEN_DIR = pathlib.Path(__file__).resolve().parent.parent / "golden"
sys.path.insert(0, str(GOLDEN_DIR))

import model_catalog
from model_catalog import file_name

WARMUP_RUNS = 3
MAX_RUNS = 200
MAX_SECONDS = 1.0


def run_command_line(description, convert, load):
    """The main function of a runner: `convert ROOT MODEL FILE` or `run ROOT MODEL FILE`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("command", choices=("convert", "run"))
    parser.add_argument("root", type=pathlib.Path, help="folder of models and goldens")
    parser.add_argument("model")
    parser.add_argument("file", type=pathlib.Path, help="the peer's own model file")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--case", default="picture", help="golden case whose inputs are used")
    parser.add_argument("--output-dir", type=pathlib.Path, help="where outputs are written")
    arguments = parser.parse_args()
    (model,) = model_catalog.find_models(arguments.root, [arguments.model])
    if arguments.command == "convert":
        convert(model, arguments.file)
        return
    feeds = read_feeds(arguments.root, model, arguments.case)
    result, outputs = measure(lambda: load(arguments.file, model, arguments.threads), feeds)
    if arguments.output_dir:
        write_outputs(arguments.output_dir, model, outputs)
    print(json.dumps(result))


def measure(load, feeds):
    """Returns (figures, outputs)."""
    rss_before = resident_bytes()
    start = time.perf_counter()
    set_inputs, run, get_outputs = load()
    load_ms = (time.perf_counter() - start) * 1e3
    set_inputs(feeds)
    start = time.perf_counter()
    run()
    first_ms = (time.perf_counter() - start) * 1e3
    rss_growth = resident_bytes() - rss_before
    for _ in range(WARMUP_RUNS):
        run()
    times = timed_runs(run)
    figures = {
        "load_ms": load_ms,
        "first_ms": first_ms,
        "min_ms": min(times),
        "median_ms": statistics.median(times),
        "p90_ms": sorted(times)[math.ceil(0.9 * len(times)) - 1],
        "mean_ms": statistics.fmean(times),
        "runs": len(times),
        "rss_growth_bytes": rss_growth,
    }
    return figures, get_outputs()


def timed_runs(run):
    times = []
    deadline = time.perf_counter() + MAX_SECONDS
    while len(times) < MAX_RUNS:
        start = time.perf_counter()
        run()
        end = time.perf_counter()
        times.append((end - start) * 1e3)
        if end > deadline:
            break
    return times


def resident_bytes():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/self/status has no VmRSS")


def read_feeds(root, model, case):
    folder = root / "golden" / model.name / case / "inputs"
    return [np.load(folder / file_name(entry["name"])) for entry in model.inputs]


def write_outputs(folder, model, outputs):
    folder.mkdir(parents=True, exist_ok=True)
    for entry, value in zip(model.outputs, outputs, strict=True):
        np.save(folder / file_name(entry["name"]), value)

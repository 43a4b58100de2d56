#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Linnet beside its peers, on the same models, interleaved in one run.

  peers.py --linnet-bin build/release/bin [--rounds 5] [--threads 1,2] [--only MODEL]...

Makes its own environment and models below --dir, once (Python 3.11, npm; about 3 GB), converts every
model for every engine, checks each engine's outputs against TensorFlow's, then measures.  Each
measurement is a separate process, engines take turns within each round, figures are medians over
rounds.  Prints one row per model and engine (latency per thread count, load, first run, growth of
resident memory, arena, file size, time and memory of conversion, largest error), the
latencies' ratios per model and the geometric means of Linnet / peer; at the start what this machine can do at most, and per
model the least time that this allows and Linnet's latency as a share of it.  Ratios are medians of the rounds' own ratios.

--linnet-bin may be given several times as LABEL=DIR to compare builds; the first is the baseline.
Without it only the peers are measured.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
GOLDEN_SCRIPTS = REPOSITORY / "tests" / "golden"
DEFAULT_PEERS = "litert,onnxruntime"
CASE = "picture"
CONVERT_TIMEOUT = 600
RUN_TIMEOUT = 120
BOUND_KEYS = ("fma_gflops", "memory_gb_per_s", "fma_bound_ms", "memory_bound_ms")  # of linnet-run's JSON


def main():
    arguments = parse_arguments()
    enter_environment(arguments.dir / "venv")
    make_models(arguments.dir)
    sys.path[:0] = [str(GOLDEN_SCRIPTS)]
    import model_catalog
    models = model_catalog.find_models(arguments.dir, arguments.only)
    if not models:
        sys.exit("no such model")
    engines = make_engines(arguments)
    results = {model.name: measure_model(model, engines, arguments) for model in models}
    report(results, engines, arguments)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=pathlib.Path, default=REPOSITORY / "build" / "models",
                        help="environment, models and converted models (default: build/models)")
    parser.add_argument("--linnet-bin", action="append", default=[], metavar="[LABEL=]DIR",
                        help="folder of linnet and linnet-run, or of scripts that call them")
    parser.add_argument("--floor", action="store_true",
                        help="measure the operators alone too: xnnpack_floor_benchmark of the first DIR")
    parser.add_argument("--backend", default="cpu", choices=("cpu", "vulkan"),
                        help="vulkan: Linnet converts with --place vulkan and runs on it (default: cpu, and no driver of a GPU is loaded)")
    parser.add_argument("--form", default="pb", choices=("pb", "pbtxt", "tfjs"),
                        help="form of the public tfjs models that Linnet converts (default: pb)")
    parser.add_argument("--peers", default=DEFAULT_PEERS,
                        help=f"of litert,onnxruntime,mnn,ncnn,ncnn_vulkan,executorch (default: {DEFAULT_PEERS})")
    parser.add_argument("--only", action="append", metavar="MODEL", help="this model only")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--threads", default="1,2", help="thread counts (default: 1,2)")
    parser.add_argument("--reuse", action="store_true",
                        help="do not convert again what a peer has converted before")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all raw figures")
    arguments = parser.parse_args()
    arguments.dir = arguments.dir.resolve()
    arguments.threads = [int(count) for count in arguments.threads.split(",")]
    return arguments


def enter_environment(venv):
    """Makes the virtual environment if needed and restarts this script in it."""
    if pathlib.Path(sys.prefix).resolve() == venv.resolve():
        return
    requirements, alone = HERE / "requirements.txt", HERE / "requirements_alone.txt"
    wanted = requirements.read_text() + alone.read_text()
    stamp = venv / "requirements.stamp"
    python = venv / "bin" / "python"
    if not stamp.exists() or stamp.read_text() != wanted:
        log("making the environment")
        subprocess.run([GOLDEN_SCRIPTS / "make_venv.sh", venv, requirements], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "--no-deps", "--requirement", alone], check=True)
        stamp.write_text(wanted)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.execv(python, [str(python), *sys.argv])


def make_own_environment(peer):
    """Makes the environment of a peer that does not run in the common one; a separate file lists its packages."""
    from peers_engines import python_of
    python, requirements = python_of(peer), HERE / f"requirements_{peer}.txt"
    stamp = python.parent.parent / "requirements.stamp"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return
    log(f"making the environment of {peer}")
    subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--requirement", requirements], check=True)
    stamp.write_text(requirements.read_text())


def make_models(root):
    """Fetches and makes missing models and golden outputs."""
    subprocess.run([GOLDEN_SCRIPTS / "fetch_models.sh", root], check=True)
    steps = ((root / "human_pb", ["make_models.py", "tfjs2pb"]),
             (root / "keras", ["make_models.py", "keras"]),
             (root / "golden" / "manifest.json", ["make_goldens.py"]))
    for product, (script, *words) in steps:
        if not product.exists():
            log(f"making {product.name}")
            subprocess.run([sys.executable, GOLDEN_SCRIPTS / script, *words, root], check=True,
                           stdout=sys.stderr)


def make_engines(arguments):
    import peers_engines
    engines = []
    for option in arguments.linnet_bin:
        label, _, folder = option.rpartition("=")
        engines.append(peers_engines.Linnet(
            label or "linnet", arguments.dir, pathlib.Path(folder).resolve(), arguments.form,
            arguments.backend))
    for label in filter(None, arguments.peers.split(",")):
        if label not in peers_engines.PYTHON_PEERS:
            sys.exit(f"no such peer: {label}")
        if label in peers_engines.OWN_ENVIRONMENTS:
            make_own_environment(label)
        engines.append(peers_engines.PythonPeer(label, arguments.dir))
    if arguments.floor and arguments.linnet_bin:
        engines += [peers_engines.Floor(engines[0], placement) for placement in peers_engines.FLOORS]
    return engines


def measure_model(model, engines, arguments):
    """Returns {engine label: record}, see peers_report.py."""
    folder = arguments.dir / "peers"
    records = {engine.label: convert(engine, model, folder, arguments.reuse) for engine in engines}
    for engine in engines:
        check_outputs(engine, model, folder, records[engine.label])
    able = [engine for engine in engines if "failure" not in records[engine.label]]
    for threads in arguments.threads:
        log(f"{model.name}: {threads} thread(s)")
        for engine in able:
            measure_bounds(engine, model, folder, threads, records[engine.label])
        for turn in range(arguments.rounds):
            for engine in able if turn % 2 == 0 else reversed(able):
                record = records[engine.label]
                if "failure" not in record:
                    run_once(engine, model, folder, threads, record)
    return records


def convert(engine, model, folder, reuse):
    from peers_engines import PythonPeer
    from peers_process import CommandFailed, run_measured
    if not engine.converts:
        return {"error": None, "threads": {}}
    files = engine.model_files(model, folder)
    costs = files[0].with_name(f"{files[0].name}.json")
    # Linnet's plans depend on the build, so they are always converted again.
    if reuse and isinstance(engine, PythonPeer) and all(file.exists() for file in [*files, costs]):
        cost = json.loads(costs.read_text())
    else:
        log(f"{model.name}: convert for {engine.label}")
        costs.parent.mkdir(parents=True, exist_ok=True)
        for file in files:
            file.unlink(missing_ok=True)
        try:
            finished = run_measured(engine.convert_command(model, files[0]), CONVERT_TIMEOUT)
        except CommandFailed as failure:
            return {"failure": f"does not convert: {failure}"}
        if not all(file.exists() for file in files):
            return {"failure": "does not convert: wrote no file"}
        cost = {"seconds": finished.seconds, "peak_bytes": finished.peak_bytes}
        costs.write_text(json.dumps(cost))
    file_bytes = sum(file.stat().st_size for file in files)
    return {"convert": cost, "file_bytes": file_bytes, "error": None, "threads": {}}


def check_outputs(engine, model, folder, record):
    """Runs once and records the largest error relative to TensorFlow's outputs."""
    if "failure" in record or not engine.converts:
        return
    with tempfile.TemporaryDirectory() as outputs:
        run_once(engine, model, folder, 1, record, outputs)
        record["threads"].clear()
        if "failure" not in record:
            record["error"] = largest_error(engine.root, model, pathlib.Path(outputs))


def largest_error(root, model, outputs):
    import compare
    import numpy as np
    errors = []
    for path in (root / "golden" / model.name / CASE / "outputs").glob("*.npy"):
        actual = outputs / path.name
        errors.append(compare.relative_error(np.load(path), np.load(actual)) if actual.exists()
                      else float("inf"))
    return max(errors, default=float("inf"))


def run_once(engine, model, folder, threads, record, output_dir=None):
    """Adds one process' figures to the record, or the reason why there are none."""
    from peers_process import CommandFailed, run_measured
    file = engine.model_files(model, folder)[0]
    command = engine.run_command(model, file, CASE, threads, output_dir)
    try:
        with tempfile.TemporaryDirectory() as cache:
            output = run_measured(command, RUN_TIMEOUT, watch_memory=False,
                                  variables=driver_variables(threads, cache)).stdout
        figures = json.loads(output[output.index("{"):])
    except CommandFailed as failure:
        record["failure"] = f"does not run: {failure}"
    except ValueError:
        record["failure"] = "does not run: printed no JSON"
    else:
        if "load_ms" in figures:
            figures["start_ms"] = figures["load_ms"] + figures["first_ms"]
        record["threads"].setdefault(threads, []).append(figures)


def measure_bounds(engine, model, folder, threads, record):
    """Adds what this machine could do at most with the model, if the engine is a Linnet on the CPU whose linnet-run measures that."""
    from peers_engines import Linnet
    from peers_process import CommandFailed, run_measured
    if not isinstance(engine, Linnet) or engine.backend != "cpu":
        return
    command = engine.bounds_command(engine.model_files(model, folder)[0], threads)
    try:
        output = run_measured(command, RUN_TIMEOUT, watch_memory=False).stdout
        figures = json.loads(output[output.index("{"):])
    except (CommandFailed, ValueError) as problem:
        log(f"{model.name}: no bounds: {problem}")
        return
    record.setdefault("bounds", {})[threads] = {key: figures[key] for key in BOUND_KEYS if key in figures}


def driver_variables(threads, cache):
    """For Vulkan drivers in software: as many threads as the engine has, and an empty cache of compiled shaders."""
    return {"LP_NUM_THREADS": str(threads), "MESA_SHADER_CACHE_DIR": cache}


def report(results, engines, arguments):
    import peers_engines
    import peers_report
    labels = [engine.label for engine in engines]
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    linnets = [engine.label for engine in engines if isinstance(engine, peers_engines.Linnet)]
    peers_report.print_machine(results, linnets, arguments.threads)
    peers_report.print_models(results, arguments.threads)
    for threads in arguments.threads:
        peers_report.print_bounds(results, linnets, threads)
    if len(labels) > 1:
        peers = [label for label in labels if label in peers_engines.PYTHON_PEERS]
        floors = [engine.label for engine in engines if not engine.converts]
        for threads in arguments.threads:
            peers_report.print_latencies(results, labels, peers, floors, threads)
        peers_report.print_ratios(results, labels[0], labels[1:], arguments.threads)


def log(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

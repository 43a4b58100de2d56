#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures latency beside endless processes of the same priority: this build, others and LiteRT.

  busy_machine.py --linnet-bin new=DIR --linnet-bin former=DIR [--busy 0,1,2] [--rounds 5]

Each measurement is a separate process, engines take turns within each round, and figures are medians over
rounds of each process's median, 90th percentile and mean.  Runs that lose a core are the longest: an engine that
loses fewer has a lower mean, though its median may be higher, because it does many runs in the time in which
another does a long one.  Ratios are of the first --linnet-bin to each other engine; the goals of README.md are
printed below them.  On a machine whose speed changes from second to second the median of the ratios of
neighbouring measurements, printed beside it, says more than the ratio of two medians.
Environment and models are those of peers.py; about ten minutes for five models, three engines, three loads and five rounds.
"""

import argparse
import contextlib
import json
import math
import pathlib
import statistics
import subprocess
import sys

import peers

MODELS = "antispoof,blazeface,facemesh,iris,movenet-lightning"
FIGURES = ("median_ms", "p90_ms", "mean_ms")
PEER = "litert"


def main():
    arguments = parse_arguments()
    peers.enter_environment(arguments.dir / "venv")
    peers.make_models(arguments.dir)
    sys.path[:0] = [str(peers.GOLDEN_SCRIPTS)]
    import model_catalog
    models = model_catalog.find_models(arguments.dir, arguments.models.split(","))
    engines = peers.make_engines(arguments)
    prepare(models, engines, arguments)
    results = {busy: measure(models, engines, busy, arguments) for busy in arguments.busy}
    for busy, figures in results.items():
        report(busy, figures, [engine.label for engine in engines])
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=pathlib.Path, default=peers.REPOSITORY / "build" / "models",
                        help="environment and models, as peers.py makes them")
    parser.add_argument("--linnet-bin", action="append", required=True, metavar="[LABEL=]DIR",
                        help="folder of linnet and linnet-run; the first is compared with all others")
    parser.add_argument("--busy", default="0,1,2", help="numbers of busy processes (default: 0,1,2)")
    parser.add_argument("--models", default=MODELS, help=f"default: {MODELS}")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--threads", type=int, default=2, help="default: 2")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all raw figures")
    arguments = parser.parse_args()
    arguments.dir = arguments.dir.resolve()
    arguments.busy = [int(count) for count in arguments.busy.split(",")]
    # Further options that peers.make_engines reads.
    arguments.form, arguments.backend, arguments.peers, arguments.floor = "pb", "cpu", PEER, False
    return arguments


def prepare(models, engines, arguments):
    for model in models:
        for engine in engines:
            record = peers.convert(engine, model, arguments.dir / "peers", reuse=True)
            if "failure" in record:
                sys.exit(f"{engine.label}, {model.name}: {record['failure']}")


def measure(models, engines, busy, arguments):
    """Returns {model: {engine label: [figures of round 0, round 1, ...]}}."""
    results = {model.name: {engine.label: [] for engine in engines} for model in models}
    with busy_processes(busy):
        for turn in range(arguments.rounds):
            peers.log(f"{busy} busy, round {turn}")
            for model in models:
                for engine in engines if turn % 2 == 0 else reversed(engines):
                    record = {"threads": {}}
                    peers.run_once(engine, model, arguments.dir / "peers", arguments.threads, record)
                    if "failure" in record:
                        sys.exit(f"{engine.label}, {model.name}: {record['failure']}")
                    results[model.name][engine.label] += record["threads"][arguments.threads]
    return results


@contextlib.contextmanager
def busy_processes(count):
    processes = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def report(busy, results, labels):
    first, others = labels[0], labels[1:]
    print(f"\n{busy} busy processes: ms (median, 90th percentile, mean) and {first} / other")
    print(f"{'model':20}" + "".join(f"{label:>29}" for label in labels)
          + "".join(f"{'/ ' + other:>29}" for other in others))
    ratios = {other: {figure: [] for figure in FIGURES} for other in others}
    for model, engines in results.items():
        medians = {label: [statistics.median(run[figure] for run in runs) for figure in FIGURES]
                   for label, runs in engines.items()}
        row = [medians[label] for label in labels]
        for other in others:
            ratio = [mine / theirs for mine, theirs in zip(medians[first], medians[other], strict=True)]
            row.append(ratio)
            for figure, value in zip(FIGURES, ratio, strict=True):
                ratios[other][figure].append(value)
        print(f"{model:20}" + "".join(f"{three[0]:>11.3f}{three[1]:>9.3f}{three[2]:>9.3f}" for three in row))
    for other in others:
        neighbours = {figure: geometric_mean([neighbour_ratio(runs[first], runs[other], figure)
                                              for runs in results.values()]) for figure in FIGURES}
        means = {figure: geometric_mean(values) for figure, values in ratios[other].items()}
        print(f"{first} / {other}: geometric mean of medians {means['median_ms']:.3f}, "
              f"of 90th percentiles {means['p90_ms']:.3f}, of means {means['mean_ms']:.3f}; worst median {max(ratios[other]['median_ms']):.3f}; "
              f"neighbours {neighbours['median_ms']:.3f}, {neighbours['p90_ms']:.3f}, {neighbours['mean_ms']:.3f}")


def neighbour_ratio(mine, theirs, figure):
    """The median over rounds of the ratio within a round."""
    return statistics.median(a[figure] / b[figure] for a, b in zip(mine, theirs, strict=True))


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


if __name__ == "__main__":
    main()

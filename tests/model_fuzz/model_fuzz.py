#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random TensorFlow models, converts and runs them with Linnet, and compares with TensorFlow; see README.md.

  model_fuzz.py --bin DIR --seeds 0..1000            a table of verdicts; exit status 1 on a wrong number, a bug or a crash
  model_fuzz.py --bin DIR --case FILE.json...        the same for kept models
  model_fuzz.py --bin DIR --minimise SEED --keep NAME.json
"""
import argparse
import collections
import json
import os
import pathlib
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import oracle  # noqa: E402
from choices import Choices  # noqa: E402
from converted import VERDICTS, Linnet  # noqa: E402
from minimise import minimise  # noqa: E402
from model import Model, make_model, pruned  # noqa: E402

FAILURES = {"wrong", "bug", "crash", "fails"}
TURNS = 4  # backends times threads
LEAST_AGREEING = 0.5  # share of all models from seeds: a converter that refuses everything must not pass
REPEATS = 5  # a difference counts only if TensorFlow gives the same numbers this many times


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        linnet = Linnet(arguments.bin.resolve(), pathlib.Path(scratch) / "work")
        if arguments.minimise is not None:
            sys.exit(keep_minimised(arguments, linnet))
        table = Table(arguments.verbose)
        for path in arguments.case:
            wanted = json.loads(path.read_text()).get("verdict", "agrees")
            for turn in range(TURNS):
                table.add_case(wanted, f"{path.stem}/{turn}", *judge(linnet, Model.from_json(path.read_text()), turn))
        for seed in range(*arguments.seeds):
            table.add(seed, *judge(linnet, make_model(Choices(seed)), seed))
        sys.exit(table.finish())


def parse_arguments():
    def span(text):
        first, last = text.split("..")
        return int(first), int(last)

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where linnet and run_steps are")
    parser.add_argument("--seeds", type=span, default=(0, 0), help="FIRST..END")
    parser.add_argument("--case", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--minimise", type=int, metavar="SEED")
    parser.add_argument("--keep", type=pathlib.Path, help="where the minimised model is written")
    parser.add_argument("--seconds", type=int, default=120, help="for minimising")
    parser.add_argument("--verbose", action="store_true", help="a line for each model")
    return parser.parse_args()


def judge(linnet, model, seed):
    """(verdict, reason); backends and threads take turns."""
    try:
        expected = oracle.run(model)
    except oracle.Refused as error:
        return "undefined", f"TensorFlow: {error}"
    verdict, reason = linnet.judge(model, expected, ["cpu", "portable"][seed % 2], 1 + seed // 2 % 2)
    if verdict == "wrong" and any(not same(oracle.run(model), expected) for _ in range(REPEATS)):
        return "undefined", "TensorFlow gives several answers"
    return verdict, reason


def same(these, those):
    from converted import agree
    return all(agree(a[key], b[key]) for a, b in zip(these, those) for key in a)


def keep_minimised(arguments, linnet):
    seed = arguments.minimise
    first = Choices(seed)
    wanted, reason = judge(linnet, make_model(first), seed)

    def is_still_bad(choices):
        verdict, why = judge(linnet, pruned(make_model(choices)), seed)
        return verdict == wanted and (verdict in FAILURES or why == reason)

    best = minimise(first, is_still_bad, arguments.seconds)
    model = pruned(make_model(Choices(best.taken)))
    print(f"{len(first.taken)} choices became {len(best.taken)}; {wanted}: {judge(linnet, model, seed)[1]}")
    for node in model.graph_def.node:
        print(f"  {node.name} = {node.op}({', '.join(node.input)})")
    for function in model.graph_def.library.function:
        print(f"  {function.signature.name}:")
        for node in function.node_def:
            print(f"    {node.name} = {node.op}({', '.join(node.input)})")
    if arguments.keep:
        arguments.keep.write_text(model.to_json() + "\n")
    return 0


class Table:
    """Counts verdicts, and prints each failure when it occurs."""

    def __init__(self, verbose):
        self._verbose = verbose
        self._counts = collections.Counter()
        self._tried_seeds = self._agreeing_seeds = self._cases_lost = 0
        self._refusals = {}  # reason -> which

    def add_case(self, wanted, name, verdict, reason):
        """The verdict on a kept model: it must agree now, or be refused if its file says so."""
        self._count(name, verdict, reason)
        if verdict != wanted:
            print(f"{name} {verdict}, wanted {wanted}: {reason}", flush=True)
            self._cases_lost += 1

    def add(self, name, verdict, reason):
        self._count(name, verdict, reason)
        self._tried_seeds += 1
        self._agreeing_seeds += verdict == "agrees"

    def _count(self, name, verdict, reason):
        self._counts[verdict] += 1
        if verdict in ("refused", "undefined"):
            self._refusals.setdefault(f"{verdict}: {reason}", []).append(str(name))
        if self._verbose or verdict in FAILURES:
            print(f"{name} {verdict} {reason}", flush=True)

    def finish(self):
        for reason, names in sorted(self._refusals.items(), key=lambda item: -len(item[1])):
            print(f"{len(names):6} {reason} ({', '.join(names[:3])})")
        print(", ".join(f"{self._counts[v]} {v}" for v in VERDICTS))
        if not self._counts:
            print("no model was tried")
            return 1
        if self._agreeing_seeds < LEAST_AGREEING * self._tried_seeds:
            print(f"only {self._agreeing_seeds} of {self._tried_seeds} models agree")
            return 1
        return 1 if self._cases_lost or any(self._counts[v] for v in FAILURES) else 0


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts the models of the corpus (corpus/README.md), runs them on two backends, compares with TensorFlow's numbers.

  corpus_test.py --bin DIR --work DIR TOPIC.zip.. [--states states.json] [--only MODEL]
  ... --update     writes states.json anew, as the models are now; look at the difference before you commit it

Every model must be in the state that states.json says; those without a row must match. Prints a table of all topics.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import compare

STATES = pathlib.Path(__file__).resolve().parent / "corpus" / "states.json"
BACKENDS = ("cpu", "portable")
GOOD, USAGE, BAD_MODEL = 0, 1, 2
NAMED = re.compile(r"(?:^|: )(\w+) '([^']+)': ", re.MULTILINE)
UNKNOWN = re.compile(r"Op type not registered '(\w+)'")

Result = collections.namedtuple("Result", "code output cpu_s")
# What became of a model: `state` as in states.json, and why.
Outcome = collections.namedtuple("Outcome", "state text needs dead_end", defaults=("", (), False))


def main():
    arguments = parse_arguments()
    states = json.loads(arguments.states.read_text())
    topics, wrong, seconds = {}, [], []
    for file in arguments.zips:
        counts = topics[file.stem] = collections.Counter()
        for row, folder in unpack(file, arguments.work / file.stem):
            if arguments.only not in (None, row["name"]):
                continue
            name, expected = row["name"], states.get(row["name"], {"state": "match"})
            outcome, cpu_s = check(arguments, row, folder, expected)
            counts[outcome.state] += 1
            seconds.append((cpu_s, name))
            complaint = complain(outcome, expected)
            if arguments.update:
                update(states, name, outcome, expected)
            elif complaint:
                wrong.append(f"{name}: {complaint}")
            if outcome.state != "match" or complaint:
                about = ", ".join(outcome.needs) or " ".join(outcome.text.split())[-200:]
                print(f"{name:44} {outcome.state:8} {about}")
    print_table(topics, max(seconds, default=(0, "")))
    if arguments.update:
        arguments.states.write_text(states_text(states))
    if wrong:
        sys.exit("\n".join(["", *wrong]))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the unpacked models")
    parser.add_argument("--states", type=pathlib.Path, default=STATES)
    parser.add_argument("--most-seconds", type=float, default=5, help="of processor time for a conversion")
    parser.add_argument("--only")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("zips", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def unpack(file, folder):
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(file) as packed:
        packed.extractall(folder)
    for row in json.loads((folder / "models.json").read_text()):
        yield row, folder / row["name"]


def check(arguments, row, folder, expected):
    """The outcome for one model, and how long its conversion took."""
    values = np.load(folder / "values.npz")
    result = convert(arguments, row["file"], row["options"], folder)
    outcome = outcome_of(arguments, row, folder, values, result)
    if outcome.state == "not yet":
        outcome = outcome._replace(dead_end=is_dead_end(arguments, row, folder, outcome.text))
    if outcome.state == "not yet" and (expected["state"] == "refused" or "cut" in row):
        refusal = check_refusal(arguments, row, folder, values, outcome, expected)
        outcome = refusal if "refused" in (refusal.state, expected["state"]) else outcome
    if result.cpu_s > arguments.most_seconds:
        outcome = Outcome("wrong", f"the conversion takes {result.cpu_s:.1f} s")
    return outcome, result.cpu_s


def outcome_of(arguments, row, folder, values, result):
    if result.code == GOOD:
        problems = [text for run in range(row["runs"]) for backend in row.get("backends", BACKENDS)
                    if (text := compare_run(arguments, row, folder, values, str(run), backend))]
        return Outcome("wrong", "; ".join(problems)) if problems else Outcome("match")
    if result.code not in (USAGE, BAD_MODEL):
        return Outcome("wrong", f"linnet convert: exit {result.code}: {result.output}")
    ops = {op for op, _ in NAMED.findall(result.output)} | set(UNKNOWN.findall(result.output))
    return Outcome("not yet", result.output, tuple(sorted(ops)))


def convert(arguments, file, options, folder):
    options = [option.format(folder=folder) for option in options]
    return run(arguments.bin / "linnet", "convert", folder / file, *options, "-o", folder / "plan.linnet")


def compare_run(arguments, row, folder, values, key, backend):
    """Runs the plan on the inputs of run `key`; returns what is wrong."""
    command = [arguments.bin / "linnet-run", folder / "plan.linnet", "--backend", backend, "--output-dir",
               folder / "out"]
    expected = {}
    for name in values.files:
        run_key, side, tensor = name.split("/", 2)
        if run_key == key and side == "out":
            expected[tensor] = values[name]
        elif run_key == key:
            file = folder / f"{tensor.replace('/', '_')}.npy"
            np.save(file, values[name])
            command += ["--input", f"{tensor}={file}"]
    shutil.rmtree(folder / "out", ignore_errors=True)
    result = run(*command)
    if result.code != GOOD:
        return f"{backend}, run {key}: linnet-run: exit {result.code}: {result.output}"
    errors = [text for name, value in expected.items()
              if (text := difference(value, folder / "out" / f"{name.replace('/', '_')}.npy",
                                     row.get("tolerance") or compare.TOLERANCE))]
    return f"{backend}, run {key}: {', '.join(errors)}" if errors else ""


def difference(expected, file, tolerance):
    if not file.exists():
        return f"{file.stem} is missing"
    got = np.load(file)
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        return f"{file.stem} is {got.dtype}{list(got.shape)}, wanted {expected.dtype}{list(expected.shape)}"
    error = compare.relative_error(expected, got)
    return "" if error <= (tolerance if expected.dtype.kind == "f" else 0) else f"{file.stem} is {error:.1e} off"


def check_refusal(arguments, row, folder, values, outcome, expected):
    """A refusal is right when it says what and where and names a way out, and the way out works."""
    missing = [text for text in expected.get("says", []) if text not in outcome.text]
    if missing:
        return Outcome("wrong", f"the refusal does not say {missing}: {outcome.text}")
    if row["runs"] == 0:  # a kind of file, which nothing can be cut from
        return Outcome("refused", outcome.text)
    if not NAMED.search(outcome.text):
        return Outcome("wrong", f"the refusal names no op and node: {outcome.text}")
    if "cut" not in row:
        return Outcome("wrong", "the corpus has no cut for a model that is refused")
    named, tried = cuts_named(outcome.text), cuts_tried(row)
    if not named & tried:
        return Outcome("not yet", f"the refusal names the ways out {sorted(named)}, not one of {sorted(tried)}",
                       outcome.needs)
    result = convert(arguments, row["file"], row["cut"]["options"], folder)
    if result.code != GOOD:
        return Outcome("wrong", f"the way out is refused: {result.output}")
    problems = [text for backend in BACKENDS if (text := compare_run(arguments, row, folder, values, "cut", backend))]
    if problems:
        return Outcome("wrong", f"the way out: {'; '.join(problems)}")
    return Outcome("refused", outcome.text, outcome.needs)


def is_dead_end(arguments, row, folder, text):
    """Whether the model does not convert with the ways out that the refusal names: outputs, and inputs for which the
    corpus has values."""
    if "cut" in row and cuts_named(text) & cuts_tried(row):
        return convert(arguments, row["file"], row["cut"]["options"], folder).code != GOOD
    outputs = dict.fromkeys(re.findall(r"--output (\S+) ends the model", text))
    options = row["options"]
    kept = [word for i, word in enumerate(options) if word != "--output" and options[i - 1:i] != ["--output"]]
    named = [word for name in outputs for word in ("--output", name)]
    return bool(outputs) and convert(arguments, row["file"], kept + named, folder).code != GOOD


def cuts_named(text):
    return set(re.findall(r"--(?:output|input) ([^\s=]+)", text))


def cuts_tried(row):
    """The tensors at which the row's cut differs from its own options."""
    options = [word.split("=")[0] for word in row["cut"]["options"]]
    return {word for word in options if not word.startswith("--") and word not in row["options"]}


def complain(outcome, expected):
    """What the outcome of a model and its row in states.json have against each other."""
    if outcome.state == expected["state"]:
        missing = [text for text in expected.get("needs", []) if text not in outcome.text]
        if outcome.dead_end != expected.get("dead_end", False):
            works = "does not work" if outcome.dead_end else "works now"
            return f"the way out that the refusal names {works} (--update): {outcome.text}"
        return f"is still refused, but not for {missing} (--update): {outcome.text}" if missing else ""
    if outcome.state == "match":
        return f"matches TensorFlow now, and states.json calls it '{expected['state']}': remove its row (--update)"
    return f"is '{outcome.state}' and was '{expected['state']}': {outcome.text}"


def update(states, name, outcome, expected):
    if outcome.state == "match":
        states.pop(name, None)
    elif outcome.state == "refused":
        states[name] = expected if expected["state"] == "refused" else {"state": "refused", "says": list(outcome.needs)}
    elif outcome.state == "not yet" and complain(outcome, expected):
        feature = states.get(name, {}).get("feature", "not sorted yet")
        needs = list(outcome.needs) or [outcome.text.strip().split(": ")[-1].split(",")[0]]
        states[name] = {"state": "not yet", "feature": feature, "needs": needs}
        if outcome.dead_end:
            states[name]["dead_end"] = True
    elif outcome.state == "wrong":
        states[name] = {"state": "wrong", "because": outcome.text[-200:]}


def states_text(states):
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(states[name])}" for name in sorted(states))
    return f"{{\n{rows}\n}}\n"


def print_table(topics, slowest):
    columns = ("match", "refused", "not yet", "wrong")
    topics = {**topics, "all": sum(topics.values(), collections.Counter())}
    print(f"\n{'topic':16}{'models':>8}" + "".join(f"{column:>9}" for column in columns) + f"{'rate':>8}")
    for topic, counts in topics.items():
        right = counts["match"] + counts["refused"]
        rate = f"{100 * right / counts.total():7.1f}%" if counts.total() else ""
        print(f"{topic:16}{counts.total():8}" + "".join(f"{counts[column]:9}" for column in columns) + rate)
    print(f"slowest conversion: {slowest[1]}, {slowest[0]:.2f} s of processor time")


def run(*words):
    """Runs a program and measures its processor time, which other work on the machine does not change."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(word) for word in words], stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Result(process.returncode, output.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime)


if __name__ == "__main__":
    main()

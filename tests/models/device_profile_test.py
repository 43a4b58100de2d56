#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is measured on a GPU: the first model's file of linnet-run --measure-device, without its times of single nodes,
must estimate all models within twice their times; the times of a run's steps add up to the run; --explain-placement
gives a reason for each step.

  device_profile_test.py --bin DIR MODEL...
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# A busy machine may be half as fast a second later, so a comparison may be repeated.
ATTEMPTS = 3
STEP = re.compile(r"^(\S+): \((\w+)\): /device:\w+:\d+  (\S.*)$", re.MULTILINE)


class Model:
    def __init__(self, programs, path, folder):
        self.programs, self.path = programs, path
        self.plan, self.report = folder / f"{path.stem}.linnet", folder / f"{path.stem}.json"
        self.explanation = self.convert([])

    def convert(self, arguments):
        """Writes plan and report; returns the explanation."""
        return self.programs.run("linnet", ["convert", self.path, "-o", self.plan, "--place", "vulkan", "--explain-placement",
                                            "--report", self.report, *arguments])

    def run(self, arguments):
        return self.programs.run("linnet-run", [self.plan, "--backend", "vulkan", "--json", *arguments])

    def estimate_ms(self, profile):
        self.convert(["--device-profile", profile])
        return json.loads(self.report.read_text())["placement"]["estimated_us"] / 1e3

    def measure_ms(self):
        return json.loads(self.run(["--bench", "--warmup", "1", "--runs", "3"]))["median_ms"]

    def check_reasons(self):
        steps = json.loads(self.report.read_text())["placement"]["devices"]
        wanted, found = sum(device["steps"] for device in steps), STEP.findall(self.explanation)
        if len(found) != wanted or wanted == 0:
            sys.exit(f"{self.path.name}: {len(found)} of {wanted} steps have a reason:\n{self.explanation}")

    def check_step_times(self):
        shares = []
        for _ in range(ATTEMPTS):
            run = json.loads(self.run(["--profile", "--bench", "--warmup", "1", "--runs", "1"]))
            shares.append(sum(step["median_us"] for step in run["steps"]) / (run["median_ms"] * 1e3))
            if 0.9 <= shares[-1] <= 1.01:
                return
        sys.exit(f"{self.path.name}: the steps' times are these shares of the run: {shares}")


class Programs:
    def __init__(self, folder):
        self.folder = folder

    def run(self, name, arguments):
        result = subprocess.run([self.folder / name, *arguments], capture_output=True, text=True)
        if "note: the CPU runs the plan" in result.stderr:
            sys.exit(result.stderr)  # with the reason, for which the test is skipped
        if result.returncode != 0:
            sys.exit(f"{name}: exit {result.returncode}\n{result.stderr}")
        return result.stdout


def check_estimates(models, profile):
    wrong = {}
    for _ in range(ATTEMPTS):
        models[0].run(["--runs", "5", "--warmup", "1", "--measure-device", profile])
        rates = json.loads(profile.read_text())
        for device in rates["devices"].values():
            del device["nodes"]
        profile.write_text(json.dumps(rates))
        wrong = {}
        for model in models:
            estimated, measured = model.estimate_ms(profile), model.measure_ms()
            print(f"{model.path.stem}: estimated {estimated:.1f} ms, measured {measured:.1f} ms")
            if not 0.5 <= estimated / measured <= 2:
                wrong[model.path.stem] = (estimated, measured)
        if not wrong:
            return
    sys.exit(f"estimates and times in ms: {wrong}\n{profile.read_text()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        models = [Model(Programs(arguments.bin), path, folder) for path in arguments.models]
        models[0].check_step_times()
        for model in models:
            model.check_reasons()
        check_estimates(models, folder / "profile.json")


if __name__ == "__main__":
    main()

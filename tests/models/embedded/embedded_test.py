#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds Linnet for small programs and the project beside this file with it, runs the programs, and measures their code.

  embedded_test.py --source DIR --build DIR --work DIR --bin DIR --plans DIR [--budget BUDGET.txt [--update]]
                   [--configure=OPTION]... [--emulator=WORD]...

--build: where Linnet is built (MinSizeRel, static, without GPUs); --work: what is installed and built with it; --bin: the folder of
`linnet` and `linnet-run`; --plans: that of the plans. The sizes are printed, and with --budget compared with it. For another machine:
--configure, options for CMake, and --emulator, the words of the command that runs programs."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import budget_test

OPTIONS = ["-DCMAKE_BUILD_TYPE=MinSizeRel", "-DBUILD_SHARED_LIBS=OFF", "-DLINNET_VULKAN=off", "-DLINNET_BUILD_CONVERTER=OFF",
           "-DLINNET_BUILD_TESTS=OFF", "-DLINNET_BUILD_TOOLS=OFF", "-DLINNET_CCACHE=ON"]
PROGRAMS = ("core", "liveness", "movenet")


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, check=False, **options)
    if result.returncode != 0:
        sys.exit(f"failed ({result.returncode}): {command}\n{result.stdout.decode(errors='replace')}"
                 f"{result.stderr.decode(errors='replace')}")
    return result.stdout


def build(arguments):
    run("cmake", "-G", "Ninja", "-S", arguments.source, "-B", arguments.build, *OPTIONS, *arguments.configure)
    run("cmake", "--build", arguments.build, "--target", "linnet")
    prefix, programs = arguments.work / "prefix", arguments.work / "programs"
    run("cmake", "--install", arguments.build, "--prefix", prefix)
    run("cmake", "-G", "Ninja", "-S", pathlib.Path(__file__).parent, "-B", programs, "-DCMAKE_BUILD_TYPE=MinSizeRel",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_FIND_ROOT_PATH={prefix}", f"-DLINNET_PROGRAM={arguments.bin / 'linnet'}",
        f"-DPLANS={arguments.plans}", *arguments.configure)
    run("cmake", "--build", programs)
    return programs


def build_readme(arguments):
    """The lines of cmake in README.md, as they stand there, in a project with what they take as given: the target and the plans."""
    lines, = re.findall(r"^```cmake\n(.*?)^```$", (arguments.source / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    here, project = pathlib.Path(__file__).parent, arguments.work / "readme"
    project.mkdir(exist_ok=True)
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(Readme LANGUAGES C CXX)\n"
                                            f"add_executable(app {here / 'run_embedded.c'})\nadd_executable(file_app {here / 'run_file.c'})\n"
                                            f"{lines}target_link_libraries(file_app PRIVATE face_ops)\n")
    plans = arguments.source / "tests/golden/plans"
    for name, plan in (("liveness", arguments.plans / "liveness.linnet"), ("face", plans / "small.linnet"), ("iris", plans / "large.linnet")):
        shutil.copyfile(plan, project / f"{name}.linnet")
    prefix, programs = arguments.work / "prefix", project / "build"
    run("cmake", "-G", "Ninja", "-S", project, "-B", programs, "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_FIND_ROOT_PATH={prefix}", f"-DLINNET_PROGRAM={arguments.bin / 'linnet'}", *arguments.configure)
    run("cmake", "--build", programs)
    for name in ("face", "iris"):
        run(*arguments.emulator, programs / "file_app", project / f"{name}.linnet")
    check_refused([*arguments.emulator, programs / "file_app", plans / "strips.linnet"], 2, "has no steps that run in strips",
                  "linked for face.linnet, iris.linnet")


def check_answer(arguments, programs):
    """The embedded model, also with plain weights, and linnet-run, on the same noise."""
    image = np.random.default_rng(7).random((1, 32, 32, 3), np.float32)
    np.save(arguments.work / "image.npy", image)
    plan, outputs = arguments.plans / "liveness.linnet", arguments.work / "outputs"
    name = next(line.split()[1] for line in run(arguments.bin / "linnet", "inspect", plan).decode().splitlines()
                if line.startswith("input"))
    run(arguments.bin / "linnet-run", plan, "--backend", "portable", "--input", f"{name}={arguments.work / 'image.npy'}",
        "--output-dir", outputs)
    want = np.load(next(outputs.glob("*.npy")))
    for name in ("embedded", "plain"):
        got = np.frombuffer(run(*arguments.emulator, programs / name, input=image.tobytes()), np.float32).reshape(want.shape)
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6, err_msg=name)
    if np.ptp(want) == 0 and want.size > 1:
        sys.exit("the model answers the same everywhere, so this test shows nothing")


def check_refused(command, exit_code, *parts, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, check=False, **options)
    text = result.stderr.decode(errors="replace")
    if result.returncode != exit_code or any(part not in text for part in parts):
        sys.exit(f"{command}: exit {result.returncode}, want {exit_code} and {parts}:\n{text}")


def check_other_plans(arguments, programs):
    """A program refuses plans of other programs, and says which ops or what else it lacks, and what it was linked for."""
    liveness = [*arguments.emulator, programs / "liveness"]
    run(*liveness, arguments.plans / "liveness.linnet")
    golden = arguments.source / "tests" / "golden" / "plans"
    check_refused([*liveness, golden / "large.linnet"], 2, "has no op ", "DepthwiseConv2D", "linked for liveness.linnet")
    check_refused([*liveness, golden / "strips.linnet"], 2, "has no steps that run in strips", "linked for liveness.linnet")
    check_refused([*liveness, golden / "loop.linnet"], 2, "has no loops and branches", "linked for liveness.linnet")
    check_refused([*liveness, golden / "varying.linnet"], 2, "has no extents that vary", "linked for liveness.linnet")
    check_refused([*arguments.emulator, programs / "embedded", "2"], 3, "linked for one thread", input=bytes(32 * 32 * 3 * 4))


def code_bytes(program):
    """Code and constants of a program, with what the linker adds, but without libraries."""
    table = run("size", program).decode().splitlines()
    return int(table[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "build", "work", "bin", "plans"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("configure", "emulator"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--budget", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the budget instead")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    programs = build(arguments)
    build_readme(arguments)
    check_answer(arguments, programs)
    check_other_plans(arguments, programs)
    if (programs / "movenet").exists():
        run(*arguments.emulator, programs / "movenet", arguments.plans / "movenet-lightning.linnet")
    measured = {f"small/{name}": {"code": code_bytes(programs / name)}
                for name in PROGRAMS if (programs / name).exists()}
    print("\n".join(budget_test.line(name, values) for name, values in measured.items()))
    if not arguments.budget:
        return
    budget = budget_test.read_budget(arguments.budget)
    if arguments.update:
        budget_test.write_budget(arguments.budget, {**budget, **measured})
        return
    problems = budget_test.check_budget(budget, measured)
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()

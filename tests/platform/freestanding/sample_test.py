#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs Linnet, builds platform/freestanding/sample with it as its own project does, and runs the image as image_test.py does.

  sample_test.py --source DIR --build DIR --work DIR --toolchain FILE --linnet PROGRAM --linnet-run PROGRAM --plan PLAN --machine MACHINE
                 [OPTION for CMake...]
"""
import argparse
import pathlib
import subprocess
import sys


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"failed ({result.returncode}): {command}\n{result.stdout}{result.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "build", "work", "toolchain", "linnet", "linnet-run", "plan"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--machine", required=True)
    arguments, options = parser.parse_known_args()
    prefix, sample = arguments.work / "prefix", arguments.work / "sample"
    run("cmake", "--install", arguments.build, "--prefix", prefix)
    run("cmake", "-G", "Ninja", "-S", arguments.source / "platform/freestanding/sample", "-B", sample, "--toolchain", arguments.toolchain,
        "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DLINNET_PROGRAM={arguments.linnet}", f"-DPLAN={arguments.plan}",
        f"-DLINKER_SCRIPT={arguments.machine}.ld", *options)
    run("cmake", "--build", sample)
    sys.exit(subprocess.run([sys.executable, "-B", pathlib.Path(__file__).with_name("image_test.py"), "--image", sample / "firmware.elf",
                             "--machine", arguments.machine, "--plan", arguments.plan, "--linnet-run", arguments.linnet_run],
                            check=False).returncode)


if __name__ == "__main__":
    main()

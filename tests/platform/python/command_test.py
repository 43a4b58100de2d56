# SPDX-License-Identifier: Apache-2.0
"""The command `linnet` that the package installs, here as `python -m linnet`."""
import signal
import subprocess
import sys

import pytest

from conftest import REFUSED, RELU


def linnet(*arguments, **keywords):
    return subprocess.run([sys.executable, "-m", "linnet", *map(str, arguments)], capture_output=True, text=True, **keywords)


def test_converts_and_inspects(model, tmp_path):
    done = linnet("convert", model(RELU), "-o", tmp_path / "m.linnet")
    assert done.returncode == 0 and "lower bound" in done.stdout and done.stderr == ""
    done = linnet("inspect", tmp_path / "m.linnet", "--verify-hash")
    assert done.returncode == 0 and "hash is right" in done.stdout
    assert linnet("bisect", tmp_path / "m.linnet", "--against", "portable").returncode == 0


def test_exit_codes(model, tmp_path):
    assert linnet("--help").returncode == 0
    assert linnet("frobnicate").returncode == 1
    done = linnet("convert", model(REFUSED), "-o", tmp_path / "m.linnet")
    assert done.returncode == 2 and "2 problems, no plan written" in done.stderr.splitlines()[-1]
    assert linnet("convert", model(RELU), "-o", tmp_path / "no/m.linnet").returncode == 3


def test_a_reader_that_goes_away_ends_it(tmp_path):
    done = subprocess.run(f"{sys.executable} -m linnet ops | true; exit ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash",
                          capture_output=True, text=True)
    assert done.returncode in (0, 128 + signal.SIGPIPE) and done.stderr == ""


def test_running_plans_loads_no_converter():
    code = "import linnet, sys; sys.exit('linnet._converter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("module", ["_runtime", "_converter"])
def test_modules_export_nothing_else(module):
    code = f"import linnet._load as load; load.converter(); import linnet.{module} as m; print(m.__file__)"
    path = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    symbols = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=just-symbols", path], capture_output=True, text=True,
                             check=True).stdout.split()
    assert symbols == [f"PyInit_{module}"]

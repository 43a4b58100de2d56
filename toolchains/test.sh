#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds and runs all tests but those that need TensorFlow (tests/README.md).
# Usage: toolchains/test.sh [PRESET]...   (default: release; others: portable dev tsan fuzz)
set -euo pipefail
cd "$(dirname "$0")/.."
# One cache serves every clone: paths are hashed relative to it.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
./toolchains/setup.sh all

presets=("$@")
[[ ${#presets[@]} -gt 0 ]] || presets=(release)
# ctest's summary closes the output, so what each step took is printed in front of it.
times=""
for preset in "${presets[@]}"; do
  echo "== $preset: configure and build"
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
  rm -f "build-$preset.log"
  started=$SECONDS
  cmake --build --preset "$preset"
  times+="$preset built in $((SECONDS - started)) s"
  echo "== $preset: test; $times; minute $((SECONDS / 60)) since the start"
  tested=$SECONDS
  ctest --test-dir "build/$preset" --output-on-failure --parallel "$(nproc)" --label-exclude tensorflow
  times+=", tested in $((SECONDS - tested)) s; "
done

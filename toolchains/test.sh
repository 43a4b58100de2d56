#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds and runs all tests except those that need TensorFlow and, on ARM boards, the largest models,
# which take ten minutes in an emulator (labels `tensorflow` and `long` in tests/README.md).
# Usage: toolchains/test.sh [PRESET]...   (default: release; others: portable dev tsan fuzz arm64 arm64-debian13 armhf wasm cortex-m)
# LINNET_HOST_LINNET, if set, is the `linnet` that converts models for presets without one; else the release build is, if it comes first.
# LINNET_STARTED, if set, is when a calling script started, in seconds since the epoch: minutes are counted from then.
set -euo pipefail
cd "$(dirname "$0")/.."
began="${LINNET_STARTED:-$EPOCHSECONDS}"
# Paths are hashed relative to the clone, so that all clones share one ccache.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
./toolchains/setup.sh all

presets=("$@")
[[ ${#presets[@]} -gt 0 ]] || presets=(release)
# ctest's summary is the end of the output, so the time of each earlier step is printed before ctest runs.
times="" host_linnet="${LINNET_HOST_LINNET:-}"
for preset in "${presets[@]}"; do
  if [[ "$preset" == arm* ]]; then ./toolchains/setup.sh boards; fi
  if [[ "$preset" == wasm ]]; then ./toolchains/setup.sh web; fi
  if [[ "$preset" == cortex-m* ]]; then ./toolchains/setup.sh microcontroller; fi
  echo "== $preset: configure and build"
  options=()
  # Where another build converts the models, the release build can.
  if [[ "$preset" =~ ^(arm|wasm|cortex-m|tsan) && -n "$host_linnet" ]]; then options=("-DLINNET_HOST_LINNET=$host_linnet"); fi
  cmake --preset "$preset" "${options[@]}" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
  rm -f "build-$preset.log"
  started=$SECONDS
  cmake --build --preset "$preset"
  times+="$preset built in $((SECONDS - started)) s"
  echo "== $preset: test; $times; minute $(((EPOCHSECONDS - began) / 60)) since the start"
  tested=$SECONDS
  # Of a program with many tests, only what failed is printed.
  GTEST_BRIEF=1 ctest --test-dir "build/$preset" --output-on-failure --parallel "$(nproc)" --timeout 900 --label-exclude 'tensorflow|long'
  times+=", tested in $((SECONDS - tested)) s; "
  if [[ "$preset" == release ]]; then host_linnet=$PWD/build/release/bin/linnet; fi
done

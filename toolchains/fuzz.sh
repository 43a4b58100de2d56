#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lets fuzz targets search for new failing inputs (libFuzzer; needs clang).
# Usage: toolchains/fuzz.sh [SECONDS [TARGET]...]   (default: every target, 60 s each)
# Failing inputs are kept in build/fuzz/found/; the exit status is then 1.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
targets=("${@:2}")
./toolchains/setup.sh all
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
made=build/fuzz/tests/fuzz/seeds
build/fuzz/bin/make_seeds "$made"
if [[ ${#targets[@]} -eq 0 ]]; then
  for path in build/fuzz/bin/fuzz_*; do targets+=("${path##*/}"); done
fi

mkdir -p build/fuzz/found
broken=()
for target in "${targets[@]}"; do
  corpus="build/fuzz/corpus/$target"
  mkdir -p "$corpus"
  seeds=()
  for folder in "$made/$target" "tests/fuzz/seeds/$target"; do
    [[ -d $folder ]] && seeds+=("$folder")
  done
  dictionary=()
  case $target in
    fuzz_graphdef | fuzz_pbtxt | fuzz_tfjs | fuzz_convert | fuzz_saved_model*) dictionary=(-dict=tests/fuzz/import.dict) ;;
  esac
  # Seeds of other targets that have the same format.
  case $target in
    fuzz_convert) seeds+=("$made/fuzz_graphdef" "$made/fuzz_pbtxt" tests/fuzz/seeds/fuzz_graphdef tests/fuzz/seeds/fuzz_pbtxt) ;;
    fuzz_plan_structure | fuzz_inspect) seeds+=("$made/fuzz_plan" tests/fuzz/seeds/fuzz_plan) ;;
    fuzz_saved_model_run) seeds+=("$made/fuzz_saved_model") ;;
  esac
  echo "== $target: $seconds s"
  "build/fuzz/bin/$target" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -max_len=65536 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/found/$target-" "${dictionary[@]}" "$corpus" "${seeds[@]}" ||
    broken+=("$target")
done
if [[ ${#broken[@]} -gt 0 ]]; then
  echo "found by ${broken[*]}: build/fuzz/found/" >&2
  exit 1
fi

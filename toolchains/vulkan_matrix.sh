#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs everything that is said to hold for the Vulkan backend on the drivers in software, which takes an hour or more: all
# conformance cases on lavapipe with subgroups of 4, 8 and 16 threads and on SwiftShader, the same under the validation layer,
# models, each barrier left out in turn, and many damaged plans. Prints a table of what ran, was skipped and failed, with the
# reasons of what was skipped. ctest runs a part of this (tests/conformance/README.md).
# Usage: toolchains/vulkan_matrix.sh [--build FOLDER] [--dev FOLDER] [CELL...]
#   CELL  a row of the table, or a pattern of rows: 'conformance.*', '*.swiftshader'; default: all
# The folders have builds of the presets release and dev (build/release, build/dev); damaged plans are tried with the latter.
# Models are those of LINNET_MODELS_DIR (build/models); logs are in build/release/vulkan_matrix.
set -uo pipefail
cd "$(dirname "$0")/.."

build=build/release
dev=build/dev
while [[ "${1:-}" == --* ]]; do
  case "$1" in
    --build) build=$2 ;;
    --dev) dev=$2 ;;
    *) echo "usage: toolchains/vulkan_matrix.sh [--build FOLDER] [--dev FOLDER] [CELL...]" >&2; exit 1 ;;
  esac
  shift 2
done
wanted=("$@")
[[ ${#wanted[@]} -gt 0 ]] || wanted=('*')
models="${LINNET_MODELS_DIR:-build/models}"
drivers=$(toolchains/vulkan_drivers.sh --print)
logs="$build/vulkan_matrix"
mkdir -p "$logs"
logs=$(realpath "$logs")
build=$(realpath "$build")
export LINNET_VULKAN_DRIVERS="$drivers" MESA_SHADER_CACHE_DIR="${MESA_SHADER_CACHE_DIR:-$build/mesa}"

modes=(vulkan vulkan_half vulkan_native_half)  # the runners of conformance_test, one for each precision
# Models that SwiftShader runs in seconds, and those of which lavapipe's commands are looked at.
small_models=(antispoof liveness iris emotion blazeface)
layered_models=(antispoof blazeface emotion facemesh iris liveness)
mutants=10000

lavapipe() { echo "VK_ICD_FILENAMES=$(ls /usr/share/vulkan/icd.d/lvp_icd.*.json 2>/dev/null | head -1)"; }
swiftshader() { echo "VK_ICD_FILENAMES=$drivers/vk_swiftshader_icd.json"; }
# With the layer, what it finds is written to the log as "Validation Error".
layer=("VK_LAYER_PATH=$drivers" VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_ENABLE_MESSAGE_LIMIT=0)
# Without the second of these the layer ignores what shaders do to buffers.
synchronised=("${layer[@]}" VK_LAYER_VALIDATE_SYNC=1 VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC=1)
# GPU-assisted. In its safe mode drivers would compile for hours.
assisted=("${layer[@]}" VK_LAYER_VALIDATE_CORE=0 VK_LAYER_GPUAV_ENABLE=1 VK_LAYER_GPUAV_SAFE_MODE=0)

rows=()
failed_rows=0
skip_row() { rows+=("$(printf '%-40s %7s %8s %7s %6s  %s' "$1" - - - - "skipped: $2")"); }

is_wanted() {
  local pattern
  for pattern in "${wanted[@]}"; do
    # shellcheck disable=SC2053  # a pattern
    [[ "$1" == $pattern ]] && return 0
  done
  return 1
}

# Why a row cannot run; empty: it can.
why_not() {
  local icd
  for setting in "$@"; do
    case "$setting" in
      VK_ICD_FILENAMES=*)
        icd=${setting#*=}
        [[ -f "$icd" ]] || { echo "no driver ${icd:-lavapipe}"; return; } ;;
      VK_LAYER_PATH=*) [[ -f "$drivers/VkLayer_khronos_validation.json" ]] || { echo "no validation layer"; return; } ;;
    esac
  done
}

# cell NAME [SETTING...] -- COMMAND...: runs one row. The counts are those of googletest where the command uses it, else one.
cell() {
  local name=$1 settings=() reason status started=$SECONDS log ran skipped failed complaints
  shift
  while [[ "$1" != -- ]]; do settings+=("$1"); shift; done
  shift
  is_wanted "$name" || return 0
  reason=$(why_not "${settings[@]}")
  [[ "$1" == bash || -x "$1" ]] || reason="no $1"
  if [[ -n "$reason" ]]; then
    skip_row "$name" "$reason"
    return 0
  fi
  log="$logs/$name.log"
  env "${settings[@]}" "$@" >"$log" 2>&1
  status=$?
  if grep -q '^\[==========\]' "$log"; then
    ran=$(grep -c '^\[       OK \]' "$log")
    skipped=$(grep -c '^\[  SKIPPED \] .* ms)' "$log")
    failed=$(grep -c '^\[  FAILED  \] .* ms)' "$log")
  else
    ran=1 skipped=0 failed=0
  fi
  complaints=$(grep -c 'Validation Error' "$log")
  [[ $status -eq 0 || $failed -gt 0 ]] || failed=1
  [[ $status -eq 0 && $complaints -eq 0 && $ran -gt 0 ]] || failed_rows=$((failed_rows + 1))
  local remark=""
  [[ $complaints -eq 0 ]] || remark="the layer complains $complaints times"
  [[ $status -lt 124 ]] || remark+=" exit status $status"
  rows+=("$(printf '%-40s %7d %8d %7d %5ds  %s' "$name" "$ran" "$skipped" "$failed" $((SECONDS - started)) "$remark")")
  echo "${rows[-1]}"
}

bin="$build/bin"
for mode in "${modes[@]}"; do
  "$bin/conformance_test" --gtest_list_tests --gtest_filter="Clamp.*/$mode" 2>/dev/null | grep -q "/$mode" || continue
  only=(--gtest_filter="*/$mode")
  for threads in 4 8 16; do
    cell "conformance.$mode.lavapipe_$threads" "$(lavapipe)" LP_NATIVE_VECTOR_WIDTH=$((threads * 32)) -- \
      "$bin/conformance_test" "${only[@]}"
  done
  cell "conformance.$mode.swiftshader" "$(swiftshader)" -- "$bin/conformance_test" "${only[@]}"
  for driver in lavapipe swiftshader; do
    cell "synchronisation.$mode.$driver" "$($driver)" "${synchronised[@]}" -- "$bin/conformance_test" "${only[@]}"
  done
  # The layer turns itself off on SwiftShader.
  cell "inside_shaders.$mode.lavapipe" "$(lavapipe)" "${assisted[@]}" LINNET_VULKAN_VARIANTS=1 -- \
    "$bin/conformance_test" "${only[@]}"
done
for driver in lavapipe swiftshader; do
  cell "chains.$driver" "$($driver)" -- "$bin/gpu_chains_test"
  cell "large_shapes.$driver" "$($driver)" -- "$bin/gpu_shapes_test"
  for test in device faults packed_weights segment validation; do
    cell "$test.$driver" "$($driver)" -- "$bin/runtime_vulkan_${test}_test"
  done
done

# Converts a model once; prints the plan.
plan_of() {
  local plan="$logs/$1.linnet"
  [[ -f "$plan" && "$plan" -nt "$bin/linnet" ]] ||
    "$bin/linnet" convert "$2" -o "$plan" --place vulkan >"$logs/$1.convert.log" 2>&1 || rm -f "$plan"
  echo "$plan"
}
# The outputs of the CPU and of the GPU, of random inputs.
on_both() {
  rm -rf "$2" && mkdir -p "$2"
  "$bin/linnet-run" "$1" --backend cpu --threads 2 --output-dir "$2/cpu" || return 1
  "$bin/linnet-run" "$1" --backend vulkan --output-dir "$2/gpu" | tee "$2/gpu.log" || return 1
  grep -q '(vulkan,' "$2/gpu.log" || return 1  # else the CPU compared with itself
  "$python" tests/golden/compare.py --tolerance 1e-3 "$2/cpu" "$2/gpu"
}
python=python3  # the first in PATH may lack numpy, which Debian installs for /usr/bin/python3
python3 -c "import numpy" 2>/dev/null || python=/usr/bin/python3
export -f on_both
export bin python
for model in "${small_models[@]}"; do
  is_wanted "models.swiftshader.$model" || continue
  if [[ ! -f "$models/human/$model.json" ]]; then
    skip_row "models.swiftshader.$model" "no $models/human/$model.json"
    continue
  fi
  cell "models.swiftshader.$model" "$(swiftshader)" -- \
    bash -c 'on_both "$1" "$2"' on_both "$(plan_of "$model" "$models/human/$model.json")" "$logs/$model.outputs"
done
for model in "${layered_models[@]}"; do
  is_wanted "synchronisation.$model.lavapipe" && [[ -f "$models/human/$model.json" ]] || continue
  cell "synchronisation.$model.lavapipe" "$(lavapipe)" "${synchronised[@]}" -- \
    "$bin/linnet-run" "$(plan_of "$model" "$models/human/$model.json")" --backend vulkan
done

nets=()
! is_wanted barriers.lavapipe || [[ ! -f "$models/keras/mobilenet_v2.pb" ]] || nets+=("$(plan_of mobilenet_v2 "$models/keras/mobilenet_v2.pb")")
plans="$dev/tests/fuzz/seeds/vulkan_plans"
! is_wanted mutants.lavapipe || [[ ! -x "$dev/bin/make_seeds" ]] || "$dev/bin/make_seeds" "$dev/tests/fuzz/seeds"
for driver in lavapipe swiftshader; do
  cell "profiles.$driver" "$($driver)" -- "$bin/vulkan_profiles_test"
  cell "barriers.$driver" "$($driver)" -- "$bin/vulkan_barriers_test" "${nets[@]}"
  cell "mutants.$driver" "$($driver)" -- "$dev/bin/vulkan_mutants" "$mutants" "$plans"
done
# Here the layer sees each access outside of a window.
cell "mutants_inside_shaders.lavapipe" "$(lavapipe)" "${assisted[@]}" -- "$dev/bin/vulkan_mutants" $((mutants / 10)) "$plans"

printf '\n%-40s %7s %8s %7s %6s\n' "" ran skipped failed time
printf '%s\n' "${rows[@]}"
echo
echo "Why conformance cases were skipped, in the first row of each driver:"
for driver in lavapipe_4 swiftshader; do
  first=$(find "$logs" -name "conformance.*.$driver.log" | sort | head -1)
  [[ -z "$first" ]] || awk -v driver="$driver" '
    /^\[ RUN/ { op = $4; sub(/\..*/, "", op) }
    was_skipped { count[op ": " $0]++ }
    { was_skipped = /: Skipped$/ }
    END { for (why in count) printf "%6d  %s  %s\n", count[why], driver, why }' "$first" | sort -rn
done
if [[ $failed_rows -gt 0 ]]; then
  echo "$failed_rows rows failed; logs: $logs"
  exit 1
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the shaders of the Vulkan backend, in each of their modes, to the packed SPIR-V that is checked in, so that building
# Linnet needs neither a shader compiler nor Python.
# Only Debian 12's glslc gives the same words on every machine; other versions compile, but their result must not be committed.
# Usage: toolchains/shaders.sh [--check] [NAME...]   (NAME: a row of shaders.def; none: all rows)
#   --check  changes nothing; fails when a file in spirv/ is missing, left over or differs from what its shader gives
set -euo pipefail
cd "$(dirname "$0")/../runtime/backends/vulkan"
pack=../../../toolchains/pack_spirv.py

check=0
if [[ "${1:-}" == --check ]]; then
  check=1
  shift
fi
skip() {
  echo "shaders: $1"
  [[ $check == 1 ]] && exit 0
  exit 1
}
for tool in glslc spirv-opt spirv-val python3; do
  command -v "$tool" >/dev/null || skip "not compiled, because $tool is not installed (Debian: glslc, spirv-tools, python3)"
done
if [[ "$(glslc --version)" != "shaderc 2023.2-1"* ]]; then
  [[ $check == 1 ]] && skip "not compared, because this is not glslc 2023.2 of Debian 12"
  echo "shaders: warning: this is not glslc 2023.2 of Debian 12, do not commit the result" >&2
fi

# name.mode for each mode of the shaders given; of all without arguments
modules() {
  sed -n 's/^LINNET_SHADER(\([a-z0-9_, ]*\)).*/\1/p' shaders.def | tr -d , | while read -r name modes; do
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    for mode in $modes; do echo "$name.$mode"; done
  done
}
mapfile -t chosen < <(modules "$@")
[[ ${#chosen[@]} -gt 0 ]] || { echo "shaders: shaders.def has no row for $*" && exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p spirv
files=()
for module in "${chosen[@]}"; do
  name=${module%.*} mode=${module##*.}
  glslc --target-env=vulkan1.1 -O -Werror "-DLINNET_${mode^^}" "shaders/$name.comp" -o "$work/full"
  spirv-opt --strip-debug "$work/full" -o "$work/$module.spv"
  files+=("$work/$module.spv")
done
python3 "$pack" spirv_ops.def "${files[@]}"
wrong=0
for module in "${chosen[@]}"; do
  name=${module%.*}
  spirv-val --target-env vulkan1.1 "$work/$module.spv"
  {
    echo "// SPDX-License-Identifier: Apache-2.0"
    echo "// Made from shaders/$name.comp by toolchains/shaders.sh."
    cat "$work/$module.inc"
  } >"$work/file"
  cmp -s "$work/file" "spirv/$module.inc" && continue
  if [[ $check == 1 ]]; then
    echo "shaders: spirv/$module.inc is not what shaders/$name.comp compiles to: run toolchains/shaders.sh $name"
    wrong=1
  else
    cp "$work/file" "spirv/$module.inc"
    echo "shaders: wrote spirv/$module.inc"
  fi
done
if [[ $# -eq 0 ]]; then
  for file in spirv/*.inc; do
    module=$(basename "$file" .inc)
    [[ " ${chosen[*]} " == *" $module "* ]] && continue
    echo "shaders: $file has no row in shaders.def"
    wrong=1
  done
fi
exit $wrong

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the shaders of the Vulkan backend to the SPIR-V that is checked in, so that building Linnet needs no shader compiler.
# Only Debian 12's glslc gives the same words on every machine; other versions compile, but their result must not be committed.
# Usage: toolchains/shaders.sh [--check] [NAME...]   (NAME: a row of shaders.def; none: all rows)
#   --check  changes nothing; fails when a file in spirv/ is missing, left over or differs from its shader
set -euo pipefail
cd "$(dirname "$0")/../runtime/backends/vulkan"

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
for tool in glslc spirv-opt spirv-val; do
  command -v "$tool" >/dev/null || skip "not compiled, because $tool is not installed (Debian: glslc, spirv-tools)"
done
if [[ "$(glslc --version)" != "shaderc 2023.2-1"* ]]; then
  [[ $check == 1 ]] && skip "not compared, because this is not glslc 2023.2 of Debian 12"
  echo "shaders: warning: this is not glslc 2023.2 of Debian 12, do not commit the result" >&2
fi

mapfile -t all < <(sed -n 's/^LINNET_SHADER(\([a-z0-9_]*\)).*/\1/p' shaders.def)
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=("${all[@]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p spirv
wrong=0
for name in "${names[@]}"; do
  glslc --target-env=vulkan1.1 -O -Werror "shaders/$name.comp" -o "$work/$name.full"
  spirv-opt --strip-debug "$work/$name.full" -o "$work/$name.spv"
  spirv-val --target-env vulkan1.1 "$work/$name.spv"
  {
    echo "// SPDX-License-Identifier: Apache-2.0"
    echo "// Made from shaders/$name.comp by toolchains/shaders.sh."
    od -An -v -tx4 -w32 "$work/$name.spv" | sed 's/ *$//; s/ \([0-9a-f]\{8\}\)/0x\1, /g; s/ $//'
  } >"$work/$name.inc"
  cmp -s "$work/$name.inc" "spirv/$name.inc" && continue
  if [[ $check == 1 ]]; then
    echo "shaders: spirv/$name.inc is not what shaders/$name.comp compiles to: run toolchains/shaders.sh $name"
    wrong=1
  else
    cp "$work/$name.inc" "spirv/$name.inc"
    echo "shaders: wrote spirv/$name.inc"
  fi
done
if [[ $# -eq 0 ]]; then
  for file in spirv/*.inc; do
    name=$(basename "$file" .inc)
    [[ " ${all[*]} " == *" $name "* ]] && continue
    echo "shaders: $file has no row in shaders.def"
    wrong=1
  done
fi
exit $wrong

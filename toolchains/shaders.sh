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

mapfile -t all < <(sed -n 's/^LINNET_\(FLOAT_\)\?SHADER(\([a-z0-9_]*\)).*/\2/p' shaders.def)
# Those with a second module, which keeps floats in 16 bits.
mapfile -t halves < <(sed -n 's/^LINNET_FLOAT_SHADER(\([a-z0-9_]*\)).*/\1/p' shaders.def)
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=("${all[@]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p spirv
wrong=0
# compile NAME MODULE [FLAG]...: the module spirv/MODULE.inc of shaders/NAME.comp
compile() {
  local name=$1 module=$2
  glslc --target-env=vulkan1.1 -O -Werror "${@:3}" "shaders/$name.comp" -o "$work/$module.full"
  spirv-opt --strip-debug "$work/$module.full" -o "$work/$module.spv"
  spirv-val --target-env vulkan1.1 "$work/$module.spv"
  {
    echo "// SPDX-License-Identifier: Apache-2.0"
    echo "// Made from shaders/$name.comp by toolchains/shaders.sh."
    od -An -v -tx4 -w32 "$work/$module.spv" | sed 's/ *$//; s/ \([0-9a-f]\{8\}\)/0x\1, /g; s/ $//'
  } >"$work/$module.inc"
  cmp -s "$work/$module.inc" "spirv/$module.inc" && return
  if [[ $check == 1 ]]; then
    echo "shaders: spirv/$module.inc is not what shaders/$name.comp compiles to: run toolchains/shaders.sh $name"
    wrong=1
  else
    cp "$work/$module.inc" "spirv/$module.inc"
    echo "shaders: wrote spirv/$module.inc"
  fi
}
for name in "${names[@]}"; do
  compile "$name" "$name"
  if [[ " ${halves[*]} " == *" $name "* ]]; then compile "$name" "${name}_half" -DLINNET_HALF; fi
done
if [[ $# -eq 0 ]]; then
  for file in spirv/*.inc; do
    name=$(basename "$file" .inc)
    [[ " ${all[*]} ${halves[*]/%/_half} " == *" $name "* ]] && continue
    echo "shaders: $file has no row in shaders.def"
    wrong=1
  done
fi
exit $wrong

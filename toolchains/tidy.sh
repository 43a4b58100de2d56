#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on the sources that changed since the commit BASE, or on all of them.
# Usage: toolchains/tidy.sh [--all | BASE]   (default: the merge base with origin/main, else the previous commit)
set -euo pipefail
cd "$(dirname "$0")/.."
sources=('runtime/*.cc' 'converter/*.cc' 'platform/*.cc')

base_of_branch() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  [[ -n "$base" && "$base" != "$(git rev-parse HEAD)" ]] || base=$(git rev-parse --verify -q HEAD~1 || true)
  echo "$base"
}

if [[ "${1:-}" == --all ]]; then
  mapfile -t units < <(git ls-files -- "${sources[@]}")
else
  base="${1:-$(base_of_branch)}"
  if [[ -z "$base" ]]; then
    echo "clang-tidy: SKIPPED, there is no commit to compare with (toolchains/tidy.sh --all checks all files)"
    exit 0
  fi
  mapfile -t units < <(git diff --name-only --diff-filter=d "$base" -- "${sources[@]}")
fi
echo "clang-tidy: ${#units[@]} files"
[[ ${#units[@]} -gt 0 ]] || exit 0

# Every file is compiled for itself: not a few at a time, as the presets do, and without precompiled headers, which only GCC can
# read. So a missing #include is found here. The generated headers are those of the release build.
cmake --preset release >/dev/null
cmake --build --preset release --target linnet_schema_headers linnet_tf_protos >/dev/null
cmake --preset release -B build/tidy -DCMAKE_UNITY_BUILD=OFF -DLINNET_PRECOMPILE=OFF >/dev/null
sed -i "s|$PWD/build/tidy/generated|$PWD/build/release/generated|g" build/tidy/compile_commands.json
printf '%s\n' "${units[@]}" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option

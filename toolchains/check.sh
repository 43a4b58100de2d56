#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a change must pass before it lands, quick things first: formatting, licence lines, clang-tidy on
# what changed, build, tests. Usage: toolchains/check.sh [BASE]   (default base: origin/main or HEAD~1)
set -euo pipefail
cd "$(dirname "$0")/.."
base="${1:-$(git rev-parse --verify -q origin/main || git rev-parse HEAD~1)}"

echo "== licence lines and formatting"
./toolchains/format.sh

changed() { git diff --name-only --diff-filter=d "$base" -- "$@"; }

echo "== clang-tidy"
mapfile -t units < <(changed 'runtime/*.cc' 'converter/*.cc' 'platform/*.cc')
if [[ ${#units[@]} -gt 0 ]]; then
  # A build folder of its own: clang-tidy cannot read GCC's precompiled headers.
  cmake --preset release -B build/tidy -DLINNET_PRECOMPILE=OFF >/dev/null
  cmake --build build/tidy --target linnet_schema_headers linnet_tf_protos
  clang-tidy -p build/tidy --quiet "${units[@]}"
fi

./toolchains/test.sh release

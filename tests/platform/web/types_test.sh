#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles types.ts against linnet.d.ts, with TypeScript from npm, which the first run fetches into BUILD.
# Usage: types_test.sh BUILD
set -euo pipefail
version=5.9.3
build="$(realpath "$1")"
compiler="$build/typescript-$version"
if [[ ! -d "$compiler" ]]; then
  fetched=$(mktemp -d "$compiler.XXXXXX")
  trap 'rm -rf "$fetched"' EXIT
  npm install --silent --no-audit --no-fund --prefix "$fetched" "typescript@$version"
  mv "$fetched" "$compiler"
fi
work=$(mktemp -d)
trap 'rm -rf "$work" "${fetched:-$work}"' EXIT
cp "$(dirname "$0")/types.ts" "$build/web/linnet.d.ts" "$work"
for options in "--target es2022 --module nodenext --lib es2022,dom" "--target es2020 --module esnext --moduleResolution bundler"; do
  # shellcheck disable=SC2086  # several words
  node "$compiler/node_modules/typescript/bin/tsc" --strict --noEmit $options "$work/types.ts"
done

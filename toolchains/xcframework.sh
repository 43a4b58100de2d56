#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the runtime for devices, simulators and Macs, and puts it into an XCFramework: with Xcode on a Mac, elsewhere with the clang of
# PyPI's package ziglang. Or tests what can be tested without Xcode.
# Usage: toolchains/xcframework.sh [FOLDER]   writes FOLDER/CLinnet.xcframework (default: build/apple, where Package.swift looks for it)
#        toolchains/xcframework.sh --test     the Swift API on this machine's system, the checker, and apps that link what was written
set -euo pipefail
[[ $# -le 1 && ( "${1:-}" == --test || "${1:-}" != -* ) ]] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1; }
folder="${1:-}"
[[ -z "$folder" || "$folder" == -* || "$folder" == /* ]] || folder="$PWD/$folder"
cd "$(dirname "$0")/.."
: "${folder:=build/apple}"
. toolchains/step.sh
if [[ "$folder" == --test ]]; then
  export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
  step "configure" cmake --preset release
  step "build" cmake --build --preset release --target linnet
  # Others need more than the library: ctest -L apple runs models and the C API's tests too.
  step "test" ctest --test-dir build/release -L apple -LE "models|unit" --output-on-failure
  exit
fi

# The compiler is a script, so ccache has to look into it.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content
how=(--from-xcode)
if [[ "$(uname)" != Darwin ]]; then
  how=()
  LINNET_ZIG=$(./toolchains/zig.sh)
  export LINNET_ZIG
fi

# build TARGET SDK: the static library of one slice and architecture, in build/apple-TARGET.
build() {
  cmake --preset apple -B "build/apple-$1" -DLINNET_APPLE_TARGET="$1" -DLINNET_APPLE_SDK="$2"
  cmake --build "build/apple-$1" --target linnet
}
libraries=()
while read -r slice architecture target sdk; do
  step "$target" build "$target" "$sdk"
  libraries+=(--library "$slice:$architecture=build/apple-$target/lib/liblinnet.a")
done < <(python3 -B platform/apple/xcframework_parts.py)
python3 -B platform/apple/xcframework.py "${how[@]}" "${libraries[@]}" "$folder/CLinnet.xcframework"

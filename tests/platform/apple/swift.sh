#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Swift package on Linux with the library of a CMake build, and runs what was built, in the tree of toolchains/swift_tree.sh.
# Usage: swift.sh BUILD_FOLDER build            installs the library, and builds API, tests and RunModel
#        swift.sh BUILD_FOLDER test [OPTION...]  swift test, of what was built
#        swift.sh BUILD_FOLDER run ARGUMENT...   runs RunModel
#        swift.sh BUILD_FOLDER check FILE...     compiles Swift that uses the API, without making anything
# LINNET_SWIFT_LIBRARY: a folder with another liblinnet.so.0.1 for what is run.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(realpath "$1")/apple action=$2
shift 2
prefix=$build/prefix scratch=$build/swift

# Debian 13 has another XNNPACK: the library's own libraries go with it, but for those that Swift's programs have anyway.
install_library() {
  rm -rf "$prefix"
  cmake --install "$build/.." --prefix "$prefix" --component runtime
  cmake --install "$build/.." --prefix "$prefix" --component development
  local library
  library=$(find "$prefix" -name 'liblinnet.so')
  ldd "$library" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so/ { print $3 }' | xargs -r cp -L -t "$(dirname "$library")"
}

in_tree() {
  local libraries
  libraries=$(dirname "$(find "$prefix" -name 'liblinnet.so')")
  mkdir -p "$build/home"
  "$root/toolchains/swift_tree.sh" run env HOME="$build/home" PKG_CONFIG_PATH="$libraries/pkgconfig" LD_LIBRARY_PATH="${LINNET_SWIFT_LIBRARY:+$LINNET_SWIFT_LIBRARY:}$libraries" "$@"
}

package=(--package-path "$root" --scratch-path "$scratch")
case "$action" in
  build)
    install_library >/dev/null
    in_tree swift build "${package[@]}" --build-tests -Xswiftc -warnings-as-errors
    ;;
  test) in_tree swift test "${package[@]}" --skip-build "$@" ;;
  run) in_tree "$scratch/debug/RunModel" "$@" ;;
  check)
    in_tree swiftc -typecheck -warnings-as-errors -swift-version 5 -I "$scratch/debug/Modules" -I "$root/platform/apple/CLinnet" \
      -Xcc -I"$prefix/include" "$@"
    ;;
  *) sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1 ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the path of zig, which brings clang with headers for many systems: from PyPI's package ziglang, which is unpacked into a folder
# that all clones share. LINNET_ZIG names another zig. static_run.sh and xcframework.sh call this.
# Usage: toolchains/zig.sh [--print]   (--print: fetches nothing, and fails where there is none)
set -euo pipefail
[[ $# -eq 0 || "$*" == --print ]] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1; }
version=0.17.1
folder="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/linnet/ziglang-$version"
zig="${LINNET_ZIG:-$folder/ziglang/zig}"
if [[ -x "$zig" ]]; then
  echo "$zig"
  exit
fi
[[ -z "${LINNET_ZIG:-}" ]] || { echo "zig.sh: LINNET_ZIG is '$zig', which is no program" >&2; exit 1; }
[[ "${1:-}" != --print ]] || { echo "zig.sh: there is no ziglang $version (toolchains/zig.sh fetches it)" >&2; exit 1; }

# The package appears in its folder at once and complete.
echo "zig.sh: fetching ziglang $version" >&2
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 -m pip install --quiet --no-deps --target "$work/package" "ziglang==$version" >&2 ||
  { echo "zig.sh: PyPI's package ziglang cannot be had" >&2; exit 1; }
chmod +x "$work/package/ziglang/zig"
mv -T "$work/package" "$folder" 2>/dev/null || [[ -x "$zig" ]]  # another clone may have been quicker
echo "$zig"

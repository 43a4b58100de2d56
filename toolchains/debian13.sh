#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the runtime against Debian 13's packages (XNNPACK of 2024-11) inside a Debian 13 tree, on a
# machine that may run anything else. Needs root, debootstrap and unshare.
#
#   toolchains/debian13.sh TREE [PRESET [COMMAND...]]
#
# TREE    folder of the Debian tree; made and filled where it is missing something
# PRESET  of CMakePresets.json, default release; binaries land in TREE/linnet/build/PRESET/bin
# COMMAND what to run in TREE/linnet afterwards, default: ctest of that preset
#
# $DEBIAN_MIRROR, when set, is where packages come from. $JOBS: parallel compilations.
set -eu

[ $# -ge 1 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 1; }
mkdir -p "$1"
tree=$(cd "$1" && pwd)
shift
preset=${1:-release}
[ $# -eq 0 ] || shift
source=$(cd "$(dirname "$0")/.." && pwd)
jobs=${JOBS:-$(nproc)}

packages="g++ cmake ninja-build ccache pkg-config
  libxnnpack-dev libpthreadpool-dev libcpuinfo-dev
  libflatbuffers-dev flatbuffers-compiler libvulkan-dev
  libgtest-dev libbenchmark-dev nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libstb-dev python3-numpy"

# COMMAND... inside the tree, with /proc and /sys (cpuinfo reads them) that vanish with the command.
in_tree() {
  unshare --mount sh -eu -c '
    mount -t proc proc "$0/proc"
    mount --rbind /sys "$0/sys"
    exec chroot "$0" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/var/cache/ccache "$@"
  ' "$tree" "$@"
}

if [ ! -e "$tree/etc/debian_version" ]; then
  debootstrap --variant=minbase trixie "$tree" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
fi

missing=$(for package in $packages; do
  in_tree dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || echo "$package"
done)
if [ -n "$missing" ]; then
  # The names of a package list hold no spaces.
  in_tree apt-get update -q
  in_tree apt-get install -q -y --no-install-recommends $missing
fi

# The working tree as it is, without what was built in it. Unchanged files keep their times, and
# ccache does the rest.
rm -rf "$tree/linnet.new"
mkdir -p "$tree/linnet.new"
(cd "$source" && tar -cf - --exclude=./build --exclude=./.git --exclude=./.venv .) |
  tar -xf - -C "$tree/linnet.new"
if [ -d "$tree/linnet/build" ]; then mv "$tree/linnet/build" "$tree/linnet.new/build"; fi
rm -rf "$tree/linnet"
mv "$tree/linnet.new" "$tree/linnet"

in_tree sh -eu -c '
  cd /linnet
  cmake --preset "$1" -DLINNET_BUILD_CONVERTER=OFF
  cmake --build --preset "$1" -j "$2"
' sh "$preset" "$jobs"

if [ $# -gt 0 ]; then
  in_tree sh -eu -c 'cd /linnet && exec "$@"' sh "$@"
else
  in_tree ctest --test-dir "/linnet/build/$preset" --output-on-failure -j "$jobs"
fi

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the runtime against Debian 13's packages (XNNPACK 2024-11) inside a Debian 13 tree; the machine
# itself may run another system. Needs root, debootstrap and unshare.
#
#   toolchains/debian13.sh TREE [build]              makes the tree, installs, builds
#   toolchains/debian13.sh TREE test [OPTION...]     builds, runs all tests; options are ctest's
#   toolchains/debian13.sh TREE run COMMAND...       runs something in the tree as it is
#   toolchains/debian13.sh TREE table [OPTION...]    builds, compares with LiteRT; options are those of
#                                                    tests/benchmarks/peers.py
#
# TREE is the folder of the Debian tree; whatever is missing in it is installed. The working tree is mounted
# in it at the same path, and the build goes to build/debian13.
#
# `table` converts models with this machine's own build (preset release) and measures that build too, so on
# Debian 12 it compares both XNNPACK packages. Models are in $LINNET_MODELS_DIR (default: build/models).
#
# $DEBIAN_MIRROR: where packages come from. $JOBS: number of parallel compilations.
set -eu

[ $# -ge 1 ] || { sed -n '3,18s/^# \{0,1\}//p' "$0" >&2; exit 1; }
mkdir -p "$1"
tree=$(cd "$1" && pwd)
shift
action=${1:-build}
[ $# -eq 0 ] || shift
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build/debian13
models=${LINNET_MODELS_DIR:-$source/build/models}
jobs=${JOBS:-$(nproc)}

packages="g++ cmake ninja-build ccache pkg-config
  libxnnpack-dev libpthreadpool-dev libcpuinfo-dev
  libflatbuffers-dev flatbuffers-compiler
  libgtest-dev libbenchmark-dev nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libstb-dev python3-numpy"

# in_tree COMMAND...: runs it inside the tree, with /proc and /sys (cpuinfo reads them) and the folders that both
# sides use mounted at the same paths. All these mounts end with the command.
in_tree() {
  mkdir -p "$models"
  unshare --mount sh -eu -c '
    tree=$1
    mount -t proc proc "$tree/proc"
    mount --rbind /sys "$tree/sys"
    for folder in "$2" "$3" /tmp; do
      mkdir -p "$tree$folder"
      mount --bind "$folder" "$tree$folder"
    done
    shift 3
    exec chroot "$tree" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      CCACHE_DIR=/var/cache/ccache CCACHE_BASEDIR="$0" CCACHE_NOHASHDIR=1 "$@"
  ' "$source" "$tree" "$source" "$models" "$@"
}

make_tree() {
  if [ ! -e "$tree/etc/debian_version" ]; then
    debootstrap --variant=minbase trixie "$tree" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
  fi
  missing=$(for package in $packages; do
    in_tree dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || echo "$package"
  done)
  if [ -n "$missing" ]; then
    # $missing is not quoted: it is a list of names, which contain no spaces.
    in_tree apt-get update -q
    in_tree apt-get install -q -y --no-install-recommends $missing
  fi
}

# build_in_tree [TARGET...]: builds these targets of ninja, by default all.
build_in_tree() {
  make_tree
  in_tree cmake -S "$source" -B "$build" --preset release -DLINNET_BUILD_CONVERTER=OFF
  in_tree ninja -C "$build" -j "$jobs" "$@"
}

# Writes scripts to build/debian13/outside that run the tree's programs when called from outside the tree.
write_outside() {
  mkdir -p "$build/outside"
  for program in linnet-run xnnpack_floor_benchmark; do
    printf '#!/bin/sh\nLINNET_MODELS_DIR="%s" exec "%s" "%s" run "%s" "$@"\n' "$models" \
      "$source/toolchains/debian13.sh" "$tree" "$build/bin/$program" > "$build/outside/$program"
    chmod +x "$build/outside/$program"
  done
  ln -sf ../../release/bin/linnet "$build/outside/linnet"
}

table() {
  build_in_tree linnet-run xnnpack_floor_benchmark
  write_outside
  cd "$source"
  cmake --preset release
  ninja -C build/release -j "$jobs" bin/linnet linnet-run
  host=$(. /etc/os-release && echo "$ID${VERSION_ID-}")
  exec "${PYTHON:-python3.11}" tests/benchmarks/peers.py --dir "$models" \
    --linnet-bin debian13="$build/outside" --linnet-bin "$host=build/release/bin" \
    --floor --peers litert "$@"
}

case $action in
  build) build_in_tree ;;
  test) build_in_tree; in_tree ctest --test-dir "$build" --output-on-failure -j "$jobs" "$@" ;;
  run) in_tree "$@" ;;
  table) table "$@" ;;
  *) echo "${0##*/}: no such action: $action" >&2; exit 1 ;;
esac

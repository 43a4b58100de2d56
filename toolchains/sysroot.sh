#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks the Debian packages that Linnet, its converter and its tests are built with, for another architecture than this
# machine's. Development packages of two architectures exclude each other on one system, so these are unpacked into a folder,
# which takes seconds and no rights. All clones share that folder. toolchains/cmake/debian_board.cmake calls this.
# Usage: toolchains/sysroot.sh ARCH [SUITE [DIR]]   (ARCH: arm64, armhf; SUITE: bookworm, the default, or trixie)
# Prints the folder: DIR, by default one under $LINNET_SYSROOTS or ~/.cache/linnet/sysroots. $DEBIAN_MIRROR: where packages
# come from, by default where this machine's own come from.
set -euo pipefail
export LC_ALL=C

usage() { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1; }
arch="${1:-}" suite="${2:-bookworm}"
case "$arch" in arm64) triplet=aarch64-linux-gnu ;; armhf) triplet=arm-linux-gnueabihf ;; *) usage ;; esac
case "$suite" in bookworm) gcc=12 ;; trixie) gcc=14 ;; *) usage ;; esac
folder="${3:-${LINNET_SYSROOTS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/linnet/sysroots}/$suite-$arch}"

# The library packages of setup.sh, and the C and C++ libraries themselves.
packages=(libc6-dev "libstdc++-$gcc-dev" linux-libc-dev
          libxnnpack-dev libpthreadpool-dev libcpuinfo-dev libflatbuffers-dev flatbuffers-compiler
          libprotobuf-dev libabsl-dev libcli11-dev libfmt-dev nlohmann-json3-dev
          libstb-dev libxxhash-dev libsnappy-dev libvulkan-dev
          libgtest-dev libgmock-dev libbenchmark-dev)
# Python too, for the wheel (python_arm64.sh).
[[ "$arch" != arm64 ]] || packages+=(python3-dev)

# The folder is made again when this script wants other packages in it, or does something else to them: then the number changes.
stamp="1 ${packages[*]}"
if [[ "$(cat "$folder/linnet-sysroot" 2>/dev/null)" == "$stamp" ]]; then
  echo "$folder"
  exit 0
fi
command -v mmdebstrap >/dev/null ||
  { echo "sysroot.sh: mmdebstrap is missing: ./toolchains/setup.sh boards installs it" >&2; exit 1; }

mirror="${DEBIAN_MIRROR:-}"
if [[ -z "$mirror" ]]; then
  mirror=$(apt-get indextargets --format '$(ORIGIN)|$(COMPONENT)|$(RELEASE)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -F'|' '$1 == "Debian" && $2 == "main" && $3 !~ /-/ { print $4; exit }')
fi

# Beside the folder, so that it appears at once and complete.
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/sysroot"
echo "sysroot.sh: unpacking Debian $suite's packages for $arch" >&2
include=$(IFS=,; echo "${packages[*]}")
# Nothing of it is run, so any user may do this; for root, mmdebstrap wants another name of it.
mode=chrootless
[[ $(id -u) -ne 0 ]] || mode=root
mmdebstrap --variant=extract --mode="$mode" --architectures="$arch" --include="$include" --format=tar "$suite" - ${mirror:+"$mirror"} \
  2>"$work/log" | tar -x -C "$work/sysroot" --no-same-owner --exclude='./dev/*' ||
  { cat "$work/log" >&2; exit 1; }
cd "$work/sysroot"
rm -rf usr/share/doc usr/share/man usr/share/locale var

# A link to /lib/x would lead out of the folder.
find . -type l -lname '/*' -print | while read -r link; do
  ln -sfnr ".$(readlink "$link")" "$link"
done
# Some packages tell CMake where they would be if they were installed (Snappy).
find usr -name '*.cmake' -exec sed -i -E \
  -e 's#^set\(_IMPORT_PREFIX "/usr"\)#set(_IMPORT_PREFIX "${CMAKE_SYSROOT}/usr")#' \
  -e '/IMPORTED_LOCATION|_check_files_/s#"/usr/lib/#"${CMAKE_SYSROOT}/usr/lib/#' {} +
[[ -e lib ]] || ln -s usr/lib lib
[[ -e "usr/lib/$triplet/libc.so" ]] || { echo "sysroot.sh: there is no C library in the packages" >&2; exit 1; }

# The library cpuinfo reads this file, and under an emulator it would find the host's. The CPU is the one that
# debian_board.cmake emulates.
mkdir -p proc
{
  for core in 0 1; do
    printf 'processor\t: %s\nBogoMIPS\t: 108.00\n' "$core"
    if [[ "$arch" == arm64 ]]; then
      printf 'Features\t: fp asimd evtstrm crc32 cpuid\nCPU implementer\t: 0x41\nCPU architecture: 8\n'
      printf 'CPU variant\t: 0x0\nCPU part\t: 0xd08\nCPU revision\t: 3\n\n'  # Cortex-A72
    else
      printf 'Features\t: half thumb fastmult vfp edsp neon vfpv3 tls vfpv4 idiva idivt vfpd32 lpae\n'
      printf 'CPU implementer\t: 0x41\nCPU architecture: 7\nCPU variant\t: 0x0\nCPU part\t: 0xc07\nCPU revision\t: 5\n\n'  # Cortex-A7
    fi
  done
} >proc/cpuinfo
echo "$stamp" >linnet-sysroot
cd - >/dev/null
chmod 755 "$work/sysroot"
rm -rf "$folder"  # of an earlier version
mv -T "$work/sysroot" "$folder" 2>/dev/null || [[ -e "$folder/linnet-sysroot" ]]  # another clone may have been quicker
echo "$folder"

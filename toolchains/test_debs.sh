#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests Debian's packages of Linnet: installs them by apt in a clean Debian tree that has compilers and nothing of Linnet, builds
# tests/examples/project there with find_package and its programs with pkg-config, and runs these, `linnet` and `linnet-run`.
# Needs root and mmdebstrap. Usage: toolchains/test_debs.sh FOLDER   (with the .deb files that `cpack` made)
# $DEBIAN_MIRROR: where the tree's packages come from. $LINNET_DEBIAN: its release (default: this machine's).
set -euo pipefail
[[ $# -eq 1 && -n "$(ls "$1"/*.deb 2>/dev/null)" ]] || { sed -n '3,6s/^# //p' "$0" >&2; exit 1; }
debs="$(realpath "$1")"
source="$(realpath "$(dirname "$0")/..")"
release="${LINNET_DEBIAN:-$(. /etc/os-release && echo "$VERSION_CODENAME")}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# What runs in the tree. Nothing of this machine is seen there but the packages, the example and two files to read.
cat >"$work/inside.sh" <<'INSIDE'
set -eux
cd /work
cmake -S project -B build
cmake --build build
for program in run_plan_c99 run_plan_cpp17 run_plan_cpp20; do build/$program small.linnet; done
cc -std=c99 -Wall -Wextra -Werror project/run_plan.c $(pkg-config --cflags --libs linnet) -o run_c99
c++ -std=c++17 -Wall -Wextra -Werror project/run_plan.cc $(pkg-config --cflags --libs linnet) -o run_cpp17
./run_c99 small.linnet
./run_cpp17 small.linnet
linnet convert tiny.pbtxt -o tiny.linnet
linnet bisect tiny.linnet --against portable
linnet-run tiny.linnet
for package in $(dpkg-query --show --showformat '${Package}\n' '*linnet*'); do
  dpkg --status "$package" | grep -E '^(Package|Version|Architecture|Depends):'
  test -s "/usr/share/doc/$package/copyright"
done
# Removing them leaves nothing behind.
apt-get purge -qq -y '*linnet*' >/dev/null
test -z "$(find /usr /etc -iname '*linnet*' -print -quit)"
INSIDE

# Without this shell's variables, which speak of this machine: of a compiler launcher, say.
mmdebstrap --quiet --variant=apt --include=g++,cmake,make,pkg-config \
  --customize-hook="mkdir \"\$1/work\" \"\$1/debs\"" \
  --customize-hook="cp -r '$source/tests/examples/project' '$source/tests/golden/plans/small.linnet' \
      '$source/tests/models/data/tiny.pbtxt' '$work/inside.sh' \"\$1/work\"; cp '$debs'/*.deb \"\$1/debs\"" \
  --customize-hook="chroot \"\$1\" sh -c 'apt-get install -qq -y --no-install-recommends /debs/*.deb >/dev/null'" \
  --customize-hook="env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot \"\$1\" sh /work/inside.sh" \
  "$release" /dev/null ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
echo "The packages in $1 install, build and run in a clean $release."

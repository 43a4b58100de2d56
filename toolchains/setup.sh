#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building and testing Linnet needs. Without the right to install packages
# it prints the command to run and fails. Usage: toolchains/setup.sh [build|test|all]   (default: all)
set -euo pipefail

build=(g++ cmake ninja-build ccache git ca-certificates
       libxnnpack-dev libpthreadpool-dev libcpuinfo-dev libflatbuffers-dev flatbuffers-compiler
       libprotobuf-dev protobuf-compiler libabsl-dev libcli11-dev libfmt-dev nlohmann-json3-dev
       libstb-dev libxxhash-dev libsnappy-dev libvulkan-dev)
test=(pkg-config libgtest-dev libgmock-dev libbenchmark-dev python3 python3-venv python3-numpy python3-pip npm clang
      libclang-rt-14-dev llvm clang-format clang-tidy strace gcovr
      mesa-vulkan-drivers glslc spirv-tools)

case "${1:-all}" in
  build) packages=("${build[@]}") ;;
  test | all) packages=("${build[@]}" "${test[@]}") ;;
  *) echo "usage: toolchains/setup.sh [build|test|all]" >&2; exit 1 ;;
esac

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

missing=()
for package in "${packages[@]}"; do
  # npm may come from elsewhere than Debian's package, for example with a newer Node.js.
  if [[ "$package" == npm ]] && command -v npm >/dev/null; then continue; fi
  installed "$package" || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -eq 0 ]]; then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo)
else
  echo "Not allowed to install packages. Please run:" >&2
  echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
echo "Installing: ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
  "${missing[@]}" >/dev/null

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that Linnet needs: to build it, for the demo too (which fetches a model and a picture), for the
# Python package, for building and testing it for ARM boards, for browsers, for Android, for Apple's systems, for microcontrollers,
# for the documentation site, or for everything on this machine (tests, checks, fuzzing). `all` includes vulkan_drivers.sh, `android`
# android_jars.sh, and `apple` zig.sh and swift_tree.sh. Without the right to install packages it prints the command to run and fails.
# Usage: toolchains/setup.sh [build|demo|python|boards|web|android|apple|microcontroller|site|all]   (default: all)
set -euo pipefail

build=(g++ cmake ninja-build ccache git ca-certificates
       libxnnpack-dev libpthreadpool-dev libcpuinfo-dev libflatbuffers-dev flatbuffers-compiler
       libprotobuf-dev protobuf-compiler zlib1g-dev libabsl-dev libcli11-dev libfmt-dev nlohmann-json3-dev
       libstb-dev libxxhash-dev libsnappy-dev libvulkan-dev)
demo=(python3 python3-pip npm)
python=(python3 python3-pip python3-venv python3-dev binutils)
test=(pkg-config libgtest-dev libgmock-dev libbenchmark-dev python3-venv python3-numpy clang
      libclang-rt-14-dev llvm lld clang-format clang-tidy strace gcovr
      mesa-vulkan-drivers glslc spirv-tools dpkg-dev mmdebstrap)
web=(clang-14 lld-14 llvm-14 wasi-libc libc++-14-dev-wasm32 libclang-rt-14-dev-wasm32 nodejs python3-numpy)
android=(openjdk-17-jdk-headless junit4 maven python3 python3-pyelftools clang lld libgtest-dev libgmock-dev libbenchmark-dev)
apple=(clang lld llvm python3 python3-pip python3-numpy mmdebstrap libgtest-dev libgmock-dev libbenchmark-dev)
boards=(g++-aarch64-linux-gnu g++-arm-linux-gnueabihf qemu-user-static mmdebstrap python3-numpy)
microcontroller=(gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm python3-numpy)
site=(git python3 python3-clang-14 python3-jinja2 python3-markdown-it python3-pygments g++)

wanted="${1:-all}"
case "$wanted" in
  build) packages=("${build[@]}") ;;
  demo) packages=("${build[@]}" "${demo[@]}") ;;
  python) packages=("${build[@]}" "${python[@]}") ;;
  boards) packages=("${build[@]}" "${demo[@]}" "${boards[@]}") ;;
  web) packages=("${build[@]}" "${demo[@]}" "${web[@]}") ;;
  android) packages=("${build[@]}" "${android[@]}") ;;
  apple) packages=("${build[@]}" "${apple[@]}") ;;
  microcontroller) packages=("${build[@]}" "${demo[@]}" "${microcontroller[@]}") ;;
  site) packages=("${site[@]}") ;;
  all) packages=("${build[@]}" "${demo[@]}" "${python[@]}" "${test[@]}") ;;
  *) echo "usage: toolchains/setup.sh [build|demo|python|boards|web|android|apple|microcontroller|site|all]" >&2; exit 1 ;;
esac

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

missing=()
for package in "${packages[@]}"; do
  # npm, node and Python may come from elsewhere than Debian's packages, for example newer ones.
  if [[ "$package" == npm ]] && command -v npm >/dev/null; then continue; fi
  if [[ "$package" == nodejs ]] && command -v node >/dev/null; then continue; fi
  if [[ "$package" =~ ^python3-(dev|venv|pip)$ ]] && [[ "$(command -v python3)" != /usr/bin/python3 ]]; then continue; fi
  installed "$package" || missing+=("$package")
done
# Ends the script, after what is not installed but unpacked.
finish() {
  if [[ "$wanted" == all ]]; then "$(dirname "$0")/vulkan_drivers.sh"; fi
  if [[ "$wanted" == android ]]; then "$(dirname "$0")/android_jars.sh"; fi
  if [[ "$wanted" == apple ]]; then
    "$(dirname "$0")/zig.sh" >/dev/null
    "$(dirname "$0")/swift_tree.sh" >/dev/null || echo "setup.sh: tests in Swift will be skipped" >&2
  fi
  exit 0
}
if [[ ${#missing[@]} -eq 0 ]]; then finish; fi

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
finish

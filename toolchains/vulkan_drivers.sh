#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings what the Vulkan tests need beside Debian's lavapipe: SwiftShader, a second driver in software, and a recent validation
# layer, which also looks into shaders while they run. Both are files of Debian's chromium-common that are unpacked, not
# installed. All clones share one folder, so this costs 32 MB of download once; the environment variable LINNET_VULKAN_DRIVERS
# names another one. Where the package cannot be had, this says so and does not fail: the tests that need it are skipped.
# Usage: toolchains/vulkan_drivers.sh [--print]   (--print: only prints the folder)
set -euo pipefail

folder="${LINNET_VULKAN_DRIVERS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/linnet/vulkan_drivers}"
if [[ "${1:-}" == --print ]]; then
  echo "$folder"
  exit 0
fi

driver=libvk_swiftshader.so
layer=libVkLayer_khronos_validation.so
complete() {
  [[ -f "$1/$driver" && -f "$1/vk_swiftshader_icd.json" && -f "$1/$layer" && -f "$1/VkLayer_khronos_validation.json" ]]
}
complete "$folder" && exit 0

give_up() {
  echo "vulkan_drivers: $1; tests with SwiftShader or the validation layer will be skipped" >&2
  exit 0
}
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up "this is not Debian"
mkdir -p "$(dirname "$folder")"
# Beside the folder, so that it appears at once and complete.
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The lists of packages may be missing, or name a version that was replaced.
download() { (cd "$work" && apt-get download -qq chromium-common >/dev/null 2>&1); }
as_root=()
[[ $(id -u) -eq 0 ]] || as_root=(sudo -n)
download || { "${as_root[@]}" apt-get update -qq >/dev/null 2>&1 && download; } ||
  give_up "the package chromium-common cannot be fetched"

files=("./usr/lib/chromium/$driver" ./usr/lib/chromium/vk_swiftshader_icd.json "./usr/lib/chromium/$layer")
mkdir "$work/unpacked"
dpkg-deb --fsys-tarfile "$work"/chromium-common_*.deb |
  tar -x -C "$work/unpacked" --strip-components=4 --no-same-owner "${files[@]}" ||
  give_up "the package chromium-common has other files"
# The package has no manifest of the layer, because a browser finds it without. Loaders compare only the first two numbers of
# api_version with those of the application.
cat >"$work/unpacked/VkLayer_khronos_validation.json" <<MANIFEST
{
  "file_format_version": "1.2.0",
  "layer": {
    "name": "VK_LAYER_KHRONOS_validation",
    "type": "GLOBAL",
    "library_path": "./$layer",
    "api_version": "1.4.364",
    "implementation_version": "1",
    "description": "Khronos validation layer",
    "instance_extensions": [
      {"name": "VK_EXT_debug_report", "spec_version": "9"},
      {"name": "VK_EXT_debug_utils", "spec_version": "2"},
      {"name": "VK_EXT_validation_features", "spec_version": "6"},
      {"name": "VK_EXT_layer_settings", "spec_version": "2"}
    ]
  }
}
MANIFEST
chmod 755 "$work/unpacked"
rm -rf "$folder"  # incomplete
mv -T "$work/unpacked" "$folder" 2>/dev/null || complete "$folder"  # another clone may have been quicker
echo "vulkan_drivers: SwiftShader and the validation layer are in $folder" >&2

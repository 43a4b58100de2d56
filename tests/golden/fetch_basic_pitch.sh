#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches the SavedModel of the PyPI package basic-pitch (music to notes) into DIR/basic_pitch.
# The version and its checksum are pinned; what is already there is not fetched again.
set -euo pipefail

readonly VERSION=0.4.0
readonly SHA256=738adb503aae7fdfc7d1e1511aa0ce35052315f260a19531ef4c356708425db0

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

[[ $# -eq 1 ]] || { echo "usage: ${0##*/} DIR" >&2; exit 1; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
[[ -f "$dir/basic_pitch/saved_model.pb" ]] && exit 0
work=$(mktemp -d "$dir/.fetch.XXXXXX")  # beside the destination, so that mv is a rename
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --dest "$work/wheel" "basic-pitch==$VERSION" \
  || die "pip cannot fetch basic-pitch $VERSION; is there a network?"
wheels=("$work"/wheel/*.whl)
echo "$SHA256  ${wheels[0]}" | sha256sum --check --status || die "checksum of ${wheels[0]##*/} differs"
python3 - "${wheels[0]}" "$work/basic_pitch" <<'PYTHON'
import pathlib, sys, zipfile
wheel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
root = "basic_pitch/saved_models/icassp_2022/nmp/"
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.startswith(root) and not name.endswith("/"):
            path = folder / name.removeprefix(root)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
PYTHON
mv "$work/basic_pitch" "$dir/basic_pitch"

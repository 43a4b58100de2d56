#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches the public models and pictures that the end-to-end tests and benchmarks use:
#   DIR/human/      tfjs graph-models (model .json + .bin) of the npm package @vladmandic/human
#   DIR/pictures/   astronaut.png, coffee.png, chelsea.png of the scikit-image wheel
#
# Versions and checksums are pinned.  What is already there is not fetched again; each folder appears
# whole or not at all.
set -euo pipefail

usage() {
  echo "usage: ${0##*/} [DIR]     default DIR: build/models of this repository"
}

readonly HUMAN_VERSION=3.3.6
readonly HUMAN_SHA256=425e9c51dbbca0c8934362b170cb0d54c2529c11c654b3c03092b16e9d6ad3f7
readonly SKIMAGE_VERSION=0.26.0
readonly SKIMAGE_SHA256=74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af
readonly PICTURES=(astronaut.png coffee.png chelsea.png)

# One fixed wheel, whatever Python and CPU this machine has: only the pictures inside are used.
readonly WHEEL_TAGS=(--only-binary=:all: --implementation cp --python-version 3.11 --abi cp311
                     --platform manylinux_2_28_x86_64)

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

require() {  # require COMMAND HINT
  command -v "$1" >/dev/null || die "'$1' is needed; $2"
}

verify() {  # verify FILE SHA256
  echo "$2  $1" | sha256sum --check --status || die "checksum of $(basename "$1") differs from $2"
}

# Renames a finished folder to its place; a stamp in it tells which version it holds.
publish() {  # publish NEW_FOLDER DESTINATION VERSION
  echo "$3" > "$1/VERSION"
  rm -rf "$2"
  mv "$1" "$2"
}

holds_version() {  # holds_version FOLDER VERSION
  [[ -f "$1/VERSION" && "$(< "$1/VERSION")" == "$2" ]]
}

fetch_human() {  # fetch_human DESTINATION
  holds_version "$1" "$HUMAN_VERSION" && return
  require npm "on Debian: apt-get install npm"
  echo "fetching @vladmandic/human $HUMAN_VERSION" >&2
  npm pack --silent --pack-destination "$work" "@vladmandic/human@$HUMAN_VERSION" >/dev/null \
    || die "npm cannot fetch @vladmandic/human@$HUMAN_VERSION; is there a network?"
  local tarball="$work/vladmandic-human-$HUMAN_VERSION.tgz"
  verify "$tarball" "$HUMAN_SHA256"
  mkdir "$work/human"
  tar -xzf "$tarball" -C "$work/human" --strip-components=2 package/models
  publish "$work/human" "$1" "$HUMAN_VERSION"
}

fetch_pictures() {  # fetch_pictures DESTINATION
  holds_version "$1" "$SKIMAGE_VERSION" && return
  require python3 "on Debian: apt-get install python3 python3-pip"
  python3 -m pip --version >/dev/null || die "pip is needed; on Debian: apt-get install python3-pip"
  echo "fetching the pictures of scikit-image $SKIMAGE_VERSION" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps "${WHEEL_TAGS[@]}" \
    --dest "$work/wheel" "scikit-image==$SKIMAGE_VERSION" \
    || die "pip cannot fetch scikit-image $SKIMAGE_VERSION; is there a network?"
  local wheels=("$work"/wheel/*.whl)
  verify "${wheels[0]}" "$SKIMAGE_SHA256"
  python3 - "${wheels[0]}" "$work/pictures" "${PICTURES[@]}" <<'PYTHON'
import pathlib, sys, zipfile
wheel, folder, *names = sys.argv[1:]
pathlib.Path(folder).mkdir()
with zipfile.ZipFile(wheel) as archive:
    for name in names:
        pathlib.Path(folder, name).write_bytes(archive.read(f"skimage/data/{name}"))
PYTHON
  publish "$work/pictures" "$1" "$SKIMAGE_VERSION"
}

main() {
  case "${1-}" in
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 1 ;;
  esac
  local repository dir
  repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  dir=${1:-$repository/build/models}
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd)
  work=$(mktemp -d "$dir/.fetch.XXXXXX")  # beside the destination, so that mv is a rename
  trap 'rm -rf "$work"' EXIT
  fetch_human "$dir/human"
  fetch_pictures "$dir/pictures"
  echo "models and pictures are in $dir" >&2
}

main "$@"

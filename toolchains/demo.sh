#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, converts a real trained model (MoveNet Lightning) and finds the person in a
# real picture. Usage: toolchains/demo.sh [--image FILE] [--out DIR] [--threads N]
set -euo pipefail
cd "$(dirname "$0")/.."
# Paths are hashed relative to the clone, so that all clones share one ccache.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

image="" out="build/demo" threads=2
while [[ $# -gt 0 ]]; do
  case "$1" in
    --image) image="$(realpath "$2")"; shift 2 ;;
    --out) out="$2"; shift 2 ;;
    --threads) threads="$2"; shift 2 ;;
    *) echo "usage: toolchains/demo.sh [--image FILE] [--out DIR] [--threads N]" >&2; exit 1 ;;
  esac
done

./toolchains/setup.sh demo
echo "== Build"
cmake --preset demo >/dev/null
cmake --build --preset demo
bin=build/demo/bin

echo "== Fetch the model and a picture"
models=build/models
./tests/golden/fetch_models.sh "$models"
[[ -n "$image" ]] || image="$models/pictures/astronaut.png"

echo "== Convert"
mkdir -p "$out"
"$bin/linnet" convert "$models/human/movenet-lightning.json" -o "$out/movenet.linnet" \
  --report "$out/movenet.html"

echo "== Run"
"$bin/pose" "$out/movenet.linnet" "$image" "$out/skeleton.png" "$threads"
echo "Look at $out/skeleton.png and $out/movenet.html"

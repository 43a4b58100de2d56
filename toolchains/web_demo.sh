#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the module for browsers and the demo page, on which MoveNet draws a person's skeleton, and serves it on this machine.
# Usage: toolchains/web_demo.sh [--port N | --no-serve]   (default: port 8000)
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

port=8000
case "${1:-}" in
  "") ;;
  --port) port="${2:?want --port N}" ;;
  --no-serve) port="" ;;
  *) sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1 ;;
esac

./toolchains/setup.sh web
cmake --preset wasm >/dev/null
cmake --build --preset wasm
./tests/golden/fetch_models.sh build/models
demo=build/wasm/web/demo
build/wasm/emulated/linnet convert build/models/human/movenet-lightning.json -o "$demo/movenet.linnet"
cp build/models/pictures/astronaut.png "$demo/picture.png"
echo "The demo is in build/wasm/web"
[[ -n "$port" ]] || exit 0
echo "Look at http://localhost:$port/demo/"
exec python3 -m http.server --bind 127.0.0.1 --directory build/wasm/web "$port"

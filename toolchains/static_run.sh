#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds linnet-run for an ARM board as one file that needs nothing but a Linux kernel: with portable kernels, without XNNPACK
# and GPUs, linked with musl. Then runs MoveNet with it in qemu, and compares its outputs with TensorFlow's numbers and with
# what this machine's own linnet-run computes.
# Usage: toolchains/static_run.sh [--no-test] arm64|armv7
# The compiler is PyPI's package ziglang (zig.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

limit=700000  # bytes

test=yes
if [[ "${1:-}" == --no-test ]]; then test=no; shift; fi
board="${1:-}"
case "$board" in
  arm64) emulator=(qemu-aarch64-static -cpu cortex-a76) ;;
  armv7) emulator=(qemu-arm-static -cpu cortex-a8) ;;
  *) sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1 ;;
esac

LINNET_ZIG=$(./toolchains/zig.sh)
export LINNET_ZIG
started=$SECONDS
cmake --preset "static-$board"
cmake --build --preset "static-$board"
program="build/static-$board/bin/linnet-run"
bytes=$(stat -c %s "$program")
echo "== $program: $bytes bytes, built in $((SECONDS - started)) s"
if readelf --wide --program-headers "$program" | grep -q INTERP; then
  echo "static_run.sh: $program needs a dynamic linker" >&2
  exit 1
fi
[[ "$bytes" -le "$limit" ]] || { echo "static_run.sh: it may have at most $limit bytes" >&2; exit 1; }
[[ "$test" == yes ]] || exit 0

echo "== MoveNet on this machine and in qemu"
cmake --preset demo >/dev/null
cmake --build build/demo --target linnet-converter linnet-run
models=build/models
./tests/golden/fetch_models.sh "$models"
work="build/static-$board/test"
rm -rf "$work"
mkdir -p "$work/emulated"
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${emulator[*]}" "$PWD/$program" >"$work/emulated/linnet-run"
chmod +x "$work/emulated/linnet-run"
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3  # the first in PATH may lack numpy
movenet=(--models "$models" --golden tests/models/goldens/movenet-lightning.json)
"$python" -B tests/models/convert_test.py --bin build/demo/bin "${movenet[@]}" --out "$work" >/dev/null
"$python" -B tests/models/model_test.py --bin "$work/emulated" "${movenet[@]}" --plans "$work" \
  --backends portable --threads 1 --cases picture
# On the noise that linnet-run makes itself where no input is given.
build/demo/bin/linnet-run "$work/movenet-lightning.linnet" --backend portable --output-dir "$work/here" >/dev/null
"$work/emulated/linnet-run" "$work/movenet-lightning.linnet" --backend portable --output-dir "$work/there"
"$python" -B tests/golden/compare.py "$work/here" "$work/there"

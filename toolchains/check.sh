#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a change must pass before it lands, quick things first: formatting, licence lines, clang-tidy on
# what changed, build, tests. Usage: toolchains/check.sh [--all | BASE]   (as of tidy.sh; --all: clang-tidy on everything)
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== licence lines and formatting"
./toolchains/format.sh
echo "== clang-tidy"
./toolchains/tidy.sh "$@"
./toolchains/test.sh release

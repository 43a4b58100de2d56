#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that a change must pass before it lands, quick checks first: licence lines, formatting, clang-tidy
# on the changed files, build, tests.
# Usage: toolchains/check.sh [--all | BASE]   (passed to tidy.sh: clang-tidy on all files, or on those changed since BASE)
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== licence lines and formatting"
./toolchains/format.sh
echo "== clang-tidy"
./toolchains/tidy.sh "$@"
./toolchains/test.sh release

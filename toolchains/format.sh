#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that every file has its licence line and is formatted as clang-format wants. Takes seconds.
# Usage: toolchains/format.sh [--fix]   (--fix: formats the files instead of only checking)
set -euo pipefail
cd "$(dirname "$0")/.."

# files PATTERN...: in a git checkout the tracked files, in an unpacked archive all files that match.
files() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -- "$@"
  else
    local names=()
    for pattern in "$@"; do names+=(-o -name "$pattern"); done
    find . -path ./build -prune -o \( -false "${names[@]}" \) -print
  fi
}

missing=$(files '*.cc' '*.h' '*.hpp' '*.c' '*.cmake' '*.sh' '*.py' '*.js' '*.mjs' '*.ts' '*.html' '*.java' '*.kt' '*.swift' '*.proto' '*.fbs' '*CMakeLists.txt' |
  while read -r file; do head -3 "$file" | grep -q SPDX-License-Identifier || echo "$file"; done)
[[ -z "$missing" ]] || { echo "no SPDX line in:"; echo "$missing"; exit 1; }

how=(--dry-run --Werror)
[[ "${1:-}" == --fix ]] && how=(-i)
files '*.cc' '*.h' '*.hpp' '*.c' | tr '\n' '\0' | xargs -0 -n 50 -P "$(nproc)" clang-format "${how[@]}"

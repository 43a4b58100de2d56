#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks in seconds what every file must have: its licence line, and clang-format's form.
# Usage: toolchains/format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."

# Of a checkout what git knows, of an unpacked archive what is there.
files() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -- "$@"
  else
    local names=()
    for pattern in "$@"; do names+=(-o -name "$pattern"); done
    find . -path ./build -prune -o \( -false "${names[@]}" \) -print
  fi
}

missing=$(files '*.cc' '*.h' '*.hpp' '*.c' '*.cmake' '*.sh' '*.py' '*.proto' '*.fbs' '*CMakeLists.txt' |
  while read -r file; do head -3 "$file" | grep -q SPDX-License-Identifier || echo "$file"; done)
[[ -z "$missing" ]] || { echo "no SPDX line in:"; echo "$missing"; exit 1; }

how=(--dry-run --Werror)
[[ "${1:-}" == --fix ]] && how=(-i)
files '*.cc' '*.h' '*.hpp' | tr '\n' '\0' | xargs -0 -n 50 -P "$(nproc)" clang-format "${how[@]}"

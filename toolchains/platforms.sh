#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Executes the paths of README as they are printed there: of each, the block of commands behind its line
# `<!-- path: NAME -->`, in a fresh clone of what is committed. Prints the minutes that each took.
# Usage: toolchains/platforms.sh [PATH]...   (default: all, in README's order)
#        toolchains/platforms.sh --list      prints the paths, and fails where one has no block or more than five commands
#        LINNET_KEEP=FOLDER toolchains/platforms.sh PATH...   makes the clones there and leaves them
# `toolchains/setup.sh all` must have run: paths install nothing on this machine but what they name themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
most_commands=5

# Prints the path's commands. $1: README, $2: the path.
commands_of() {
  awk -v marker="<!-- path: $2 -->" '
    $0 == marker { wanted = 1; next }
    wanted && /^```/ { if (inside) exit; inside = 1; next }
    wanted && !inside && /^<!-- path: / { exit }
    inside { print }' "$1"
}

# Counts the commands on standard input: a line may have several, with && or ; between them. Lines of here-documents are none.
count_commands() {
  awk '
    document != "" { if ($0 == document) document = ""; next }
    !goes_on && $0 !~ /^[[:space:]]*(#|$)/ { ++count }
    { count += gsub(/ && |; /, "&"); goes_on = /\\$/ }
    match($0, /<<-?.?[A-Z]+/) { document = substr($0, RSTART, RLENGTH); gsub(/[^A-Z]/, "", document) }
    END { print count + 0 }'
}

names_of() { sed -n 's/^<!-- path: \([a-z0-9-]*\) -->$/\1/p' "$1"; }

# Prints the paths of README; fails with every one that is malformed.
list() {
  local name count wrong=0
  [[ -z "$(names_of README.md | sort | uniq -d)" ]] || { echo "README.md: two paths have one name" >&2; wrong=1; }
  for name in $(names_of README.md); do
    count=$(commands_of README.md "$name" | count_commands)
    echo "$name: $count commands"
    ((count > 0)) || { echo "README.md: the path $name has no block of commands" >&2; wrong=1; }
    ((count <= most_commands)) || { echo "README.md: the path $name has more than $most_commands commands" >&2; wrong=1; }
  done
  return $wrong
}

if [[ "${1:-}" == --list ]]; then list; exit; fi
paths=("$@")
[[ ${#paths[@]} -gt 0 ]] || mapfile -t paths < <(names_of README.md)
list >/dev/null
unknown=0
for name in "${paths[@]}"; do
  names_of README.md | grep -qxF -- "$name" && continue
  echo "There is no path '$name' in README.md; it has: $(names_of README.md | tr '\n' ' ')" >&2
  unknown=1
done
((unknown == 0)) || exit 1
if ! git diff --quiet HEAD --; then echo "Note: the clones have what is committed, not what has changed since." >&2; fi

if [[ -n "${LINNET_KEEP:-}" ]]; then
  mkdir -p "$LINNET_KEEP"
  work="$(realpath "$LINNET_KEEP")"
else
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
fi
# Clones share one ccache; where there is none, CMake is not told of it. Its modes are those of LinnetLibrary.cmake, which takes a launcher
# that is set as it is: without them nothing would be found again that uses precompiled headers.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
fi

# Runs the path $1 in a clone of its own.
run_path() {
  local clone="$work/$1"
  rm -rf "$clone"
  git clone --quiet --no-hardlinks . "$clone"
  commands_of "$clone/README.md" "$1" >"$work/$1.sh"
  (cd "$clone" && CCACHE_BASEDIR="$clone" bash -euxo pipefail "$work/$1.sh") </dev/null
}

table="" failed=0
for name in "${paths[@]}"; do
  echo "== $name"
  started=$SECONDS result=passed
  # Not a condition: bash would then go on after a command that failed.
  set +e
  (set -e; run_path "$name")
  code=$?
  set -e
  if ((code != 0)); then result="FAILED" failed=1; fi
  seconds=$((SECONDS - started))
  table+="$(printf '%-12s %-7s %3d min %02d s' "$name" "$result" $((seconds / 60)) $((seconds % 60)))"$'\n'
  [[ -n "${LINNET_KEEP:-}" ]] || rm -rf "${work:?}/$name"
done
echo "== paths of README.md"
printf '%s' "$table"
exit $failed

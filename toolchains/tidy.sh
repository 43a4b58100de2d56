#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on the sources that changed since the commit BASE and on those that include a changed header, or on
# all sources.
# Usage: toolchains/tidy.sh [--all | BASE]   (default: the merge base with origin/main, else the previous commit)
set -euo pipefail
cd "$(dirname "$0")/.."
sources=('runtime/*.cc' 'converter/*.cc' 'platform/*.cc' 'platform/*.c')
headers=('runtime/*.h' 'runtime/*.hpp' 'converter/*.h' 'platform/*.h')

base_of_branch() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  [[ -n "$base" && "$base" != "$(git rev-parse HEAD)" ]] || base=$(git rev-parse --verify -q HEAD~1 || true)
  echo "$base"
}

# includers HEADER...: the sources that include one of them directly.
includers() {
  local header
  for header in "$@"; do git grep -lF "#include \"${header#runtime/include/}\"" -- "${sources[@]}" || true; done
}

if [[ "${1:-}" == --all ]]; then
  mapfile -t files < <(git ls-files -- "${sources[@]}")
else
  base="${1:-$(base_of_branch)}"
  if [[ -z "$base" ]]; then
    echo "clang-tidy: SKIPPED, there is no commit to compare with (toolchains/tidy.sh --all checks all files)"
    exit 0
  fi
  mapfile -t changed_headers < <(git diff --name-only --diff-filter=d "$base" -- "${headers[@]}")
  mapfile -t files < <(
    { git diff --name-only --diff-filter=d "$base" -- "${sources[@]}"; includers "${changed_headers[@]}"; } | sort -u)
fi
echo "clang-tidy: ${#files[@]} files"
[[ ${#files[@]} -gt 0 ]] || exit 0

# Uses the generated headers and the commands of the release build, but not its precompiled headers and the options that only GCC
# knows.
cmake --preset release >/dev/null
cmake --build --preset release --target linnet_schema_headers linnet_tf_protos >/dev/null
mkdir -p build/tidy
commands=build/release/compile_commands.json
# The Python package is checked where python.sh has made its environment, which has nanobind.
python=$PWD/build/python/venv/bin/python
if "$python" -m nanobind --version >/dev/null 2>&1; then
  cmake --preset release -B build/tidy/python -DLINNET_BUILD_PYTHON=ON -DLINNET_BUILD_TESTS=OFF -DPython_EXECUTABLE="$python" >/dev/null
  sed -i "s#$PWD/build/tidy/python#$PWD/build/release#g" build/tidy/python/compile_commands.json
  commands=build/tidy/python/compile_commands.json
fi
sed -E 's/ -include [^ ]*cmake_pch\.hxx| -fvect-cost-model=dynamic| --param=[^ ]*//g' "$commands" >build/tidy/compile_commands.json

# The converter's files are checked a few at a time, as the release build compiles them: most of the time goes into
# headers, so eight files take hardly longer than one.
unit_of() {
  if grep -qF "\"$PWD/$1\"" build/tidy/compile_commands.json; then
    echo "$1"
  elif ! grep -rlF --include='unity_*.cxx' "\"$PWD/$1\"" build/release/{converter,runtime}; then
    echo "clang-tidy: $1 is not part of this build, and is not checked" >&2
  fi
}
for file in "${files[@]}"; do unit_of "$file"; done | sort -u |
  xargs --no-run-if-empty -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option \
    --checks=-bugprone-suspicious-include

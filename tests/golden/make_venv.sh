#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the environment in which models and golden outputs are made:
#   DIR         Python virtual environment with TensorFlow (requirements.txt)
#   DIR/node    tfjs for Node.js (package.json), with --node: only for graphs that TensorFlow cannot run
# Run it again after a change of requirements.txt or package.json.
set -euo pipefail

usage() {
  echo "usage: ${0##*/} [--node] DIR [REQUIREMENTS.txt]..."
  echo "  REQUIREMENTS.txt   further packages, e.g. tests/benchmarks/requirements.txt"
}

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

make_python_environment() {  # make_python_environment DIR REQUIREMENTS...
  local dir=$1 requirements=()
  shift
  for file in "$@"; do requirements+=(-r "$file"); done
  [[ -x "$dir/bin/python" ]] || python3 -m venv "$dir" \
    || die "python3 -m venv failed; on Debian: apt-get install python3-venv"
  "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "${requirements[@]}"
}

make_node_environment() {  # make_node_environment DIR PACKAGE_JSON
  command -v npm >/dev/null || die "'npm' is needed; on Debian: apt-get install npm"
  mkdir -p "$1"
  cp "$2" "$1/package.json"
  npm install --prefix "$1" --silent --no-audit --no-fund --no-package-lock
}

main() {
  local here node=false
  here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  case "${1-}" in
    -h | --help) usage; exit 0 ;;
    --node) node=true; shift ;;
  esac
  [[ $# -ge 1 && "$1" != -* ]] || { usage >&2; exit 1; }
  local dir=$1
  shift
  make_python_environment "$dir" "$here/requirements.txt" "$@"
  if $node; then make_node_environment "$dir/node" "$here/package.json"; fi
}

main "$@"

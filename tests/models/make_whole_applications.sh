#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes networks of keras.applications in their whole size, and TensorFlow's numbers for them: DIR/corpus/whole_application.zip.
# What these versions of the scripts made is not made again.
set -euo pipefail

[[ $# -eq 1 ]] || { echo "usage: ${0##*/} DIR" >&2; exit 1; }
dir=$(cd "$1" && pwd)
golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)

version=$(cat "$golden"/corpus/{make_corpus,feeds,forms,models,whole_application_models}.py "$golden/requirements.txt" | sha256sum)
stamp="$dir/corpus/VERSION"
[[ -f "$stamp" && "$(<"$stamp")" == "$version" ]] && exit 0

rm -f "$stamp"
"$golden/make_venv.sh" "$dir/venv"
"$dir/venv/bin/python" -B "$golden/corpus/make_corpus.py" "$dir/corpus" whole_application --stored
echo "$version" >"$stamp"

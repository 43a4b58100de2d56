#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the SavedModels that are too large to be committed, and TensorFlow's numbers for them:
# DIR/saved_models/<name> and <name>.npz. What these versions of the scripts made is not made again.
set -euo pipefail

[[ $# -eq 1 ]] || { echo "usage: ${0##*/} DIR" >&2; exit 1; }
dir=$(cd "$1" && pwd)
golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)

version=$(cat "$golden"/{make_saved_models.py,{small,large}_saved_models.py,fetch_basic_pitch.sh,requirements.txt} | sha256sum)
stamp="$dir/saved_models/VERSION"
[[ -f "$stamp" && "$(<"$stamp")" == "$version" ]] && exit 0

rm -f "$stamp"
"$golden/make_venv.sh" "$dir/venv"
"$golden/fetch_basic_pitch.sh" "$dir/saved_models"
"$dir/venv/bin/python" -B "$golden/make_saved_models.py" large "$dir/saved_models"
echo "$version" >"$stamp"

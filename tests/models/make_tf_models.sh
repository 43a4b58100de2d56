#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the models and outputs that tests labelled tensorflow use: DIR/venv, then DIR/human_pb, DIR/keras, DIR/golden.
# DIR is where fetch_models.sh put the models. What these versions of the scripts made is not made again.
set -euo pipefail

[[ $# -eq 1 ]] || { echo "usage: ${0##*/} DIR" >&2; exit 1; }
dir=$(cd "$1" && pwd)
golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)

# A hash of everything on which the results depend.
version=$(cat "$golden"/{make_models,make_goldens,keras_models,keras_transformers,tfjs_graph,run_tensorflow}.py \
  "$golden"/{golden_inputs,pictures,model_catalog}.py "$golden/requirements.txt" \
  "$dir/human/VERSION" "$dir/pictures/VERSION" | sha256sum)
stamp="$dir/golden/VERSION"
[[ -f "$stamp" && "$(<"$stamp")" == "$version" ]] && exit 0

rm -f "$stamp"
"$golden/make_venv.sh" "$dir/venv"
python="$dir/venv/bin/python"
"$python" -B "$golden/make_models.py" tfjs2pb "$dir"
"$python" -B "$golden/make_models.py" keras "$dir"
"$python" -B "$golden/make_goldens.py" "$dir"
echo "$version" >"$stamp"

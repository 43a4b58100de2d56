#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the topics of the corpus that are too large to be committed, with TensorFlow's numbers: DIR/corpus/TOPIC.zip.
# whole_application: networks of keras.applications in their whole size. human: the models of DIR/human at other picture sizes.
# What these versions of the scripts made is not made again.
set -euo pipefail

[[ $# -eq 1 ]] || { echo "usage: ${0##*/} DIR" >&2; exit 1; }
dir=$(cd "$1" && pwd)
golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)

version=$(cat "$golden"/corpus/{make_corpus,feeds,forms,models,whole_application_models,human_models}.py \
  "$golden"/{tfjs_graph,run_tensorflow}.py "$golden/requirements.txt" "$dir/human/VERSION" | sha256sum)
stamp="$dir/corpus/VERSION"
[[ -f "$stamp" && "$(<"$stamp")" == "$version" ]] && exit 0

rm -f "$stamp"
"$golden/make_venv.sh" "$dir/venv"
LINNET_MODELS_DIR="$dir" "$dir/venv/bin/python" -B "$golden/corpus/make_corpus.py" "$dir/corpus" whole_application human --stored
echo "$version" >"$stamp"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the corpus: small models as users export them, with the numbers that TensorFlow computes.

  make_corpus.py DIR [TOPIC..] [--only MODEL]    writes DIR/TOPIC.zip; the default DIR is tests/models/corpus
  make_corpus.py DIR whole_application human --stored  networks of their whole size, uncompressed; only when named

Each zip has models.json (a row per model), and per model a folder with the model's files and values.npz: RUN/in/NAME
and RUN/out/NAME for each run, where RUN is 0, 1, .. or `cut`. tests/models/corpus_test.py reads them.
"""

import argparse
import importlib
import json
import os
import pathlib
import shutil
import sys
import tempfile
import traceback
import zipfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # before TensorFlow is imported
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
# With oneDNN, which TensorFlow takes on some CPUs only, a convolution without output has its input's shape, and the next op fails.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np

import run_tensorflow

DIR = pathlib.Path(__file__).resolve().parents[2] / "models" / "corpus"
# Modules TOPIC_models.py, each with a list MODELS.
TOPICS = ["layer", "convolution", "recurrent", "attention", "preprocessing", "application", "function", "session",
          "signal",
          "image", "algebra", "keras_op", "generation", "text", "audio", "detection", "dtype", "varying", "format"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path, nargs="?", default=DIR)
    parser.add_argument("topics", nargs="*")
    parser.add_argument("--only", help="a model; its topic's zip then has nothing else")
    parser.add_argument("--stored", action="store_true", help="do not compress")
    arguments = parser.parse_args()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    failed = []
    for topic in arguments.topics or TOPICS:
        models = [model for model in importlib.import_module(f"{topic}_models").MODELS
                  if arguments.only in (None, model.name)]
        file = arguments.dir / f"{topic}.zip"
        failed += write_topic(file, models, zipfile.ZIP_STORED if arguments.stored else zipfile.ZIP_DEFLATED)
        print(f"{file}: {len(models)} models, {file.stat().st_size} bytes", flush=True)
    if failed:
        sys.exit(f"TensorFlow does not make {', '.join(failed)}")


def write_topic(file, models, compression):
    """Returns the names of models that could not be made."""
    names = [model.name for model in models]
    if len(set(names)) != len(names):
        raise ValueError(f"two models have one name: {sorted(name for name in names if names.count(name) > 1)}")
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(file, "w", compression, compresslevel=9) as packed:
        rows, failed = [], []
        for model in models:
            folder = pathlib.Path(scratch) / model.name
            folder.mkdir()
            try:
                rows.append(make(model, folder))
                pack_folder(packed, folder, model.name)
                shutil.rmtree(folder)
            except Exception:
                traceback.print_exc()
                failed.append(model.name)
        add(packed, "models.json", ("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n").encode())
    return failed


def make(model, folder):
    """Exports one model and its numbers; returns its row."""
    exported = model.export(model.name, folder)
    fed = {name: feed for name, feed in model.feeds.items() if not feed.is_set}
    renamed = dict(zip(model.feeds, model.feeds if not exported.renamed or set(exported.renamed) == set(model.feeds)
                       else exported.renamed, strict=True))
    arrays = {}
    runs = 1 + max((len(feed.sizes) for feed in model.feeds.values()), default=0) if exported.run else 0
    for run in range(runs):
        values = {name: feed.values(model.name, name, run) for name, feed in model.feeds.items()}
        keep(arrays, run, {renamed[name]: values[name] for name in fed}, exported.run(values))
    row = {"name": model.name, "file": exported.file, "options": options_of(model, exported, renamed), "runs": runs}
    if model.tolerance:
        row["tolerance"] = model.tolerance
    if model.backends:
        row["backends"] = list(model.backends)
    if model.cut:
        row["cut"] = cut_row(model, exported, arrays)
    np.savez(folder / "values.npz", **arrays)
    return row


def keep(arrays, run, inputs, outputs):
    for side, tensors in (("in", inputs), ("out", outputs)):
        for name, value in tensors.items():
            value = np.asarray(value)
            if value.dtype == object:  # strings: only in models that are refused
                continue
            if value.dtype.name == "bfloat16":  # numpy has none; linnet-run writes it as f32
                value = value.astype(np.float32)
            arrays[f"{run}/{side}/{name}"] = value


def options_of(model, exported, renamed):
    options = list(model.options)
    for name, feed in model.feeds.items():
        if feed.is_set:
            options += ["--set", f"{name}={feed.set_text()}"]
        elif feed.flag or (exported.file == "saved" and feed.shape and feed.shape[0] != 1):
            options += ["--input", f"{renamed[name]}={feed.flag or 'x'.join(map(str, feed.shape))}"]
    for name in exported.outputs:
        options += ["--output", name]
    return options


def cut_row(model, exported, arrays):
    """The way out: other inputs (tensors of the graph) or other outputs."""
    feeds = model.cut.get("feeds", model.feeds)
    outputs = model.cut.get("outputs", exported.outputs)
    values = {name: feed.values(model.name, name) for name, feed in feeds.items()}
    expected = model.cut.get("expected")  # for forms that TensorFlow cannot cut
    keep(arrays, "cut", values,
         expected(*values.values()) if expected else run_tensorflow.run_graph(exported.graph, values, outputs))
    options = [word for name in outputs for word in ("--output", name)]
    for name, feed in feeds.items():
        if name not in model.feeds or feed.flag:
            options += ["--input", f"{name}={feed.flag or 'x'.join(map(str, feed.shape)) or 'scalar'}"]
    return {"options": [*model.options, *options]}


def pack_folder(packed, folder, name):
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            add(packed, f"{name}/{path.relative_to(folder)}", path.read_bytes())


def add(packed, name, content):
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))  # the same bytes whenever it is made
    info.compress_type = packed.compression
    packed.writestr(info, content)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes SavedModels and what TensorFlow computes with them.

  make_saved_models.py small DIR [NAME..]   the tiny ones that are committed in tests/models/saved_models
  make_saved_models.py large DIR [NAME..]   those that are made when they are tested

DIR/NAME is the SavedModel; DIR/NAME.npz has its inputs and outputs by signature key, as in/KEY and out/KEY; where there are several runs, with
inputs of other sizes, as 0/in/KEY, 1/in/KEY ...
"""

import os
import pathlib
import shutil
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # before TensorFlow is imported

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

from large_saved_models import FETCHED, LARGE
from small_saved_models import SMALL, STREAMS


def make(build, root):
    folder = root / build.__name__
    if build not in FETCHED:
        shutil.rmtree(folder, ignore_errors=True)
    inputs = build(folder)
    if build not in FETCHED:
        (folder / "fingerprint.pb").unlink(missing_ok=True)  # random, and nobody reads it
    if build in SMALL:
        drop_op_definitions(folder / "saved_model.pb")
    runs = inputs if isinstance(inputs, list) else [inputs]
    arrays = [expected(folder, run, build in STREAMS) for run in runs]
    np.savez(root / f"{build.__name__}.npz", **(arrays[0] if len(arrays) == 1 else {
        f"{i}/{name}": value for i, run in enumerate(arrays) for name, value in run.items()}))


def drop_op_definitions(file):
    """Every loader has its own; without them what is committed stays small."""
    model = saved_model_pb2.SavedModel.FromString(file.read_bytes())
    for graph in model.meta_graphs:
        graph.meta_info_def.ClearField("stripped_op_list")
    file.write_bytes(model.SerializeToString(deterministic=True))


def expected(folder, inputs, is_stream):
    """Runs the signature serving_default of a SavedModel and returns what went in and came out."""
    model = tf.saved_model.load(str(folder), tags=["serve"])
    signature = model.signatures["serving_default"]
    names = sorted(signature.structured_input_signature[1])
    if set(names) != set(inputs):  # Keras numbers its inputs anew
        inputs = dict(zip(names, inputs.values(), strict=True))
    calls = len(next(iter(inputs.values()))) if is_stream else 1
    results = [signature(**{name: tf.constant(value[call] if is_stream else value)
                            for name, value in inputs.items()}) for call in range(calls)]
    outputs = {name: np.stack([result[name].numpy() for result in results]) if is_stream
               else results[0][name].numpy() for name in results[0]}
    print(f"{folder.name}: {', '.join(outputs)}")
    return {f"in/{name}": value for name, value in inputs.items()} | {f"out/{name}": value for name, value in outputs.items()}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("small", "large"):
        sys.exit(__doc__)
    root, names = pathlib.Path(sys.argv[2]), sys.argv[3:]
    root.mkdir(parents=True, exist_ok=True)
    for build in SMALL if sys.argv[1] == "small" else LARGE + FETCHED:
        if not names or build.__name__ in names:
            make(build, root)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The models of @vladmandic/human for pictures of other sizes than they were made for. They lie in the folder that the
environment variable LINNET_MODELS_DIR names (tests/golden/fetch_models.sh), and are too large to be committed."""

import json
import os
import pathlib
import shutil

import forms
import run_tensorflow
import tfjs_graph
from feeds import Feed
from models import Model

SIZES = ((64, 64), (96, 160), (128, 128), (256, 320), (512, 512))


def human(name, placeholder, channels=3, dtype="float32", sizes=SIZES):
    """TensorFlow runs it at all of `sizes`."""
    shape, *more = ((1, *size, channels) for size in sizes)
    feed = Feed(shape, dtype, low=0, high=1 if dtype == "float32" else 256)
    flag = f"1x64..512x64..512x{channels}"
    return Model(f"human_{name}", lambda _, folder: export(name, placeholder, folder),
                 {placeholder: feed.varying(flag, *more)})


def of_one_size(name, placeholder):
    """TensorFlow refuses other sizes too, at the node that the refusal has to name (tests/models/corpus/states.json)."""
    options = ("--input", f"{placeholder}=1x64..512x64..512x3")
    return Model(f"human_{name}", lambda _, folder: forms.Exported(copy(name, folder), None, []), {}, options)


def copy(name, folder):
    models = pathlib.Path(os.environ["LINNET_MODELS_DIR"]) / "human"
    file = f"{name}.json"
    for group in json.loads((models / file).read_text())["weightsManifest"]:
        for path in (file, *group["paths"]):
            shutil.copy(models / path, folder / path)
    return file


def export(name, placeholder, folder):
    file = copy(name, folder)
    model = tfjs_graph.load(folder / file)
    graph = tfjs_graph.unfuse(model.graph)
    node = next(node for node in graph.node if node.name == placeholder)
    for dim in node.attr["shape"].shape.dim[1:3]:
        dim.size = -1  # TensorFlow checks what it is fed against it
    outputs = [info["name"].removesuffix(":0") for info in model.outputs.values()]
    return forms.Exported(file, lambda feeds: run_tensorflow.run_graph(graph, feeds, outputs), outputs)


MODELS = [
    human("emotion", "input_1", channels=1),
    # A map smaller than its last window gives no rows, a larger one may give several.
    human("facemesh", "input_1", sizes=((64, 64), (128, 128), (192, 192), (256, 320), (512, 512))),
    human("faceres", "input_1"),
    human("handlandmark-lite", "input_1"),
    human("handtrack", "input_tensor", dtype="uint8"),
    human("iris", "input_1"),
    human("liveness", "conv2d_1_input"),
    of_one_size("antispoof", "conv2d_input"),
    of_one_size("blazeface", "input"),
    of_one_size("centernet", "tower_0/images"),
    of_one_size("movenet-lightning", "input"),
]

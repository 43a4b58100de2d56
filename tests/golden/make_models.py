#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the TensorFlow graphs of the end-to-end tests and benchmarks.

  make_models.py keras DIR     DIR/keras/<name>.pb: seeded Keras networks, frozen
  make_models.py tfjs2pb DIR   DIR/human_pb/<name>.{pb,pbtxt}: the tfjs models of DIR/human as
                               GraphDefs of public TensorFlow ops

Beside each graph lies <name>.json: its inputs {name, key, dtype, shape, declared_shape} and outputs
{name, key}.  `name` is the node's name (`:k` appended for output slot k > 0), `key` the signature's.
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

from google.protobuf import text_format
from tensorflow.python.framework import dtypes

import tfjs_graph
from run_tensorflow import run_graph


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, function in (("keras", make_keras), ("tfjs2pb", make_tfjs)):
        command = commands.add_parser(name, help=function.__doc__)
        command.add_argument("dir", type=pathlib.Path, help="folder that fetch_models.sh filled")
        command.add_argument("--only", action="append", metavar="NAME", help="this model only")
        command.set_defaults(function=function)
    arguments = parser.parse_args()
    arguments.function(arguments.dir, arguments.only)


def make_keras(root, only=None):
    """Keras networks with seeded weights, frozen"""
    import keras_models
    for name in keras_models.NETWORKS:
        if only and name not in only:
            continue
        network = keras_models.NETWORKS[name]
        graph = keras_models.freeze(name, keras_models.build(name, seed=1))
        logits, probabilities = keras_models.find_outputs(graph)
        check_logits(name, graph, logits)
        values = {"name": keras_models.INPUT_NAME, "key": None, "dtype": network.dtype,
                  "shape": list(network.shape), "declared_shape": list(network.shape)}
        outputs = [{"name": probabilities, "key": None}, {"name": logits, "key": None}]
        write_graph(root / "keras", name, graph, [values], outputs)


def check_logits(name, graph, logits):
    import keras_models
    import numpy as np
    network = keras_models.NETWORKS[name]
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(2):
        values = rng.uniform(network.low, network.high, network.shape)
        feeds = {keras_models.INPUT_NAME: values.astype(network.dtype)}
        rows.append(run_graph(graph, feeds, [logits])[logits].ravel())
    keras_models.check_alive(name, np.stack(rows))


def make_tfjs(root, only=None):
    """tfjs graph-models as GraphDefs of public TensorFlow ops"""
    for path in sorted((root / "human").glob("*.json")):
        if (only and path.stem not in only) or not tfjs_graph.is_graph_model(path):
            continue
        model = tfjs_graph.load(path)
        graph = tfjs_graph.unfuse(model.graph)
        inputs = [describe_input(key, info, graph) for key, info in model.inputs.items()]
        outputs = [{"name": node_name(info["name"]), "key": key}
                   for key, info in model.outputs.items()]
        write_graph(root / "human_pb", path.stem, graph, inputs, outputs, text=True)


def node_name(tensor_name):
    """'x:0' -> 'x'; 'x:1' stays."""
    return tensor_name.removesuffix(":0")


def describe_input(key, info, graph):
    """Shapes in the signature may be more exact than the placeholder's; a batch of -1 becomes 1."""
    name = node_name(info["name"])
    placeholder = next(node for node in graph.node if node.name == name)
    declared = [dim.size for dim in placeholder.attr["shape"].shape.dim]
    signature = [int(dim["size"]) for dim in info["tensorShape"].get("dim", [])]
    dtype = dtypes.as_dtype(placeholder.attr["dtype"].type).name
    return {"name": name, "key": key, "dtype": dtype,
            "shape": [1 if size == -1 else size for size in signature], "declared_shape": declared}


def write_graph(folder, name, graph, inputs, outputs, text=False):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.pb").write_bytes(graph.SerializeToString(deterministic=True))
    if text:
        (folder / f"{name}.pbtxt").write_text(text_format.MessageToString(graph))
    sidecar = {"inputs": inputs, "outputs": outputs}
    (folder / f"{name}.json").write_text(json.dumps(sidecar, indent=2) + "\n")
    print(f"{folder.name}/{name}: {len(graph.node)} nodes")


if __name__ == "__main__":
    main()

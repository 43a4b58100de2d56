# SPDX-License-Identifier: Apache-2.0
"""Writes a GraphDef as a graph model of tfjs: model.json and one file of weights."""

import json

import tensorflow as tf
from google.protobuf import json_format

DTYPES = {tf.float32: "float32", tf.int32: "int32", tf.bool: "bool", tf.uint8: "uint8"}


def write(folder, graph):
    """Constants become weights, as tfjs' converter has it: the node stays, without its value."""
    weights, chunks = [], []
    topology = json_format.MessageToDict(graph)
    for node, source in zip(topology["node"], graph.node, strict=True):
        dtype = tf.dtypes.as_dtype(source.attr["dtype"].type) if source.op == "Const" else None
        if dtype not in DTYPES:
            continue
        value = tf.make_ndarray(source.attr["value"].tensor)
        weights.append({"name": source.name, "shape": list(value.shape), "dtype": DTYPES[dtype]})
        chunks.append(value.tobytes())
        del node["attr"]["value"]
    model = {"format": "graph-model", "generatedBy": "tests/golden/corpus", "convertedBy": None,
             "modelTopology": topology,
             "weightsManifest": [{"paths": ["group1-shard1of1.bin"], "weights": weights}]}
    (folder / "model.json").write_text(json.dumps(model, separators=(",", ":")))
    (folder / "group1-shard1of1.bin").write_bytes(b"".join(chunks))

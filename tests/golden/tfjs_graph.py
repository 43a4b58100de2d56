# SPDX-License-Identifier: Apache-2.0
"""Reads a tfjs graph-model (model.json + weight shards) as a TensorFlow GraphDef.

`load` gives the graph as tfjs wrote it, `unfuse` replaces the fused ops that only tfjs and grappler
know (`_FusedConv2D`, `FusedDepthwiseConv2dNative`, `_FusedMatMul`, `Prelu`) by public TensorFlow ops.
The last op of an expansion keeps the fused node's name, so consumers and outputs stay as they are.
"""

import dataclasses
import json
import pathlib

import numpy as np
from google.protobuf import json_format
from tensorflow.core.framework import attr_value_pb2, graph_pb2, types_pb2
from tensorflow.python.framework import dtypes, tensor_util

WEIGHT_DTYPES = {"float32": np.float32, "int32": np.int32, "bool": np.bool_}

BASE_OPS = {
    "_FusedConv2D": "Conv2D",
    "FusedDepthwiseConv2dNative": "DepthwiseConv2dNative",
    "_FusedMatMul": "MatMul",
}
BASE_ATTRS = {
    "Conv2D": ("T", "strides", "padding", "explicit_paddings", "data_format", "dilations",
               "use_cudnn_on_gpu"),
    "DepthwiseConv2dNative": ("T", "strides", "padding", "explicit_paddings", "data_format",
                              "dilations"),
    "MatMul": ("T", "transpose_a", "transpose_b"),
}
ACTIVATIONS = {op.lower(): op for op in ("Relu", "Relu6", "Elu", "LeakyRelu", "Sigmoid", "Tanh")}


@dataclasses.dataclass
class TfjsModel:
    graph: graph_pb2.GraphDef
    inputs: dict   # signature key -> TensorInfo as in the JSON
    outputs: dict


def is_graph_model(path):
    """Whether `path` is a model.json that holds a graph (and not a Keras layers model or an index)."""
    model = json.loads(pathlib.Path(path).read_text())
    return isinstance(model, dict) and "node" in model.get("modelTopology", {})


def load(path):
    """Returns the model with every Const filled from the weight shards, ops as tfjs wrote them."""
    path = pathlib.Path(path)
    model = json.loads(path.read_text())
    graph = json_format.ParseDict(model["modelTopology"], graph_pb2.GraphDef())
    if graph.library.function:
        raise NotImplementedError(f"{path.name}: functions in the library")
    if not graph.versions.producer:
        graph.versions.producer = 27  # tfjs dropped it; 27 is after the last change of op semantics
    weights = _read_weights(path.parent, model["weightsManifest"])
    for node in graph.node:
        if node.op == "Const":
            _fill_const(node, weights[node.name])
    signature = model.get("signature") or model.get("userDefinedMetadata", {}).get("signature", {})
    return TfjsModel(graph, signature.get("inputs", {}), signature.get("outputs", {}))


def unfuse(graph):
    """Returns a copy of `graph` in which each fused op is written out in public TensorFlow ops."""
    result = graph_pb2.GraphDef(versions=graph.versions)
    for node in graph.node:
        if node.op in BASE_OPS:
            _expand_fused(node, result)
        elif node.op == "Prelu":
            data, control = _split_control(node.input)
            _add_prelu(result, node.name, data[0], data[1], control)
        else:
            result.node.add().CopyFrom(node)
    return result


def _read_weights(folder, manifest):
    weights = {}
    for group in manifest:
        data = b"".join((folder / shard).read_bytes() for shard in group["paths"])
        offset = 0
        for entry in group["weights"]:
            array, size = _decode_weight(entry, data, offset)
            weights[entry["name"]] = array
            offset += size
        if offset != len(data):
            raise ValueError(f"{group['paths']}: {len(data)} bytes, manifest describes {offset}")
    return weights


def _decode_weight(entry, data, offset):
    """Returns (array, number of bytes in the shard).  Quantisation is weight-only: decoded here."""
    quantization = entry.get("quantization", {})
    stored = np.dtype(quantization.get("dtype", WEIGHT_DTYPES[entry["dtype"]]))
    count = int(np.prod(entry["shape"], dtype=np.int64))
    raw = np.frombuffer(data, stored, count, offset).reshape(entry["shape"])
    size = count * stored.itemsize
    if stored.kind != "u":
        return raw.astype(WEIGHT_DTYPES[entry["dtype"]]), size
    real = raw.astype(np.float64) * quantization["scale"] + quantization["min"]
    if entry["dtype"] == "int32":
        real = np.floor(real + 0.5)
    return real.astype(WEIGHT_DTYPES[entry["dtype"]]), size


def _fill_const(node, array):
    dtype = dtypes.as_dtype(node.attr["dtype"].type)
    array = array.astype(dtype.as_numpy_dtype)  # tfjs keeps int64 as int32 and double as float
    node.attr["value"].tensor.CopyFrom(tensor_util.make_tensor_proto(array, dtype, array.shape))


def _split_control(inputs):
    data = [name for name in inputs if not name.startswith("^")]
    return data, [name for name in inputs if name.startswith("^")]


def _add(graph, name, op, inputs, attrs):
    node = graph.node.add(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)
    return name


def _add_prelu(graph, name, x, alpha, control=()):
    """relu(x) + (-alpha) * relu(-x), the form in which Keras exports PReLU."""
    attrs = {"T": attr_value_pb2.AttrValue(type=types_pb2.DT_FLOAT)}
    positive = _add(graph, f"{name}/Relu", "Relu", [x, *control], attrs)
    negated = _add(graph, f"{name}/Neg_1", "Neg", [x, *control], attrs)
    negative = _add(graph, f"{name}/Relu_1", "Relu", [negated], attrs)
    slope = _add(graph, f"{name}/Neg", "Neg", [alpha, *control], attrs)
    product = _add(graph, f"{name}/mul", "Mul", [slope, negative], attrs)
    _add(graph, name, "AddV2", [positive, product], attrs)


def _expand_fused(node, graph):
    data, control = _split_control(node.input)
    x, weights, *extra = data
    steps = [step.decode() for step in node.attr["fused_ops"].list.s]
    base_op = BASE_OPS[node.op]
    base_attrs = {key: node.attr[key] for key in BASE_ATTRS[base_op] if key in node.attr}
    base_name = f"{node.name}/{base_op}" if steps else node.name
    value = _add(graph, base_name, base_op, [x, weights, *control], base_attrs)
    for index, step in enumerate(steps):
        name = node.name if index == len(steps) - 1 else f"{node.name}/{step}"
        value = _add_fused_step(graph, name, step, value, extra, node)
    if extra:
        raise ValueError(f"{node.name}: fused_ops {steps} leave inputs {extra} unused")


def _add_fused_step(graph, name, step, value, extra, node):
    dtype = node.attr["T"]
    kind = step.lower()
    if kind == "biasadd":
        attrs = {"T": dtype}
        if "data_format" in node.attr:
            attrs["data_format"] = node.attr["data_format"]
        return _add(graph, name, "BiasAdd", [value, extra.pop(0)], attrs)
    if kind == "prelu":
        _add_prelu(graph, name, value, extra.pop(0))
        return name
    if kind not in ACTIVATIONS:
        raise NotImplementedError(f"{node.name}: fused op {step}")
    attrs = {"T": dtype}
    if kind == "leakyrelu":
        attrs["alpha"] = node.attr["leakyrelu_alpha"]
    return _add(graph, name, ACTIVATIONS[kind], [value], attrs)

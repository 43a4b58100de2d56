#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes converter/graph/tensorflow/tf_ops.pbtxt: TensorFlow's op definitions without their descriptions.

usage: make_tf_ops.py           (needs tensorflow)

One op per line, sorted by name, so that an update of TensorFlow gives a readable diff. Everything that TensorFlow
registers is kept, its internal and its test ops too, and what tfjs' optimiser adds: importing a graph must not fail
because of an op that pruning removes anyway, and what is refused is refused with a reason of ours.
"""
import pathlib

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.client import pywrap_tf_session as c_api

OUT = pathlib.Path(__file__).resolve().parents[2] / "converter/graph/tensorflow/tf_ops.pbtxt"

# Ops of older graphs, and the private ops of tfjs' optimiser.
FUSED_CONV = """
name: "%s"
input_arg { name: "input" type_attr: "T" }
input_arg { name: "filter" type_attr: "T" }
input_arg { name: "args" type_attr: "T" number_attr: "num_args" }
output_arg { name: "output" type_attr: "T" }
attr { name: "T" type: "type" allowed_values { list { type: [DT_HALF, DT_FLOAT, DT_DOUBLE, DT_INT8, DT_QINT8, DT_INT32, DT_BFLOAT16] } } }
attr { name: "num_args" type: "int" default_value { i: 1 } has_minimum: true }
attr { name: "strides" type: "list(int)" }
attr { name: "padding" type: "string" allowed_values { list { s: ["SAME", "VALID", "EXPLICIT"] } } }
attr { name: "explicit_paddings" type: "list(int)" default_value { list { } } }
attr { name: "data_format" type: "string" default_value { s: "NHWC" } allowed_values { list { s: ["NHWC", "NCHW", "NCHW_VECT_C"] } } }
attr { name: "filter_format" type: "string" default_value { s: "HWIO" } allowed_values { list { s: ["HWIO", "OIHW", "OIHW_VECT_I"] } } }
attr { name: "dilations" type: "list(int)" default_value { list { i: [1, 1, 1, 1] } } }
attr { name: "use_cudnn_on_gpu" type: "bool" default_value { b: true } }
attr { name: "fused_ops" type: "list(string)" default_value { list { } } }
attr { name: "epsilon" type: "float" default_value { f: 0.0001 } }
attr { name: "leakyrelu_alpha" type: "float" default_value { f: 0.2 } }
"""
FUSED_MATMUL = """
name: "_FusedMatMul"
input_arg { name: "a" type_attr: "T" }
input_arg { name: "b" type_attr: "T" }
input_arg { name: "args" type_attr: "T" number_attr: "num_args" }
output_arg { name: "product" type_attr: "T" }
attr { name: "transpose_a" type: "bool" default_value { b: false } }
attr { name: "transpose_b" type: "bool" default_value { b: false } }
attr { name: "T" type: "type" allowed_values { list { type: [DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE] } } }
attr { name: "num_args" type: "int" default_value { i: 1 } has_minimum: true }
attr { name: "fused_ops" type: "list(string)" default_value { list { } } }
attr { name: "epsilon" type: "float" default_value { f: 0.0001 } }
attr { name: "leakyrelu_alpha" type: "float" default_value { f: 0.2 } }
"""
PRELU = """
name: "Prelu"
input_arg { name: "x" type_attr: "T" }
input_arg { name: "alpha" type_attr: "T" }
output_arg { name: "activations" type_attr: "T" }
attr { name: "T" type: "type" default_value { type: DT_FLOAT } allowed_values { list { type: [DT_HALF, DT_FLOAT, DT_DOUBLE, DT_BFLOAT16] } } }
"""
OVERRIDES = [FUSED_CONV % "_FusedConv2D", FUSED_CONV % "FusedDepthwiseConv2dNative",
             FUSED_CONV % "_FusedDepthwiseConv2dNative", FUSED_MATMUL, PRELU]


def strip(op):
    for field in ("summary", "description"):
        op.ClearField(field)
    for attr in op.attr:
        attr.ClearField("description")
    for arg in list(op.input_arg) + list(op.output_arg):
        for field in ("description", "handle_data", "experimental_full_type"):
            arg.ClearField(field)
    return op


def main():
    registered = op_def_pb2.OpList()
    registered.ParseFromString(c_api.TF_GetBuffer(c_api.TF_GetAllOpList()))
    ops = {op.name: strip(op) for op in registered.op}
    for text in OVERRIDES:
        op = text_format.Parse(text, op_def_pb2.OpDef())
        ops[op.name] = op
    with open(OUT, "w", encoding="utf-8") as out:
        out.write("# SPDX-License-Identifier: Apache-2.0\n"
                  "# Made by tests/golden/make_tf_ops.py; do not edit.\n")
        for name in sorted(ops):
            line = text_format.MessageToString(ops[name], as_one_line=True, use_short_repeated_primitives=True)
            out.write(f"op {{ {line} }}\n")
    print(f"kGraphDefVersion in op_registry.h: {tf.version.GRAPH_DEF_VERSION}")
    print(f"{len(ops)} ops, {len(registered.op)} of them TensorFlow's, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()

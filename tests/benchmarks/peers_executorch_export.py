#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MODEL.onnx -> MODEL.pte: onnx2torch, torch.export, XNNPACK's partitioner.  For requirements_executorch.txt."""

import pathlib
import sys

import numpy as np
import onnx
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from onnx2torch import convert


def main(source, destination):
    graph = onnx.load(source)
    examples = tuple(example(value.type.tensor_type) for value in graph.graph.input)
    exported = torch.export.export(convert(graph).eval(), examples)
    lowered = to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()])
    pathlib.Path(destination).write_bytes(lowered.to_executorch().buffer)


def example(tensor):
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    return torch.from_numpy(np.zeros([size.dim_value for size in tensor.shape.dim], dtype))


if __name__ == "__main__":
    main(*sys.argv[1:])

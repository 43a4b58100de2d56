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
from torch.fx.experimental.proxy_tensor import make_fx


def main(source, destination):
    graph = onnx.load(source)
    examples = tuple(example(value.type.tensor_type) for value in graph.graph.input)
    module = with_known_integers(convert(graph).eval(), examples)
    exported = torch.export.export(module, examples)
    lowered = to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()])
    pathlib.Path(destination).write_bytes(lowered.to_executorch().buffer)


def example(tensor):
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    return torch.from_numpy(np.zeros([size.dim_value for size in tensor.shape.dim], dtype))


def with_known_integers(module, examples):
    """Axes, pads and shapes are tensors in ONNX, whose values torch.export does not follow.  Traced with real values they
    are numbers; no model here computes them from its inputs."""
    with torch.no_grad():
        traced = make_fx(module, _error_on_data_dependent_ops=False)(*examples)
    traced.graph.eliminate_dead_code()
    traced.recompile()
    return traced


if __name__ == "__main__":
    main(*sys.argv[1:])

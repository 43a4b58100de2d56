# SPDX-License-Identifier: Apache-2.0
"""The models of the end-to-end tests: where each form of one lies and which pixel values it expects."""

import dataclasses
import json
import pathlib


@dataclasses.dataclass(frozen=True)
class PixelRange:
    low: float
    high: float


UNIT = PixelRange(0, 1)
SIGNED_UNIT = PixelRange(-1, 1)
BYTE = PixelRange(0, 255)

PIXEL_RANGES = {
    "antispoof": UNIT,
    "blazeface": SIGNED_UNIT,
    "centernet": BYTE,              # rescaled by weights of its own first convolution
    "emotion": SIGNED_UNIT,
    "facemesh": UNIT,
    "faceres": BYTE,
    "handlandmark-lite": UNIT,
    "handtrack": BYTE,              # uint8
    "iris": UNIT,
    "liveness": UNIT,
    "movenet-lightning": BYTE,      # int32
    "mobilenet_v2": SIGNED_UNIT,
    "resnet50": PixelRange(-128, 128),   # Keras subtracts the mean pixel
    "efficientnet_b0": BYTE,        # rescales inside
    "mobilenet_v3_small": BYTE,     # rescales inside
    "efficientnet_v2_b0": BYTE,     # rescales inside
    "convnext_tiny": BYTE,          # rescales inside
    "vit_tiny": SIGNED_UNIT,
    "text_encoder": PixelRange(0, 7999),  # numbers of words
}


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    graph: pathlib.Path      # .pb that TensorFlow runs
    sources: dict            # form -> path, what `linnet convert` is given
    inputs: list             # [{name, key, dtype, shape, declared_shape}]
    outputs: list            # [{name, key}]
    pixels: PixelRange


def file_name(tensor_name):
    """The name of a tensor's .npy file, as linnet-run writes it."""
    return tensor_name.replace("/", "_").replace(":", "_") + ".npy"


def find_models(root, only=None):
    """Returns the models below `root` (see fetch_models.sh, make_models.py), sorted by name."""
    graphs = [*root.glob("human_pb/*.pb"), *root.glob("keras/*.pb")]
    return [_describe(root, path) for path in sorted(graphs, key=lambda path: path.stem)
            if not only or path.stem in only]


def _describe(root, graph):
    sources = {"pb": graph}
    for form, path in (("pbtxt", graph.with_suffix(".pbtxt")),
                       ("tfjs", root / "human" / f"{graph.stem}.json")):
        if path.exists():
            sources[form] = path
    sidecar = json.loads(graph.with_suffix(".json").read_text())
    return Model(graph.stem, graph, sources, sidecar["inputs"], sidecar["outputs"],
                 PIXEL_RANGES.get(graph.stem, UNIT))

# SPDX-License-Identifier: Apache-2.0
"""Keras' reference networks and two transformers with seeded weights, frozen as TensorFlow freezes them.

Weights are random (nothing is downloaded).  Batch norms get random gamma and beta, and mean and
variance near those of real activations, so that signal of a sensible size reaches the logits; layer
norms and the scales of residual branches are random too.
MobileNetV2 and ResNet50 come from Keras 2 (batch norms are FusedBatchNormV3), the others from Keras 3
(batch norms are Rsqrt, Mul, Sub, AddV2): both kinds of graph are common.
"""

import dataclasses
import re
from typing import Any, Callable

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import keras_transformers

IMAGE_SHAPE = (1, 224, 224, 3)
INPUT_NAME = "input"
LOGITS_DEVIATION = 2.0


@dataclasses.dataclass
class Network:
    build: Callable
    library: Any  # the Keras that builds it
    low: float    # range of the input's values that the network expects
    high: float
    shape: tuple = IMAGE_SHAPE
    dtype: str = "float32"


# EfficientNet, MobileNetV3 and ConvNeXt rescale pixels themselves.
NETWORKS = {
    "mobilenet_v2": Network(tf_keras.applications.MobileNetV2, tf_keras, -1, 1),
    "resnet50": Network(tf_keras.applications.ResNet50, tf_keras, -128, 128),
    "efficientnet_b0": Network(keras.applications.EfficientNetB0, keras, 0, 255),
    "mobilenet_v3_small": Network(keras.applications.MobileNetV3Small, keras, 0, 255),
    "efficientnet_v2_b0": Network(keras.applications.EfficientNetV2B0, keras, 0, 255),
    "convnext_tiny": Network(keras.applications.ConvNeXtTiny, keras, 0, 255),
    "vit_tiny": Network(keras_transformers.vision_transformer, keras, -1, 1),
    "text_encoder": Network(keras_transformers.text_encoder, keras, 0, keras_transformers.WORDS - 1,
                            (1, keras_transformers.LENGTH), "int32"),
}


def build(name, seed):
    """Returns the network `name` with weights that depend on `seed` alone."""
    network = NETWORKS[name]
    network.library.backend.clear_session()  # names of layers start at 0 again
    network.library.utils.set_random_seed(seed)
    model = network.build(weights=None)
    rng = np.random.default_rng(seed)
    inputs = _random_pictures(network, rng) if network.shape == IMAGE_SHAPE else _random_words(network, rng)
    _randomise_layer_norms(model, rng)
    _randomise_batch_norms(model, network, inputs, rng)
    _scale_classifier(model, network, inputs)
    return model


def freeze(name, model):
    """Returns the frozen, otherwise unoptimised GraphDef of the network `name` in inference mode."""
    @tf.function(autograph=False)
    def infer(values):
        return model(values, training=False)
    spec = tf.TensorSpec(NETWORKS[name].shape, NETWORKS[name].dtype, name=INPUT_NAME)
    frozen = convert_variables_to_constants_v2(infer.get_concrete_function(spec))
    return frozen.graph.as_graph_def()


def find_outputs(graph):
    """Returns (logits, probabilities): the BiasAdd before the last Softmax and the graph's own output."""
    nodes = {node.name: node for node in graph.node}
    softmax = [node for node in graph.node if node.op == "Softmax"][-1]
    logits = softmax
    while logits.op != "BiasAdd":
        logits = nodes[logits.input[0]]
    probabilities = next((node for node in graph.node
                          if node.op == "Identity" and node.input[0] == softmax.name), softmax)
    return logits.name, probabilities.name


def check_alive(name, logits):
    """Raises if `logits` (one row per input) could not tell a right result from a wrong one."""
    spread = float(logits.std(axis=1).min())
    difference = float(np.abs(logits[0] - logits[1]).max())
    if not np.isfinite(logits).all() or spread < 0.05 or difference < 0.01:
        raise ValueError(f"{name}: logits spread {spread:.3g}, difference {difference:.3g}")


def _randomise_layer_norms(model, rng):
    """In networks that have them, also the biases, which begin as zeros, and ConvNeXt's scales of residual branches, whose first
    value, 1e-6, would hide the branches."""
    paths = [getattr(variable, "path", variable.name) for variable in model.variables]  # Keras 2 has names only
    if not any(re.search("layer_?norm", path) for path in paths):
        return
    for variable, path in zip(model.variables, paths):
        if re.search("layer_?norm.*gamma|layer_scale", path):
            variable.assign(rng.uniform(0.2, 0.8, variable.shape))
        elif path.endswith(("beta", "bias")):
            variable.assign(rng.uniform(-0.4, 0.4, variable.shape))


def _randomise_batch_norms(model, network, pictures, rng):
    batch_norms = [layer for layer in model.layers
                   if isinstance(layer, network.library.layers.BatchNormalization)]
    for layer in batch_norms:
        layer.gamma.assign(rng.uniform(0.6, 1.4, layer.gamma.shape))
        layer.beta.assign(rng.uniform(-0.4, 0.4, layer.beta.shape))
    _adopt_batch_statistics(model, batch_norms, pictures)
    for layer in batch_norms:
        deviation = np.sqrt(np.asarray(layer.moving_variance))
        shift = rng.uniform(-0.2, 0.2, deviation.shape)
        layer.moving_mean.assign(np.asarray(layer.moving_mean) + shift * deviation)
        layer.moving_variance.assign(deviation**2 * rng.uniform(0.7, 1.4, deviation.shape) + 1e-3)


def _adopt_batch_statistics(model, batch_norms, pictures):
    """One training-mode pass; momentum 0 keeps its statistics."""
    momenta = [layer.momentum for layer in batch_norms]
    for layer in batch_norms:
        layer.momentum = 0.0
    model(pictures, training=True)
    for layer, momentum in zip(batch_norms, momenta):
        layer.momentum = momentum


def _scale_classifier(model, network, pictures):
    """Brings the logits to a size at which the softmax still shows differences between them."""
    classifier = next(layer for layer in reversed(model.layers) if hasattr(layer, "kernel"))
    activation, classifier.activation = classifier.activation, None
    logits = network.library.Model(model.inputs, classifier.output)(pictures, training=False)
    classifier.activation = activation
    classifier.kernel.assign(classifier.kernel * (LOGITS_DEVIATION / np.std(logits)))


def _random_pictures(network, rng):
    """Two smooth and two noisy pictures."""
    coarse = rng.uniform(network.low, network.high, (2, 14, 14, 3)).astype(np.float32)
    noise = rng.uniform(network.low, network.high, (2, *IMAGE_SHAPE[1:])).astype(np.float32)
    return tf.concat([tf.image.resize(coarse, IMAGE_SHAPE[1:3]), noise], axis=0)


def _random_words(network, rng):
    return rng.integers(network.low, network.high, (4, *network.shape[1:]), np.int32, endpoint=True)

# SPDX-License-Identifier: Apache-2.0
"""Keras' reference networks with seeded weights, frozen as TensorFlow freezes them.

Weights are random (nothing is downloaded).  Batch norms get random gamma and beta, and mean and
variance near those of real activations, so that signal of a sensible size reaches the logits.
MobileNetV2 and ResNet50 come from Keras 2 (batch norms are FusedBatchNormV3), EfficientNetB0 and
MobileNetV3Small from Keras 3 (batch norms are Rsqrt, Mul, Sub, AddV2): both kinds of graph are common.
"""

import dataclasses
from typing import Any, Callable

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

IMAGE_SHAPE = (1, 224, 224, 3)
INPUT_NAME = "input"
LOGITS_DEVIATION = 2.0


@dataclasses.dataclass
class Network:
    build: Callable
    library: Any  # the Keras that builds it
    low: float    # range of pixel values that the network expects
    high: float


# EfficientNet and MobileNetV3 rescale pixels themselves.
NETWORKS = {
    "mobilenet_v2": Network(tf_keras.applications.MobileNetV2, tf_keras, -1, 1),
    "resnet50": Network(tf_keras.applications.ResNet50, tf_keras, -128, 128),
    "efficientnet_b0": Network(keras.applications.EfficientNetB0, keras, 0, 255),
    "mobilenet_v3_small": Network(keras.applications.MobileNetV3Small, keras, 0, 255),
}


def build(name, seed):
    """Returns the network `name` with weights that depend on `seed` alone."""
    network = NETWORKS[name]
    network.library.backend.clear_session()  # names of layers start at 0 again
    network.library.utils.set_random_seed(seed)
    model = network.build(weights=None)
    rng = np.random.default_rng(seed)
    pictures = _random_pictures(network, rng)
    _randomise_batch_norms(model, network, pictures, rng)
    _scale_classifier(model, network, pictures)
    return model


def freeze(model):
    """Returns the frozen, otherwise unoptimised GraphDef of the network in inference mode."""
    @tf.function(autograph=False)
    def infer(image):
        return model(image, training=False)
    spec = tf.TensorSpec(IMAGE_SHAPE, tf.float32, name=INPUT_NAME)
    frozen = convert_variables_to_constants_v2(infer.get_concrete_function(spec))
    return frozen.graph.as_graph_def()


def find_outputs(graph):
    """Returns (logits, probabilities): the BiasAdd before the Softmax and the graph's own output."""
    nodes = {node.name: node for node in graph.node}
    softmax = next(node for node in graph.node if node.op == "Softmax")
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

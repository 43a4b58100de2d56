#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""first_minute.py FOLDER: makes the model and the picture of tests/examples/first_minute.

digits.pb reads handwritten digits. It is a frozen graph as people have them who trained it for a server: its input is a PNG file as a
string, and a placeholder says whether it trains. three.png is a digit that it was not trained on. Needs scikit-learn, which has the digits.
"""
import pathlib
import sys

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

v1 = tf.compat.v1
CHANNELS = 8
TRAINED, EPOCHS = 1500, 60


def network(pixels, training, weights):
    """Logits of pictures [N, 8, 8, 1] with values 0..1."""
    features = tf.nn.relu(tf.nn.conv2d(pixels, weights["filter"], 2, "SAME") + weights["bias"], name="features")
    flat = tf.reshape(features, [-1, 4 * 4 * CHANNELS])
    kept = v1.cond(training, lambda: tf.nn.dropout(flat, rate=0.3, seed=1), lambda: flat)
    return tf.matmul(kept, weights["dense"]) + weights["offset"]


def train(pictures, digits):
    shapes = {"filter": (3, 3, 1, CHANNELS), "bias": (CHANNELS,), "dense": (4 * 4 * CHANNELS, 10), "offset": (10,)}
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), v1.Session() as session:
        v1.set_random_seed(0)
        weights = {name: tf.Variable(random.normal(0, 0.2, shape).astype(np.float32)) for name, shape in shapes.items()}
        x, y = v1.placeholder(tf.float32, [None, 8, 8, 1]), v1.placeholder(tf.int32, [None])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, network(x, tf.constant(True), weights)))
        step = v1.train.AdamOptimizer(0.01).minimize(loss)
        session.run(v1.global_variables_initializer())
        for epoch in range(EPOCHS):
            order = random.permutation(TRAINED)
            for batch in np.split(order, TRAINED // 100):
                session.run(step, {x: pictures[batch], y: digits[batch]})
        return session.run(weights)


def serving_graph(weights):
    with tf.Graph().as_default() as graph:
        png = v1.placeholder(tf.string, [], name="png")
        training = v1.placeholder(tf.bool, [], name="training")
        decoded = tf.io.decode_png(png, channels=1, name="decoded")
        resized = tf.image.resize(tf.cast(decoded, tf.float32)[None] / 255, (8, 8))
        pixels = tf.ensure_shape(resized, [1, 8, 8, 1], name="pixels")
        tf.nn.softmax(network(pixels, training, weights), name="digit")
        return graph


def main(folder):
    v1.disable_control_flow_v2()
    data = load_digits()
    pictures, digits = data.images.astype(np.float32)[..., None] / 16, data.target.astype(np.int32)
    graph = serving_graph(train(pictures, digits))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "digits.pb").write_bytes(graph.as_graph_def().SerializeToString())

    tested = range(TRAINED, len(digits))
    with v1.Session(graph=graph) as session:
        found = [session.run("digit:0", {"pixels:0": pictures[i:i + 1], "training:0": False}).argmax() for i in tested]
    right = [i for i, one in zip(tested, found) if one == digits[i]]
    print(f"{len(right)} of {len(tested)} pictures that it was not trained on are read correctly")
    three = next(i for i in right if digits[i] == 3)
    large = np.kron(np.rint(pictures[three] * 255)[..., 0], np.ones((8, 8))).astype(np.uint8)
    (folder / "three.png").write_bytes(tf.io.encode_png(large[..., None]).numpy())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

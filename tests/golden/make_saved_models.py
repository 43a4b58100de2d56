#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes SavedModels and what TensorFlow computes with them.

  make_saved_models.py small DIR [NAME..]   the tiny ones that are committed in tests/models/saved_models
  make_saved_models.py large DIR [NAME..]   those that are made when they are tested

DIR/NAME is the SavedModel; DIR/NAME.npz has its inputs and outputs by signature key, as in/KEY and out/KEY.
"""

import os
import pathlib
import shutil
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def nested_functions(folder):
    """Functions in functions, one called twice; two variables of one name; a captured constant."""
    class Nested(tf.Module):
        def __init__(self):
            super().__init__()
            self.outer = tf.Variable(values((2, 3), 1), name="w")
            self.inner = tf.Variable(values((3, 3), 2), name="w")
            self.offset = tf.constant([1.0, 2.0, 3.0])

        @tf.function
        def affine(self, x):
            return tf.matmul(x, self.inner) + self.offset

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
        def predict(self, x):
            hidden = tf.matmul(x, self.outer)
            return {"y": self.affine(hidden), "z": self.affine(hidden * 2.0)}

    tf.saved_model.save(Nested(), str(folder))
    return {"x": values((1, 2), 3)}


def embedding(folder):
    """ResourceGather through a function."""
    class Embedding(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.Variable(values((5, 3), 1))

        @tf.function(input_signature=[tf.TensorSpec([2], tf.int32, name="ids")])
        def look_up(self, ids):
            return {"rows": tf.nn.embedding_lookup(self.table, ids)}

    tf.saved_model.save(Embedding(), str(folder))
    return {"ids": np.array([4, 1], np.int32)}


def session_style(folder):
    """TensorFlow 1: reference and resource variables, a partitioned one, its restore op in the graph."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        by_reference = v1.get_variable("w", initializer=values((2, 3), 1), use_resource=False)
        resource = v1.get_variable("r", initializer=values((3, 3), 2), use_resource=True)
        parts = v1.get_variable("p", shape=[5, 3], partitioner=v1.fixed_size_partitioner(2),
                                initializer=v1.random_uniform_initializer(-1, 1, seed=3), use_resource=False)
        y = tf.matmul(tf.matmul(x, by_reference), resource)
        table = tf.identity(parts.as_tensor(), name="whole")
        session.run(v1.global_variables_initializer())
        v1.saved_model.simple_save(session, str(folder), {"x": x}, {"y": y, "table": table})
    return {"x": values((1, 2), 4)}


def dense(folder):
    """Keras 3 `export`: dense layers, a batch norm, dropout."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([
        keras.layers.Input((4,)), keras.layers.Dense(3, activation="relu"),
        keras.layers.BatchNormalization(), keras.layers.Dropout(0.5), keras.layers.Dense(2)])
    model.export(str(folder), verbose=False)
    return {"keras_tensor": values((1, 4), 5)}


def counter(folder):
    """A variable that the graph assigns: refused so far."""
    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.count = tf.Variable(values((2,), 1))

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32, name="x")])
        def step(self, x):
            self.count.assign_add(x)
            return {"y": x * 2.0}

    tf.saved_model.save(Counter(), str(folder))
    return {"x": values((2,), 2)}


def mobilenet_v2(folder):
    """Keras 3's MobileNetV2, exported; batch norms with statistics that are not all alike."""
    keras.utils.set_random_seed(1)
    model = keras.applications.MobileNetV2(weights=None)
    rng = np.random.default_rng(1)
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.gamma.assign(rng.uniform(0.5, 1.5, layer.gamma.shape))
            layer.beta.assign(rng.normal(0, 0.1, layer.beta.shape))
            layer.moving_mean.assign(rng.normal(0, 0.1, layer.moving_mean.shape))
    model.export(str(folder), verbose=False)
    return {model.inputs[0].name: rng.uniform(-1, 1, (1, 224, 224, 3)).astype(np.float32)}


def basic_pitch(folder):
    """fetch_basic_pitch.sh put it there: two seconds of noise under a chord."""
    rng = np.random.default_rng(1)
    time = np.arange(43844) / 22050
    sound = sum(np.sin(2 * np.pi * pitch * time) for pitch in (220, 277.18, 329.63)) / 4
    sound += rng.normal(0, 0.01, time.shape)
    return {"input_2": sound.astype(np.float32)[None, :, None]}


SMALL = [nested_functions, embedding, session_style, dense, counter]
LARGE = [mobilenet_v2]
FETCHED = [basic_pitch]


def values(shape, seed):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def make(build, root):
    folder = root / build.__name__
    if build not in FETCHED:
        shutil.rmtree(folder, ignore_errors=True)
    inputs = build(folder)
    if build not in FETCHED:
        (folder / "fingerprint.pb").unlink(missing_ok=True)  # random, and nobody reads it
    save_expected(folder, inputs, root / f"{build.__name__}.npz")


def save_expected(folder, inputs, file):
    """Runs the signature serving_default of a SavedModel and keeps what went in and came out."""
    model = tf.saved_model.load(str(folder))
    signature = model.signatures["serving_default"]
    names = signature.structured_input_signature[1]
    inputs = {name: value for name, value in zip(sorted(names), inputs.values())}
    outputs = signature(**{name: tf.constant(value) for name, value in inputs.items()})
    np.savez(file, **{f"in/{name}": value for name, value in inputs.items()},
             **{f"out/{name}": value.numpy() for name, value in outputs.items()})
    print(f"{folder.name}: {', '.join(outputs)}")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("small", "large"):
        sys.exit(__doc__)
    root, names = pathlib.Path(sys.argv[2]), sys.argv[3:]
    root.mkdir(parents=True, exist_ok=True)
    for build in SMALL if sys.argv[1] == "small" else LARGE + FETCHED:
        if not names or build.__name__ in names:
            make(build, root)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes SavedModels and what TensorFlow computes with them.

  make_saved_models.py small DIR [NAME..]   the tiny ones that are committed in tests/models/saved_models
  make_saved_models.py large DIR [NAME..]   those that are made when they are tested

DIR/NAME is the SavedModel; DIR/NAME.npz has its inputs and outputs by signature key, as in/KEY and out/KEY.
"""

import contextlib
import os
import pathlib
import shutil
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from tensorflow.core.protobuf import saved_model_pb2

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
    """Keras 3 `export`: a dense layer, a batch norm, dropout and its random seed."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([
        keras.layers.Input((4,)), keras.layers.Dense(3, activation="relu"),
        keras.layers.BatchNormalization(scale=False), keras.layers.Dropout(0.5)])
    norm = model.layers[1]
    norm.set_weights([values((3,), 1), values((3,), 2), 2 + values((3,), 3)])
    model.export(str(folder), verbose=False)
    return {model.inputs[0].name: values((1, 4), 5)}


def recurrence(folder):
    """A loop over time that reads its weights from variables and keeps its steps in a list."""
    class Recurrence(tf.Module):
        def __init__(self):
            super().__init__()
            self.input = tf.Variable(values((3, 4), 1))
            self.state = tf.Variable(values((4, 4), 2))

        @tf.function(input_signature=[tf.TensorSpec([1, 6, 3], tf.float32, name="x")])
        def run(self, x):
            steps = tf.TensorArray(tf.float32, size=6, element_shape=[1, 4])
            state = tf.zeros([1, 4])
            for i in tf.range(6):
                state = tf.tanh(tf.matmul(x[:, i], self.input) + tf.matmul(state, self.state))
                steps = steps.write(i, state)
            return {"steps": tf.transpose(steps.stack(), [1, 0, 2]), "last": state}

    tf.saved_model.save(Recurrence(), str(folder))
    return {"x": values((1, 6, 3), 3)}


def stream(folder):
    """A streaming model: a window over the last frames, a running mean and a count are variables that each call
    assigns. What is read before, between and after the assignments matters.  One row of the input per call."""
    class Stream(tf.Module):
        def __init__(self):
            super().__init__()
            self.window = tf.Variable(tf.zeros([1, 6, 3]))
            self.mean = tf.Variable(values((1, 3), 1))
            self.count = tf.Variable(10)
            self.filters = tf.Variable(values((6, 3, 4), 2))

        @tf.function(input_signature=[tf.TensorSpec([1, 2, 3], tf.float32, name="x")])
        def step(self, x):
            before = self.mean.read_value()
            self.window.assign(tf.concat([self.window[:, 2:], x], 1))
            self.mean.assign(before * 0.75 + tf.reduce_mean(x, 1) * 0.25)
            between = self.mean * 2.0
            self.mean.assign_sub(self.mean * 0.125)
            self.count.assign_add(1)
            y = tf.nn.conv1d(self.window, self.filters, 1, "VALID")
            return {"y": y, "before": before, "between": between, "after": self.mean.read_value(),
                    "count": self.count.read_value()}

    tf.saved_model.save(Stream(), str(folder))
    return {"x": values((5, 1, 2, 3), 3)}


@contextlib.contextmanager
def vocabulary(text):
    """The current folder holds vocab.txt."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        pathlib.Path("vocab.txt").write_text(text)
        yield "vocab.txt"


def hash_tables(folder):
    """Tables of ids: entries in the graph, in an asset, imported, of a table without a name; strings that are constants."""
    lookup = tf.lookup

    class HashTables(tf.Module):
        def __init__(self, path):
            super().__init__()
            entries = lookup.KeyValueTensorInitializer(np.array([70, 20, 50]), np.array([1, 2, 3]))
            lines = lookup.TextFileInitializer(path, tf.int64, 0, tf.float32, 1)
            words = lookup.KeyValueTensorInitializer(["cat", "sat", "mat"], values((3,), 1))
            self.ids = lookup.StaticHashTable(entries, 0)
            self.scores = lookup.StaticHashTable(lines, 0.25)
            self.words = lookup.StaticHashTable(words, -1.0)
            self.unnamed = lookup.StaticHashTable(entries, -1, experimental_is_anonymous=True)
            self.rows = tf.Variable(values((4, 2), 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.int64, name="tokens")])
        def look_up(self, tokens):
            ids = self.ids.lookup(tokens)
            return {"rows": tf.nn.embedding_lookup(self.rows, ids), "scores": self.scores.lookup(tokens),
                    "words": self.words.lookup(tf.constant(["mat", "dog"])), "size": self.scores.size(),
                    "unnamed": self.unnamed.lookup(tokens + ids)}

    folder = folder.absolute()
    with vocabulary("20\t0.5\n71\t-1.5\n90\t3e2\n") as path:
        tf.saved_model.save(HashTables(path), str(folder))
    return {"tokens": np.array([[20, 70, 90, -1]])}


def session_table(folder):
    """TensorFlow 1: a table whose entries are the lines of an asset."""
    folder = folder.absolute()
    with vocabulary("7\n-3\n900000000000\n5") as path, tf.Graph().as_default(), v1.Session() as session:
        whole_line, line_number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
        lines = tf.lookup.TextFileInitializer(path, tf.int64, whole_line, tf.int64, line_number)
        tokens = v1.placeholder(tf.int64, [None, 5], name="tokens")
        ids = v1.lookup.StaticHashTable(lines, -1).lookup(tokens)
        session.run(v1.tables_initializer())
        v1.saved_model.simple_save(session, str(folder), {"tokens": tokens}, {"ids": ids})
    return {"tokens": np.array([[5, 900000000000, 6, -3, 7]])}
def noise(folder):
    """Random numbers that go on from call to call, beside some that a seed fixes.  One row of the input per call."""
    class Noise(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, 5], tf.float32, name="x")])
        def step(self, x):
            walk = x
            for i in tf.range(3):
                walk += tf.random.truncated_normal([1, 5], seed=17)
            return {"noisy": x + 0.1 * tf.random.normal([1, 5], seed=3), "walk": walk,
                    "dropped": tf.nn.dropout(x, 0.4, seed=7), "classes": tf.random.categorical(x, 3, seed=11),
                    "number": tf.random.uniform([], 1, 7, tf.int32, seed=13),
                    "order": tf.random.shuffle(tf.range(6), seed=2),
                    "fixed": tf.random.stateless_uniform([2], [1, 2]) + x[0, :2]}

    tf.saved_model.save(Noise(), str(folder))
    return {"x": values((6, 1, 5), 4)}


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


def keras2_trained(folder):
    """Keras 2 `save` of a model that was trained: its optimiser's variables are there too."""
    layers = tf_keras.layers
    tf_keras.utils.set_random_seed(1)
    model = tf_keras.Sequential([
        layers.Input((32, 32, 3)), layers.Conv2D(8, 3, padding="same", use_bias=False),
        layers.BatchNormalization(), layers.ReLU(6.0), layers.DepthwiseConv2D(3, strides=2),
        layers.GlobalAveragePooling2D(), layers.Dropout(0.5), layers.Dense(5, activation="softmax")])
    model.compile("adam", "mse")
    model.fit(values((4, 32, 32, 3), 1), values((4, 5), 2), verbose=0)
    model.save(folder, save_format="tf")
    return {model.input_names[0]: values((1, 32, 32, 3), 3)}


def bert_encoder(folder, length=32):
    """Two BERT layers written in TensorFlow's own ops: token, segment and position embeddings, a mask. Without a length
    it takes texts of up to 128 tokens."""
    words, width, heads = 500, 64, 4

    class Encoder(tf.Module):
        def __init__(self):
            super().__init__()
            self.rng = np.random.default_rng(1)
            self.tables = [self.weight(rows, width) for rows in (words, 2, length or 128)]
            self.norm = self.norm_weights()
            self.layers = [{
                **{name: self.dense_weights(width, width) for name in ("query", "key", "value", "mix")},
                "grow": self.dense_weights(width, 4 * width), "shrink": self.dense_weights(4 * width, width),
                "attention_norm": self.norm_weights(), "norm": self.norm_weights()} for _ in range(2)]
            self.pooler = self.dense_weights(width, width)

        def weight(self, *shape):
            return tf.Variable(self.rng.normal(0, shape[0] ** -0.5, shape).astype(np.float32))

        def dense_weights(self, inputs, outputs):
            return self.weight(inputs, outputs), self.weight(outputs)

        def norm_weights(self):
            return tf.Variable(self.rng.uniform(0.5, 1.5, width).astype(np.float32)), self.weight(width)

        def dense(self, x, weights):
            return tf.nn.bias_add(tf.einsum("abc,cd->abd", x, weights[0]), weights[1])

        def normalise(self, x, weights):
            mean, variance = tf.nn.moments(x, [-1], keepdims=True)
            return tf.nn.batch_normalization(x, mean, variance, weights[1], weights[0], 1e-12)

        def attend(self, x, bias, layer):
            steps = length or tf.shape(x)[1]

            def split(name):
                flat = self.dense(x, layer[name])
                return tf.transpose(tf.reshape(flat, [-1, steps, heads, width // heads]), [0, 2, 1, 3])
            scores = tf.matmul(split("query"), split("key"), transpose_b=True) / (width / heads) ** 0.5
            mixed = tf.matmul(tf.nn.softmax(scores + bias), split("value"))
            return self.dense(tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [-1, steps, width]), layer["mix"])

        @tf.function(input_signature=[tf.TensorSpec([None, length], tf.int32, name=name)
                                      for name in ("input_ids", "input_mask", "segment_ids")])
        def encode(self, input_ids, input_mask, segment_ids):
            places = self.tables[2] if length else self.tables[2][:tf.shape(input_ids)[1]]
            x = tf.gather(self.tables[0], input_ids) + places
            x += tf.matmul(tf.one_hot(segment_ids, 2), self.tables[1])
            x = self.normalise(x, self.norm)
            bias = (1.0 - tf.cast(input_mask[:, tf.newaxis, tf.newaxis, :], tf.float32)) * -10000.0
            for layer in self.layers:
                x = self.normalise(x + self.attend(x, bias, layer), layer["attention_norm"])
                wide = self.dense(x, layer["grow"])
                wide *= 0.5 * (1.0 + tf.math.erf(wide / 2 ** 0.5))
                x = self.normalise(x + self.dense(wide, layer["shrink"]), layer["norm"])
            first = tf.squeeze(x[:, 0:1, :], axis=1)
            return {"sequence": x, "pooled": tf.tanh(tf.matmul(first, self.pooler[0]) + self.pooler[1])}

    tf.saved_model.save(Encoder(), str(folder))
    rng = np.random.default_rng(2)
    steps = length or 48
    mask = (np.arange(steps) < 20).astype(np.int32)[None]
    return {"input_ids": rng.integers(0, words, (1, steps), np.int32), "input_mask": mask,
            "segment_ids": (np.arange(steps) >= 9).astype(np.int32)[None] * mask}


def bert_any_length(folder):
    return bert_encoder(folder, length=None)


def session_cnn(folder):
    """TensorFlow 1's builder: two data files, reference, resource and partitioned variables, two signatures,
    a graph for training beside the one to serve."""
    def graph_of(is_training):
        x = v1.placeholder(tf.float32, [None, 16, 16, 3], name="images")
        variable = v1.get_variable
        with tf.device("/cpu:0"):
            kernel = variable("kernel", [3, 3, 3, 8], use_resource=False)
            affine = [variable(name, initializer=values((8,), 1) + offset, use_resource=True)
                      for name, offset in (("gamma", 1), ("beta", 0), ("mean", 0), ("variance", 2))]
        with tf.device("/cpu:1"):
            table = variable("table", [512, 10], partitioner=v1.fixed_size_partitioner(3), use_resource=False)
            bias = variable("bias", initializer=values((10,), 2), use_resource=False)
        x = tf.nn.conv2d(x, kernel, strides=2, padding="SAME")
        if is_training:  # one of the two uses batch statistics, and must not be taken
            x, _, _ = v1.nn.fused_batch_norm(x, affine[0], affine[1], is_training=True)
        else:
            x, _, _ = v1.nn.fused_batch_norm(x, *affine, is_training=False)
        features = tf.reshape(tf.nn.relu(x), [-1, 512], name="features")
        logits = tf.matmul(features, tf.convert_to_tensor(table)) + bias
        return {"images": v1.get_default_graph().get_tensor_by_name("images:0")}, {
            "features": features, "probabilities": tf.nn.softmax(logits)}

    def signatures(inputs, outputs):
        build = v1.saved_model.predict_signature_def
        return {"serving_default": build(inputs, {"probabilities": outputs["probabilities"]}),
                "embed": build(inputs, {"features": outputs["features"]})}

    builder = v1.saved_model.Builder(str(folder))
    config = v1.ConfigProto(device_count={"CPU": 2})
    for is_training in (True, False):
        with tf.Graph().as_default(), v1.Session(config=config) as session:
            v1.set_random_seed(1)
            definitions = signatures(*graph_of(is_training))
            session.run(v1.global_variables_initializer())
            saver = v1.train.Saver(sharded=True)
            if is_training:
                builder.add_meta_graph_and_variables(session, ["train", "gpu"], definitions, saver=saver)
            else:
                builder.add_meta_graph(["serve"], definitions, saver=saver)
    builder.save()
    return {"images": values((1, 16, 16, 3), 3)}


def sharded(folder):
    """TensorFlow 2's sharding: no data file above 20 kB, so that tensors are cut in slices."""
    class Layers(tf.Module):
        def __init__(self):
            super().__init__()
            self.kernels = [tf.Variable(values(shape, seed), name=f"kernel_{seed}")
                            for seed, shape in enumerate([(64, 256), (256, 32), (32, 10)])]

        @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float32, name="x")])
        def predict(self, x):
            for kernel in self.kernels:
                x = tf.tanh(tf.matmul(x, kernel) / 8.0)
            return {"y": x}

    policy = tf.train.experimental.MaxShardSizePolicy(max_shard_size=20_000)
    options = tf.saved_model.SaveOptions(experimental_sharding_callback=policy)
    tf.saved_model.save(Layers(), str(folder), options=options)
    return {"x": values((1, 64), 9)}


def export_recurrent(folder, layers, inputs, any_length=False):
    """A Keras model of `layers` behind one input, with biases that are not zeros."""
    keras.utils.set_random_seed(1)
    shape = (None, *inputs.shape[2:]) if any_length else inputs.shape[1:]
    model = keras.Sequential([keras.layers.Input(shape, dtype=inputs.dtype.name), *layers])
    for weight in model.weights:
        if weight.name == "bias":
            weight.assign(weight + values(weight.shape, 1) / 4)
    model.export(str(folder), verbose=False)
    return {model.inputs[0].name: inputs}


def token_ids():
    """24 tokens, the last 8 of them padding."""
    return np.r_[np.random.default_rng(1).integers(1, 100, 16), np.zeros(8)].astype(np.int32)[None]


def lstm_text(folder, any_length=False):
    """Text classifier: the mask of the embedding goes through two LSTMs."""
    return export_recurrent(folder, [
        keras.layers.Embedding(100, 16, mask_zero=True), keras.layers.LSTM(24, return_sequences=True),
        keras.layers.LSTM(24), keras.layers.Dense(3, activation="softmax")], token_ids(), any_length)


def lstm_any_length(folder):
    return lstm_text(folder, any_length=True)


def gru_series(folder):
    """GRU over a series of measurements, unmasked."""
    return export_recurrent(folder, [keras.layers.GRU(24, return_sequences=True), keras.layers.GRU(16),
                                     keras.layers.Dense(2)], values((1, 20, 6), 2))


def bidirectional_text(folder, any_length=False):
    """Text classifier: an LSTM in both directions."""
    return export_recurrent(folder, [
        keras.layers.Embedding(100, 16), keras.layers.Bidirectional(keras.layers.LSTM(12)),
        keras.layers.Dense(3, activation="softmax")], token_ids(), any_length)


def bidirectional_any_length(folder):
    return bidirectional_text(folder, any_length=True)


def sound_any_length(folder):
    """Convolutions over time, then a GRU over what is left of it."""
    layers = keras.layers
    return export_recurrent(folder, [
        layers.Conv1D(16, 5, padding="causal", activation="relu"), layers.Conv1D(16, 3, strides=2),
        layers.LayerNormalization(), layers.SeparableConv1D(8, 3, padding="same"),
        layers.GRU(6, return_sequences=True), layers.GlobalAveragePooling1D(), layers.Dense(3)],
        values((1, 41, 8), 4), any_length=True)


def basic_pitch(folder):
    """fetch_basic_pitch.sh put it there: two seconds of noise under a chord.

    The network scales the logarithm of a spectrum by its smallest value.  Where that is nearly zero, its
    rounding errors are all over the result: with other seeds TensorFlow differs from itself (with and
    without oneDNN) by up to 1e-3.  With this one none is so small.
    """
    rng = np.random.default_rng(8)
    time = np.arange(43844) / 22050
    sound = sum(np.sin(2 * np.pi * pitch * time) for pitch in (220, 277.18, 329.63)) / 4
    sound += rng.normal(0, 0.1, time.shape)
    return {"input_2": sound.astype(np.float32)[None, :, None]}


SMALL = [nested_functions, embedding, session_style, dense, recurrence, stream, hash_tables,
         session_table, noise]
LARGE = [mobilenet_v2, keras2_trained, bert_encoder, bert_any_length, session_cnn, sharded, lstm_text,
         lstm_any_length, gru_series, bidirectional_text, bidirectional_any_length, sound_any_length]
FETCHED = [basic_pitch]
STREAMS = [stream, noise]  # the first dimension of inputs and outputs counts the calls


def values(shape, seed):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def make(build, root):
    folder = root / build.__name__
    if build not in FETCHED:
        shutil.rmtree(folder, ignore_errors=True)
    inputs = build(folder)
    if build not in FETCHED:
        (folder / "fingerprint.pb").unlink(missing_ok=True)  # random, and nobody reads it
    if build in SMALL:
        drop_op_definitions(folder / "saved_model.pb")
    save_expected(folder, inputs, root / f"{build.__name__}.npz", build in STREAMS)


def drop_op_definitions(file):
    """Every loader has its own; without them what is committed stays small."""
    model = saved_model_pb2.SavedModel.FromString(file.read_bytes())
    for graph in model.meta_graphs:
        graph.meta_info_def.ClearField("stripped_op_list")
    file.write_bytes(model.SerializeToString(deterministic=True))


def save_expected(folder, inputs, file, is_stream):
    """Runs the signature serving_default of a SavedModel and keeps what went in and came out."""
    model = tf.saved_model.load(str(folder), tags=["serve"])
    signature = model.signatures["serving_default"]
    names = sorted(signature.structured_input_signature[1])
    if set(names) != set(inputs):  # Keras numbers its inputs anew
        inputs = dict(zip(names, inputs.values(), strict=True))
    calls = len(next(iter(inputs.values()))) if is_stream else 1
    results = [signature(**{name: tf.constant(value[call] if is_stream else value)
                            for name, value in inputs.items()}) for call in range(calls)]
    outputs = {name: np.stack([result[name].numpy() for result in results]) if is_stream
               else results[0][name].numpy() for name in results[0]}
    np.savez(file, **{f"in/{name}": value for name, value in inputs.items()},
             **{f"out/{name}": value for name, value in outputs.items()})
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

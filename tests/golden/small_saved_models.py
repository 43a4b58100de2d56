# SPDX-License-Identifier: Apache-2.0
"""The tiny SavedModels that are committed in tests/models/saved_models: each shows one thing that TensorFlow stores. A function
makes one in a folder, and returns the inputs to run it with."""

import contextlib
import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def values(shape, seed):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


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


PICTURES = [(33, 40), (16, 24), (7, 9), (32, 5), (1, 2)]  # the first is the largest


def save_pictures(network, folder):
    """A network over pictures of any size.  Returns a run per size."""
    class Network(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.float32, name="p")])
        def predict(self, p):
            return {"y": network(p)}

    tf.saved_model.save(Network(), str(folder))
    return [{"p": values((1, height, width, 3), height)} for height, width in PICTURES]


def window(x, seed, size, channels, stride=1):
    filters = values((size, size, x.shape[3], channels), seed)
    return tf.nn.conv2d(x, filters, stride, "SAME") + values((channels,), seed + 1)


def residual_pictures(folder):
    """Two residual blocks, each of which halves the picture, with a shortcut that halves it in another way."""
    def network(p):
        x = tf.nn.max_pool2d(tf.nn.relu(window(p, 1, 7, 8, 2)), 3, 2, "SAME")
        for seed, channels in (10, 12), (20, 16):
            y = window(tf.nn.relu(window(x, seed, 3, channels, 2)), seed + 2, 3, channels)
            x = tf.nn.relu(y + window(x, seed + 4, 1, channels, 2))
        pooled = tf.nn.avg_pool2d(x, 3, 2, "SAME") + window(x, 30, 1, 16, 2)
        return tf.nn.softmax(tf.matmul(tf.reduce_mean(pooled, [1, 2]), values((16, 5), 40)) * 0.01)

    return save_pictures(network, folder)


def u_net_pictures(folder):
    """Down three times and up again, each time joined with what had that size on the way down."""
    def up(x, like):
        shape, channels = tf.shape(x), x.shape[3]
        x = tf.tile(tf.reshape(x, tf.stack([1, shape[1], 1, shape[2], 1, channels])), [1, 1, 2, 1, 2, 1])
        x = tf.reshape(x, tf.stack([1, shape[1] * 2, shape[2] * 2, channels]))
        return tf.slice(x, [0, 0, 0, 0], tf.stack([1, tf.shape(like)[1], tf.shape(like)[2], channels]))

    def network(p):
        full = tf.nn.relu(window(p, 1, 3, 6))
        half = tf.nn.relu(window(tf.nn.max_pool2d(full, 2, 2, "SAME"), 3, 3, 8))
        quarter = tf.nn.relu(tf.nn.depthwise_conv2d(half, values((3, 3, 8, 1), 5), [1, 2, 2, 1], "SAME"))
        least = tf.nn.relu(window(quarter, 7, 3, 8, 2))
        x = tf.nn.relu(window(tf.concat([quarter, up(least, quarter)], 3), 9, 3, 8))
        x = tf.nn.relu(window(tf.concat([half, up(x, half)], 3), 11, 3, 6))
        return tf.nn.sigmoid(window(tf.concat([full, up(x, full)], 3), 13, 1, 2) * 0.1)

    return save_pictures(network, folder)


SMALL = [nested_functions, embedding, session_style, dense, recurrence, stream, hash_tables,
         session_table, noise, residual_pictures, u_net_pictures]
STREAMS = [stream, noise]  # the first dimension of inputs and outputs counts the calls

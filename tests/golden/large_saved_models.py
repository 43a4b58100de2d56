# SPDX-License-Identifier: Apache-2.0
"""SavedModels like those of applications, made when they are tested. A function makes one in a folder, and returns the inputs
to run it with."""

import keras
import numpy as np
import tensorflow as tf
import tf_keras

from small_saved_models import values

v1 = tf.compat.v1


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


LARGE = [mobilenet_v2, keras2_trained, bert_encoder, bert_any_length, session_cnn, sharded, lstm_text,
         lstm_any_length, gru_series, bidirectional_text, bidirectional_any_length, sound_any_length]
FETCHED = [basic_pitch]

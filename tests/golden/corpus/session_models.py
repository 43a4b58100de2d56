# SPDX-License-Identifier: Apache-2.0
"""TensorFlow 1: placeholders that steer training, variables by reference, cells and loops of that time, its files."""

import numpy as np
import tensorflow as tf

from feeds import booleans, f32, given, integers, picture
from models import session

v1 = tf.compat.v1
TRUE, FALSE = given(np.bool_(True)), given(np.bool_(False))


def variable(name, shape, **options):
    return v1.get_variable(name, shape, initializer=v1.random_uniform_initializer(-0.5, 0.5, seed=len(name)), **options)


def dense(x, units, name):
    return tf.matmul(x, variable(f"{name}_w", [x.shape[-1], units])) + variable(f"{name}_b", [units])


def conv(x, filters, name, stride=1):
    return v1.nn.conv2d(x, variable(name, [3, 3, x.shape[-1], filters]), [1, stride, stride, 1], "SAME")


def batch_norm(x, is_training, name="norm"):
    """As tf.layers and slim wrote it: a conditional of what was learned and what the batch says."""
    mean, variance = variable(f"{name}_mean", [x.shape[-1]]), tf.abs(variable(f"{name}_variance", [x.shape[-1]])) + 0.5

    def of_batch():
        return tf.nn.moments(x, [0, 1, 2])
    mean, variance = tf.cond(is_training, of_batch, lambda: (tf.identity(mean), tf.identity(variance)))
    return tf.nn.batch_normalization(x, mean, variance, variable(f"{name}_beta", [x.shape[-1]]), None, 1e-3)


def fused_norm(x, is_training):
    scale, offset = tf.ones([4]), variable("offset", [4])
    mean, variance = variable("mean", [4]), tf.abs(variable("var", [4])) + 1

    def run(training):
        more = {} if training else {"mean": mean, "variance": variance}
        return lambda: v1.nn.fused_batch_norm(x, scale, offset, is_training=training, **more)[0]
    return tf.cond(is_training, run(True), run(False))


def cnn_with_training(x, is_training):
    return dense(tf.reduce_mean(tf.nn.relu(batch_norm(conv(x, 4, "c"), is_training)), [1, 2]), 3, "d")


def with_dropout(x, keep_prob):
    return dense(v1.nn.dropout(tf.nn.relu(dense(x, 6, "a")), keep_prob=keep_prob, seed=3), 2, "b")


def with_rate(x, rate):
    """Dropout where the rate decides whether anything is dropped."""
    return tf.cond(rate > 0, lambda: v1.nn.dropout(x, rate=rate, seed=3), lambda: x) * 2.0


def with_default(x):
    training = v1.placeholder_with_default(False, [], name="training")
    return tf.cond(training, lambda: tf.nn.dropout(x, 0.5, seed=1), lambda: tf.identity(x)) + 1.0


def learning_rate_in_graph(x, learning_rate):
    """A graph saved with its training step, of which only the answer is wanted."""
    y = dense(x, 1, "d")
    step = v1.get_variable("step", [], initializer=tf.zeros_initializer())
    v1.assign_add(step, learning_rate, name="train")
    return tf.sigmoid(y)


def scale_by_ratio(x, ratio):
    """Matting models shrink the picture by a ratio and enlarge the result."""
    size = tf.cast(tf.cast(tf.shape(x)[1:3], tf.float32) * ratio, tf.int32)
    small = v1.image.resize_bilinear(x, size)
    return v1.image.resize_bilinear(conv(small, 2, "c"), tf.shape(x)[1:3])


def steps_by_placeholder(x, steps):
    return tf.while_loop(lambda i, y: i < steps, lambda i, y: (i + 1, tf.tanh(y @ variable_of(4)) + x), [0, x])[1]


def variable_of(width):
    return tf.constant(np.linspace(-0.5, 0.5, width * width, dtype=np.float32).reshape(width, width))


def basic_lstm(x):
    """The cell's kernel as BasicLSTMCell had it, unrolled."""
    kernel, bias = variable("kernel", [3 + 4, 16]), variable("bias", [16])
    c = h = tf.zeros([1, 4])
    for step in tf.unstack(x, axis=1):
        i, j, f, o = tf.split(tf.matmul(tf.concat([step, h], 1), kernel) + bias, 4, 1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
    return h


def dynamic_rnn(x, length):
    """Loop with TensorArrays that stops rows at their length, as dynamic_rnn writes it."""
    w = variable("w", [3 + 4, 4])
    steps = tf.transpose(x, [1, 0, 2])
    read = v1.TensorArray(tf.float32, 5).unstack(steps)
    written = v1.TensorArray(tf.float32, 5)

    def body(t, h, array):
        new = tf.tanh(tf.matmul(tf.concat([read.read(t), h], 1), w))
        new = tf.where(tf.tile((t < length)[:, None], [1, 4]), new, h)
        return t + 1, new, array.write(t, new)
    _, h, written = tf.while_loop(lambda t, *_: t < 5, body, [0, tf.zeros([2, 4]), written])
    return h, tf.transpose(written.stack(), [1, 0, 2])


def without_v2(function):
    """With the control flow of TensorFlow 1: Switch, Merge, Enter."""
    def build(**inputs):
        v1.disable_control_flow_v2()
        try:
            return function(**inputs)
        finally:
            v1.enable_control_flow_v2()
    return build


def old(name, function, *feeds, **more):
    """A model of session(), with the control flow of TensorFlow 1."""
    made = without_v2(function)
    made.__wrapped__ = function  # inspect.signature looks through this
    return session(name, made, *feeds, **more)


def partitioned(ids):
    table = variable("table", [9, 3], partitioner=v1.fixed_size_partitioner(3))
    return v1.nn.embedding_lookup(table, ids, partition_strategy="div")


def moving_average(x):
    w = variable("w", [4, 2])
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply([w])
    return tf.matmul(x, average.average(w))


def quantization_aware(x):
    w = tf.quantization.fake_quant_with_min_max_args(variable("w", [4, 3]), -0.5, 0.5)
    y = tf.matmul(tf.quantization.fake_quant_with_min_max_args(x, -1, 1), w)
    low, high = variable("low", []) - 1.5, tf.abs(variable("high", [])) + 1.0
    return tf.quantization.fake_quant_with_min_max_vars(y, low, high, num_bits=8)


def queue_fed(x):
    queue = v1.FIFOQueue(4, [tf.float32], shapes=[[1, 3]])
    with tf.control_dependencies([queue.enqueue(tf.ones([1, 3]))]):
        batch = queue.dequeue()
    return x * tf.nn.relu(batch + 1.0)


def parsed_example(serialized):
    features = v1.parse_example(serialized, {"x": tf.io.FixedLenFeature([3], tf.float32)})
    return tf.nn.softmax(features["x"])


def example_of(values):
    feature = tf.train.Feature(float_list=tf.train.FloatList(value=values))
    text = tf.train.Example(features=tf.train.Features(feature={"x": feature})).SerializeToString()
    return given(np.array([text], object), "string")


def decoded_picture(file):
    """A model that reads the file of a picture."""
    pixels = tf.cast(v1.image.decode_png(file, 3), tf.float32)
    pixels.set_shape([4, 4, 3])
    return tf.reduce_mean(pixels / 255.0, [0, 1])


def png_of(height, width):
    pixels = np.arange(height * width * 3, dtype=np.uint8).reshape(height, width, 3)
    return given(np.array(tf.io.encode_png(pixels).numpy(), object), "string")


RATIO = given(np.float32(0.5))
KEEP = given(np.float32(1.0))
MODELS = [
    session("steered_norm_fed", cnn_with_training, f32(2, 6, 6, 3), FALSE),
    old("steered_norm_fed_v1", cnn_with_training, f32(2, 6, 6, 3), FALSE),
    old("steered_norm_fed_v1_in_training", cnn_with_training, f32(2, 6, 6, 3), TRUE),
    old("steered_norm_set", cnn_with_training, f32(1, 6, 6, 3), FALSE.as_set()),
    session("steered_fused_norm_set", fused_norm, f32(1, 5, 5, 4), FALSE.as_set()),
    session("steered_dropout_keep_prob_set", with_dropout, f32(1, 5), KEEP.as_set()),
    session("steered_dropout_keep_prob_fed", with_dropout, f32(1, 5), KEEP),
    old("steered_dropout_rate_set", with_rate, f32(1, 5), given(np.float32(0)).as_set()),
    old("steered_default_of_placeholder", with_default, f32(1, 5)),
    session("steered_learning_rate", learning_rate_in_graph, f32(1, 4), given(np.float32(0.1)).as_set(), form="meta"),
    session("steered_ratio_set", scale_by_ratio, picture(8, 12), RATIO.as_set()),
    old("steered_steps_set", steps_by_placeholder, f32(1, 4), given(np.int32(3)).as_set()),
    old("steered_steps_fed", steps_by_placeholder, f32(1, 4), given(np.int32(3))),
    session("lstm_cell_unrolled", basic_lstm, f32(1, 4, 3)),
    old("dynamic_rnn_v1", dynamic_rnn, f32(2, 5, 3), given([3, 5])),
    session("dynamic_rnn_v2", dynamic_rnn, f32(2, 5, 3), given([3, 5])),
    session("embedding_partitioned", partitioned, integers(1, 5, high=9)),
    session("moving_average", moving_average, f32(1, 4), form="saved"),
    session("quantization_aware", quantization_aware, f32(2, 4)),
    session("checkpoint_v2_of_meta", lambda x: tf.nn.relu(dense(x, 3, "d")), f32(1, 4), form="meta"),
    session("checkpoint_v1_of_meta", lambda x: tf.nn.relu(dense(x, 3, "d")), f32(1, 4), form="meta_v1"),
    session("checkpoint_beside_pb", lambda x: tf.nn.softmax(dense(x, 3, "d")), f32(1, 4), form="unfrozen",
            options=["--checkpoint", "{folder}"]),
    session("saved_by_reference", lambda x: tf.tanh(dense(x, 3, "d")), f32(1, 4), form="saved"),
    session("queue_in_front", queue_fed, f32(1, 3), cut={"feeds": {"x": f32(1, 3), "fifo_queue_Dequeue": f32(1, 3)}}),
    session("parse_example_in_front", parsed_example, example_of([0.5, -1.0, 2.0]),
            cut={"feeds": {"ParseExample/ParseExampleV2": f32(1, 3)}}),
    session("decode_png_in_front", decoded_picture, png_of(4, 4),
            cut={"feeds": {"DecodePng": integers(4, 4, 3, high=256, dtype="uint8")}}),
    session("bool_input_selects", lambda p, x: tf.where(p, x, -x), booleans(2, 3), f32(2, 3)),
]

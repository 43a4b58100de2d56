# SPDX-License-Identifier: Apache-2.0
"""Keras layers over time: their cells, directions, masks, states, and both ways in which TensorFlow keeps loops."""

import keras

from feeds import booleans, f32, integers
from models import keras as network
from models import layer

L = keras.layers


def masked(make):
    """Steps of zeros are skipped."""
    return lambda: keras.Sequential([L.Masking(), make()])


def seq2seq(source, target):
    """Encoder and decoder joined by states, with attention over the encoder's outputs."""
    encoded, h, c = L.LSTM(4, return_sequences=True, return_state=True)(L.Embedding(9, 3)(source))
    decoded = L.LSTM(4, return_sequences=True)(L.Embedding(9, 3)(target), initial_state=[h, c])
    attended = L.Attention()([decoded, encoded])
    return L.Dense(9, activation="softmax")(L.Concatenate()([decoded, attended]))


def residual_stack(x):
    for i in range(2):
        x = L.Add()([x, L.LSTM(4, return_sequences=True)(x)])
    return L.Dense(2)(x[:, -1])


def text_classifier(ids):
    x = L.Embedding(20, 6, mask_zero=True)(ids)
    x = L.Bidirectional(L.GRU(3))(L.SpatialDropout1D(0.2)(x))
    return L.Dense(1, activation="sigmoid")(x)


def lstm_crnn(x):
    """Text in pictures: columns of a convolution's output are steps."""
    x = L.MaxPooling2D((4, 1))(L.Conv2D(4, 3, padding="same", activation="relu")(x))
    x = L.Reshape((8, 8))(L.Permute((2, 1, 3))(x))
    return L.Dense(6, activation="softmax")(L.Bidirectional(L.LSTM(3, return_sequences=True))(x))


MODELS = [
    layer("simple_rnn", lambda: L.SimpleRNN(4), f32(1, 5, 3)),
    layer("simple_rnn_relu_sequences_backwards",
          lambda: L.SimpleRNN(4, activation="relu", return_sequences=True, go_backwards=True),
          f32(1, 5, 3)),
    layer("lstm_last_output", lambda: L.LSTM(4), f32(1, 6, 3)),
    layer("lstm_sequences_batch_of_2", lambda: L.LSTM(3, return_sequences=True), f32(2, 5, 3)),
    network("lstm_with_states", lambda x: L.LSTM(3, return_state=True)(x), f32(1, 5, 2)),
    layer("lstm_unrolled", lambda: L.LSTM(3, unroll=True), f32(1, 4, 2)),
    layer("lstm_no_bias_hard_gates_pb", lambda: L.LSTM(3, use_bias=False, recurrent_activation="hard_sigmoid"),
          f32(1, 5, 2), form="pb"),
    layer("lstm_masked", masked(lambda: L.LSTM(3, return_sequences=True)), integers(1, 6, 2, high=2, dtype="float32")),
    layer("lstm_masked_zero_output", masked(lambda: L.LSTM(3, return_sequences=True, zero_output_for_mask=True)),
          integers(1, 6, 2, high=2, dtype="float32")),
    network("lstm_mask_as_input", lambda x, y: L.LSTM(3)(x, mask=y), f32(1, 6, 2), booleans(1, 6)),
    layer("gru_reset_after", lambda: L.GRU(4), f32(1, 6, 3)),
    layer("gru_reset_before_sequences", lambda: L.GRU(4, reset_after=False, return_sequences=True), f32(1, 5, 3)),
    network("gru_initial_state_as_input", lambda x, y: L.GRU(4)(x, initial_state=y), f32(1, 5, 3), f32(1, 4)),
    layer("gru_masked_backwards", masked(lambda: L.GRU(3, go_backwards=True)),
          integers(1, 6, 2, high=2, dtype="float32")),
    layer("bidirectional_lstm_concat", lambda: L.Bidirectional(L.LSTM(3, return_sequences=True)), f32(1, 5, 2)),
    layer("bidirectional_gru_sum", lambda: L.Bidirectional(L.GRU(3), merge_mode="sum"), f32(1, 5, 2)),
    layer("bidirectional_unmerged", lambda: L.Bidirectional(L.SimpleRNN(3), merge_mode=None), f32(1, 5, 2)),
    layer("bidirectional_masked_text",
          lambda: keras.Sequential([L.Embedding(5, 3, mask_zero=True), L.Bidirectional(L.LSTM(2))]),
          integers(1, 6, high=5)),
    layer("rnn_of_stacked_cells", lambda: L.RNN([L.GRUCell(3), L.LSTMCell(2)]), f32(1, 4, 2)),
    layer("rnn_of_stacked_cells_layer",
          lambda: L.RNN(L.StackedRNNCells([L.SimpleRNNCell(3), L.GRUCell(3)]), return_sequences=True),
          f32(1, 4, 2)),
    layer("conv_lstm_1d", lambda: L.ConvLSTM1D(2, 3, padding="same"), f32(1, 3, 6, 2)),
    layer("conv_lstm_2d_sequences", lambda: L.ConvLSTM2D(2, 3, padding="same", return_sequences=True),
          f32(1, 3, 5, 5, 2)),
    layer("conv_lstm_2d_stride_valid", lambda: L.ConvLSTM2D(2, 3, strides=2), f32(1, 3, 7, 7, 1)),
    layer("conv_lstm_3d", lambda: L.ConvLSTM3D(1, 2, padding="same"), f32(1, 2, 3, 3, 3, 1)),
    layer("time_distributed_dense_on_lstm",
          lambda: keras.Sequential([L.LSTM(4, return_sequences=True), L.TimeDistributed(L.Dense(2))]),
          f32(1, 4, 3)),
    network("net_seq2seq_attention", seq2seq, integers(1, 5, high=9), integers(1, 4, high=9)),
    network("net_residual_lstms", residual_stack, f32(1, 5, 4)),
    network("net_text_classifier", text_classifier, integers(1, 8, high=20)),
    network("net_crnn", lstm_crnn, f32(1, 8, 8, 1)),
    layer("lstm_dropouts_are_identity", lambda: L.LSTM(3, dropout=0.2, recurrent_dropout=0.2), f32(1, 4, 2)),
    layer("lstm_300_steps", lambda: L.LSTM(4), f32(1, 300, 2)),
]

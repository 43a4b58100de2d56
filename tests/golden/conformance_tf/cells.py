# SPDX-License-Identifier: Apache-2.0
"""Volumes and fused recurrent cells."""

import itertools

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(43)

family = Family("volumes")
x = normal(g, 1, 5, 6, 5, 3)
for padding, (name, k, s, d) in itertools.product(("SAME", "VALID"), (
        ("plain", (3, 3, 3), (1, 1, 1), 1), ("strides", (2, 3, 2), (2, 1, 3), 1), ("flat", (1, 3, 3), (1, 2, 2), 1),
        ("deep", (4, 1, 1), (1, 1, 1), 1), ("ones", (1, 1, 1), (1, 1, 1), 1), ("dilated", (2, 2, 2), (1, 1, 1), 2))):
    w = normal(g, *k, 3, 4)
    expected = None if d == 1 else tf.nn.convolution(x, w, padding=padding, dilations=d).numpy()
    family.case(f"conv_{padding.lower()}_{name}", lambda x: raw.Conv3D(
        input=x, filter=w, strides=[1, *s, 1], padding=padding, dilations=[1, d, d, d, 1]), {"x": x},
                expected=expected)
family.case("conv_fed_filter", lambda x, w: raw.Conv3D(
    input=x, filter=w, strides=[1] * 5, padding="SAME"), {"x": x, "w": normal(g, 2, 3, 3, 3, 2)})
first = normal(g, 1, 2, 3, 3, 3, 2)[0]
family.case("conv_ncdhw", lambda x: raw.Conv3D(
    input=x, filter=first, strides=[1, 1, 1, 2, 1], padding="SAME", data_format="NCDHW"),
            {"x": np.transpose(x, (0, 4, 1, 2, 3)).copy()},
            expected=np.transpose(tf.nn.conv3d(x, first, [1, 1, 2, 1, 1], "SAME").numpy(), (0, 4, 1, 2, 3)))
for op, padding, (name, k, s) in itertools.product(("MaxPool3D", "AvgPool3D"), ("SAME", "VALID"), (
        ("plain", (2, 2, 2), (2, 2, 2)), ("overlap", (3, 3, 3), (1, 2, 2)), ("flat", (1, 3, 2), (1, 1, 2)),
        ("deep", (4, 1, 1), (3, 1, 1)), ("all", (5, 6, 5), (1, 1, 1)))):
    family.case(f"{op.lower()}_{padding.lower()}_{name}", lambda x: getattr(raw, op)(
        input=x, ksize=[1, *k, 1], strides=[1, *s, 1], padding=padding), {"x": x})
h = rng(44)
for padding, (name, sizes, k, s) in itertools.product(("SAME", "VALID"), (
        ("plain", (4, 5, 6), (3, 3, 3), (1, 1, 1)), ("halves", (6, 5, 4), (2, 2, 2), (2, 2, 2)),
        ("overlap", (7, 6, 5), (3, 3, 3), (2, 2, 2)), ("unequal", (7, 5, 6), (2, 3, 4), (3, 1, 2)),
        ("gaps", (8, 3, 3), (2, 1, 1), (4, 2, 2)), ("flat", (3, 5, 5), (1, 3, 3), (1, 2, 2)),
        ("deep", (6, 2, 2), (4, 1, 1), (1, 1, 1)), ("one", (2, 3, 2), (1, 1, 1), (1, 1, 1)))):
    w, shape = normal(h, *k, 2, 3), [2, *sizes, 2]
    forward = tf.nn.conv3d(np.zeros(shape, np.float32), w, [1, *s, 1], padding).shape
    family.case(f"transposed_{padding.lower()}_{name}", lambda y: raw.Conv3DBackpropInputV2(
        input_sizes=shape, filter=w, out_backprop=y, strides=[1, *s, 1], padding=padding), {"y": normal(h, *forward)})
w, y = normal(h, 3, 2, 2, 2, 3), normal(h, 1, 2, 3, 3, 3)
transposed = {"strides": [1, 2, 2, 2, 1], "padding": "SAME", "output_shape": [1, 4, 5, 6, 2]}
family.case("transposed_fed_filter", lambda w, y: tf.nn.conv3d_transpose(y, w, **transposed), {"w": w, "y": y})
family.case("transposed_constant", lambda x: tf.nn.conv3d_transpose(y, w, **transposed) + x, {"x": np.float32(1)})
family.case("transposed_bias_relu", lambda y: tf.nn.relu(tf.nn.bias_add(tf.nn.conv3d_transpose(y, w, **transposed), [0.5, -0.5])),
            {"y": y})
family.case("transposed_ncdhw", lambda y: raw.Conv3DBackpropInputV2(
    input_sizes=[1, 2, 4, 5, 6], filter=w, out_backprop=y, strides=[1, 1, 2, 2, 2], padding="SAME", data_format="NCDHW"),
            {"y": np.transpose(y, (0, 4, 1, 2, 3)).copy()},
            expected=np.transpose(tf.nn.conv3d_transpose(y, w, **transposed).numpy(), (0, 4, 1, 2, 3)))
family.write()

family = Family("recurrent")


def weights(rows, cells, gates):
    return (normal(g, rows + cells, gates * cells) * 0.5).astype(np.float32)


LSTM = {"plain": (2, 3, 4, {}), "one": (1, 1, 1, {}), "no_clip": (2, 3, 4, {"cell_clip": -1.0}),
        "tight_clip": (3, 2, 5, {"cell_clip": 0.25}), "no_bias": (2, 4, 3, {"forget_bias": 0.0}),
        "peephole": (2, 3, 4, {"use_peephole": True})}
for name, (batch, inputs, cells, attrs) in LSTM.items():
    w, b = weights(inputs, cells, 4), normal(g, 4 * cells)
    peepholes = {key: normal(g, cells) for key in ("wci", "wcf", "wco")}
    feeds = {"x": normal(g, batch, inputs), "c": normal(g, batch, cells), "h": normal(g, batch, cells)}
    family.case(f"lstm_cell_{name}", lambda x, c, h: list(raw.LSTMBlockCell(
        x=x, cs_prev=c, h_prev=h, w=w, b=b, **peepholes, **attrs)), feeds)
    for steps, longest in ((4, 4), (5, 3), (1, 1)):
        sequence = {**feeds, "x": normal(g, steps, batch, inputs)}
        # Behind seq_len_max TensorFlow clears only cs and h; the gates have uninitialised memory there.
        results = ("cs", "h") if longest < steps else ("i", "cs", "f", "o", "ci", "co", "h")
        family.case(f"lstm_{name}_{steps}_{longest}", lambda x, c, h: list(map(raw.BlockLSTM(
            seq_len_max=np.int64(longest), x=x, cs_prev=c, h_prev=h, w=w, b=b, **peepholes, **attrs
        )._asdict().get, results)), sequence)
        v2 = {key: value for key, value in attrs.items() if key != "forget_bias"}
        family.case(f"lstm_v2_{name}_{steps}_{longest}", lambda x, c, h: raw.BlockLSTMV2(
            seq_len_max=np.int64(longest), x=x, cs_prev=c, h_prev=h, w=w, b=b, **peepholes, **v2).h, sequence)
family.case("lstm_fed_weights", lambda x, c, h, w: raw.LSTMBlockCell(
    x=x, cs_prev=c, h_prev=h, w=w, b=np.zeros(12, np.float32), wci=np.zeros(3, np.float32),
    wcf=np.zeros(3, np.float32), wco=np.zeros(3, np.float32)).h,
            {"x": normal(g, 2, 2), "c": normal(g, 2, 3), "h": normal(g, 2, 3), "w": weights(2, 3, 4)})
for name, (batch, inputs, cells) in {"plain": (2, 3, 4), "one": (1, 1, 1), "wide": (1, 9, 2), "deep": (1, 2, 9),
                                     "batch": (6, 2, 3)}.items():
    ru, c = weights(inputs, cells, 2), weights(inputs, cells, 1)
    family.case(f"gru_cell_{name}", lambda x, h: list(raw.GRUBlockCell(
        x=x, h_prev=h, w_ru=ru, w_c=c, b_ru=np.ones(2 * cells, np.float32), b_c=np.full(cells, 0.3, np.float32))),
                {"x": normal(g, batch, inputs), "h": normal(g, batch, cells)})
family.case("gru_cell_fed_weights", lambda x, h, ru, c: raw.GRUBlockCell(
    x=x, h_prev=h, w_ru=ru, w_c=c, b_ru=np.ones(6, np.float32), b_c=np.zeros(3, np.float32)).h,
            {"x": normal(g, 2, 2), "h": normal(g, 2, 3), "ru": weights(2, 3, 2), "c": weights(2, 3, 1)})
family.write()

# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

family = Family("convolution")
g = rng(2)

for padding, stride, dilation, kernel in itertools.product(
        ("SAME", "VALID"), (1, 2), (1, 2), ((3, 3), (2, 3))):
    if stride > 1 and dilation > 1:
        continue
    x, w = normal(g, 1, 6, 7, 2), normal(g, *kernel, 2, 3)
    suffix = f"{padding.lower()}_s{stride}_d{dilation}_k{kernel[0]}{kernel[1]}"
    family.case(f"conv_{suffix}",
                lambda x, w=w: raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, stride, stride, 1],
                                          padding=padding, dilations=[1, dilation, dilation, 1]),
                {"x": x})
    dw = normal(g, *kernel, 2, 2)
    # TensorFlow dilates depthwise kernels on CPUs by moving pixels to the batch and back.
    dilated = tf.nn.depthwise_conv2d(x, dw, [1, stride, stride, 1], padding,
                                     dilations=[dilation, dilation]).numpy()
    family.case(f"depthwise_{suffix}",
                lambda x, dw=dw: raw.DepthwiseConv2dNative(
                    input=x, filter=tf.constant(dw), strides=[1, stride, stride, 1],
                    padding=padding, dilations=[1, dilation, dilation, 1]), {"x": x},
                expected=dilated)

family.case("depthwise_dilated_by_space_to_batch",
            lambda x: tf.nn.depthwise_conv2d(x, tf.constant(dw), [1, 1, 1, 1], "SAME",
                                             dilations=[2, 2]), {"x": x})
x, w = normal(g, 2, 5, 6, 4), normal(g, 3, 3, 4, 2)
family.case("conv_even_sizes_same_stride2",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, 2, 2, 1], padding="SAME"),
            {"x": normal(g, 1, 4, 8, 4)})
family.case("conv_1x1_stride2",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w[:1, :1]), strides=[1, 2, 2, 1],
                                 padding="SAME"), {"x": x})
family.case("conv_rows_and_columns_differ",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, 1, 2, 1], padding="SAME"),
            {"x": x})
family.case("conv_explicit",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, 1, 1, 1],
                                 padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 3, 0, 0]),
            {"x": x})
family.case("conv_grouped",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w[:, :, :2]), strides=[1, 1, 1, 1],
                                 padding="SAME"), {"x": x})
for outputs in (1, 2):  # of each channel
    grouped = np.concatenate([w] * 4, 3)[:, :, :1, :x.shape[3] * outputs]
    family.case(f"conv_groups_of_one_channel_{outputs}",
                lambda x, grouped=grouped: raw.Conv2D(input=x, filter=tf.constant(grouped), strides=[1, 2, 2, 1],
                                                      padding="SAME"), {"x": x})
family.case("conv_fed_filter",
            lambda x, w: raw.Conv2D(input=x, filter=w, strides=[1, 1, 1, 1], padding="VALID"),
            {"x": x, "w": w})
family.case("conv_half",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w.astype(np.float16)),
                                 strides=[1, 1, 1, 1], padding="SAME"),
            {"x": x.astype(np.float16)}, tolerance=4e-3)
family.case("depthwise_fed_filter",
            lambda x, w: raw.DepthwiseConv2dNative(input=x, filter=w, strides=[1, 1, 1, 1],
                                                   padding="SAME"), {"x": x, "w": w})
family.case("depthwise_explicit",
            lambda x: raw.DepthwiseConv2dNative(
                input=x, filter=tf.constant(w), strides=[1, 1, 1, 1], padding="EXPLICIT",
                explicit_paddings=[0, 0, 2, 0, 1, 1, 0, 0]), {"x": x})


def nchw(x):
    return np.transpose(x, (0, 3, 1, 2))


conv = tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME").numpy()
family.case("conv_nchw",
            lambda x: raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, 1, 2, 1], padding="SAME",
                                 data_format="NCHW"), {"x": nchw(x)}, expected=nchw(conv))
depthwise = tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID").numpy()
family.case("depthwise_nchw",
            lambda x: raw.DepthwiseConv2dNative(input=x, filter=tf.constant(w), strides=[1, 1, 1, 1],
                                                padding="VALID", data_format="NCHW"),
            {"x": nchw(x)}, expected=nchw(depthwise))

for padding, stride, size in (("SAME", 2, (9, 10)), ("SAME", 2, (10, 9)), ("VALID", 2, (11, 13)),
                              ("VALID", 2, (12, 14)), ("SAME", 1, (5, 6)), ("SAME", 3, (13, 18))):
    back = normal(g, 1, -(-size[0] // stride) if padding == "SAME" else (size[0] - 3) // stride + 1,
                  -(-size[1] // stride) if padding == "SAME" else (size[1] - 3) // stride + 1, 3)
    wt = normal(g, 3, 3, 2, 3)
    family.case(f"transpose_conv_{padding.lower()}_s{stride}_{size[0]}x{size[1]}",
                lambda y, wt=wt: raw.Conv2DBackpropInput(
                    input_sizes=[1, *size, 2], filter=tf.constant(wt), out_backprop=y,
                    strides=[1, stride, stride, 1], padding=padding), {"y": back})
family.case("transpose_conv_computed_sizes",
            lambda y: raw.Conv2DBackpropInput(
                input_sizes=tf.stack([tf.shape(y)[0], tf.shape(y)[1] * 2, tf.shape(y)[2] * 2, 2]),
                filter=tf.constant(wt), out_backprop=y, strides=[1, 2, 2, 1], padding="SAME"),
            {"y": normal(g, 2, 3, 4, 3)})

# Ops that grappler and tfjs fuse.  TensorFlow runs the unfused graph.
bias, alpha = normal(g, 2), np.abs(normal(g, 2))
acts = {"relu": tf.nn.relu, "relu6": tf.nn.relu6, "elu": tf.nn.elu, "sigmoid": tf.nn.sigmoid,
        "tanh": tf.nn.tanh, "leakyrelu": lambda v: tf.nn.leaky_relu(v, 0.3)}
spelling = {"relu": "Relu", "relu6": "Relu6", "elu": "Elu", "sigmoid": "Sigmoid", "tanh": "Tanh",
            "leakyrelu": "LeakyRelu", "prelu": "Prelu"}


def fused(op, fused_ops, arguments):
    def edit(definition):
        n = node(definition, "conv")
        n.op = op
        n.input.extend(arguments)
        n.attr["num_args"].i = len(arguments)
        n.attr["fused_ops"].list.s.extend(f.encode() for f in fused_ops)
        n.attr["leakyrelu_alpha"].f = 0.3
    return edit


for kind in ("conv", "depthwise"):
    plain = raw.Conv2D if kind == "conv" else raw.DepthwiseConv2dNative
    op = "_FusedConv2D" if kind == "conv" else "FusedDepthwiseConv2dNative"
    wf = w if kind == "conv" else w[:, :, :, :1]
    channels = 2 if kind == "conv" else 4
    bf, af = normal(g, channels), np.abs(normal(g, channels))

    def build(x, plain=plain, wf=wf, bf=bf, af=af):
        tf.constant(bf, name="bias")
        tf.constant(af, name="alpha")
        return plain(input=x, filter=tf.constant(wf), strides=[1, 1, 1, 1], padding="SAME", name="conv")

    reference = plain(input=x, filter=wf, strides=[1, 1, 1, 1], padding="SAME")
    family.case(f"fused_{kind}_bias", build, {"x": x}, expected=(reference + bf).numpy(),
                edit=fused(op, ["BiasAdd"], ["bias"]))
    for act, function in acts.items():
        family.case(f"fused_{kind}_bias_{act}", build, {"x": x},
                    expected=function(reference + bf).numpy(),
                    edit=fused(op, ["BiasAdd", spelling[act]], ["bias"]))
    family.case(f"fused_{kind}_relu_alone", build, {"x": x}, expected=tf.nn.relu(reference).numpy(),
                edit=fused(op, ["relu"], []))
    biased = (reference + bf).numpy()
    family.case(f"fused_{kind}_bias_prelu", build, {"x": x},
                expected=np.where(biased >= 0, biased, biased * af),
                edit=fused(op, ["BiasAdd", "Prelu"], ["bias", "alpha"]))

conv = tf.nn.conv2d(x, w, 1, "VALID").numpy()
family.case("fused_conv_nchw_bias_relu",
            lambda x: [tf.constant(bias, name="bias"),
                       raw.Conv2D(input=x, filter=tf.constant(w), strides=[1, 1, 1, 1],
                                  padding="VALID", data_format="NCHW", name="conv")][1:],
            {"x": nchw(x)}, expected=nchw(np.maximum(conv + bias, 0)),
            edit=fused("_FusedConv2D", ["BiasAdd", "Relu"], ["bias"]))

g = rng(116)
x, w, wd = normal(g, 1, 4, 5, 2), normal(g, 2, 3, 2, 3), normal(g, 2, 3, 2, 2)
for op, plain, kernel in (("_FusedDepthwiseConv2dNative", raw.DepthwiseConv2dNative, wd),
                          ("FusedDepthwiseConv2dNative", raw.DepthwiseConv2dNative, wd),
                          ("_FusedConv2D", raw.Conv2D, w)):
    channels = 3 if plain is raw.Conv2D else 4
    b, a = normal(g, channels), np.abs(normal(g, channels))
    low = op.strip("_").lower() + ("_grappler" if op.startswith("_Fused") else "")
    for name, strides, padding, dilations, tail in (
            ("bias", 1, "VALID", 1, None), ("strides", 2, "SAME", 1, "relu"), ("dilated", 1, "SAME", 2, "relu6"),
            ("elu", 2, "VALID", 1, "elu"), ("tanh", 1, "SAME", 1, "tanh"), ("sigmoid", 1, "VALID", 1, "sigmoid"),
            ("leakyrelu", 1, "SAME", 1, "leakyrelu")):
        attrs = {"strides": [1, strides, strides, 1], "padding": padding}

        def build(x):
            tf.constant(b, name="bias")
            return plain(input=x, filter=tf.constant(kernel), dilations=[1, dilations, dilations, 1], name="conv",
                         **attrs)

        if plain is raw.Conv2D:
            y = tf.nn.conv2d(x, kernel, strides, padding, dilations=dilations)
        else:  # TensorFlow's kernel supports no dilations
            y = tf.nn.depthwise_conv2d(x, kernel, [1, strides, strides, 1], padding, dilations=[dilations] * 2)
        y = acts[tail](y + b) if tail else y + b
        family.case(f"{low}_{name}", build, {"x": x}, expected=y.numpy(),
                    edit=fused(op, ["BiasAdd"] + ([spelling[tail]] if tail else []), ["bias"]))

    def build_prelu(x):
        tf.constant(b, name="bias")
        tf.constant(a, name="alpha")
        return plain(input=x, filter=tf.constant(kernel), strides=[1, 1, 1, 1], padding="SAME", name="conv")

    y = plain(input=x, filter=kernel, strides=[1, 1, 1, 1], padding="SAME").numpy() + b
    family.case(f"{low}_prelu", build_prelu, {"x": x}, expected=np.where(y >= 0, y, y * a),
                edit=fused(op, ["BiasAdd", "Prelu"], ["bias", "alpha"]))
    family.case(f"{low}_no_batch", build_prelu, {"x": x[:0]}, expected=y[:0], edit=fused(op, ["BiasAdd"], ["bias"]))
family.write()

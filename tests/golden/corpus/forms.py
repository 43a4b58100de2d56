# SPDX-License-Identifier: Apache-2.0
"""The forms in which models leave TensorFlow, each with a way to run what was exported in TensorFlow again."""

import dataclasses
import zlib

import keras
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework import convert_to_constants

import run_tensorflow
import tfjs_writer

v1 = tf.compat.v1


@dataclasses.dataclass
class Exported:
    file: str  # in the model's folder
    run: object  # run(feeds by name) -> outputs by name
    outputs: list  # what --output must name; empty: the signature's
    graph: object = None  # the GraphDef, for cuts
    renamed: dict = dataclasses.field(default_factory=dict)  # our name of an input -> the model's


def _specs(feeds):
    return [tf.TensorSpec(feed.open_shape, feed.dtype, name=name) for name, feed in feeds.items()]


def _base_name(tensor_name):
    return tensor_name.removesuffix(":0")


def freeze(folder, function, feeds, form, lower=False, grow=None):
    module = tf.Module()
    module.grown = grow() if grow else None
    call = tf.function((lambda *inputs: function(*inputs, module.grown)) if grow else function)
    return _freeze_concrete(folder, call.get_concrete_function(*_specs(feeds)), form, lower)


def _freeze_concrete(folder, concrete, form, lower=False):
    constant = convert_to_constants.convert_variables_to_constants_v2(concrete, lower_control_flow=lower)
    graph = constant.graph.as_graph_def()
    outputs = [_base_name(tensor.name) for tensor in constant.outputs]
    return _write_graph(folder, graph, outputs, form)


def _write_graph(folder, graph, outputs, form):
    if form == "pbtxt":
        (folder / "model.pbtxt").write_text(text_format.MessageToString(graph))
    elif form == "tfjs":
        tfjs_writer.write(folder, graph)
    else:
        (folder / "model.pb").write_bytes(graph.SerializeToString(deterministic=True))
    file = {"pb": "model.pb", "pbtxt": "model.pbtxt", "tfjs": "model.json"}[form]
    return Exported(file, lambda feeds: run_tensorflow.run_graph(graph, feeds, outputs), outputs, graph)


def session_graph(folder, function, feeds, form):
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v1.set_random_seed(7)
        inputs = {name: v1.placeholder(feed.dtype, feed.open_shape, name=name) for name, feed in feeds.items()}
        results = function(**inputs)
        results = results if isinstance(results, (list, tuple)) else [results]
        results = [tf.identity(result, name=f"out{i or ''}") for i, result in enumerate(results)]
        names = [_base_name(result.name) for result in results]
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        exported = _session_form(folder, session, graph, form, inputs, names)
        plain = _without_variables(session, graph, names)
        known = {node.name for node in plain.node}
        exported.run = lambda feeds: run_tensorflow.run_graph(
            plain, {name: value for name, value in feeds.items() if name in known}, names)
    return exported


def _without_variables(session, graph, names):
    definition = graph.as_graph_def()
    if v1.global_variables():
        definition = v1.graph_util.convert_variables_to_constants(session, definition, names)
    return definition


def _session_form(folder, session, graph, form, inputs, names):
    if form == "pb":
        return _write_graph(folder, _without_variables(session, graph, names), names, "pb")
    if form == "saved":
        saved = folder / "saved"
        v1.saved_model.simple_save(session, str(saved), inputs,
                                   {name: graph.get_tensor_by_name(f"{name}:0") for name in names})
        _tidy_saved_model(saved)
        return Exported("saved", None, [])
    version = v1.train.SaverDef.V1 if form == "meta_v1" else v1.train.SaverDef.V2
    saver = v1.train.Saver(write_version=version, save_relative_paths=True)
    saver.save(session, str(folder / "model"), write_meta_graph=form != "unfrozen")
    if form != "unfrozen":
        return Exported("model.meta", None, names)
    return _write_graph(folder, graph.as_graph_def(add_shapes=False), names, "pb")


def save_module(folder, module, feeds):
    saved = folder / "saved"
    function = tf.function(module.run, input_signature=_specs(feeds))
    tf.saved_model.save(module, str(saved), signatures={"serving_default": function})
    return _saved(saved)


def export_keras(folder, name, build, feeds, form, static):
    keras.backend.clear_session()
    keras.utils.set_random_seed(zlib.crc32(name.encode()) % 2**31)
    inputs = [keras.Input(name=key, dtype=feed.dtype,
                          batch_shape=(feed.shape[0] if static else None, *feed.open_shape[1:]))
              for key, feed in feeds.items()]
    outputs = build(*inputs)
    model = outputs if isinstance(outputs, keras.Model) else keras.Model(inputs, outputs)
    vary_weights(model)
    if form != "export":
        specs = [tf.TensorSpec([None if ".." in feed.flag.split("x")[0] else feed.shape[0], *feed.open_shape[1:]],
                               feed.dtype, name=key)
                 for key, feed in feeds.items()]
        call = tf.function(lambda *values: model(values[0] if len(values) == 1 else list(values), training=False))
        return _freeze_concrete(folder, call.get_concrete_function(*specs), form)
    model.export(str(folder / "saved"), verbose=False)
    return _saved(folder / "saved")


def vary_weights(model):
    """Weights that start as one value everywhere (biases, scales, means) get values of their own, larger than it. All
    keep four bits of their fraction, so that files stay small when they are compressed."""
    for index, weight in enumerate(model.weights):
        if "float" not in str(weight.dtype):
            continue
        value = np.asarray(keras.ops.convert_to_numpy(keras.ops.cast(weight, "float32")))
        if value.size and np.ptp(value) == 0:
            value = value + np.random.default_rng(index).uniform(0, 0.3, value.shape)
        fraction, exponent = np.frexp(value)
        weight.assign(np.ldexp(np.round(fraction * 16) / 16, exponent))


def _saved(saved):
    """Runs the signature of what was written, before it is made smaller."""
    loaded = tf.saved_model.load(str(saved))
    _tidy_saved_model(saved)
    signature = loaded.signatures["serving_default"]
    names = sorted(signature.structured_input_signature[1])

    def run(feeds):
        feeds = feeds if set(feeds) == set(names) else dict(zip(names, feeds.values(), strict=True))
        return {key: value.numpy() for key, value in signature(**{k: tf.constant(v) for k, v in feeds.items()}).items()}
    run.keep = loaded
    return Exported("saved", run, [], renamed=names)


def _tidy_saved_model(saved):
    """Drops what no reader needs: op definitions, a random fingerprint, folders without files."""
    (saved / "fingerprint.pb").unlink(missing_ok=True)
    file = saved / "saved_model.pb"
    model = saved_model_pb2.SavedModel.FromString(file.read_bytes())
    for graph in model.meta_graphs:
        graph.meta_info_def.ClearField("stripped_op_list")
        for function in graph.graph_def.library.function:
            function.attr.pop("_construction_context", None)
    file.write_bytes(model.SerializeToString(deterministic=True))

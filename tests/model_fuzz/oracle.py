# SPDX-License-Identifier: Apache-2.0
"""Runs a model in TensorFlow, and writes the checkpoint of its variables."""
import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import config_pb2, meta_graph_pb2, rewriter_config_pb2, saved_model_pb2

SIGNATURE = "serving_default"


class Refused(Exception):
    """TensorFlow does not run the model."""


def config():
    options = config_pb2.ConfigProto(inter_op_parallelism_threads=2, intra_op_parallelism_threads=1)
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    options.graph_options.rewrite_options.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
    options.graph_options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
    return options


def run(model):
    """The outputs by key of each run; all runs are in one session."""
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.graph_util.import_graph_def(model.graph_def, name="")
            first = initializers(model)
        with tf.compat.v1.Session(graph=graph, config=config()) as session:
            session.run(first)
            return [session.run(model.outputs, {f"{name}:0": value for name, value in inputs.items()})
                    for inputs in model.runs]
    except (ValueError, tf.errors.OpError) as error:
        raise Refused(" ".join(getattr(error, "message", str(error)).split())[:300]) from error


def initializers(model):
    made = []
    for name, value in model.variables.items():
        if name in model.references:
            reference = tf.compat.v1.get_default_graph().get_tensor_by_name(name + ":0")
            made.append(tf.raw_ops.Assign(ref=reference, value=value).op)
        else:
            handle = tf.raw_ops.VarHandleOp(dtype=value.dtype, shape=value.shape, shared_name=name)
            made.append(tf.raw_ops.AssignVariableOp(resource=handle, value=value))
    return made


def save(model, expected, folder):
    """Writes the model as a SavedModel."""
    saved = saved_model_pb2.SavedModel(saved_model_schema_version=1)
    meta = saved.meta_graphs.add(graph_def=model.graph_def)
    meta.meta_info_def.tags.append("serve")
    signature = meta.signature_def[SIGNATURE]
    signature.method_name = "tensorflow/serving/predict"
    for name, (dtype, shape) in model.inputs.items():
        signature.inputs[name].CopyFrom(tensor_info(f"{name}:0", dtype, shape))
    for key, tensor in model.outputs.items():
        signature.outputs[key].CopyFrom(tensor_info(tensor, expected[0][key].dtype, None))
    (folder / "variables").mkdir(parents=True, exist_ok=True)
    (folder / "saved_model.pb").write_bytes(saved.SerializeToString())
    if model.variables:
        names, values = zip(*model.variables.items())
        tf.raw_ops.SaveV2(prefix=str(folder / "variables" / "variables"), tensor_names=list(names),
                          shape_and_slices=[""] * len(names), tensors=[tf.constant(v) for v in values])


def tensor_info(name, dtype, shape):
    known = tf.TensorShape(None if shape is None else [None if n < 0 else n for n in shape])
    return meta_graph_pb2.TensorInfo(name=name, dtype=tf.as_dtype(dtype).as_datatype_enum, tensor_shape=known.as_proto())

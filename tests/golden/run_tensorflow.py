# SPDX-License-Identifier: Apache-2.0
"""Runs a GraphDef in TensorFlow, as written: graph optimisation is off."""

import tensorflow as tf
from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2

VERSION = tf.__version__


def run_graph(graph, feeds, fetches):
    """Returns {fetch: array}; `feeds` {name: array}; names without slot mean slot 0."""
    with tf.Graph().as_default() as imported:
        tf.import_graph_def(graph, name="")
        with tf.compat.v1.Session(graph=imported, config=_plain_config()) as session:
            values = session.run([_slot(name) for name in fetches],
                                 {_slot(name): value for name, value in feeds.items()})
    return dict(zip(fetches, values))


def _slot(name):
    return name if ":" in name else f"{name}:0"


def _plain_config():
    config = config_pb2.ConfigProto(intra_op_parallelism_threads=2, inter_op_parallelism_threads=1)
    options = config.graph_options
    options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
    options.rewrite_options.disable_meta_optimizer = True
    options.rewrite_options.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
    return config

# SPDX-License-Identifier: Apache-2.0
"""Files: the same small net in each form that converts, and kinds of files that are refused with a way out."""

import dataclasses
import gzip
import json

import keras
import numpy as np
import tensorflow as tf

from feeds import f32
from models import frozen, other_kind, saved, session

W = np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)


def net(x):
    return tf.nn.softmax(x @ tf.constant(W))


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(W)

    def run(self, x):
        return {"y": tf.nn.softmax(x @ self.w)}


def packed(model, name, file):
    """The model's file, compressed."""
    def export(_, folder):
        exported = model.export(name, folder)
        plain = folder / exported.file
        (folder / file).write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
        plain.unlink()
        return dataclasses.replace(exported, file=file)
    return dataclasses.replace(model, name=name, export=export)


def by_folder(model, name):
    """A tfjs model by its folder's name."""
    def export(_, folder):
        inner = folder / "web_model"
        inner.mkdir()
        return dataclasses.replace(model.export(name, inner), file="web_model")
    return dataclasses.replace(model, name=name, export=export)


def layers():
    keras.backend.clear_session()
    keras.utils.set_random_seed(1)
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])


def keras_file(folder):
    layers().save(folder / "model.keras")
    return "model.keras"


def h5_file(folder):
    layers().save(folder / "model.h5")
    return "model.h5"


def weights_file(folder):
    layers().save_weights(folder / "model.weights.h5")
    return "model.weights.h5"


def tflite_file(folder):
    converter = tf.lite.TFLiteConverter.from_keras_model(layers())
    (folder / "model.tflite").write_bytes(converter.convert())
    return "model.tflite"


def without_signatures(folder):
    module = Net()
    tf.saved_model.save(module, str(folder / "saved"))
    (folder / "saved" / "fingerprint.pb").unlink()
    return "saved"


def tfjs_layers(folder):
    topology = {"keras_version": "3.15.1", "backend": "tensorflow", "model_config": json.loads(layers().to_json())}
    model = {"format": "layers-model", "generatedBy": "keras", "modelTopology": topology, "weightsManifest": []}
    (folder / "model.json").write_text(json.dumps(model))
    return "model.json"


def keras_config(folder):
    (folder / "model.json").write_text(layers().to_json())
    return "model.json"


def onnx_file(folder):
    """The first fields of an ONNX file: its version, its producer, an empty graph."""
    (folder / "model.onnx").write_bytes(b"\x08\x08\x12\x07pytorch\x1a\x032.0:\x00B\x04\x0a\x00\x10\x11")
    return "model.onnx"


def checkpoint_only(folder):
    tf.train.Checkpoint(w=tf.Variable(W)).write(str(folder / "model"))
    return "model.index"


def empty_file(folder):
    (folder / "model.pb").write_bytes(b"")
    return "model.pb"


def text_file(folder):
    (folder / "model.pb").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n")
    return "model.pb"


X = f32(1, 4)
MODELS = [
    frozen("file_pb", net, X),
    frozen("file_pbtxt", net, X, form="pbtxt"),
    frozen("file_tfjs", net, X, form="tfjs"),
    saved("file_saved_model", Net, X),
    session("file_saved_model_v1", net, X, form="saved"),
    packed(frozen("_", net, X), "file_pb_gz", "model.pb.gz"),
    packed(frozen("_", net, X, form="tfjs"), "file_tfjs_gz", "model.json.gz"),
    by_folder(frozen("_", net, X, form="tfjs"), "file_tfjs_folder"),
    saved("option_signature", Net, X, options=["--signature", "serving_default"]),
    saved("option_tag", Net, X, options=["--tag", "serve"]),
    frozen("option_keep_inputs", net, X, options=["--keep-inputs"]),
    frozen("option_place_cpu", net, X, options=["--place", "cpu"]),
    other_kind("kind_keras", keras_file),
    other_kind("kind_h5", h5_file),
    other_kind("kind_weights_h5", weights_file),
    other_kind("kind_tflite", tflite_file),
    other_kind("kind_saved_model_without_signatures", without_signatures),
    other_kind("kind_tfjs_layers", tfjs_layers),
    other_kind("kind_keras_config", keras_config),
    other_kind("kind_onnx", onnx_file),
    other_kind("kind_checkpoint_only", checkpoint_only),
    other_kind("kind_empty", empty_file),
    other_kind("kind_git_lfs_pointer", text_file),
]

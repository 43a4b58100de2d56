# SPDX-License-Identifier: Apache-2.0
"""How a topic describes its models: each function below makes one row. Nothing is built before the row's turn comes."""

import dataclasses
import inspect

import forms


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    export: object  # export(name, folder) -> forms.Exported
    feeds: dict  # of the model's inputs, by name
    options: tuple = ()  # of `linnet convert`; {folder} stands for the model's folder
    cut: dict = None  # a way out of a refusal: {"outputs": [..], "feeds": {..}}, names in the graph
    tolerance: float = 0.0  # 0: that of compare.py
    backends: tuple = ()  # on which it can match; empty: all. XNNPACK does not propagate NaN


def _named(function, feeds):
    return dict(zip(inspect.signature(function).parameters, feeds, strict=True))


def frozen(name, function, *feeds, form="pb", options=(), cut=None, tolerance=0.0, lower=False, grow=None):
    """A tf.function with the inputs that `function` names, frozen to a GraphDef. `form`: pb, pbtxt, tfjs. `grow` makes
    variables first and gives them to `function` as its last argument."""
    feeds = _named(function, feeds) if grow is None else _named_but_last(function, feeds)
    return Model(name, lambda _, folder: forms.freeze(folder, function, feeds, form, lower, grow), feeds,
                 tuple(options),
                 cut, tolerance)


def _named_but_last(function, feeds):
    return dict(zip(list(inspect.signature(function).parameters)[:-1], feeds, strict=True))


def saved(name, module, *feeds, options=(), cut=None, tolerance=0.0):
    """A tf.Module as a SavedModel: `module` makes it, its method `run` is the signature."""
    def export(_, folder):
        made = module()
        return forms.save_module(folder, made, _named(made.run, feeds))
    made_feeds = dict(zip(_parameters_of(module), feeds, strict=True))
    return Model(name, export, made_feeds, tuple(options), cut, tolerance)


def _parameters_of(module):
    return [parameter for parameter in inspect.signature(module.run).parameters if parameter != "self"]


def session(name, function, *feeds, form="pb", options=(), cut=None, tolerance=0.0):
    """A graph of TensorFlow 1: `function` is called with placeholders, its variables are as initialised.
    `form`: pb, unfrozen (pb and V2 checkpoint), meta, meta_v1, saved."""
    feeds = _named(function, feeds)
    return Model(name, lambda _, folder: forms.session_graph(folder, function, feeds, form), feeds, tuple(options), cut,
                 tolerance)


def keras(name, build, *feeds, form="export", static=False, options=(), tolerance=0.0, cut=None):
    """A Keras model: `build` maps symbolic inputs to outputs, as a layer does. `form`: export (a SavedModel by
    Model.export), pb or tfjs (frozen). With `static` the batch is fixed too."""
    names = ["x", "y", "z"][:len(feeds)]
    feeds = dict(zip(names, feeds))
    return Model(name, lambda name, folder: forms.export_keras(folder, name, build, feeds, form, static), feeds,
                 tuple(options), cut, tolerance)


def portable(model):
    """A model with NaN inside, which the kernels of XNNPACK do not propagate."""
    return dataclasses.replace(model, backends=("portable",))


def layer(name, make, *feeds, **more):
    """One Keras layer, which `make` makes; several feeds go in as a list."""
    def build(*inputs):
        return make()(inputs[0] if len(inputs) == 1 else list(inputs))
    return keras(name, build, *feeds, **more)


def other_kind(name, write):
    """A file of a kind that is recognised and refused: `write` writes it in a folder and returns its name."""
    return Model(name, lambda _, folder: forms.Exported(write(folder), None, []), {})

# SPDX-License-Identifier: Apache-2.0
"""A random model: its graph, the initial values of its variables, and the inputs of several runs."""
import base64
import dataclasses
import json

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2

import control_flow
import data_ops
import effects
import functions
import lists
from graph import Graph
from scope import DTYPES, Scope, Variable, random_array

RUNS = 3
LARGEST_EXTENT = 4  # of a dimension that varies
DEEPEST = 3
SIZES = [2, 4, 6, 10, 16]  # statements outside of bodies


@dataclasses.dataclass
class Model:
    graph_def: graph_pb2.GraphDef
    inputs: dict     # placeholder -> (dtype, shape), -1 where it varies
    outputs: dict    # key -> tensor
    variables: dict  # name -> initial value
    references: set  # names of those that are VariableV2
    runs: list       # inputs by placeholder

    def to_json(self):
        def array(a):
            return {"dtype": a.dtype.name, "shape": a.shape, "data": base64.b64encode(a.tobytes()).decode()}

        return json.dumps({
            "graph": text_format.MessageToString(self.graph_def).splitlines(),
            "inputs": {name: [dtype, *shape] for name, (dtype, shape) in self.inputs.items()},
            "outputs": self.outputs,
            "variables": {name: array(a) for name, a in self.variables.items()},
            "references": sorted(self.references),
            "runs": [{name: array(a) for name, a in run.items()} for run in self.runs]}, indent=1)

    @classmethod
    def from_json(cls, text):
        def array(a):
            return np.frombuffer(base64.b64decode(a["data"]), a["dtype"]).reshape(a["shape"])

        read = json.loads(text)
        return cls(text_format.Parse("\n".join(read["graph"]), graph_pb2.GraphDef()),
                   {name: (dtype, tuple(shape)) for name, (dtype, *shape) in read["inputs"].items()}, read["outputs"],
                   {name: array(a) for name, a in read["variables"].items()}, set(read["references"]),
                   [{name: array(a) for name, a in run.items()} for run in read["runs"]])


def make_model(choices):
    return Maker(choices).make()


def pruned(model):
    """The model without nodes and functions that no output needs."""
    names = {node.name: node for node in model.graph_def.node}
    library = {function.signature.name: function for function in model.graph_def.library.function}
    kept, called = set(), set()

    def call(nodes):
        for node in nodes:
            for attribute in node.attr.values():
                for function in [attribute.func.name, *(f.name for f in attribute.list.func)]:
                    if function and function not in called:
                        called.add(function)
                        call(library[function].node_def)

    open_names = [tensor.split(":")[0] for tensor in model.outputs.values()]
    while open_names:
        name = open_names.pop()
        if name not in kept:
            kept.add(name)
            open_names += [text.lstrip("^").split(":")[0] for text in names[name].input]
    graph_def = graph_pb2.GraphDef(versions=model.graph_def.versions)
    graph_def.node.extend(node for node in model.graph_def.node if node.name in kept)
    call(graph_def.node)
    graph_def.library.function.extend(f for f in model.graph_def.library.function if f.signature.name in called)
    inputs = {name: kind for name, kind in model.inputs.items() if name in kept}
    variables = {name: value for name, value in model.variables.items() if name in used_variables(graph_def)}
    return dataclasses.replace(model, graph_def=graph_def, inputs=inputs, variables=variables,
                               references=model.references & set(variables),
                               runs=[{name: run[name] for name in inputs} for run in model.runs])


def used_variables(graph_def):
    nodes = [*graph_def.node, *(node for function in graph_def.library.function for node in function.node_def)]
    return {node.name if node.op == "VariableV2" else node.attr["shared_name"].s.decode() for node in nodes
            if node.op in ("VariableV2", "VarHandleOp")}


class Maker:
    """Makes a model; also holds what all its scopes share."""

    def __init__(self, choices):
        self.choices = choices
        self.functions = []  # FunctionDefs
        self.known = []      # Function of each
        self.variables = {}  # Variable -> initial value
        self._constant = set()
        self._function_names = {}
        self.size = choices.pick(SIZES)
        self.left = 4 * self.size  # how many more statements the model may have

    def unique_function(self, stem):
        count = self._function_names[stem] = self._function_names.get(stem, -1) + 1
        return f"{stem}_{count}"

    def never_assigned(self, variable):
        return variable in self._constant

    def make(self):
        choices = self.choices
        graph = Graph()
        scope = Scope(graph, choices, self)
        inputs = self._placeholders(scope)
        self._variables(scope)
        choices.repeat(90, self.size, lambda: self._statement(scope))
        outputs = self._outputs(scope, inputs)
        return Model(graph.to_graph_def(self.functions),
                     {v.ref: (v.dtype, tuple(-1 if isinstance(n, str) else n for n in v.shape)) for v in inputs},
                     {f"o{i}": v.ref if ":" in v.ref else v.ref + ":0" for i, v in enumerate(outputs)},
                     {v.name: a for v, a in self.variables.items()},
                     {v.name for v in self.variables if v.kind == "reference"},
                     [self._run(inputs) for _ in range(RUNS)])

    def _placeholders(self, scope):
        inputs = []
        shapes = [(), (3,), (2, 3), (1, 3)] + ([("n",), ("n", 3)] if self.choices.chance(20) else [])
        def add():
            dtype, shape = self.choices.pick(DTYPES), self.choices.pick(shapes)
            static = tf.TensorShape([None if isinstance(n, str) else n for n in shape])
            if self.choices.chance(10):
                static = tf.TensorShape(None)
            inputs.append(scope.value("Placeholder", [], dtype, shape, True, 10, dtype=tf.as_dtype(dtype), shape=static))

        add()
        self.choices.repeat(50, 2, add)
        scope.values += inputs
        return inputs

    def _variables(self, scope):
        def add():
            kind = self.choices.pick(["handle"] * 6 + ["by name"] * 2 + ["reference"])
            dtype = "float32" if kind == "reference" else self.choices.pick(["float32", "float32", "int32", "bool"])
            variable = Variable(f"v{len(self.variables)}", dtype, self.choices.pick([(), (3,), (1,)]), kind)
            self.variables[variable] = random_array(self.choices, dtype, variable.shape)
            if kind == "reference":
                if self.choices.chance(50):
                    self._constant.add(variable)
                scope.handles[variable] = scope.value("VariableV2", [], dtype, variable.shape, True, effects.READ,
                                                      name=variable.name, dtype=tf.as_dtype(dtype),
                                                      shape=tf.TensorShape(variable.shape))
            else:
                scope.handles[variable] = effects.new_handle(scope, variable)

        self.choices.repeat(65, 3, add)

    def _statement(self, scope):
        self.left -= 1
        kind = self.choices.below(100)
        if kind < 45 or self.left < 0:
            data_ops.add_data_op(scope)
        elif kind < 75:
            effects.add_effect(scope) if scope.handles else data_ops.add_data_op(scope)
        elif scope.depth < DEEPEST:
            self.choices.pick([control_flow.add_conditional, functions.add_if, functions.add_call, control_flow.add_loop,
                               functions.add_while, functions.add_case, lists.add_map])(scope, self._statements)

    def _statements(self, scope):
        self.choices.repeat(65, min(self.size, 6), lambda: self._statement(scope))

    def _outputs(self, scope, inputs):
        """Most models need all effects: TensorFlow and Linnet remove nodes that no output needs."""
        choices = self.choices
        for variable in sorted(scope.handles, key=str):
            if choices.chance(60) and variable.kind != "reference":
                effects.read(scope, variable)
        outputs = choices.some(scope.values, 3) or [choices.pick(scope.values)]
        if choices.chance(10):
            outputs.append(outputs[0])  # one tensor under two names
        if choices.chance(75):
            last, controls = scope.after(scope.ends(), [scope.values[-1]])
            outputs.append(scope.value("Identity", last, *last[0].type, last[0].exact, last[0].bound, controls))
        elif choices.chance(50):
            outputs = [scope.value("Identity", [v], *v.type, v.exact, v.bound) for v in outputs]
        # A fed tensor is not fetched.
        return [scope.value("Identity", [v], *v.type, v.exact, v.bound) if v in inputs else v for v in outputs]

    def _run(self, inputs):
        extent = self.choices.between(1, LARGEST_EXTENT)
        return {v.ref: random_array(self.choices, v.dtype, [extent if isinstance(n, str) else n for n in v.shape])
                for v in inputs}

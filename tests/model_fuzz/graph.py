# SPDX-License-Identifier: Apache-2.0
"""GraphDefs and FunctionDefs node by node, and which node certainly runs before which."""
import dataclasses

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2, function_pb2, graph_pb2, node_def_pb2
from tensorflow.python.framework import op_def_registry

LOWERED = "_lower_using_switch_merge"
SOURCES = {"Merge"}  # runs when one of its inputs is there


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of one graph. `shape` has a letter for each extent that is known only at run time."""
    ref: str      # its name as an input of a NodeDef
    node: str     # the node that computes it; "" for an argument
    dtype: str    # numpy's name, or "resource"
    shape: tuple
    exact: bool   # a whole number, independent of the order of summation: only these may decide anything
    bound: float  # the largest possible magnitude of an element

    @property
    def type(self):
        return self.dtype, self.shape


@dataclasses.dataclass(frozen=True)
class FunctionName:
    """The shape as an attribute."""
    name: str


@dataclasses.dataclass
class Function:
    """A function. Its effects are on variables, by name, or on handles that it is given, by the argument's index."""
    name: str
    arguments: list    # Value, as seen inside
    handles: int       # number of handles, which follow the other arguments
    results: list      # Value, as seen inside
    reads: set
    writes: set


class Graph:
    """The nodes of a GraphDef, or of a function with arguments."""

    def __init__(self, name="", argument_dtypes=()):
        self.name = name
        self.nodes = []
        self.argument_dtypes = list(argument_dtypes)
        self._numbers = {}   # node -> its bit
        self._done = {}      # node -> bits of itself and of what is done before it begins
        self._names = {}

    def unique(self, stem):
        count = self._names[stem] = self._names.get(stem, -1) + 1
        return f"{stem}_{count}" if count else stem

    def argument(self, index):
        return f"a{index}"

    def add(self, op, inputs=(), controls=(), name=None, late=(), **attributes):
        """Adds a node and gives (name, refs of its outputs). `late`: further inputs by ref, of nodes that follow later."""
        definition = op_def_registry.get(op)
        node = node_def_pb2.NodeDef(name=name or self.unique(op.lower()), op=op)
        refs = [value.ref for value in inputs] + list(late)
        controls = [c for c in dict.fromkeys(controls) if c]
        node.input.extend(refs + ["^" + control for control in controls])
        infer_attributes(definition, node, [value.dtype for value in inputs] + [inputs[0].dtype for _ in late])
        for key, value in attributes.items():
            node.attr[key].CopyFrom(attribute(value))
        self.nodes.append(node)
        self._numbers[node.name] = len(self._numbers)
        producers = [self._done.get(value.node, 0) for value in orders(op, inputs, attributes)]
        if op in SOURCES:
            done = producers[0]
            for bits in producers[1:]:
                done &= bits
        else:
            done = 0
            for bits in producers:
                done |= bits
        for control in controls:
            done |= self._done[control]
        self._done[node.name] = done | 1 << self._numbers[node.name]
        return node.name, self._output_refs(definition, node)

    def is_before(self, earlier, later):
        """Is `earlier` certainly done when `later` is done?"""
        return bool(later) and bool(self._done[later] >> self._numbers[earlier] & 1)

    def _output_refs(self, definition, node):
        refs = []
        for argument in definition.output_arg:
            if argument.number_attr:
                count = node.attr[argument.number_attr].i
            elif argument.type_list_attr:
                count = len(node.attr[argument.type_list_attr].list.type)
            else:
                count = 1
            refs += [(argument.name, i) for i in range(count)]
        if self.name:
            return [f"{node.name}:{name}:{i}" for name, i in refs]
        return [f"{node.name}:{slot}" if slot else node.name for slot in range(len(refs))]

    def to_graph_def(self, functions):
        graph = graph_pb2.GraphDef(node=self.nodes)
        graph.versions.producer = tf.version.GRAPH_DEF_VERSION
        graph.library.function.extend(functions)
        return graph

    def to_function_def(self, results, control_results):
        function = function_pb2.FunctionDef(node_def=self.nodes)
        signature = function.signature
        signature.name = self.name
        for i, dtype in enumerate(self.argument_dtypes):
            signature.input_arg.add(name=self.argument(i), type=data_type(dtype))
        for i, value in enumerate(results):
            signature.output_arg.add(name=f"r{i}", type=data_type(value.dtype))
            function.ret[f"r{i}"] = value.ref
        for node in dict.fromkeys(control_results):
            signature.control_output.append(node)
            function.control_ret[node] = node
        return function


def orders(op, inputs, attributes):
    """The inputs that everything in the node waits for. A lowered conditional waits for its predicate, a loop for its
    control inputs; nodes inside that no edge orders do not wait for the other inputs."""
    if LOWERED not in attributes:
        return inputs
    return [] if "While" in op else inputs[:1]


def data_type(dtype):
    return tf.as_dtype(dtype).as_datatype_enum


def infer_attributes(definition, node, dtypes):
    """The attributes for types and counts that follow from the inputs; callers give all others."""
    dtypes = list(dtypes)
    for i, argument in enumerate(definition.input_arg):
        if argument.type_list_attr:  # at most one list of types; arguments behind it have one type each
            count = len(dtypes) - (len(definition.input_arg) - i - 1)
            node.attr[argument.type_list_attr].list.type.extend(map(data_type, dtypes[:count]))
            node.attr[argument.type_list_attr].list.SetInParent()
        elif argument.number_attr:
            count = len(dtypes) - (len(definition.input_arg) - i - 1)
            node.attr[argument.number_attr].i = count
            node.attr[argument.type_attr].type = data_type(dtypes[0])
        else:
            count = 1
            if argument.type_attr:
                node.attr[argument.type_attr].type = data_type(dtypes[0])
        dtypes = dtypes[count:]


def attribute(value):
    result = attr_value_pb2.AttrValue()
    if isinstance(value, bool):
        result.b = value
    elif isinstance(value, (int, np.integer)):
        result.i = value
    elif isinstance(value, float):
        result.f = value
    elif isinstance(value, str):
        result.s = value.encode()
    elif isinstance(value, tf.DType):
        result.type = value.as_datatype_enum
    elif isinstance(value, tf.TensorShape):
        result.shape.CopyFrom(value.as_proto())
    elif isinstance(value, np.ndarray):
        result.tensor.CopyFrom(tf.make_tensor_proto(value))
    elif isinstance(value, FunctionName):
        result.func.name = value.name
    else:
        result.list.SetInParent()
        for item in value:
            add_to_list(result.list, item)
    return result


def add_to_list(target, item):
    if isinstance(item, FunctionName):
        target.func.add(name=item.name)
    elif isinstance(item, tf.DType):
        target.type.append(item.as_datatype_enum)
    elif isinstance(item, tf.TensorShape):
        target.shape.append(item.as_proto())
    else:
        target.i.append(item)

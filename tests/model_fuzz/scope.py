# SPDX-License-Identifier: Apache-2.0
"""What a random statement can use: the available values and variables, and the effects that it must come after.

TensorFlow orders nodes only by data and control edges. A scope keeps the last assignment of each variable and the reads
since; an effect that must come after others gets an edge from them, in one of many ways, unless its inputs already order it.
"""
import dataclasses

import numpy as np
import tensorflow as tf

from graph import Value

DTYPES = ["float32", "int32", "bool", "int64"]
LARGEST = 1 << 20  # float32 adds and multiplies whole numbers up to 2^24 exactly


@dataclasses.dataclass(frozen=True)
class Variable:
    name: str
    dtype: str
    shape: tuple
    kind: str  # "handle", "by name" (functions make their own handle), "reference"


@dataclasses.dataclass
class Uses:
    """For a variable: nodes that must be done before the next assignment, or (`write`) the next read."""
    write: str = ""
    reads: list = dataclasses.field(default_factory=list)


class Scope:
    """A part of a graph whose nodes run equally often. `pivot`: the value without which none of them may run."""

    def __init__(self, graph, choices, model, pivot=None, outer=None):
        self.graph, self.choices, self.model = graph, choices, model
        self.pivot_value = pivot
        self.pivot = pivot.node if pivot else ""
        self.values = []
        self.handles = {}      # variable -> Value
        self.uses = {}         # variable -> Uses
        self.alive = [self.pivot] if pivot else []  # nodes that run exactly when the scope's nodes do
        self.reads, self.writes = set(), set()  # variables used in this scope and in those inside
        self.depth = 0 if outer is None else outer.depth + 1  # of control flow and functions

    # -- Nodes

    def add(self, op, inputs=(), controls=(), **attributes):
        controls = list(controls)
        if self.pivot and not any(self._is_gated(value.node) for value in inputs) \
                and not any(self._is_gated(control) for control in controls):
            controls.append(self.pivot)
        node, refs = self.graph.add(op, inputs, controls, **attributes)
        self.alive.append(node)
        return node, refs

    def _is_gated(self, node):
        return bool(node) and self.graph.is_before(self.pivot, node)

    def value(self, op, inputs, dtype, shape, exact, bound, /, controls=(), slot=0, **attributes):
        """Adds a node and gives its output `slot`, without offering it to later statements."""
        node, refs = self.add(op, inputs, controls, **attributes)
        return Value(refs[slot], node, dtype, tuple(shape), exact, bound)

    def constant(self, array, controls=()):
        array = np.asarray(array)
        bound = float(np.max(np.abs(array), initial=0))
        return self.value("Const", [], array.dtype.name, array.shape, True, bound, controls,
                          dtype=tf.as_dtype(array.dtype), value=array)

    def number(self, value, dtype):
        return self.constant(np.array(value, dtype))

    # -- Values

    def find(self, dtype=None, shape=None, exact=False, bound=None):
        """An available value that fits; None if there is none."""
        fitting = [v for v in self.values if (dtype is None or v.dtype == dtype) and (shape is None or v.shape == shape)
                   and (v.exact or not exact) and (bound is None or v.bound <= bound)]
        return self.choices.pick(fitting[::-1]) if fitting else None

    def want(self, dtype, shape, exact=True, bound=None):
        """The same, or a constant; None for shapes that a constant cannot have."""
        found = None if self.choices.chance(15) else self.find(dtype, shape, exact, bound)
        if found is None and not any(isinstance(extent, str) for extent in shape):
            found = self.random_constant(dtype, shape)
            self.values.append(found)
        return found or self.find(dtype, shape, exact, bound)

    def random_constant(self, dtype, shape):
        return self.constant(random_array(self.choices, dtype, shape))

    def clipped(self, value, bound):
        """The same within [-bound, bound]."""
        if value.dtype == "bool" or value.bound <= bound:
            return value
        low = self.value("Maximum", [value, self.number(-bound, value.dtype)], *value.type, value.exact, value.bound)
        return self.value("Minimum", [low, self.number(bound, value.dtype)], *value.type, value.exact, bound)

    # -- Order

    def required(self, variable, writes):
        """The nodes that a read, or an assignment, of the variable must come after."""
        uses = self.uses.setdefault(variable, Uses())
        return [uses.write] * bool(uses.write) + (uses.reads if writes else [])

    def has_read(self, variable, node):
        self.uses.setdefault(variable, Uses()).reads.append(node)
        self.reads.add(variable)

    def has_written(self, variable, node):
        self.uses[variable] = Uses(write=node)
        self.writes.add(variable)

    def ends(self):
        """The nodes after which all effects of this scope are done."""
        return [n for variable in sorted(self.uses, key=str) for n in self.required(variable, True)]

    def after(self, required, inputs=()):
        """Inputs and controls of a node that must come after `required`; the inputs may be replaced."""
        inputs, controls = list(inputs), []
        for node in dict.fromkeys(required):
            before = self.graph.is_before
            if any(before(node, v.node) for v in inputs) or any(before(node, c) for c in controls):
                continue
            self._order(node, inputs, controls)
        return inputs, controls

    def _order(self, node, inputs, controls):
        way = self.choices.below(8)
        plain = [i for i, v in enumerate(inputs) if v.dtype != "resource"]
        if way == 1:
            controls.append(self.add("NoOp", controls=[node])[0])
        elif way == 2 and inputs:
            i = self.choices.below(len(inputs))
            value = inputs[i]
            inputs[i] = self.value("Identity", [value], *value.type, value.exact, value.bound, [node])
        elif way in (3, 7):
            later = [n for n in self.alive if self.graph.is_before(node, n)]
            controls.append(self.choices.pick(later[::-1]) if later else node)
        elif way == 4 and plain:
            i = self.choices.pick(plain)
            inputs[i] = self.through_conditional(inputs[i], [node])
        elif way == 5 and plain:
            i = self.choices.pick(plain)
            if inputs[i].dtype in ("float32", "int32"):
                zero = self.constant(np.zeros((), inputs[i].dtype), [node])
                value = inputs[i]
                inputs[i] = self.value("AddV2", [value, zero], *value.type, value.exact, value.bound)
            else:
                controls.append(node)
        elif way == 6:
            predicate = self.value("Identity", [self.number(True, "bool")], "bool", (), True, 1, [node])
            controls.append(self.through_conditional(self.number(1, "float32"), [], predicate).node)
        else:
            controls.append(node)

    def through_conditional(self, value, controls, predicate=None):
        """The same value through a Switch, which has the controls, and a Merge."""
        predicate = predicate or self.want("bool", ())
        node, refs = self.add("Switch", [value, predicate], controls)
        arms = [dataclasses.replace(value, ref=ref, node=node) for ref in refs]
        if self.choices.chance(50):
            i = self.choices.below(2)
            inner, inner_refs = self.graph.add("Identity", [arms[i]])
            arms[i] = dataclasses.replace(value, ref=inner_refs[0], node=inner)
        return self.value("Merge", arms, *value.type, value.exact, value.bound)


def random_array(choices, dtype, shape):
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == "bool":
        numbers = [choices.below(2) for _ in range(count)]
    else:
        numbers = [(n + 1) // 2 * (-1 if n % 2 == 0 else 1) for n in (choices.below(9) for _ in range(count))]
    if dtype.startswith("uint"):
        numbers = map(abs, numbers)
    return np.array(list(numbers)).astype(tf.as_dtype(dtype).as_numpy_dtype).reshape(shape)

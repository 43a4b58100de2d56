# SPDX-License-Identifier: Apache-2.0
"""Reads and assignments of variables, each in a defined order with the other uses of its variable."""
import dataclasses

import tensorflow as tf

from graph import Value
from scope import Uses

HELD = 100     # what a variable is assigned
ADDED = 10     # what is added to it, some hundred times at most
READ = 20000   # what it may then hold


@dataclasses.dataclass(frozen=True)
class HandleArgument:
    """The variable behind a function's argument; each call may pass another one."""
    index: int
    dtype: str
    shape: tuple
    kind: str = "handle"
    name: str = ""


def add_effect(scope):
    """A read or an assignment of an available variable."""
    if not scope.handles:
        return
    variable = scope.choices.pick(sorted(scope.handles, key=str))
    if variable.kind == "reference":
        use_reference(scope, variable)
    elif scope.choices.chance(45):
        assign(scope, variable)
    else:
        read(scope, variable)


def handle_of(scope, variable):
    handle = scope.handles[variable]
    if handle is None or variable.kind == "by name" and scope.choices.chance(40):
        handle = scope.handles[variable] = new_handle(scope, variable)
    if variable.kind != "reference" and scope.choices.chance(15):
        handle = scope.value("Identity", [handle], "resource", (), True, 0)
    return handle


def new_handle(scope, variable):
    own_name = variable.kind == "handle"
    node, refs = scope.add("VarHandleOp", name=variable.name if own_name else None, shared_name=variable.name,
                           dtype=tf.as_dtype(variable.dtype), shape=tf.TensorShape(variable.shape))
    return Value(refs[0], node, "resource", (), True, 0)


def read(scope, variable):
    handle = handle_of(scope, variable)
    inputs, controls = scope.after(scope.required(variable, False), [handle])
    value = scope.value("ReadVariableOp", inputs, variable.dtype, variable.shape, True, READ, gate(scope, controls),
                        dtype=tf.as_dtype(variable.dtype))
    scope.has_read(variable, value.node)
    scope.values.append(value)
    return value


def assign(scope, variable):
    op = "AssignVariableOp"
    if variable.dtype != "bool":
        op = scope.choices.pick([op, "AssignAddVariableOp", "AssignSubVariableOp"])
    bound = HELD if op == "AssignVariableOp" else ADDED
    value = scope.clipped(scope.want(variable.dtype, variable.shape), bound)
    inputs, controls = scope.after(scope.required(variable, True), [handle_of(scope, variable), value])
    node, _ = scope.add(op, inputs, gate(scope, controls), dtype=tf.as_dtype(variable.dtype))
    scope.has_written(variable, node)


def use_reference(scope, variable):
    """VariableV2: a reader adds zero, which copies the value at that time."""
    reference = scope.handles[variable]
    constant = scope.model.never_assigned(variable)
    if constant and scope.choices.chance(50):
        read_in_arm(scope, variable)
    elif constant or scope.choices.chance(50):
        inputs, controls = scope.after(scope.required(variable, False), [scope.number(0, variable.dtype)])
        value = scope.value("AddV2", [reference, *inputs], variable.dtype, variable.shape, True, READ,
                            gate(scope, controls))
        scope.has_read(variable, value.node)
        scope.values.append(value)
    else:
        op = scope.choices.pick(["Assign", "AssignAdd", "AssignSub"])
        value = scope.clipped(scope.want(variable.dtype, variable.shape), HELD if op == "Assign" else ADDED)
        inputs, controls = scope.after(scope.required(variable, True), [value])
        node, _ = scope.add(op, [reference, *inputs], gate(scope, controls))
        scope.has_written(variable, node)


def read_in_arm(scope, variable):
    """Only a variable that is never assigned may be read by name alone."""
    inputs, controls = scope.after(scope.required(variable, False), [scope.want("bool", ())])
    node, refs = scope.add("RefSwitch", [scope.handles[variable], *inputs], controls)
    arms = [dataclasses.replace(scope.handles[variable], ref=ref, node=node) for ref in refs]
    changed, changed_refs = scope.graph.add("Neg", [arms[1]])
    arms[1] = dataclasses.replace(arms[1], ref=changed_refs[0], node=changed)
    value = scope.value("Merge", arms, variable.dtype, variable.shape, True, READ)
    scope.has_read(variable, value.node)
    scope.values.append(value)
    if scope.choices.chance(50):  # the variable itself, after the conditional
        scope.values.append(scope.value("Identity", [scope.handles[variable]], variable.dtype, variable.shape, True, READ,
                                        gate(scope, [value.node])))


def gate(scope, controls):
    """Makes an effect run as often as its scope, whatever its inputs are."""
    return [*controls, scope.pivot] if scope.pivot else controls


def copy_uses(uses):
    return {variable: Uses(u.write, list(u.reads)) for variable, u in uses.items()}


def use_as_whole(scope, node, reads, writes):
    """From now on `node` represents the effects that ran inside it."""
    for variable in sorted(reads | writes, key=str):
        if variable in writes:
            scope.has_written(variable, node)
        else:
            scope.has_read(variable, node)


def required_by(scope, reads, writes):
    return [n for v in sorted(reads | writes, key=str) for n in scope.required(v, v in writes)]

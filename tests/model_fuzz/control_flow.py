# SPDX-License-Identifier: Apache-2.0
"""Conditionals and loops as TensorFlow 1 writes them: Switch, Merge, Enter and the like in the graph itself."""
import dataclasses

from effects import copy_uses, handle_of, read, required_by, use_as_whole
from graph import Value
from scope import Scope

CARRIED = 1000  # the largest value of a loop's variable


def add_conditional(scope, statements):
    predicate = scope.want("bool", ())
    values = scope.choices.some(scope.values, 3) or [scope.want("float32", ())]
    variables = scope.choices.some(sorted(scope.handles, key=str), 2)
    ordered_at_entry = scope.choices.chance(50)
    inputs, controls = [predicate], []
    if ordered_at_entry:
        inputs, controls = scope.after(required_by(scope, set(), set(variables)), inputs)
    _, pivots = switch(scope, inputs[0], predicate, controls)
    arms = [arm(scope, pivot, ordered_at_entry) for pivot in pivots]
    for value in values:
        _, switched = switch(scope, value, predicate, some_controls(scope))
        for inner, v in zip(arms, switched):
            inner.values.append(v)
    for variable in variables:
        share_handle(scope, variable, predicate, arms)
    for inner in arms:
        statements(inner)
    merge_arms(scope, arms, [v.type for v in scope.choices.some(values, 2)])


def of_kind(variable, op):
    return "Ref" + op if variable.kind == "reference" else op


def switch(scope, value, predicate, controls, op="Switch"):
    node, refs = scope.add(op, [value, predicate], controls)
    return node, [dataclasses.replace(value, ref=ref, node=node) for ref in refs]


def some_controls(scope):
    return [scope.choices.pick(scope.alive[::-1])] if scope.alive and scope.choices.chance(20) else []


def arm(scope, switched, ordered_at_entry):
    node, refs = scope.graph.add("Identity", [switched])
    inner = Scope(scope.graph, scope.choices, scope.model, dataclasses.replace(switched, ref=refs[0], node=node), scope)
    if not ordered_at_entry:
        inner.uses = copy_uses(scope.uses)
    return inner


def share_handle(scope, variable, predicate, arms):
    if variable.kind == "by name":
        handles = [None, None]
    elif scope.choices.chance(50):
        handles = [scope.handles[variable]] * 2
    else:
        _, handles = switch(scope, handle_of(scope, variable), predicate, [], of_kind(variable, "Switch"))
    for inner, handle in zip(arms, handles):
        inner.handles[variable] = handle


def merge_arms(scope, arms, types):
    """The results of both branches; the first of them waits for the effects."""
    reads, writes = arms[0].reads | arms[1].reads, arms[0].writes | arms[1].writes
    results = [[inner.want(*wanted, exact=False) for wanted in types] for inner in arms]
    if reads | writes and (not types or scope.choices.chance(50)):
        results = [[inner.pivot_value, *of_arm] for inner, of_arm in zip(arms, results)]
    if reads | writes:
        for inner, of_arm in zip(arms, results):
            # A branch that does not use the variable still comes after what came before the conditional.
            inputs, controls = inner.after([inner.pivot, *inner.ends()], [of_arm[0]])
            if controls:
                inputs = [inner.value("Identity", inputs, *inputs[0].type, inputs[0].exact, inputs[0].bound, controls)]
            of_arm[0] = inputs[0]
    merged = []
    for pair in zip(*results):
        exact, bound = all(v.exact for v in pair), max(v.bound for v in pair)
        order = list(pair) if scope.choices.chance(80) else list(pair)[::-1]
        merged.append(scope.value("Merge", order, *pair[0].type, exact, bound))
        if scope.choices.chance(20):
            index = f"{merged[-1].node}:value_index:0" if scope.graph.name else merged[-1].node + ":1"
            scope.values.append(Value(index, merged[-1].node, "int32", (), True, 1))
    if reads | writes:
        use_as_whole(scope, merged[0].node, reads, writes)
    scope.values += merged


# -- Loops

def add_loop(scope, statements):
    """i = 0; while i < limit and ...: ...; the counter's chain of nodes orders the effects."""
    choices, graph = scope.choices, scope.graph
    limit = trip_count(scope)
    carried = [scope.clipped(v, CARRIED) for v in choices.some([v for v in scope.values if v.dtype != "bool"], 2)]
    invariants = choices.some(scope.values, 2)
    variables = choices.some(sorted(scope.handles, key=str), 2)
    inputs, controls = scope.after(required_by(scope, set(), set(variables)), [scope.number(0, "int32")])
    frame = {"frame_name": graph.unique("frame"), "parallel_iterations": choices.pick([10, 1])}
    # Each loop variable is merged with the output of a node of this name, which is added later.
    names = [graph.unique("next") for _ in range(1 + len(carried))]
    merges = []
    for i, (value, name) in enumerate(zip([inputs[0], *carried], names)):
        entered = enter(scope, value, frame, controls if i == 0 else some_controls(scope), False)
        late = name if not graph.name else f"{name}:output:0"
        node, refs = graph.add("Merge", [entered], late=[late])
        bound, exact = (4, True) if i == 0 else (CARRIED, value.exact)
        merges.append(Value(refs[0], node, *value.type, exact, bound))
    condition = Scope(graph, choices, scope.model, merges[0], scope)
    entered_limit = enter(scope, limit, frame, [], True)
    shared = [enter(scope, v, frame, [], True) for v in invariants]
    condition.values = [*merges, *shared]
    condition.handles = {v: None if v.kind == "by name" else
                         enter(scope, handle_of(scope, v), frame, [], True, of_kind(v, "Enter")) for v in variables}
    goes_on = loop_condition(condition, merges[0], entered_limit)
    loop_cond, _ = graph.add("LoopCond", [goes_on])
    goes_on = dataclasses.replace(goes_on, ref=loop_cond if not graph.name else f"{loop_cond}:output:0", node=loop_cond)
    body, exits = loop_body_scope(condition, merges, goes_on)
    body.values += shared
    statements(body)
    close_loop(body, names, carried)
    use_as_whole(scope, exits[0].node, body.reads | condition.reads, body.writes)
    scope.alive += [v.node for v in exits]
    scope.values += exits


def trip_count(scope):
    value = scope.find("int32", (), exact=True) if scope.choices.chance(60) else None
    if value is None:
        return scope.number(scope.choices.below(4), "int32")
    return scope.value("FloorMod", [value, scope.number(4, "int32")], "int32", (), True, 4)


def enter(scope, value, frame, controls, constant, op="Enter"):
    node, refs = scope.add(op, [value], controls, is_constant=constant, **frame)
    scope.alive.pop()  # it belongs to the loop's frame
    return dataclasses.replace(value, ref=refs[0], node=node)


def loop_condition(condition, counter, limit):
    goes_on = condition.value("Less", [counter, limit], "bool", (), True, 1)
    handles = [v for v in sorted(condition.handles, key=str) if v.kind != "reference"]
    if handles and condition.choices.chance(25):
        value = read(condition, condition.choices.pick(handles))
        if value.dtype != "bool" and value.shape == ():
            more = condition.value("Less", [value, condition.number(50, value.dtype)], "bool", (), True, 1)
            goes_on = condition.value("LogicalAnd", [goes_on, more], "bool", (), True, 1)
    inputs, controls = condition.after(condition.ends(), [goes_on])
    if controls:
        return condition.value("Identity", inputs, "bool", (), True, 1, controls)
    return inputs[0]


def loop_body_scope(condition, merges, goes_on):
    graph = condition.graph
    inside, exits = [], []
    for merge in merges:
        node, refs = graph.add("Switch", [merge, goes_on])
        for op, ref, made in (("Identity", refs[1], inside), ("Exit", refs[0], exits)):
            name, made_refs = graph.add(op, [dataclasses.replace(merge, ref=ref, node=node)])
            made.append(dataclasses.replace(merge, ref=made_refs[0], node=name))
    body = Scope(graph, condition.choices, condition.model, inside[0], condition)
    body.values += inside
    body.alive += [v.node for v in inside[1:]]
    body.uses = condition.uses
    body.handles = dict(condition.handles)
    return body, exits


def close_loop(body, names, carried):
    counter = body.values[0]
    inputs, controls = body.after(body.ends(), [counter])
    following = [body.value("AddV2", [*inputs, body.number(1, "int32")], "int32", (), True, 4, controls)]
    for value in carried:
        result = body.clipped(body.want(*value.type, exact=value.exact), CARRIED)
        following.append(result)
    for value, name in zip(following, names):
        body.add("NextIteration", [value], name=name)

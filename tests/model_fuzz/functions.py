# SPDX-License-Identifier: Apache-2.0
"""Functions, and the ops that call them: PartitionedCall, If, Case and While."""
import dataclasses

import tensorflow as tf

from control_flow import CARRIED, trip_count
from effects import HandleArgument, gate, handle_of, read, required_by, use_as_whole
from graph import LOWERED, Function, FunctionName, Graph, Value, orders
from scope import Scope


def add_call(scope, statements):
    values, variables = arguments(scope)
    function = reusable(scope, values, variables) if scope.choices.chance(30) else None
    if function is None:
        wanted = [v.type for v in scope.choices.some(values, 2)]
        function = make_function(scope, "f", values, variables, statements, wanted)
    op = "StatefulPartitionedCall" if has_effects([function]) or scope.choices.chance(50) else "PartitionedCall"
    call(scope, op, [], values, variables, [function], f=FunctionName(function.name))


def add_if(scope, statements):
    # Any tensor can be a predicate: a number is true if it is not 0, another tensor if it has elements.
    predicate = (scope.find(exact=True) if scope.choices.chance(20) else None) or scope.want("bool", ())
    lowered = lowering(scope) if predicate.type == ("bool", ()) else {}
    values, variables = arguments(scope)
    wanted = [v.type for v in scope.choices.some(values, 2)]
    arms = [make_function(scope, name, values, variables, statements, wanted) for name in ("then", "else")]
    op = "If" if has_effects(arms) or scope.choices.chance(30) else "StatelessIf"
    call(scope, op, [predicate], values, variables, arms, then_branch=FunctionName(arms[0].name),
         else_branch=FunctionName(arms[1].name), **lowered)


def add_case(scope, statements):
    index = scope.want("int32", ())
    values, variables = arguments(scope)
    wanted = [v.type for v in scope.choices.some(values, 2)]
    arms = [make_function(scope, "case", values, variables, statements, wanted)
            for _ in range(scope.choices.between(1, 3))]
    op = "Case" if has_effects(arms) or scope.choices.chance(30) else "StatelessCase"
    call(scope, op, [index], values, variables, arms, branches=[FunctionName(f.name) for f in arms], **lowering(scope))


def add_while(scope, statements):
    """A While. Its arguments: the counter, its limit, values that it changes, other values, handles."""
    invariants, variables = arguments(scope)
    carried = [scope.clipped(v, CARRIED) for v in scope.choices.some([v for v in scope.values if v.dtype != "bool"], 2)]
    values = [scope.number(0, "int32"), trip_count(scope), *carried, *invariants]
    inside = [dataclasses.replace(v, bound=4 if i < 2 else max(v.bound, CARRIED)) for i, v in enumerate(values)]
    lowered = lowering(scope)
    condition = make_condition(scope, inside, variables, bool(lowered))
    body = make_body(scope, inside, len(carried), variables, statements)
    op = "While" if has_effects([condition, body]) or scope.choices.chance(30) else "StatelessWhile"
    call(scope, op, [], values, variables, [body], [condition], cond=FunctionName(condition.name),
         body=FunctionName(body.name), **lowered)


def arguments(scope):
    values = scope.choices.some(scope.values, 3)
    return values, scope.choices.some([v for v in sorted(scope.handles, key=str) if v.kind != "reference"], 2)


def lowering(scope):
    """TensorFlow itself lowers it to Switch and Merge, for bool predicates."""
    return {LOWERED: True} if scope.choices.chance(30) else {}


def has_effects(functions):
    return any(f.reads or f.writes for f in functions)


# -- Bodies

def function_scope(scope, stem, values, variables):
    passed = [v for v in variables if v.kind == "handle"]
    graph = Graph(scope.model.unique_function(stem), [v.dtype for v in values] + ["resource"] * len(passed))
    inner = Scope(graph, scope.choices, scope.model, None, scope)
    inner.values = [dataclasses.replace(v, ref=graph.argument(i), node="") for i, v in enumerate(values)]
    for i, variable in enumerate(passed, len(values)):
        argument = HandleArgument(i, variable.dtype, variable.shape)
        inner.handles[argument] = Value(graph.argument(i), "", "resource", (), True, 0)
    inner.handles |= {v: None for v in variables if v.kind == "by name"}
    return inner


def make_function(scope, stem, values, variables, statements, wanted):
    inner = function_scope(scope, stem, values, variables)
    given = list(inner.values)
    statements(inner)
    return finish(inner, given, [inner.want(*w, exact=False) for w in wanted])


def make_condition(scope, values, variables, lowered):
    inner = function_scope(scope, "cond", values, variables)
    goes_on = inner.value("Less", inner.values[:2], "bool", (), True, 1)
    given = list(inner.values)
    if inner.handles and inner.choices.chance(25):
        value = read(inner, inner.choices.pick(sorted(inner.handles, key=str)))
        if value.dtype != "bool" and value.shape == ():
            more = inner.value("Less", [value, inner.number(50, value.dtype)], "bool", (), True, 1)
            goes_on = inner.value("LogicalAnd", [goes_on, more], "bool", (), True, 1)
    if not lowered and inner.choices.chance(10):
        goes_on = inner.value("Cast", [goes_on], "int32", (), True, 1, DstT=tf.int32)
    return finish(inner, given, [goes_on])


def make_body(scope, values, num_carried, variables, statements):
    inner = function_scope(scope, "body", values, variables)
    given = list(inner.values)
    statements(inner)
    counter = inner.value("AddV2", [given[0], inner.number(1, "int32")], "int32", (), True, 4)
    carried = [inner.clipped(inner.want(*v.type, exact=v.exact), CARRIED) for v in given[2:2 + num_carried]]
    handles = [v for v in inner.handles.values() if v is not None and v.node == ""]
    return finish(inner, given, [counter, given[1], *carried, *given[2 + num_carried:]], handles)


def finish(inner, given, results, handles=()):
    """Orders effects before control outputs, or before a result."""
    ends = inner.ends()
    if results and inner.choices.chance(40):
        inputs, controls = inner.after(ends, [results[0]])
        results = [*inputs, *results[1:]]
        if controls:
            first = results[0]
            results[0] = inner.value("Identity", [first], *first.type, first.exact, first.bound, controls)
    inner.model.functions.append(inner.graph.to_function_def([*results, *handles], ends))
    function = Function(inner.graph.name, given, inner.graph.argument_dtypes.count("resource"), results, inner.reads, inner.writes)
    inner.model.known.append(function)
    return function


# -- Calls

def reusable(scope, values, variables):
    """A function without handles that takes these arguments, and whose effects this scope may still have."""
    def takes(argument, value):
        return argument.type == value.type and argument.bound >= value.bound and (value.exact or not argument.exact)

    if any(v.kind == "handle" for v in variables):
        return None
    fitting = [f for f in scope.model.known if f.handles == 0 and len(f.arguments) == len(values)
               and all(map(takes, f.arguments, values)) and f.reads | f.writes <= set(scope.handles)]
    return scope.choices.pick(fitting[::-1]) if fitting else None


def call(scope, op, first, values, variables, functions, conditions=(), **attributes):
    """Adds the node that calls `functions`; the type of an output covers the results of all of them."""
    passed = [v for v in variables if v.kind == "handle"]
    at = len(values)
    actual = {HandleArgument(at + i, v.dtype, v.shape): v for i, v in enumerate(passed)}
    every = [*functions, *conditions]
    reads = {actual.get(u, u) for f in every for u in f.reads}
    writes = {actual.get(u, u) for f in every for u in f.writes}
    plain = [*first, *values]
    ordering = orders(op, plain, attributes)
    inputs, controls = scope.after(required_by(scope, reads, writes), ordering)
    inputs += plain[len(ordering):] + [handle_of(scope, v) for v in passed]
    results = list(zip(*(f.results for f in functions)))
    if not conditions:
        attributes["Tout"] = [tf.as_dtype(r[0].dtype) for r in results]
    node, refs = scope.add(op, inputs, gate(scope, controls) if reads | writes else controls, **attributes)
    if reads | writes:
        use_as_whole(scope, node, reads, writes)
    # A loop returns handles unchanged; those of a lowered loop are its inputs, and wait for nothing.
    if conditions and LOWERED not in attributes and scope.choices.chance(20):
        for variable, ref in zip(passed, refs[at:]):
            scope.handles[variable] = Value(ref, node, "resource", (), True, 0)
    for ref, result, i in zip(refs, results, range(len(refs))):
        exact = all(r.exact for r in result)
        bound = max(r.bound for r in result)
        if conditions:  # a loop without iterations returns its inputs
            exact, bound = exact and values[i].exact, max(bound, values[i].bound)
        scope.values.append(Value(ref, node, *result[0].type, exact, bound))

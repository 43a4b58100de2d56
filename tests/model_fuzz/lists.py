# SPDX-License-Identifier: Apache-2.0
"""Loops that take a tensor row by row and stack what they make."""
import dataclasses

import numpy as np
import tensorflow as tf

from functions import call, finish, function_scope, lowering
from graph import FunctionName


def add_map(scope, statements):
    """while i < n: list[i] = f(x[i]); the stacked list."""
    fitting = [v for v in scope.values if v.shape and v.dtype in ("float32", "int32") and 0 not in v.shape
               and not any(isinstance(extent, str) for extent in v.shape) and v.shape[0] <= 4]
    if not fitting:
        return
    x = scope.choices.pick(fitting[::-1])
    row = x.shape[1:]
    length = scope.number(x.shape[0], "int32")
    shape = scope.constant(np.array(row, np.int32))
    made = scope.value("TensorListReserve", [shape, length], "variant", (), True, 0, element_dtype=tf.as_dtype(x.dtype))
    values = [scope.number(0, "int32"), length, made, x]
    inside = [dataclasses.replace(values[0], bound=4), *values[1:]]
    condition = function_scope(scope, "cond", inside, [])
    less = condition.value("Less", condition.values[:2], "bool", (), True, 1)
    conditions = [finish(condition, condition.values[:4], [less])]
    body, bound = make_body(scope, inside, row, statements)
    call(scope, scope.choices.pick(["While", "StatelessWhile"]), [], values, [], [body], conditions,
         cond=FunctionName(conditions[0].name), body=FunctionName(body.name), **lowering(scope))
    filled = [v for v in scope.values if v.dtype == "variant"][-1]
    scope.values = [v for v in scope.values if v.dtype != "variant"]
    scope.values.append(scope.value("TensorListStack", [filled, shape], x.dtype, x.shape, filled.exact, bound,
                                    element_dtype=tf.as_dtype(x.dtype), num_elements=-1))


def make_body(scope, values, row, statements):
    inner = function_scope(scope, "map", values, [])
    given = list(inner.values)
    counter, length, filled, x = given
    inner.values = [counter, length, x]
    item = inner.value("GatherV2", [x, counter, inner.number(0, "int32")], x.dtype, row, x.exact, x.bound)
    inner.values.append(item)
    statements(inner)
    result = inner.want(x.dtype, row, exact=False)
    made = inner.value("TensorListSetItem", [filled, counter, result], "variant", (), result.exact, 0,
                       element_dtype=tf.as_dtype(x.dtype))
    following = inner.value("AddV2", [counter, inner.number(1, "int32")], "int32", (), True, 4)
    return finish(inner, given, [following, length, made, x]), result.bound

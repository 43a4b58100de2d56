# SPDX-License-Identifier: Apache-2.0
"""Ops that pass their data through, ops without results, and variables with the values of a checkpoint."""

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

g = rng(102)
x = normal(g, 2, 3)
VALUES = {"vector": normal(g, 4), "scalar": np.float32(-1.5), "empty": normal(g, 0, 3),
          "i64": np.arange(6).reshape(2, 3),
          "bool": np.array([[True], [False]]), "rank_6": normal(g, 1, 2, 1, 2, 1, 2)}
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0], np.float32)

family = Family("pass_through")
DEBUG = {"debug_urls": []}
SAME = {"deep_copy": lambda x: raw.DeepCopy(x=x), "guarantee_const": lambda x: raw.GuaranteeConst(input=x),
        "snapshot": lambda x: raw.Snapshot(input=x), "stop_gradient": lambda x: raw.StopGradient(input=x),
        "prevent_gradient": lambda x: raw.PreventGradient(input=x, message="not here"),
        "debug_identity": lambda x: raw.DebugIdentity(input=x, tensor_name="x:0", **DEBUG),
        "debug_identity_v2": lambda x: raw.DebugIdentityV2(input=x, output_slot=0, tensor_debug_mode=2, **DEBUG),
        "debug_identity_v3": lambda x: raw.DebugIdentityV3(input=x, tensor_name="x:0", io_index=0, **DEBUG),
        "print": lambda x: raw.Print(input=x, data=[x, tf.shape(x)], message="x is ", first_n=0)}
for op, f in SAME.items():
    for name, value in VALUES.items():
        if op == "snapshot" and name == "bool":
            continue  # no kernel
        family.case(f"{op}_{name}", f, {"x": value})
    family.case(f"{op}_between", lambda x: tf.nn.relu(f(x * 2.0)) + f(x), {"x": x})
    family.case(f"{op}_special", f, {"x": SPECIAL})
CHECKS = {"check_numerics": lambda x: raw.CheckNumerics(tensor=x, message="x"),
          "check_numerics_v2": lambda x: raw.CheckNumericsV2(tensor=x, message="x")}
for op, f in CHECKS.items():
    for name in ("vector", "scalar", "empty", "rank_6"):
        family.case(f"{op}_{name}", f, {"x": VALUES[name]})
    family.case(f"{op}_between", lambda x: f(tf.exp(f(x))), {"x": x})
    family.case(f"{op}_half", f, {"x": x.astype(np.float16)})
    family.case(f"{op}_double", f, {"x": x.astype(np.float16).astype(np.float64)})
    family.case(f"{op}_twice", lambda x: [f(x), f(x) * 2.0], {"x": x})


def numbers(**feeds):
    return {key: np.asarray(value, np.float32) for key, value in feeds.items()}


family.case("identity_n_mixed", lambda a, b, c: list(raw.IdentityN(input=[a, b, c])),
            {"a": VALUES["bool"], "b": VALUES["i64"], "c": VALUES["vector"]})
family.case("identity_n_one", lambda a: raw.IdentityN(input=[a])[0], {"a": VALUES["scalar"]})
family.case("identity_n_swapped", lambda a, b: list(raw.IdentityN(input=[b * 2.0, a])), numbers(a=1, b=[2, 3]))
family.case("identity_n_second_used", lambda a, b: raw.IdentityN(input=[a, b])[1] + 1.0, numbers(a=1, b=[2, 3]))
family.case("identity_n_same_twice", lambda a: tf.add_n(raw.IdentityN(input=[a, a, a])), numbers(a=[2, 3]))
family.case("identity_n_of_constants", lambda a: a * raw.IdentityN(input=[tf.constant(2.0), 3])[0], numbers(a=[1]))


def after(x, *effects):
    """x * 2 with control edges from `effects`."""
    with tf.control_dependencies(list(effects)):
        return x * 2.0


EFFECTS = {"no_op": lambda x: tf.no_op(), "control_trigger": lambda x: raw.ControlTrigger(),
           "assert": lambda x: raw.Assert(condition=tf.reduce_all(x < 1e3), data=[x, "too large"]),
           "assert_scalar": lambda x: raw.Assert(condition=tf.size(x) < 1000, data=[tf.size(x)], summarize=1),
           "assert_constant": lambda x: raw.Assert(condition=True, data=["never"]),
           "print_v2": lambda x: tf.print("x is", x, summarize=1),
           "print_v2_constant": lambda x: raw.PrintV2(input="hello", output_stream="stderr"),
           "print_v2_shape": lambda x: raw.PrintV2(input=tf.strings.as_string(tf.size(x)), end="")}
for name, effect in EFFECTS.items():
    family.case(f"{name}_before", lambda x: after(x, effect(x)), {"x": x})
    family.case(f"{name}_chain", lambda x: after(after(x, effect(x)), effect(x * 3.0), tf.no_op()), {"x": x})
    family.case(f"{name}_before_constant", lambda x: x + after(tf.constant(1.5), effect(x)), {"x": x})
for name, (a, b) in {"no_ops": ("no_op", "no_op"), "triggers": ("control_trigger", "control_trigger"),
                     "assert_then_print": ("assert", "print_v2"),
                     "trigger_no_op": ("control_trigger", "no_op")}.items():
    def ordered(x):
        with tf.control_dependencies([EFFECTS[a](x)]):
            second = EFFECTS[b](x)
        return after(x, second)

    family.case(f"ordered_{name}", ordered, {"x": x})

for name, value in VALUES.items():
    def to_v2(definition):
        node(definition, "x").op = "PlaceholderV2"

    family.case(f"placeholder_v2_{name}", lambda x: tf.identity(x), {"x": value}, expected=np.asarray(value),
                edit=to_v2)
DEFAULT = lambda value, shape=None: raw.PlaceholderWithDefault(
    input=tf.constant(value), shape=np.shape(value) if shape is None else shape)
family.case("default_scalar_i32", lambda x: tf.cast(DEFAULT(3), tf.float32) * x, {"x": x})
family.case("default_matrix", lambda x: tf.matmul(x, DEFAULT(normal(rng(1), 3, 2))), {"x": x})
family.case("default_of_unknown_batch", lambda x: DEFAULT(np.float32([[1, 2, 3]]), [None, 3]) + x, {"x": x})
family.case("default_decides_shape", lambda x: tf.reshape(x, DEFAULT(np.int32([3, 2]))), {"x": x})
family.case("default_empty", lambda x: tf.concat([x, DEFAULT(np.zeros((0, 3), np.float32))], 0), {"x": x})
family.case("default_bool", lambda x: tf.where(DEFAULT(np.array([True, False, True])), x, -x), {"x": x})
family.write()

family = Family("variables")


def variable(value, name="v"):
    return tf.Variable(value, name=name)


def stored(shape=(4, 3), seed=5):
    return normal(rng(seed), *shape)


for name, value in {**VALUES, "half": VALUES["vector"].astype(np.float16), "i32": np.array([-3, 2**31 - 1], np.int32),
                    "double": np.array([0.5, -4])}.items():
    family.case(f"read_{name}", lambda one: tf.cast(variable(value), tf.float32) * one, {"one": np.float32(1)})
family.case("read_twice", lambda x: (lambda v: [x @ v.read_value(), x + v[0]])(variable(stored((3, 3)))), {"x": x})
family.case("two_of_them", lambda x: x @ variable(stored((3, 2)), "w") + variable(stored((2,)), "b"), {"x": x})
family.case("shared_name", lambda x: x + raw.ReadVariableOp(
    resource=variable(stored((3,)), "scope/v").handle, dtype=tf.float32), {"x": x})
family.case("in_loop", lambda x: (lambda v: tf.while_loop(
    lambda i, t: i < 3, lambda i, t: (i + 1, tf.tanh(t @ v + 0.1)), (0, x)))(variable(stored((3, 3))))[1], {"x": x})
family.case("in_loop_condition", lambda x: (lambda v: tf.while_loop(
    lambda i, t: tf.cast(i, tf.float32) < v, lambda i, t: (i + 1, t * 1.5), (0, x)))(variable(np.float32(2.5)))[1],
    {"x": x})
family.case("in_nested_loop", lambda x: (lambda v: tf.while_loop(
    lambda i, t: i < 2, lambda i, t: (i + 1, tf.while_loop(
        lambda j, u: j < 2, lambda j, u: (j + 1, u + v), (0, t))[1]), (0, x)))(variable(stored((3,))))[1], {"x": x})
family.case("loop_counts_in_variable_steps", lambda x: (lambda step: tf.while_loop(
    lambda i, t: i < 7, lambda i, t: (i + step, t + 1.0), (0, x)))(variable(np.int32(3)))[1], {"x": x})
family.case("loop_of_integers", lambda n: (lambda v: tf.while_loop(
    lambda i, t: i < 4, lambda i, t: (i + 1, t * v + i), (0, n)))(variable(np.int32(-2)))[1],
            {"n": np.array([1, 5], np.int32)})
for value in (True, False):
    tag = str(value).lower()
    family.case(f"in_branch_fed_{tag}", lambda x, p: (lambda v: tf.cond(p, lambda: x + v, lambda: x * v))(
        variable(stored((3,)))), {"x": x, "p": np.array(value)})
    family.case(f"in_branch_known_{tag}", lambda x: (lambda v: tf.cond(
        tf.equal(tf.shape(x)[0], 2 if value else 3), lambda: x + v, lambda: x[:1] * v))(variable(stored((3,)))),
        {"x": x})
    family.case(f"decides_branch_{tag}", lambda x: (lambda p, v: tf.cond(p, lambda: x @ v, lambda: x))(
        variable(np.array(value), "p"), variable(stored((3, 3)))), {"x": x})
for index in (0, 1, 2, -1):
    arms = lambda x, v: [lambda: x + v, lambda: x * v, lambda: x - v * 2.0]
    family.case(f"in_case_{index}".replace("-", "minus_"), lambda x, i: tf.switch_case(
        i, arms(x, variable(stored((3,))))), {"x": x, "i": np.array(index, np.int32)})
    family.case(f"decides_case_{index}".replace("-", "minus_"), lambda x: tf.switch_case(
        variable(np.int32(index), "i").read_value(), arms(x, variable(stored((3,))))), {"x": x})


def call(body, *arguments):
    return tf.function(body)(*arguments)


family.case("in_call", lambda x: (lambda v: call(lambda t: t @ v, x))(variable(stored((3, 2)))), {"x": x})
family.case("in_call_of_call", lambda x: (lambda v: call(lambda t: call(lambda u: u + v, t * v), x))(
    variable(stored((3,)))), {"x": x})
family.case("in_call_two_results", lambda x: (lambda v: call(lambda t: (t + v, t - v), x))(variable(stored((3,)))),
            {"x": x})
family.case("in_calls_of_one_function", lambda x: (lambda v: (lambda f: f(f(x)))(tf.function(lambda t: t * v)))(
    variable(stored((3,)))), {"x": x})
family.case("call_in_loop", lambda x: (lambda v: (lambda f: tf.while_loop(
    lambda i, t: i < 3, lambda i, t: (i + 1, f(t)), (0, x)))(tf.function(lambda t: t + v)))(
        variable(stored((3,))))[1], {"x": x})
family.case("call_prints", lambda x: call(lambda t: (tf.print(t), t + 1.0)[1], x), {"x": x})

rows = np.array([2, 0, 3, 2], np.int32)
pairs = np.array([[0, 2], [3, 1]], np.int32)


def gather(i, table=(4, 3), **options):
    return raw.ResourceGather(resource=variable(stored(table)).handle, indices=i, dtype=tf.float32, **options)


def gather_nd(i, table=(4, 3)):
    return raw.ResourceGatherNd(resource=variable(stored(table)).handle, indices=i, dtype=tf.float32)


family.case("gather_rows", lambda i: gather(i), {"i": rows})
family.case("gather_matrix_i64", lambda i: gather(i), {"i": rows.reshape(2, 2).astype(np.int64)})
family.case("gather_scalar", lambda i: gather(i), {"i": np.int32(1)})
family.case("gather_none", lambda i: gather(i), {"i": rows[:0]})
family.case("gather_of_batch", lambda i: gather(i, (2, 4, 3), batch_dims=1), {"i": rows.reshape(2, 2)})
family.case("gather_known", lambda x: gather(tf.constant([3, 1])) + x, {"x": x})
family.case("gather_in_loop", lambda i: (lambda v: tf.while_loop(lambda n, t: n < 3, lambda n, t: (
    n + 1, t + tf.gather(v, i + n)), (0, tf.zeros([2, 3]))))(variable(stored((5, 3))))[1], {"i": rows[:2]})
family.case("gather_in_call", lambda i: (lambda v: call(lambda t: tf.gather(v, t), i))(variable(stored())), {"i": rows})
family.case("gather_nd_elements", lambda i: gather_nd(i), {"i": pairs})
family.case("gather_nd_rows", lambda i: gather_nd(i), {"i": pairs[:, :1]})
family.case("gather_nd_whole", lambda i: gather_nd(i), {"i": np.zeros((2, 0), np.int32)})
family.case("gather_nd_batches_i64", lambda i: gather_nd(i, (4, 3, 2)), {"i": pairs[None].astype(np.int64)})
family.case("gather_nd_none", lambda i: gather_nd(i), {"i": pairs[:0]})
family.case("gather_nd_in_branch", lambda i, p: (lambda v: tf.cond(
    p, lambda: tf.gather_nd(v, i), lambda: tf.zeros([2])))(variable(stored())), {"i": pairs, "p": np.array(True)})


def variable_shape(value, dtype=tf.int32):
    return raw.VariableShape(input=variable(value).handle, out_type=dtype)


for name, value in (("matrix", stored()), ("scalar", np.float32(2)), ("empty", stored((0, 2))), ("i64", np.arange(3)),
                    ("rank_5", stored((1, 2, 1, 3, 1)))):
    family.case(f"shape_{name}", lambda one: variable_shape(value) * one, {"one": np.int32(1)})
family.case("shape_as_i64", lambda one: variable_shape(stored(), tf.int64) * one, {"one": np.int64(1)})
family.case("shape_for_reshape", lambda x: tf.reshape(x, variable_shape(stored((3, 2)))), {"x": x})
family.case("shape_in_call", lambda x: (lambda v: call(lambda t: tf.reshape(t, raw.VariableShape(input=v.handle)), x))(
    variable(stored((3, 2)))), {"x": x})
family.write()

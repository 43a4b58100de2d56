# SPDX-License-Identifier: Apache-2.0
"""Hash tables: how they are filled, numbers and strings as keys and values, sizes."""
import numpy as np
import tensorflow as tf

from tf_cases import Family, raw, rng

family = Family("tables")
v1 = tf.compat.v1
STATIC, MUTABLE = ("HashTable", "HashTableV2"), ("MutableHashTable", "MutableHashTableV2")
TENSORS = ("MutableHashTableOfTensors", "MutableHashTableOfTensorsV2")


def generation(op):
    return "V2" if op.endswith("V2") else ""


def empty(op, keys, values, **attrs):
    return getattr(raw, op)(key_dtype=tf.as_dtype(keys), value_dtype=tf.as_dtype(values), **attrs)


def runs_first(op):
    v1.add_to_collection(v1.GraphKeys.TABLE_INITIALIZERS, op)


def filled(op, keys, values, fill=None, **attrs):
    """A table of the raw op `op` that maps `keys` to `values`."""
    keys, values = tf.convert_to_tensor(keys), tf.convert_to_tensor(values)
    handle = empty(op, keys.dtype, values.dtype, **attrs)
    fill = fill or ("InitializeTable" if op in STATIC else "LookupTableImport") + generation(op)
    runs_first(getattr(raw, fill)(table_handle=handle, keys=keys, values=values))
    return handle


def from_text(op, keys, values, columns, **attrs):
    """A table filled from vocab.txt."""
    handle = empty(op, keys, values)
    runs_first(getattr(raw, "InitializeTableFromTextFile" + generation(op))(
        table_handle=handle, filename="vocab.txt", key_index=columns[0], value_index=columns[1], **attrs))
    return handle


def find(op, handle, keys, default):
    return getattr(raw, "LookupTableFind" + generation(op))(table_handle=handle, keys=keys, default_value=default)


def size(op, handle):
    return getattr(raw, "LookupTableSize" + generation(op))(table_handle=handle)


def i64(*values):
    return np.array(values, np.int64)


def i32(*values):
    return np.array(values, np.int32)


def f32(*values):
    return np.array(values, np.float32)


KEYS, TENS, HALVES = i64(5, 2, 9, -3), i64(50, 20, 90, -30), f32(2.5, 1, 4.5, -1.5)
QUERIES = i64(9, 4, 5, 5, -3, 2**40)

for op in STATIC + MUTABLE:
    short = op.lower()
    family.case(f"{short}_i64", lambda q, op=op: find(op, filled(op, KEYS, TENS), q, np.int64(-1)), {"q": QUERIES})
    family.case(f"{short}_f32", lambda q, op=op: find(op, filled(op, KEYS, HALVES), q, np.float32(0.25)),
                {"q": QUERIES.reshape(2, 3)})
    family.case(f"{short}_range", lambda q, op=op: find(op, filled(op, np.arange(5), 7 * np.arange(5)), q, np.int64(-1)),
                {"q": i64(0, 4, 5, -1, 2)})
    family.case(f"{short}_size", lambda op=op: size(op, filled(op, KEYS, TENS)))
    family.case(f"{short}_size_once", lambda op=op: size(op, filled(op, i64(1, 2, 1), i64(3, 4, 3))))
    family.case(f"{short}_scalar", lambda q, op=op: find(op, filled(op, KEYS, TENS), q, np.int64(-1)), {"q": np.int64(2)})
    family.case(f"{short}_strings", lambda op=op: find(
        op, filled(op, ["the", "cat", "sat"], i64(10, 20, 30)), tf.constant(["sat", "dog", "the"]), np.int64(-1)))
    family.case(f"{short}_both", lambda q, op=op: (lambda t: [find(op, t, q, np.int64(0)), size(op, t)])(
        filled(op, KEYS, TENS)), {"q": QUERIES})
for op in STATIC:
    short = op.lower()
    for name, columns, dtypes, text, queries, default in (
            ("column_to_column", (0, 1), ("int64", "float32"), "5\t0.5\n2\t-1.5\n9\t 1e3 \n", QUERIES, np.float32(7)),
            ("line_to_line_number", (-2, -1), ("int64", "int64"), "5\n2\r\n -3\n9", QUERIES, np.int64(-1)),
            ("line_number_to_column", (-1, 2), ("int64", "int64"), "a\tb\t7\na\tc\t8\n", i64(1, 0, 2), np.int64(-1)),
            ("column_1", (1, 0), ("int32", "float32"), "1.5\t3\n2.5\t4\n", i32(4, 5, 3), np.float32(0)),
            ("same_twice", (0, 1), ("int64", "int64"), "5\t7\n2\t3\n5\t7\n", QUERIES, np.int64(-1))):
        family.case(f"{short}_{name}", lambda q, op=op, columns=columns, dtypes=dtypes, default=default: find(
            op, from_text(op, *dtypes, columns), q, default), {"q": queries}, files={"vocab.txt": text})
    family.case(f"{short}_words", lambda op=op: find(
        op, from_text(op, "string", "int64", (-2, -1)), tf.constant([["b", "?"], ["a", "b"]]), np.int64(-1)),
        files={"vocab.txt": "a\nb\n"})
    family.case(f"{short}_commas", lambda q, op=op: find(
        op, from_text(op, "int64", "int64", (0, 2), delimiter=","), q, np.int64(-1)), {"q": i64(3, 2)},
        files={"vocab.txt": "3,,30\n4,x,40\n"})
    family.case(f"{short}_first_lines", lambda op=op: (lambda t: [size(op, t), find(op, t, tf.constant("c"), np.int64(-1))])(
        from_text(op, "string", "int64", (-2, -1), vocab_size=2)), files={"vocab.txt": "a\nb\nc\n"})
    family.case(f"{short}_offset", lambda op=op: find(
        op, from_text(op, "string", "int64", (-2, -1), offset=10), tf.constant("b"), np.int64(-1)),
        files={"vocab.txt": "a\nb\nc\n"})
for op in MUTABLE:
    family.case(f"{op.lower()}_last_counts", lambda q, op=op: find(
        op, filled(op, i64(1, 2, 1), i64(3, 4, 5)), q, np.int64(-1)), {"q": i64(1, 2, 3)})
for op in TENSORS:
    rows = np.arange(8, dtype=np.float32).reshape(4, 2)
    for name, queries in (("vector", QUERIES), ("matrix", QUERIES.reshape(3, 2)), ("scalar", np.int64(9)),
                          ("none", QUERIES[:0])):
        family.case(f"{op.lower()}_{name}", lambda q, op=op, rows=rows: find(
            op, filled(op, KEYS, rows, value_shape=[2]), q, f32(-1, -2)), {"q": queries})
    family.case(f"{op.lower()}_size", lambda op=op, rows=rows: size(op, filled(op, KEYS, rows, value_shape=[2])))


def anonymous(op, keys, values, queries, default, **attrs):
    """A table that exists only during a run, which fills it before reading it."""
    handle = empty(op, keys.dtype, values.dtype, **attrs)
    with tf.control_dependencies([raw.LookupTableImportV2(table_handle=handle, keys=keys, values=values)]):
        return [raw.LookupTableFindV2(table_handle=handle, keys=queries, default_value=default),
                raw.LookupTableSizeV2(table_handle=handle)]


for op in ("AnonymousHashTable", "AnonymousMutableHashTable"):
    for name, values, default in (("i64", TENS, np.int64(-1)), ("f32", HALVES, np.float32(0.5)),
                                  ("f64", HALVES.astype(np.float64), np.float64(0.5))):
        family.case(f"{op.lower()}_{name}", lambda q, op=op, values=values, default=default: anonymous(
            op, KEYS, values, q, default), {"q": QUERIES})
    family.case(f"{op.lower()}_range", lambda q, op=op: anonymous(op, np.arange(3), np.arange(3), q, np.int64(3)),
                {"q": i64(2, 3, 0)})
    family.case(f"{op.lower()}_scalar", lambda q, op=op: anonymous(op, KEYS, TENS, q, np.int64(3)), {"q": np.int64(9)})
for name, queries in (("vector", QUERIES), ("matrix", QUERIES.reshape(3, 2)), ("cube", QUERIES.reshape(1, 3, 2)),
                      ("scalar", np.int64(9)), ("none", QUERIES[:0])):
    family.case(f"anonymous_tensors_{name}", lambda q: anonymous(
        "AnonymousMutableHashTableOfTensors", KEYS, rng(1).random((4, 3), np.float32), q, f32(7, 8, 9),
        value_shape=[3]), {"q": queries})

V2 = "HashTableV2"
more = rng(5)
many = more.permutation(np.unique(more.integers(-10**9, 10**9, 500)))
family.case("many", lambda q: find(V2, filled(V2, many, np.arange(many.size)), q, np.int64(-1)),
            {"q": np.concatenate([many[::5], many[::7] + 1])})
family.case("i32_to_f64", lambda q: find(V2, filled(V2, i32(7, 3), np.array([1.5, 2.5])), q, np.float64(9)),
            {"q": i32(3, 4, 7)})
family.case("i32_to_i32", lambda q: find(V2, filled(V2, i32(7, 3), i32(1, 2)), q, np.int32(9)), {"q": i32(3, 4, 7)})
family.case("to_bool", lambda: find(V2, filled(V2, ["a", "b"], np.array([True, False])), tf.constant(["b", "a", "c"]),
                                    np.bool_(True)))
family.case("fed_default", lambda q, d: find(V2, filled(V2, KEYS, TENS), q, d), {"q": QUERIES, "d": np.int64(77)})
family.case("lengths", lambda q: find(V2, filled(V2, KEYS, TENS), q, np.int64(0)), {"q": QUERIES}, largest={"q": [16]})
family.case("computed_values", lambda q: find(V2, filled(V2, KEYS, tf.cast(tf.range(tf.size(tf.identity(KEYS))), tf.int64)),
                                              q, np.int64(-1)), {"q": QUERIES})
family.case("imported", lambda q: find(V2, filled(V2, KEYS, TENS, "LookupTableImportV2"), q, np.int64(-1)), {"q": QUERIES})
family.case("imported_v1", lambda q: find("HashTable", filled("HashTable", KEYS, TENS, "LookupTableImport"), q, np.int64(-1)),
            {"q": QUERIES})
family.case("two_tables", lambda q: find(V2, filled(V2, TENS, HALVES), find(V2, filled(V2, KEYS, TENS), q, np.int64(-1)),
                                         np.float32(0)), {"q": QUERIES})
family.case("through_strings", lambda: find(V2, filled(V2, ["one", "two"], HALVES[:2]), find(
    V2, filled(V2, i64(1, 2), ["one", "two"]), i64(2, 3, 1), "?"), np.float32(-9)))
family.case("string_of_a_scalar", lambda: find(V2, filled(V2, ["one", "two"], HALVES[:2]), tf.constant("two"), np.float32(0)))
family.case("empty_string", lambda: find(V2, filled(V2, ["", "two"], HALVES[:2]), tf.constant(["", "x"]), np.float32(0)))


def shared():
    """Two nodes that name the same table."""
    named = {"shared_name": "vocabulary"}
    filled(V2, KEYS, TENS, **named)
    return empty(V2, "int64", "int64", **named)


family.case("shared_name", lambda q: find(V2, shared(), q, np.int64(-1)), {"q": QUERIES})


def control_flow(q):
    """The table's handle is passed to a branch and a loop."""
    handle = filled(V2, KEYS, TENS)

    def step(i, x):
        return i + 1, tf.ensure_shape(find(V2, handle, x // 10, np.int64(20)), x.shape)
    v1.enable_control_flow_v2()
    looped = tf.while_loop(lambda i, x: i < 3, step, (0, q))[1]
    branched = tf.cond(q[0] > 0, lambda: find(V2, handle, q, np.int64(1)), lambda: q)
    return [looped, branched]


family.case("loop_and_branch", control_flow, {"q": i64(50, 21, 9)})
family.write()

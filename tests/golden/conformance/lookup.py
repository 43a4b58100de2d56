# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, rng, write
import tensorflow as tf


def lookup(name, queries, keys, why="", is_constant=True):
    """TensorFlow's table that maps keys, as int64, to their positions."""
    queries, keys = np.asarray(queries), np.asarray(keys)
    entries = tf.lookup.KeyValueTensorInitializer(tf.constant(keys.astype(np.int64)),
                                                  tf.range(keys.size, dtype=tf.int64))
    table = tf.lookup.StaticHashTable(entries, keys.size)
    positions = table.lookup(tf.constant(queries.astype(np.int64))).numpy().astype(np.int32)
    return case(name, {}, [queries, constant(keys) if is_constant else keys], [positions], why)


def refused(name, queries, keys):
    return dict(case(name, {}, [np.asarray(queries), np.asarray(keys)], []), error="invalid_plan")


def i32(*values):
    return np.array(values, np.int32)


def i64(*values):
    return np.array(values, np.int64)


SPARSE = np.unique(rng(1).integers(-10**12, 10**12, 1000))
MIXED = np.concatenate([rng(2).choice(SPARSE, 300), rng(3).integers(-10**12, 10**12, 300)])
MIN32, MAX32, MIN64, MAX64 = -2**31, 2**31 - 1, -2**63, 2**63 - 1
CASES = [
    lookup("vector", i64(5, 2, 9, 9, 3), i64(2, 5, 9)),
    lookup("i32", i32(5, 2, 9, -9, 3), i32(-9, 2, 5, 7, 9)),
    lookup("matrix", i64(5, 2, 9, 9, 3, 4).reshape(2, 3), i64(2, 5, 9)),
    lookup("scalar", np.int64(7), i64(1, 7, 11)),
    lookup("many", MIXED.reshape(20, 30), SPARSE),
    lookup("computed_keys", i32(4, 1, 3), i32(1, 4, 6), is_constant=False),
    lookup("range_from_0", i64(0, 6, 7, -1, 3, 2**40), np.arange(7), why="no search"),
    lookup("range_from_minus_3", i32(-4, -3, 0, 2, 3), np.arange(-3, 3, dtype=np.int32)),
    lookup("one_key", i64(4, 5, 6), i64(5)),
    case("no_keys", {}, [i64(4, 5), np.zeros(0, np.int64)], [i32(0, 0)], "TensorFlow has no empty table"),
    lookup("no_queries", np.zeros((0, 3), np.int32), i32(1, 2)),
    lookup("limits_i32", i32(MIN32, 0, MAX32, -1), i32(MIN32, MAX32), why="their distance wraps"),
    lookup("limits_i64", i64(MIN64, 0, MAX64, -1), i64(MIN64, MAX64)),
    lookup("range_at_the_top", i64(MAX64, MAX64 - 1, MAX64 - 2, MIN64), i64(MAX64 - 1, MAX64)),
    lookup("far_from_a_range", i32(MIN32, MAX32, 0), i32(-1, 0, 1), why="their distance wraps"),
    refused("floats", np.zeros(2, np.float32), np.zeros(2, np.float32)),
    refused("two_dtypes", i32(1), i64(1)),
    refused("matrix_of_keys", i32(1), i32(1, 2).reshape(1, 2)),
    refused("scalar_key", i32(1), np.int32(1)),
]
write("Lookup", CASES)

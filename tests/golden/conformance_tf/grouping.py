# SPDX-License-Identifier: Apache-2.0
"""Rows grouped by their values or by a label: uniques, differences, partitions, stitches.
The number of results is known only when the model runs."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(117)
NAN, INF = np.nan, np.inf
DTYPES = (np.float32, np.float16, np.float64, np.int32, np.int64, np.uint8, np.int8, np.int16, np.uint16, np.bool_)
NONE, FIRST = np.zeros(0, np.int64), np.array([0], np.int64)
family = Family("uniques")


def case(name, build, feeds, largest=None):
    family.case(name, build, feeds, largest=largest)


def few(dtype, n=24):
    return g.integers(0, 2 if dtype == np.bool_ else 7, n).astype(dtype)


# Uniques.
UNIQUES = {
    "Unique": lambda x, **attrs: raw.Unique(x=x, **attrs),
    "UniqueV2": lambda x, **attrs: raw.UniqueV2(x=x, axis=NONE, **attrs),
    "UniqueWithCounts": lambda x, **attrs: raw.UniqueWithCounts(x=x, **attrs),
    "UniqueWithCountsV2": lambda x, **attrs: raw.UniqueWithCountsV2(x=x, axis=FIRST, **attrs),
}
VECTORS = {
    "few": few(np.int32), "equal": np.full(9, 4, np.int32), "distinct": g.permutation(12).astype(np.int32),
    "one": np.array([5], np.int64), "none": np.zeros(0, np.int32), "negative": g.integers(-9, 9, 40).astype(np.int32),
    "floats": np.array([0.5, 0.25, 0.5, -0.5, 0.25], np.float32), "nan": np.array([NAN, 1, NAN, 1, NAN], np.float32),
    "zeros": np.array([-0.0, 3, 0.0, 3, -0.0], np.float32), "infinite": np.array([INF, -INF, INF, 1], np.float32),
}
for op, f in UNIQUES.items():
    for name, x in VECTORS.items():
        case(f"{op.lower()}_{name}", lambda x: list(f(x)), {"x": x})
    case(f"{op.lower()}_i64_indices", lambda x: list(f(x, out_idx=tf.int64)), {"x": few(np.int32)})
    case(f"{op.lower()}_constant", lambda x: [t + tf.cast(x, t.dtype) for t in f(np.array([3, 1, 3, 2], np.int32))],
         {"x": np.int32(1)})
    case(f"{op.lower()}_of_fed", lambda x: list(f(x)), {"x": few(np.int32, 9)}, {"x": [30]})
    case(f"{op.lower()}_of_none_fed", lambda x: list(f(x)), {"x": few(np.float32, 0)}, {"x": [30]})
    case(f"{op.lower()}_of_found", lambda x: list(f(tf.boolean_mask(x, x > 1))), {"x": few(np.int32)})
    case(f"{op.lower()}_back", lambda x: (lambda r: tf.gather(r.y * 2, r.idx))(f(x)), {"x": few(np.int32)})
for dtype in DTYPES:
    name = np.dtype(dtype).name
    case(f"unique_{name}", lambda x: list(raw.Unique(x=x)), {"x": few(dtype)})
    case(f"unique_counts_{name}", lambda x: list(raw.UniqueWithCountsV2(x=x, axis=NONE)), {"x": few(dtype)})
    case(f"unique_rows_{name}", lambda x: list(raw.UniqueWithCountsV2(x=x, axis=FIRST)),
         {"x": few(dtype, 24).reshape(12, 2)})
case("unique_extremes", lambda x: list(raw.UniqueWithCounts(x=x)),
     {"x": np.array([2**63 - 1, -2**63, 0, 2**32, -2**63, 2**63 - 1], np.int64)})
case("unique_many", lambda x: list(raw.UniqueWithCounts(x=x)), {"x": g.integers(0, 300, 700).astype(np.int64)})

# Along an axis.
rows = g.integers(0, 2, (7, 3)).astype(np.float32)
cube = g.integers(0, 2, (3, 5, 2)).astype(np.int32)
for op in (raw.UniqueV2, raw.UniqueWithCountsV2):
    name = op.__name__.lower().split(".")[-1]
    for axis in (0, 1, -1):
        case(f"{name}_rows_{axis}".replace("-", "m"), lambda x: list(op(x=x, axis=np.array([axis], np.int32))), {"x": rows})
    for axis in (0, 1, 2, -3):
        case(f"{name}_cube_{axis}".replace("-", "m"), lambda x: list(op(x=x, axis=np.array([axis], np.int64))), {"x": cube})
    case(f"{name}_equal_columns", lambda x: list(op(x=x, axis=np.array([1], np.int64), out_idx=tf.int64)),
         {"x": np.ones((2, 6), np.float32)})
    case(f"{name}_nan_rows", lambda x: list(op(x=x, axis=FIRST)), {"x": np.array([[1, NAN], [1, NAN], [1, 2], [1, 2]], np.float32)})
    case(f"{name}_zero_rows", lambda x: list(op(x=x, axis=FIRST)), {"x": np.array([[0.0, 1], [-0.0, 1]], np.float32)})
    case(f"{name}_empty_rows", lambda x: list(op(x=x, axis=FIRST)), {"x": np.zeros((4, 0), np.float32)})
    case(f"{name}_no_rows", lambda x: list(op(x=x, axis=FIRST)), {"x": np.zeros((0, 4), np.float32)})
    case(f"{name}_rows_of_fed", lambda x: list(op(x=x, axis=FIRST)), {"x": rows}, {"x": [20, 3]})
    case(f"{name}_columns_of_fed", lambda x: list(op(x=x, axis=np.array([1], np.int32))), {"x": rows}, {"x": [20, 3]})
    case(f"{name}_wide_rows_of_fed", lambda x: list(op(x=x, axis=FIRST)), {"x": rows}, {"x": [7, 9]})

# Values computed from the results.
case("unique_padded", lambda x: (lambda y: tf.pad(y, [[0, 24 - tf.shape(y)[0]]]))(raw.Unique(x=x).y), {"x": few(np.int32)})
case("unique_count", lambda x: tf.size(raw.Unique(x=x).y) * 10, {"x": few(np.int32)})
case("unique_embedding", lambda x: (lambda u: tf.gather(tf.gather(tf.constant(normal(rng(3), 7, 4)), u.y) * 0.5, u.idx))(
    raw.Unique(x=x)), {"x": few(np.int32)})
case("unique_most_frequent", lambda x: (lambda u: tf.gather(u.y, tf.argmax(u.count)))(raw.UniqueWithCounts(x=x)),
     {"x": few(np.int32)})
case("unique_segment_mean", lambda x, v: (lambda u: tf.math.unsorted_segment_sum(v, u.idx, 24)[:tf.size(u.y)]
                                          / tf.cast(u.count, tf.float32)[:, None])(raw.UniqueWithCounts(x=x)),
     {"x": few(np.int32), "v": normal(g, 24, 2)})
case("unique_twice", lambda x: list(raw.Unique(x=raw.UniqueWithCounts(x=x).count)), {"x": few(np.int32)})

# Differences.
PAIRS = {
    "some": ([3, 1, 4, 1, 5, 9, 2, 6], [1, 2, 7]), "none_left": ([1, 2, 1], [2, 1]), "all_left": ([5, 5, 6], [1, 2]),
    "of_none": ([], [1, 2]), "without_none": ([4, 4, 2], []), "both_none": ([], []), "same": ([1, 2, 3], [1, 2, 3]),
    "repeats": ([7, 8, 7, 8, 7], [8, 8, 8]),
}
for name, (x, y) in PAIRS.items():
    feeds = {"x": np.array(x, np.int32), "y": np.array(y, np.int32)}
    case(f"list_diff_{name}", lambda x, y: list(raw.ListDiff(x=x, y=y)), feeds)
    case(f"list_diff_{name}_of_fed", lambda x, y: list(raw.ListDiff(x=x, y=y)), feeds, {"x": [12], "y": [9]})
for dtype in DTYPES[:-1]:
    case(f"list_diff_{np.dtype(dtype).name}", lambda x, y: list(raw.ListDiff(x=x, y=y)), {"x": few(dtype), "y": few(dtype, 3)})
floats = np.array([1, NAN, 0.0, 2, 2, NAN, INF], np.float32)
case("list_diff_nan", lambda x, y: list(raw.ListDiff(x=x, y=y)), {"x": floats, "y": np.array([-0.0, NAN, 1], np.float32)})
case("list_diff_i64_indices", lambda x, y: list(raw.ListDiff(x=x, y=y, out_idx=tf.int64)), {"x": few(np.int32), "y": few(np.int32, 2)})
case("list_diff_of_constants", lambda x: [tf.cast(t, tf.int32) + x for t in raw.ListDiff(x=np.arange(6), y=np.array([1, 4]))], {"x": np.int32(2)})
case("list_diff_constant", lambda x: list(raw.ListDiff(x=x, y=np.array([0, 3], np.int32))), {"x": few(np.int32)})
case("list_diff_of_range", lambda y: list(raw.ListDiff(x=np.arange(8, dtype=np.int32), y=y)), {"y": np.array([2, 5], np.int32)})
case("list_diff_of_found", lambda x, y: list(raw.ListDiff(x=tf.boolean_mask(x, x > 2), y=tf.boolean_mask(y, y > 3))),
     {"x": few(np.int32), "y": few(np.int32, 5)})

family.write()

# Partitions.
family = Family("partitions")
marks = np.array([1, 0, 2, 1, 1, 0, 2], np.int32)
table = normal(g, 7, 3)


def partition(name, data, partitions, count=3, largest=None):
    case(f"partition_{name}", lambda x, p: raw.DynamicPartition(data=x, partitions=p, num_partitions=count),
         {"x": data, "p": np.asarray(partitions, np.int32)}, largest)


partition("vector", table[:, 0], marks)
partition("rows", table, marks)
partition("cubes", normal(g, 7, 2, 2), marks)
partition("one", table, np.zeros(7), 1)
partition("two", table, marks % 2, 2)
partition("empty_part", table, marks % 2 * 2, 4)
partition("all_in_last", table, np.full(7, 2))
partition("no_rows", table[:0], marks[:0])
partition("empty_rows", table[:, :0], marks)
partition("scalar_mark", table, 1)
partition("matrix_of_marks", normal(g, 2, 3, 2), [[1, 0, 2], [1, 1, 0]])
partition("matrix_of_marks_alone", few(np.int32, 6).reshape(2, 3), [[1, 0, 2], [1, 1, 0]])
partition("of_fed", table, marks, largest={"x": [20, 3], "p": [20]})
partition("of_none_fed", table[:0], marks[:0], largest={"x": [20, 3], "p": [20]})
partition("matrix_of_fed", normal(g, 2, 3, 2), [[1, 0, 2], [1, 1, 0]], largest={"x": [8, 3, 2], "p": [8, 3]})
for dtype in DTYPES:
    partition(np.dtype(dtype).name, few(dtype, 7), marks)
case("partition_constant_marks", lambda x: raw.DynamicPartition(data=x, partitions=marks, num_partitions=3), {"x": table})
case("partition_constants", lambda x: [t + x for t in raw.DynamicPartition(data=table, partitions=marks, num_partitions=3)],
     {"x": np.float32(1)})
case("partition_by_value", lambda x: raw.DynamicPartition(data=x, partitions=tf.cast(x > 0, tf.int32), num_partitions=2),
     {"x": table[:, 0]})
case("partition_of_found", lambda x: (lambda kept: raw.DynamicPartition(
    data=kept, partitions=tf.cast(kept > 0.3, tf.int32), num_partitions=2))(tf.boolean_mask(x, x > 0)), {"x": normal(g, 20)})
case("partition_sums", lambda x, p: tf.stack([tf.reduce_sum(t, 0) for t in raw.DynamicPartition(
    data=x, partitions=p, num_partitions=3)]), {"x": table, "p": marks})

# Stitches at computed positions.
STITCHES = {"dynamic_stitch": raw.DynamicStitch, "parallel_stitch": raw.ParallelDynamicStitch}
for name, stitch in STITCHES.items():
    def experts(x, p, count=3):
        """The usual use: rows with the same label are computed together, then put back."""
        places = tf.dynamic_partition(tf.range(tf.shape(x)[0]), p, count)
        parts = tf.dynamic_partition(x, p, count)
        return stitch(indices=places, data=[part * (i + 1.0) + i for i, part in enumerate(parts)])

    feeds = {"x": table, "p": marks}
    case(f"{name}_experts", lambda x, p: experts(x, p), feeds)
    case(f"{name}_experts_of_fed", lambda x, p: experts(x, p), feeds, {"x": [20, 3], "p": [20]})
    case(f"{name}_experts_none_fed", lambda x, p: experts(x, p), {"x": table[:0], "p": marks[:0]}, {"x": [20, 3], "p": [20]})
    case(f"{name}_experts_two", lambda x, p: experts(x, p, 2), {"x": table[:, 0], "p": marks % 2})
    case(f"{name}_experts_unequal", lambda x, p: experts(x, p, 5), feeds)
    case(f"{name}_experts_then", lambda x, p: experts(x, p) + x, feeds)
    case(f"{name}_by_sign", lambda x: experts(x, tf.cast(x > 0, tf.int32), 2), {"x": table[:, 0]})
    case(f"{name}_constant_marks", lambda x: experts(x, marks), {"x": table})
for dtype in DTYPES:
    case(f"dynamic_stitch_{np.dtype(dtype).name}", lambda x, p: raw.DynamicStitch(
        indices=tf.dynamic_partition(np.arange(7, dtype=np.int32), p, 3), data=tf.dynamic_partition(x, p, 3)),
         {"x": few(dtype, 7), "p": marks})
order = {"i": np.array([0.2, 0.9, 0.1, 0.4], np.float32), "x": normal(g, 4, 2)}
case("stitch_sorted", lambda i, x: raw.DynamicStitch(indices=[tf.math.top_k(i, 4).indices], data=[x]), order)
case("stitch_later_wins", lambda i, x: raw.DynamicStitch(
    indices=[tf.math.top_k(i, 4).indices, tf.argmax(i, output_type=tf.int32)], data=[x, x[0] * 10.0]), order)
case("stitch_found", lambda i, x: (lambda high, low: raw.DynamicStitch(
    indices=[tf.cast(tf.where(high)[:, 0], tf.int32), tf.cast(tf.where(low)[:, 0], tf.int32)],
    data=[tf.boolean_mask(x, high) * 2.0, tf.boolean_mask(x, low)]))(i > 0.3, i <= 0.3), order)
case("stitch_found_matrix", lambda i, x: raw.DynamicStitch(
    indices=[tf.reshape(tf.math.top_k(i, 4).indices, [2, 2])], data=[tf.reshape(x, [2, 2, 2])]), order)
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Counts in as many bins as the model's input decides, of as many values; histograms of integers; scatters of as many rows."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(154)
family = Family("counting")
ids = np.array([[3, 1, 3, 0], [2, 2, 6, 1]], np.int32)
weights = normal(g, 2, 4)
none = np.zeros(0, np.float32)


def at_least(x, low, high):
    """The number of bins as tf.math.bincount computes it."""
    return tf.minimum(high, tf.maximum(low, tf.reduce_max(x) + 1))


for name, low, high in (("fixed", 8, 8), ("cut", 4, 4), ("bounded", 2, 12), ("few", 0, 5)):
    for binary in (False, True):
        family.case(f"dense_{name}{'_binary' * binary}", lambda x, low=low, high=high: raw.DenseBincount(
            input=x, size=at_least(x, low, high), weights=none, binary_output=binary), {"x": ids})
    family.case(f"dense_{name}_vector", lambda x, low=low, high=high: raw.DenseBincount(
        input=x, size=at_least(x, np.int64(low), np.int64(high)), weights=none), {"x": ids.ravel().astype(np.int64)})
    family.case(f"dense_{name}_weights", lambda x, w, low=low, high=high: raw.DenseBincount(
        input=x, size=at_least(x, low, high), weights=w), {"x": ids, "w": weights})
    family.case(f"bincount_{name}", lambda x, low=low, high=high: raw.Bincount(
        arr=x, size=at_least(x, low, high), weights=none), {"x": ids})
family.case("of_lengths", lambda x: tf.math.bincount(x, minlength=7, maxlength=7, axis=-1), {"x": ids})
family.case("any_batch", lambda x: raw.DenseBincount(input=x, size=8, weights=none), {"x": ids}, largest={"x": [5, 4]})
family.case("any_length", lambda x: raw.DenseBincount(input=x, size=8, weights=none), {"x": ids}, largest={"x": [2, 9]})
family.case("any_length_weights", lambda x, w: raw.DenseBincount(input=x, size=7, weights=w), {"x": ids[0], "w": weights[0]},
            largest={"x": [9], "w": [9]})
family.case("any_length_bincount", lambda x: raw.Bincount(arr=x, size=7, weights=none), {"x": ids[0]}, largest={"x": [9]})
values = np.array([-7, -2, 0, 1, 2, 3, 5, 8, 9, 12, 100, 57, 114, 171], np.int32)
for name, low, high, bins, dtype in (("even", 0, 8, 4, tf.int32), ("odd", -3, 8, 5, tf.int32), ("one", 0, 9, 1, tf.int32),
                                     ("more_bins", 0, 5, 12, tf.int32), ("i64_counts", -2, 10, 6, tf.int64),
                                     ("rounded", 0, 399, 182, tf.int32)):
    for kind in (np.int32, np.int64):
        family.case(f"histogram_{name}_{np.dtype(kind).name}", lambda x, kind=kind: raw.HistogramFixedWidth(
            values=x, value_range=np.array([low, high], kind), nbins=bins, dtype=dtype), {"x": values.astype(kind)})
family.case("histogram_any_number", lambda x: raw.HistogramFixedWidth(
    values=x, value_range=np.array([0, 2], np.float32), nbins=5), {"x": weights[0]}, largest={"x": [9]})
ordered = np.sort(normal(g, 1, 6))
for op in ("LowerBound", "UpperBound"):
    family.case(f"{op.lower()}_any_values", lambda s, v, op=op: getattr(raw, op)(sorted_inputs=s, values=v),
                {"s": ordered, "v": normal(g, 1, 4)}, largest={"s": [1, 6], "v": [1, 9]})
    family.case(f"{op.lower()}_any_ordered", lambda s, v, op=op: getattr(raw, op)(sorted_inputs=s, values=v),
                {"s": ordered, "v": normal(g, 1, 4)}, largest={"s": [1, 9], "v": [1, 4]})
table, rows, updates = normal(g, 5, 2), np.array([[3], [0]], np.int32), normal(g, 2, 2)
for op in ("Update", "Add"):
    family.case(f"scatter_{op.lower()}_any_rows", lambda t, i, u, op=op: getattr(raw, f"TensorScatter{op}")(
        tensor=t, indices=i, updates=u), {"t": table, "i": rows, "u": updates},
                largest={"t": [5, 2], "i": [6, 1], "u": [6, 2]})
family.case("scatter_nd_any_rows", lambda i, u: raw.ScatterNd(indices=i, updates=u, shape=[5, 2]), {"i": rows, "u": updates},
            largest={"i": [6, 1], "u": [6, 2]})
family.case("scatter_nd_any_shape", lambda x, i, u: raw.ScatterNd(indices=i, updates=u, shape=tf.shape(x)),
            {"x": table, "i": rows, "u": updates}, largest={"x": [8, 2], "i": [2, 1], "u": [2, 2]})
family.case("sparse_to_dense_any_number", lambda i, v: raw.SparseToDense(
    sparse_indices=i, output_shape=[5], sparse_values=v, default_value=-1.0),
            {"i": np.array([[1], [4]], np.int32), "v": updates[0]}, largest={"i": [4, 1], "v": [4]})
family.write()

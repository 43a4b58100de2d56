# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors made dense."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(173)
family = Family("ragged")
VALUES = normal(g, 6)
SPLITS = np.array([0, 2, 2, 5, 6], np.int64)
ROWS = np.array([0, 0, 2, 2, 2, 3], np.int64)


def dense(values, *partitions, shape=-1, default=0, types=None):
    types = types or ["ROW_SPLITS"] * len(partitions)
    return raw.RaggedTensorToTensor(shape=np.array(shape, np.int64), values=values, default_value=tf.cast(default, values.dtype),
                                    row_partition_tensors=partitions, row_partition_types=types)


for name, shape in {"as_long": -1, "open": [-1, -1], "wider": [-1, 5], "narrower": [-1, 2], "more_rows": [6, -1], "fewer_rows": [3, -1],
                    "all_rows": [4, 4], "none": [-1, 0]}.items():
    family.case(f"known_splits_{name}", lambda v, shape=shape: dense(v, SPLITS, shape=shape), {"v": VALUES})
    family.case(f"fed_splits_{name}", lambda v, s, shape=shape: dense(v, s, shape=shape, default=-1), {"v": VALUES, "s": SPLITS})
family.case("default_7", lambda v: dense(v, SPLITS, default=7), {"v": VALUES})
family.case("i32_splits", lambda v, s: dense(v, s), {"v": VALUES, "s": SPLITS.astype(np.int32)})
family.case("integers", lambda v, s: dense(v, s, default=-3), {"v": g.integers(0, 99, 6).astype(np.int32), "s": SPLITS})
family.case("integers_i64", lambda v: dense(v, SPLITS, default=-3), {"v": g.integers(0, 99, 6)})
family.case("vectors", lambda v, s: dense(v, s, shape=[-1, -1, 3]), {"v": normal(g, 6, 3), "s": SPLITS})
family.case("vectors_cut", lambda v, s: dense(v, s, shape=[2, 2, -1]), {"v": normal(g, 6, 3), "s": SPLITS})
family.case("default_vector", lambda v: dense(v, SPLITS, default=[1, 2, 3]), {"v": normal(g, 6, 3)})
family.case("no_values", lambda v, s: dense(v, s, shape=[-1, 2], default=4), {"v": VALUES[:0], "s": np.zeros(3, np.int64)})
family.case("no_rows", lambda v, s: dense(v, s, shape=[-1, 2]), {"v": VALUES[:0], "s": np.zeros(1, np.int64)})
family.case("two_levels", lambda v: dense(v, np.array([0, 1, 4], np.int64), SPLITS), {"v": VALUES})
family.case("two_levels_fed", lambda v, o, s: dense(v, o, s, shape=[-1, 3, 4], default=9),
            {"v": VALUES, "o": np.array([0, 3, 4], np.int64), "s": SPLITS})
family.case("two_levels_open", lambda v, o, s: dense(v, o, s), {"v": VALUES, "o": np.array([0, 3, 4], np.int64), "s": SPLITS})
by_rows = ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]
family.case("known_rows", lambda v: dense(v, np.int64(5), ROWS, types=by_rows), {"v": VALUES})
family.case("fed_rows", lambda v, r: dense(v, np.int64(4), r, types=by_rows, default=2), {"v": VALUES, "r": ROWS})
family.case("from_lengths", lambda v: tf.RaggedTensor.from_row_lengths(v, [2, 0, 3, 1], validate=False).to_tensor(), {"v": VALUES})
family.case("from_fed_lengths", lambda v, n: tf.RaggedTensor.from_row_lengths(v, n, validate=False).to_tensor(),
            {"v": VALUES, "n": np.array([2, 0, 3, 1], np.int64)})
family.case("values_vary", lambda v: dense(v, tf.stack([np.int64(0), np.int64(2), tf.shape(v, tf.int64)[0]])), {"v": VALUES},
            largest={"v": [9]})
family.write()

# SPDX-License-Identifier: Apache-2.0
"""Rows reduced by segments whose numbers are fed, and segments of rows that indices pick, as of sparse embeddings."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(171)
family = Family("segments")
ROWS = normal(g, 5, 3)
IDS = {"plain": [0, 0, 1, 2, 2], "gaps": [0, 2, 2, 5, 5], "single": [0, 0, 0, 0, 0]}

# Fed numbers. That these lie in a range says how many segments there may be.
for op in ("Sum", "Mean", "Max", "Min", "Prod"):
    segment = getattr(raw, f"Segment{op}")
    for name, ids in IDS.items():
        family.case(f"{op.lower()}_fed_{name}", lambda x, i, s=segment: s(data=x, segment_ids=tf.clip_by_value(i, 0, 7)),
                    {"x": ROWS, "i": np.array(ids, np.int32)})
    family.case(f"{op.lower()}_fed_i64", lambda x, i, s=segment: s(data=x, segment_ids=tf.clip_by_value(i, 0, 6)),
                {"x": ROWS, "i": np.array(IDS["gaps"], np.int64)})
    if op != "Mean":
        family.case(f"{op.lower()}_fed_of_integers", lambda x, i, s=segment: s(data=x, segment_ids=tf.clip_by_value(i, 0, 7)),
                    {"x": g.integers(-9, 9, (5, 2)).astype(np.int32), "i": np.array(IDS["gaps"], np.int32)})
    family.case(f"{op.lower()}_width_varies", lambda x, s=segment: s(data=x, segment_ids=[0, 0, 2, 2, 2]), {"x": ROWS},
                largest={"x": [5, 7]})

# Rows picked by indices.
TABLE = normal(g, 6, 3)
INDICES = np.array([4, 0, 5, 5, 2], np.int32)
for op in ("Sum", "Mean", "SqrtN"):
    pick, counted = getattr(raw, f"SparseSegment{op}"), getattr(raw, f"SparseSegment{op}WithNumSegments")
    low = op.lower()
    for name, ids in IDS.items():
        family.case(f"picked_{low}_{name}", lambda i, p=pick, ids=ids: p(data=TABLE, indices=i, segment_ids=ids), {"i": INDICES})
        family.case(f"picked_{low}_counted_{name}", lambda i, p=counted, ids=ids: p(
            data=TABLE, indices=i, segment_ids=ids, num_segments=7), {"i": INDICES})
    family.case(f"picked_{low}_fed", lambda x, i, s, p=pick: p(data=x, indices=i, segment_ids=tf.clip_by_value(s, 0, 7)),
                {"x": TABLE, "i": INDICES, "s": np.array(IDS["gaps"], np.int32)})
    family.case(f"picked_{low}_counted_fed", lambda x, i, s, p=counted: p(data=x, indices=i, segment_ids=s, num_segments=6),
                {"x": TABLE, "i": INDICES.astype(np.int64), "s": np.array(IDS["gaps"], np.int32)})
    family.case(f"picked_{low}_counted_i64", lambda i, p=counted: p(
        data=TABLE, indices=i, segment_ids=np.array(IDS["plain"], np.int64), num_segments=np.int64(4)), {"i": INDICES})
    family.case(f"picked_{low}_i64_ids", lambda i, p=pick: p(data=TABLE, indices=i, segment_ids=np.array(IDS["plain"], np.int64)),
                {"i": INDICES})


def not_zero(ids, reduce):
    """Of each row of ids those that are not 0, looked up and reduced: no id at all gives no row."""
    found = tf.where(tf.not_equal(ids, 0))
    return reduce(data=TABLE, indices=tf.gather_nd(ids, found), segment_ids=found[:, 0])


for name, ids in {"some": [[1, 0, 2], [0, 0, 0], [5, 5, 0]], "none": [[0, 0, 0]] * 3, "all": [[1, 2, 3]] * 3}.items():
    for op in ("Sum", "Mean"):
        family.case(f"not_zero_{op.lower()}_{name}", lambda i, s=getattr(raw, f"SparseSegment{op}"): not_zero(i, s),
                    {"i": np.array(ids, np.int32)})

# Segments in any order, whose rows vary.
family.case("both_vary", lambda x, i: raw.UnsortedSegmentSum(data=x, segment_ids=i, num_segments=4),
            {"x": ROWS, "i": np.array([0, 3, 0, 1, 3], np.int32)}, largest={"x": [8, 3], "i": [8]})
family.case("sorted_both_vary", lambda x, i: raw.SegmentSum(data=x, segment_ids=tf.clip_by_value(i, 0, 6)),
            {"x": ROWS, "i": np.array([0, 0, 1, 3, 3], np.int32)}, largest={"x": [8, 3], "i": [8]})
for op in ("Sum", "Max", "Min", "Prod"):
    unsorted = getattr(raw, f"UnsortedSegment{op}")
    low = op.lower()
    family.case(f"unsorted_{low}_rows_vary", lambda x, u=unsorted: u(
        data=x, segment_ids=tf.cast(tf.math.floormod(tf.range(tf.shape(x)[0]), 3), tf.int32), num_segments=4),
                {"x": ROWS}, largest={"x": [8, 3]})
    family.case(f"unsorted_{low}_count_varies", lambda x, i, u=unsorted: u(data=x, segment_ids=[2, 0, 2], num_segments=tf.shape(i)[0]),
                {"x": ROWS[:3], "i": np.zeros(4, np.float32)}, largest={"i": [6]})
family.write()

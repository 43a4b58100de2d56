# SPDX-License-Identifier: Apache-2.0
"""Losses of classes, whether a class is among the best, labels of sequences."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(151)
family = Family("losses")
scores = normal(g, 4, 5) * 3
shares = g.random((4, 5)).astype(np.float32)
shares /= shares.sum(1, keepdims=True)
one_hot = np.eye(5, dtype=np.float32)[[4, 0, 2, 2]]
for name, x, labels in (("shares", scores, shares), ("one_hot", scores, one_hot), ("no_labels", scores, 0 * shares),
                        ("one_row_of_labels", scores, shares[:1]), ("one_row_of_scores", scores[:1], shares),
                        ("one_class_of_scores", scores[:, :1], shares), ("one_class", scores[:, :1], shares[:, :1]),
                        ("large", scores * 1e4, shares), ("no_rows", scores[:0], shares[:0]),
                        ("double", scores.astype(np.float64), shares.astype(np.float64)),
                        ("half", scores.astype(np.float16), shares.astype(np.float16))):
    tolerance = 4e-3 if x.dtype == np.float16 else 1e-5
    family.case(f"cross_entropy_{name}", lambda x, y: list(raw.SoftmaxCrossEntropyWithLogits(features=x, labels=y)),
                {"x": x, "y": labels}, tolerance=tolerance)
family.case("cross_entropy_loss_only", lambda x, y: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x) * 2.0,
            {"x": normal(g, 2, 3, 4), "y": np.abs(normal(g, 2, 3, 4))}, tolerance=1e-5)
family.case("cross_entropy_any_batch", lambda x, y: list(raw.SoftmaxCrossEntropyWithLogits(features=x, labels=y)),
            {"x": scores, "y": shares}, largest={"x": [7, 5], "y": [7, 5]}, tolerance=1e-5)
for name, x, classes in (("i32", scores, np.array([4, 0, 2, 2], np.int32)), ("i64", scores, np.array([1, 1, 3, 0])),
                         ("one_class", scores[:, :1], np.zeros(4, np.int64)), ("no_rows", scores[:0], np.zeros(0, np.int32)),
                         ("infinite", np.array([[-np.inf, 1, 2]], np.float32), np.array([2], np.int32)),
                         ("half", scores.astype(np.float16), np.array([4, 0, 2, 2], np.int32)),
                         ("double", scores.astype(np.float64), np.array([4, 0, 2, 2], np.int32))):
    family.case(f"sparse_cross_entropy_{name}",
                lambda x, y: list(raw.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=y)), {"x": x, "y": classes},
                tolerance=4e-3 if x.dtype == np.float16 else 1e-5)
family.case("sparse_cross_entropy_loss_only",
            lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x) + 1.0,
            {"x": normal(g, 2, 3, 4), "y": np.array([[3, 0, 1], [2, 2, 0]], np.int32)}, tolerance=1e-5)
family.case("sparse_cross_entropy_any_batch",
            lambda x, y: list(raw.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=y)),
            {"x": scores, "y": np.array([4, 0, 2, 2], np.int32)}, largest={"x": [7, 5], "y": [7]}, tolerance=1e-5)
ties = np.array([[1, 2, 2, 0], [3, 3, 3, 3], [0, 1, np.inf, 2], [1, np.nan, 0, 5], [4, 3, 2, 1]], np.float32)
targets = np.array([2, 0, 0, 3, 3], np.int32)
for k in (0, 1, 2, 3, 4, 9):
    family.case(f"in_top_{k}", lambda x, t, k=k: raw.InTopK(predictions=x, targets=t, k=k), {"x": ties, "t": targets})
    family.case(f"in_top_{k}_v2", lambda x, t, k=k: raw.InTopKV2(predictions=x, targets=t, k=k), {"x": ties, "t": targets})
family.case("in_top_k_no_such_class", lambda x, t: raw.InTopKV2(predictions=x, targets=t, k=np.int64(2)),
            {"x": scores, "t": np.array([5, -1, 100, 0])})
family.case("in_top_k_fed", lambda x, t, k: raw.InTopKV2(predictions=x, targets=t, k=k),
            {"x": scores, "t": np.array([0, 1, 2, 3], np.int32), "k": np.int32(3)})
family.case("in_top_k_any_batch", lambda x, t: tf.math.in_top_k(t, x, 2), {"x": ties, "t": targets},
            largest={"x": [8, 4], "t": [8]})
family.case("in_top_k_no_rows", lambda x, t: raw.InTopK(predictions=x, targets=t, k=1), {"x": ties[:0], "t": targets[:0]})
family.write()

family = Family("ctc")
steps = normal(g, 6, 3, 4)
steps[1:3, 0] = steps[0, 0]  # repeated labels
steps[3, 1] = [0, 0, 0, 9]   # a blank between two equal labels
steps[2, 1] = steps[4, 1] = [0, 9, 0, 0]
lengths = np.array([6, 5, 2], np.int32)


def decoded(x, n, blank=-1, merge=True):
    return list(raw.CTCGreedyDecoder(inputs=x, sequence_length=n, blank_index=blank, merge_repeated=merge))


for name, x, n, options in (("merged", steps, lengths, {}), ("as_they_are", steps, lengths, {"merge": False}),
                            ("first_is_blank", steps, lengths, {"blank": 0}), ("from_end", steps, lengths, {"blank": -2}),
                            ("no_lengths", steps, 0 * lengths, {}), ("one_step", steps[:1], 0 * lengths + 1, {}),
                            ("one_sequence", steps[:, :1], lengths[:1], {}),
                            ("ties", np.round(steps), lengths, {}), ("double", steps.astype(np.float64), lengths, {}),
                            ("blanks_only", np.float32([0, 0, 0, 1]) + 0 * steps, lengths, {})):
    family.case(f"greedy_{name}", lambda x, n, options=options: decoded(x, n, **options), {"x": x, "n": n})
family.case("greedy_dense", lambda x, n: tf.sparse.to_dense(tf.nn.ctc_greedy_decoder(x, n)[0][0], default_value=-1),
            {"x": steps, "n": lengths})
family.case("greedy_score_only", lambda x: decoded(x, lengths)[3] * 2.0, {"x": steps})
family.write()

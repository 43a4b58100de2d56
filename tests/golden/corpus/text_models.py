# SPDX-License-Identifier: Apache-2.0
"""Text as ids, and text as strings: what works on ids, lookups in tables, and the cuts where strings begin."""

import numpy as np
import tensorflow as tf

from feeds import f32, given, integers
from models import frozen, saved

STRINGS = np.array([["a cat", "the dog"]], object)


def table(rows, columns, seed):
    return tf.constant(np.random.default_rng(seed).uniform(-1, 1, (rows, columns)).astype(np.float32))


def bag_of_words(ids):
    x = tf.nn.embedding_lookup(table(20, 4, 1), ids)
    mask = tf.cast(ids > 0, tf.float32)[..., None]
    return tf.nn.softmax(tf.reduce_sum(x * mask, 1) / tf.maximum(tf.reduce_sum(mask, 1), 1.0) @ table(4, 3, 2))


def text_cnn(ids):
    x = tf.nn.embedding_lookup(table(20, 4, 1), ids)
    filters = [tf.reshape(table(width * 4, 3, width), [width, 4, 3]) for width in (2, 3, 4)]
    pooled = [tf.reduce_max(tf.nn.relu(tf.nn.conv1d(x, of_width, 1, "VALID")), 1) for of_width in filters]
    return tf.concat(pooled, -1)


def clipped_embedding(ids):
    return tf.nn.embedding_lookup(table(20, 4, 1), tf.clip_by_value(ids, 0, 19), max_norm=0.8)


def factorized(ids):
    return tf.gather(table(20, 2, 1), ids) @ table(2, 6, 2)


def hashed_embedding(ids):
    """Buckets by a multiplication and a remainder, as on-device models have them."""
    return tf.gather(table(8, 3, 1),
                     tf.math.floormod(ids * 31 + 7, 8)) + tf.gather(table(8, 3, 2), tf.bitwise.bitwise_and(ids, 7))


def n_grams(ids):
    pairs = ids[:, :-1] * 10 + ids[:, 1:]
    return tf.math.bincount(pairs, minlength=100, maxlength=100, axis=-1, binary_output=True)


def tf_idf(ids):
    counts = tf.math.bincount(ids, minlength=10, maxlength=10, axis=-1)
    weights = tf.math.log(10.0 / tf.range(1.0, 11.0))
    return tf.math.l2_normalize(tf.cast(counts, tf.float32) * weights, -1)


def sparse_lookup(ids):
    """Several ids per row, averaged: safe_embedding_lookup_sparse, with a static sparsity."""
    sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ids, [2, 2])
    return tf.nn.embedding_lookup_sparse(table(9, 3, 1), sparse, None, combiner="mean")


def sparse_lookup_fed(ids, rows):
    sparse = tf.SparseTensor(tf.stack([rows, tf.zeros_like(rows)], 1), ids, [3, 1])
    return tf.nn.safe_embedding_lookup_sparse(table(9, 3, 1), sparse, combiner="sqrtn")


def from_dense(ids):
    return tf.nn.embedding_lookup_sparse(table(9, 3, 1), tf.sparse.from_dense(ids), None, combiner="sum")


def conditional_random_field(scores):
    """Viterbi's best path."""
    moves = table(3, 3, 7)
    best, back = scores[0], []
    for i in range(1, 4):
        total = best[:, None] + moves
        back.append(tf.argmax(total, 0, tf.int32))
        best = tf.reduce_max(total, 0) + scores[i]
    path = [tf.argmax(best, output_type=tf.int32)]
    for step in reversed(back):
        path.append(tf.gather(step, path[-1]))
    return tf.stack(path[::-1]), tf.reduce_max(best)


def span_answer(start, end):
    """The best pair of a start and an end behind it, as question answering chooses it."""
    pairs = tf.linalg.band_part(tf.nn.softmax(start)[:, :, None] * tf.nn.softmax(end)[:, None], 0, 3)
    return tf.argmax(tf.reduce_max(pairs, 2), 1), tf.argmax(tf.reduce_max(pairs, 1), 1)


def sinusoidal(ids):
    angles = tf.range(6.0)[:, None] / tf.pow(10000.0, tf.range(0.0, 8.0, 2.0) / 8.0)
    return tf.gather(table(20, 8, 1), ids) + tf.concat([tf.sin(angles), tf.cos(angles)], -1)


def retrieval(query):
    documents = tf.math.l2_normalize(table(30, 4, 8), -1)
    return tf.math.top_k(tf.matmul(tf.math.l2_normalize(query, -1), documents, transpose_b=True), 4)


def ctc_greedy(logits):
    decoded, score = tf.nn.ctc_greedy_decoder(logits, [5])
    return tf.sparse.to_dense(decoded[0], -1), score


def merge_repeated(logits):
    """Greedy CTC as TFLite models write it: what repeats or is blank becomes -1."""
    best = tf.argmax(logits, -1, tf.int32)
    before = tf.pad(best[:, :-1], [[0, 0], [1, 0]], constant_values=-1)
    return tf.where((best != before) & (best != 3), best, -1)


def edit_distance(a, b):
    def row(before, symbol):
        i, costs = before
        first = costs[0] + 1.0
        replace = costs[:-1] + tf.cast(b != symbol, tf.float32)
        least = tf.minimum(replace, costs[1:] + 1.0)
        out = tf.concat([[first], least], 0)
        ramp = tf.range(5.0)
        return i + 1, tf.scan(tf.minimum, out - ramp) + ramp
    return tf.scan(row, a, (0, tf.range(5.0)))[1][-1, -1]


def on_strings(text):
    words = tf.strings.split(tf.strings.lower(text)[0], " ").to_tensor("")
    ids = tf.strings.to_hash_bucket_fast(words, 20)
    return tf.reduce_mean(tf.gather(table(20, 4, 1), ids), 1)


def label_of_class(x):
    labels = tf.constant(["cat", "dog", "cow"])
    return tf.gather(labels, tf.argmax(tf.nn.softmax(x), -1))


class Vocabulary(tf.Module):
    def __init__(self):
        super().__init__()
        keys = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([3, 5], tf.int64))
        self.table = tf.lookup.StaticHashTable(keys, 0)

    def run(self, words):
        return {"rows": tf.gather(table(9, 3, 1), self.table.lookup(words))}


class Ids(tf.Module):
    def __init__(self):
        super().__init__()
        keys = tf.lookup.KeyValueTensorInitializer(tf.constant([7, 8, 19], tf.int64), tf.constant([1, 2, 3], tf.int64))
        self.table = tf.lookup.StaticVocabularyTable(keys, 4)

    def run(self, ids):
        return {"buckets": self.table.lookup(ids)}


LOOKUP = "StatefulPartitionedCall/StatefulPartitionedCall/None_Lookup/LookupTableFindV2"
HASH = "StatefulPartitionedCall/StatefulPartitionedCall/None_Lookup/hash_bucket"
MODELS = [
    frozen("bag_of_words", bag_of_words, integers(2, 6, high=20)),
    frozen("text_cnn_int64", text_cnn, integers(1, 8, high=20, dtype="int64")),
    frozen("embedding_clipped_and_normed", clipped_embedding, integers(1, 5, low=-3, high=25)),
    frozen("embedding_factorized", factorized, integers(1, 5, high=20)),
    frozen("embedding_hashed", hashed_embedding, integers(1, 5, high=99)),
    frozen("n_grams_multi_hot", n_grams, integers(2, 6)),
    frozen("tf_idf", tf_idf, integers(2, 6)),
    frozen("embedding_lookup_sparse_static", sparse_lookup, integers(3, high=9)),
    frozen("embedding_lookup_sparse_fed_rows", sparse_lookup_fed, integers(2, high=9, dtype="int64"),
           given(np.array([0, 2]), "int64")),
    frozen("embedding_lookup_sparse_from_dense", from_dense, integers(2, 4, high=9)),
    frozen("viterbi_path", conditional_random_field, f32(4, 3)),
    frozen("answer_span", span_answer, f32(1, 8, high=4), f32(1, 8, high=4)),
    frozen("positions_sinusoidal", sinusoidal, integers(1, 6, high=20)),
    frozen("retrieval_top_k", retrieval, f32(2, 4)),
    frozen("ctc_greedy_decoder", ctc_greedy, f32(5, 1, 4, low=-3, high=3)),
    frozen("ctc_greedy_by_where", merge_repeated, f32(1, 8, 4, low=-3, high=3)),
    frozen("edit_distance_by_scan", edit_distance, integers(6, high=4), integers(4, high=4)),
    frozen("strings_hashed_in_front", on_strings, given(STRINGS, "string"),
           cut={"feeds": {"StringToHashBucketFast": integers(2, 2, high=20, dtype="int64")}}),
    frozen("labels_behind", label_of_class, f32(1, 3), cut={"outputs": ["ArgMax"]}),
    saved("vocabulary_of_strings", Vocabulary, given(np.array(["b", "x"], object), "string"),
          cut={"feeds": {LOOKUP: integers(2, high=9, dtype="int64")}, "outputs": [],
               "expected": lambda ids: {"rows": table(9, 3, 1).numpy()[ids]}}),
    saved("vocabulary_of_ids", Ids, integers(1, 5, low=5, high=22, dtype="int64"),
          cut={"feeds": {"ids": integers(1, 5, low=5, high=22, dtype="int64"), HASH: integers(1, 5, high=4, dtype="int64")}, "outputs": [],
               "expected": lambda ids, hashes: {"buckets": np.vectorize({7: 1, 8: 2, 19: 3}.get)(ids, hashes + 3)}}),
]

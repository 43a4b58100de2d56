# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import F32_MAX, case, normal, rng, write
import tensorflow as tf

raw = tf.raw_ops
DTYPES = {np.float32: 1, np.float16: 2, np.int32: 3, np.int64: 4, np.float64: 10}  # schema/plan.fbs
KEY = np.array([0x0123456789ABCDEF], np.uint64)
COUNTER = np.array([7, 0xFEDCBA9876543210], np.uint64)
ALMOST = np.array([2**64 - 3, 2**64 - 1], np.uint64)  # the counter's low half overflows, then all of it


def random(name, kind, dtype, shape, inputs, output, *, key=KEY, counter=COUNTER, why="", error=None):
    attrs = {"kind": kind, "dtype": DTYPES[dtype], "shape": list(shape)}
    generator = [key.view(np.int64), counter.view(np.int64)]
    return case(name, attrs, generator + inputs, [] if output is None else [output], why, error=error)


def reals(name, kind, dtype, shape, key=KEY, counter=COUNTER, **rest):
    op = {"Uniform": raw.StatelessRandomUniformV2, "Normal": raw.StatelessRandomNormalV2,
          "TruncatedNormal": raw.StatelessTruncatedNormalV2}[kind]
    numbers = op(shape=shape, key=key, counter=counter, alg=1, dtype=dtype).numpy()
    return random(name, kind, dtype, shape, [], numbers.astype(np.float32), key=key, counter=counter, **rest)


def integers(name, dtype, shape, bounds=None, key=KEY, counter=COUNTER, **rest):
    common = {"shape": shape, "key": key, "counter": counter, "alg": 1}
    if bounds is None:
        numbers = raw.StatelessRandomUniformFullIntV2(dtype=dtype, **common).numpy()
        return random(name, "Integer", dtype, shape, [], numbers, key=key, counter=counter, **rest)
    low, high = (np.array(bound, dtype) for bound in bounds)
    numbers = raw.StatelessRandomUniformIntV2(minval=low, maxval=high, **common).numpy()
    return random(name, "Integer", dtype, shape, [low, high], numbers, key=key, counter=counter, **rest)


def permutation(name, count, key=KEY, counter=COUNTER):
    order = raw.StatelessShuffle(value=np.arange(count, dtype=np.int32), key=key, counter=counter, alg=1).numpy()
    return random(name, "Permutation", np.int32, [count], [], order, key=key, counter=counter)


def categorical(name, logits, samples, why=""):
    """TensorFlow supports only a seed, or seeds that are the key and the counter's upper half."""
    logits = np.asarray(logits, np.float32)
    with tf.Graph().as_default():
        classes = raw.Multinomial(logits=logits, num_samples=samples, seed=0x123456789, seed2=-77)
        with tf.compat.v1.Session() as session:
            expected = session.run(classes)
    return random(name, "Categorical", np.int64, expected.shape, [logits], expected,
                  key=np.array([0x123456789], np.uint64), counter=np.array([0, 2**64 - 77], np.uint64), why=why)


SHAPES = {"scalar": [], "one": [1], "odd": [7], "matrix": [3, 5], "rank_4": [2, 1, 3, 3], "empty": [3, 0],
          "many": [5000]}
CASES = []
for kind in ("Uniform", "Normal", "TruncatedNormal"):
    low = kind.lower()
    CASES += [reals(f"{low}_{name}", kind, np.float32, shape) for name, shape in SHAPES.items()]
    for name, dtype in (("f16", np.float16), ("f64", np.float64)):
        if kind == "Uniform" or dtype == np.float64:
            CASES += [reals(f"{low}_{name}_{n}", kind, dtype, SHAPES[n]) for n in ("one", "odd", "matrix", "empty")]
    CASES.append(reals(f"{low}_counter_overflows", kind, np.float32, [19], counter=ALMOST))
    CASES.append(reals(f"{low}_zeros", kind, np.float32, [9], key=np.zeros(1, np.uint64), counter=np.zeros(2, np.uint64)))
for name, dtype in (("i32", np.int32), ("i64", np.int64)):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    CASES += [integers(f"{name}_{n}", dtype, shape) for n, shape in SHAPES.items() if n != "many"]
    CASES += [integers(f"{name}_{n}_bounded", dtype, shape, (-3, 11)) for n, shape in SHAPES.items() if n != "many"]
    CASES += [integers(f"{name}_one_number", dtype, [5], (4, 5)),
              integers(f"{name}_half_of_all", dtype, [9], (0, high)),
              integers(f"{name}_nearly_all", dtype, [9], (low, high), why="more than a signed number of the dtype counts"),
              integers(f"{name}_counter_overflows", dtype, [19], counter=ALMOST),
              random(f"{name}_no_numbers", "Integer", dtype, [2], [np.array(5, dtype), np.array(5, dtype)], None,
                     error="bad_index"),
              random(f"{name}_bounds_wrong_way", "Integer", dtype, [2], [np.array(5, dtype), np.array(-5, dtype)], None,
                     error="bad_index")]
CASES += [permutation(f"permutation_{count}", count) for count in (0, 1, 2, 3, 4, 5, 17, 1000)]
CASES.append(permutation("permutation_counter_overflows", 40, counter=ALMOST))
CASES += [
    categorical("classes_one_sample", normal(rng(1), 1, 6), 1),
    categorical("classes_rows", normal(rng(2), 4, 9), 5),
    categorical("classes_many", normal(rng(3), 1, 400) * 3, 200),
    categorical("classes_single", normal(rng(4), 3, 1), 4),
    categorical("classes_no_samples", normal(rng(5), 3, 2), 0),
    categorical("classes_no_rows", normal(rng(5), 0, 2), 3),
    categorical("classes_masked", [[-np.inf, 1, -np.inf, 1], [np.nan, 2, np.inf, -np.inf]], 9, why="only 1 and 3"),
    categorical("classes_none_possible", [[-np.inf, np.nan, -np.inf]], 3, why="the number of classes"),
    categorical("classes_large_logits", [[1e30, -1e30, 1e30, 0], [F32_MAX, F32_MAX, -F32_MAX, 0]], 8),
    random("permutation_rank_2", "Permutation", np.int32, [2, 2], [], None, error="invalid_plan"),
    random("permutation_i64", "Permutation", np.int64, [2], [], None, error="invalid_plan"),
    random("uniform_i32", "Uniform", np.int32, [2], [], None, error="invalid_plan"),
    random("integer_f32", "Integer", np.float32, [2], [], None, error="invalid_plan"),
    random("integer_one_bound", "Integer", np.int32, [2], [np.int32(3)], None, error="invalid_plan"),
    random("integer_other_bounds", "Integer", np.int32, [2], [np.int64(3), np.int64(5)], None, error="invalid_plan"),
    random("uniform_with_bounds", "Uniform", np.float32, [2], [np.float32(3), np.float32(5)], None,
           error="invalid_plan"),
    random("classes_other_rows", "Categorical", np.int64, [3, 2], [normal(rng(1), 2, 4)], None, error="invalid_plan"),
    random("classes_vector", "Categorical", np.int64, [4], [normal(rng(1), 4)], None, error="invalid_plan"),
    random("classes_i32", "Categorical", np.int32, [2, 2], [normal(rng(1), 2, 4)], None, error="invalid_plan"),
    random("key_of_two", "Uniform", np.float32, [2], [], None, key=np.zeros(2, np.uint64), error="invalid_plan"),
    random("counter_of_one", "Uniform", np.float32, [2], [], None, counter=np.zeros(1, np.uint64),
           error="invalid_plan"),
    random("negative_shape", "Uniform", np.float32, [2, -1], [], None, error="invalid_plan"),
    random("rank_9", "Uniform", np.float32, [1] * 9, [], None, error="invalid_plan"),
    case("no_kind", {"dtype": 1, "shape": [2]}, [np.zeros(1, np.int64), np.zeros(2, np.int64)], [],
         error="invalid_plan"),
    case("no_counter", {"kind": "Uniform", "dtype": 1, "shape": [2]}, [np.zeros(1, np.int64)], [],
         error="invalid_plan"),
]
write("Random", CASES)

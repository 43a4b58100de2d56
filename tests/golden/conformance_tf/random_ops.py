# SPDX-License-Identifier: Apache-2.0
"""Random numbers: from seeds, from keys and counters, and streams that continue from run to run."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(95)
family = Family("random")
SHAPES = {name: np.array(shape, np.int32) for name, shape in
          {"scalar": [], "five": [5], "matrix": [3, 7], "empty": [0, 4], "rank_4": [2, 1, 3, 5]}.items()}
SEEDS = {"scalar": [1, 2], "five": [-3, 7], "matrix": [0, 0], "empty": [5, 6], "rank_4": [-2**31, 2**31 - 1]}
LARGE_SEEDS = {"scalar": [2**40 + 3, -5], "five": [-2**63, 2**63 - 1], "matrix": [0, -2**50], "empty": [1, 1],
               "rank_4": [3 * 2**33, 2**62]}
FLOATS = {"uniform": "Uniform", "normal": "Normal", "truncated": "TruncatedNormal"}


def stateless(kind, form=""):
    return getattr(raw, ("Stateless" if "Truncated" in kind else "StatelessRandom") + kind + form)


def key_counter(seed):
    return dict(zip(("key", "counter"), raw.StatelessRandomGetKeyCounter(seed=seed), strict=True))


# --- From a seed that is a constant or fed, 32 or 64 bits wide.
for low, kind in FLOATS.items():
    for name, shape in SHAPES.items():
        family.case(f"{low}_{name}", lambda: stateless(kind)(shape=shape, seed=SEEDS[name], dtype=tf.float32))
        family.case(f"{low}_v2_{name}", lambda seed: stateless(kind, "V2")(
            shape=shape, **key_counter(seed), alg=1 if name == "five" else 3, dtype=tf.float32),
                    {"seed": np.array(LARGE_SEEDS[name], np.int64)})
    family.case(f"{low}_fed", lambda seed: stateless(kind)(shape=[3, 3], seed=seed, dtype=tf.float32),
                {"seed": np.array([-7, 2**31 - 5], np.int32)})
    for dtype in (tf.float16, tf.float64):
        for name in ("five", "matrix"):
            family.case(f"{low}_{dtype.name}_{name}", lambda seed: stateless(kind, "V2")(
                shape=SHAPES[name], **key_counter(seed), alg=1, dtype=dtype), {"seed": np.array([11, -4], np.int32)})
    family.case(f"{low}_varying", lambda x: stateless(kind, "V2")(
        shape=tf.shape(x), **key_counter([3, 4]), alg=3, dtype=tf.float32) + x,
                {"x": normal(g, 5, 3)}, largest={"x": [9, 3]})

for dtype in (tf.int32, tf.int64):
    bounds = {"scalar": (0, 2), "five": (-1000, 1000), "matrix": (dtype.min, dtype.max), "empty": (0, 1),
              "rank_4": (7, 8)}
    for name, shape in SHAPES.items():
        low, high = (tf.constant(bound, dtype).numpy() for bound in bounds[name])
        family.case(f"int_{dtype.name}_{name}", lambda: raw.StatelessRandomUniformInt(
            shape=shape, seed=SEEDS[name], minval=low, maxval=high))
        family.case(f"int_v2_{dtype.name}_{name}", lambda seed, low, high: raw.StatelessRandomUniformIntV2(
            shape=shape, **key_counter(seed), alg=3, minval=low, maxval=high),
                    {"seed": np.array(LARGE_SEEDS[name], np.int64), "low": low, "high": high})
        family.case(f"full_int_{dtype.name}_{name}", lambda: raw.StatelessRandomUniformFullInt(
            shape=shape, seed=SEEDS[name], dtype=dtype))
        family.case(f"full_int_v2_{dtype.name}_{name}", lambda seed: raw.StatelessRandomUniformFullIntV2(
            shape=shape, **key_counter(seed), alg=1, dtype=dtype), {"seed": np.array(LARGE_SEEDS[name], np.int64)})
family.case("int_varying", lambda x: raw.StatelessRandomUniformIntV2(
    shape=tf.shape(x), **key_counter([3, 4]), alg=3, minval=-2, maxval=9), {"x": normal(g, 5, 3)},
            largest={"x": [9, 3]})

LOGITS = {"row": normal(g, 1, 7), "rows": normal(g, 4, 5) * 2, "one_class": normal(g, 2, 1),
          "no_rows": normal(g, 0, 3), "masked": np.array([[-np.inf, 0, np.nan, 1], [2, np.inf, 0, 0]], np.float32)}
for name, logits in LOGITS.items():
    samples = 1 if name == "row" else 6
    family.case(f"classes_{name}", lambda logits: raw.StatelessMultinomial(
        logits=logits, num_samples=samples, seed=[3, -9]), {"logits": logits})
family.case("classes_int32", lambda logits, seed: raw.StatelessMultinomial(
    logits=logits, num_samples=3, seed=seed, output_dtype=tf.int32),
            {"logits": LOGITS["rows"], "seed": np.array([1, 2**45], np.int64)})
for dtype in (np.float16, np.float64):
    family.case(f"classes_of_{np.dtype(dtype).name}", lambda logits: raw.StatelessMultinomial(
        logits=logits, num_samples=5, seed=[1, 2]), {"logits": (LOGITS["rows"] * 2).astype(dtype)})
family.case("classes_varying", lambda logits: raw.StatelessMultinomial(
    logits=logits, num_samples=3, seed=[1, 2]), {"logits": LOGITS["rows"]}, largest={"logits": [7, 5]})

VALUES = {"five": normal(g, 5), "matrix": normal(g, 9, 2), "one": normal(g, 1, 3), "scalar": normal(g),
          "empty": normal(g, 0, 2), "none": normal(g, 4, 0), "flags": normal(g, 13) > 0}
for name, value in VALUES.items():
    family.case(f"shuffle_{name}", lambda x, seed: raw.StatelessShuffle(value=x, **key_counter(seed), alg=1),
                {"x": value, "seed": np.array([8, 9], np.int32)})


def with_own_key(seed):
    """The key of one seed and the counter of another, sliced and concatenated in between."""
    key, _, alg = raw.StatelessRandomGetKeyCounterAlg(seed=seed)
    counter = raw.StatelessRandomGetKeyCounterAlg(seed=seed + 1)[1]
    return {"key": tf.reshape(key, [1, 1])[0], "counter": tf.concat([counter[1:], counter], 0), "alg": alg}


for name, shape in SHAPES.items():
    seed = {"seed": np.array(SEEDS[name], np.int32)}
    family.case(f"algorithm_{name}", lambda seed: raw.StatelessRandomUniformV2(shape=shape, **with_own_key(seed)), seed)
    family.case(f"asked_algorithm_{name}", lambda seed: raw.StatelessRandomNormalV2(
        shape=shape, **key_counter(seed), alg=raw.StatelessRandomGetAlg()), seed)
family.case("twice_the_same", lambda: [tf.random.stateless_normal([4], [1, 2]), tf.random.stateless_normal([4], [1, 2])])
family.case("by_python", lambda x: x + tf.random.stateless_uniform([3, 2], [4, 5], -1.0, 3.0), {"x": normal(g, 3, 2)})
family.case("split_seeds", lambda seed: tf.random.stateless_uniform(
    [4], tf.random.split(seed, 3)[1]), {"seed": np.array([6, 7], np.int32)})
family.case("folded_seed", lambda seed: tf.random.stateless_normal(
    [4], tf.random.fold_in(seed, 12)), {"seed": np.array([6, 7], np.int32)})
family.write()

# --- Streams that continue: several runs of one session.
family = Family("random_runs")
STATEFUL = {"uniform": raw.RandomUniform, "normal": raw.RandomStandardNormal, "truncated": raw.TruncatedNormal}
PAIRS = {"scalar": (1, 2), "five": (-3, 2**40), "matrix": (0, 9), "empty": (9, 0), "rank_4": (2**63 - 1, -2**63)}


def seeds(name):
    return dict(zip(("seed", "seed2"), PAIRS[name], strict=True))


for low, op in STATEFUL.items():
    for name, shape in SHAPES.items():
        family.case(f"{low}_{name}", lambda: op(shape=shape, dtype=tf.float32, **seeds(name)), runs=3)
    for dtype in (tf.float16, tf.float64):
        family.case(f"{low}_{dtype.name}", lambda: op(shape=[7], dtype=dtype, seed=1, seed2=2), runs=2)
    family.case(f"{low}_varying", lambda x: op(shape=tf.shape(x), dtype=tf.float32, seed=1, seed2=2) + x,
                {"x": normal(g, 5, 3)}, largest={"x": [9, 3]}, runs=3)
for dtype in (tf.int32, tf.int64):
    for name, shape in SHAPES.items():
        family.case(f"int_{dtype.name}_{name}", lambda low, high: raw.RandomUniformInt(
            shape=shape, minval=low, maxval=high, **seeds(name)),
                    {"low": np.array(-100, dtype.as_numpy_dtype), "high": np.array(50, dtype.as_numpy_dtype)}, runs=3)
for name, logits in LOGITS.items():
    samples = 1 if name == "row" else 6
    family.case(f"classes_{name}", lambda logits: raw.Multinomial(
        logits=logits, num_samples=samples, seed=3, seed2=-9), {"logits": logits}, runs=4)
family.case("classes_int32", lambda logits: raw.Multinomial(
    logits=logits, num_samples=3, seed=3, seed2=1, output_dtype=tf.int32), {"logits": LOGITS["rows"]}, runs=3)
family.case("classes_varying", lambda logits: raw.Multinomial(
    logits=logits, num_samples=3, seed=1, seed2=2), {"logits": LOGITS["rows"]}, largest={"logits": [7, 5]}, runs=3)
for name, value in VALUES.items():
    family.case(f"shuffle_{name}", lambda x: raw.RandomShuffle(value=x, seed=8, seed2=9), {"x": value}, runs=4)

# Each op has its own generator, even if another op has the same seeds.
family.case("two_of_one_seed", lambda: [raw.RandomUniform(shape=[3], dtype=tf.float32, seed=1, seed2=2),
                                        raw.RandomUniform(shape=[5], dtype=tf.float32, seed=1, seed2=2)], runs=3)
family.case("noise", lambda x: x + 0.1 * tf.random.normal([2, 3], seed=5), {"x": normal(g, 2, 3)}, runs=3)


def drawn_in_a_loop(x):
    """All iterations share one generator."""
    return tf.while_loop(lambda i, _: i < 3, lambda i, y: (
        i + 1, y * 0.5 + raw.RandomStandardNormal(shape=[4], dtype=tf.float32, seed=6, seed2=7)),
                         [tf.constant(0), x], parallel_iterations=1)[1]


def drawn_in_loops(x):
    return tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, drawn_in_a_loop(y)), [tf.constant(0), x],
                         parallel_iterations=1)[1]


def drawn_in_an_arm(x):
    return tf.cond(tf.shape(x)[0] > 3, lambda: x + raw.RandomUniform(shape=[4], dtype=tf.float32, seed=8, seed2=1),
                   lambda: x - raw.RandomUniform(shape=[4], dtype=tf.float32, seed=8, seed2=1))


four = {"x": normal(g, 4)}
family.case("loop", drawn_in_a_loop, four, runs=3)
family.case("loop_in_loop", drawn_in_loops, four, runs=3)
family.case("arm", drawn_in_an_arm, four, runs=3)
family.case("map", lambda x: tf.map_fn(lambda row: row + raw.RandomUniform(
    shape=SHAPES["scalar"], dtype=tf.float32, seed=3, seed2=3), x, parallel_iterations=1), four, runs=3)
family.write()

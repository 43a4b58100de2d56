# SPDX-License-Identifier: Apache-2.0
"""Cases of Select.  (A file called select.py would hide Python's own module of that name.)"""
import numpy as np

from cases import case, rng, write
from elementwise_inputs import EDGES, INTS, integers, name_of, spread
import tensorflow as tf


def mask(*shape, seed=0):
    return rng(seed).random(shape) < 0.5


def select(name, condition, a, b, why=""):
    if a.dtype in (np.uint16, np.int16):  # TensorFlow has no kernel for some of these
        y = np.where(condition, a, b)
    else:
        y = tf.raw_ops.SelectV2(condition=condition, t=a, e=b).numpy()
    return case(name, {}, [condition, a, b], [y], why)


def both(*shape):
    return spread(*shape, seed=1), spread(*shape, seed=2)


CASES = [
    select("same_shape", mask(3, 7), *both(3, 7)),
    select("scalar_condition", np.bool_(True), *both(3, 7)),
    select("scalar_condition_false", np.bool_(False), *both(3, 7)),
    select("scalar_values", mask(4, 5), np.float32(1), np.float32(-1)),
    select("scalar_else", mask(4, 5), spread(4, 5), np.float32(0), why="attention mask"),
    select("condition_per_row", mask(4, 1), *both(4, 5)),
    select("condition_per_column", mask(5), *both(4, 5)),
    select("all_three_broadcast", mask(4, 1, 1), spread(1, 3, 1), spread(1, 1, 5)),
    select("condition_grows", mask(2, 3, 4), spread(4), spread(3, 1)),
    select("rank_6", mask(2, 1, 2, 1, 3, 1), spread(1, 2, 1, 2, 1, 2), spread(2, 2, 1, 1, 1, 1)),
    select("special_values",
           np.resize([True, False], EDGES.size),
           EDGES,
           EDGES[::-1].copy(),
           why="NaN of the other branch must not leak"),
    select("long", mask(2, 701), spread(701), spread(2, 1)),
    select("empty", mask(0, 3), spread(3), spread(1)),
    select("scalars", np.bool_(False), np.float32(1), np.float32(2)),
    select("bools", mask(9), mask(9, seed=1), mask(9, seed=2)),
    select("f16", mask(9),
           spread(9).astype(np.float16), np.float16(0)),
] + [
    select(f"dtype_{name_of(d)}", mask(3, 5), integers(d, 3, 5, seed=1), integers(d, 5, seed=2))
    for d in INTS
]
CASES += [
    dict(case("float_condition", {}, [spread(2), *both(2)], []), error="invalid_plan"),
    dict(case("two_dtypes", {}, [mask(2), spread(2), np.zeros(2, np.int32)], []),
         error="invalid_plan"),
    dict(case("no_broadcast", {}, [mask(3), *both(2)], []), error="invalid_plan"),
]
write("Select", CASES)

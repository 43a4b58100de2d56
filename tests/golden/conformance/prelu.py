# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, constant, write
from elementwise_inputs import EDGES, spread
import tensorflow as tf


def prelu(name, x, alpha, why="", known=False):
    y = tf.where(x >= 0, x, alpha * x).numpy()
    return case(name, {}, [x, constant(alpha) if known else alpha], [y], why)


CASES = [
    prelu("channels", spread(2, 3, 4, 5), spread(5, seed=1)),
    prelu("short_channels", spread(2, 5, 7, 3), spread(3, seed=1)),
    prelu("keras_shared_axes", spread(2, 3, 4, 5), spread(1, 1, 5, seed=1)),
    prelu("keras_unshared", spread(2, 3, 4, 5), spread(3, 4, 5, seed=1)),
    prelu("one_slope", spread(2, 3, 4), spread(1, seed=1)),
    prelu("scalar_slope", spread(2, 3, 4), np.float32(0.25)),
    prelu("same_shape", spread(2, 3), spread(2, 3, seed=1)),
    prelu("per_row", spread(4, 6), spread(4, 1, seed=1)),
    prelu("special_values", EDGES, np.float32(0.5)),
    prelu("steep", spread(9), np.float32(-2.0), why="negative slope"),
    prelu("scalar", np.float32(-2), np.float32(0.5)),
    prelu("empty", spread(0, 3), spread(3)),
    prelu("long", spread(2, 701), spread(701, seed=1)),
    # In models slopes are constants, which backends pack.
    prelu("known_channels", spread(2, 3, 4, 5), spread(5, seed=1), known=True),
    prelu("known_shared_axes", spread(2, 3, 4, 16), spread(1, 1, 16, seed=1), known=True),
    prelu("known_unshared", spread(2, 3, 4, 5), spread(3, 4, 5, seed=1), known=True),
    prelu("known_scalar", spread(2, 3, 4), np.float32(0.25), known=True),
    prelu("known_steep", spread(7, 8), spread(8, seed=2) * 4, known=True),
    prelu("known_long", spread(3, 701), spread(701, seed=1), known=True),
    prelu("known_special_values", EDGES.reshape(-1, 1), np.float32([0.5]), known=True),
    dict(case("alpha_too_big", {}, [spread(3), spread(2, 3)], []), error="invalid_plan"),
    dict(case("alpha_mismatch", {}, [spread(2, 3), spread(2)], []), error="invalid_plan"),
]
write("Prelu", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from elementwise_inputs import spread
import tensorflow as tf


def l2_normalize(name, x, epsilon=1e-12, why=""):
    y = tf.math.l2_normalize(x, axis=-1, epsilon=epsilon).numpy()
    return case(name, {"epsilon": epsilon}, [x], [y], why)


CASES = [
    l2_normalize("rows", spread(4, 8)),
    l2_normalize("odd_width", spread(3, 5, 7)),
    l2_normalize("embedding", spread(2, 128)),
    l2_normalize("vector", spread(33)),
    l2_normalize("image", spread(1, 3, 4, 6)),
    l2_normalize("one_channel", spread(5, 1)),
    l2_normalize("zeros", np.zeros((2, 9), np.float32), why="epsilon, not NaN"),
    l2_normalize("below_epsilon",
                 spread(2, 9) * np.float32(1e-8)),
    l2_normalize("large_epsilon", spread(2, 9), 1e4),
    l2_normalize("long", spread(1, 2051)),
    l2_normalize("no_rows", spread(0, 4)),
    l2_normalize("no_columns", spread(4, 0)),
    l2_normalize("nan", np.array([[1, np.nan], [3, 4]], np.float32)),
    l2_normalize("infinity", np.array([[1, np.inf]], np.float32)),
    dict(case("negative_epsilon", {"epsilon": -1.0}, [spread(2, 3)], []), error="invalid_plan"),
    dict(case("scalar", {"epsilon": 0.1}, [np.float32(1)], []), error="invalid_plan"),
]
write("L2Normalize", CASES)

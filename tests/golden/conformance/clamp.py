# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, output_range, write
from elementwise_inputs import EDGES, spread
import tensorflow as tf


def clamp(name, x, low, high, why=""):
    y = tf.minimum(tf.maximum(tf.constant(x), low), high).numpy()
    return case(name, {"range": output_range(low, high)}, [x], [y], why)


INF = np.inf
CASES = [
    clamp("relu", spread(2, 3, 7), 0.0, INF),
    clamp("relu6", spread(2, 3, 7, high=12.0), 0.0, 6.0),
    clamp("relu_n1_to_1", spread(3, 5), -1.0, 1.0),
    clamp("upper_only", spread(3, 5), -INF, 1.5),
    clamp("special_values", EDGES, 0.0, 6.0, why="NaN stays NaN"),
    clamp("special_values_relu", EDGES, 0.0, INF),
    clamp("special_values_upper", EDGES, -INF, 2.0),
    clamp("point", spread(9), 2.0, 2.0),
    clamp("scalar", np.float32(-3), 0.0, 6.0),
    clamp("empty", spread(0, 2), 0.0, 6.0),
    clamp("rank_6", spread(1, 2, 1, 3, 2, 1), -2.0, 0.5),
    clamp("long", spread(1031), -0.25, 0.75),
    case("no_range", {}, [spread(5)], [spread(5)]),
    dict(case("upside_down", {"range": output_range(1, 0)}, [spread(2)], []), error="invalid_plan"),
    dict(case("nan_bound", {"range": output_range(np.nan, 0)}, [spread(2)], []),
         error="invalid_plan"),
    dict(case("integers", {"range": output_range(0, 6)}, [np.zeros(2, np.int32)], []),
         error="invalid_plan"),
]
write("Clamp", CASES)

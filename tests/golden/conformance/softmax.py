# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, write
from elementwise_inputs import spread
import tensorflow as tf

NAN, INF = np.nan, np.inf


def softmax(name, x, why=""):
    return [
        case(name, {}, [x], [tf.nn.softmax(x).numpy()], why, tolerance=1e-6),
        case(f"log_{name}", {"log": True}, [x], [tf.nn.log_softmax(x).numpy()], why, tolerance=1e-6)
    ]


CASES = sum([
    softmax("classes", spread(4, 10)),
    softmax("odd_width", spread(3, 7, 5), why="tails of vector loops"),
    softmax("one_class", spread(4, 1), why="exactly 1"),
    softmax("vector", spread(17)),
    softmax("rank_4", spread(2, 2, 3, 9)),
    softmax("imagenet", spread(2, 1001)),
    softmax("attention", spread(1, 2, 4, 64)),
    softmax("two", spread(8, 2)),
    softmax("large_logits",
            spread(2, 501, low=-200, high=200),
            why="exp overflows unless the maximum is subtracted"),
    softmax("huge_logits", np.array([[1e30, -1e30, 3], [3e38, 3e38, -3e38]], np.float32)),
    softmax("masked",
            np.array([[1, 2, -INF, 3], [-INF, 5, -INF, -INF], [-1e9, 0, 1, -1e9]], np.float32)),
    softmax("all_masked", np.full((1, 5), -INF, np.float32), why="NaN"),
    softmax("infinity", np.array([[1, INF, 2]], np.float32)),
    softmax("nan", np.array([[1, NAN, 2], [1, 2, 3]], np.float32)),
    softmax("equal", np.full((2, 33), 7, np.float32)),
    softmax("empty", spread(0, 5)),
    softmax("no_classes", spread(5, 0)),
], [])
CASES += [
    dict(case("scalar", {}, [np.float32(1)], []), error="invalid_plan"),
    dict(case("integers", {}, [np.zeros(3, np.int32)], []), error="invalid_plan"),
]
write("Softmax", CASES)

# SPDX-License-Identifier: Apache-2.0
import numpy as np

from cases import case, rng, write
from elementwise_inputs import integers, spread
import tensorflow as tf


def top_k(name, x, k, sorted=True, why=""):
    values, indices = tf.raw_ops.TopKV2(input=x, k=k, sorted=True)
    return case(name, {"k": k, "sorted": sorted}, [x], [values.numpy(), indices.numpy()], why)


INF = np.inf
NAN_ROW = np.array([[1, np.nan, 3, np.nan, 2]], np.float32)
CASES = [
    top_k("classes", spread(3, 10), 5),
    top_k("best", spread(3, 10), 1),
    top_k("all", spread(3, 10), 10, why="a sort"),
    top_k("none", spread(3, 10), 0),
    top_k("vector", spread(37), 3),
    top_k("rank_4", spread(2, 1, 3, 9), 2),
    top_k("ties", rng(1).integers(0, 4, (5, 30)).astype(np.float32), 12, why="smaller index first"),
    top_k("equal", np.full((2, 20), 3, np.float32), 7, why="smaller index first"),
    top_k("infinities", np.array([[INF, -INF, 0, INF, -INF]], np.float32), 4),
    top_k("zeros", np.array([[-0.0, 0.0, -0.0, 0.0]], np.float32), 3, why="-0 equals 0"),
    top_k("long", spread(2, 1003), 20),
    top_k("imagenet", spread(1, 1001), 5),
    top_k("one_column", spread(4, 1), 1),
    top_k("unsorted", spread(3, 10), 4, sorted=False, why="any order is allowed; ours is sorted"),
    top_k("no_rows", spread(0, 5), 2),
    top_k("i32", integers(np.int32, 3, 20), 6),
    top_k("i64", integers(np.int64, 3, 20), 6),
    top_k("u8", integers(np.uint8, 3, 50), 9),
    top_k("i8", integers(np.int8, 3, 50), 9),
    case("nan", {
        "k": 4,
        "sorted": True
    }, [NAN_ROW],
         [np.array([[np.nan, np.nan, 3, 2]], np.float32),
          np.array([[1, 3, 2, 4]], np.int32)],
         why="TensorFlow leaves NaN open: ours come first"),
    case("nan_late", {
        "k": 1,
        "sorted": True
    }, [NAN_ROW], [np.array([[np.nan]], np.float32),
                   np.array([[1]], np.int32)]),
    dict(case("k_too_large", {"k": 4}, [spread(2, 3)], []), error="invalid_plan"),
    dict(case("negative_k", {"k": -1}, [spread(2, 3)], []), error="invalid_plan"),
    dict(case("scalar", {"k": 0}, [np.float32(1)], []), error="invalid_plan"),
    dict(case("bools", {"k": 1}, [np.array([True])], []), error="invalid_plan"),
]
write("TopK", CASES)

# SPDX-License-Identifier: Apache-2.0
"""Products of sparse and dense matrices."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(172)
family = Family("sparse")
AT = np.array([[0, 1], [1, 0], [2, 3], [2, 0]], np.int64)
VALUES = normal(g, 4)
RIGHT = {(False, False): (4, 2), (False, True): (2, 4), (True, False): (3, 2), (True, True): (2, 3)}


def product(at, values, b, shape=(3, 4), **adjoint):
    return raw.SparseTensorDenseMatMul(a_indices=at, a_values=values, a_shape=np.array(shape, np.int64), b=b, **adjoint)


for (a, b), right in RIGHT.items():
    name = f"{'adjoint' if a else 'plain'}_by_{'adjoint' if b else 'plain'}"
    family.case(f"known_positions_{name}", lambda v, y, a=a, b=b: product(AT, v, y, adjoint_a=a, adjoint_b=b),
                {"v": VALUES, "y": normal(g, *right)})
    family.case(f"fed_positions_{name}", lambda i, v, y, a=a, b=b: product(i, v, y, adjoint_a=a, adjoint_b=b),
                {"i": AT, "v": VALUES, "y": normal(g, *right)})
family.case("known", lambda y: product(AT, VALUES, y), {"y": normal(g, 4, 3)})
family.case("i32_positions", lambda i, y: product(i, VALUES, y), {"i": AT.astype(np.int32), "y": normal(g, 4, 3)})
family.case("integers", lambda v, y: product(AT, v, y),
            {"v": np.array([1, -2, 3, 4], np.int32), "y": g.integers(-5, 5, (4, 2)).astype(np.int32)})
family.case("twice_the_same", lambda v, y: product(AT[[0, 0, 1, 1]], v, y), {"v": VALUES, "y": normal(g, 4, 2)})
family.case("columns_vary", lambda v, y: product(AT, v, y), {"v": VALUES, "y": normal(g, 4, 2)}, largest={"y": [4, 5]})
family.case("as_many_as_are_fed", lambda i, v, y: product(i, v, y), {"i": AT, "v": VALUES, "y": normal(g, 4, 2)},
            largest={"i": [9, 2], "v": [9]})
family.case("of_dense", lambda x, y: tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(x), y),
            {"x": np.array([[0, 1.5, 0], [0, 0, 0], [-2, 0, 3]], np.float32), "y": normal(g, 3, 2)})
family.write()

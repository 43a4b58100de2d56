# SPDX-License-Identifier: Apache-2.0
"""Products of vectors; equations, factors and determinants of matrices, also of batches that vary."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(5)
family = Family("linear_algebra")
# What rounding leaves of 32 bits after a few steps of an elimination.
ROUNDED = 2e-5

for name, shape, dtype in (("vector", (3,), np.float32), ("rows", (4, 3), np.float32), ("rank_3", (2, 2, 3), np.float32),
                           ("integers", (2, 3), np.int32), ("long_integers", (2, 3), np.int64), ("half", (4, 3), np.float16),
                           ("double", (4, 3), np.float64), ("empty", (0, 3), np.float32)):
    a, b = ((g.standard_normal(shape) * 3).astype(dtype) for _ in range(2))
    family.case(f"cross_{name}", lambda a, b: raw.Cross(a=a, b=b), {"a": a, "b": b}, tolerance=8e-3 if dtype == np.float16 else None)


def definite(*shape):
    """Symmetric matrices whose eigenvalues are above 1/2."""
    x = g.standard_normal(shape)
    return (x @ np.swapaxes(x, -1, -2) + 0.5 * np.eye(shape[-1])).astype(np.float32)


def general(*shape):
    """Matrices that have to change rows, but are far from singular ones."""
    x = 0.3 * g.standard_normal(shape) + 2.0 * np.eye(shape[-1])
    return x[..., ::-1, :].astype(np.float32)


def case(name, build, feeds, largest=None, tolerance=ROUNDED):
    family.case(name, build, feeds, largest=largest, tolerance=tolerance)


def one(op, **attributes):
    return lambda x: op(input=x, **attributes)


zeros_in_diagonal = np.array([[0, 1, 2], [1, 0, 3], [4, -3, 8]], np.float32)
ties = np.array([[1, 2, -1, 0.5], [-1, 1, 3, 1], [1, -4, 2, 2], [-1, 2, 2, 3]], np.float32)
singular = np.array([[1, 2, 3], [2, 4, 6], [1, 0, 1]], np.float32)
SQUARES = {"one": general(1, 1), "two": general(2, 2), "four": general(4, 4), "nine": general(9, 9), "batches": general(2, 3, 3, 3),
           "zeros_in_diagonal": zeros_in_diagonal, "ties": ties, "double": general(3, 3).astype(np.float64),
           "no_batch": general(2, 3, 3)[:0], "no_column": general(2, 3, 3)[:, :0, :0]}
MANY = {"x": [5, 3, 3]}  # the largest extents

# The upper half is not read.
half_read = np.tril(definite(3, 3)) + np.triu(np.full((3, 3), np.float32(1e6)), 1)
for name, x in (("one", definite(1, 1)), ("two", definite(2, 2)), ("eight", definite(8, 8)), ("batches", definite(2, 3, 3, 3)),
                ("half_read", half_read), ("double", definite(3, 3).astype(np.float64)), ("no_batch", definite(2, 3, 3)[:0]),
                ("no_column", definite(2, 3, 3)[:, :0, :0])):
    case(f"cholesky_{name}", one(raw.Cholesky), {"x": x})
case("cholesky_constant", lambda x: x + raw.Cholesky(input=tf.constant(definite(3, 3))), {"x": general(3, 3)})
case("cholesky_varying", one(raw.Cholesky), {"x": definite(2, 3, 3)}, MANY)
case("cholesky_solve", lambda x, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(x), b), {"x": definite(2, 4, 4), "b": normal(g, 2, 4, 2)})

# Of a triangle, the other half is not read either.
for lower in (True, False):
    for adjoint in (False, True):
        matrix = general(2, 4, 4)[:, ::-1]
        case(f"triangular_{'lower' if lower else 'upper'}{'_adjoint' if adjoint else ''}",
             lambda x, b, l=lower, a=adjoint: raw.MatrixTriangularSolve(matrix=x, rhs=b, lower=l, adjoint=a),
             {"x": matrix, "b": normal(g, 2, 4, 3)})
for name, left, right in (("one", (1, 1), (1, 2)), ("nine", (9, 9), (9, 1)), ("one_matrix", (3, 3), (2, 3, 2)),
                          ("one_right_side", (2, 3, 3), (3, 2)), ("broadcast_batches", (4, 1, 3, 3), (2, 3, 1)),
                          ("no_batch", (0, 3, 3), (0, 3, 2)), ("no_column", (2, 0, 0), (2, 0, 3)), ("no_right_side", (3, 3), (3, 0))):
    case(f"triangular_{name}", lambda x, b: raw.MatrixTriangularSolve(matrix=x, rhs=b),
         {"x": general(*left)[..., ::-1, :], "b": normal(g, *right)})
case("triangular_double", lambda x, b: raw.MatrixTriangularSolve(matrix=x, rhs=b, lower=False),
     {"x": general(3, 3)[::-1].astype(np.float64), "b": normal(g, 3, 2).astype(np.float64)})
# TensorFlow's CPU has no kernel for 16 bits: what 32 give.
half, half_side = general(3, 3)[::-1].astype(np.float16), normal(g, 3, 2).astype(np.float16)
family.case("triangular_half", lambda x, b: raw.MatrixTriangularSolve(matrix=x, rhs=b), {"x": half, "b": half_side}, tolerance=4e-3,
            expected=raw.MatrixTriangularSolve(matrix=half.astype(np.float32), rhs=half_side.astype(np.float32)).numpy().astype(np.float16))
fixed = general(2, 3, 3)[:, ::-1]
for lower in (True, False):
    case(f"triangular_constant_{'lower' if lower else 'upper'}",
         lambda b, l=lower: raw.MatrixTriangularSolve(matrix=tf.constant(fixed), rhs=b, lower=l, adjoint=True), {"b": normal(g, 3, 2)})
case("triangular_varying", lambda x, b: raw.MatrixTriangularSolve(matrix=x, rhs=b),
     {"x": general(2, 3, 3)[:, ::-1], "b": normal(g, 3, 2)}, MANY)
case("triangular_varying_right_sides", lambda x: raw.MatrixTriangularSolve(matrix=tf.constant(fixed[0]), rhs=x),
     {"x": normal(g, 2, 3, 3)}, MANY)

for name, x in SQUARES.items():
    b = normal(g, *x.shape[:-1], 2).astype(x.dtype)
    case(f"solve_{name}", lambda x, b: raw.MatrixSolve(matrix=x, rhs=b), {"x": x, "b": b})
    case(f"inverse_{name}", one(raw.MatrixInverse), {"x": x})
case("solve_adjoint", lambda x, b: raw.MatrixSolve(matrix=x, rhs=b, adjoint=True), {"x": general(2, 4, 4), "b": normal(g, 2, 4, 1)})
case("inverse_adjoint", one(raw.MatrixInverse, adjoint=True), {"x": general(2, 4, 4)})
for adjoint in (False, True):
    case(f"solve_constant{'_adjoint' if adjoint else ''}",
         lambda b, a=adjoint: raw.MatrixSolve(matrix=tf.constant(fixed), rhs=b, adjoint=a), {"b": normal(g, 2, 3, 2)})
case("solve_constant_right_side", lambda x: raw.MatrixSolve(matrix=x, rhs=tf.constant(ties)), {"x": general(4, 4)})
case("solve_varying", lambda x: raw.MatrixSolve(matrix=x, rhs=x[..., :1]), {"x": general(2, 3, 3)}, MANY)
case("inverse_varying", one(raw.MatrixInverse), {"x": general(2, 3, 3)}, MANY)
case("inverse_constant", lambda x: x + raw.MatrixInverse(input=tf.constant(fixed)), {"x": general(3, 3)})

for name, x in {**SQUARES, "singular": singular, "negative": -general(2, 3, 3)}.items():
    case(f"determinant_{name}", one(raw.MatrixDeterminant), {"x": x})
    if name not in ("singular",):  # whose logarithm is infinite
        case(f"log_determinant_{name}", lambda x: list(raw.LogMatrixDeterminant(input=x)), {"x": x})
case("determinant_varying", one(raw.MatrixDeterminant), {"x": general(2, 3, 3)}, MANY)
case("determinant_constant", lambda x: x * raw.MatrixDeterminant(input=tf.constant(fixed)), {"x": normal(g, 2)})
case("log_determinant_varying", lambda x: list(raw.LogMatrixDeterminant(input=x)), {"x": general(2, 3, 3)}, MANY)

for name, x in SQUARES.items():
    case(f"lu_{name}", lambda x: list(raw.Lu(input=x)), {"x": x})
case("lu_long_permutation", lambda x: list(raw.Lu(input=x, output_idx_type=tf.int64)), {"x": general(2, 4, 4)})
case("lu_varying", lambda x: list(raw.Lu(input=x)), {"x": general(2, 3, 3)}, MANY)
case("lu_constant", lambda x: x + raw.Lu(input=tf.constant(fixed))[0], {"x": general(3, 3)})


def diagonals(*shape):
    """[..., 3, n]: above, on and below the main diagonal, whose elements do not always lead."""
    return normal(g, *shape) + np.array([[0], [1.5], [0]], np.float32)


small_diagonal = np.array([[2, 1, 3, 9], [0.1, 0, 0.2, 1], [9, 3, -2, 1]], np.float32)
for name, x in (("one", diagonals(3, 1)), ("two", diagonals(3, 2)), ("nine", diagonals(3, 9)), ("batches", diagonals(2, 2, 3, 4)),
                ("small_diagonal", small_diagonal), ("double", diagonals(3, 4).astype(np.float64))):
    b = normal(g, *x.shape[:-2], x.shape[-1], 2).astype(x.dtype)
    case(f"tridiagonal_solve_{name}", lambda x, b: raw.TridiagonalSolve(diagonals=x, rhs=b), {"x": x, "b": b}, tolerance=1e-4)
case("tridiagonal_solve_without_pivots", lambda x, b: raw.TridiagonalSolve(diagonals=x, rhs=b, partial_pivoting=False),
     {"x": diagonals(3, 5) + np.array([[0], [3], [0]], np.float32), "b": normal(g, 5, 1)})
spline = diagonals(3, 6)
case("tridiagonal_solve_constant", lambda b: raw.TridiagonalSolve(diagonals=tf.constant(spline), rhs=b), {"b": normal(g, 6, 2)})
case("tridiagonal_solve_varying", lambda x: raw.TridiagonalSolve(diagonals=x, rhs=x), {"x": diagonals(2, 3, 3)}, MANY)


def tridiagonal_product(x, b):
    above, main, below = tf.split(x, 3, axis=-2)
    return raw.TridiagonalMatMul(superdiag=above, maindiag=main, subdiag=below, rhs=b)


for name, shape, columns in (("one", (3, 1), 2), ("two", (3, 2), 1), ("nine", (3, 9), 3), ("batches", (2, 2, 3, 4), 2),
                             ("long", (3, 100), 1), ("no_column", (3, 4), 0)):
    case(f"tridiagonal_product_{name}", tridiagonal_product, {"x": diagonals(*shape), "b": normal(g, *shape[:-2], shape[-1], columns)})
case("tridiagonal_product_double", tridiagonal_product, {"x": diagonals(3, 4).astype(np.float64), "b": np.ones((4, 2))})
case("tridiagonal_product_varying", lambda x: tridiagonal_product(x, x), {"x": diagonals(2, 3, 3)}, MANY)
family.write()

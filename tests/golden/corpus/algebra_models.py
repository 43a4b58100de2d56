# SPDX-License-Identifier: Apache-2.0
"""tf.linalg: products, bands, diagonals, solvers, factors, decompositions; distances and filters that use them."""

import numpy as np
import tensorflow as tf

from feeds import f32, given, positive
from models import frozen

A = tf.linalg


def spd(x):
    """A symmetric positive definite matrix of any square one."""
    return tf.matmul(x, x, transpose_b=True) + 2.0 * tf.eye(x.shape[-1])


def kalman(state, covariance, seen):
    """Predict and correct, with a matrix inverse of 2x2."""
    f = tf.constant([[1.0, 0.1], [0.0, 1.0]])
    h = tf.constant([[1.0, 0.0], [0.3, 1.0]])
    state, covariance = f @ state, f @ spd(covariance) @ tf.transpose(f) + 0.01 * tf.eye(2)
    gain = covariance @ tf.transpose(h) @ A.inv(h @ covariance @ tf.transpose(h) + 0.1 * tf.eye(2))
    return state + gain @ (seen - h @ state), (tf.eye(2) - gain @ h) @ covariance


def mahalanobis(x, matrix):
    chol = A.cholesky(spd(matrix))
    return tf.reduce_sum(A.triangular_solve(chol, tf.transpose(x)) ** 2, 0)


def gaussian_process(x, y, at):
    def kernel(a, b):
        return tf.exp(-0.5 * tf.reduce_sum((a[:, None] - b[None]) ** 2, -1))
    weights = A.solve(kernel(x, x) + 0.1 * tf.eye(4), y)
    return kernel(at, x) @ weights


def pairwise_distances(x, y):
    squares = tf.reduce_sum(x * x, 1)[:, None] + tf.reduce_sum(y * y, 1)[None]
    return tf.sqrt(tf.maximum(squares - 2 * x @ tf.transpose(y), 0.0))


def power_iteration(x):
    v = tf.ones([4, 1])
    for _ in tf.range(8):
        v = A.normalize(spd(x) @ v, axis=0)[0]
    return tf.squeeze(tf.transpose(v) @ spd(x) @ v)


def umeyama(x, y):
    """The rotation that takes points to points, by a decomposition."""
    _, u, v = A.svd(tf.transpose(x - tf.reduce_mean(x, 0)) @ (y - tf.reduce_mean(y, 0)))
    return v @ tf.transpose(u)


def diagonals(x):
    return A.diag_part(x), A.set_diag(x, tf.ones([2, 3])), A.diag(x[:, 0]), A.trace(x), A.band_part(x, 1, 0), \
        A.tensor_diag_part(x[0])


def norms(x):
    return tf.norm(x, 1, axis=-1), tf.norm(x, np.inf, axis=1), tf.norm(x, "fro", axis=(1, 2)), tf.norm(x, axis=0), \
        A.l2_normalize(x, [1, 2])


def rotation(angles):
    s, c = tf.unstack(tf.sin(angles)), tf.unstack(tf.cos(angles))
    one, zero = tf.ones([]), tf.zeros([])
    x = tf.stack([[one, zero, zero], [zero, c[0], -s[0]], [zero, s[0], c[0]]])
    y = tf.stack([[c[1], zero, s[1]], [zero, one, zero], [-s[1], zero, c[1]]])
    return x @ y @ tf.stack([[c[2], -s[2], zero], [s[2], c[2], zero], [zero, zero, one]])


MODELS = [
    frozen("matmul_batched_broadcast", lambda x, y: tf.matmul(x, y, transpose_b=True), f32(2, 3, 4, 5),
           f32(1, 3, 6, 5)),
    frozen("matvec_and_tensordot",
           lambda x, y: (A.matvec(x, y, transpose_a=True), tf.tensordot(x, x, [[0, 2], [0, 2]])), f32(2, 4, 3),
           f32(2, 4)),
    frozen("einsum_with_trace_and_broadcast",
           lambda x, y: (tf.einsum("bii->bi", x), tf.einsum("bij,...jk->...bik", x, y)), f32(2, 3, 3), f32(4, 1, 3, 2)),
    frozen("diagonals_and_bands", diagonals, f32(2, 3, 3)),
    frozen("diagonals_with_offsets", lambda x: (A.diag(x, k=1), A.diag_part(A.diag(x, k=-1), k=(-1, 0))), f32(2, 3)),
    frozen("norms", norms, f32(2, 3, 4)),
    frozen("cross_product", lambda x, y: A.cross(x, y), f32(4, 3), f32(4, 3)),
    frozen("determinant", lambda x: (A.det(x), A.slogdet(x)), f32(2, 3, 3)),
    frozen("inverse_3x3", lambda x: A.inv(spd(x)), f32(2, 3, 3)),
    frozen("solve_two_right_sides", lambda x, y: A.solve(spd(x), y), f32(4, 4), f32(4, 2)),
    frozen("triangular_solve_upper_adjoint",
           lambda x, y: A.triangular_solve(x + 2.0 * tf.eye(3), y, lower=False, adjoint=True), f32(3, 3), f32(3, 2)),
    frozen("cholesky_and_solve", lambda x, y: A.cholesky_solve(A.cholesky(spd(x)), y), f32(2, 3, 3), f32(2, 3, 1)),
    frozen("tridiagonal_solve", lambda x, y: A.tridiagonal_solve(x + tf.constant([[0.0], [3.0], [0.0]]), y), f32(3, 4),
           f32(4, 1)),
    frozen("matrix_exponential", lambda x: A.expm(x), f32(3, 3)),
    frozen("lu_factors", lambda x: A.lu(spd(x))[0], f32(3, 3)),
    frozen("qr_decomposition", lambda x: A.qr(x * 2.0)[1], f32(4, 3), cut={"outputs": ["mul"]}),
    frozen("eigenvalues_symmetric", lambda x: A.eigvalsh(spd(x)), f32(3, 3), cut={"outputs": ["add"]}),
    frozen("svd_of_points", umeyama, f32(5, 3), f32(5, 3), cut={"outputs": ["matmul"]}),
    frozen("pseudo_inverse", lambda x: A.pinv(x + 1.0), f32(4, 3), cut={"outputs": ["add"]}),
    frozen("least_squares", lambda x, y: A.lstsq(x, y, fast=True), f32(6, 3), f32(6, 1)),
    frozen("kalman_step", kalman, f32(2, 1), f32(2, 2), f32(2, 1)),
    frozen("mahalanobis_distance", mahalanobis, f32(5, 3), f32(3, 3)),
    frozen("gaussian_process", gaussian_process, f32(4, 2), f32(4, 1), f32(3, 2)),
    frozen("pairwise_distances", pairwise_distances, f32(4, 3), f32(5, 3)),
    frozen("power_iteration", power_iteration, f32(4, 4)),
    frozen("moments_of_polynomial",
           lambda x: A.matmul(x[:, None] ** tf.range(4.0), tf.constant([[1.0], [0.5], [-2], [0.1]])), positive(5)),
    frozen("rotation_of_euler_angles", lambda a: rotation(a), given([0.3, -0.7, 1.1])),
]

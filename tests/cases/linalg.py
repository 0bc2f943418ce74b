"""Linear algebra: evergraph/ops/math/linalg.py and decompose.py, frontend/linalg.py."""

import numpy as np

from tests.harness import case, f64, floats, program

a33 = floats(3, 3, dtype="float64") + 3 * np.eye(3)
a233 = (floats(2, 3, 3) + 3 * np.eye(3)).astype("float32")
positive = (floats(3, 3) @ floats(3, 3).T + np.eye(3)).astype("float32")
positives = np.stack([positive, positive @ positive + np.eye(3, dtype="float32")]).astype("float64")
complex33 = (a33 + 1j * floats(3, 3, seed=4)).astype("complex128")
wide, high = floats(2, 4, dtype="float64"), floats(2, 4, 3, seed=2)
diagonals = (floats(2, 3, 5, dtype="float64") + np.array([0, 6, 0])[:, None])
singular = f64([[1, 2], [2, 4]])

CASES = [
    *[case(op, a33) for op in ("MatrixInverse", "MatrixDeterminant")],
    *[case(op, a233) for op in ("MatrixInverse", "MatrixDeterminant", "LogMatrixDeterminant")],
    *[case(op, complex33) for op in ("MatrixInverse", "LogMatrixDeterminant")],
    *[case(op, np.zeros((0, 0), "float32")) for op in ("MatrixInverse", "MatrixDeterminant", "Cholesky")],
    case("MatrixInverse", singular).fails("InvalidArgumentError"),
    case("MatrixInverse", floats(2, 3)).fails("ValueError"),
    case("MatrixInverse", floats(3)).fails("ValueError"),
    case("LogMatrixDeterminant", -a33),
    case("Cholesky", positive).tolerance(1e-4, 1e-5).no_differences("reads one triangle"),
    case("Cholesky", positives).no_differences("reads one triangle"),
    case("Cholesky", np.tril(positive)).tolerance(1e-4, 1e-5).no_grad("the triangle above would have one"),
    case("CholeskyGrad", np.linalg.cholesky(positives), np.tril(floats(2, 3, 3, dtype="float64"))).no_grad("has none"),
    case("MatrixSolve", a33, floats(3, 2, dtype="float64")),
    case("MatrixSolve", a33, floats(3, 2, dtype="float64"), adjoint=True),
    case("MatrixSolve", a233, floats(2, 3, 1)),
    case("MatrixSolve", complex33, complex33, adjoint=True),
    case("MatrixSolve", floats(0, 0), floats(0, 2)),
    case("MatrixSolve", singular, f64([[1], [1]])).fails("InvalidArgumentError"),
    case("MatrixSolve", a33, floats(2, 2, dtype="float64")).fails("ValueError"),
    case("MatrixTriangularSolve", a33, floats(3, 2, dtype="float64")),
    case("MatrixTriangularSolve", a233, floats(2, 3, 2), lower=False),
    case("MatrixTriangularSolve", a33, floats(3, 2, dtype="float64"), adjoint=True),
    case("MatrixTriangularSolve", complex33, complex33, lower=False, adjoint=True),
    case("MatrixSolveLs", high, floats(2, 4, 1), f64(0.5)).tolerance(1e-4).no_grad("by the regularizer"),
    case("MatrixSolveLs", wide, floats(2, 1, dtype="float64"), f64(0.0)).no_grad("by the regularizer"),
    case("MatrixSolveLs", high, floats(2, 4, 2), f64(0.0), fast=False).tolerance(1e-4, 1e-5).no_grad("has none"),
    case("MatrixSolveLs", wide, floats(2, 2, dtype="float64"), f64(0.0), fast=False).no_grad("has none"),
    case("TridiagonalSolve", diagonals, floats(2, 5, 3, dtype="float64")),
    case("TridiagonalSolve", diagonals[0], floats(5, 1, dtype="float64"), partial_pivoting=False),
    case("TridiagonalMatMul", *(diagonals[:, i:i + 1] for i in range(3)), floats(2, 5, 3, dtype="float64")),
    case("MatrixDeterminant", complex33).no_differences("TensorFlow's gradient is not that of complex numbers"),
    case("Qr", a33),
    case("Qr", high),
    case("Qr", floats(3, 2, dtype="float64"), full_matrices=True).no_grad("not for these shapes"),
    case("Qr", wide).no_grad("not for these shapes"),
    case("Svd", wide, full_matrices=True).any_value("signs are free"),
    case("Svd", high).any_value("signs are free"),
    case("SelfAdjointEigV2", positives).any_value("signs are free"),
    case("Lu", a33),
    case("Lu", a233, output_idx_type="int64").no_differences("the rows are ordered by size"),
    case("Lu", f64([[0, 1], [1, 0]])).no_differences("the rows are ordered by size"),
    case("MatrixSquareRoot", positives),
    case("MatrixSquareRoot", positive).tolerance(1e-4, 1e-4),
    case("MatrixLogarithm", complex33),
    case("Einsum", [floats(2, 3), floats(3, 4)], equation="ij,jk->ik"),
    case("Einsum", [floats(2, 3, 4), floats(4, 3)], equation="...ij,ji->...i"),
    case("Einsum", [floats(3, 3)], equation="ii->i"),
]


@program(a33)
def determinant_by_logarithm(tf, x):
    return tf.linalg.logdet(tf.matmul(x, x, transpose_b=True)), tf.linalg.slogdet(x)[1], tf.linalg.det(x), tf.trace(x)


@program(a33, floats(3, 2, dtype="float64"))
def equations(tf, a, rhs):
    both = tf.matmul(a, a, transpose_b=True)
    return (tf.linalg.solve(a, rhs, adjoint=True), tf.cholesky_solve(tf.cholesky(both), rhs), tf.linalg.inv(a),
            tf.linalg.triangular_solve(a, rhs, lower=False), tf.linalg.adjoint(a))


@program(high, floats(2, 4, 2))
def least_squares(tf, a, rhs):
    return (tf.linalg.lstsq(a, rhs), tf.matrix_solve_ls(a, rhs, l2_regularizer=0.3),
            tf.linalg.lstsq(tf.linalg.transpose(a), tf.linalg.transpose(a)[..., :2], l2_regularizer=0.1))


least_squares = least_squares.tolerance(1e-4, 1e-5)


@program(wide)
def singular_vectors(tf, x):
    s, u, v = tf.linalg.svd(x)
    s2, u2, v2 = tf.linalg.svd(tf.transpose(x[:, :3]), full_matrices=True)
    return (s, tf.matmul(u * s, v, transpose_b=True), tf.abs(u), tf.abs(v), s2, tf.abs(u2), tf.abs(v2),
            tf.linalg.svd(x, compute_uv=False))


@program(positives)
def eigenvectors(tf, x):
    x = x + tf.linalg.transpose(x)
    e, v = tf.linalg.eigh(x)
    return e, tf.abs(v), tf.linalg.eigvalsh(x), tf.linalg.eigvalsh(tf.matrix_band_part(x, -1, 0))


@program(a233)
def functions(tf, x):
    return (tf.linalg.expm(x), tf.linalg.expm(x * 0.05), tf.linalg.expm(x * 0.01), tf.linalg.expm(x[0]),
            tf.linalg.sqrtm(tf.matmul(x, x)))


functions = functions.tolerance(1e-3, 1e-3).no_grad("that of a loop changes the order of nodes")


@program(a33)
def functions_in_double_precision(tf, x):
    return [tf.linalg.expm(x * scale) for scale in (0.001, 0.02, 0.1, 0.3, 0.8, 3.0)]


functions_in_double_precision = functions_in_double_precision.no_grad("that of a loop changes the order of nodes")


@program(high)
def pseudo_inverse(tf, x):
    return tf.linalg.pinv(x), tf.linalg.matrix_rank(x), tf.linalg.pinv(x, rcond=0.5)


pseudo_inverse = pseudo_inverse.tolerance(1e-4, 1e-5)


@program(diagonals, floats(2, 5, 3, dtype="float64"))
def tridiagonal(tf, compact, rhs):
    parts = [compact[:, 0, :-1], compact[:, 1], compact[:, 2, 1:]]
    return (tf.linalg.tridiagonal_solve(compact, rhs), tf.linalg.tridiagonal_solve(compact, rhs[..., 0]),
            tf.linalg.tridiagonal_solve(parts, rhs, diagonals_format="sequence"),
            tf.linalg.tridiagonal_matmul(compact, rhs),
            tf.linalg.tridiagonal_matmul(tf.unstack(compact, axis=1), rhs, diagonals_format="sequence"))


tridiagonal = tridiagonal.no_differences("the padding has no gradient")


@program(a33, floats(5, 5, dtype="float64"))
def tridiagonal_of_matrix(tf, a, rhs):
    return (tf.linalg.tridiagonal_solve(a, rhs[:3], diagonals_format="matrix"),
            tf.linalg.tridiagonal_matmul(a, rhs[:3], diagonals_format="matrix"))

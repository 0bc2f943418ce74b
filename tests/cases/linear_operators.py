"""tf.linalg.LinearOperator and its kinds: evergraph/linalg/."""

import numpy as np

from tests.harness import floats, program


def regular(*shape, seed=0):
    """Well conditioned matrices."""
    return (0.3 * floats(*shape, seed=seed) + 3 * np.eye(shape[-1])).astype("float32")


def positive(*shape, seed=0):
    """Symmetric positive definite matrices."""
    x = floats(*shape, seed=seed)
    return (0.2 * x @ np.swapaxes(x, -1, -2) + 2 * np.eye(shape[-1])).astype("float32")


def numbers(operator, x, solvable=True):
    """What a square operator says about itself and does to `x`."""
    found = [operator.matmul(x), operator.matmul(x, adjoint=True), operator.matvec(x[..., 0]), operator.to_dense(),
             operator.trace(), operator.diag_part(), operator.add_to_tensor(operator.to_dense()),
             operator.shape_tensor(), operator.domain_dimension_tensor(), operator.batch_shape_tensor(),
             operator.tensor_rank_tensor()]
    if solvable:
        found += [operator.solve(x), operator.solve(x, adjoint=True), operator.solvevec(x[..., 0]),
                  operator.determinant(), operator.log_abs_determinant()]
    return found


x32, x232 = floats(3, 2), floats(2, 3, 2, seed=5)
diagonal23 = np.abs(floats(2, 3, seed=3)) + 0.5
c33 = (regular(3, 3) + 1j * floats(3, 3, seed=7)).astype("complex64")
cx32 = (x32 + 1j * floats(3, 2, seed=8)).astype("complex64")


@program(regular(2, 3, 3), x32)
def full_matrix(tf, matrix, x):
    return numbers(tf.linalg.LinearOperatorFullMatrix(matrix), x)


@program(positive(3, 3), x232)
def full_matrix_by_cholesky(tf, matrix, x):
    matrix = 0.5 * (matrix + tf.transpose(matrix))
    operator = tf.linalg.LinearOperatorFullMatrix(matrix, is_self_adjoint=True, is_positive_definite=True)
    return [*numbers(operator, x), operator.cholesky().to_dense(), operator.inverse().to_dense()]


@program(floats(2, 3, 4), floats(4, 2, seed=1))
def full_matrix_not_square(tf, matrix, x):
    operator = tf.linalg.LinearOperatorFullMatrix(matrix)
    return (operator.matmul(x), operator.matmul(x[:3], adjoint=True), operator.matvec(x[:, 0]), operator.diag_part(),
            operator.H.matmul(x[:3]), operator.H.to_dense(), operator.matmul(tf.transpose(x), adjoint_arg=True))


@program(c33, cx32)
def full_matrix_complex(tf, matrix, x):
    operator = tf.linalg.LinearOperatorFullMatrix(matrix)
    return (operator.matmul(x, adjoint=True), operator.solve(x, adjoint=True), operator.determinant(),
            operator.H.matmul(x), operator.H.determinant(), operator.H.trace(),
            operator.solve(tf.transpose(x, conjugate=True), adjoint_arg=True))


@program(regular(2, 3, 3), x32)
def lower_triangular(tf, matrix, x):
    return numbers(tf.linalg.LinearOperatorLowerTriangular(matrix), x)


@program(diagonal23, x32)
def diag(tf, diagonal, x):
    operator = tf.linalg.LinearOperatorDiag(diagonal, is_positive_definite=True)
    return [*numbers(operator, x), operator.cholesky().to_dense(), operator.inverse().to_dense()]


@program(cx32[:, 0], cx32)
def diag_complex(tf, diagonal, x):
    operator = tf.linalg.LinearOperatorDiag(diagonal)
    return (operator.matmul(x, adjoint=True), operator.solve(x), operator.H.to_dense(),
            operator.log_abs_determinant(), operator.determinant())


@program(x32)
def identity(tf, x):
    operator = tf.linalg.LinearOperatorIdentity(3, batch_shape=[2])
    return numbers(operator, x)


@program(np.float32([0.5, -2.0]), x32)
def scaled_identity(tf, multiplier, x):
    operator = tf.linalg.LinearOperatorScaledIdentity(3, multiplier)
    found = numbers(operator, x)
    return [*found[:6], *found[7:]]  # TensorFlow does not broadcast what is added


@program(x32)
def zeros(tf, x):
    operator = tf.linalg.LinearOperatorZeros(3, batch_shape=[2])
    wide = tf.linalg.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False)
    return [*numbers(operator, x, solvable=False), wide.matmul(x), wide.to_dense(), wide.diag_part()]


@program(floats(2, 3), x32)
def householder(tf, axis, x):
    return numbers(tf.linalg.LinearOperatorHouseholder(axis), x)


@program(regular(2, 3, 3), x32)
def adjoint(tf, matrix, x):
    return numbers(tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorLowerTriangular(matrix)), x)


@program(regular(2, 3, 3), x32)
def inversion(tf, matrix, x):
    return numbers(tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorLowerTriangular(matrix)), x)


@program(regular(2, 3, 3), regular(3, 3, seed=1), x32)
def composition(tf, left, right, x):
    operators = [tf.linalg.LinearOperatorFullMatrix(left), tf.linalg.LinearOperatorLowerTriangular(right)]
    return numbers(tf.linalg.LinearOperatorComposition(operators), x)


@program(regular(2, 2, 2), diagonal23[0], floats(5, 2))
def block_diag(tf, left, right, x):
    operators = [tf.linalg.LinearOperatorFullMatrix(left, is_square=True), tf.linalg.LinearOperatorDiag(right)]
    return numbers(tf.linalg.LinearOperatorBlockDiag(operators), x)


@program(regular(2, 2, 2), diagonal23[0], floats(6, 2))
def kronecker(tf, left, right, x):
    operators = [tf.linalg.LinearOperatorFullMatrix(left), tf.linalg.LinearOperatorDiag(right)]
    return numbers(tf.linalg.LinearOperatorKronecker(operators), x)


@program(diagonal23, floats(2, 3, 2), diagonal23[:, :2], x32)
def low_rank_update(tf, base, u, update, x):
    base = tf.linalg.LinearOperatorDiag(base, is_positive_definite=True)
    operator = tf.linalg.LinearOperatorLowRankUpdate(base, u, update, is_diag_update_positive=True)
    return numbers(operator, x)


@program(regular(3, 3), floats(3, 2), floats(2, 3, 2, seed=9) * 0.3, x32)
def low_rank_update_with_v(tf, base, u, v, x):
    base = tf.linalg.LinearOperatorFullMatrix(base, is_square=True)
    operator = tf.linalg.LinearOperatorLowRankUpdate(base, u, v=v)
    return (operator.matmul(x), operator.matmul(x, adjoint=True), operator.solve(x), operator.solve(x, adjoint=True),
            operator.determinant(), operator.log_abs_determinant(), operator.diag_part())


@program(np.float32([[4, 1, 0.5], [3, 0.5, -1]]), np.float32([[4, -1, 0.2], [3, 0.3, 0.7]]), x32)
def toeplitz(tf, column, row, x):
    return numbers(tf.linalg.LinearOperatorToeplitz(column, row), x)


@program(np.float32([[6, 2, 2], [5, 1, 1]]), x32)
def circulant_real(tf, spectrum, x):
    operator = tf.linalg.LinearOperatorCirculant(spectrum, input_output_dtype=x.dtype)
    return [*numbers(operator, x), operator.convolution_kernel(), operator.block_shape_tensor()]


@program(cx32[:, 0], cx32)
def circulant_complex(tf, spectrum, x):
    operator = tf.linalg.LinearOperatorCirculant(spectrum)
    return numbers(operator, x)[:6] + [operator.solve(x, adjoint=True), operator.H.to_dense(), operator.determinant(),
                                       operator.convolution_kernel(), operator.inverse().to_dense()]


@program((floats(2, 2, 3) + 1j * floats(2, 2, 3, seed=2)).astype("complex64"), (floats(6, 2) + 0j).astype("complex64"))
def circulant_2d(tf, spectrum, x):
    operator = tf.linalg.LinearOperatorCirculant2D(spectrum)
    return numbers(operator, x)[:6] + [operator.solve(x), operator.determinant(), operator.convolution_kernel()]


@program((floats(2, 1, 3) + 2.5j).astype("complex64"), (floats(6, 2) + 0j).astype("complex64"))
def circulant_3d(tf, spectrum, x):
    operator = tf.linalg.LinearOperatorCirculant3D(spectrum)
    return numbers(operator, x)[:6] + [operator.solve(x), operator.determinant(), operator.convolution_kernel()]


@program(positive(3, 3), x32)
def functions_of_matrices(tf, matrix, x):
    """The functions of matrices take operators."""
    operator = tf.linalg.LinearOperatorFullMatrix(matrix, is_self_adjoint=True, is_positive_definite=True)
    return [tf.matmul(operator, x), tf.matmul(x, operator, adjoint_a=True), tf.linalg.matvec(operator, x[:, 0]),
            tf.matmul(operator, operator).to_dense(), tf.linalg.inv(operator).to_dense(),
            tf.linalg.cholesky(operator).to_dense(), tf.linalg.adjoint(operator).to_dense(), tf.linalg.det(operator),
            tf.linalg.logdet(operator), tf.linalg.trace(operator), tf.linalg.diag_part(operator),
            tf.linalg.solve(operator, x)]


functions_of_matrices = functions_of_matrices.no_differences("a nudge makes the matrix asymmetric")

"""Linear algebra: inverses, determinants, Cholesky factors, triangular and tridiagonal systems, least squares."""

from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import VJP, op
from evergraph.graph.shaping import at_least_rank, merge, merge_size, require_equal
from evergraph.kernel import native_matrices
from evergraph.kernel.lapack import lax_linalg, linalg_of
from evergraph.ops.arrays.basic import shape, zeros_like
from evergraph.ops.arrays.diagonal import matrix_band_part, matrix_diag_part, matrix_set_diag
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.arrays.pad import roll
from evergraph.ops.arrays.reshape import concat_v2, expand_dims, pack, reshape, unpack
from evergraph.ops.math.elementwise import add_v2, conj_if_complex, mul, neg
from evergraph.ops.math.matmul import adjoint as adjoint_of
from evergraph.ops.math.matmul import full_product, matrix_product
from evergraph.ops.math.reduce import sum_

FLOATS = "{double, float, half, complex64, complex128}"


def precise(x):
    """Half precision as single, the precision in which matrices are decomposed."""
    return x.astype(np.float32) if np.dtype(x.dtype).itemsize == 2 else x


def transposed(xp, x, adjoint=True):
    """The transposed or adjoint matrices."""
    return xp.conj(xp.swapaxes(x, -1, -2)) if adjoint else x


def attempted(function, message):
    """NumPy's result, or TensorFlow's error if NumPy raises LinAlgError."""
    try:
        return function()
    except np.linalg.LinAlgError:
        raise errors.InvalidArgumentError(None, None, message) from None


def all_finite(xp, result, *given):
    """Whether finite inputs gave a finite result."""
    fine = xp.isfinite(result).all()
    for x in given:
        fine = fine | ~xp.isfinite(x).all()
    return fine


def _partly_nan(xp, matrices):
    """Whether TensorFlow takes one of the matrices for singular because of a NaN; one of NaN alone passes."""
    return (xp.isnan(matrices).any((-2, -1)) & ~xp.isnan(matrices).all((-2, -1))).any()


# ---- shapes


def square(input):
    """The shape of a batch of square matrices."""
    if at_least_rank(input, 2) is None:
        return None
    size = merge_size(input[-2], input[-1])
    return (*input[:-2], size, size)


def _square_by_two(l, grad):
    return merge(square(l), square(grad))


def without_matrix(input):
    whole = square(input)
    return None if whole is None else whole[:-2]


def _solved(matrix, rhs, is_square=True):
    if matrix is None or rhs is None:
        return None
    at_least_rank(matrix, 2), at_least_rank(rhs, 2)
    matrix = square(matrix) if is_square else matrix
    require_equal(matrix[-2], rhs[-2])
    return (*merge(matrix[:-2], rhs[:-2]), matrix[-1], rhs[-1])


def _solved_shape(matrix, rhs):
    return _solved(matrix, rhs)


# ---- inverse and determinant


@op(
    f"MatrixInverse(input: T, *, adjoint: bool = False, T: {FLOATS}) -> output: T",
    shape=square,
    export=("linalg.inv", "matrix_inverse"),
)
def matrix_inverse(xp, input, adjoint, check):
    """The inverse of square matrices, or with `adjoint` the inverse of their adjoints."""
    input = precise(input)
    if native_matrices.takes(input):
        inverse = native_matrices.inverse(input)
    else:
        inverse = attempted(lambda: linalg_of(xp).inv(input), "Input is not invertible.")
    check(all_finite(xp, inverse, input) & ~_partly_nan(xp, input), "Input is not invertible.")
    return transposed(xp, inverse, adjoint)


def _inverse_gradient(op, dy):
    inverse = op.outputs[0]
    if op.attrs["adjoint"]:
        return neg(matrix_product(inverse, matrix_product(dy, inverse, adjoint_a=True)))
    return neg(matrix_product(inverse, matrix_product(dy, inverse, adjoint_b=True), adjoint_a=True))


matrix_inverse.grad(_inverse_gradient)
batch_matrix_inverse = op(
    "BatchMatrixInverse(input: T, *, adjoint: bool = False, T: {double, float}) -> output: T",
    shape=square,
    grad=_inverse_gradient,
)(matrix_inverse.kernel)


def _by_entries(scale, op):
    """The gradient of a function of the determinant: a scalar per matrix times the adjoint of its inverse."""
    factor = reshape(scale, concat_v2([shape(scale), [1, 1]], 0))
    return mul(factor, matrix_inverse(op.inputs[0], adjoint=True))


def _determinant_gradient(op, dy):
    return _by_entries(mul(dy, op.outputs[0]), op)


@op(
    "MatrixDeterminant(input: T, *, T: {half, float, double, complex64, complex128}) -> output: T",
    shape=without_matrix,
    grad=_determinant_gradient,
    export=("linalg.det", "matrix_determinant"),
)
def matrix_determinant(xp, input):
    """The determinants of square matrices."""
    input = precise(input)
    if native_matrices.takes(input):
        return native_matrices.determinants(input, logarithms=False)[0]
    return linalg_of(xp).det(input)


batch_matrix_determinant = op(
    "BatchMatrixDeterminant(input: T, *, T: {float, double, complex64, complex128}) -> output: T",
    shape=without_matrix,
    grad=_determinant_gradient,
)(matrix_determinant.kernel)


def _two_without_matrix(input):
    return [without_matrix(input)] * 2


@op(
    "LogMatrixDeterminant(input: T, *, T: {half, float, double, complex64, complex128}) -> sign: T, "
    "log_abs_determinant: T",
    shape=_two_without_matrix,
    grad=lambda op, dsign, dlog: _by_entries(dlog, op),
    export=("linalg.slogdet",),
)
def log_matrix_determinant(xp, input):
    """The sign and the logarithm of the absolute value of determinants."""
    input = precise(input)
    if native_matrices.takes(input):
        log, sign = native_matrices.determinants(input, logarithms=True)
    else:
        sign, log = linalg_of(xp).slogdet(input)
    return xp.where(xp.isnan(log), log, sign).astype(sign.dtype), log


# ---- Cholesky factors

_NO_FACTOR = "Cholesky decomposition was not successful. The input might not be valid."


def _cholesky(xp, input, check):
    input = precise(input)
    if native_matrices.takes(input):
        factor = native_matrices.cholesky(input)
    elif xp is np:
        return attempted(lambda: np.linalg.cholesky(input), _NO_FACTOR)
    else:  # reads only the lower triangle
        factor = xp.tril(lax_linalg().cholesky(input, symmetrize_input=False))
    check(all_finite(xp, factor, input), _NO_FACTOR)
    return factor


@op(f"Cholesky(input: T, *, T: {FLOATS}) -> output: T", shape=square, export=("cholesky", "linalg.cholesky"))
def cholesky(xp, input, check):
    """The Cholesky decomposition: the lower triangular L with input = L L^H, for positive definite input."""
    return _cholesky(xp, input, check)


def _cholesky_gradient(op, dy):
    """inv(L)^H * phi(L^H * dL) * inv(L), symmetrized; phi keeps the lower triangle and half of the diagonal."""
    factor = op.outputs[0]
    middle = matrix_product(factor, dy, adjoint_a=True)
    middle = matrix_set_diag(middle, mul(matrix_diag_part(middle), 0.5))
    middle = matrix_band_part(middle, np.int64(-1), np.int64(0))
    # Two solves with L^H, one from each side, multiply by the inverse on both sides.
    left = matrix_triangular_solve(factor, middle, adjoint=True)
    both = adjoint_of(matrix_triangular_solve(factor, adjoint_of(left), adjoint=True))
    return mul(add_v2(both, adjoint_of(both)), 0.5)


cholesky.grad(_cholesky_gradient)
batch_cholesky = op(
    "BatchCholesky(input: T, *, T: {double, float}) -> output: T", shape=square, grad=_cholesky_gradient
)(cholesky.kernel)


@op("CholeskyGrad(l: T, grad: T, *, T: {half, float, double}) -> output: T", shape=_square_by_two)
def cholesky_grad(xp, l, grad):
    """The gradient of Cholesky, given the factor."""
    l, grad = xp.tril(precise(l)), precise(grad)
    middle = xp.tril(full_product(xp, xp.swapaxes(l, -1, -2), grad))
    middle = middle - xp.eye(l.shape[-1], dtype=l.dtype) * middle / 2
    inverse = native_matrices.inverse(l) if native_matrices.takes(l) else linalg_of(xp).inv(l)
    both = full_product(xp, full_product(xp, xp.swapaxes(inverse, -1, -2), middle), inverse)
    return (both + xp.swapaxes(both, -1, -2)) / 2


batch_cholesky_grad = op(
    "BatchCholeskyGrad(l: T, grad: T, *, T: {float, double}) -> output: T", shape=_square_by_two
)(cholesky_grad.kernel)


# ---- linear systems

_SINGULAR = "Input matrix is not invertible."


@op(f"MatrixSolve(matrix: T, rhs: T, *, adjoint: bool = False, T: {FLOATS}) -> output: T", shape=_solved_shape,
    export=("linalg.solve", "matrix_solve"))
def matrix_solve(xp, matrix, rhs, adjoint, check):
    """Solves the linear systems matrix * x = rhs, or with `adjoint` matrix^H * x = rhs."""
    matrix, rhs = transposed(xp, precise(matrix), adjoint), precise(rhs)
    if 0 in matrix.shape or 0 in rhs.shape:
        return rhs
    if native_matrices.takes(matrix, rhs):
        solution = native_matrices.solved(matrix, rhs)
    else:
        solution = attempted(lambda: linalg_of(xp).solve(matrix, rhs), _SINGULAR)
    check(all_finite(xp, solution, matrix, rhs) & ~_partly_nan(xp, matrix), _SINGULAR)
    return solution


def _outer(op, by_rhs):
    """The gradient of a solution with respect to the matrix, given that with respect to the right-hand side."""
    solution = op.outputs[0]
    if op.attrs["adjoint"]:
        return neg(matrix_product(solution, by_rhs, adjoint_b=True))
    return neg(matrix_product(by_rhs, solution, adjoint_b=True))


def _solve_gradient(op, dy):
    by_rhs = matrix_solve(op.inputs[0], dy, adjoint=not op.attrs["adjoint"])
    return _outer(op, by_rhs), by_rhs


matrix_solve.grad(_solve_gradient)
batch_matrix_solve = op(
    "BatchMatrixSolve(matrix: T, rhs: T, *, adjoint: bool = False, T: {double, float}) -> output: T",
    shape=_solved_shape,
    grad=_solve_gradient,
)(matrix_solve.kernel)


def _triangular_solve(xp, matrix, rhs, lower, adjoint, check):
    matrix, rhs = precise(matrix), precise(rhs)
    check((xp.diagonal(matrix, axis1=-2, axis2=-1) != 0).all(), _SINGULAR)
    if matrix.shape[-1] == 0 or rhs.shape[-1] == 0:
        return rhs
    if native_matrices.takes_triangular(matrix, rhs):
        return native_matrices.triangular(matrix, rhs, lower, adjoint)
    if xp is np:
        half = np.tril(matrix) if lower else np.triu(matrix)
        return np.linalg.solve(transposed(np, half, adjoint), rhs)
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return lax_linalg().triangular_solve(
        xp.broadcast_to(matrix, (*batch, *matrix.shape[-2:])), xp.broadcast_to(rhs, (*batch, *rhs.shape[-2:])),
        left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint)


@op(
    f"MatrixTriangularSolve(matrix: T, rhs: T, *, lower: bool = True, adjoint: bool = False, T: {FLOATS}) -> output: T",
    shape=_solved_shape,
    export=("linalg.triangular_solve", "matrix_triangular_solve"),
)
def matrix_triangular_solve(xp, matrix, rhs, lower, adjoint, check):
    """Solves linear systems with a triangular matrix; the other triangle is not read.

    Args:
        matrix: the triangular matrices.
        rhs: the right sides, as columns.
        lower: whether the lower triangles count, or the upper ones.
        adjoint: whether the systems are those of the adjoint matrices.
    """
    return _triangular_solve(xp, matrix, rhs, lower, adjoint, check)


def _triangular_gradient(op, dy):
    lower = op.attrs["lower"]
    by_rhs = matrix_triangular_solve(op.inputs[0], dy, lower=lower, adjoint=not op.attrs["adjoint"])
    below, above = (-1, 0) if lower else (0, -1)
    return matrix_band_part(_outer(op, by_rhs), np.int64(below), np.int64(above)), by_rhs


matrix_triangular_solve.grad(_triangular_gradient)
batch_matrix_triangular_solve = op(
    "BatchMatrixTriangularSolve(matrix: T, rhs: T, *, lower: bool = True, adjoint: bool = False, "
    "T: {double, float}) -> output: T",
    shape=_solved_shape,
    grad=_triangular_gradient,
)(matrix_triangular_solve.kernel)


# ---- least squares


def _positive_solve(xp, matrix, rhs, check):
    if 0 in matrix.shape or 0 in rhs.shape:
        return xp.zeros((*matrix.shape[:-1], rhs.shape[-1]), rhs.dtype)
    factor = _cholesky(xp, matrix, check)
    half = _triangular_solve(xp, factor, rhs, True, False, check)
    return _triangular_solve(xp, factor, half, True, True, check)


def pseudo_inverse(xp, matrix):
    """The pseudoinverse; zeros for a matrix that is not finite, for which LAPACK may search without end."""
    is_finite = xp.isfinite(matrix).all(axis=(-2, -1), keepdims=True)
    return linalg_of(xp).pinv(xp.where(is_finite, matrix, xp.zeros((), matrix.dtype)))


def _least_squares_shape(matrix, rhs):
    return _solved(matrix, rhs, is_square=False)


@op(
    f"MatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double, *, T: {FLOATS}, fast: bool = True) -> output: T",
    shape=_least_squares_shape,
    grad=VJP,
)
def matrix_solve_ls(xp, matrix, rhs, l2_regularizer, fast, check):
    """Least squares: the x that minimizes |matrix * x - rhs|^2 + l2_regularizer * |x|^2, of minimal norm.

    Solves the normal equations if `fast`, else uses the SVD and ignores the regularizer.
    """
    matrix, rhs = precise(matrix), precise(rhs)
    if not fast:
        return full_product(xp, pseudo_inverse(xp, matrix), rhs)
    rows, columns = matrix.shape[-2:]
    turned = transposed(xp, matrix)
    weight = xp.asarray(l2_regularizer).astype(matrix.dtype) * np.eye(min(rows, columns), dtype=np.dtype(matrix.dtype))
    if rows >= columns:
        return _positive_solve(xp, full_product(xp, turned, matrix) + weight, full_product(xp, turned, rhs), check)
    return full_product(xp, turned, _positive_solve(xp, full_product(xp, matrix, turned) + weight, rhs, check))


batch_matrix_solve_ls = op(
    "BatchMatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double, *, T: {double, float}, fast: bool = True) -> "
    "output: T",
    shape=_least_squares_shape,
    grad=VJP,
)(matrix_solve_ls.kernel)


# ---- tridiagonal matrices


def _tridiagonal_rhs(rhs):
    return at_least_rank(rhs, 2)


def _with_row_of_zeros(xp, x, first):
    """Adds a row of zeros, as the first or as the last."""
    return xp.pad(x, [(0, 0)] * (x.ndim - 2) + [(1, 0) if first else (0, 1), (0, 0)])


@op(
    "TridiagonalMatMul(superdiag: T, maindiag: T, subdiag: T, rhs: T, *, T: {double, float, complex64, complex128}) -> "
    "output: T",
    shape=_tridiagonal_rhs,
)
def tridiagonal_mat_mul(xp, superdiag, maindiag, subdiag, rhs):
    """Multiplies tridiagonal matrices, given by their three diagonals, by other matrices."""
    above, main, below = (xp.swapaxes(d, -1, -2) for d in (superdiag, maindiag, subdiag))
    # The last element above and the first below the main diagonal are outside the matrix and must not be read.
    upper = _with_row_of_zeros(xp, above[..., :-1, :] * rhs[..., 1:, :], first=False)
    lower = _with_row_of_zeros(xp, below[..., 1:, :] * rhs[..., :-1, :], first=True)
    return main * rhs + upper + lower


@tridiagonal_mat_mul.grad
def _(op, dy):
    """By the right-hand side: the product with the transposed matrix; by the diagonals: products of rows."""
    above, main, below = map(conj_if_complex, op.inputs[:3])
    by_diagonals = unpack(_three_diagonals(dy, op.inputs[3]), num=3, axis=-2)
    by_rhs = tridiagonal_mat_mul(roll(below, -1, -1), main, roll(above, 1, -1), dy)
    return [*(expand_dims(each, -2) for each in by_diagonals), by_rhs]


@op(
    "TridiagonalSolve(diagonals: T, rhs: T, *, partial_pivoting: bool = True, "
    "T: {double, float, complex64, complex128}) -> output: T",
    later={"perturb_singular": False},
)
def tridiagonal_solve(xp, diagonals, rhs, check):
    """Solves tridiagonal systems, given by their super-, main and subdiagonals as rows.

    Always pivots: `partial_pivoting` has no effect.
    """
    if diagonals.shape[-1] != rhs.shape[-2]:
        raise errors.invalid(f"diagonals of {diagonals.shape[-1]} elements do not fit {rhs.shape[-2]} rows of rhs")
    above, main, below = (diagonals[..., row, :] for row in range(3))
    if native_matrices.takes_diagonals(diagonals, rhs):
        solution = native_matrices.tridiagonal(diagonals, rhs)
    elif xp is np:
        return attempted(lambda: _banded(above, main, below, rhs), _SINGULAR)
    else:
        size = main.shape[-1]
        inside = np.arange(size)
        above, below = xp.where(inside < size - 1, above, 0), xp.where(inside > 0, below, 0)
        solution = lax_linalg().tridiagonal_solve(below, main, above, rhs)
    check(all_finite(xp, solution, diagonals, rhs), _SINGULAR)
    return solution


def _banded(above, main, below, rhs):
    from scipy.linalg import solve_banded

    (size, count), systems = rhs.shape[-2:], int(np.prod(rhs.shape[:-2]))
    if not rhs.size:
        return rhs
    solved = np.empty((systems, size, count), rhs.dtype)
    flat = [d.reshape(systems, size) for d in (above, main, below)] + [rhs.reshape(systems, size, count)]
    for at, (up, middle, down, right) in enumerate(zip(*flat)):
        if size == 1:
            solved[at] = right / middle[:, None]
        else:
            solved[at] = solve_banded((1, 1), np.stack([np.roll(up, 1), middle, np.roll(down, -1)]), right,
                                      check_finite=False)
    return solved.reshape(rhs.shape)


@tridiagonal_solve.shape
def _(diagonals, rhs):
    at_least_rank(diagonals, 2)
    at_least_rank(rhs, 2)
    if diagonals is not None:
        require_equal(diagonals[-2], 3, "Dimensions must be equal")
    if diagonals is not None and rhs is not None:
        require_equal(diagonals[-1], rhs[-2])
        merge(diagonals[:-2], rhs[:-2])
    return rhs


@tridiagonal_solve.grad
def _(op, dy):
    """By the right-hand side: the solution with the transposed matrix; by the diagonals: its products with x."""
    diagonals, solution = op.inputs[0], op.outputs[0]
    by_rhs = tridiagonal_solve(_tridiagonal_adjoint(diagonals), dy, partial_pivoting=op.attrs["partial_pivoting"])
    return neg(_three_diagonals(by_rhs, solution)), by_rhs


def _tridiagonal_adjoint(diagonals):
    """The diagonals of the adjoint: super- and subdiagonal are exchanged and shifted by one."""
    above, main, below = unpack(conj_if_complex(diagonals), num=3, axis=-2)
    return pack([roll(below, -1, -1), main, roll(above, 1, -1)], axis=-2)


def _three_diagonals(x, y):
    """The three diagonals of x * adjoint(y), with zeros outside the matrix."""
    y = conj_if_complex(y)
    above = sum_(mul(_rows(x, to=-1), _rows(y, since=1)), [-1])
    main = sum_(mul(x, y), [-1])
    below = sum_(mul(_rows(x, since=1), _rows(y, to=-1)), [-1])
    nothing = zeros_like(strided_slice(main, [0, 0], [0, 1], [1, 1], ellipsis_mask=1))
    return pack([concat_v2([above, nothing], -1), main, concat_v2([nothing, below], -1)], axis=-2)


def _rows(x, since=0, to=0):
    """x[..., since:to, :], where `to` = 0 means the end."""
    return strided_slice(x, [0, since, 0], [0, to, 0], [1, 1, 1], ellipsis_mask=1, begin_mask=4,
                         end_mask=4 if to else 6)

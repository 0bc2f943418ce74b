"""Matrix decompositions (QR, SVD, eigenvalues, LU) and matrix functions (square root, logarithm, exponential)."""

from __future__ import annotations

import warnings

import numpy as np

from evergraph.graph.opdef import VJP, op
from evergraph.graph.shaping import at_least_rank
from evergraph.kernel import native_matrices
from evergraph.kernel.lapack import lax_linalg, linalg_of
from evergraph.ops.arrays.basic import shape, zeros_like
from evergraph.ops.arrays.diagonal import matrix_band_part, matrix_diag, matrix_diag_part, matrix_set_diag
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.arrays.reshape import concat_v2, expand_dims, reshape
from evergraph.ops.math.elementwise import add_v2, conj_if_complex, equal, mul, reciprocal, select
from evergraph.ops.math.elementwise import square as squared
from evergraph.ops.math.elementwise import sub as subtract
from evergraph.ops.math.linalg import (
    FLOATS,
    attempted,
    matrix_solve,
    matrix_triangular_solve,
    precise,
    square,
    transposed,
)
from evergraph.ops.math.matmul import adjoint as adjoint_of
from evergraph.ops.math.matmul import matrix_product

# ---- QR


def _thin(input):
    """(batch shape, rows, columns, the smaller of both)."""
    rows, columns = input[-2:]
    smaller = None if rows is None or columns is None else min(rows, columns)
    return input[:-2], rows, columns, smaller


def _qr_shape(input, full_matrices):
    if at_least_rank(input, 2) is None:
        return [None, None]
    batch, rows, columns, smaller = _thin(input)
    inner = rows if full_matrices else smaller
    return [(*batch, rows, inner), (*batch, inner, columns)]


@op(
    f"Qr(input: T, *, full_matrices: bool = False, T: {FLOATS}) -> q: T, r: T",
    shape=_qr_shape,
    export=("qr", "linalg.qr"),
)
def qr(xp, input, full_matrices):
    """The QR decomposition: Q with orthonormal columns and R upper triangular, input = Q R."""
    return tuple(linalg_of(xp).qr(precise(input), mode="complete" if full_matrices else "reduced"))


@qr.grad
def _(op, dq, dr):
    q, r = op.outputs
    sizes = r.shape.as_list()[-2:] if r.shape.rank is not None else [None]
    if q.dtype.is_complex:
        raise NotImplementedError("QrGrad not implemented for dtype: " + q.dtype.name)
    if None in sizes:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if sizes[0] != sizes[1]:
        raise NotImplementedError(
            "Qr has a gradient when there are no more columns than rows; with full_matrices, when they are as many"
        )
    by_q, by_r = matrix_product(q, dq, adjoint_a=True), matrix_product(r, dr, adjoint_b=True)
    skew = add_v2(subtract(by_q, adjoint_of(by_q)), subtract(by_r, adjoint_of(by_r)))
    lower = matrix_band_part(skew, np.int64(-1), np.int64(0))
    inside = matrix_product(q, add_v2(dr, _over_adjoint(lower, r)))
    return add_v2(inside, _over_adjoint(subtract(dq, matrix_product(q, by_q)), r))


def _over_adjoint(x, r):
    """x * inverse(adjoint(r)) for an upper triangular r."""
    return adjoint_of(matrix_triangular_solve(r, adjoint_of(x), lower=False))


# ---- singular values


def _svd_shape(input, compute_uv, full_matrices):
    if at_least_rank(input, 2) is None:
        return [None, None, None] if compute_uv else [None, (0,), (0,)]
    batch, rows, columns, smaller = _thin(input)
    values = (*batch, smaller)
    if not compute_uv:
        return [values, (0,), (0,)]
    if full_matrices:
        return [values, (*batch, rows, rows), (*batch, columns, columns)]
    return [values, (*batch, rows, smaller), (*batch, columns, smaller)]


@op(
    f"Svd(input: T, *, compute_uv: bool = True, full_matrices: bool = False, T: {FLOATS}) -> s: T, u: T, v: T",
    shape=_svd_shape,
)
def svd(xp, input, compute_uv, full_matrices):
    """The singular value decomposition: singular values in descending order, left and right vectors as columns."""
    input = precise(input)
    is_square = input.shape[-2] == input.shape[-1]
    if compute_uv and (is_square or not full_matrices) and native_matrices.takes_singular(input):
        return tuple(_with_nan(xp, input, native_matrices.singular))
    if not compute_uv:
        nothing = np.zeros(0, np.dtype(input.dtype))
        return _with_nan(xp, input, lambda x: [linalg_of(xp).svd(x, compute_uv=False)])[0], nothing, nothing
    u, s, v = _with_nan(xp, input, lambda x: linalg_of(xp).svd(x, full_matrices=full_matrices))
    return s, u, transposed(xp, v)


def _with_nan(xp, matrices, decompose):
    """Decomposes; the parts of a matrix with NaN or infinity are NaN.

    NumPy would refuse the whole stack of matrices, and LAPACK may search for infinite singular values without end.
    """
    fine = xp.isfinite(matrices).all((-2, -1))
    if xp is np and fine.all():
        return decompose(matrices)
    parts = decompose(xp.where(fine[..., None, None], matrices, matrices.dtype.type(0)))
    return [xp.where(fine.reshape(fine.shape + (1,) * (part.ndim - fine.ndim)), part, part.dtype.type(np.nan))
            for part in parts]


def _inverse_differences(values):
    """1 / (values[j] - values[i]) at [i, j], and 0 where they are equal."""
    difference = subtract(expand_dims(values, -2), expand_dims(values, -1))
    zeros = zeros_like(difference)
    same = equal(difference, zeros)
    # 1 / 0 must not occur even where it is not selected: its gradient would be NaN.
    safe = reciprocal(select(same, add_v2(zeros, 1), difference))
    return matrix_set_diag(select(same, zeros, safe), zeros_like(values))


@svd.grad
def _(op, ds, du, dv):
    """After Giles, "An extended collection of matrix derivative results for forward and reverse mode AD" (2008)."""
    a = op.inputs[0]
    if a.dtype.is_complex:
        raise NotImplementedError("SVD gradient is not implemented for complex matrices.")
    if not op.attrs["compute_uv"]:
        _, u, v = svd(a)
        return matrix_product(u, matrix_product(matrix_diag(ds), v, adjoint_b=True))
    sizes = a.shape.as_list()[-2:] if a.shape.rank is not None else [None]
    if None in sizes:
        raise NotImplementedError("the gradient of Svd needs to know the sizes of the matrices")
    rows, columns = sizes
    full = op.attrs["full_matrices"]
    if full and abs(rows - columns) > 1:
        raise NotImplementedError("Svd with full_matrices has a gradient when rows and columns differ by one at most")
    s, u, v = op.outputs
    if rows > columns:  # the transposed matrix has the same factors with left and right exchanged
        return adjoint_of(_svd_gradient(s, v, u, ds, dv, du, columns, rows, full))
    return _svd_gradient(s, u, v, ds, du, dv, rows, columns, full)


def _svd_gradient(s, u, v, ds, du, dv, rows, columns, full):
    """The gradient for matrices with at least as many columns as rows."""
    factor, values = _inverse_differences(squared(s)), matrix_diag(s)
    v1, dv1 = _columns(v, 0, rows), _columns(dv, 0, rows)
    by_u = mul(factor, matrix_product(u, du, adjoint_a=True))
    by_v = mul(factor, matrix_product(v1, dv1, adjoint_a=True))
    middle = add_v2(matrix_diag(ds), matrix_product(add_v2(by_u, adjoint_of(by_u)), values))
    middle = add_v2(middle, matrix_product(values, add_v2(by_v, adjoint_of(by_v))))
    inside = matrix_product(u, matrix_product(middle, v1, adjoint_b=True))
    if rows == columns:
        return inside
    outside = subtract(adjoint_of(dv1), matrix_product(matrix_product(dv1, v1, adjoint_a=True), v1, adjoint_b=True))
    if full:
        v2, dv2 = _columns(v, rows, columns), _columns(dv, rows, columns)
        outside = subtract(outside, matrix_product(matrix_product(v1, dv2, adjoint_a=True), v2, adjoint_b=True))
    zeros = zeros_like(s)
    inverse = select(equal(s, zeros), zeros, reciprocal(s))
    return add_v2(inside, matrix_product(matrix_product(u, matrix_diag(inverse)), outside))


def _columns(x, first, end):
    """x[..., first:end]."""
    return strided_slice(x, [0, first], [0, end], [1, 1], ellipsis_mask=1)


batch_svd = op(
    "BatchSvd(input: T, *, compute_uv: bool = True, full_matrices: bool = False, "
    "T: {double, float, complex64, complex128}) -> s: T, u: T, v: T",
    shape=_svd_shape,
    grad=svd.grad_fn,
)(svd.kernel)


# ---- eigenvalues


def _eigen(xp, input, compute_v, check):
    """Eigenvalues in ascending order and eigenvectors as columns; reads only the lower triangle."""
    input = precise(input)
    check(~xp.isnan(xp.tril(input)).any(), _NO_EIGEN)
    if native_matrices.takes(input):
        values, vectors = native_matrices.eigen(input)
        check(~xp.isnan(values).any(), _NO_EIGEN)
        return values, vectors if compute_v else np.zeros(0, np.dtype(input.dtype))
    if xp is np:
        if not compute_v:
            return attempted(lambda: np.linalg.eigvalsh(input), _NO_EIGEN), np.zeros(0, input.dtype)
        return tuple(attempted(lambda: np.linalg.eigh(input), _NO_EIGEN))
    vectors, values = lax_linalg().eigh(input, lower=True, symmetrize_input=False)
    check(~xp.isnan(values).any(), _NO_EIGEN)
    return (values, vectors) if compute_v else (values, np.zeros(0, np.dtype(input.dtype)))


_NO_EIGEN = "the eigenvalues of a self-adjoint matrix did not converge. Does it hold NaN or infinities?"


def _eigen_shape(input, compute_v):
    matrix = square(input)
    vectors = matrix if compute_v else (0,)
    return [None, vectors] if matrix is None else [matrix[:-1], vectors]


@op(
    f"SelfAdjointEigV2(input: T, *, compute_v: bool = True, T: {FLOATS}) -> e: T, v: T",
    shape=_eigen_shape,
)
def self_adjoint_eig_v2(xp, input, compute_v, check):
    """The eigenvalues of self-adjoint matrices in ascending order, and the eigenvectors as columns."""
    return _eigen(xp, input, compute_v, check)


@self_adjoint_eig_v2.grad
def _(op, de, dv):
    if op.attrs["compute_v"]:
        e, v = op.outputs
        by_vectors = mul(_inverse_differences(e), matrix_product(v, dv, adjoint_a=True))
        middle = add_v2(matrix_diag(de), by_vectors)
    else:
        _, v = self_adjoint_eig_v2(op.inputs[0])
        middle = matrix_diag(de)
    whole = matrix_product(v, matrix_product(middle, v, adjoint_b=True))
    # The op reads only the lower triangle, which determines both.
    lower = matrix_band_part(add_v2(whole, adjoint_of(whole)), np.int64(-1), np.int64(0))
    return matrix_set_diag(lower, mul(matrix_diag_part(lower), 0.5))


batch_self_adjoint_eig_v2 = op(
    "BatchSelfAdjointEigV2(input: T, *, compute_v: bool = True, T: {double, float}) -> e: T, v: T",
    shape=_eigen_shape,
    grad=self_adjoint_eig_v2.grad_fn,
)(self_adjoint_eig_v2.kernel)


def _values_over_vectors(input):
    matrix = square(input)
    if matrix is None:
        return None
    return (*matrix[:-2], None if matrix[-2] is None else matrix[-2] + 1, matrix[-1])


@op("SelfAdjointEig(input: T, *, T: {double, float, half}) -> output: T", shape=_values_over_vectors)
def self_adjoint_eig(xp, input, check):
    """Eigenvalues in the first row, eigenvectors in the columns below."""
    values, vectors = _eigen(xp, input, True, check)
    return xp.concatenate([values[..., None, :], vectors], axis=-2)


batch_self_adjoint_eig = op(
    "BatchSelfAdjointEig(input: T, *, T: {double, float}) -> output: T", shape=_values_over_vectors
)(self_adjoint_eig.kernel)


# ---- LU


def _lu_shape(input):
    matrix = square(input)
    return [None, None] if matrix is None else [matrix, matrix[:-1]]


@op(
    f"Lu(input: T, *, T: {FLOATS}, output_idx_type: index = int32) -> lu: T, p: output_idx_type",
    shape=_lu_shape,
    grad=VJP,
    export=("linalg.lu",),
)
def lu(xp, input, check):
    """The LU decomposition with partial pivoting: unit lower triangular L and U in one matrix, and permutation `p`."""
    input = precise(input)
    if xp is np:
        factors, order = _lu_on_numpy(input)
    else:
        factors, _, order = lax_linalg().lu(input)
    check((abs(xp.diagonal(factors, axis1=-2, axis2=-1)) > 0).all(), "Input is not invertible.")
    return factors, order


def _lu_on_numpy(input):
    from scipy.linalg import lu_factor

    size, count = input.shape[-1], int(np.prod(input.shape[:-2]))
    factors, order = np.empty_like(input).reshape(count, size, size), np.empty((*input.shape[:-2], size), np.int64)
    for at, matrix in enumerate(input.reshape(count, size, size)):
        factors[at], pivots = _quiet(lu_factor, matrix, check_finite=False) if size else (matrix, [])
        rows = order.reshape(count, size)[at]
        rows[:] = np.arange(size)
        for row, other in enumerate(pivots):
            rows[[row, other]] = rows[[other, row]]
    return factors.reshape(input.shape), order


def _quiet(function, *arguments, **options):
    """SciPy's result without its warnings of singular matrices: the kernels refuse those or go on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


# ---- matrix functions


def _each(function, input):
    """Applies a function of one matrix to a batch of matrices; NaN where they have infinities, with which SciPy's
    logarithm would go on for ever."""
    single = precise(input)
    flat = single.reshape(int(np.prod(single.shape[:-2])), *single.shape[-2:])
    done = [function(matrix) if np.isfinite(matrix).all() else matrix * np.nan for matrix in flat] if flat.size else []
    return np.asarray(done, single.dtype).reshape(input.shape)


@op(f"MatrixSquareRoot(input: T, *, T: {FLOATS}) -> output: T", shape=square, on="host",
    export=("linalg.sqrtm", "matrix_square_root"))
def matrix_square_root(input):
    """The principal matrix square root."""
    from scipy.linalg import sqrtm

    def root(matrix):
        result = _quiet(sqrtm, matrix)
        has_none = np.iscomplexobj(result) and matrix.dtype.kind != "c"  # no real one
        return np.full_like(matrix, np.nan) if has_none else result

    return _each(root, input)


@matrix_square_root.grad
def _(op, dy):
    """Solves the Sylvester equation adjoint(root) * dx + dx * adjoint(root) = dy by a Kronecker sum."""
    root = op.outputs[0]
    size = root.shape.as_list()[-1] if root.shape.rank is not None else None
    if size is None:
        raise NotImplementedError("The gradient of MatrixSquareRoot needs to know the size of the matrices.")
    batch = strided_slice(shape(root), [0], [-2], [1], begin_mask=1)
    column = reshape(dy, concat_v2([batch, [size * size, 1]], 0))
    return reshape(matrix_solve(_kronecker_sum(root, size, batch), column), shape(root))


def _kronecker_sum(root, size, batch):
    """adjoint(root) (x) 1 + 1 (x) conj(root)."""
    unit = np.eye(size, dtype=root.dtype.base_dtype.np)
    outer, inner = [size, 1, size, 1], [1, size, 1, size]
    left = mul(reshape(adjoint_of(root), concat_v2([batch, outer], 0)), unit.reshape(inner))
    right = mul(reshape(conj_if_complex(root), concat_v2([batch, inner], 0)), unit.reshape(outer))
    return reshape(add_v2(left, right), concat_v2([batch, [size * size] * 2], 0))


@op("MatrixLogarithm(input: T, *, T: {complex64, complex128}) -> output: T", shape=square, on="host",
    export=("linalg.logm",))
def matrix_logarithm(input):
    """The principal matrix logarithm."""
    from scipy.linalg import logm

    def logarithm(matrix):  # of a singular one SciPy's has the logarithm of a small number
        return _quiet(logm, matrix) if np.linalg.eigvals(matrix).all() else matrix * np.nan

    return _each(logarithm, input)


@op(f"MatrixExponential(input: T, *, T: {FLOATS}) -> output: T", shape=square, grad=VJP)
def matrix_exponential(xp, input):
    """The matrix exponential 1 + A + A^2 / 2! + A^3 / 3! + ..."""
    if xp is np:
        from scipy.linalg import expm
    else:
        from jax.scipy.linalg import expm
    return expm(precise(input)) if input.shape[-1] else input

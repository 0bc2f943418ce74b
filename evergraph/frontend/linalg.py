"""tf.linalg: functions of matrices that are more than one op."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic
from evergraph.ops.control.effects import assert_
from evergraph.ops.math import decompose, elementwise, linalg


@export("linalg.adjoint")
@overloadable
def adjoint(matrix, name=None):
    """Matrices transposed and conjugated."""
    with name_scope(name, "adjoint", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        return array.matrix_transpose(matrix, conjugate=True)


@export("linalg.trace", "trace")
@overloadable
def trace(x, name=None):
    """The sums of the main diagonals of matrices."""
    with name_scope(name, "Trace", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(matrix_diag_part(x), [-1], name=scope)


@export("linalg.logdet")
@overloadable
def logdet(matrix, name=None):
    """The logarithm of the determinant of positive definite matrices."""
    with name_scope(name, "logdet", [matrix]):
        factor = linalg.cholesky(matrix)
        return 2.0 * reduce_sum(elementwise.log(math.real(matrix_diag_part(factor))), axis=[-1])


# ---- equations

@export("linalg.cholesky_solve", "cholesky_solve")
def cholesky_solve(chol, rhs, name=None):
    """The solution of A x = rhs where A is known by its Cholesky factor.

    Args:
        chol: lower triangular, the result of `tf.linalg.cholesky(A)`.
        rhs: right hand sides, as columns.
        name: a name for the operations.
    """
    with name_scope(name, "cholesky_solve", [chol, rhs]):
        half = linalg.matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return linalg.matrix_triangular_solve(chol, half, adjoint=True, lower=True)


@export("linalg.lstsq", "matrix_solve_ls")
def matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """The x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 smallest, and among equals the shortest.

    Args:
        matrix: [..., rows, columns].
        rhs: [..., rows, n].
        l2_regularizer: a number.
        fast: whether to solve the normal equations, which needs a well conditioned matrix; else by singular values,
            without the regularizer.
        name: a name for the operations.
    """
    matrix = convert_to_tensor(matrix, name="matrix")
    if not fast or matrix.dtype.is_complex:  # the op's own answer
        return linalg.matrix_solve_ls(matrix, rhs, convert_to_tensor(l2_regularizer, dtypes.float64), fast=fast,
                                      name=name)
    with name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        rhs = convert_to_tensor(rhs, name="rhs")
        sizes = matrix.shape[-2:]
        if sizes.is_fully_defined():
            solve = _overdetermined if sizes.tuple[0] >= sizes.tuple[1] else _underdetermined
            return solve(matrix, rhs, l2_regularizer)
        sizes = array.shape(matrix)[-2:]
        return cond(sizes[0] >= sizes[1], lambda: _overdetermined(matrix, rhs, l2_regularizer),
                    lambda: _underdetermined(matrix, rhs, l2_regularizer))


def _overdetermined(matrix, rhs, l2_regularizer):
    """Enough equations: x = inverse(A^H A + l2) A^H rhs."""
    factor = _gramian_factor(matrix, l2_regularizer, columns=True)
    return cholesky_solve(factor, matmul(matrix, rhs, adjoint_a=True))


def _underdetermined(matrix, rhs, l2_regularizer):
    """Too few equations: x = A^H inverse(A A^H + l2) rhs."""
    factor = _gramian_factor(matrix, l2_regularizer, columns=False)
    return matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)


def _gramian_factor(matrix, l2_regularizer, columns):
    """The Cholesky factor of all products of columns (or of rows), plus the regularizer."""
    gramian = matmul(matrix, matrix, adjoint_a=columns, adjoint_b=not columns)
    if isinstance(l2_regularizer, (int, float)) and l2_regularizer == 0:
        return linalg.cholesky(gramian)
    sizes = array.shape(matrix)
    size = sizes[-1] if columns else sizes[-2]
    unit = array.eye(size, batch_shape=sizes[:-2], dtype=matrix.dtype.base_dtype)
    return linalg.cholesky(gramian + math.cast(l2_regularizer, matrix.dtype.base_dtype) * unit)


# ---- singular values and eigenvalues

@export("linalg.svd", "svd")
def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """The singular value decomposition: tensor = u * diag(s) * adjoint(v).

    Args:
        tensor: [..., rows, columns].
        full_matrices: whether u and v are square, with more columns than there are singular values.
        compute_uv: whether u and v are wanted.
        name: a name for the operation.

    Returns:
        (s, u, v), or s alone; the singular values from large to small.
    """
    s, u, v = decompose.svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (math.real(s), u, v) if compute_uv else math.real(s)


@export("linalg.eigh", "self_adjoint_eig")
def self_adjoint_eig(tensor, name=None):
    """The eigenvalues of self-adjoint matrices in rising order, and the eigenvectors as columns.

    Only the lower triangle is looked at.
    """
    e, v = decompose.self_adjoint_eig_v2(tensor, compute_v=True, name=name)
    return e, v


@export("linalg.eigvalsh", "self_adjoint_eigvals")
def self_adjoint_eigvals(tensor, name=None):
    """The eigenvalues of self-adjoint matrices in rising order."""
    e, _ = decompose.self_adjoint_eig_v2(tensor, compute_v=False, name=name)
    return e


@export("linalg.matrix_rank")
def matrix_rank(a, tol=None, validate_args=False, name=None):
    """The number of singular values that are larger than `tol`.

    Args:
        a: [..., rows, columns].
        tol: by default the precision of the dtype times the larger size times the largest singular value.
        validate_args: whether it is checked that `a` holds finite numbers.
        name: a name for the operations.
    """
    with name_scope(name or "matrix_rank"):
        a = _checked(convert_to_tensor(a, name="a"), validate_args)
        s = svd(a, compute_uv=False)
        if tol is None:
            largest = reduce_max(s, axis=-1, keepdims=True)
            tol = np.finfo(a.dtype.base_dtype.np).eps * _larger_side(a, s.dtype.base_dtype) * largest
        return reduce_sum(math.cast(s > tol, dtypes.int32), axis=-1)


@export("linalg.pinv")
def pinv(a, rcond=None, validate_args=False, name=None):
    """The Moore-Penrose inverse: singular values are inverted, those too small to trust become zero.

    Args:
        a: [..., rows, columns].
        rcond: what is too small, as a share of the largest singular value; by default ten times the larger size times
            the precision of the dtype.
        validate_args: whether it is checked that `a` holds finite numbers.
        name: a name for the operations.
    """
    with name_scope(name or "pinv"):
        a = convert_to_tensor(a, name="a")
        if not a.dtype.is_floating:
            raise TypeError(f"`a` must be of a floating point dtype, not {a.dtype.name}.")
        a = _checked(a, validate_args)
        kind = a.dtype.base_dtype
        if rcond is None:
            rcond = 10.0 * _larger_side(a, kind) * np.finfo(kind.np).eps
        s, u, v = svd(a, full_matrices=False, compute_uv=True)
        cutoff = convert_to_tensor(rcond, dtype=kind, name="rcond") * reduce_max(s, axis=-1)
        kept = indexing.where_v2(s > array.expand_dims(cutoff, -1), s, np.array(np.inf, kind.np))
        return matmul(v / array.expand_dims(kept, -2), u, adjoint_b=True)


def _larger_side(a, kind):
    """The larger of the number of rows and columns."""
    if a.shape[-2:].is_fully_defined():
        return float(max(a.shape[-2:].as_list()))
    return math.cast(reduce_max(array.shape(a)[-2:]), kind)


def _checked(a, validate_args):
    if a.shape.rank is not None and a.shape.rank < 2:
        raise ValueError(f"`a` must have at least 2 dimensions; its rank is {a.shape.rank}.")
    if not validate_args:
        return a
    tall_enough = assert_(basic.rank(a) >= 2, ["`a` must have at least 2 dimensions"])
    with control_dependencies([tall_enough]):
        return basic.check_numerics(a, message="Input `a` is not finite")


# ---- tridiagonal matrices

@export("linalg.tridiagonal_solve")
def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False, conjugate_rhs=False, name=None,
                      partial_pivoting=True):
    """Solves equations whose matrices have only three diagonals.

    Args:
        diagonals: the diagonals above, on and below the main one, in the format said next.
        rhs: [..., size] or [..., size, n].
        diagonals_format: "compact", [..., 3, size], where the last number above and the first below count nothing;
            "sequence", a list of three; or "matrix", [..., size, size].
        transpose_rhs: whether `rhs` is transposed first.
        conjugate_rhs: whether `rhs` is conjugated first.
        name: a name for the operations.
        partial_pivoting: whether rows may be exchanged, for precision.

    Raises:
        ValueError: the format is unknown or the shapes do not fit.
    """
    with name_scope(name or "tridiagonal_solve"):
        compact = _compact(diagonals, diagonals_format)
        rhs = convert_to_tensor(rhs)
        vector = None not in (rhs.shape.rank, compact.shape.rank) and rhs.shape.rank == compact.shape.rank - 1
        rhs = math.conj(rhs) if conjugate_rhs else rhs
        if vector:
            rhs = array.expand_dims(rhs, -1)
        elif transpose_rhs:
            rhs = array.matrix_transpose(rhs)
        result = linalg.tridiagonal_solve(compact, rhs, partial_pivoting=partial_pivoting)
        return array.squeeze(result, -1) if vector else result


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """The product of matrices that have only three diagonals with other matrices.

    Args:
        diagonals: see `tf.linalg.tridiagonal_solve`.
        rhs: [..., size, n].
        diagonals_format: see `tf.linalg.tridiagonal_solve`.
        name: a name for the operations.
    """
    with name_scope(name or "tridiagonal_matmul"):
        compact = _compact(diagonals, diagonals_format)
        above, main, below = (compact[..., row:row + 1, :] for row in range(3))
        return linalg.tridiagonal_mat_mul(above, main, below, convert_to_tensor(rhs))


def _compact(diagonals, diagonals_format):
    """Three diagonals as the rows of [..., 3, size]."""
    if diagonals_format == "compact":
        return convert_to_tensor(diagonals)
    if diagonals_format == "matrix":
        return _from_matrix(convert_to_tensor(diagonals))
    if diagonals_format != "sequence":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("diagonals must be three: above, on and below the main diagonal")
    above, main, below = (convert_to_tensor(d) for d in diagonals)
    return _side_by_side(above, main, below)


def _from_matrix(matrix):
    if matrix.shape.rank is not None:
        rows, columns = matrix.shape.as_list()[-2:]
        if None not in (rows, columns) and rows != columns:
            raise ValueError(f"diagonals given as a matrix must be square, got {rows} x {columns}")
    above, below = matrix[..., :-1, 1:], matrix[..., 1:, :-1]
    return _side_by_side(*(matrix_diag_part(part) for part in (above, matrix, below)))


def _side_by_side(above, main, below):
    """The diagonals as rows; those beside the main one may be one shorter and get a zero."""
    size, zero = array.shape(main)[-1], array.zeros_like(main[..., :1])
    for what, short in (("super", above), ("sub", below)):
        _check_length(what, short.shape, main.shape)
    above, below = array.concat([above, zero], -1)[..., :size], array.concat([zero, below], -1)[..., -size:]
    for short in (above, below):
        short.set_shape(main.shape)
    return array.stack([above, main, below], axis=-2)


def _check_length(what, short, main):
    if short.rank is None or main.rank is None or None in (short.as_list()[-1], main.as_list()[-1]):
        return
    length, size = short.as_list()[-1], main.as_list()[-1]
    if length not in (size, size - 1):
        raise ValueError(f"Expected {what}diagonal to have length {size} or {size - 1}, saw {length}")

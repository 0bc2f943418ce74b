"""Small matrices in compiled programs on CPUs: linear systems, determinants, Cholesky factors, eigenvectors.

The kernels are in native/matrices.h, a module for each dtype, and take batches of matrices. LAPACK takes longer for a
matrix of few rows than its arithmetic does, and some versions of jaxlib call it for one matrix after the other
(`lapack.py`). `takes` says where the kernels are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, available_now, call, call_for_all, call_now
from evergraph.kernel.values import is_traced

_MODULES = {"float32": "matrices", "float64": "matrices64"}
_MOST, _MANY = 64, 512  # rows, and rows of triangular matrices, as in native/matrices.h
_ANY = 2**31 - 1
_LOWER, _TRANSPOSED = 1, 2  # options of triangular systems there


def takes(matrices: Any, *rhs: Any) -> bool:
    """Whether the kernels take these: traced, float32 or float64; square matrices with few rows, and right sides."""
    return any(map(is_traced, (matrices, *rhs))) and _fits(matrices, *rhs) and available(_kernel("solve", matrices))


def takes_triangular(matrices: Any, rhs: Any) -> bool:
    """Whether the kernel takes these triangular matrices, of which it needs no copies."""
    return (is_traced(matrices) or is_traced(rhs)) and _fits(matrices, rhs, most=_MANY) \
        and available(_kernel("triangular", matrices))


def takes_diagonals(diagonals: Any, rhs: Any) -> bool:
    """Whether the kernel takes these tridiagonal systems, given by their diagonals as rows."""
    return (is_traced(diagonals) or is_traced(rhs)) and _fits(diagonals, rhs, rows=3, most=_ANY) \
        and available(_kernel("tridiagonal", diagonals))


def takes_now(matrices: Any) -> bool:
    """Whether the kernels take matrices of NumPy."""
    return _fits(matrices) and available_now(_kernel("solve", matrices))


def _fits(matrices: Any, *rhs: Any, rows: int | None = None, most: int = _MOST) -> bool:
    """Whether the kernels have the dtype and the sizes; matrices without `rows` are square."""
    size = matrices.shape[-1]
    return (np.dtype(matrices.dtype).name in _MODULES and matrices.shape[-2] == (size if rows is None else rows)
            and size <= most and matrices.size > 0
            and all(each.dtype == matrices.dtype and each.shape[-2] == size and each.size for each in rhs))


def _kernel(name: str, matrices: Any) -> str:
    """The kernel of this name for the dtype of the matrices."""
    return f"{_MODULES[np.dtype(matrices.dtype).name]}.{name}"


def _turned(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def solved(matrix: Any, rhs: Any) -> Any:
    """The x of matrix * x = rhs; infinite or NaN where a matrix is singular."""
    matrix, rhs = _in_one_batch(matrix, rhs)
    return _of_system("solve", matrix, rhs, 0)


def triangular(matrix: Any, rhs: Any, lower: bool, transposed: bool) -> Any:
    """The x of matrix * x = rhs with a triangular matrix, or its transpose; the other triangle is not read."""
    import jax

    def backward(kept: Any, dx: Any) -> Any:
        matrix, x = kept
        by_rhs = triangular(matrix, dx, lower, not transposed)
        left, right = (x, by_rhs) if transposed else (by_rhs, x)
        return (jax.numpy.tril if lower else jax.numpy.triu)(-_product(left, _turned(right))), by_rhs

    def forward(matrix: Any, rhs: Any) -> Any:
        x = fast(matrix, rhs)
        return x, (matrix, x)

    option = _LOWER * lower | _TRANSPOSED * transposed
    fast = jax.custom_vjp(lambda matrix, rhs: _of_system("triangular", matrix, rhs, option))
    fast.defvjp(forward, backward)
    return fast(*_in_one_batch(matrix, rhs))


def tridiagonal(diagonals: Any, rhs: Any) -> Any:
    """The x of matrix * x = rhs, given the super-, main and subdiagonals as rows; infinite or NaN if singular."""
    return _of_system("tridiagonal", *_in_one_batch(diagonals, rhs), 0)


def _product(a: Any, b: Any) -> Any:
    import jax

    return jax.numpy.matmul(a, b, precision="highest")


def _in_one_batch(matrix: Any, rhs: Any) -> tuple[Any, Any]:
    import jax

    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return (jax.numpy.broadcast_to(matrix, (*batch, *matrix.shape[-2:])),
            jax.numpy.broadcast_to(rhs, (*batch, *rhs.shape[-2:])))


def _of_system(kernel: str, matrix: Any, rhs: Any, option: int) -> Any:
    return call(_kernel(kernel, matrix), rhs.shape, rhs.dtype, [matrix, rhs], _numbers(matrix, rhs.shape[-1], option))


def _numbers(matrices: Any, columns: int = 0, option: int = 0) -> list[int]:
    """What the kernels are told: matrices, their rows, columns of the right sides, and an option."""
    return [math.prod(matrices.shape[:-2]), matrices.shape[-1], columns, option]


def inverse(matrices: Any) -> Any:
    """The inverses; infinite or NaN where a matrix is singular."""
    return call(_kernel("inverse", matrices), matrices.shape, matrices.dtype, [matrices], _numbers(
        matrices, matrices.shape[-1]))


def determinants(matrices: Any, logarithms: bool) -> Sequence[Any]:
    """The determinants, or the logarithms of their magnitudes; and the signs of the logarithms' determinants."""
    results = [(matrices.shape[:-2], matrices.dtype)] * 2
    return call_for_all(_kernel("determinant", matrices), results, [matrices], _numbers(matrices, 0, logarithms))


def cholesky(matrices: Any) -> Any:
    """The lower triangular factors of the lower triangles; NaN where a matrix is not positive definite."""
    import jax

    fast = jax.custom_vjp(lambda matrices: call(
        _kernel("cholesky", matrices), matrices.shape, matrices.dtype, [matrices], _numbers(matrices)))
    fast.defvjp(lambda matrices: (fast(matrices),) * 2, lambda factor, by_factor: (_by_matrix(factor, by_factor),))
    return fast(matrices)


def _by_matrix(factor: Any, by_factor: Any) -> Any:
    """The gradient of a Cholesky factor: inv(L)^T * phi(L^T * dL) * inv(L), symmetrized; phi halves the diagonal."""
    import jax

    middle = jax.numpy.tril(_product(_turned(factor), by_factor))
    middle = middle - jax.numpy.eye(factor.shape[-1], dtype=factor.dtype) * middle / 2
    both = _turned(triangular(factor, _turned(triangular(factor, middle, True, True)), True, True))
    return (both + _turned(both)) / 2


def eigen(matrices: Any) -> Sequence[Any]:
    """The eigenvalues, ascending, and eigenvectors of symmetric matrices, from their lower triangles; NaN if none.

    The matrices are traced or NumPy's, with the same results.
    """
    shapes, numbers = [matrices.shape[:-1], matrices.shape], _numbers(matrices)
    kernel = _kernel("eigen", matrices)
    if is_traced(matrices):
        return call_for_all(kernel, [(shape, matrices.dtype) for shape in shapes], [matrices], numbers)
    products = matrices.size * matrices.shape[-1]
    return call_now(kernel, shapes, [matrices], np.asarray(numbers, np.int64).tobytes(), products, matrices.dtype)

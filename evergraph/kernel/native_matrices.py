"""Small matrices on CPUs: linear systems, determinants, Cholesky factors, eigenvectors, singular vectors.

The kernels are in native/matrices.h, a module for each dtype, and take batches of matrices, of compiled programs and of
NumPy, with the same results. LAPACK takes longer for a matrix of few rows than its arithmetic does, and some versions
of jaxlib call it for one matrix after the other (`lapack.py`). `takes` says where the kernels are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, available_now, call_for_all, call_now
from evergraph.kernel.values import is_traced

_MODULES = {"float32": "matrices", "float64": "matrices64"}
_MOST, _MANY = 64, 512  # rows, and rows of triangular matrices, as in native/matrices.h
_ANY = 2**31 - 1
_FEW = 12  # columns; LAPACK is faster at finding the singular vectors of more
_LOWER, _TRANSPOSED = 1, 2  # options of triangular systems there


def takes(matrices: Any, *rhs: Any) -> bool:
    """Whether the kernels take these: float32 or float64; square matrices with few rows, and right sides."""
    return _fits(matrices, *rhs) and _is_there("solve", matrices, *rhs)


def takes_triangular(matrices: Any, rhs: Any) -> bool:
    """Whether the kernel takes these triangular matrices, of which it needs no copies."""
    return _fits(matrices, rhs, most=_MANY) and _is_there("triangular", matrices, rhs)


def takes_diagonals(diagonals: Any, rhs: Any) -> bool:
    """Whether the kernel takes these tridiagonal systems, given by their diagonals as rows."""
    return _fits(diagonals, rhs, rows=3, most=_ANY) and _is_there("tridiagonal", diagonals, rhs)


def takes_singular(matrices: Any) -> bool:
    """Whether the kernel takes these matrices, which need not be square, for their singular vectors."""
    rows, columns = sorted(matrices.shape[-2:])[::-1]
    return (np.dtype(matrices.dtype).name in _MODULES and rows <= _MOST and columns <= _FEW and matrices.size > 0
            and _is_there("singular", matrices))


def _is_there(kernel: str, *given: Any) -> bool:
    name = _kernel(kernel, given[0])
    return available(name) if any(map(is_traced, given)) else available_now(name)


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


def _called(
    kernel: str, shapes: Sequence[Sequence[int]], operands: Sequence[Any], columns: int = 0, option: int = 0
) -> Sequence[Any]:
    """The results of a kernel, for matrices that are the first of the operands and right sides of so many columns."""
    matrices = operands[0]
    numbers = [math.prod(matrices.shape[:-2]), matrices.shape[-1], columns, option]
    name, dtype = _kernel(kernel, matrices), np.dtype(matrices.dtype)
    if any(map(is_traced, operands)):
        return call_for_all(name, [(shape, dtype) for shape in shapes], operands, numbers)
    products = matrices.size * (matrices.shape[-1] + columns)
    return call_now(name, shapes, operands, np.asarray(numbers, np.int64).tobytes(), products, dtype)


def solved(matrix: Any, rhs: Any) -> Any:
    """The x of matrix * x = rhs; infinite or NaN where a matrix is singular."""
    return _of_system("solve", *_in_one_batch(matrix, rhs))


def triangular(matrix: Any, rhs: Any, lower: bool, transposed: bool) -> Any:
    """The x of matrix * x = rhs with a triangular matrix, or its transpose; the other triangle is not read."""
    matrix, rhs = _in_one_batch(matrix, rhs)
    option = _LOWER * lower | _TRANSPOSED * transposed
    kernel = lambda matrix, rhs: _of_system("triangular", matrix, rhs, option)
    if not is_traced(matrix) and not is_traced(rhs):
        return kernel(matrix, rhs)
    import jax

    def backward(kept: Any, dx: Any) -> Any:
        matrix, x = kept
        by_rhs = triangular(matrix, dx, lower, not transposed)
        left, right = (x, by_rhs) if transposed else (by_rhs, x)
        return (jax.numpy.tril if lower else jax.numpy.triu)(-_product(left, _turned(right))), by_rhs

    def forward(matrix: Any, rhs: Any) -> Any:
        x = fast(matrix, rhs)
        return x, (matrix, x)

    fast = jax.custom_vjp(kernel)
    fast.defvjp(forward, backward)
    return fast(matrix, rhs)


def tridiagonal(diagonals: Any, rhs: Any) -> Any:
    """The x of matrix * x = rhs, given the super-, main and subdiagonals as rows; infinite or NaN if singular."""
    return _of_system("tridiagonal", *_in_one_batch(diagonals, rhs))


def _product(a: Any, b: Any) -> Any:
    import jax

    return jax.numpy.matmul(a, b, precision="highest")


def _in_one_batch(matrix: Any, rhs: Any) -> tuple[Any, Any]:
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return _broadcast(matrix, batch), _broadcast(rhs, batch)


def _broadcast(x: Any, batch: tuple[int, ...]) -> Any:
    if x.shape[:-2] == batch:
        return x
    if not is_traced(x):
        return np.broadcast_to(x, (*batch, *x.shape[-2:]))
    import jax

    return jax.numpy.broadcast_to(x, (*batch, *x.shape[-2:]))


def _of_system(kernel: str, matrix: Any, rhs: Any, option: int = 0) -> Any:
    return _called(kernel, [rhs.shape], [matrix, rhs], rhs.shape[-1], option)[0]


def inverse(matrices: Any) -> Any:
    """The inverses; infinite or NaN where a matrix is singular."""
    return _called("inverse", [matrices.shape], [matrices], matrices.shape[-1])[0]


def determinants(matrices: Any, logarithms: bool) -> Sequence[Any]:
    """The determinants, or the logarithms of their magnitudes; and the signs of the logarithms' determinants."""
    return _called("determinant", [matrices.shape[:-2]] * 2, [matrices], option=logarithms)


def cholesky(matrices: Any) -> Any:
    """The lower triangular factors of the lower triangles; NaN where a matrix is not positive definite."""
    kernel = lambda matrices: _called("cholesky", [matrices.shape], [matrices])[0]
    if not is_traced(matrices):
        return kernel(matrices)
    import jax

    fast = jax.custom_vjp(kernel)
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
    """The eigenvalues, ascending, and eigenvectors of symmetric matrices, from their lower triangles; NaN if none."""
    return _called("eigen", [matrices.shape[:-1], matrices.shape], [matrices])


def singular(matrices: Any) -> tuple[Any, Any, Any]:
    """The singular values, descending, and as many left and right vectors as columns."""
    rows, columns = matrices.shape[-2:]
    if rows < columns:
        values, right, left = singular(_turned(matrices))
        return values, left, right
    batch = matrices.shape[:-2]
    shapes = [(*batch, columns), matrices.shape, (*batch, columns, columns)]
    values, left, right = _called("singular", shapes, [matrices], rows)
    return values, left, right

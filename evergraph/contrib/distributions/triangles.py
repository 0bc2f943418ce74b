"""Triangular matrices as vectors, tridiagonal matrices, and functions of diagonals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import cast
from evergraph.frontend.ordering import matrix_diag, matrix_diag_part, matrix_set_diag
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.diagonal import matrix_band_part
from evergraph.ops.arrays.pad import reverse_v2


def triangular_root(count: int) -> int:
    """n, where count = n (n + 1) / 2.

    Raises:
        ValueError: there is no such n.
    """
    n = (math.isqrt(8 * count + 1) - 1) // 2
    if n * (n + 1) != 2 * count:
        raise ValueError(f"the size of the vector, {count}, is not a triangular number: no triangle has that many "
                         "elements")
    return n


@export("contrib.distributions.fill_triangular")
def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Triangular matrices of the elements of vectors, [..., n (n + 1) / 2] -> [..., n, n].

    The elements wind clockwise: fill_triangular([1, 2, 3, 4, 5, 6]) is [[4, 0, 0], [6, 5, 0], [3, 2, 1]], and with
    `upper` it is [[1, 2, 3], [0, 5, 6], [0, 0, 4]].

    Raises:
        ValueError: the size of vectors is not a triangular number.
    """
    with name_scope(name, "fill_triangular", [x]):
        x = convert_to_tensor(x, name="x")
        size = x.shape.with_rank_at_least(1).as_list()[-1] if x.shape.ndims is not None else None
        rows = _root(array.shape(x)[-1]) if size is None else triangular_root(size)
        rest = x[..., rows:]
        pieces = [x, reverse_v2(rest, [-1])] if upper else [rest, reverse_v2(x, [-1])]
        square = array.reshape(array.concat(pieces, -1), array.concat([array.shape(x)[:-1], [rows, rows]], 0))
        filled = matrix_band_part(square, *((0, -1) if upper else (-1, 0)))
        if size is not None:
            filled.set_shape(x.shape[:-1].concatenate([rows, rows]))
        return filled


@export("contrib.distributions.fill_triangular_inverse")
def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Vectors of the elements of triangular matrices, [..., n, n] -> [..., n (n + 1) / 2]: see `fill_triangular`."""
    with name_scope(name, "fill_triangular_inverse", [x]):
        x = convert_to_tensor(x, name="x")
        size = x.shape.with_rank_at_least(2).as_list()[-1] if x.shape.ndims is not None else None
        rows = array.shape(x)[-1] if size is None else size
        count = rows * (rows + 1) // 2
        inside = matrix_band_part(x, *((0, -1) if upper else (-1, 0)))
        flat = array.reshape(inside, array.concat([array.shape(x)[:-2], [rows * rows]], 0))
        # What winds back stands twice in the square, once of these in the triangle, and the other one is zero there.
        if upper:
            whole, again = flat[..., :count], reverse_v2(flat[..., count:], [-1])
        else:
            whole, again = reverse_v2(flat[..., count - rows:], [-1]), flat[..., :count - rows]
        joined = array.concat([whole[..., :rows], whole[..., rows:] + again], -1)
        if size is not None:
            joined.set_shape(x.shape[:-2].concatenate([count]))
        return joined


def _root(count: Any) -> Any:
    return cast((cast(8 * count + 1, dtypes.float64) ** 0.5 - 1.0) / 2.0, dtypes.int32)


@export("contrib.distributions.tridiag")
def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Any:
    """Tridiagonal matrices, of the elements below, on and above the diagonal; None stands for zeros.

    Args:
        below: [..., n - 1], or None.
        diag: [..., n], or None.
        above: [..., n - 1], or None.
        name: a name for the operations.

    Raises:
        ValueError: nothing is given.
    """
    if below is None and diag is None and above is None:
        raise ValueError("a tridiagonal matrix is given by what is below, on or above its diagonal")
    with name_scope(name, "tridiag", [below, diag, above]):
        matrix: Any = 0
        if below is not None:
            matrix += _shifted(below, [[1, 0], [0, 1]])
        if diag is not None:
            matrix += matrix_diag(convert_to_tensor(diag, name="diag"))
        if above is not None:
            matrix += _shifted(above, [[0, 1], [1, 0]])
        return matrix


def _shifted(diagonal: Any, paddings: list[list[int]]) -> Any:
    matrix = matrix_diag(convert_to_tensor(diagonal))
    outer = array.zeros([array.rank(matrix) - 2, 2], dtypes.int32)
    padded = array.pad(matrix, array.concat([outer, paddings], 0))
    sizes = matrix.shape.as_list()
    padded.set_shape(sizes[:-2] + [None if size is None else size + 1 for size in sizes[-2:]])
    return padded


@export("contrib.distributions.matrix_diag_transform")
def matrix_diag_transform(matrix: Any, transform: Callable[[Any], Any] | None = None, name: str | None = None) -> Any:
    """Matrices with a function of their diagonals, such as softplus, for the diagonals.

    Args:
        matrix: the matrices.
        transform: the function; None changes nothing.
    """
    with name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        return matrix if transform is None else matrix_set_diag(matrix, transform(matrix_diag_part(matrix)))

"""Batch dimensions of matrices: broadcasting, and linear systems whose sides have different batches."""
from __future__ import annotations

import functools

from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.array import broadcast_dynamic_shape, broadcast_static_shape
from evergraph.frontend.linalg import cholesky_solve
from evergraph.frontend.variables.base import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math import linalg


def operand(value, dtype=None, name=None):
    """`value` as a tensor; a variable stays one, so that the operator can list it."""
    return value if isinstance(value, Variable) else convert_to_tensor(value, dtype=dtype, name=name)


def require_rank(x, rank, what):
    """Raises ValueError if `x` statically has a lower rank."""
    if x.shape.ndims is not None and x.shape.ndims < rank:
        raise ValueError(f"Argument {what} must have at least {rank} dimension{'s' if rank > 1 else ''}. Found: {x}")


def common_shape(shapes):
    """The static broadcast shape.

    Raises:
        ValueError: the shapes do not broadcast.
    """
    return functools.reduce(broadcast_static_shape, shapes, TensorShape([]))


def common_sizes(sizes):
    """As `common_shape`, for shapes that are tensors."""
    return functools.reduce(broadcast_dynamic_shape, sizes)


def spread(x, batch, axes=2):
    """`x` with the axes before its last `axes` ones broadcast to `batch`, a TensorShape or a tensor."""
    if isinstance(batch, TensorShape):
        if x.shape[:-axes].as_list() == batch.as_list():
            return x
        if x.shape[-axes:].is_fully_defined():
            return broadcast_to(x, [*batch.as_list(), *x.shape[-axes:].as_list()])
    sizes = array.concat([batch.as_list() if isinstance(batch, TensorShape) else batch, array.shape(x)[-axes:]], 0)
    return broadcast_to(x, sizes)


def with_equal_batches(*tensors, axes=2):
    """The tensors with the axes before their last `axes` ones broadcast to a common shape."""
    if all(x.shape.ndims is not None and x.shape[:-axes].is_fully_defined() for x in tensors):
        batch = common_shape([x.shape[:-axes] for x in tensors])
    else:
        batch = common_sizes([array.shape(x)[:-axes] for x in tensors])
    return [spread(x, batch, axes) for x in tensors]


def _broadcasting(solve):
    """Extends a solver to broadcast the batch dimensions of both sides."""
    @functools.wraps(solve)
    def spread_and_solve(matrix, rhs, **options):
        matrix, rhs = convert_to_tensor(matrix), convert_to_tensor(rhs)
        if matrix.shape.ndims == rhs.shape.ndims == 2:
            return solve(matrix, rhs, **options)
        return solve(*with_equal_batches(matrix, rhs), **options)
    return spread_and_solve


@_broadcasting
def solve_with(matrix, rhs, adjoint=False):
    """Solves matrix * x = rhs."""
    return linalg.matrix_solve(matrix, rhs, adjoint=adjoint)


@_broadcasting
def solve_triangular(matrix, rhs, adjoint=False):
    """Solves matrix * x = rhs for a lower triangular matrix."""
    return linalg.matrix_triangular_solve(matrix, rhs, lower=True, adjoint=adjoint)


@_broadcasting
def solve_factored(factor, rhs):
    """Solves a linear system given the Cholesky factor of its matrix."""
    return cholesky_solve(factor, rhs)


def adjoint_if(condition, x):
    """`x`, or its adjoint matrices."""
    return array.matrix_transpose(x, conjugate=True) if condition else x

"""tf.contrib.solvers: iterative methods of linear algebra that only multiply by a matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import where
from evergraph.frontend.math import cast, conj, real, sqrt
from evergraph.frontend.matmul import matmul
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import greater, less, logical_and


class LinearOperator(NamedTuple):
    """A matrix by what it does to vectors, which are columns."""

    shape: Any
    dtype: Any
    apply: Any
    apply_adjoint: Any


@export("contrib.solvers.util.create_operator")
def create_operator(matrix: Any) -> LinearOperator:
    """The operator of a matrix.

    Raises:
        ValueError: it is no matrix.
    """
    matrix = convert_to_tensor(matrix)
    return LinearOperator(_shape(matrix), matrix.dtype, lambda v: matmul(matrix, v),
                          lambda v: matmul(matrix, v, adjoint_a=True))


@export("contrib.solvers.util.identity_operator")
def identity_operator(matrix: Any) -> LinearOperator:
    """The operator of the identity, with the shape of a matrix."""
    matrix = convert_to_tensor(matrix)
    return LinearOperator(_shape(matrix), matrix.dtype, lambda v: v, lambda v: v)


def _shape(matrix: Any) -> Any:
    if matrix.shape.ndims not in (None, 2):
        raise ValueError(f"an operator is made of a matrix, not of a tensor of shape {matrix.shape}")
    return matrix.shape if matrix.shape.is_fully_defined() else array.shape(matrix)


@export("contrib.solvers.util.dot")
def dot(x: Any, y: Any) -> Any:
    """The sum of conj(x) * y."""
    return reduce_sum(conj(x) * y)


@export("contrib.solvers.util.l2norm_squared")
def l2norm_squared(v: Any) -> Any:
    """The sum of squares of absolute values."""
    v = convert_to_tensor(v)
    return cast(real(reduce_sum(conj(v) * v)), v.dtype)


@export("contrib.solvers.util.l2norm")
def l2norm(v: Any) -> Any:
    """The root of the sum of squares."""
    return sqrt(l2norm_squared(v))


@export("contrib.solvers.util.l2normalize")
def l2normalize(v: Any) -> tuple[Any, Any]:
    """(v divided by its norm, the norm)"""
    norm = l2norm(v)
    return v / norm, norm


class Bidiagonalization(NamedTuple):
    """A partial bidiagonalization A V = U B."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


@export("contrib.solvers.lanczos.lanczos_bidiag")
def lanczos_bidiag(operator: Any, k: int, orthogonalize: bool = True, starting_vector: Any = None,
                   name: str = "lanczos_bidiag") -> Bidiagonalization:
    """Golub and Kahan's bidiagonalization: A V = U B and A^T U[:, :-1] = V B[:-1, :]^T, with orthonormal U and V.

    B is lower bidiagonal, with `alpha` on its diagonal and `beta` below.

    Args:
        operator: an operator of m rows and n columns, such as `create_operator` makes.
        k: the number of steps, at most min(m, n).
        orthogonalize: whether vectors are made orthogonal to all before them in each step, against rounding.
        starting_vector: [m]; random by default.
        name: a name for the operations.

    Returns:
        u [m, k + 1], v [n, k], alpha [k] and beta [k].
    """
    with name_scope(name):
        rows = operator.shape[0]
        kind = operator.dtype
        if starting_vector is None:
            starting_vector = random_uniform(_vector(rows), -1.0, 1.0, dtype=kind)
        first, _ = l2normalize(array.reshape(convert_to_tensor(starting_vector), [-1, 1]))
        us, vs, alphas, betas = [first], [], [], []
        for _ in range(k):
            v = operator.apply_adjoint(us[-1])
            if vs:
                v = _orthogonal(v - betas[-1] * vs[-1], vs, orthogonalize)
            v, alpha = _normalized(v)
            u = _orthogonal(operator.apply(v) - alpha * us[-1], us, orthogonalize)
            u, beta = _normalized(u)
            vs.append(v)
            us.append(u)
            alphas.append(alpha)
            betas.append(beta)
        return Bidiagonalization(array.concat(us, 1), array.concat(vs, 1), array.stack(alphas), array.stack(betas))


def _vector(rows: Any) -> Any:
    size = getattr(rows, "value", rows)
    return array.reshape(convert_to_tensor(size), [1])


def _orthogonal(vector: Any, basis: list[Any], wanted: bool) -> Any:
    """A vector without its parts in the directions of orthonormal ones; twice, which is enough in finite precision."""
    if not wanted:
        return vector
    matrix = array.concat(basis, 1)
    for _ in range(2):
        vector -= matmul(matrix, matmul(matrix, vector, adjoint_a=True))
    return vector


def _normalized(vector: Any) -> tuple[Any, Any]:
    """(a vector divided by its norm, the norm); the vector itself where it is zero."""
    norm = l2norm(vector)
    return vector / where(greater(real(norm), 0.0), norm, array.ones_like(norm)), norm


@export("contrib.solvers.lanczos.bidiag_matmul")
def bidiag_matmul(matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = "bidiag_matmul") -> Any:
    """A matrix times the lower bidiagonal matrix B with `alpha` on its diagonal and `beta` below, or times B[:-1]^T.

    Args:
        matrix: [m, k + 1], or [m, k] with `adjoint_b`.
        alpha: [k].
        beta: [k].
        adjoint_b: whether it is multiplied by the adjoint of B without its last row.
        name: a name for the operations.
    """
    with name_scope(name, values=[matrix, alpha, beta]):
        if not adjoint_b:
            return matrix[:, :-1] * alpha + matrix[:, 1:] * beta
        shifted = array.pad(matrix[:, :-1] * beta[:-1], [[0, 0], [1, 0]])
        return matrix * alpha + shifted


class LeastSquaresState(NamedTuple):
    """A step of `cgls`: its number, the solution, the residual, the direction and |A^T r|^2."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


@export("contrib.solvers.least_squares.cgls")
def cgls(operator: Any, rhs: Any, tol: float = 1e-6, max_iter: int = 20, name: str = "cgls") -> LeastSquaresState:
    """Conjugate gradients for least squares: the x with the least |A x - rhs| (Bjorck, 1996).

    Args:
        operator: an operator of m rows and n columns.
        rhs: [m].
        tol: it stops when |A^T (rhs - A x)| is at most `tol` times |A^T rhs|.
        max_iter: the most steps.
        name: a name for the operations.

    Returns:
        The number of steps i, the solution x, the residual r, the last direction p, and gamma = |A^T r|^2.
    """
    with name_scope(name, values=[rhs]):
        residual = array.expand_dims(convert_to_tensor(rhs), -1)
        start = operator.apply_adjoint(residual)
        gamma = l2norm_squared(start)
        limit = tol * tol * gamma

        def step(i: Any, x: Any, r: Any, p: Any, gamma: Any) -> Any:
            q = operator.apply(p)
            alpha = gamma / l2norm_squared(q)
            x, r = x + alpha * p, r - alpha * q
            s = operator.apply_adjoint(r)
            now = l2norm_squared(s)
            return LeastSquaresState(i + 1, x, r, s + (now / gamma) * p, now)

        state = LeastSquaresState(convert_to_tensor(0), array.zeros_like(start), residual, start, gamma)
        i, x, r, p, gamma = while_loop(
            lambda i, x, r, p, gamma: logical_and(less(i, max_iter), greater(real(gamma), real(limit))), step, state)
        return LeastSquaresState(i, array.squeeze(x, -1), array.squeeze(r, -1), array.squeeze(p, -1), gamma)


class GradientState(NamedTuple):
    """A step of `conjugate_gradient`: its number, the solution, the residual, the direction and r^T M r."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


@export("contrib.solvers.linear_equations.conjugate_gradient")
def conjugate_gradient(operator: Any, rhs: Any, preconditioner: Any = None, x: Any = None, tol: float = 1e-4,
                       max_iter: int = 20, name: str = "conjugate_gradient") -> GradientState:
    """Conjugate gradients: the solution of A x = rhs, where A is positive definite.

    Args:
        operator: the operator A, of n rows and columns.
        rhs: [n].
        preconditioner: an operator M that is near to the inverse of A, or None.
        x: where to begin, [n]; zeros by default.
        tol: it stops when |rhs - A x| is at most `tol` times |rhs|.
        max_iter: the most steps.
        name: a name for the operations.

    Returns:
        The number of steps i, the solution x, the residual r, the last direction p, and gamma = r^T M r.
    """
    with name_scope(name, values=[rhs, x]):
        rhs = array.expand_dims(convert_to_tensor(rhs), -1)
        limit = tol * l2norm(rhs)
        near = (lambda r: r) if preconditioner is None else preconditioner.apply
        if x is None:
            x, residual = array.zeros_like(rhs), rhs
        else:
            x = array.expand_dims(convert_to_tensor(x), -1)
            residual = rhs - operator.apply(x)
        direction = near(residual)

        def step(i: Any, x: Any, r: Any, p: Any, gamma: Any) -> Any:
            q = operator.apply(p)
            alpha = gamma / dot(p, q)
            x, r = x + alpha * p, r - alpha * q
            s = near(r)
            now = dot(r, s)
            return GradientState(i + 1, x, r, s + (now / gamma) * p, now)

        state = GradientState(convert_to_tensor(0), x, residual, direction, dot(residual, direction))
        i, x, r, p, gamma = while_loop(
            lambda i, x, r, p, gamma: logical_and(less(i, max_iter), greater(real(l2norm(r)), real(limit))), step,
            state)
        return GradientState(i, array.squeeze(x, -1), array.squeeze(r, -1), array.squeeze(p, -1), gamma)

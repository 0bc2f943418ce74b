"""Products, powers and blocks of matrices, and covariance matrices that stay positive definite."""

from __future__ import annotations

import math as numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.contract import einsum
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import gather, where
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag, matrix_diag_part
from evergraph.frontend.reduce import cumsum, reduce_any, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.diagonal import matrix_band_part
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math import elementwise
from evergraph.ops.math.linalg import matrix_triangular_solve


def normal_log_prob(loc: Any, scale: Any, x: Any) -> Tensor:
    """The logarithm of the density of normal distributions."""
    x = convert_to_tensor(x)
    loc, scale = convert_to_tensor(loc, x.dtype), convert_to_tensor(scale, x.dtype)
    return -0.5 * elementwise.square((x - loc) / scale) - elementwise.log(scale) - 0.5 * numbers.log(2 * numbers.pi)


def cauchy_log_prob(loc: Any, scale: Any, x: Any) -> Tensor:
    """The logarithm of the density of Cauchy distributions."""
    x = convert_to_tensor(x)
    loc, scale = convert_to_tensor(loc, x.dtype), convert_to_tensor(scale, x.dtype)
    return -elementwise.log1p(elementwise.square((x - loc) / scale)) - elementwise.log(scale) - numbers.log(numbers.pi)


def mvn_tril_log_prob(loc: Any, scale_tril: Any, x: Any) -> Tensor:
    """The logarithm of the density of normal vectors, by the Cholesky factors of their covariances."""
    apart = matrix_triangular_solve(scale_tril, (x - loc)[..., None])[..., 0]
    size = math.cast(array.shape(apart)[-1], apart.dtype)
    half_log_det = reduce_sum(elementwise.log(matrix_diag_part(scale_tril)), axis=-1)
    return (-0.5 * reduce_sum(elementwise.square(apart), axis=-1) - half_log_det
            - 0.5 * size * numbers.log(2 * numbers.pi))


def block_diagonal(matrices: Sequence[Any], dtype: Any = dtypes.float32, name: str = "block_diagonal") -> Tensor:
    """One matrix with these matrices along its diagonal, and zeros elsewhere."""
    with name_scope(name):
        blocks = [convert_to_tensor(each, dtype) for each in matrices]
        sizes = [each.shape.as_list() if each.shape.rank is not None else [None, None] for each in blocks]
        widths = [array.shape(each)[1] for each in blocks]
        total, before, rows = math.add_n(widths), 0, []
        for block, width in zip(blocks, widths):
            rows.append(array.pad(block, [[0, 0], [before, total - before - width]]))
            before = before + width
        made = array.concat(rows, 0)
        made.set_shape([None if any(each[axis] is None for each in sizes) else sum(each[axis] for each in sizes)
                        for axis in (0, 1)])
        return made


def batch_times_matrix(batch: Any, matrix: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """The product of each matrix of a batch, [batch, m, n], and one matrix; transposed where `adj_x` or `adj_y` say."""
    left, right = "bji" if adj_x else "bij", "kj" if adj_y else "jk"
    return einsum(f"{left},{right}->bik", convert_to_tensor(batch), convert_to_tensor(matrix))


def matrix_times_batch(matrix: Any, batch: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """The product of one matrix and each matrix of a batch; transposed where `adj_x` or `adj_y` say."""
    left, right = "ji" if adj_x else "ij", "bkj" if adj_y else "bjk"
    return einsum(f"{left},{right}->bik", convert_to_tensor(matrix), convert_to_tensor(batch))


def batch_matrix_pow(matrices: Any, powers: Any) -> Tensor:
    """Each matrix to a power of its own, by repeated squaring.

    Args:
        matrices: [batch, n, n].
        powers: [batch], integers that are not negative.
    """
    matrices, powers = convert_to_tensor(matrices), convert_to_tensor(powers)
    ones = array.zeros_like(matrices) + array.eye(array.shape(matrices)[-1], dtype=matrices.dtype)

    def step(left: Tensor, base: Tensor, found: Tensor) -> list[Tensor]:
        is_odd = elementwise.equal(elementwise.floor_mod(left, math.cast(2, left.dtype)), math.cast(1, left.dtype))
        return [elementwise.floor_div(left, math.cast(2, left.dtype)), matmul(base, base),
                where(is_odd, matmul(found, base), found)]

    return while_loop(lambda left, *rest: reduce_any(elementwise.greater(left, math.cast(0, left.dtype))), step,
                      [powers, matrices, ones])[2]


def matrix_to_powers(matrix: Any, powers: Any) -> Tensor:
    """One matrix to several powers: [powers, n, n]."""
    matrix, powers = convert_to_tensor(matrix), convert_to_tensor(powers)
    return batch_matrix_pow(tile(matrix[None], [array.shape(powers)[0], 1, 1]), powers)


def power_sums_tensor(array_size: Any, power_matrix: Any, multiplier: Any) -> Tensor:
    """For every n up to a number, the sum of A^k B (A^k)' over k from 0 to n - 1: [array_size + 1, n, n].

    Args:
        array_size: the greatest n.
        power_matrix: A.
        multiplier: B.
    """
    power_matrix, multiplier = convert_to_tensor(power_matrix), convert_to_tensor(multiplier)
    powers = matrix_to_powers(power_matrix, math.range(array_size))
    parts = matmul(batch_times_matrix(powers, multiplier), powers, transpose_b=True)
    return array.concat([array.zeros_like(multiplier)[None], cumsum(parts, axis=0)], 0)


def noise_sums(transition: Any, noise: Any, steps: Any) -> Tensor:
    """For numbers n of steps, [...], the sum of A^k B (A^k)' over k from 0 to n - 1, [..., m, m], by doubling.

    Args:
        transition: A, [m, m].
        noise: B, [m, m].
        steps: integers; none are taken for those below 1.
    """
    transition, noise, steps = convert_to_tensor(transition), convert_to_tensor(noise), convert_to_tensor(steps)
    size = transition.shape.as_list()[0]
    left = array.reshape(steps, [-1])
    zeros = array.zeros(array.concat([array.shape(left), [size, size]], 0), transition.dtype)

    def step(left: Tensor, base: Tensor, base_sum: Tensor, power: Tensor, found: Tensor) -> list[Tensor]:
        """Doubles the base; where the next bit of the number is set, the base goes before what was found."""
        is_odd = math.cast(elementwise.floor_mod(left, math.cast(2, left.dtype)), base.dtype)[:, None, None]
        longer = found + matmul(matmul(power, _alike(base_sum, power)), power, transpose_b=True)
        return [elementwise.floor_div(left, math.cast(2, left.dtype)), matmul(base, base),
                base_sum + matmul(matmul(base, base_sum), base, transpose_b=True),
                power + is_odd * (matmul(power, _alike(base, power)) - power), found + is_odd * (longer - found)]

    found = while_loop(lambda left, *rest: reduce_any(elementwise.greater(left, math.cast(0, left.dtype))), step,
                       [elementwise.maximum(left, math.cast(0, left.dtype)), transition, noise,
                        zeros + array.eye(size, dtype=transition.dtype), zeros])[4]
    return array.reshape(found, array.concat([array.shape(steps), [size, size]], 0))


def _alike(matrix: Tensor, batch: Tensor) -> Tensor:
    """A matrix for each of a batch."""
    return array.zeros_like(batch) + matrix


def make_toeplitz_matrix(inputs: Any, name: str | None = None) -> Tensor:
    """A symmetric Toeplitz matrix of blocks: the block in row i and column j is number |i - j| of the inputs.

    Args:
        inputs: blocks, [number, m, m].
        name: a name for the operations.
    """
    with name_scope(name, "make_toeplitz_matrix", [inputs]):
        blocks = convert_to_tensor(inputs)
        count, size = blocks.shape.as_list()[:2]
        apart = np.abs(np.arange(count)[:, None] - np.arange(count))
        return array.reshape(array.transpose(gather(blocks, apart), [0, 2, 1, 3]), [count * size, count * size])


def sign_magnitude_positive_definite(raw: Any, off_diagonal_scale: Any = 0.0, overall_scale: Any = 0.0) -> Tensor:
    """A positive definite matrix from any square one: M M', for M with exponentials on its diagonal.

    Args:
        raw: the matrix: logarithms on the diagonal, and numbers below it.
        off_diagonal_scale: the logarithm of a factor of the numbers below the diagonal.
        overall_scale: the logarithm of a factor of M.
    """
    raw = convert_to_tensor(raw)
    below = matrix_band_part(raw, -1, 0) - matrix_diag(matrix_diag_part(raw))
    factor = below * elementwise.exp(math.cast(off_diagonal_scale, raw.dtype)) + matrix_diag(
        elementwise.exp(matrix_diag_part(raw)))
    factor = factor * elementwise.exp(math.cast(overall_scale, raw.dtype))
    return matmul(factor, factor, transpose_b=True)

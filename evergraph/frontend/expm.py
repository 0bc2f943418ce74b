"""tf.linalg.expm: the exponential of matrices by Padé approximants, scaling and squaring.

The degrees and bounds are those of Higham, "The scaling and squaring method for the matrix exponential revisited"
(2005): a norm up to the bound of a degree is approximated by it to the precision of the dtype; larger norms are halved
until they fit the highest degree, and the result is squared as often.
"""
from __future__ import annotations

import math as numbers

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.math import elementwise, linalg

# Degree -> the largest 1-norm it is good for.
_SINGLE = {3: 4.258730016922831e-1, 5: 1.880152677804762e0, 7: 3.925724783138660e0}
_DOUBLE = {3: 1.495585217958292e-2, 5: 2.539398330063230e-1, 7: 9.504178996162932e-1, 9: 2.097847961257068e0,
           13: 5.371920351148152e0}


@export("linalg.expm")
def matrix_exponential(input, name=None):
    """1 + A + A^2 / 2! + A^3 / 3! + ... of square matrices.

    Args:
        input: [..., size, size], floating point or complex.
        name: a name for the operations.

    Raises:
        ValueError: the dtype is another.
    """
    with name_scope(name, "matrix_exponential", [input]):
        matrix = convert_to_tensor(input, name="input")
        if matrix.shape.rank is not None and matrix.shape.as_list()[-2:] == [0, 0]:
            return matrix
        flat = array.reshape(matrix, array.concat([[-1], array.shape(matrix)[-2:]], 0))
        result = _exponential(flat, _bounds(matrix.dtype.base_dtype))
        result = array.reshape(result, array.shape(matrix))
        result.set_shape(matrix.shape)
        return result


def _bounds(kind):
    if kind in (dtypes.float16, dtypes.float32, dtypes.complex64):
        return _SINGLE
    if kind in (dtypes.float64, dtypes.complex128):
        return _DOUBLE
    raise ValueError(f"tf.linalg.expm takes floating point and complex matrices, got {kind}")


def _exponential(matrix, bounds):
    """The exponential of each matrix in [n, size, size]."""
    kind = matrix.dtype.base_dtype
    norm = reduce_max(reduce_sum(math.abs(matrix), axis=-2), axis=-1)[:, None, None]
    *lower, highest = bounds
    halvings = elementwise.ceil(elementwise.maximum(elementwise.log(norm / bounds[highest]) / numbers.log(2.0), 0.0))
    # The exponential of an infinite matrix is NaN, however often it is halved.
    halvings = indexing.where(elementwise.is_finite(halvings), halvings, array.zeros_like(halvings))
    scaled = matrix / math.cast(elementwise.pow_(constant(2.0, norm.dtype.base_dtype), halvings), kind)
    odd, even = _pade(scaled, highest)
    for degree in reversed(lower):
        fits = array.ones_like(matrix, dtype=dtypes.bool) & (norm <= bounds[degree])
        other_odd, other_even = _pade(matrix, degree)
        odd, even = indexing.where(fits, other_odd, odd), indexing.where(fits, other_even, even)
    return _squared(linalg.matrix_solve(even - odd, even + odd), halvings)


def _pade(a, degree):
    """(odd part, even part) of the numerator of the approximant: exp(a) is about (even + odd) / (even - odd)."""
    kind = a.dtype.base_dtype
    coefficients = [numbers.factorial(2 * degree - k) * numbers.factorial(degree)
                    // (numbers.factorial(k) * numbers.factorial(degree - k)) for k in range(degree + 1)]
    scale = coefficients[-1]
    coefficients = [float(c // scale) if c % scale == 0 else c / scale for c in coefficients]
    square = matmul(a, a)
    unit = array.eye(array.shape(a)[-1], batch_shape=array.shape(a)[:-2], dtype=kind)
    power, odd, even = unit, None, None
    for k in range(0, degree + 1, 2):
        odd = _sum(odd, constant(coefficients[k + 1], kind) * power)
        even = _sum(even, constant(coefficients[k], kind) * power)
        power = matmul(power, square) if k else square
    return matmul(a, odd), even


def _sum(total, term):
    return term if total is None else total + term


def _squared(result, times):
    """Each matrix squared as often as its number says."""
    most = reduce_max(times)

    def square(i, r):
        wanted = array.ones_like(r, dtype=dtypes.bool) & (i < times)
        return i + 1.0, indexing.where(wanted, matmul(r, r), r)

    start = constant(0.0, most.dtype.base_dtype)
    return while_loop(lambda i, r: i < most, square, [start, result])[1]

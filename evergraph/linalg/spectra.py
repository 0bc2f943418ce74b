"""Properties of operators derived from their diagonals or spectra."""
from __future__ import annotations

from evergraph.frontend import array, checks, math
from evergraph.graph.node import Operation
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


def log_abs(x, dtype):
    """The logarithms of the absolute values, in an operator's dtype."""
    return math.cast(elementwise.log(math.abs(x)), dtype)


def assert_no_zero(x, message) -> Operation:
    """An operation that fails if one of the numbers is zero."""
    smallest = math.abs(x)
    return checks.assert_less(array.zeros([], smallest.dtype.base_dtype), smallest, message=message)


def assert_positive_real(x, message) -> Operation:
    """An operation that fails if the real part of one of the numbers is not positive."""
    return checks.assert_positive(math.real(x), message=message)


def assert_real(x, message) -> Operation:
    """An operation that fails if one of the numbers has an imaginary part."""
    if not x.dtype.is_complex:
        return basic.no_op()
    imaginary = math.imag(x)
    return checks.assert_equal(array.zeros([], imaginary.dtype.base_dtype), imaginary, message=message)

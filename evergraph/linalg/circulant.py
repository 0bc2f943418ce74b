"""Operators that the Fourier transform diagonalizes: tf.linalg.LinearOperatorCirculant, 2D and 3D."""
from __future__ import annotations

import math as python_math

import numpy as np

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import operand, require_rank
from evergraph.linalg.hints import always
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.linalg.spectra import assert_no_zero, assert_positive_real, assert_real, log_abs
from evergraph.ops.math import fft as transforms

_COMPLEX = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}


def as_complex(x):
    """Real numbers as complex ones of the same precision; half precision becomes single."""
    x = convert_to_tensor(x)
    kind = x.dtype.base_dtype
    return x if kind.is_complex else math.cast(x, _COMPLEX.get(kind, dtypes.complex64))


class Circulant(LinearOperator):
    """The base of circulant operators in one, two and three dimensions: inverse DFT * spectrum * DFT."""

    block_depth = None
    """How many axes a block has."""

    def __init__(self, spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                 name):
        with name_scope(name, values=[spectrum]):
            self._spectrum = operand(spectrum, name="spectrum")
        require_rank(self._spectrum, self.block_depth, "spectrum")
        if not self._spectrum.dtype.is_complex:
            is_self_adjoint = always(is_self_adjoint, "self-adjoint", "What has a real spectrum always is, and")
        is_square = always(is_square, "square", "A circulant operator")
        super().__init__(input_output_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name)

    @property
    def spectrum(self):
        """The eigenvalues, [B1, ..., Bb] and one axis for each dimension."""
        return self._spectrum

    @property
    def block_shape(self):
        """The static shape of a block."""
        shape = self._spectrum.shape
        return TensorShape([None] * self.block_depth) if shape.ndims is None else shape[-self.block_depth:]

    def block_shape_tensor(self):
        """The shape of a block as a tensor."""
        if self.block_shape.is_fully_defined():
            return array.constant(self.block_shape.as_list(), dtypes.int32)
        return array.shape(self._spectrum)[-self.block_depth:]

    def _shape(self):
        block = self.block_shape
        size = python_math.prod(block.as_list()) if block.is_fully_defined() else None
        shape = self._spectrum.shape
        return TensorShape(None) if shape.ndims is None else static_shape(shape[:-self.block_depth], size, size)

    def _shape_tensor(self):
        size = reduce_prod(self.block_shape_tensor())
        return array.concat([array.shape(self._spectrum)[:-self.block_depth], array.stack([size, size])], 0)

    def _transform(self, x, inverse=False):
        return (transforms.INVERSE_TRANSFORMS if inverse else transforms.TRANSFORMS)[self.block_depth](x)

    def _axes(self):
        return list(range(-1, -self.block_depth - 1, -1))

    def _eigenvalues(self):
        """The spectrum as complex numbers."""
        return as_complex(self._spectrum)

    def convolution_kernel(self, name="convolution_kernel"):
        """The convolution kernel: the inverse Fourier transform of the spectrum."""
        with self._scope(name):
            return math.cast(self._transform(self._eigenvalues(), inverse=True), self.dtype)

    def _filtered(self, x, adjoint_arg, factors):
        """The columns of `x` with each frequency multiplied by its factor."""
        rows = math.conj(x) if adjoint_arg else array.matrix_transpose(x)
        blocks = array.reshape(as_complex(rows), array.concat([array.shape(rows)[:-1], self.block_shape_tensor()], 0))
        per_column = array.expand_dims(factors, -self.block_depth - 1)
        done = self._transform(per_column * self._transform(blocks), inverse=True)
        sizes = array.concat([array.shape(done)[:-self.block_depth], array.stack([self.domain_dimension_tensor()])], 0)
        result = math.cast(array.matrix_transpose(array.reshape(done, sizes)), self.dtype)
        if x.shape.ndims is not None and self.shape.ndims is not None:
            batch = array.broadcast_static_shape(x.shape[:-2], self.batch_shape)
            result.set_shape(batch.concatenate([self.range_dimension, x.shape.dims[-2 if adjoint_arg else -1]]))
        return result

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        values = self._eigenvalues()
        return self._filtered(x, adjoint_arg, math.conj(values) if adjoint else values)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        values = self._eigenvalues()
        return self._filtered(rhs, adjoint_arg, 1.0 / (math.conj(values) if adjoint else values))

    def _determinant(self):
        return math.cast(reduce_prod(self._spectrum, axis=self._axes()), self.dtype)

    def _log_abs_determinant(self):
        return reduce_sum(log_abs(self._spectrum, self.dtype), axis=self._axes())

    def _trace(self):
        return math.cast(reduce_sum(self._spectrum, axis=self._axes()), self.dtype)

    def _diag_part(self):
        each = self.trace() / math.cast(self.domain_dimension_tensor(), self.dtype)
        size = self.domain_dimension.value
        ones = array.ones(array.reshape(self.domain_dimension_tensor(), [1]) if size is None else [size], self.dtype)
        return array.expand_dims(each, -1) * ones

    def _assert_non_singular(self):
        return assert_no_zero(self._spectrum, "Singular operator: the spectrum contains zero.")

    def _assert_positive_definite(self):
        return assert_positive_real(self._spectrum, "Not positive definite: the spectrum has a real part that is not "
                                    "above zero.")

    def _assert_self_adjoint(self):
        return assert_real(self._spectrum, "Not self-adjoint: the spectrum has imaginary parts.")

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        """An operation that fails unless the convolution kernel, and so the matrix, is real."""
        with self._scope(name):
            kernel = self._transform(self._eigenvalues(), inverse=True)
            imaginary = math.abs(math.imag(kernel))
            kind = imaginary.dtype.base_dtype
            rounding = math.cast(self.domain_dimension_tensor(), kind) * np.finfo(kind.as_numpy_dtype).eps
            return checks.assert_less_equal(imaginary, rounding, message="Hermitian spectrum required, but this one "
                                            "has a convolution kernel that is not real.")


_ARGUMENTS = """
    Args:
        spectrum: the eigenvalues, [B1, ..., Bb, {sizes}]: the Fourier transform of the convolution kernel.
        input_output_dtype: the dtype of what the operator is applied to and gives; for a real one the spectrum should
            be Hermitian.
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: an operator with a real spectrum always is.
        is_positive_definite: see there.
        is_square: always true.
        name: a name for the operator.

    Raises:
        ValueError: a hint is impossible, or the spectrum has too few axes.
    """


class LinearOperatorCirculant(Circulant):
    __doc__ = "A circulant matrix: each column is the previous one, rotated down by one.\n" + _ARGUMENTS.format(
        sizes="N")
    block_depth = 1

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant"):
        super().__init__(spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)


class LinearOperatorCirculant2D(Circulant):
    __doc__ = "A block circulant matrix with circulant blocks: periodic 2-D convolution.\n" + \
        _ARGUMENTS.format(sizes="N0, N1")
    block_depth = 2

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant2D"):
        super().__init__(spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)


class LinearOperatorCirculant3D(Circulant):
    __doc__ = "A nested block circulant matrix: periodic 3-D convolution.\n" + \
        _ARGUMENTS.format(sizes="N0, N1, N2")
    block_depth = 3

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant3D"):
        super().__init__(spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)

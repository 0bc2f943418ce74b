"""Bijectors of triangular and of positive definite matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.distributions.bijectors.bijector import Bijector
from evergraph.contrib.distributions.bijectors.combined import Chain
from evergraph.contrib.distributions.bijectors.elements import AffineScalar, Softplus
from evergraph.contrib.distributions.triangles import fill_triangular, fill_triangular_inverse, triangular_root
from evergraph.frontend import array
from evergraph.frontend.checks import Assert, assert_equal, assert_none_equal, assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast
from evergraph.frontend.math import range as numbers
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part, matrix_set_diag
from evergraph.frontend.reduce import reduce_sum
from evergraph.ops.arrays.diagonal import matrix_band_part
from evergraph.ops.math.elementwise import equal, log
from evergraph.ops.math.linalg import cholesky, matrix_triangular_solve


@export("contrib.distributions.bijectors.CholeskyOuterProduct")
class CholeskyOuterProduct(Bijector):
    """y = x x^T, of lower triangular matrices x with a positive diagonal; x is the Cholesky factor of y.

    Args:
        validate_args: whether steps check that the diagonal is positive and what is above it zero.
        name: a name for the operations.
    """

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=2, name=name)

    def _forward(self, x: Any) -> Any:
        x = self._checked(x, lambda given: assert_positive(
            matrix_diag_part(given), message="the diagonal of a Cholesky factor must be positive"), _is_lower)
        lower = matrix_band_part(x, -1, 0)
        y = matmul(lower, lower, adjoint_b=True)
        y.set_shape(x.shape)
        return y

    def _inverse(self, y: Any) -> Any:
        return cholesky(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        diagonal = matrix_diag_part(x)
        size = array.shape(x)[-1]
        exponents = cast(numbers(size, 0, -1), x.dtype)
        return reduce_sum(exponents * log(diagonal), -1) + cast(size, x.dtype) * np.log(2.0).astype(x.dtype.np)


def _is_lower(matrix: Any) -> Any:
    return assert_equal(matrix, matrix_band_part(matrix, -1, 0), message="the matrix must be lower triangular")


@export("contrib.distributions.bijectors.MatrixInverseTriL")
class MatrixInverseTriL(Bijector):
    """y = x^-1, of lower triangular matrices.

    Args:
        validate_args: whether steps check that matrices are lower triangular and not singular.
        name: a name for the operations.
    """

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=2, name=name)

    def _forward(self, x: Any) -> Any:
        x = self._valid(x)
        size = array.shape(x)[-1]
        eye = array.eye(size, batch_shape=array.shape(x)[:-2], dtype=x.dtype)
        y = matrix_triangular_solve(x, eye)
        y.set_shape(x.shape)
        return y

    _inverse = _forward

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        diagonal = matrix_diag_part(self._valid(x))
        # As in TensorFlow, this is the determinant for all elements of the matrix, not for those of the triangle alone.
        return -2.0 * cast(array.shape(x)[-1], x.dtype) * reduce_sum(log(absolute(diagonal)), -1)

    _inverse_log_det_jacobian = _forward_log_det_jacobian

    def _valid(self, x: Any) -> Any:
        if x.shape.ndims is not None and x.shape.ndims < 2:
            raise ValueError(f"the input of {self.name} must have rank at least 2, not {x.shape.ndims}")
        return self._checked(
            x, lambda given: assert_equal(array.shape(given)[-2], array.shape(given)[-1],
                                          message="the input must be a square matrix"),
            _is_lower,
            lambda given: assert_none_equal(matrix_diag_part(given), array.zeros_like(matrix_diag_part(given)),
                                            message="the input must have all diagonal entries nonzero"))


@export("contrib.distributions.bijectors.FillTriangular")
class FillTriangular(Bijector):
    """Vectors of n (n + 1) / 2 numbers to triangular matrices of n rows, as `tf.contrib.distributions.fill_triangular`.

    Args:
        upper: whether matrices are upper triangular.
        validate_args: whether steps check sizes.
        name: a name for the operations.
    """

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(None, True, validate_args, None, 1, 2, name)

    def _forward(self, x: Any) -> Any:
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Any) -> Any:
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return array.zeros([], x.dtype)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return array.zeros([], y.dtype)

    def _forward_event_shape(self, input_shape: TensorShape) -> Any:
        if input_shape.ndims is None:
            return None
        size = input_shape.as_list()[-1]
        rows = None if size is None else triangular_root(size)
        return input_shape[:-1].concatenate([rows, rows])

    def _inverse_event_shape(self, output_shape: TensorShape) -> Any:
        if output_shape.ndims is None:
            return None
        high, wide = output_shape.as_list()[-2:]
        if None not in (high, wide) and high != wide:
            raise ValueError(f"Matrix must be square, it is {high} x {wide}")
        size = wide if high is None else high
        return output_shape[:-2].concatenate([None if size is None else size * (size + 1) // 2])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        count = input_shape[-1]
        rows = cast((cast(8 * count + 1, dtypes.float64) ** 0.5 - 1.0) / 2.0, dtypes.int32)
        if self._validate_args:
            fits = Assert(equal(rows * (rows + 1), 2 * count), ["the size of the vector is not a triangular number",
                                                                count])
            rows = with_dependencies([fits], rows)
        return array.concat([input_shape[:-1], [rows, rows]], 0)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        output_shape = self._checked(output_shape, lambda given: Assert(
            equal(given[-1], given[-2]), ["Matrix must be square", given]))
        rows = output_shape[-1]
        return array.concat([output_shape[:-2], [rows * (rows + 1) // 2]], 0)


@export("contrib.distributions.bijectors.TransformDiagonal")
class TransformDiagonal(Bijector):
    """Matrices with another bijector applied to their diagonals.

    Args:
        diag_bijector: the bijector of the diagonals.
        validate_args: whether steps check arguments; the bijector has its own.
        name: a name for the operations.
    """

    def __init__(self, diag_bijector: Bijector, validate_args: bool = False, name: str = "transform_diagonal") -> None:
        self._diagonal = diag_bijector
        super().__init__(diag_bijector.graph_parents, diag_bijector.is_constant_jacobian, validate_args,
                         diag_bijector.dtype, 2, name=name)

    def _forward(self, x: Any) -> Any:
        return matrix_set_diag(x, self._diagonal.forward(matrix_diag_part(x)))

    def _inverse(self, y: Any) -> Any:
        return matrix_set_diag(y, self._diagonal.inverse(matrix_diag_part(y)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._diagonal.forward_log_det_jacobian(matrix_diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._diagonal.inverse_log_det_jacobian(matrix_diag_part(y), event_ndims=1)


@export("contrib.distributions.bijectors.ScaleTriL")
class ScaleTriL(Chain):
    """Vectors of n (n + 1) / 2 numbers to lower triangular matrices with a positive diagonal, such as scales.

    Args:
        diag_bijector: what makes the diagonal positive; softplus by default.
        diag_shift: what is added to the diagonal after that, or None.
        validate_args: whether steps check arguments.
        name: a name for the operations.
    """

    def __init__(self, diag_bijector: Bijector | None = None, diag_shift: Any = 1e-5, validate_args: bool = False,
                 name: str = "scale_tril") -> None:
        diagonal = diag_bijector or Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diagonal = Chain([AffineScalar(shift=diag_shift), diagonal], validate_args=validate_args)
        super().__init__([TransformDiagonal(diagonal, validate_args), FillTriangular(validate_args=validate_args)],
                         validate_args, name)

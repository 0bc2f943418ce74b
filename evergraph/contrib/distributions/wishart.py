"""The Wishart distribution of positive definite matrices."""

from __future__ import annotations

import math
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, Distribution, salted
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.array import broadcast_dynamic_shape, broadcast_static_shape, get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_less_equal, assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.math import cast, sqrt, square
from evergraph.frontend.math import range as numbers
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part, matrix_set_diag
from evergraph.frontend.random import random_gamma, random_normal
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.full_matrix import LinearOperatorLowerTriangular
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.arrays.diagonal import matrix_band_part
from evergraph.ops.math.elementwise import greater_equal, log
from evergraph.ops.math.linalg import cholesky
from evergraph.ops.math.special import digamma, lgamma


class WishartLinearOperator(Distribution):
    """The Wishart distribution whose scale matrix is operator @ operator^T.

    Args:
        df: the degrees of freedom, at least the number of rows.
        scale_operator: a `tf.linalg.LinearOperator`, lower triangular.
        cholesky_input_output_matrices: whether samples and values are the Cholesky factors of matrices.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        TypeError: the scale is not made of floating-point numbers.
        ValueError: the degrees of freedom are known and too few.
    """

    def __init__(self, df: Any, scale_operator: Any, cholesky_input_output_matrices: bool = False,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str | None = None) -> None:
        name = name or type(self).__name__
        parameters = own(locals())
        kind = scale_operator.dtype
        if not kind.is_floating:
            raise TypeError(f"the scale of a Wishart distribution has a floating dtype, not {kind.name}")
        self._cholesky, self._operator = cholesky_input_output_matrices, scale_operator
        with name_scope(name, values=[df]) as scope:
            self._df = convert_to_tensor(df, kind, name="df")
            known = scale_operator.domain_dimension.value
            self._dimension = convert_to_tensor(scale_operator.domain_dimension_tensor() if known is None else known)
            degrees, words = get_static_value(self._df), "Degrees of freedom (df) cannot be less than the rows of scale"
            if degrees is not None and known is not None and (degrees < known).any():
                raise ValueError(f"{words}: {degrees} and {known}")
            if validate_args:
                check = assert_less_equal(cast(self._dimension, kind), self._df, message=words)
                self._df = with_dependencies([assert_positive(self._df), check], self._df)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._df, *scale_operator.graph_parents], scope)

    df = property(lambda self: self._df, doc="The degrees of freedom.")
    dimension = property(lambda self: self._dimension, doc="The number of rows of matrices.")
    scale_operator = property(lambda self: self._operator, doc="The Cholesky factor of the scale, as a LinearOperator.")
    cholesky_input_output_matrices = property(lambda self: self._cholesky,
                                              doc="Whether samples and values are Cholesky factors.")

    def scale(self) -> Any:
        """The scale matrix, or its Cholesky factor where matrices are Cholesky factors."""
        return self._operator.to_dense() if self._cholesky else self._squared(self._operator.to_dense())

    @staticmethod
    def _squared(factor: Any) -> Any:
        return matmul(factor, factor, adjoint_b=True)

    def _batch_shape(self) -> TensorShape:
        return broadcast_static_shape(self._df.shape, self._operator.batch_shape)

    def _batch_shape_tensor(self) -> Any:
        return broadcast_dynamic_shape(array.shape(self._df), self._operator.batch_shape_tensor())

    def _event_shape(self) -> TensorShape:
        size = self._operator.domain_dimension
        return TensorShape([size, size])

    def _event_shape_tensor(self) -> Any:
        return array.stack([self._dimension, self._dimension])

    def _size(self) -> Any:
        return cast(self._dimension, self.dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        # Bartlett's decomposition: normal numbers below a diagonal of roots of chi-squared ones.
        batch = self.batch_shape_tensor()
        sizes = array.concat([[n], batch, self.event_shape_tensor()], 0)
        normal = random_normal(sizes, dtype=self.dtype, seed=salted(seed, "wishart_normal"))
        degrees = self._df[..., None] - cast(numbers(self._dimension), self.dtype)
        degrees = broadcast_to(degrees, array.concat([batch, [self._dimension]], 0))
        chi2 = random_gamma([n], alpha=0.5 * degrees, beta=0.5, dtype=self.dtype, seed=salted(seed, "wishart_gamma"))
        factor = matrix_set_diag(matrix_band_part(normal, -1, 0), sqrt(chi2))
        factor = self._operator.matmul(factor)
        return factor if self._cholesky else self._squared(factor)

    def _log_prob(self, x: Any) -> Any:
        factor = x if self._cholesky else cholesky(x)
        static = broadcast_static_shape(x.shape[:-2], self.batch_shape)
        # The trace of scale^-1 x is the sum of squares of the solution with the factor of x.
        sizes = broadcast_dynamic_shape(array.shape(factor)[:-2], self.batch_shape_tensor())
        whole = broadcast_to(factor, array.concat([sizes, array.shape(factor)[-2:]], 0))
        trace = reduce_sum(square(self._operator.solve(whole)), [-2, -1])
        half_log_det = reduce_sum(log(matrix_diag_part(factor)), -1)
        found = (self._df - self._size() - 1.0) * half_log_det - 0.5 * trace - self._log_norm()
        found.set_shape(static)
        return found

    def _log_norm(self) -> Any:
        return (self._df * self._operator.log_abs_determinant() + 0.5 * self._df * self._size() * math.log(2.0)
                + self._multi_lgamma(0.5 * self._df))

    def log_normalization(self, name: str = "log_normalization") -> Any:
        """The logarithm of the constant by which the density is divided."""
        with self._scope(name):
            return self._log_norm()

    def mean_log_det(self, name: str = "mean_log_det") -> Any:
        """The mean of the logarithm of the determinant."""
        with self._scope(name):
            return (self._multi_digamma(0.5 * self._df) + self._size() * math.log(2.0)
                    + 2.0 * self._operator.log_abs_determinant())

    def _lowered(self, a: Any) -> Any:
        """a, a - 1/2, ..., for each row."""
        return a[..., None] - 0.5 * cast(numbers(self._dimension), self.dtype)

    def _multi_lgamma(self, a: Any) -> Any:
        size = self._size()
        return reduce_sum(lgamma(self._lowered(a)), -1) + 0.25 * math.log(math.pi) * size * (size - 1.0)

    def _multi_digamma(self, a: Any) -> Any:
        return reduce_sum(digamma(self._lowered(a)), -1)

    def _entropy(self) -> Any:
        size, half = self._size(), 0.5 * self._df
        other = 0.5 * (size + 1.0)
        return (size * (half + other * math.log(2.0)) + 2.0 * other * self._operator.log_abs_determinant()
                + self._multi_lgamma(half) + (other - half) * self._multi_digamma(half))

    def _matrix(self) -> Any:
        return self._squared(self._operator.to_dense())

    def _mean(self) -> Any:
        df = self._df[..., None, None]
        return sqrt(df) * self._operator.to_dense() if self._cholesky else df * self._matrix()

    def _variance(self) -> Any:
        scale = sqrt(self._df)[..., None, None] * self._matrix()
        diagonal = matrix_diag_part(scale)
        variance = square(scale) + diagonal[..., None] * diagonal[..., None, :]
        return cholesky(variance) if self._cholesky else variance

    def _stddev(self) -> Any:
        if self._cholesky:
            raise ValueError("Cholesky factors have no standard deviation that would make sense")
        return cholesky(self._variance())

    def _mode(self) -> Any:
        excess = self._df - self._size() - 1.0
        excess = where(greater_equal(excess, 0.0), excess, array.zeros_like(excess) + math.nan)[..., None, None]
        return sqrt(excess) * self._operator.to_dense() if self._cholesky else excess * self._matrix()


@export("contrib.distributions.WishartCholesky")
class WishartCholesky(WishartLinearOperator):
    """The Wishart distribution, with the Cholesky factor of its scale matrix.

    Args:
        df: the degrees of freedom, at least the number of rows.
        scale: the lower triangular Cholesky factor, [batch..., size, size].
        cholesky_input_output_matrices: whether samples and values are the Cholesky factors of matrices.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "WishartCholesky") -> None:
        parameters = own(locals())
        with name_scope(name, values=[scale]) as scope:
            scale = convert_to_tensor(scale, name="scale")
            if validate_args:
                positive = assert_positive(matrix_diag_part(scale), message="scale must be positive definite")
                square_ = assert_equal(array.shape(scale)[-1], array.shape(scale)[-2], message="scale must be square")
                scale = with_dependencies([positive, square_], scale)
            operator = LinearOperatorLowerTriangular(scale, is_non_singular=True, is_positive_definite=True,
                                                     is_square=True)
        super().__init__(df, operator, cholesky_input_output_matrices, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.WishartFull")
class WishartFull(WishartLinearOperator):
    """The Wishart distribution, with its scale matrix.

    Args:
        df: the degrees of freedom, at least the number of rows.
        scale: the positive definite scale matrix, [batch..., size, size].
        cholesky_input_output_matrices: whether samples and values are the Cholesky factors of matrices.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "WishartFull") -> None:
        parameters = own(locals())
        with name_scope(name, values=[scale]) as scope:
            scale = convert_to_tensor(scale, name="scale")
            if validate_args:
                square_ = assert_equal(array.shape(scale)[-1], array.shape(scale)[-2], message="scale must be square")
                scale = with_dependencies([square_], scale)
            operator = LinearOperatorLowerTriangular(cholesky(scale), is_non_singular=True, is_positive_definite=True,
                                                     is_square=True)
        super().__init__(df, operator, cholesky_input_output_matrices, validate_args, allow_nan_stats, scope)
        self._parameters = parameters

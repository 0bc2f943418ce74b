"""Distributions of vectors loc + scale @ noise, with independent noise: normal, exponential, Laplace and others."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.affine import Affine, AffineLinearOperator
from evergraph.contrib.distributions.bijectors.combined import Chain
from evergraph.contrib.distributions.bijectors.elements import SinhArcsinh as SinhArcsinhBijector
from evergraph.contrib.distributions.scales import make_diag_scale, make_tril_scale, shapes_from_loc_and_scale
from evergraph.contrib.distributions.transformed import TransformedDistribution
from evergraph.distributions.continuous import Laplace, Normal, StudentT
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.gamma import Exponential
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_near
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import cast, sqrt, square
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag, matrix_diag_part
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.algebra import LinearOperatorLowRankUpdate  # fills the tables of rules that it asks
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.full_matrix import LinearOperatorLowerTriangular
from evergraph.linalg.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.linalg import cholesky
from evergraph.ops.nn.activations import softplus

DIAGONAL = LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity


class LinearOperatorVectors(TransformedDistribution):
    """Vectors loc + scale @ noise. A subclass says `_noise(dtype)`, the distribution of the noise, `_noise_mean`, its
    mean, `_noise_mode` and `_noise_variance`.
    """

    _noise_mean, _noise_mode, _noise_variance = 0.0, 0.0, 1.0

    @staticmethod
    def _noise(dtype: Any) -> Any:
        raise NotImplementedError

    def __init__(self, loc: Any = None, scale: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str | None = None) -> None:
        name = name or type(self).__name__
        parameters = own(locals())
        if scale is None:
            raise ValueError("scale is missing: a LinearOperator")
        if not scale.dtype.is_floating:
            raise TypeError(f"scale must have a floating dtype, not {scale.dtype.name}")
        with name_scope(name, values=[loc, *scale.graph_parents]) as scope:
            loc = None if loc is None else convert_to_tensor(loc, name="loc", dtype=scale.dtype)
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
        super().__init__(self._noise(scale.dtype), AffineLinearOperator(loc, scale, validate_args),
                         batch_shape, event_shape, validate_args, scope)
        self._parameters, self._allow_nan_stats = parameters, allow_nan_stats

    loc = property(lambda self: self.bijector.shift, doc="What is added to each vector, or None.")
    scale = property(lambda self: self.bijector.scale, doc="The LinearOperator of the noise.")

    def _located(self, moved: Any) -> Any:
        """The location of each vector, moved by a mean of the noise."""
        sizes = array.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        center = array.zeros(sizes, self.dtype) if self.loc is None else broadcast_to(self.loc, sizes)
        if moved:
            center += self.scale.matvec(array.zeros(sizes, self.dtype) + moved)
        center.set_shape(self.batch_shape.concatenate(self.event_shape))
        return center

    def _mean(self) -> Any:
        return self._located(self._noise_mean)

    def _mode(self) -> Any:
        return self._located(self._noise_mode)

    def _variance(self) -> Any:
        if isinstance(self.scale, DIAGONAL):
            return self._noise_variance * square(self.scale.diag_part())
        if isinstance(self.scale, LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint:
            return self._noise_variance * matrix_diag_part(self.scale.matmul(self.scale.to_dense()))
        return self._noise_variance * reduce_sum(square(self.scale.to_dense()), -1)

    def _stddev(self) -> Any:
        return sqrt(self._variance())

    def _covariance(self) -> Any:
        if isinstance(self.scale, DIAGONAL):
            return matrix_diag(self._variance())
        dense = self.scale.to_dense()
        return self._noise_variance * matmul(dense, dense, adjoint_b=True)


@export("contrib.distributions.MultivariateNormalLinearOperator")
class MultivariateNormalLinearOperator(LinearOperatorVectors):
    """The normal distribution of vectors with mean `loc` and covariance scale @ scale^T.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale: a `tf.linalg.LinearOperator` that is not singular.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: there is no scale.
        TypeError: it is not one of floating-point numbers.
    """

    @staticmethod
    def _noise(dtype: Any) -> Any:
        return Normal(loc=array.zeros([], dtype), scale=array.ones([], dtype))


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _normal_from_normal(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_mvn", [a.loc, b.loc]):
        apart = b.mean() - a.mean()
        distance = reduce_sum(square(b.scale.solvevec(apart)), -1)
        if isinstance(a.scale, DIAGONAL) and isinstance(b.scale, DIAGONAL):
            spread = reduce_sum(square(a.scale.diag_part() / b.scale.diag_part()), -1)
        else:
            spread = reduce_sum(square(b.scale.solve(a.scale.to_dense())), [-2, -1])
        size = b.scale.domain_dimension.value
        size = convert_to_tensor(b.scale.domain_dimension_tensor() if size is None else size)
        logs = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        return logs + 0.5 * (spread + distance - cast(size, a.dtype))


def _dtype_of(*values: Any) -> Any:
    kinds = [each.dtype for each in map(convert_to_tensor, (each for each in values if each is not None))]
    return kinds[0].base_dtype if kinds else dtypes.float32


@export("contrib.distributions.MultivariateNormalDiag")
class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """A normal distribution of vectors whose elements are independent.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_diag: the standard deviations; ones without it.
        scale_identity_multiplier: a number added to all of them.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: nothing tells the size of vectors.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "MultivariateNormalDiag") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale_diag, scale_identity_multiplier]) as scope:
            scale = _diagonal(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


def _diagonal(loc: Any, diagonal: Any, multiple: Any) -> Any:
    """The diagonal scale of vectors. Whether it is singular is checked when it is used."""
    return make_diag_scale(loc, diagonal, multiple, dtype=_dtype_of(loc, diagonal, multiple))


@export("contrib.distributions.MultivariateNormalDiagWithSoftplusScale")
class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """A normal distribution of vectors whose elements are independent, with standard deviations softplus(scale_diag).

    Args:
        loc: the mean, [batch..., size].
        scale_diag: what softplus makes standard deviations of.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale_diag: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "MultivariateNormalDiagWithSoftplusScale") -> None:
        parameters = own(locals())
        with name_scope(name, values=[scale_diag]) as scope:
            super().__init__(loc, softplus(scale_diag), None, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.MultivariateNormalDiagPlusLowRank")
class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """A normal distribution of vectors with the scale diag(scale_diag + scale_identity_multiplier) + V D V^T.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_diag: the diagonal; ones without it.
        scale_identity_multiplier: a number added to all of it.
        scale_perturb_factor: V, [batch..., size, rank].
        scale_perturb_diag: the diagonal of D, [batch..., rank]; ones without it.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: nothing tells the size of vectors.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 scale_perturb_factor: Any = None, scale_perturb_diag: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalDiagPlusLowRank") -> None:
        parameters = own(locals())
        given = loc, scale_diag, scale_identity_multiplier, scale_perturb_factor, scale_perturb_diag
        with name_scope(name, values=list(given)) as scope:
            kind = _dtype_of(*given)
            factor = _converted(scale_perturb_factor, kind, "scale_perturb_factor")
            factor_diagonal = _converted(scale_perturb_diag, kind, "scale_perturb_diag")
            hint = None if factor is None else factor.shape.as_list()[-2] if factor.shape.ndims else None
            if factor is not None and hint is None:
                hint = array.shape(factor)[-2]
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier, hint, validate_args, dtype=kind)
            if factor is not None:
                scale = LinearOperatorLowRankUpdate(scale, factor, factor_diagonal,
                                                    is_diag_update_positive=factor_diagonal is None or None,
                                                    is_non_singular=True, is_self_adjoint=True, is_square=True)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


def _converted(value: Any, dtype: Any, name: str) -> Any:
    return None if value is None else convert_to_tensor(value, dtype, name=name)


@export("contrib.distributions.MultivariateNormalTriL")
class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """A normal distribution of vectors, with the Cholesky factor of its covariance.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_tril: the lower triangular factor, [batch..., size, size]; the identity without it.
        validate_args: whether steps check that the factor is not singular.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: there is neither a mean nor a factor.
    """

    def __init__(self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalTriL") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale_tril]) as scope:
            if loc is None and scale_tril is None:
                raise ValueError("MultivariateNormalTriL needs loc or scale_tril for its size")
            kind = _dtype_of(loc, scale_tril)
            scale = make_tril_scale(loc, None, dtype=kind) if scale_tril is None else LinearOperatorLowerTriangular(
                _converted(scale_tril, kind, "scale_tril"), is_non_singular=True, is_self_adjoint=False,
                is_positive_definite=False)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.MultivariateNormalFullCovariance")
class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal distribution of vectors, with a covariance matrix.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        covariance_matrix: [batch..., size, size], positive definite; the identity without it.
        validate_args: whether steps check that it is symmetric.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = None, covariance_matrix: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalFullCovariance") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, covariance_matrix]) as scope:
            factor = None
            if covariance_matrix is not None:
                covariance = convert_to_tensor(covariance_matrix, _dtype_of(loc, covariance_matrix),
                                               name="covariance_matrix")
                if validate_args:
                    covariance = with_dependencies([assert_near(
                        covariance, array.matrix_transpose(covariance), message="Matrix was not symmetric")],
                        covariance)
                factor = cholesky(covariance)
        super().__init__(loc, factor, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.VectorExponentialLinearOperator")
class VectorExponentialLinearOperator(LinearOperatorVectors):
    """The distribution of loc + scale @ x, where elements of x are exponential with rate 1.

    Args:
        loc: the least of each element, [batch..., size]; zeros without it.
        scale: a `tf.linalg.LinearOperator` that is not singular.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    _noise_mean = 1.0

    @staticmethod
    def _noise(dtype: Any) -> Any:
        return Exponential(rate=array.ones([], dtype))


@export("contrib.distributions.VectorExponentialDiag")
class VectorExponentialDiag(VectorExponentialLinearOperator):
    """Vectors of independent, shifted and scaled exponential elements.

    Args:
        loc: the least of each element, [batch..., size]; zeros without it.
        scale_diag: the scales; ones without it.
        scale_identity_multiplier: a number added to all of them.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "VectorExponentialDiag") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale_diag, scale_identity_multiplier]) as scope:
            scale = _diagonal(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.VectorLaplaceLinearOperator")
class VectorLaplaceLinearOperator(LinearOperatorVectors):
    """The distribution of loc + scale @ x, where elements of x have Laplace distributions around 0 with scale 1.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale: a `tf.linalg.LinearOperator` that is not singular.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    _noise_variance = 2.0

    @staticmethod
    def _noise(dtype: Any) -> Any:
        return Laplace(loc=array.zeros([], dtype), scale=array.ones([], dtype))


@export("contrib.distributions.VectorLaplaceDiag")
class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """Vectors of independent elements with Laplace distributions.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_diag: the scales; ones without it.
        scale_identity_multiplier: a number added to all of them.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorLaplaceDiag") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale_diag, scale_identity_multiplier]) as scope:
            scale = _diagonal(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


def tail_stretch(skewless: Any, dtype: Any) -> Any:
    """The factor 2 / F(2), by which the values of SinhArcsinh keep the place of two standard deviations; `skewless` is
    F, the transform without skewness."""
    return convert_to_tensor(2.0, dtype) / skewless.forward(convert_to_tensor(2.0, dtype))


@export("contrib.distributions.VectorSinhArcsinhDiag")
class VectorSinhArcsinhDiag(TransformedDistribution):
    """Vectors with skewness and tails of any weight: Y = loc + scale @ F(Z) * 2 / F0(2) (Jones and Pewsey, 2009).

    Z has independent elements, F(z) = sinh((asinh(z) + skewness) * tailweight), and F0 is F without skewness.

    Args:
        loc: the location, [batch..., size]; zeros without it.
        scale_diag: the scales; ones without it.
        scale_identity_multiplier: a number added to all of them.
        skewness: 0 by default; larger numbers move mass to the right.
        tailweight: 1 by default; larger numbers make tails heavier.
        distribution: that of the elements of Z; the standard normal one by default.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: nothing tells the size of vectors.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 skewness: Any = None, tailweight: Any = None, distribution: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "VectorSinhArcsinhDiag") -> None:
        parameters = own(locals())
        given = loc, scale_diag, scale_identity_multiplier, skewness, tailweight
        with name_scope(name, values=list(given)) as scope:
            kind = _dtype_of(*given)
            loc = _converted(loc, kind, "loc")
            skewness = convert_to_tensor(0.0 if skewness is None else skewness, kind, name="skewness")
            tailweight = convert_to_tensor(1.0 if tailweight is None else tailweight, kind, name="tailweight")
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier, None, validate_args, dtype=kind)
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
            shapes = skewness.shape, tailweight.shape
            if any(each.ndims is None or each.ndims > 1 for each in shapes):
                whole = array.zeros(array.concat([_as_tensor(batch_shape), _as_tensor(event_shape)], 0), kind)
                whole = whole + skewness + tailweight
                batch_shape = (whole.shape[:-1] if whole.shape[:-1].is_fully_defined() else array.shape(whole)[:-1])
            bent = SinhArcsinhBijector(skewness, tailweight, validate_args)
            straight = SinhArcsinhBijector(None, tailweight)
            stretched = _stretched(scale, tail_stretch(straight, kind))
            distribution = distribution or Normal(loc=array.zeros([], kind), scale=array.ones([], kind))
            bijector = Chain([Affine(shift=loc, scale_diag=stretched.diag_part(), validate_args=validate_args), bent])
        super().__init__(distribution, bijector, batch_shape, event_shape, validate_args, scope)
        self._loc, self._scale, self._skewness, self._tailweight = loc, scale, skewness, tailweight
        self._parameters, self._allow_nan_stats = parameters, allow_nan_stats

    loc = property(lambda self: self._loc, doc="The location, or None.")
    scale = property(lambda self: self._scale, doc="The scale, as a LinearOperator.")
    skewness = property(lambda self: self._skewness, doc="What moves mass to the right.")
    tailweight = property(lambda self: self._tailweight, doc="What makes tails heavier.")


def _as_tensor(shape: Any) -> Any:
    return convert_to_tensor(shape.as_list() if hasattr(shape, "as_list") else shape, dtypes.int32)


def _stretched(scale: Any, factor: Any) -> Any:
    """A diagonal scale times numbers for its elements."""
    return LinearOperatorDiag(scale.diag_part() * factor, is_non_singular=True)


class VectorStudentT(TransformedDistribution):
    """Vectors loc + scale @ x, where elements of x are independent with Student's t-distribution.

    Args:
        df: the degrees of freedom, [batch...].
        loc: the location, [batch..., size]; zeros without it.
        scale_identity_multiplier: see `tf.contrib.distributions.bijectors.Affine`.
        scale_diag: the same.
        scale_tril: the same.
        scale_perturb_factor: the same.
        scale_perturb_diag: the same.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, loc: Any = None, scale_identity_multiplier: Any = None, scale_diag: Any = None,
                 scale_tril: Any = None, scale_perturb_factor: Any = None, scale_perturb_diag: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorStudentT") -> None:
        parameters = own(locals())
        with name_scope(name, values=[df, loc, scale_diag, scale_tril, scale_perturb_factor]) as scope:
            affine = Affine(loc, scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor,
                            scale_perturb_diag, validate_args)
            student = StudentT(df=df, loc=array.zeros([], affine.dtype), scale=array.ones([], affine.dtype))
            operator = affine.scale
            if not hasattr(operator, "batch_shape"):
                operator = make_diag_scale(affine.shift, None, operator)
            batch_shape, event_shape = shapes_from_loc_and_scale(affine.shift, operator)
        is_batch = student.batch_shape.ndims != 0
        super().__init__(student, affine, None if is_batch else batch_shape, event_shape, validate_args, scope)
        self._parameters, self._allow_nan_stats = parameters, allow_nan_stats

    df = property(lambda self: self.distribution.df, doc="The degrees of freedom.")
    loc = property(lambda self: self.bijector.shift, doc="The location, or None.")
    scale = property(lambda self: self.bijector.scale, doc="The scale.")

"""Mixtures over a parameter that is integrated by quadrature: Poisson-lognormal numbers, vector diffeomixtures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.distributions.bijectors.affine import AffineLinearOperator
from evergraph.contrib.distributions.bijectors.elements import Exp
from evergraph.contrib.distributions.bijectors.vectors import SoftmaxCentered
from evergraph.contrib.distributions.scalars import Poisson
from evergraph.contrib.distributions.transformed import TransformedDistribution
from evergraph.distributions.continuous import Normal
from evergraph.distributions.discrete import Categorical
from evergraph.distributions.distribution import NOT_REPARAMETERIZED, Distribution, salted
from evergraph.distributions.parameters import Scalars, own
from evergraph.frontend import array
from evergraph.frontend.array import broadcast_dynamic_shape, broadcast_static_shape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.math import sqrt, square
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.frontend.random import random_poisson
from evergraph.frontend.reduce import reduce_logsumexp, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.addition import add_operators
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.full_matrix import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from evergraph.linalg.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.elementwise import exp, log


def _hermite(size: int, dtype: Any) -> tuple[Any, Any]:
    """Points and weights of the Gauss-Hermite quadrature of a standard normal distribution."""
    grid, weights = np.polynomial.hermite.hermgauss(deg=size)
    kind = dtype.np
    return (math.sqrt(2.0) * grid).astype(kind), (weights / weights.sum()).astype(kind)


def quadrature_scheme_lognormal_gauss_hermite(loc: Any, scale: Any, quadrature_size: int,
                                              validate_args: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Points and probabilities of the Gauss-Hermite quadrature of a lognormal distribution.

    Args:
        loc: the mean of the logarithm, [batch...].
        scale: its standard deviation.
        quadrature_size: the number of points.
        validate_args: whether steps check that scales are positive.
        name: a name for the operations.

    Returns:
        [batch..., quadrature_size] and [quadrature_size].
    """
    with name_scope(name, "quadrature_scheme_lognormal_gauss_hermite", [loc, scale]):
        loc, scale = _location(loc, scale, validate_args)
        grid, weights = _hermite(quadrature_size, loc.dtype.base_dtype)
        return exp(loc[..., None] + scale[..., None] * grid), convert_to_tensor(weights)


def quadrature_scheme_lognormal_quantiles(loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False,
                                          name: str | None = None) -> tuple[Any, Any]:
    """Points between quantiles of a lognormal distribution, each with the same probability.

    Args:
        loc: the mean of the logarithm, [batch...].
        scale: its standard deviation.
        quadrature_size: the number of points.
        validate_args: whether steps check that scales are positive.
        name: a name for the operations.

    Returns:
        [batch..., quadrature_size] and [quadrature_size].
    """
    with name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        loc, scale = _location(loc, scale, validate_args)
        normal = TransformedDistribution(Normal(loc=loc[..., None], scale=scale[..., None]), Exp())
        return _between_quantiles(normal, quadrature_size, loc.dtype.base_dtype)


def _location(loc: Any, scale: Any, validate_args: bool) -> tuple[Any, Any]:
    loc = convert_to_tensor(loc, name="loc")
    scale = convert_to_tensor(scale, loc.dtype.base_dtype, name="scale")
    if validate_args:
        scale = with_dependencies([assert_positive(scale)], scale)
    return loc + array.zeros_like(scale), scale + array.zeros_like(loc)


def _between_quantiles(distribution: Any, size: int, dtype: Any) -> tuple[Any, Any]:
    edges = distribution.quantile(np.linspace(0.0, 1.0, size + 3)[1:-1].astype(dtype.np))
    grid = 0.5 * (edges[..., :-1] + edges[..., 1:])
    return grid[..., :size], convert_to_tensor(np.full(size, 1.0 / size, dtype.np))


@export("contrib.distributions.PoissonLogNormalQuadratureCompound")
class PoissonLogNormalQuadratureCompound(Scalars):
    """Poisson numbers whose rate has a lognormal distribution, integrated by a quadrature.

    Args:
        loc: the mean of the logarithm of the rate.
        scale: its standard deviation.
        quadrature_size: the number of points of the quadrature.
        quadrature_fn: a function of loc, scale, quadrature_size and validate_args to points and probabilities.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, quadrature_size: int = 8,
                 quadrature_fn: Callable = quadrature_scheme_lognormal_quantiles, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "PoissonLogNormalQuadratureCompound") -> None:
        parameters = own(locals())
        with name_scope(name, values=[loc, scale]) as scope:
            self._loc = None if loc is None else convert_to_tensor(loc, name="loc")
            self._scale = None if scale is None else convert_to_tensor(scale, self._loc.dtype, name="scale")
            grid, probs = quadrature_fn(self._loc, self._scale, quadrature_size, validate_args)
            self._size = quadrature_size
            self._categories = Categorical(logits=log(probs), validate_args=validate_args)
            self._numbers = Poisson(rate=grid, validate_args=validate_args)
        super().__init__(self._numbers.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._loc, self._scale], scope)

    loc = property(lambda self: self._loc, doc="The mean of the logarithm of the rate.")
    scale = property(lambda self: self._scale, doc="The standard deviation of the logarithm of the rate.")
    quadrature_size = property(lambda self: self._size, doc="The number of points.")
    mixture_distribution = property(lambda self: self._categories, doc="The distribution of the points.")
    distribution = property(lambda self: self._numbers, doc="The Poisson distribution of each point.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        chosen = self._categories.sample(array.concat([[n], self.batch_shape_tensor()], 0), seed=seed)
        rate = reduce_sum(one_hot(chosen, self._size, dtype=self.dtype) * self._numbers.rate, -1)
        return random_poisson(rate, [], dtype=self.dtype, seed=salted(seed, "poisson_lognormal"))

    def _log_prob(self, x: Any) -> Any:
        return reduce_logsumexp(self._categories.logits + self._numbers.log_prob(x[..., None]), -1)

    def _mean(self) -> Any:
        return reduce_sum(self._categories.probs * self._numbers.mean(), -1)

    def _variance(self) -> Any:
        means = self._numbers.mean()
        apart = means - reduce_sum(self._categories.probs * means, -1, keepdims=True)
        return reduce_sum(self._categories.probs * (square(apart) + self._numbers.variance()), -1)


@export("contrib.distributions.quadrature_scheme_softmaxnormal_gauss_hermite")
def quadrature_scheme_softmaxnormal_gauss_hermite(normal_loc: Any, normal_scale: Any, quadrature_size: int,
                                                  validate_args: bool = False, name: str | None = None
                                                  ) -> tuple[Any, Any]:
    """Points and probabilities of the Gauss-Hermite quadrature of pairs of shares, softmax([x, 0]) with normal x.

    Args:
        normal_loc: the mean of x, [batch..., 1].
        normal_scale: its standard deviation.
        quadrature_size: the number of points.
        validate_args: whether steps check shapes.
        name: a name for the operations.

    Returns:
        Shares, [batch..., 2, quadrature_size], and probabilities, [quadrature_size].
    """
    with name_scope(name, "quadrature_scheme_softmaxnormal_gauss_hermite", [normal_loc, normal_scale]):
        loc, scale = _single(normal_loc, normal_scale, validate_args)
        grid, weights = _hermite(quadrature_size, loc.dtype.base_dtype)
        return _shares(loc + scale * grid), convert_to_tensor(weights)


@export("contrib.distributions.quadrature_scheme_softmaxnormal_quantiles")
def quadrature_scheme_softmaxnormal_quantiles(normal_loc: Any, normal_scale: Any, quadrature_size: int,
                                              validate_args: bool = False, name: str | None = None
                                              ) -> tuple[Any, Any]:
    """Pairs of shares between quantiles of softmax([x, 0]) with normal x, each with the same probability.

    Args:
        normal_loc: the mean of x, [batch..., 1].
        normal_scale: its standard deviation.
        quadrature_size: the number of points.
        validate_args: whether steps check shapes.
        name: a name for the operations.

    Returns:
        Shares, [batch..., 2, quadrature_size], and probabilities, [quadrature_size].
    """
    with name_scope(name, "quadrature_scheme_softmaxnormal_quantiles", [normal_loc, normal_scale]):
        loc, scale = _single(normal_loc, normal_scale, validate_args)
        kind = loc.dtype.base_dtype
        at = np.linspace(0.0, 1.0, quadrature_size + 3)[1:-1].astype(kind.np)
        edges = _shares(Normal(loc=loc, scale=scale).quantile(at))
        grid = 0.5 * (edges[..., :-1] + edges[..., 1:])
        return grid, convert_to_tensor(np.full(quadrature_size, 1.0 / quadrature_size, kind.np))


def _single(loc: Any, scale: Any, validate_args: bool) -> tuple[Any, Any]:
    loc = convert_to_tensor(loc, name="normal_loc")
    scale = convert_to_tensor(scale, loc.dtype.base_dtype, name="normal_scale")
    if validate_args:
        scale = with_dependencies([assert_positive(scale)], scale)
        loc = with_dependencies([assert_equal(array.shape(loc)[-1], 1, message="two components have one share")], loc)
    return loc + array.zeros_like(scale), scale + array.zeros_like(loc)


def _shares(x: Any) -> Any:
    """softmax([x, 0]) of each element: [..., n] -> [..., 2, n]"""
    return array.stack(array.unstack(SoftmaxCentered().forward(x[..., None]), num=2, axis=-1), -2)


@export("contrib.distributions.VectorDiffeomixture")
class VectorDiffeomixture(Distribution):
    """Vectors that an affine map between two others makes of noise: a mixture of which the share is itself random.

    A share z = softmax([x, 0]) is drawn, with x normal of mean mix_loc / temperature and deviation 1 / temperature, and
    the vector is sum_k z_k loc_k + (sum_k z_k scale_k) @ noise. The integral over shares is a sum over the points of a
    quadrature.

    Args:
        mix_loc: [batch..., 1]: how much the first component is preferred.
        temperature: [batch..., 1]: the lower, the nearer to one of the components.
        distribution: a distribution of scalars, that of the elements of the noise.
        loc: a list of two locations, [batch..., size] or None.
        scale: a list of two `tf.linalg.LinearOperator`s, positive definite.
        quadrature_size: the number of points.
        quadrature_fn: a function of mean, deviation, quadrature_size and validate_args to shares and probabilities.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: there are not two components, or the noise has batches or events.
        NotImplementedError: there are more than two components.
    """

    def __init__(self, mix_loc: Any, temperature: Any, distribution: Any, loc: Any = None, scale: Any = None,
                 quadrature_size: int = 8, quadrature_fn: Callable = quadrature_scheme_softmaxnormal_quantiles,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorDiffeomixture") -> None:
        parameters = own(locals())
        if not scale or len(scale) < 2:
            raise ValueError("scale is a list of two LinearOperators")
        loc = [None] * len(scale) if loc is None else loc
        if len(loc) != len(scale):
            raise ValueError(f"there are {len(loc)} locations and {len(scale)} scales")
        if len(scale) > 2:
            raise NotImplementedError("a vector diffeomixture has two components")
        if not all(each.is_positive_definite for each in scale):
            raise ValueError("scales must be positive definite: LinearOperators with is_positive_definite=True")
        if distribution.is_scalar_batch() is False or distribution.event_shape.ndims not in (0, None):
            raise ValueError("distribution is one of scalars")
        with name_scope(name, values=[mix_loc, temperature]) as scope:
            kind = scale[0].dtype
            loc = [None if each is None else convert_to_tensor(each, kind, name=f"loc{at}")
                   for at, each in enumerate(loc)]
            mix_loc = convert_to_tensor(mix_loc, kind, name="mix_loc")
            temperature = convert_to_tensor(temperature, kind, name="temperature")
            self._grid, probs = quadrature_fn(mix_loc / temperature, 1.0 / temperature, quadrature_size, validate_args)
            self._mixture = Categorical(logits=log(probs))
            self._noise, self._size = distribution, quadrature_size
            self._endpoints = [AffineLinearOperator(shift, each, validate_args) for shift, each in zip(loc, scale)]
            self._points = [self._point(at, loc, scale, validate_args) for at in range(quadrature_size)]
            self._shapes(mix_loc, temperature, loc, scale)
        super().__init__(kind, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [mix_loc, temperature, *(each for each in loc if each is not None)], scope)

    mixture_distribution = property(lambda self: self._mixture, doc="The distribution of the points.")
    distribution = property(lambda self: self._noise, doc="The distribution of the elements of the noise.")
    grid = property(lambda self: self._grid, doc="The shares at each point.")
    endpoint_affine = property(lambda self: self._endpoints, doc="The affine maps of the two components.")
    interpolated_affine = property(lambda self: self._points, doc="The affine map at each point.")

    def _point(self, at: int, loc: Any, scale: Any, validate_args: bool) -> Any:
        """The affine map between those of the components, by the shares of a point."""
        share = [self._grid[..., component, at] for component in range(2)]
        shifts = [each[..., None] * shift for each, shift in zip(share, loc) if shift is not None]
        joined = None if not shifts else sum(shifts[1:], shifts[0])
        operator, = add_operators([_times(each, operator) for each, operator in zip(share, scale)])
        return AffineLinearOperator(joined, operator, validate_args)

    def _shapes(self, mix_loc: Any, temperature: Any, loc: Any, scale: Any) -> None:
        static = broadcast_static_shape(mix_loc.shape[:-1], temperature.shape[:-1])
        sizes = broadcast_dynamic_shape(array.shape(mix_loc)[:-1], array.shape(temperature)[:-1])
        for shift, operator in zip(loc, scale):
            static = broadcast_static_shape(static, operator.batch_shape)
            sizes = broadcast_dynamic_shape(sizes, operator.batch_shape_tensor())
            if shift is not None:
                static = broadcast_static_shape(static, shift.shape[:-1])
                sizes = broadcast_dynamic_shape(sizes, array.shape(shift)[:-1])
        self._static_batch, self._batch_sizes = static, sizes
        self._static_event = TensorShape([scale[0].range_dimension])
        self._event_sizes = scale[0].range_dimension_tensor()[None]

    def _batch_shape(self) -> TensorShape:
        return self._static_batch

    def _batch_shape_tensor(self) -> Any:
        return self._batch_sizes

    def _event_shape(self) -> TensorShape:
        return self._static_event

    def _event_shape_tensor(self) -> Any:
        return self._event_sizes

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        sizes = array.concat([[n], self._batch_sizes, self._event_sizes], 0)
        noise = self._noise.sample(sizes, seed=salted(seed, "vector_diffeomixture"))
        chosen = self._mixture.sample(array.concat([[n], self._batch_sizes], 0), seed=seed)
        picked = one_hot(chosen, self._size, dtype=self.dtype)
        made = [broadcast_to(each.forward(noise), sizes) * picked[..., at, None]
                for at, each in enumerate(self._points)]
        return sum(made[1:], made[0])

    def _log_prob(self, x: Any) -> Any:
        logs = []
        for each in self._points:
            noise = self._noise.log_prob(each.inverse(x))
            logs.append(reduce_sum(noise, -1) + each.inverse_log_det_jacobian(x, event_ndims=1))
        return reduce_logsumexp(array.stack(logs, -1) + self._mixture.logits, -1)

    def _weighted(self, values: list[Any]) -> Any:
        chances = array.unstack(self._mixture.probs, num=self._size, axis=-1)
        products = [chance * value for chance, value in zip(chances, values)]
        return sum(products[1:], products[0])

    def _means(self) -> list[Any]:
        sizes = array.concat([self._batch_sizes, self._event_sizes], 0)
        middle = array.zeros(sizes, self.dtype) + self._noise.mean()
        return [broadcast_to(each.forward(middle), sizes) for each in self._points]

    def _mean(self) -> Any:
        return self._weighted(self._means())

    def _covariance(self) -> Any:
        means = self._means()
        middle = self._weighted(means)
        between = self._weighted([(each - middle)[..., None] * (each - middle)[..., None, :] for each in means])
        dense = [each.scale.to_dense() for each in self._points]
        return between + self._noise.variance() * self._weighted([matmul(a, a, adjoint_b=True) for a in dense])

    def _variance(self) -> Any:
        return matrix_diag_part(self._covariance())

    def _stddev(self) -> Any:
        return sqrt(self._variance())


def _times(factor: Any, operator: Any) -> Any:
    """A linear operator times a positive number for each matrix."""
    hints = {"is_non_singular": operator.is_non_singular, "is_self_adjoint": operator.is_self_adjoint,
             "is_positive_definite": operator.is_positive_definite}
    if isinstance(operator, LinearOperatorIdentity):
        return LinearOperatorScaledIdentity(_rows(operator), factor, **hints)
    if isinstance(operator, LinearOperatorScaledIdentity):
        return LinearOperatorScaledIdentity(_rows(operator), factor * operator.multiplier, **hints)
    if isinstance(operator, LinearOperatorDiag):
        return LinearOperatorDiag(factor[..., None] * operator.diag_part(), **hints)
    if isinstance(operator, LinearOperatorLowerTriangular):
        return LinearOperatorLowerTriangular(factor[..., None, None] * operator.to_dense(), **hints)
    return LinearOperatorFullMatrix(factor[..., None, None] * operator.to_dense(), **hints)


def _rows(operator: Any) -> Any:
    known = operator.domain_dimension.value
    return operator.domain_dimension_tensor() if known is None else known

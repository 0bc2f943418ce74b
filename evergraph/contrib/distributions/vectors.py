"""Multivariate normal distributions, and categories as one-hot vectors, exact and relaxed."""

from __future__ import annotations

import math
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.discrete import Categorical
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, salted
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.parameters import odds, own, parameter
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.math import cast, square
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import log_softmax, softmax
from evergraph.frontend.ordering import matrix_diag, matrix_diag_part
from evergraph.frontend.random import random_normal, random_uniform
from evergraph.frontend.reduce import reduce_sum
from evergraph.ops.math.elementwise import log
from evergraph.ops.math.linalg import cholesky, matrix_triangular_solve
from evergraph.ops.math.special import lgamma

_LOG_2_PI = math.log(2 * math.pi)


class _Vectors(Distribution):
    """A distribution of vectors; `_like` is a tensor of the shape [batch..., size]."""

    _like: Any

    def _batch_shape(self) -> TensorShape:
        return self._like.shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return array.shape(self._like)[:-1]

    def _event_shape(self) -> TensorShape:
        return self._like.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return array.shape(self._like)[-1:]

    def _drawn(self, n: Any) -> Any:
        return array.concat([array.reshape(n, [1]), array.shape(self._like)], 0)


class _Normal(_Vectors):
    """A normal distribution of vectors: loc + scale @ noise, with a lower triangular scale."""

    _loc: Any
    loc = property(lambda self: self._loc, doc="The mean.")

    def _scaled(self, noise: Any) -> Any:
        raise NotImplementedError

    def _unscaled(self, x: Any) -> Any:
        raise NotImplementedError

    def _log_det(self) -> Any:
        """The logarithm of the determinant of the scale."""
        raise NotImplementedError

    def _size(self) -> Any:
        return cast(array.shape(self._like)[-1], self.dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self._loc + self._scaled(random_normal(self._drawn(n), dtype=self.dtype, seed=seed))

    def _log_prob(self, x: Any) -> Any:
        z = self._unscaled(x - self._loc)
        return -0.5 * reduce_sum(square(z), -1) - self._log_det() - 0.5 * _LOG_2_PI * self._size()

    def _entropy(self) -> Any:
        return 0.5 * (1.0 + _LOG_2_PI) * self._size() + self._log_det() + array.zeros_like(self._like[..., 0])

    def _mean(self) -> Any:
        return self._loc + array.zeros_like(self._like)

    def _mode(self) -> Any:
        return self._mean()


@export("contrib.distributions.MultivariateNormalDiag")
class MultivariateNormalDiag(_Normal):
    """A normal distribution of vectors whose elements are independent.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_diag: the standard deviations; ones without it.
        scale_identity_multiplier: a number added to all of them.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: there are neither means nor deviations.
    """

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "MultivariateNormalDiag") -> None:
        parameters = dict(locals())
        if loc is None and scale_diag is None:
            raise ValueError("MultivariateNormalDiag needs loc or scale_diag for its size")
        with name_scope(name, values=[loc, scale_diag, scale_identity_multiplier]) as scope:
            loc = None if loc is None else parameter(loc, "loc")
            scale = None if scale_diag is None else parameter(scale_diag, "scale_diag", validate_args)
            if scale_identity_multiplier is not None:
                added = parameter(scale_identity_multiplier, "scale_identity_multiplier")[..., None]
                scale = added + (array.zeros_like(loc) if scale is None else scale)
            self._scale = array.ones_like(loc) if scale is None else scale
            self._loc = array.zeros_like(self._scale) if loc is None else loc
            self._like = self._loc + array.zeros_like(self._scale)
        super().__init__(self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._loc, self._scale], scope)

    scale_diag = property(lambda self: self._scale, doc="The standard deviations.")

    def _scaled(self, noise: Any) -> Any:
        return noise * self._scale

    def _unscaled(self, x: Any) -> Any:
        return x / self._scale

    def _log_det(self) -> Any:
        return reduce_sum(log(self._scale + array.zeros_like(self._like)), -1)

    def _stddev(self) -> Any:
        return self._scale + array.zeros_like(self._like)

    def _variance(self) -> Any:
        return square(self._stddev())

    def _covariance(self) -> Any:
        return matrix_diag(self._variance())


@RegisterKL(MultivariateNormalDiag, MultivariateNormalDiag)
def _diagonal_from_diagonal(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_mvn", [a.loc, b.loc]):
        ratio = square(a._stddev() / b._stddev())
        apart = square((a._mean() - b._mean()) / b._stddev())
        return 0.5 * reduce_sum(ratio + apart - 1.0 - log(ratio), -1)


@export("contrib.distributions.MultivariateNormalTriL")
class MultivariateNormalTriL(_Normal):
    """A normal distribution of vectors, with the Cholesky factor of its covariance.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        scale_tril: the lower triangular factor, [batch..., size, size].
        validate_args: has no meaning: matrices are not checked.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalTriL") -> None:
        parameters = dict(locals())
        if scale_tril is None:
            raise ValueError("MultivariateNormalTriL needs scale_tril")
        with name_scope(name, values=[loc, scale_tril]) as scope:
            self._scale = parameter(scale_tril, "scale_tril")
            self._set_loc(loc)
        super().__init__(self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._loc, self._scale], scope)

    def _set_loc(self, loc: Any) -> None:
        zeros = array.zeros_like(self._scale[..., 0])
        self._loc = zeros if loc is None else parameter(loc, "loc")
        self._like = self._loc + zeros

    scale_tril = property(lambda self: self._scale, doc="The Cholesky factor of the covariance.")

    def _whole(self, x: Any) -> Any:
        """The factor, for each vector of x."""
        return self._scale + array.zeros_like(x)[..., None]

    def _scaled(self, noise: Any) -> Any:
        return matmul(self._whole(noise), noise[..., None])[..., 0]

    def _unscaled(self, x: Any) -> Any:
        return matrix_triangular_solve(self._whole(x), x[..., None])[..., 0]

    def _log_det(self) -> Any:
        return reduce_sum(log(matrix_diag_part(self._whole(self._like))), -1)

    def _covariance(self) -> Any:
        whole = self._whole(self._like)
        return matmul(whole, whole, transpose_b=True)

    def _variance(self) -> Any:
        return matrix_diag_part(self._covariance())


@export("contrib.distributions.MultivariateNormalFullCovariance")
class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal distribution of vectors, with a covariance matrix.

    Args:
        loc: the mean, [batch..., size]; zeros without it.
        covariance_matrix: [batch..., size, size], positive definite.
        validate_args: has no meaning: matrices are not checked.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any = None, covariance_matrix: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalFullCovariance") -> None:
        if covariance_matrix is None:
            raise ValueError("MultivariateNormalFullCovariance needs covariance_matrix")
        with name_scope(name, values=[loc, covariance_matrix]):
            factor = cholesky(parameter(covariance_matrix, "covariance_matrix"))
        super().__init__(loc, factor, validate_args, allow_nan_stats, name)


class _OneHot(_Vectors):
    """What exact and relaxed one-hot vectors share: the logits."""

    _logits: Any
    logits = property(lambda self: self._logits, doc="The log of the probabilities, but for a constant.")
    probs = property(lambda self: softmax(self._logits), doc="The probabilities.")
    event_size = property(lambda self: array.shape(self._logits)[-1], doc="The number of classes.")


@export("contrib.distributions.OneHotCategorical")
class OneHotCategorical(_OneHot):
    """The categorical distribution, whose samples are one-hot vectors.

    Args:
        logits: the log of the probabilities, [batch..., classes], but for a constant.
        probs: the probabilities, instead.
        dtype: of the samples.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, logits: Any = None, probs: Any = None, dtype: Any = dtypes.int32, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "OneHotCategorical") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, _ = odds(logits, probs, validate_args, several=True)
            self._like, self._numbers = self._logits, Categorical(logits=self._logits)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters), [self._logits],
                         scope)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return one_hot(self._numbers._sample_n(n, seed), self.event_size, dtype=self.dtype)

    def _log_prob(self, x: Any) -> Any:
        return reduce_sum(log_softmax(self._logits) * cast(x, self._logits.dtype), -1)

    def _entropy(self) -> Any:
        return self._numbers._entropy()

    def _mean(self) -> Any:
        return self.probs

    def _mode(self) -> Any:
        return one_hot(self._numbers._mode(), self.event_size, dtype=self.dtype)


@export("contrib.distributions.RelaxedOneHotCategorical")
class RelaxedOneHotCategorical(_OneHot):
    """The concrete distribution (Maddison, Mnih and Teh, 2017): one-hot vectors, relaxed by a temperature.

    Args:
        temperature: the smaller, the nearer to one-hot vectors.
        logits: the log of the probabilities, [batch..., classes], but for a constant.
        probs: the probabilities, instead.
        dtype: of the samples; that of the logits by default.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "RelaxedOneHotCategorical") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[temperature, logits, probs]) as scope:
            self._logits, _ = odds(logits, probs, validate_args, several=True)
            self._like = self._logits
            self._temperature = parameter(temperature, "temperature", validate_args)
        super().__init__(dtype or self._logits.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                         own(parameters), [self._logits, self._temperature], scope)

    temperature = property(lambda self: self._temperature, doc="The temperature.")

    def _over_classes(self) -> Any:
        """The temperature, for each class."""
        return self._temperature[..., None] if self._temperature.shape.ndims else self._temperature

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        chance = random_uniform(self._drawn(n), minval=1e-30, maxval=1.0, dtype=self._logits.dtype,
                                seed=salted(seed, "relaxed_one_hot"))
        gumbel = -log(-log(chance))
        return cast(softmax((self._logits + gumbel) / self._over_classes()), self.dtype)

    def _log_prob(self, x: Any) -> Any:
        classes = cast(self.event_size, self._logits.dtype)
        logs = log(cast(x, self._logits.dtype))
        constant = lgamma(classes) + (classes - 1.0) * log(self._temperature)
        shares = log_softmax(self._logits - logs * self._over_classes())
        return constant + reduce_sum(shares - logs, -1)

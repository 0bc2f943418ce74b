"""Distributions made of others: mixtures, independent axes, transforms by bijectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.discrete import Categorical
from evergraph.distributions.distribution import (
    NOT_REPARAMETERIZED,
    Distribution,
    salted,
)
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.math import square
from evergraph.frontend.nn.activations import log_softmax
from evergraph.frontend.reduce import reduce_logsumexp, reduce_sum


class _Around(Distribution):
    """A distribution with the shapes of another one."""

    _inner: Any

    def _batch_shape(self) -> TensorShape:
        return self._inner.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self._inner.batch_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._inner.event_shape

    def _event_shape_tensor(self) -> Any:
        return self._inner.event_shape_tensor()


@export("contrib.distributions.Mixture")
class Mixture(_Around):
    """A mixture of distributions: a category is drawn, then a sample of its distribution.

    Args:
        cat: a Categorical.
        components: a list with the distribution of each category, of one dtype and one event shape.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        use_static_graph: has no meaning here: samples of all components are always drawn.
        name: a name for the operations.

    Raises:
        TypeError: `cat` is no Categorical, or a component is no distribution, or dtypes differ.
        ValueError: there are no components, or not one for each category.
    """

    def __init__(self, cat: Any, components: Sequence[Any], validate_args: bool = False, allow_nan_stats: bool = True,
                 use_static_graph: bool = False, name: str = "Mixture") -> None:
        parameters = dict(locals())
        if not isinstance(cat, Categorical):
            raise TypeError(f"cat must be a Categorical, not {cat!r}")
        if not components:
            raise ValueError("a mixture needs a component at least")
        if not all(isinstance(each, Distribution) for each in components):
            raise TypeError(f"components must be distributions, got {components!r}")
        if len({each.dtype for each in components}) > 1:
            raise TypeError(f"components must have one dtype, they have {[each.dtype for each in components]}")
        static = cat.logits.shape.as_list()[-1] if cat.logits.shape.ndims else None
        if static is not None and static != len(components):
            raise ValueError(f"there must be a component for each of the {static} categories, got {len(components)}")
        self._cat, self._components = cat, list(components)
        self._inner = self._components[0]
        with name_scope(name) as scope:
            pass
        super().__init__(self._inner.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [], scope)

    cat = property(lambda self: self._cat, doc="The distribution of the categories.")
    components = property(lambda self: self._components, doc="The distribution of each category.")
    num_components = property(lambda self: len(self._components), doc="The number of components.")

    def _spread(self, weights: Any) -> Any:
        """[batch..., components] -> [batch..., 1 for each axis of events, components]."""
        rank = self._inner.event_shape.ndims
        return array.reshape(weights, array.concat([array.shape(weights)[:-1], array.ones([rank], dtypes.int32),
                                                    array.shape(weights)[-1:]], 0)) if rank else weights

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        chosen = self._cat._sample_n(n, seed)
        drawn = array.stack([each.sample(n, seed=salted(seed, f"component_{at}"))
                             for at, each in enumerate(self._components)], -1)
        picked = self._spread(one_hot(chosen, self.num_components, dtype=self.dtype))
        return reduce_sum(drawn * picked, -1)

    def _log_prob(self, x: Any) -> Any:
        logs = array.stack([each.log_prob(x) for each in self._components], -1)
        return reduce_logsumexp(logs + log_softmax(self._cat.logits), -1)

    def _cdf(self, x: Any) -> Any:
        shares = array.stack([each.cdf(x) for each in self._components], -1)
        return reduce_sum(shares * self._cat.probs, -1)

    def _mean(self) -> Any:
        means = array.stack([each.mean() for each in self._components], -1)
        return reduce_sum(means * self._spread(self._cat.probs), -1)

    def _variance(self) -> Any:
        means = array.stack([each.mean() for each in self._components], -1)
        inside = array.stack([each.variance() for each in self._components], -1)
        chances = self._spread(self._cat.probs)
        middle = reduce_sum(means * chances, -1, keepdims=True)
        return reduce_sum((inside + square(means - middle)) * chances, -1)

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """A lower bound of the entropy: the mean of the components' entropies."""
        with name_scope(name):
            return reduce_sum(array.stack([each.entropy() for each in self._components], -1) * self._cat.probs, -1)


@export("contrib.distributions.Independent")
class Independent(_Around):
    """A distribution whose last batch axes are axes of events: their log probabilities are added.

    Args:
        distribution: the distribution.
        reinterpreted_batch_ndims: how many axes; all but the first by default.
        validate_args: whether steps check the parameters.
        name: a name for the operations.
    """

    def __init__(self, distribution: Any, reinterpreted_batch_ndims: int | None = None, validate_args: bool = False,
                 name: str | None = None) -> None:
        parameters = dict(locals())
        self._inner = distribution
        rank = distribution.batch_shape.ndims
        self._axes = max(0, rank - 1) if reinterpreted_batch_ndims is None else reinterpreted_batch_ndims
        if rank is not None and self._axes > rank:
            raise ValueError(f"reinterpreted_batch_ndims is {self._axes}, but the batch has {rank} axes")
        with name_scope(name or f"Independent{type(distribution).__name__}") as scope:
            pass
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args,
                         distribution.allow_nan_stats, own(parameters), [], scope)

    distribution = property(lambda self: self._inner, doc="The distribution.")
    reinterpreted_batch_ndims = property(lambda self: self._axes, doc="The number of axes of events.")

    def _split(self) -> int:
        return self._inner.batch_shape.ndims - self._axes

    def _batch_shape(self) -> TensorShape:
        return self._inner.batch_shape[:self._split()]

    def _event_shape(self) -> TensorShape:
        return self._inner.batch_shape[self._split():].concatenate(self._inner.event_shape)

    def _batch_shape_tensor(self) -> Any:
        return self._inner.batch_shape_tensor()[:self._split()]

    def _event_shape_tensor(self) -> Any:
        return array.concat([self._inner.batch_shape_tensor()[self._split():], self._inner.event_shape_tensor()], 0)

    def _added(self, values: Any) -> Any:
        return reduce_sum(values, list(range(-self._axes, 0))) if self._axes else values

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self._inner.sample(n, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        return self._added(self._inner.log_prob(x))

    def _entropy(self) -> Any:
        return self._added(self._inner.entropy())

    def _mean(self) -> Any:
        return self._inner.mean()

    def _mode(self) -> Any:
        return self._inner.mode()

    def _variance(self) -> Any:
        return self._inner.variance()

    def _stddev(self) -> Any:
        return self._inner.stddev()


@export("contrib.distributions.TransformedDistribution")
class TransformedDistribution(_Around):
    """The distribution of a bijector's values of samples.

    Args:
        distribution: the distribution of the samples.
        bijector: how they are transformed, element by element.
        validate_args: whether steps check the parameters.
        name: a name for the operations.
    """

    def __init__(self, distribution: Any, bijector: Any, validate_args: bool = False, name: str | None = None) -> None:
        parameters = dict(locals())
        self._inner, self._bijector = distribution, bijector
        with name_scope(name or f"{bijector.name}{type(distribution).__name__}") as scope:
            pass
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args,
                         distribution.allow_nan_stats, own(parameters), [], scope)

    distribution = property(lambda self: self._inner, doc="The distribution of what is transformed.")
    bijector = property(lambda self: self._bijector, doc="The transform.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self._bijector.forward(self._inner.sample(n, seed=seed))

    def _log_prob(self, y: Any) -> Any:
        slope = self._bijector.inverse_log_det_jacobian(y, event_ndims=self._inner.event_shape.ndims)
        return self._inner.log_prob(self._bijector.inverse(y)) + slope

    def _cdf(self, y: Any) -> Any:
        if not self._bijector.is_increasing:
            return self._inner.survival_function(self._bijector.inverse(y))
        return self._inner.cdf(self._bijector.inverse(y))

    def _quantile(self, p: Any) -> Any:
        return self._bijector.forward(self._inner.quantile(p if self._bijector.is_increasing else 1.0 - p))

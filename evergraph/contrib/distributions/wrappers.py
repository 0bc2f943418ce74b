"""Distributions made of others: mixtures, independent axes, batches of another shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.discrete import Categorical
from evergraph.distributions.distribution import (
    NOT_REPARAMETERIZED,
    Distribution,
    salted,
)
from evergraph.distributions.divergence import RegisterKL, kl_divergence
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal, assert_greater_equal, assert_less_equal
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import one_hot, where, where_v2
from evergraph.frontend.math import range as numbers
from evergraph.frontend.math import square
from evergraph.frontend.nn.activations import log_softmax
from evergraph.frontend.reduce import reduce_logsumexp, reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import equal, maximum


class Around(Distribution):
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
class Mixture(Around):
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
            raise ValueError("components must be a non-empty list of distributions")
        if not all(isinstance(each, Distribution) for each in components):
            raise TypeError(f"all of the components must be Distribution instances, got {components!r}")
        if len({each.dtype for each in components}) > 1:
            raise TypeError(f"components must have the same dtype, they have {[each.dtype for each in components]}")
        static = cat.logits.shape.as_list()[-1] if cat.logits.shape.ndims else None
        if static is None:
            raise ValueError("Could not infer the number of categories: the last axis of cat.logits has no static size")
        if static != len(components):
            raise ValueError(f"cat.num_classes != len(components): {static} categories, {len(components)} components")
        self._cat, self._components = cat, list(components)
        self._inner = self._components[0]
        batch, event = cat.batch_shape, TensorShape(None)
        for each in self._components:
            batch, event = batch.merge_with(each.batch_shape), event.merge_with(each.event_shape)
        if event.ndims is None:
            raise ValueError("the components of a mixture have events of a rank that is known when the graph is built")
        self._static_batch, self._static_event = batch, event
        with name_scope(name, values=[cat.logits]) as scope:
            self._checks = self._shape_checks() if validate_args else []
        super().__init__(self._inner.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [], scope)

    def _shape_checks(self) -> list[Any]:
        """Run-time checks that all components have the shapes of the first one."""
        checks = []
        for each in self._components[1:]:
            for what in ("batch_shape", "event_shape"):
                if not (getattr(self._inner, what).is_fully_defined() and getattr(each, what).is_fully_defined()):
                    first, other = (getattr(one, f"{what}_tensor")() for one in (self._inner, each))
                    words = f"Shapes of all inputs must match: {what.replace('_', ' ')} must match in all components"
                    checks += [assert_equal(array.size(first), array.size(other), message=words),
                               assert_equal(first, other, message=words)]
        return checks

    cat = property(lambda self: self._cat, doc="The distribution of the categories.")
    components = property(lambda self: self._components, doc="The distribution of each category.")
    num_components = property(lambda self: len(self._components), doc="The number of components.")

    def _batch_shape(self) -> TensorShape:
        return self._static_batch

    def _event_shape(self) -> TensorShape:
        return self._static_event

    def _batch_shape_tensor(self) -> Any:
        return self._cat.batch_shape_tensor()

    def _spread(self, weights: Any) -> Any:
        """[batch..., components] -> [batch..., 1 for each axis of events, components]."""
        rank = self._static_event.ndims
        return array.reshape(weights, array.concat([array.shape(weights)[:-1], array.ones([rank], dtypes.int32),
                                                    array.shape(weights)[-1:]], 0)) if rank else weights

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        with control_dependencies(self._checks):
            chosen = self._cat.sample(n, seed=seed)
            samples = [each.sample(array.identity(n), seed=salted(seed, f"component_{at}"))
                       for at, each in enumerate(self._components)]
        drawn = array.stack(samples, -1)
        picked = self._spread(one_hot(chosen, self.num_components, dtype=dtypes.bool, on_value=True, off_value=False))
        return reduce_sum(where_v2(picked, drawn, array.zeros_like(drawn)), -1)

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


    def _covariance(self) -> Any:
        means = array.stack([each.mean() for each in self._components], -1)
        inside = array.stack([each.covariance() for each in self._components], -1)
        middle = reduce_sum(means * self._spread(self._cat.probs), -1, keepdims=True)
        apart = (means - middle)[..., None, :, :] * (means - middle)[..., :, None, :]
        return reduce_sum((inside + apart) * self._spread(self._cat.probs)[..., None, :], -1)


def _less_one(rank: Any) -> Any:
    return max(rank - 1, 0) if isinstance(rank, int) else maximum(rank - 1, 0)


def _inner_rank(distribution: Any) -> Any:
    """The rank of a distribution's batch: an int where that is known."""
    known = distribution.batch_shape.ndims
    return array.size(distribution.batch_shape_tensor()) if known is None else known


@export("contrib.distributions.Independent")
class Independent(Around):
    """A distribution whose last batch axes are axes of events: their log probabilities are added.

    Args:
        distribution: the distribution.
        reinterpreted_batch_ndims: how many axes; all but the first by default.
        validate_args: whether steps check arguments.
        name: a name for the operations.

    Raises:
        ValueError: the batch has fewer axes.
    """

    def __init__(self, distribution: Any, reinterpreted_batch_ndims: Any = None, validate_args: bool = False,
                 name: str | None = None) -> None:
        parameters = own(locals())
        self._inner = distribution
        with name_scope(name or f"Independent{distribution.name.rstrip('/')}") as scope:
            rank = _inner_rank(distribution)
            axes = _less_one(rank) if reinterpreted_batch_ndims is None else reinterpreted_batch_ndims
            known = axes if isinstance(axes, int) else array.get_static_value(convert_to_tensor(axes))
            self._axes = axes if known is None else int(known)
            if isinstance(rank, int) and isinstance(self._axes, int) and self._axes > rank:
                raise ValueError(f"reinterpreted_batch_ndims({self._axes}) cannot exceed distribution.batch_ndims("
                                 f"{rank})")
            if validate_args and not (isinstance(rank, int) and isinstance(self._axes, int)):
                words = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
                self._axes = with_dependencies([assert_less_equal(self._axes, rank, message=words)],
                                               convert_to_tensor(self._axes))
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args,
                         distribution.allow_nan_stats, parameters, [], scope)

    distribution = property(lambda self: self._inner, doc="The distribution.")
    reinterpreted_batch_ndims = property(lambda self: self._axes, doc="The number of axes of events.")

    def _split(self) -> Any:
        return _inner_rank(self._inner) - self._axes

    def _batch_shape(self) -> TensorShape:
        split = self._split()
        return self._inner.batch_shape[:split] if isinstance(split, int) else TensorShape(None)

    def _event_shape(self) -> TensorShape:
        split = self._split()
        if not isinstance(split, int):
            return TensorShape(None)
        return self._inner.batch_shape[split:].concatenate(self._inner.event_shape)

    def _batch_shape_tensor(self) -> Any:
        return self._inner.batch_shape_tensor()[:self._split()]

    def _event_shape_tensor(self) -> Any:
        return array.concat([self._inner.batch_shape_tensor()[self._split():], self._inner.event_shape_tensor()], 0)

    def _added(self, values: Any) -> Any:
        if not isinstance(self._axes, int):
            return reduce_sum(values, numbers(-self._axes, 0))
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


@RegisterKL(Independent, Independent)
def _independent_from_independent(a: Any, b: Any, name: str | None = None) -> Any:
    if not (a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined()):
        raise NotImplementedError("the divergence of independent distributions needs event shapes that are known")
    if a.event_shape.as_list() != b.event_shape.as_list():
        raise ValueError(f"Event shapes do not match: {a.event_shape} and {b.event_shape}")
    if a.distribution.event_shape != b.distribution.event_shape:
        raise NotImplementedError("the divergence of independent distributions of different event shapes is not known")
    with name_scope(name, "kl_independent"):
        return a._added(kl_divergence(a.distribution, b.distribution))


@export("contrib.distributions.MixtureSameFamily")
class MixtureSameFamily(Around):
    """A mixture of distributions of one class: the last axis of their batch enumerates the components.

    Args:
        mixture_distribution: a Categorical, whose batch is a scalar or that of the mixture.
        components_distribution: the distributions, with a batch [batch..., components].
        validate_args: whether steps check arguments.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: the number of categories is not that of the components, or the batch of components is a scalar.
    """

    def __init__(self, mixture_distribution: Any, components_distribution: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MixtureSameFamily") -> None:
        parameters = own(locals())
        self._mixture, self._inner = mixture_distribution, components_distribution
        if not mixture_distribution.dtype.is_integer:
            raise ValueError(f"mixture_distribution draws integers, not {mixture_distribution.dtype.name}")
        if components_distribution.batch_shape.ndims == 0:
            raise ValueError("components_distribution must have a batch axis at least, of the components")
        if components_distribution.event_shape.ndims is None:
            raise ValueError("events of components have a rank that is known when the graph is built")
        logits = mixture_distribution.logits.shape
        counts = [static.as_list()[-1] if static.ndims else None
                  for static in (logits, components_distribution.batch_shape)]
        if None not in counts and counts[0] != counts[1]:
            raise ValueError(f"mixture_distribution has {counts[0]} categories, there are {counts[1]} components")
        with name_scope(name) as scope:
            self._count = counts[0] or counts[1] or array.shape(mixture_distribution.logits)[-1]
            if validate_args and None in counts:
                check = assert_equal(array.shape(mixture_distribution.logits)[-1],
                                     components_distribution.batch_shape_tensor()[-1],
                                     message="there must be a category for each component")
                self._count = with_dependencies([check], convert_to_tensor(self._count))
        super().__init__(components_distribution.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
                         parameters, [], scope)

    mixture_distribution = property(lambda self: self._mixture, doc="The distribution of the categories.")
    components_distribution = property(lambda self: self._inner, doc="The distributions of the categories.")

    def _batch_shape(self) -> TensorShape:
        return self._inner.batch_shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return self._inner.batch_shape_tensor()[:-1]

    def _ranks(self) -> int:
        return self._inner.event_shape.ndims

    def _weights(self, weights: Any) -> Any:
        """[..., components] -> [..., components, 1 for each axis of events]"""
        for _ in range(self._ranks()):
            weights = weights[..., None]
        return weights

    def _over_components(self, x: Any) -> Any:
        """x with an axis for components before those of events."""
        return array.expand_dims(x, -1 - self._ranks())

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = self._inner.sample(n, seed=salted(seed, "mixture_same_family"))
        sizes = array.concat([[n], self._batch_shape_tensor()], 0)
        if self._mixture.batch_shape.ndims == 0:
            chosen = self._mixture.sample(sizes, seed=seed)
        else:
            chosen = self._mixture.sample(n, seed=seed)
        picked = self._weights(one_hot(chosen, self._count, dtype=dtypes.bool, on_value=True, off_value=False))
        return reduce_sum(where_v2(picked, drawn, array.zeros_like(drawn)), -1 - self._ranks())

    def _log_prob(self, x: Any) -> Any:
        logs = self._inner.log_prob(self._over_components(x))
        return reduce_logsumexp(logs + log_softmax(self._mixture.logits), -1)

    def _cdf(self, x: Any) -> Any:
        return reduce_sum(self._inner.cdf(self._over_components(x)) * self._mixture.probs, -1)

    def _log_cdf(self, x: Any) -> Any:
        logs = self._inner.log_cdf(self._over_components(x))
        return reduce_logsumexp(logs + log_softmax(self._mixture.logits), -1)

    def _averaged(self, values: Any) -> Any:
        return reduce_sum(self._weights(self._mixture.probs) * values, -1 - self._ranks())

    def _mean(self) -> Any:
        return self._averaged(self._inner.mean())

    def _variance(self) -> Any:
        apart = self._inner.mean() - self._over_components(self._mean())
        return self._averaged(self._inner.variance() + square(apart))

    def _covariance(self) -> Any:
        apart = self._inner.mean() - self._over_components(self._mean())
        inside = self._inner.covariance() + apart[..., None] * apart[..., None, :]
        return reduce_sum(self._weights(self._mixture.probs)[..., None] * inside, -3)


@export("contrib.distributions.BatchReshape")
class BatchReshape(Around):
    """A distribution whose batch has another shape.

    Args:
        distribution: the distribution.
        batch_shape: the new shape of its batch; one of the sizes may be -1, for what is left.
        validate_args: whether steps check shapes.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: the shape is known and does not fit.
    """

    def __init__(self, distribution: Any, batch_shape: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str | None = None) -> None:
        parameters = own(locals())
        self._inner = distribution
        with name_scope(name or f"BatchReshape{distribution.name.rstrip('/')}", values=[batch_shape]) as scope:
            empty = isinstance(batch_shape, (tuple, list)) and not batch_shape
            given = convert_to_tensor([] if empty else batch_shape, dtypes.int32, name="batch_shape")
            self._new, self._static_batch = _fitting(given, distribution, validate_args)
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args, allow_nan_stats,
                         parameters, [self._new], scope)

    distribution = property(lambda self: self._inner, doc="The distribution whose batch has another shape.")

    def _batch_shape(self) -> TensorShape:
        return self._static_batch

    def _batch_shape_tensor(self) -> Any:
        return self._new

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = self._inner.sample(n, seed=seed)
        return array.reshape(drawn, array.concat([[n], self._new, self.event_shape_tensor()], 0))

    def _reshaped_value(self, what: str, x: Any) -> Any:
        """A density at x, [sample..., new batch, event]."""
        x = self._checked(x)
        event = self._inner.event_shape_tensor()
        inside = array.size(self._new) + array.size(event)
        outer = array.shape(x)[:array.rank(x) - inside]
        old = array.reshape(x, array.concat([outer, self._inner.batch_shape_tensor(), event], 0))
        found = getattr(self._inner, what)(old)
        found = array.reshape(found, array.concat([outer, self._new], 0))
        if x.shape.ndims is not None and None not in (self.batch_shape.ndims, self.event_shape.ndims):
            count = x.shape.ndims - self.batch_shape.ndims - self.event_shape.ndims
            found.set_shape(x.shape[:count].concatenate(self.batch_shape))
        return found

    def _checked(self, x: Any) -> Any:
        batch, event = self.batch_shape, self.event_shape
        if None not in (batch.ndims, event.ndims, x.shape.ndims):
            wanted = batch.concatenate(event)
            if x.shape.ndims < wanted.ndims:
                raise NotImplementedError(f"values are not broadcast: {x.shape} has too few batch and event dims, "
                                          f"which are {wanted}")
            if not x.shape[x.shape.ndims - wanted.ndims:].is_compatible_with(wanted):
                raise NotImplementedError(f"values are not broadcast: {x.shape} has an unexpected batch and event "
                                          f"shape, which is {wanted}")
        if not self.validate_args:
            return x
        wanted = array.concat([self._new, self._inner.event_shape_tensor()], 0)
        enough = assert_greater_equal(array.rank(x), array.size(wanted),
                                      message="values are not broadcast: too few batch and event dims")
        with control_dependencies([enough]):
            inner = array.shape(x)[maximum(array.rank(x) - array.size(wanted), 0):]
            same = assert_equal(wanted, inner, message="values are not broadcast: unexpected batch and event shape")
        return with_dependencies([same], x)

    def _log_prob(self, x: Any) -> Any:
        return self._reshaped_value("log_prob", x)

    def _prob(self, x: Any) -> Any:
        return self._reshaped_value("prob", x)

    def _log_cdf(self, x: Any) -> Any:
        return self._reshaped_value("log_cdf", x)

    def _cdf(self, x: Any) -> Any:
        return self._reshaped_value("cdf", x)

    def _log_survival_function(self, x: Any) -> Any:
        return self._reshaped_value("log_survival_function", x)

    def _survival_function(self, x: Any) -> Any:
        return self._reshaped_value("survival_function", x)

    def _reshaped_statistic(self, what: str, event: Any, static: Any) -> Any:
        found = array.reshape(getattr(self._inner, what)(), array.concat([self._new, event], 0))
        found.set_shape(self.batch_shape.concatenate(static))
        return found

    def _entropy(self) -> Any:
        return self._reshaped_statistic("entropy", array.zeros([0], dtypes.int32), [])

    def _mean(self) -> Any:
        return self._reshaped_statistic("mean", self._inner.event_shape_tensor(), self._inner.event_shape)

    def _mode(self) -> Any:
        return self._reshaped_statistic("mode", self._inner.event_shape_tensor(), self._inner.event_shape)

    def _stddev(self) -> Any:
        return self._reshaped_statistic("stddev", self._inner.event_shape_tensor(), self._inner.event_shape)

    def _variance(self) -> Any:
        return self._reshaped_statistic("variance", self._inner.event_shape_tensor(), self._inner.event_shape)

    def _covariance(self) -> Any:
        sizes, static = self._inner.event_shape_tensor(), self._inner.event_shape
        return self._reshaped_statistic("covariance", array.concat([sizes, sizes], 0), static.concatenate(static))


def _fitting(given: Any, distribution: Any, validate_args: bool) -> tuple[Any, TensorShape]:
    """(a new batch shape without -1, the same as a TensorShape), checked against that of a distribution."""
    if given.shape.ndims not in (None, 1):
        raise ValueError(f"`batch_shape` must be a vector, not {given}")
    known, old = array.get_static_value(given), distribution.batch_shape
    if known is not None:
        if (known < -1).any():
            raise ValueError(f"sizes of `batch_shape` must be >=-1, they are {known.tolist()}")
        if old.is_fully_defined():
            count = old.num_elements()
            sizes = np.where(known == -1, count // max(1, int(np.prod(known[known != -1]))), known)
            if int(np.prod(sizes)) != count:
                raise ValueError(f"`batch_shape` size ({int(np.prod(sizes))}) must match `distribution.batch_shape` "
                                 f"size ({count})")
            return convert_to_tensor(sizes.astype(np.int32)), TensorShape(sizes.tolist())
    count = reduce_prod(distribution.batch_shape_tensor())
    if validate_args:
        is_vector = assert_equal(array.rank(given), 1, message="`batch_shape` must be a vector")
        given = with_dependencies([is_vector, assert_greater_equal(
            given, -1, message="sizes of `batch_shape` must be >=-1")], given)
    rest = reduce_prod(where(equal(given, -1), array.ones_like(given), given))
    sizes = where(equal(given, -1), (count // maximum(rest, 1)) * array.ones_like(given), given)
    if validate_args:
        sizes = with_dependencies([assert_equal(reduce_prod(sizes), count, message="Shape sizes do not match.")], sizes)
    return sizes, array.constant_value_as_shape(given) if given.shape.ndims else TensorShape(None)

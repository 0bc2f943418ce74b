"""Distributions of what a bijector makes of samples of another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.distributions.bijectors.elements import Identity
from evergraph.contrib.distributions.conditional import ConditionalDistribution
from evergraph.distributions.distribution import Distribution
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.array import constant_value_as_shape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import cast
from evergraph.frontend.math import range as numbers
from evergraph.frontend.reduce import reduce_logsumexp, reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.elementwise import equal, logical_or


@export("contrib.distributions.TransformedDistribution")
class TransformedDistribution(Distribution):
    """The distribution of y = bijector.forward(x), where x has another distribution.

    Args:
        distribution: the distribution of x.
        bijector: how x is transformed; not at all by default.
        batch_shape: a batch of copies of a distribution whose batch is a scalar.
        event_shape: events that are made of as many independent samples, of a distribution of scalars.
        validate_args: whether steps check arguments.
        name: a name for the operations.

    Raises:
        ValueError: a shape is given although the distribution's own is no scalar.
    """

    def __init__(self, distribution: Any, bijector: Any = None, batch_shape: Any = None, event_shape: Any = None,
                 validate_args: bool = False, name: str | None = None) -> None:
        parameters = own(locals())
        name = name or ("" if bijector is None else bijector.name) + distribution.name.rstrip("/")
        self._distribution, self._bijector = distribution, bijector or Identity(validate_args=validate_args)
        with name_scope(name, values=[batch_shape, event_shape]) as scope:
            self._batch = self._given(batch_shape, "batch_shape", distribution.is_scalar_batch(), validate_args)
            self._event = self._given(event_shape, "event_shape", distribution.is_scalar_event(), validate_args)
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args,
                         distribution.allow_nan_stats, parameters,
                         [*distribution._graph_parents, *self._bijector.graph_parents], scope)

    distribution = property(lambda self: self._distribution, doc="The distribution of what is transformed.")
    bijector = property(lambda self: self._bijector, doc="The transform.")

    @staticmethod
    def _given(sizes: Any, name: str, is_scalar: Any, validate_args: bool) -> Any:
        """A shape that is given instead of the distribution's, as a tensor; or None."""
        if sizes is None:
            return None
        empty = isinstance(sizes, (tuple, list)) and not sizes
        sizes = convert_to_tensor(np.zeros(0, np.int32) if empty else sizes, dtypes.int32, name=name)
        if sizes.shape.ndims not in (None, 1):
            raise ValueError(f"{name} is a vector of sizes, not {sizes}")
        if sizes.shape.as_list() == [0] if sizes.shape.ndims is not None else False:
            return None
        known = array.get_static_value(is_scalar)
        words = f"{name} is given: base distribution not scalar"
        if known is not None and not known and sizes.shape.ndims is not None and sizes.shape.as_list()[0]:
            raise ValueError(words)
        if validate_args and not known:
            return with_dependencies([Assert(logical_or(is_scalar, equal(array.size(sizes), 0)), [words])], sizes)
        return sizes

    # Shapes ----------------------------------------------------------------------------------------------------------

    def _event_shape(self) -> Any:
        static = self._distribution.event_shape if self._event is None else constant_value_as_shape(self._event)
        return self._bijector.forward_event_shape(static)

    def _event_shape_tensor(self) -> Any:
        return self._bijector.forward_event_shape_tensor(self._inner_event())

    def _batch_shape(self) -> Any:
        return self._distribution.batch_shape if self._batch is None else constant_value_as_shape(self._batch)

    # Of a shape that is given and that of the distribution itself, one has no axes, known or not.

    def _batch_shape_tensor(self) -> Any:
        sizes = self._distribution.batch_shape_tensor()
        return sizes if self._batch is None else array.concat([self._batch, sizes], 0)

    def _inner_event(self) -> Any:
        """The shape of an event before the bijector."""
        sizes = self._distribution.event_shape_tensor()
        return sizes if self._event is None else array.concat([self._event, sizes], 0)

    def _event_rank(self) -> Any:
        known = self.event_shape.ndims
        return array.size(self.event_shape_tensor()) if known is None else known

    # Samples ---------------------------------------------------------------------------------------------------------

    def _call_sample_n(self, sample_shape: Any, seed: Any, name: str, bijector_kwargs: Any = None,
                       distribution_kwargs: Any = None) -> Any:
        with self._scope(name, sample_shape):
            wanted = self._sizes(sample_shape)
            x = self._drawn(wanted, seed, distribution_kwargs or {})
            # What the bijector returns is the sample itself, so that the bijector knows where it comes from.
            return self._set_sample_static_shape(self._bijector.forward(x, **(bijector_kwargs or {})), wanted)

    def _drawn(self, wanted: Any, seed: Any, kwargs: dict[str, Any]) -> Any:
        """Samples of the distribution, of a sample shape, with the batch and event shapes that are given."""
        more = [each for each in (self._batch, self._event) if each is not None]
        if not more:
            return self._distribution.sample(wanted, seed=seed, **kwargs)
        added = array.concat(more, 0) if len(more) > 1 else more[0]
        x = self._distribution.sample(array.concat([wanted, added], 0), seed=seed, **kwargs)
        if self._distribution.batch_shape.ndims == 0:
            return x
        # [sample, added, batch, event] -> [sample, batch, added, event]
        outer, count, batch = array.size(wanted), array.size(added), array.size(self._distribution.batch_shape_tensor())
        order = [numbers(outer), numbers(outer + count, outer + count + batch), numbers(outer, outer + count),
                 numbers(outer + count + batch, array.rank(x))]
        return array.transpose(x, array.concat(order, 0))

    # Densities -------------------------------------------------------------------------------------------------------

    def _log_prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        forwarded, inner = bijector_kwargs or {}, distribution_kwargs or {}
        x = self._bijector.inverse(y, **forwarded)
        slope = self._bijector.inverse_log_det_jacobian(y, event_ndims=self._event_rank(), **forwarded)
        if self._bijector._is_injective:
            return self._density(x, slope, inner, y)
        return reduce_logsumexp(array.stack([self._density(*each, inner, y) for each in zip(x, slope)]), 0)

    def _density(self, x: Any, slope: Any, kwargs: dict[str, Any], y: Any) -> Any:
        log_prob = self._distribution.log_prob(self._batch_last(x), **kwargs)
        if self._event is not None:
            log_prob = reduce_sum(log_prob, self._event_axes())
        total = log_prob + cast(slope, log_prob.dtype)
        rank = self.event_shape.ndims
        if rank is not None and y.shape.ndims is not None:
            total.set_shape(array.broadcast_static_shape(y.shape[:y.shape.ndims - rank], self.batch_shape))
        return total

    def _batch_last(self, x: Any) -> Any:
        """x with the axes of given events before those of the distribution's batch, as densities need it."""
        if self._event is None or self._distribution.batch_shape.ndims == 0:
            return x
        batch, event = array.size(self._distribution.batch_shape_tensor()), array.size(self._event)
        rank = array.rank(x)
        before = rank - event - batch
        order = [numbers(before), numbers(rank - event, rank), numbers(before, rank - event)]
        return array.transpose(x, array.concat(order, 0))

    def _event_axes(self) -> Any:
        known = self._event.shape.as_list()[0] if self._event.shape.ndims else None
        batch = self._distribution.batch_shape
        if known is not None and batch.ndims is not None:
            return list(range(-batch.ndims - known, -batch.ndims))
        behind = array.size(self._distribution.batch_shape_tensor())
        return numbers(-behind - array.size(self._event), -behind)

    def _of_inverse(self, what: str, y: Any, bijector_kwargs: Any, distribution_kwargs: Any) -> Any:
        if self._event is not None:
            raise NotImplementedError(f"{what} is not implemented when overriding event_shape")
        if not self._bijector._is_injective:
            raise NotImplementedError(f"{what} is not implemented for bijectors that are not injective")
        x = self._bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self._distribution, what)(x, **(distribution_kwargs or {}))

    def _cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        what = "cdf" if self._bijector._is_increasing else "survival_function"
        return self._of_inverse(what, y, bijector_kwargs, distribution_kwargs)

    def _log_cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        what = "log_cdf" if self._bijector._is_increasing else "log_survival_function"
        return self._of_inverse(what, y, bijector_kwargs, distribution_kwargs)

    def _survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        what = "survival_function" if self._bijector._is_increasing else "cdf"
        return self._of_inverse(what, y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        what = "log_survival_function" if self._bijector._is_increasing else "log_cdf"
        return self._of_inverse(what, y, bijector_kwargs, distribution_kwargs)

    def _quantile(self, p: Any) -> Any:
        if self._event is not None:
            raise NotImplementedError("quantile is not implemented when overriding event_shape")
        if not self._bijector._is_injective:
            raise NotImplementedError("quantile is not implemented for bijectors that are not injective")
        return self._bijector.forward(self._distribution.quantile(p if self._bijector._is_increasing else 1.0 - p))

    # Statistics ------------------------------------------------------------------------------------------------------

    def _mean(self) -> Any:
        if not self._bijector.is_constant_jacobian:
            raise NotImplementedError("mean is not implemented for bijectors whose Jacobian is not constant")
        x = self._distribution.mean()
        if self._batch is not None or self._event is not None:
            sizes = array.concat([self._batch_shape_tensor(), self._inner_event()], 0)
            aligned = array.concat([array.shape(x), array.ones([array.size(sizes) - array.rank(x)], dtypes.int32)], 0)
            x = broadcast_to(array.reshape(x, aligned) if self._event is not None else x, sizes)
        return self._bijector.forward(x)

    def _entropy(self) -> Any:
        if not self._bijector.is_constant_jacobian or not self._bijector._is_injective:
            raise NotImplementedError("entropy is not implemented for bijectors whose Jacobian is not constant")
        entropy = self._distribution.entropy()
        if self._event is not None:
            entropy *= cast(reduce_prod(self._event), entropy.dtype)
        if self._batch is not None:
            entropy = broadcast_to(entropy, self._batch_shape_tensor())
        dummy = array.zeros(array.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), self.dtype)
        dummy.set_shape(TensorShape(self.batch_shape).concatenate(self.event_shape))
        slope = self._bijector.inverse_log_det_jacobian(dummy, event_ndims=self._event_rank())
        entropy -= cast(slope, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy


@export("contrib.distributions.ConditionalTransformedDistribution")
class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A transformed distribution whose methods take further arguments for the bijector and for the distribution.

    `sample`, `log_prob` and other densities have the arguments `bijector_kwargs` and `distribution_kwargs`, two dicts.
    The arguments of the constructor are those of `TransformedDistribution`.
    """

"""Distributions whose elements depend on those before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.distributions.seeds import SeedStream
from evergraph.contrib.distributions.wrappers import Around
from evergraph.distributions.parameters import own
from evergraph.frontend.array import get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_prod
from evergraph.graph.convert import convert_to_tensor


@export("contrib.distributions.Autoregressive")
class Autoregressive(Around):
    """The distribution p(x) = prod_i p(x[i] | x[:i]), with a function of x to the distribution of all x[i].

    Args:
        distribution_fn: a function of x to a distribution of x in which element i depends on x[:i] alone.
        sample0: the x of the first step; `distribution_fn()` is called without it.
        num_steps: how often samples are drawn anew, so that each element depends on those before it; the number of
            elements of an event by default.
        validate_args: whether steps check arguments.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.

    Raises:
        ValueError: the number of steps is less than 1, or not known.
    """

    def __init__(self, distribution_fn: Callable, sample0: Any = None, num_steps: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Autoregressive") -> None:
        parameters = own(locals())
        with name_scope(name, values=[sample0, num_steps]) as scope:
            self._function, self._first = distribution_fn, sample0
            self._inner = distribution_fn() if sample0 is None else distribution_fn(sample0)
            steps = reduce_prod(self._inner.event_shape_tensor()) if num_steps is None else num_steps
            known = get_static_value(convert_to_tensor(steps))
            if known is None or known < 1:
                raise ValueError(f"num_steps is a positive number that is known when the graph is built, not {steps}")
            self._steps = int(known)
        super().__init__(self._inner.dtype, self._inner.reparameterization_type, validate_args, allow_nan_stats,
                         parameters, self._inner._graph_parents, scope)

    distribution_fn = property(lambda self: self._function, doc="The function of x to the distribution of x.")
    sample0 = property(lambda self: self._first, doc="The x of the first step, or None.")
    num_steps = property(lambda self: self._steps, doc="How often samples are drawn anew.")
    distribution0 = property(lambda self: self._inner, doc="The distribution of the first step.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        stream = SeedStream(seed, salt="Autoregressive")
        drawn = self._inner.sample(n, seed=stream())
        for _ in range(self._steps):
            drawn = self._function(drawn).sample(seed=stream())
        return drawn

    def _log_prob(self, x: Any) -> Any:
        return self._function(x).log_prob(x)

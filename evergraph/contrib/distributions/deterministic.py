"""Distributions of one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from evergraph.distributions.parameters import own
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_non_negative, assert_rank_at_least
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast
from evergraph.frontend.reduce import reduce_all
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.elementwise import greater_equal, less_equal


class _Deterministic(Distribution):
    """What the two have in common: the value, and how far another may be from it."""

    _is_vector = False

    def __init__(self, loc: Any, atol: Any = None, rtol: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str | None = None) -> None:
        name = name or type(self).__name__.lstrip("_")
        parameters = own(locals())
        with name_scope(name, values=[loc, atol, rtol]) as scope:
            self._loc = convert_to_tensor(loc, name="loc")
            if self._is_vector and self._loc.shape.ndims == 0:
                raise ValueError("loc must have rank at least 1: it is a vector, or a batch of vectors")
            self._atol, self._rtol = (self._tolerance(each, validate_args) for each in (atol, rtol))
            self._slack = self._atol if rtol is None else self._atol + self._rtol * absolute(self._loc)
        super().__init__(self._loc.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._loc], scope)

    def _tolerance(self, given: Any, validate_args: bool) -> Any:
        given = convert_to_tensor(0 if given is None else given, self._loc.dtype)
        return with_dependencies([assert_non_negative(given)], given) if validate_args else given

    loc = property(lambda self: self._loc, doc="The value.")
    atol = property(lambda self: self._atol, doc="How far another value may be from it.")
    rtol = property(lambda self: self._rtol, doc="The same, for each unit of its size.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return broadcast_to(self._loc, array.concat([array.reshape(n, [1]), array.shape(self._loc)], 0))

    def _share(self, condition: Any) -> Any:
        return cast(condition, self.dtype if self.dtype.is_floating else dtypes.float32)

    def _entropy(self) -> Any:
        return array.zeros(self.batch_shape_tensor(), self.dtype)

    def _mean(self) -> Any:
        return array.identity(self._loc)

    def _mode(self) -> Any:
        return self._mean()

    def _variance(self) -> Any:
        return array.zeros_like(self._loc)


@export("contrib.distributions.Deterministic")
class Deterministic(_Deterministic):
    """A number that is always `loc`.

    Args:
        loc: the number.
        atol: how far another number may be from it and have the probability 1; not at all by default.
        rtol: the same, for each unit of |loc|.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def _batch_shape(self) -> Any:
        return array.broadcast_static_shape(self._loc.shape, self._slack.shape)

    def _batch_shape_tensor(self) -> Any:
        return array.broadcast_dynamic_shape(array.shape(self._loc), array.shape(self._slack))

    def _event_shape(self) -> Any:
        return TensorShape([])

    def _event_shape_tensor(self) -> Any:
        return convert_to_tensor(np.zeros(0, np.int32))

    def _prob(self, x: Any) -> Any:
        return self._share(less_equal(absolute(x - self._loc), self._slack))

    def _cdf(self, x: Any) -> Any:
        return self._share(greater_equal(x, self._loc - self._slack))


@export("contrib.distributions.VectorDeterministic")
class VectorDeterministic(_Deterministic):
    """A vector that is always `loc`.

    Args:
        loc: the vector, [batch..., size].
        atol: how far elements of another vector may be from it, if that has the probability 1; not at all by default.
        rtol: the same, for each unit of |loc|.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    _is_vector = True

    def _batch_shape(self) -> Any:
        return array.broadcast_static_shape(self._loc.shape, self._slack.shape)[:-1]

    def _batch_shape_tensor(self) -> Any:
        return array.broadcast_dynamic_shape(array.shape(self._loc), array.shape(self._slack))[:-1]

    def _event_shape(self) -> Any:
        return self._loc.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return array.shape(self._loc)[-1:]

    def _prob(self, x: Any) -> Any:
        if self.validate_args:
            at_least = assert_rank_at_least(x, 1, message="x must have rank at least 1")
            same = assert_equal(array.shape(x)[-1], array.shape(self._loc)[-1],
                                message="x is not defined in the same space R^k as loc")
            x = with_dependencies([at_least, same], x)
        return self._share(reduce_all(less_equal(absolute(x - self._loc), self._slack), -1))

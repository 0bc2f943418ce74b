"""The base of bijectors: shapes, remembered pairs, Jacobians of events of any rank."""

from __future__ import annotations

import contextlib
import re
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend import math as arithmetic
from evergraph.frontend.array import get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import equal


@export("contrib.distributions.bijectors.Bijector")
class Bijector:
    """An invertible, differentiable function y = g(x), with the log of |det dy/dx|.

    A subclass defines `_forward(x)`, `_inverse(y)` and one of `_forward_log_det_jacobian(x)` and
    `_inverse_log_det_jacobian(y)`, of events of the least rank. One that changes shapes also defines
    `_forward_event_shape`, `_inverse_event_shape` and these with `_tensor`.

    `inverse` of a tensor that `forward` returned is the tensor it was called with, and the other way around, so that
    samples of a transformed distribution have a density even if the inverse is expensive or unknown.

    Args:
        graph_parents: tensors that the function depends on.
        is_constant_jacobian: whether the Jacobian is the same everywhere.
        validate_args: whether steps check arguments.
        dtype: the dtype of arguments and results, or None for any.
        forward_min_event_ndims: the least rank of an event x; 0 for functions of elements.
        inverse_min_event_ndims: the least rank of an event y; that of x by default.
        name: a name for the operations; the name of the class in snake case by default.

    Raises:
        ValueError: no rank is given, or one that is not a count.
    """

    _is_injective = True
    _is_increasing = True

    def __init__(self, graph_parents: Any = None, is_constant_jacobian: bool = False, validate_args: bool = False,
                 dtype: Any = None, forward_min_event_ndims: int | None = None,
                 inverse_min_event_ndims: int | None = None, name: str | None = None) -> None:
        self._graph_parents = list(graph_parents or [])
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError("a bijector says how many axes its events have at least: forward_min_event_ndims or "
                             "inverse_min_event_ndims")
        ranks = [inverse_min_event_ndims if forward_min_event_ndims is None else forward_min_event_ndims,
                 forward_min_event_ndims if inverse_min_event_ndims is None else inverse_min_event_ndims]
        if not all(isinstance(rank, (int, np.integer)) and rank >= 0 for rank in ranks):
            raise ValueError(f"the least ranks of events are non-negative integers, not {ranks}")
        self._forward_min_event_ndims, self._inverse_min_event_ndims = ranks
        self._is_constant_jacobian, self._validate_args = is_constant_jacobian, validate_args
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._name = name or _snake_case(type(self).__name__)
        self._arguments: Any = weakref.WeakKeyDictionary()  # of forward, by its results
        self._results: Any = weakref.WeakKeyDictionary()  # of forward, by its arguments as inverse returned them
        self._forward_slopes: Any = weakref.WeakKeyDictionary()  # x -> event rank -> log determinant
        self._inverse_slopes: Any = weakref.WeakKeyDictionary()

    graph_parents = property(lambda self: self._graph_parents, doc="Tensors that the function depends on.")
    forward_min_event_ndims = property(lambda self: self._forward_min_event_ndims, doc="The least rank of an x.")
    inverse_min_event_ndims = property(lambda self: self._inverse_min_event_ndims, doc="The least rank of a y.")
    is_constant_jacobian = property(lambda self: self._is_constant_jacobian,
                                    doc="Whether the Jacobian is the same everywhere.")
    validate_args = property(lambda self: self._validate_args, doc="Whether steps check arguments.")
    dtype = property(lambda self: self._dtype, doc="The dtype of arguments, or None for any.")
    name = property(lambda self: self._name, doc="The name of the operations.")

    # Shapes ----------------------------------------------------------------------------------------------------------

    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of an event y, for that of x."""
        return TensorShape(self._forward_event_shape(TensorShape(input_shape)))

    def inverse_event_shape(self, output_shape: Any) -> TensorShape:
        """The static shape of an event x, for that of y."""
        return TensorShape(self._inverse_event_shape(TensorShape(output_shape)))

    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Any:
        """The shape of an event y, for that of x, as an int32 tensor."""
        with self._name_scope(name, [input_shape]):
            return self._forward_event_shape_tensor(_sizes(input_shape))

    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Any:
        """The shape of an event x, for that of y, as an int32 tensor."""
        with self._name_scope(name, [output_shape]):
            return self._inverse_event_shape_tensor(_sizes(output_shape))

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return output_shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    # Values ----------------------------------------------------------------------------------------------------------

    def forward(self, x: Any, name: str = "forward") -> Any:
        """y = g(x)."""
        return self._call_forward(x, name)

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """x with g(x) = y; a tuple of all of them where g is not injective."""
        return self._call_inverse(y, name)

    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            x = self._given(x, "x")
            if x in self._results and not kwargs:
                return self._results[x]
            y = self._forward(x, **kwargs)
            if self._is_injective and not kwargs and y is not x:
                self._arguments[y] = x
            return y

    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._given(y, "y")
            if y in self._arguments and not kwargs:
                return self._arguments[y]
            x = self._inverse(y, **kwargs)
            if self._is_injective and not kwargs and x is not y:
                self._results[x] = y
            return x

    def _forward(self, x: Any) -> Any:
        raise self._lacks("forward")

    def _inverse(self, y: Any) -> Any:
        raise self._lacks("inverse")

    # Jacobians -------------------------------------------------------------------------------------------------------

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian") -> Any:
        """log |det dy/dx| at x, over the last `event_ndims` axes of x. A constant one is not broadcast to the batch.

        Raises:
            ValueError: `event_ndims` is no integer or less than the least rank.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian") -> Any:
        """log |det dx/dy| at y, over the last `event_ndims` axes of y. A constant one is not broadcast to the batch.

        Raises:
            ValueError: `event_ndims` is no integer or less than the least rank.
        """
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            x, ndims = self._given(x, "x"), self._event_ndims(event_ndims, self._forward_min_event_ndims)
            known = self._known_slope(x, ndims, self._results, self._forward_slopes, self._inverse_slopes)
            if known is not None and not kwargs:
                return known
            try:
                slope = self._over_event(self._forward_log_det_jacobian(x, **kwargs), x,
                                         self._forward_min_event_ndims, ndims)
            except NotImplementedError:
                if not _defines(self, "_inverse_log_det_jacobian"):
                    raise
                y = self._results[x] if x in self._results else self._forward(x, **kwargs)
                slope = -self._over_event(self._inverse_log_det_jacobian(y, **kwargs), y,
                                          self._inverse_min_event_ndims,
                                          ndims + self._inverse_min_event_ndims - self._forward_min_event_ndims)
            return slope if kwargs else _remembered(self._forward_slopes, x, ndims, slope)

    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y, ndims = self._given(y, "y"), self._event_ndims(event_ndims, self._inverse_min_event_ndims)
            known = self._known_slope(y, ndims, self._arguments, self._inverse_slopes, self._forward_slopes)
            if known is not None and not kwargs:
                return known
            slope: Any
            try:
                slope = self._inverse_log_det_jacobian(y, **kwargs)
                if not self._is_injective:
                    return tuple(self._over_event(each, y, self._inverse_min_event_ndims, ndims) for each in slope)
                slope = self._over_event(slope, y, self._inverse_min_event_ndims, ndims)
            except NotImplementedError:
                if not _defines(self, "_forward_log_det_jacobian"):
                    raise
                x = self._arguments[y] if y in self._arguments else self._inverse(y, **kwargs)
                slope = -self._over_event(self._forward_log_det_jacobian(x, **kwargs), x,
                                          self._forward_min_event_ndims,
                                          ndims + self._forward_min_event_ndims - self._inverse_min_event_ndims)
            return slope if kwargs else _remembered(self._inverse_slopes, y, ndims, slope)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise self._lacks("forward_log_det_jacobian")

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise self._lacks("inverse_log_det_jacobian")

    def _known_slope(self, value: Any, ndims: Any, partners: Any, own: Any, others: Any) -> Any:
        """The log determinant that was computed at this value or, for the inverse function, at the other end."""
        if not self._is_injective or not isinstance(ndims, int):
            return None
        if ndims in own.get(value, {}):
            return own[value][ndims]
        if self._forward_min_event_ndims == self._inverse_min_event_ndims and value in partners:
            found = others.get(partners[value], {}).get(ndims)
            return None if found is None else -found
        return None

    def _event_ndims(self, given: Any, least: int) -> Any:
        """The rank of events, as an int where it is known."""
        ndims = convert_to_tensor(given, name="event_ndims")
        if not ndims.dtype.is_integer:
            raise ValueError(f"Expected integer event_ndims, got {ndims.dtype.name}")
        if ndims.shape.ndims not in (None, 0):
            raise ValueError(f"Expected scalar event_ndims, got the shape {ndims.shape}")
        known = get_static_value(ndims)
        if known is None:
            if not self._validate_args:
                return ndims
            return with_dependencies([Assert(equal(array.rank(ndims), 0), ["Expected scalar event_ndims", ndims])],
                                     ndims)
        if known < least:
            raise ValueError(f"event_ndims must be larger than or equal to {least}, the least rank of events of "
                             f"{self.name}; it is {known}")
        return int(known)

    def _over_event(self, slope: Any, value: Any, least: int, ndims: Any) -> Any:
        """Adds log determinants of events of the least rank up, for events of rank `ndims`."""
        extra = ndims - least
        if isinstance(extra, int) and extra == 0:
            return slope
        axes = list(range(-extra, 0)) if isinstance(extra, int) else arithmetic.range(-extra, 0)
        if not self._is_constant_jacobian:
            return reduce_sum(slope, axes)
        outer = array.shape(value)[array.rank(value) - ndims:array.rank(value) - least]
        if isinstance(extra, int):
            outer.set_shape([extra])
        return reduce_sum(slope * array.ones(outer, slope.dtype), axes)

    # -----------------------------------------------------------------------------------------------------------------

    def _given(self, value: Any, name: str) -> Any:
        value = convert_to_tensor(value, name=name)
        if self._dtype is not None and value.dtype.base_dtype != self._dtype:
            raise TypeError(f"{self.name} is a function of {self._dtype.name}, not of {value.dtype.name}")
        return value

    def _checked(self, value: Any, *checks: Callable[[Any], Any]) -> Any:
        """`value`, with run-time checks if arguments are validated."""
        return with_dependencies([check(value) for check in checks], value) if self._validate_args else value

    @contextlib.contextmanager
    def _name_scope(self, name: str, values: Any = ()) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*values, *self._graph_parents]) as scope:
            yield scope

    def _lacks(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"{what} not implemented by {type(self).__name__}")


@export("contrib.distributions.bijectors.ConditionalBijector")
class ConditionalBijector(Bijector):
    """A bijector whose methods take further arguments by name, and give them to those of the subclass.

    Args:
        graph_parents: the tensors that it depends on.
        is_constant_jacobian: whether its Jacobian does not depend on x.
        validate_args: whether arguments are checked when the graph runs.
        dtype: of what it takes.
        forward_min_event_ndims: over how many axes of x it works.
        inverse_min_event_ndims: over how many axes of y it works.
    """

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Any:
        """y = g(x)."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """x with g(x) = y."""
        return self._call_inverse(y, name, **condition_kwargs)

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian",
                                 **condition_kwargs: Any) -> Any:
        """log |det dy/dx| at x."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian",
                                 **condition_kwargs: Any) -> Any:
        """log |det dx/dy| at y."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[^A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^A-Z])", "_", name.lstrip("_")).lower()


def _sizes(shape: Any) -> Any:
    empty = isinstance(shape, (tuple, list)) and not shape
    return convert_to_tensor(np.zeros(0, np.int32) if empty else shape, dtypes.int32, name="shape")


def _defines(bijector: Bijector, method: str) -> bool:
    return getattr(type(bijector), method) is not getattr(Bijector, method)


def _remembered(slopes: Any, value: Any, ndims: Any, slope: Any) -> Any:
    if isinstance(ndims, int):
        slopes.setdefault(value, {})[ndims] = slope
    return slope


def one_dtype_of(bijectors: Any) -> Any:
    """The dtype that all bijectors have which have one, or None.

    Raises:
        ValueError: there are several.
    """
    kinds = {each.dtype for each in bijectors if each.dtype is not None}
    if len(kinds) > 1:
        raise ValueError(f"bijectors have incompatible dtypes: {sorted(kind.name for kind in kinds)}")
    return kinds.pop() if kinds else None

"""Bijectors of vectors that permute, order or normalize their elements, and of shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.distributions.bijectors.bijector import Bijector
from evergraph.frontend import array
from evergraph.frontend.array import get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import Assert, assert_equal, assert_greater, assert_greater_equal
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import gather, where
from evergraph.frontend.math import cast
from evergraph.frontend.math import range as numbers
from evergraph.frontend.nn.activations import softmax
from evergraph.frontend.ordering import sort
from evergraph.frontend.reduce import cumsum, reduce_all, reduce_logsumexp, reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.reshape import invert_permutation
from evergraph.ops.math.elementwise import equal, exp, log, logical_or
from evergraph.ops.nn.activations import softplus


@export("contrib.distributions.bijectors.Permute")
class Permute(Bijector):
    """y[i] = x[permutation[i]], along the last axis.

    Args:
        permutation: a vector of the numbers 0, 1, ..., size - 1, in any order.
        validate_args: whether steps check that.
        name: a name for the operations.

    Raises:
        TypeError: it is no vector of integers.
        ValueError: it is known and no permutation.
    """

    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        with name_scope(name, "permute", [permutation]):
            permutation = convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer or permutation.shape.ndims not in (None, 1):
                raise TypeError(f"a permutation is a vector of integers, not {permutation}")
            words = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
            known = get_static_value(permutation)
            if known is not None and not np.array_equal(np.sort(known), np.arange(len(known))):
                raise ValueError(words)
            if validate_args:
                all_of_them = numbers(array.size(permutation), dtype=permutation.dtype)
                permutation = with_dependencies([assert_equal(sort(permutation), all_of_them, message=words)],
                                                permutation)
        self._permutation = permutation
        super().__init__([permutation], True, validate_args, forward_min_event_ndims=1, name=name or "permute")

    permutation = property(lambda self: self._permutation, doc="The element of x for each element of y.")

    def _forward(self, x: Any) -> Any:
        return _kept(x, gather(x, self._permutation, axis=-1))

    def _inverse(self, y: Any) -> Any:
        return _kept(y, gather(y, invert_permutation(self._permutation), axis=-1))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return convert_to_tensor(0, x.dtype)


def _kept(before: Any, after: Any) -> Any:
    after.set_shape(before.shape)
    return after


@export("contrib.distributions.bijectors.Ordered")
class Ordered(Bijector):
    """Increasing vectors to vectors of all numbers: y[0] = x[0], y[i] = log(x[i] - x[i - 1]).

    Args:
        validate_args: whether steps check that x increases.
        name: a name for the operations.
    """

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=1, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return _vector(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return _vector(output_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._sized(input_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._sized(output_shape)

    def _sized(self, shape: Any) -> Any:
        return self._checked(shape, lambda given: assert_greater(
            array.size(given), 0, message="ordered vectors have an axis at least"))

    def _forward(self, x: Any) -> Any:
        x = self._checked(x, lambda given: assert_greater(
            given[..., 1:], given[..., :-1], message="Forward transformation input must be strictly increasing."))
        return _kept(x, array.concat([x[..., :1], log(x[..., 1:] - x[..., :-1])], -1))

    def _inverse(self, y: Any) -> Any:
        return _kept(y, cumsum(array.concat([y[..., :1], exp(y[..., 1:])], -1), axis=-1))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return reduce_sum(y[..., 1:], -1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -reduce_sum(log(x[..., 1:] - x[..., :-1]), -1)


def _vector(shape: TensorShape) -> TensorShape:
    if shape.ndims == 0:
        raise ValueError("this bijector is one of vectors: events have an axis at least")
    return shape


@export("contrib.distributions.bijectors.SoftmaxCentered")
class SoftmaxCentered(Bijector):
    """y = softmax([x, 0]): vectors of n numbers to n + 1 probabilities.

    Args:
        validate_args: whether steps check that y are probabilities.
        name: a name for the operations.
    """

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=1, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return _resized(_vector(input_shape), 1)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        if _vector(output_shape).ndims is not None and (output_shape.as_list()[-1] or 2) < 2:
            raise ValueError(f"probabilities are two at least, not {output_shape.as_list()[-1]}")
        return _resized(output_shape, -1)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return array.concat([input_shape[:-1], input_shape[-1:] + 1], 0)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        output_shape = self._checked(output_shape, lambda given: assert_greater_equal(
            given[-1], 2, message="probabilities are two at least"))
        return array.concat([output_shape[:-1], output_shape[-1:] - 1], 0)

    def _forward(self, x: Any) -> Any:
        y = softmax(array.concat([x, array.zeros_like(x[..., :1])], -1))
        y.set_shape(self._forward_event_shape(x.shape))
        return y

    def _inverse(self, y: Any) -> Any:
        logs = log(y)
        x = logs[..., :-1] - logs[..., -1:]
        x.set_shape(self._inverse_event_shape(y.shape))
        return x

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -reduce_sum(log(y), -1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        count = cast(array.shape(x)[-1] + 1, x.dtype)
        return reduce_sum(x, -1) - count * softplus(reduce_logsumexp(x, -1))


def _resized(shape: TensorShape, more: int) -> TensorShape:
    if shape.ndims is None:
        return shape
    size = shape.as_list()[-1]
    return shape[:-1].concatenate([None if size is None else size + more])


@export("contrib.distributions.bijectors.Reshape")
class Reshape(Bijector):
    """Events of another shape with the same elements.

    Args:
        event_shape_out: the shape of an event y; one of the sizes may be -1, for what is left.
        event_shape_in: the shape of an event x, likewise; by default x are vectors.
        validate_args: whether steps check shapes.
        name: a name for the operations.

    Raises:
        TypeError: a shape is not made of integers.
        InvalidArgumentError: a size is less than -1.
    """

    def __init__(self, event_shape_out: Any, event_shape_in: Any = (-1,), validate_args: bool = False,
                 name: str | None = None) -> None:
        with name_scope(name, "reshape", [event_shape_out, event_shape_in]):
            self._out = _sizes(event_shape_out, "event_shape_out", validate_args)
            self._in = _sizes(event_shape_in, "event_shape_in", validate_args)
        super().__init__([self._in, self._out], True, validate_args, forward_min_event_ndims=0,
                         name=name or "reshape")

    def _forward(self, x: Any) -> Any:
        return self._reshaped(x, self._in, self._out, "in")

    def _inverse(self, y: Any) -> Any:
        return self._reshaped(y, self._out, self._in, "out")

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return convert_to_tensor(0, x.dtype)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return _static(input_shape, self._in, self._out, "in")

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return _static(output_shape, self._out, self._in, "out")

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._sizes_after(input_shape, self._in, self._out, "in")

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._sizes_after(output_shape, self._out, self._in, "out")

    def _reshaped(self, value: Any, before: Any, after: Any, which: str) -> Any:
        static = _static(value.shape, before, after, which)
        outer, _ = self._parts(array.shape(value), before, which)
        reshaped = array.reshape(value, array.concat([outer, self._one_open(after)], 0))
        reshaped.set_shape(static)
        return reshaped

    def _sizes_after(self, shape: Any, before: Any, after: Any, which: str) -> Any:
        outer, event = self._parts(shape, before, which)
        after = self._one_open(after)
        left = reduce_prod(event) // reduce_prod(where(equal(after, -1), array.ones_like(after), after))
        return array.concat([outer, where(equal(after, -1), left * array.ones_like(after), after)], 0)

    def _parts(self, shape: Any, before: Any, which: str) -> tuple[Any, Any]:
        """(the sizes outside of an event, those of the event)"""
        split = array.size(shape) - array.size(before)
        event = shape[split:]
        if self._validate_args:
            fits = reduce_all(logical_or(equal(event, before), equal(before, -1)))
            event = with_dependencies([Assert(fits, [_mismatch(which), event, before])], event)
            with_event = with_dependencies([event], shape[:split])
            return with_event, event
        return shape[:split], event

    def _one_open(self, shape: Any) -> Any:
        if not self._validate_args:
            return shape
        count = reduce_sum(cast(equal(shape, -1), dtypes.int32))
        words = "a shape's elements must have at most one `-1`."
        return with_dependencies([Assert(count <= 1, [words, shape])], shape)


def _mismatch(which: str) -> str:
    return f"Input `event_shape` does not match `event_shape_{which}`."


def _sizes(shape: Any, name: str, validate_args: bool) -> Any:
    shape = shape.as_list() if isinstance(shape, TensorShape) else shape
    empty = isinstance(shape, (tuple, list)) and not shape
    sizes = convert_to_tensor(np.zeros(0, np.int32) if empty else shape, preferred_dtype=dtypes.int32, name=name)
    if not sizes.dtype.is_integer:
        raise TypeError(f"{name} is made of integers, not of {sizes.dtype.name}")
    sizes = cast(sizes, dtypes.int32)
    if validate_args:
        words = f"{name} elements must be either positive integers or `-1`."
        return with_dependencies([assert_greater(sizes, -2, message=words)], sizes)
    return sizes


def _static(shape: TensorShape, before: Any, after: Any, which: str) -> TensorShape:
    """The static shape after a change of the shape of events.

    Raises:
        ValueError: the shape does not end with the one of events before.
    """
    old, new = get_static_value(before), get_static_value(after)
    if shape.ndims is None or old is None or new is None:
        return TensorShape(None)
    split = shape.ndims - len(old)
    sizes = shape.as_list()
    event = sizes[split:] if split >= 0 else None
    if event is None or any(a is not None and b not in (-1, a) for a, b in zip(event, old.tolist())):
        raise ValueError(f"{_mismatch(which)} It is {shape}, and events are {old.tolist()}")
    filled = [None if b == -1 else b for b in new.tolist()]
    if filled.count(None) == 1 and None not in event:
        rest = int(np.prod([b for b in filled if b is not None], dtype=np.int64))
        filled = [int(np.prod(event, dtype=np.int64)) // rest if b is None else b for b in filled]
    return TensorShape(sizes[:split] + filled)

"""Parameters of distributions: conversion, checks, common shapes, undefined statistics."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.distributions.distribution import Distribution
from evergraph.frontend.array import broadcast_dynamic_shape, broadcast_static_shape, concat, identity, shape
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_less, assert_less_equal, assert_non_negative, assert_positive
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.activations import softmax
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.math.elementwise import log, log1p, sigmoid


def parameter(value, name, positive=False):
    """A parameter as a tensor; with `positive`, with a run-time check that it is positive."""
    preferred = dtypes.float32 if _is_of_integers(value) else None
    tensor = convert_to_tensor(value, preferred_dtype=preferred, name=name)
    if not positive:
        return identity(tensor, name=name)
    with control_dependencies([assert_positive(tensor)]):
        return identity(tensor, name=name)


def _is_of_integers(value):
    """Whether a value is made of Python's integers, which stand for floating-point numbers."""
    if isinstance(value, (list, tuple)):
        return all(_is_of_integers(each) for each in value)
    return isinstance(value, int)


def one_dtype(*tensors):
    """The common dtype.

    Raises:
        TypeError: the dtypes differ.
    """
    kinds = list(dict.fromkeys(tensor.dtype.base_dtype for tensor in tensors))
    if len(kinds) > 1:
        raise TypeError(f"parameters of one distribution have one dtype, not {', '.join(kind.name for kind in kinds)}")
    return kinds[0]


def odds(logits, probs, validate_args, several):
    """(logits, probs), of which one is given.

    Args:
        several: whether the last axis enumerates classes.

    Raises:
        ValueError: both are given, or none.
    """
    if (logits is None) == (probs is None):
        raise ValueError("a distribution is given by its probs or by its logits: one of the two")
    if probs is None:
        logits = parameter(logits, "logits")
        return logits, (softmax if several else sigmoid)(logits, name="probs")
    probs = parameter(probs, "probs")
    if validate_args:
        one = convert_to_tensor(1, probs.dtype)
        at_most_one = assert_less_equal(probs, one, message="probs has components greater than 1.")
        with control_dependencies([assert_non_negative(probs), at_most_one]):
            probs = identity(probs, name="checked_probs")
    return (log(probs) if several else log(probs) - log1p(-probs)), probs


class Scalars(Distribution):
    """Scalar distributions, whose batch shape is the broadcast shape of their parameters."""

    def _given(self):
        """The parameters, as tensors."""
        return self._graph_parents

    def _batch_shape(self):
        common = TensorShape([])
        for tensor in self._given():
            common = broadcast_static_shape(common, tensor.shape)
        return common

    def _batch_shape_tensor(self):
        first, *others = (shape(tensor) for tensor in self._given())
        for other in others:
            first = broadcast_dynamic_shape(first, other)
        return first

    def _event_shape(self):
        return TensorShape([])

    def _event_shape_tensor(self):
        return convert_to_tensor([], dtypes.int32)

    def _filled(self, value):
        """`value` broadcast to the batch shape."""
        return broadcast_to(value, self.batch_shape_tensor())

    def _defined(self, condition, value, below, statement):
        """`value` where the condition is true and NaN elsewhere; or with NaN disallowed, a check of the condition.

        Args:
            below: pairs of tensors; the condition is that the first is less than the second.
            statement: the condition in words.
        """
        if self.allow_nan_stats:
            return where(condition, value, broadcast_to(convert_to_tensor(float("nan"), value.dtype), shape(value)))
        with control_dependencies([assert_less(low, high, message=statement) for low, high in below]):
            return identity(value)


def same_shapes(*names):
    """The method `_param_shapes` of distributions whose parameters have the shape of a sample."""

    def shapes(cls, sample_shape):
        return {name: convert_to_tensor(sample_shape, dtypes.int32) for name in names}

    return classmethod(shapes)


def rows(n, distribution):
    """The shape of n samples of each distribution of a batch."""
    return concat([[n], distribution.batch_shape_tensor()], 0)


def own(parameters):
    """The constructor's arguments, from its locals()."""
    return {name: value for name, value in parameters.items() if name not in ("self", "__class__")}

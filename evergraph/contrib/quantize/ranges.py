"""Fake quantization with ranges that training observes: the last range, or its moving average."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.framework.variables import model_variable
from evergraph.frontend import reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.assign import assign, assign_add
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.ops.math.quantize import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_per_channel,
)
from evergraph.train.moving_averages import assign_moving_average


def fixed(inputs: Any, init_min: float = -6.0, init_max: float = 6.0, scope: str | None = None) -> Tensor:
    """Fake quantization with a range that stays as it is."""
    with name_scope(scope, "FixedQuantize", [inputs]):
        return fake_quant_with_min_max_args(inputs, min=init_min, max=init_max)


def last_value(inputs: Any, per_channel: bool = False, init_min: float = -6.0, init_max: float = 6.0,
               name_prefix: str = "LastValueQuant", reuse: Any = None, is_training: bool = True, num_bits: int = 8,
               narrow_range: bool = False, symmetric: bool = False, vars_collection: str | None = None) -> Tensor:
    """Fake quantization with the range of the last batch, kept in the variables `min` and `max`.

    Args:
        inputs: the tensor.
        per_channel: whether each entry of the last axis has a range.
        init_min: the start of the range at first.
        init_max: the end of the range at first.
        name_prefix: the variable scope.
        reuse: of the variable scope.
        is_training: whether the range follows the batches.
        num_bits: the number of bits of the integers.
        narrow_range: whether they start with 1, so that there are as many below zero as above.
        symmetric: whether the range is as wide below zero as above, but for what `narrow_range` leaves out.
        vars_collection: a further collection of the variables.

    Returns:
        The tensor, rounded to the values that the integers stand for.
    """
    with variable_scope(None, name_prefix, [inputs], reuse=reuse):
        ends = _variables(inputs, per_channel, init_min, init_max, vars_collection)
        if is_training:
            seen = _observed(inputs, per_channel, symmetric, narrow_range, num_bits)
            ends = [assign(end, value, name=f"Assign{which}Last")
                    for end, value, which in zip(ends, seen, ("Min", "Max"))]
        return _quantized(inputs, ends, per_channel, num_bits, narrow_range)


def moving_average(inputs: Any, per_channel: bool = False, init_min: float = -6.0, init_max: float = 6.0,
                   ema_decay: float = 0.999, name_prefix: str = "MovingAvgQuantize", reuse: Any = None,
                   is_training: bool = True, num_bits: int = 8, narrow_range: bool = False, symmetric: bool = False,
                   vars_collection: str | None = GraphKeys.MOVING_AVERAGE_VARIABLES) -> Tensor:
    """Fake quantization with the moving average of the ranges of the batches; see `last_value` for the arguments.

    Args:
        ema_decay: how slowly the average changes.
    """
    with variable_scope(None, name_prefix, [inputs], reuse=reuse):
        ends = _variables(inputs, per_channel, init_min, init_max, vars_collection)
        if is_training:
            seen = _observed(inputs, per_channel, symmetric, narrow_range, num_bits)
            ends = [assign_moving_average(end, value, ema_decay, name=f"Assign{which}Ema")
                    for end, value, which in zip(ends, seen, ("Min", "Max"))]
        return _quantized(inputs, ends, per_channel, num_bits, narrow_range)


def _variables(inputs: Tensor, per_channel: bool, low: float, high: float, collection: str | None) -> list[Any]:
    get_variable_scope().set_partitioner(None)
    shape = [inputs.shape[-1]] if per_channel else []
    return [model_variable(name, shape=shape, initializer=constant_initializer(value), trainable=False,
                           collections=[collection] if collection else None)
            for name, value in (("min", low), ("max", high))]


def _observed(inputs: Tensor, per_channel: bool, symmetric: bool, narrow: bool, bits: int) -> tuple[Tensor, Tensor]:
    """The range of a batch, widened to hold zero, which must be one of the values that the integers stand for."""
    axes = list(range(inputs.shape.ndims - 1)) if per_channel else None
    low = reduce.reduce_min(inputs, axes, name="BatchMin")
    high = reduce.reduce_max(inputs, axes, name="BatchMax")
    if symmetric:
        levels = 1 << bits
        ratio = -1.0 if narrow else -(levels - 2) / levels
        low, high = elementwise.minimum(low, high / ratio), elementwise.maximum(high, low * ratio)
    return elementwise.minimum(low, 0.0), elementwise.maximum(high, 0.0)


def _quantized(inputs: Tensor, ends: Any, per_channel: bool, bits: int, narrow: bool) -> Tensor:
    quantize = fake_quant_with_min_max_vars_per_channel if per_channel else fake_quant_with_min_max_vars
    return quantize(inputs, min=ends[0], max=ends[1], num_bits=bits, narrow_range=narrow)


class _Step:
    """The counter of a graph's steps."""

    def __init__(self) -> None:
        self.tensor: Tensor | None = None


def quantization_step() -> Tensor:
    """The number of steps that the graph has run, with this one; delays are counted by it."""
    kept = default_graph().memo(_Step)
    if kept.tensor is None:
        with name_scope(None):
            step = get_variable("fake_quantization_step", [], dtypes.int64, zeros_initializer(), trainable=False,
                                collections=[GraphKeys.GLOBAL_VARIABLES])
            kept.tensor = convert_to_tensor(assign_add(step, 1))
    return kept.tensor

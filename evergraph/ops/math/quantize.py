"""Quantization of floating-point numbers, dequantization, and fake quantization."""
from __future__ import annotations

import operator

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge, same_as, with_rank
from evergraph.graph.traits import ANY
from evergraph.ops.arrays.casting import as_dtype
from evergraph.ops.math.quantized_levels import limits, round_away

_MODES = "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'"
_F = np.float32


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def _half_range(dtype):
    """The offset that shifts the range of a signed dtype to start at zero."""
    lowest, highest = limits(dtype)
    return _F((highest - lowest + 1) // 2) if lowest else _F(0)


def _one_number(name, value):
    size = np.prod(np.shape(value))
    if size != 1:
        raise _invalid(f"{name} must hold one number, got shape {np.shape(value)}")
    return value.reshape(()) if np.ndim(value) else value


# ---- quantization

def _quantized_shape(input, min_range, max_range):
    with_rank(min_range, 0), with_rank(max_range, 0)
    return [input, (), ()]


@op("QuantizeV2(input: float, min_range: float, max_range: float, *, T: quantized, "
    f"{_MODES}, round_mode: {{'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'}} = 'HALF_AWAY_FROM_ZERO') -> output: T, "
    "output_min: float, output_max: float", shape=_quantized_shape, grad=STOP,
    later={"narrow_range": False, "axis": -1, "ensure_minimum_range": ANY})
def quantize_v2(xp, input, min_range, max_range, T, mode, round_mode, check):
    """Quantizes numbers to integers of few bits; returns the range that the integers represent too."""
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        raise _invalid(f"the round mode HALF_TO_EVEN belongs to the mode SCALED, not to {mode}")
    low, high = (xp.asarray(_one_number(*each)).astype(_F) for each in (("min_range", min_range),
                                                                        ("max_range", max_range)))
    check(~(high < low), "the range ends before it begins: min_range is above max_range")
    low, high = _apart(xp, low, high)
    if mode == "SCALED":
        return _scaled(xp, input, low, high, T, round_mode)
    bounded = xp.clip(input, low, high)
    lowest, highest = limits(T)
    if mode == "MIN_COMBINED":
        scale = _single(operator.truediv, _F(highest - lowest), high - low)
        levels = round_away(xp, _single(operator.mul, bounded - low, scale).astype(np.float64) - _half_range(T))
    else:
        scale = _single(operator.truediv, _F(highest - lowest), high - low)
        levels = round_away(xp, bounded * scale) - (round_away(xp, low * scale) - _F(lowest))
    return _as_integers(xp, levels, T), low, high


def _as_integers(xp, levels, dtype):
    """Casts levels to integers, clipped to the range of the dtype."""
    lowest, highest = limits(dtype)
    return xp.clip(levels.astype(np.float64), lowest, highest).astype(dtype)


def _apart(xp, low, high):
    """The range extended to contain zero and to have a minimal width."""
    low_or_zero = xp.minimum(_F(0), low)
    least = xp.maximum(_F(1), xp.maximum(xp.abs(low), xp.abs(high))) / _F(100)
    return low_or_zero, xp.maximum(_F(0), xp.maximum(high, low_or_zero + least))


def _scaled(xp, input, low, high, dtype, round_mode):
    """Levels proportional to the numbers, so that zero is exact."""
    lowest, highest = limits(dtype)
    scale, low, high = _fitting_scale(xp, low, high, lowest, highest)
    scaled = xp.clip(input, low, high) * scale
    levels = xp.rint(scaled) if round_mode == "HALF_TO_EVEN" else round_away(xp, scaled)
    return _as_integers(xp, levels, dtype), low, high


def _fitting_scale(xp, low, high, lowest, highest):
    """(levels per unit, so that both ends fit; the numbers that the lowest and highest levels then represent)."""
    huge = np.array(np.finfo(low.dtype).max, low.dtype)

    def side(level, end):
        return xp.where(level * end > 0, level / xp.where(end == 0, 1, end), huge).astype(low.dtype)
    scale = xp.minimum(side(low.dtype.type(lowest), low), side(low.dtype.type(highest), high))
    return scale, low.dtype.type(lowest) / scale, low.dtype.type(highest) / scale


# ---- dequantization

def _dequantized_shape(input, min_range, max_range):
    with_rank(min_range, 0), with_rank(max_range, 0)
    return input


@op(f"Dequantize(input: T, min_range: float, max_range: float, *, T: quantized, {_MODES}) -> output: float",
    shape=_dequantized_shape, export=("dequantize", "quantization.dequantize"),
    later={"narrow_range": False, "axis": -1, "dtype": dtypes.float32})
def dequantize(xp, input, min_range, max_range, T, mode):
    """Dequantizes: the numbers that integers represent.

    Args:
        min_range: the number that the lowest integer stands for.
        max_range: that of the highest one.
        mode: how the range is divided: "MIN_COMBINED", "MIN_FIRST" or "SCALED".
    """
    low, high = (xp.asarray(_one_number(*each)).astype(_F) for each in (("min_range", min_range),
                                                                        ("max_range", max_range)))
    lowest, highest = limits(T)
    if mode == "SCALED":
        scale = xp.maximum(low / _F(lowest), high / _F(highest)) if lowest else high / _F(highest)
        return input.astype(_F) * scale
    step = (high - low) / _F(highest - lowest)
    if mode == "MIN_COMBINED":
        return (input.astype(_F) + _half_range(T)) * step + low
    start = xp.where(high == low, low, round_away(xp, low / xp.where(step == 0, _F(1), step)) * step)
    # In double precision, which 32-bit integers minus their minimum need.
    return ((input.astype(np.float64) - lowest) * step.astype(np.float64) + start.astype(np.float64)).astype(_F)


# ---- quantization followed by dequantization

def _rounded(xp, input, low, high, signed_input, num_bits, range_given, narrow_range, half_up):
    if not 1 <= num_bits <= 63:
        raise _invalid(f"num_bits is out of range: {num_bits}")
    if not input.size:
        return input
    kind = np.dtype(input.dtype)
    exact = np.float32 if kind.itemsize == 2 else kind.type  # half precision is computed in single
    x = input.astype(exact)
    low, high = (low, high) if range_given else (x.min(), x.max())
    low, high = xp.asarray(low).astype(exact), xp.asarray(high).astype(exact)
    lowest = (-(1 << (num_bits - 1)) + bool(narrow_range)) if signed_input else 0
    highest = (1 << (num_bits - 1)) - 1 if signed_input else (1 << num_bits) - 1
    scale, low, high = _fitting_scale(xp, low, high, lowest, highest)
    bounded = xp.clip(x, low, high) if range_given else x
    levels = xp.floor(bounded * scale + exact(0.5)) if half_up else xp.rint(bounded * scale)
    return (levels / scale).astype(kind)


def _check_given(check, low, high, range_given):
    if range_given:
        ordered = (low <= high).all() if np.ndim(low) else low <= high
        check(ordered, "the range ends before it begins: input_min is above input_max")


@op("QuantizeAndDequantizeV2(input: T, input_min: T, input_max: T, *, signed_input: bool = True, num_bits: int = 8, "
    "range_given: bool = False, T: floating, round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN', "
    "narrow_range: bool = False) -> output: T", shape=same_as("input"), later={"axis": -1})
def quantize_and_dequantize_v2(xp, input, input_min, input_max, signed_input, num_bits, range_given, round_mode,
                               narrow_range, check):
    """Rounds numbers to the levels of a `num_bits` quantization, symmetric about zero if signed."""
    _check_given(check, input_min, input_max, range_given)
    return _rounded(xp, input, input_min, input_max, signed_input, num_bits, range_given, narrow_range,
                    round_mode == "HALF_UP")


@op("QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, num_bits: int32, *, signed_input: bool = True, "
    "range_given: bool = True, T: floating, narrow_range: bool = False) -> output: T",
    static=("num_bits",), shape=same_as("input"), later={"axis": -1})
def quantize_and_dequantize_v3(xp, input, input_min, input_max, num_bits, signed_input, range_given, narrow_range,
                               check):
    """QuantizeAndDequantizeV2 with the number of bits as an input."""
    _check_given(check, input_min, input_max, range_given)
    return _rounded(xp, input, input_min, input_max, signed_input, int(num_bits), range_given, narrow_range, False)


@op("QuantizeAndDequantize(input: T, *, signed_input: bool = True, num_bits: int = 8, range_given: bool = False, "
    "input_min: float = 0.0, input_max: float = 0.0, T: floating) -> output: T", shape=same_as("input"))
def quantize_and_dequantize(xp, input, signed_input, num_bits, range_given, input_min, input_max, check):
    """QuantizeAndDequantizeV2 with a fixed range."""
    _check_given(check, input_min, input_max, range_given)
    return _rounded(xp, input, input_min, input_max, signed_input, num_bits, range_given, False, False)


# Straight-through estimator: rounding has no gradient, so it passes through unchanged.
quantize_and_dequantize.grad(lambda op, dy: dy)
quantize_and_dequantize_v2.grad(lambda op, dy: [dy, None, None])
quantize_and_dequantize_v3.grad(lambda op, dy: [dy, None, None, None])


# ---- fake quantization, for quantization-aware training

def _check_fake(num_bits):
    if not 2 <= num_bits <= 16:
        raise _invalid(f"levels have 2 to 16 bits, got num_bits={num_bits}")


def _nudged(xp, low, high, num_bits, narrow_range):
    """The range shifted so that zero is a level: (low, high, step)."""
    first, last = _F(1 if narrow_range else 0), _F((1 << num_bits) - 1)
    step = _single(operator.truediv, _single(operator.sub, high, low), last - first)
    zero = _single(operator.sub, first, _single(operator.truediv, low, step))
    zero = xp.where(zero < first, first, xp.where(zero > last, last, round_away(xp, zero)))
    return _single(operator.mul, first - zero, step), _single(operator.mul, last - zero, step), step


def _single(function, a, b):
    """An operation in single precision that XLA cannot rewrite, such as a division to a multiplication.

    If zero is halfway between two levels, its level depends on the last bit.
    """
    return function(a.astype(np.float64), b.astype(np.float64)).astype(_F)


def _fake(xp, x, low, high, num_bits, narrow_range):
    """`x` rounded to the levels; zero if the range is only zero."""
    _check_fake(num_bits)
    nothing = (low == 0) & (high == 0)
    low, high, step = _nudged(xp, xp.where(nothing, _F(0), low), xp.where(nothing, _F(1), high), num_bits, narrow_range)
    rounded = xp.floor((xp.clip(x, low, high) - low) * (_F(1) / step) + _F(0.5)) * step + low
    return xp.where(nothing, _F(0), rounded)


def _fake_gradients(xp, dy, x, low, high, num_bits, narrow_range, axes):
    """The gradients: of the input inside the range, of the bounds from the elements beyond them; NaN is neither."""
    _check_fake(num_bits)
    nothing = (low == 0) & (high == 0)
    low, high, _ = _nudged(xp, xp.where(nothing, _F(0), low), xp.where(nothing, _F(1), high), num_bits, narrow_range)
    inside, below, above = (x >= low) & (x <= high) | nothing, (x < low) & ~nothing, (x > high) & ~nothing
    parts = [dy * as_dtype(xp, each, _F) for each in (inside, below, above)]
    return parts[0], parts[1].sum(axis=axes), parts[2].sum(axis=axes)


def _fixed_range(min, max):  # noqa: A002 - the op's own names
    if min >= max:
        raise _invalid(f"a range needs min below max, got {min} and {max}")
    return _F(min), _F(max)


@op("FakeQuantWithMinMaxArgs(inputs: float, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, "
    "narrow_range: bool = False) -> outputs: float", shape=same_as("inputs"),
    export=("fake_quant_with_min_max_args", "quantization.fake_quant_with_min_max_args"))
def fake_quant_with_min_max_args(xp, inputs, min, max, num_bits, narrow_range):  # noqa: A002
    """Fake quantization: rounds numbers to the levels of a fixed range.

    Args:
        min: the lowest number of the range, moved so that 0 is a level.
        max: the highest one.
        num_bits: how many bits a number would have, which gives the number of levels.
        narrow_range: whether the lowest level is left out, so that levels are as many on both sides.
    """
    return _fake(xp, inputs, *_fixed_range(min, max), num_bits, narrow_range)


@op("FakeQuantWithMinMaxArgsGradient(gradients: float, inputs: float, *, min: float = -6.0, max: float = 6.0, "
    "num_bits: int = 8, narrow_range: bool = False) -> backprops: float", shape=same_as("inputs"),
    export=("fake_quant_with_min_max_args_gradient", "quantization.fake_quant_with_min_max_args_gradient"))
def fake_quant_with_min_max_args_gradient(xp, gradients, inputs, min, max, num_bits, narrow_range):  # noqa: A002
    """The gradient of FakeQuantWithMinMaxArgs: passes inside the range, zero outside; see there."""
    if gradients.shape != inputs.shape:
        raise _invalid(f"gradients and inputs have different shapes: {gradients.shape} and {inputs.shape}")
    return _fake_gradients(xp, gradients, inputs, *_fixed_range(min, max), num_bits, narrow_range, None)[0]


fake_quant_with_min_max_args.grad(lambda op, dy: fake_quant_with_min_max_args_gradient(
    dy, op.inputs[0], **{name: op.attrs[name] for name in ("min", "max", "num_bits", "narrow_range")}))


def _vars_shape(inputs, min, max):  # noqa: A002
    with_rank(min, 0), with_rank(max, 0)
    return inputs


def _vars_gradient_shape(inputs, min, max):  # noqa: A002
    return [_vars_shape(inputs, min, max), (), ()]


@op("FakeQuantWithMinMaxVars(inputs: float, min: float, max: float, *, num_bits: int = 8, narrow_range: bool = False) "
    "-> outputs: float", shape=_vars_shape,
    export=("fake_quant_with_min_max_vars", "quantization.fake_quant_with_min_max_vars"))
def fake_quant_with_min_max_vars(xp, inputs, min, max, num_bits, narrow_range):  # noqa: A002
    """Fake quantization with a range that may be trained.

    Args:
        inputs: the numbers to round.
        min: the lowest number of the range, a scalar tensor.
        max: the highest one.
        num_bits: how many bits a number would have, which gives the number of levels.
        narrow_range: whether the lowest level is left out, so that levels are as many on both sides.
    """
    _check_scalars(min, max)
    return _fake(xp, inputs, min, max, num_bits, narrow_range)


@op("FakeQuantWithMinMaxVarsGradient(gradients: float, inputs: float, min: float, max: float, *, num_bits: int = 8, "
    "narrow_range: bool = False) -> backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float",
    shape=_vars_gradient_shape,
    export=("fake_quant_with_min_max_vars_gradient", "quantization.fake_quant_with_min_max_vars_gradient"))
def fake_quant_with_min_max_vars_gradient(xp, gradients, inputs, min, max, num_bits, narrow_range):  # noqa: A002
    """The gradients of FakeQuantWithMinMaxVars, see there: of the input inside the range, of the bounds beyond them."""
    _check_scalars(min, max)
    return _fake_gradients(xp, gradients, inputs, min, max, num_bits, narrow_range, None)


def _check_scalars(*ends):
    for end in ends:
        if np.ndim(end):
            raise _invalid(f"the ends of the range must be scalars, got shape {end.shape}")


def _channels_shape(inputs, min, max):  # noqa: A002
    with_rank(min, 1), with_rank(max, 1)
    if inputs is None:
        return None
    if not inputs:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    for channels in (min, max):
        if channels is not None and None not in (channels[0], inputs[-1]) and channels[0] != inputs[-1]:
            raise ValueError(f"Dimensions must be equal, but are {inputs[-1]} and {channels[0]}")
    return inputs


def _channels_gradient_shape(inputs, min, max):  # noqa: A002
    inputs = _channels_shape(inputs, min, max)
    channels = merge(merge(with_rank(min, 1), with_rank(max, 1)), None if inputs is None else inputs[-1:])
    return [inputs, channels, channels]


@op("FakeQuantWithMinMaxVarsPerChannel(inputs: float, min: float, max: float, *, num_bits: int = 8, "
    "narrow_range: bool = False) -> outputs: float", shape=_channels_shape,
    export=("fake_quant_with_min_max_vars_per_channel", "quantization.fake_quant_with_min_max_vars_per_channel"))
def fake_quant_with_min_max_vars_per_channel(xp, inputs, min, max, num_bits, narrow_range):  # noqa: A002
    """Fake quantization with a range per channel (the last axis).

    Args:
        inputs: the numbers to round.
        min: the lowest number of each channel's range.
        max: the highest ones.
        num_bits: how many bits a number would have, which gives the number of levels.
        narrow_range: whether the lowest level is left out, so that levels are as many on both sides.
    """
    _check_channels(inputs, min, max)
    return _fake(xp, inputs, min, max, num_bits, narrow_range)


def _check_channels(inputs, *ends):
    for end in ends:
        if end.ndim != 1 or end.shape[0] != inputs.shape[-1]:
            raise _invalid(f"a range for each of {inputs.shape[-1]} channels is needed, got shape {end.shape}")


@op("FakeQuantWithMinMaxVarsPerChannelGradient(gradients: float, inputs: float, min: float, max: float, *, "
    "num_bits: int = 8, narrow_range: bool = False) -> backprops_wrt_input: float, backprop_wrt_min: float, "
    "backprop_wrt_max: float", shape=_channels_gradient_shape,
    export=("fake_quant_with_min_max_vars_per_channel_gradient",
            "quantization.fake_quant_with_min_max_vars_per_channel_gradient"))
def fake_quant_with_min_max_vars_per_channel_gradient(xp, gradients, inputs, min, max,  # noqa: A002
                                                      num_bits, narrow_range):
    """The gradients of rounding by channel; see `tf.fake_quant_with_min_max_vars_per_channel`."""
    _check_channels(inputs, min, max)
    return _fake_gradients(xp, gradients, inputs, min, max, num_bits, narrow_range, tuple(range(inputs.ndim - 1)))


def _learnt_gradient(gradient):
    def back(op, dy):
        return list(gradient(dy, *op.inputs, num_bits=op.attrs["num_bits"], narrow_range=op.attrs["narrow_range"]))
    return back


fake_quant_with_min_max_vars.grad(_learnt_gradient(fake_quant_with_min_max_vars_gradient))
fake_quant_with_min_max_vars_per_channel.grad(_learnt_gradient(fake_quant_with_min_max_vars_per_channel_gradient))

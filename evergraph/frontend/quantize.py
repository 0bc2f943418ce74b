"""tf.quantization: functions whose parameters stand in another order than the op's."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import quantize as ops


@export("quantize", "quantization.quantize")
def quantize(input, min_range, max_range, T, mode="MIN_COMBINED",  # noqa: A002
             round_mode="HALF_AWAY_FROM_ZERO", name=None):
    """Numbers as integers of few bits, which stand for levels between `min_range` and `max_range`.

    Args:
        input: float32.
        min_range: a scalar, the number that the lowest integer stands for; the range is widened to hold zero.
        max_range: a scalar, the number that the highest integer stands for.
        T: tf.quint8, tf.qint8, tf.qint16, tf.quint16 or tf.qint32.
        mode: "MIN_COMBINED"; "MIN_FIRST", which makes zero a level; or "SCALED", which makes it the integer zero.
        round_mode: "HALF_AWAY_FROM_ZERO", or for the mode "SCALED" also "HALF_TO_EVEN".
        name: a name for the operation.

    Returns:
        (integers, the number the lowest one stands for, the number the highest one stands for).
    """
    return ops.quantize_v2(input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name)


@export("quantize_v2")
def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None,  # noqa: A002
                round_mode="HALF_AWAY_FROM_ZERO"):
    """The same as `tf.quantization.quantize`, with the older order of arguments."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


@export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(input, input_min, input_max, signed_input=True, num_bits=8,  # noqa: A002
                            range_given=False, round_mode="HALF_TO_EVEN", name=None, narrow_range=False):
    """Numbers rounded to levels of few bits; gradients go through as if nothing had been rounded.

    Args:
        input: floating point numbers.
        input_min: the lower end of the range, when `range_given`.
        input_max: the upper end.
        signed_input: whether levels are negative as well.
        num_bits: how many bits, the sign included.
        range_given: whether the range is given; else it is that of the input.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        name: a name for the operation.
        narrow_range: whether the lowest level is left out, so that there are as many below zero as above.
    """
    input = convert_to_tensor(input)  # noqa: A001
    return ops.quantize_and_dequantize_v2(
        input, input_min, input_max, signed_input=signed_input, num_bits=num_bits, range_given=range_given,
        round_mode=round_mode, narrow_range=narrow_range, name=name)

# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.quantization."""

from evergraph import Tensor
from typing import Any

from evergraph import dequantize as dequantize
from evergraph import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from evergraph import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from evergraph import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from evergraph import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from evergraph import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel

from evergraph import (
    fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient,
)

from evergraph import quantize as quantize

def quantize_and_dequantize(
    input: Any, input_min: Any, input_max: Any, signed_input: Any = True, num_bits: Any = 8,
    range_given: Any = False, round_mode: Any = 'HALF_TO_EVEN', name: str | None = None,
    narrow_range: Any = False,
) -> Tensor:
    """Numbers rounded to levels of few bits; gradients go through as if nothing had been rounded."""

from evergraph import quantized_concat as quantized_concat

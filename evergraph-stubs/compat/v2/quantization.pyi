# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.quantization."""

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
from evergraph.quantization import quantize_and_dequantize as quantize_and_dequantize
from evergraph import quantized_concat as quantized_concat

# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.fused_conv."""

from collections.abc import Sequence
from evergraph import Tensor
from typing import Any

def fused_conv2d_bias_activation(
    conv_input: Any, filter: Any, bias: Any, strides: Sequence[int] | None = None,
    padding: str | None = None, conv_input_scale: float = 1.0, side_input_scale: float = 0.0,
    side_input: Any = None, activation_mode: str = 'Relu', data_format: str | None = None,
    filter_format: str | None = None, name: str | None = None,
) -> Tensor:
    """activation(conv_input_scale * conv2d(conv_input, filter) + side_input_scale * side_input + bias)."""

# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.resnet_utils."""

from collections.abc import Sequence
from typing import Any, NamedTuple

class Block(NamedTuple):
    """A part of a network: its name, the function of a unit, and for each unit its arguments by name."""
    scope: Any
    unit_fn: Any
    args: Any

def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: str | None = None,
) -> Any:
    """A convolution with a stride whose padding does not depend on the size of the images."""

def resnet_arg_scope(
    weight_decay: float = 0.0001, batch_norm_decay: float = 0.997, batch_norm_epsilon: float = 1e-05,
    batch_norm_scale: bool = True,
) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of these networks have, for `arg_scope`."""

def stack_blocks_dense(
    net: Any, blocks: Sequence[Any], output_stride: int | None = None, outputs_collections: Any = None,
) -> Any:
    """Blocks one after the other; beyond `output_stride`, filters with holes take the place of strides."""

def subsample(inputs: Any, factor: int, scope: str | None = None) -> Any:
    """Every `factor`-th row and column of images."""

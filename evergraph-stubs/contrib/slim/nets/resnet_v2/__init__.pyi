# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.resnet_v2."""

from collections.abc import Sequence
from evergraph.contrib.slim.nets.resnet_utils import Block
from typing import Any
from evergraph.contrib.slim.nets.resnet_v2 import resnet_utils as resnet_utils

def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """A unit: normalization and ReLU first, three convolutions around a narrow middle, plus the inputs."""

from evergraph.contrib.slim.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope

def resnet_v2(
    inputs: Any, blocks: Sequence[Any], num_classes: int | None = None, is_training: Any = True,
    global_pool: bool = True, output_stride: int | None = None, include_root_block: bool = True,
    reuse: Any = None, scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """A residual network."""

def resnet_v2_101(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: Any = None, scope: Any = 'resnet_v2_101',
) -> tuple[Any, dict[str, Any]]:
    """The network of 101 layers; the arguments are those of `resnet_v2`."""

def resnet_v2_152(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: Any = None, scope: Any = 'resnet_v2_152',
) -> tuple[Any, dict[str, Any]]:
    """The network of 152 layers; the arguments are those of `resnet_v2`."""

def resnet_v2_200(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: Any = None, scope: Any = 'resnet_v2_200',
) -> tuple[Any, dict[str, Any]]:
    """The network of 200 layers; the arguments are those of `resnet_v2`."""

def resnet_v2_50(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: Any = None, scope: Any = 'resnet_v2_50',
) -> tuple[Any, dict[str, Any]]:
    """The network of 50 layers; the arguments are those of `resnet_v2`."""

def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A `Block` of so many units; the last one has the stride."""

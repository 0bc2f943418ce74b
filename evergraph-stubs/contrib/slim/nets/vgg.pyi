# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.vgg."""

from typing import Any

def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = 'vgg_16',
) -> tuple[Any, dict[str, Any]]:
    """The network of 16 layers."""

def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = 'vgg_19',
) -> tuple[Any, dict[str, Any]]:
    """The network of 19 layers."""

def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = 'vgg_a',
) -> tuple[Any, dict[str, Any]]:
    """The network of 11 layers."""

def vgg_arg_scope(weight_decay: float = 0.0005) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of these networks have, for `arg_scope`."""

vgg_d = vgg_16
vgg_e = vgg_19

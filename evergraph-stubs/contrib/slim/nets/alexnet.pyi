# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.alexnet."""

from typing import Any

def alexnet_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = 'alexnet_v2',
) -> tuple[Any, dict[str, Any]]:
    """AlexNet in the second version (Krizhevsky, 2014), on one device, without local response
    normalization."""

def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of `alexnet_v2` have, for `arg_scope`."""

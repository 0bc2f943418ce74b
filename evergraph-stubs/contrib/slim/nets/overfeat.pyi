# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.overfeat."""

from typing import Any

def overfeat(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = 'overfeat',
) -> tuple[Any, dict[str, Any]]:
    """OverFeat (Sermanet et al., 2013)."""

def overfeat_arg_scope(weight_decay: float = 0.0005) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of `overfeat` have, for `arg_scope`."""

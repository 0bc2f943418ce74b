# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.layers.experimental."""

from evergraph import Tensor

def keras_style_scope() -> Tensor:
    """A block in which new layers keep their variables to themselves."""

def set_keras_style() -> Tensor:
    """From now on new layers keep their variables to themselves; see
    `tf.layers.experimental.keras_style_scope`."""

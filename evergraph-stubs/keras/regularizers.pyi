# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.regularizers."""

from typing import Any

class L1L2(Regularizer):
    """l1 times the sum of absolute values plus l2 times the sum of squares."""
    def get_config(self) -> dict[str, float]:
        """The arguments to make an equal regularizer from."""
    def __call__(self, x: Any) -> Any: ...
    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None: ...
    l1: Any
    l2: Any

class Regularizer:
    """A price on weights, with a configuration it can be made from again."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Regularizer:
        """A regularizer with these arguments."""
    def __call__(self, x: Any) -> float: ...

def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """The regularizer that `serialize` described."""

def get(identifier: Any) -> Any:
    """The regularizer that is meant: a function, a name, a configuration, or None."""

def l1(l: float = 0.01) -> L1L2:
    """`l` times the sum of absolute values."""

def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """`l1` times the sum of absolute values plus `l2` times the sum of squares."""

def l2(l: float = 0.01) -> L1L2:
    """`l` times the sum of squares."""

def serialize(regularizer: Any) -> dict[str, Any]:
    """The name of the regularizer's class and its configuration."""

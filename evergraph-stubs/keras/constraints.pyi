# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.constraints."""

from evergraph import Tensor
from typing import Any

class Constraint:
    """A function of weights, with a configuration it can be made from again."""
    fields: tuple[str, ...]
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal constraint from."""
    def __call__(self, w: Any) -> Any: ...

class MaxNorm(Constraint):
    """Vectors along `axis` that are longer than `max_value` are scaled down to it."""
    fields: tuple[str, ...]
    def __call__(self, w: Any) -> Tensor: ...
    def __init__(self, max_value: float = 2, axis: Any = 0) -> None: ...
    max_value: Any
    axis: Any

class MinMaxNorm(Constraint):
    """The lengths of vectors along `axis` are moved between two limits, by `rate` of the way each time."""
    fields: tuple[str, ...]
    def __call__(self, w: Any) -> Tensor: ...
    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0,
    ) -> None: ...
    min_value: Any
    max_value: Any
    rate: Any
    axis: Any

class NonNeg(Constraint):
    """Negative weights become zero."""
    def __call__(self, w: Any) -> Tensor: ...

class RadialConstraint(Constraint):
    """Square filters are made constant along rings around their centre."""
    def __call__(self, w: Any) -> Tensor: ...

class UnitNorm(Constraint):
    """Vectors along `axis` are scaled to length 1."""
    fields: tuple[str, ...]
    def __call__(self, w: Any) -> Tensor: ...
    def __init__(self, axis: Any = 0) -> None: ...
    axis: Any

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The constraint that `serialize` described, or that has this name."""

def get(identifier: Any) -> Any:
    """The constraint that is meant: itself, its name, its configuration, or None for none."""

max_norm = MaxNorm
min_max_norm = MinMaxNorm
non_neg = NonNeg
radial_constraint = RadialConstraint

def serialize(constraint: Any) -> Any:
    """The name of the constraint's class and its configuration."""

unit_norm = UnitNorm

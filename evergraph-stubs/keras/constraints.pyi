# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.constraints."""

from evergraph import Tensor
from typing import Any

class Constraint:
    """The base of constraints: a function of weights with a serializable configuration."""
    fields: tuple[str, ...]
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __call__(self, w: Any) -> Any: ...

class MaxNorm(Constraint):
    """Scales vectors along `axis` down to norm `max_value` if they are longer."""
    fields: tuple[str, ...]
    def __call__(self, w: Any) -> Tensor: ...
    def __init__(self, max_value: float = 2, axis: Any = 0) -> None: ...
    max_value: Any
    axis: Any

class MinMaxNorm(Constraint):
    """Moves the norms of vectors along `axis` into a range, by the fraction `rate` each time."""
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
    """Clips negative weights to zero."""
    def __call__(self, w: Any) -> Tensor: ...

class RadialConstraint(Constraint):
    """Makes square filters constant along rings around their centre."""
    def __call__(self, w: Any) -> Tensor: ...

class UnitNorm(Constraint):
    """Normalizes vectors along `axis` to norm 1."""
    fields: tuple[str, ...]
    def __call__(self, w: Any) -> Tensor: ...
    def __init__(self, axis: Any = 0) -> None: ...
    axis: Any

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The constraint of a serialized configuration or a name."""

def get(identifier: Any) -> Any:
    """Resolves a constraint: an object, a name, a configuration, or None for none."""

max_norm = MaxNorm
min_max_norm = MinMaxNorm
non_neg = NonNeg
radial_constraint = RadialConstraint

def serialize(constraint: Any) -> Any:
    """The name of the constraint's class and its configuration."""

unit_norm = UnitNorm

"""tf.keras.constraints: projections of weights that optimizers apply after each step."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import gather_nd
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import objects, settings
from evergraph.ops.math import elementwise


@export("keras.constraints.Constraint")
class Constraint:
    """The base of constraints: a function of weights with a serializable configuration."""

    fields: tuple[str, ...] = ()

    def __call__(self, w: Any) -> Any:
        return w

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {field: getattr(self, field) for field in self.fields}


def _lengths(w: Any, axis: Any) -> Any:
    return elementwise.sqrt(reduce_sum(math.square(w), axis=axis, keepdims=True))


@export("keras.constraints.MaxNorm", "keras.constraints.max_norm")
class MaxNorm(Constraint):
    """Scales vectors along `axis` down to norm `max_value` if they are longer."""

    fields = ("max_value", "axis")

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Any:
        lengths = _lengths(w, self.axis)
        return w * (clip_by_value(lengths, 0.0, float(self.max_value)) / (settings.epsilon() + lengths))


@export("keras.constraints.NonNeg", "keras.constraints.non_neg")
class NonNeg(Constraint):
    """Clips negative weights to zero."""

    def __call__(self, w: Any) -> Any:
        w = convert_to_tensor(w)
        return w * math.cast(elementwise.greater_equal(w, 0.0), w.dtype)


@export("keras.constraints.UnitNorm", "keras.constraints.unit_norm")
class UnitNorm(Constraint):
    """Normalizes vectors along `axis` to norm 1."""

    fields = ("axis",)

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        return w / (settings.epsilon() + _lengths(w, self.axis))


@export("keras.constraints.MinMaxNorm", "keras.constraints.min_max_norm")
class MinMaxNorm(Constraint):
    """Moves the norms of vectors along `axis` into a range, by the fraction `rate` each time."""

    fields = ("min_value", "max_value", "rate", "axis")

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Any:
        lengths = _lengths(w, self.axis)
        wanted = self.rate * clip_by_value(lengths, float(self.min_value), float(self.max_value)) + \
            (1 - self.rate) * lengths
        return w * (wanted / (settings.epsilon() + lengths))


@export("keras.constraints.RadialConstraint", "keras.constraints.radial_constraint")
class RadialConstraint(Constraint):
    """Makes square filters constant along rings around their centre.

    Raises:
        ValueError: the weights are not of rank 4.
    """

    def __call__(self, w: Any) -> Any:
        w = convert_to_tensor(w)
        if w.shape.rank != 4:
            raise ValueError(f"a radial constraint is for weights of rank 4, got shape {w.shape}")
        size = w.shape.as_list()[0]
        rings = [[_source(row, column, size) for column in range(size)] for row in range(size)]
        return gather_nd(w, array.constant([[[place, place] for place in row] for row in rings]))


def _source(row: int, column: int, size: int) -> int:
    """The diagonal element on the ring of a position."""
    half = size // 2
    if size % 2:
        ring = max(abs(row - half), abs(column - half))
        return half - 1 if ring == 0 else half + ring - 1
    ring = max(_from_middle(row, half), _from_middle(column, half))
    return half - 1 if ring == 0 else half + ring


def _from_middle(place: int, half: int) -> int:
    return half - 1 - place if place < half else place - half


_BY_NAME = {
    kind.__name__: kind for kind in (MaxNorm, NonNeg, UnitNorm, MinMaxNorm, RadialConstraint)
} | {"max_norm": MaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm,
     "radial_constraint": RadialConstraint}


@export("keras.constraints.serialize")
def serialize(constraint: Any) -> Any:
    """The name of the constraint's class and its configuration."""
    return objects.serialize_keras_object(constraint)


@export("keras.constraints.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The constraint of a serialized configuration or a name.

    Raises:
        ValueError: the name or class is unknown.
    """
    return objects.deserialize_keras_object(config, _BY_NAME, custom_objects, "constraint")


@export("keras.constraints.get")
def get(identifier: Any) -> Any:
    """Resolves a constraint: an object, a name, a configuration, or None for none.

    Raises:
        ValueError: the name or class is unknown.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    raise ValueError(f"a constraint is a function, a name or a configuration, not {identifier}")

"""Values that may be absent: `tf.data.experimental.Optional`."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.frontend.blocks import colocate_with
from evergraph.frontend.specs import TypeSpec
from evergraph.graph.node import Tensor
from evergraph.ops.control import optionals
from evergraph.ops.data import iterators


@export("data.experimental.Optional", "contrib.data.Optional")
class Optional:
    """A structure of tensors that may be absent, which shows when it runs.

    >>> present = tf.data.experimental.Optional.from_value(tf.constant(1))
    >>> absent = tf.data.experimental.Optional.none_from_structure(present.value_structure)
    >>> have = present.has_value(), absent.has_value()
    """

    def __init__(self, variant_tensor: Tensor, value_structure: Any) -> None:
        self._variant_tensor, self._value_structure = variant_tensor, value_structure

    def has_value(self, name: str | None = None) -> Tensor:
        """A scalar tf.bool: whether there is a value."""
        return optionals.optional_has_value(self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        """The value. A run raises tf.errors.InvalidArgumentError if there is none."""
        spec = self._value_structure
        flat = optionals.optional_get_value(self._variant_tensor, name=name, **specs.attrs_of(spec))
        return specs.unpacked(list(flat) if isinstance(flat, (list, tuple)) else [flat], spec)

    @property
    def value_structure(self) -> Any:
        """The structure of the value."""
        return self._value_structure

    @property
    def _type_spec(self) -> OptionalStructure:
        return OptionalStructure(self._value_structure)

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An optional with a value.

        Args:
            value: a structure of tensors.
        """
        value = specs.normalized(value)
        spec = specs.spec_of(value)
        return Optional(optionals.optional_from_value(specs.packed(value, spec)), spec)

    @staticmethod
    def none_from_structure(value_structure: Any) -> Optional:
        """An optional without a value.

        Args:
            value_structure: the structure that the value would have.
        """
        return Optional(optionals.optional_none(), value_structure)


@export("data.experimental.OptionalStructure", "OptionalSpec")
class OptionalStructure(TypeSpec):
    """The spec of an `Optional`.

    Args:
        value_structure: the structure of its value.
    """

    value_type = Optional

    def __init__(self, value_structure: Any) -> None:
        self._value_structure = value_structure

    @property
    def shape(self) -> TensorShape:
        """The shape of an optional: it is a scalar."""
        return TensorShape([])

    @staticmethod
    def from_value(value: Optional) -> OptionalStructure:
        """The spec of an optional."""
        return OptionalStructure(value.value_structure)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the other is an optional, or the spec of one, with a value that fits."""
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        return isinstance(other, OptionalStructure) and specs.fits(self._value_structure, other._value_structure)

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        if not isinstance(other, OptionalStructure):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return OptionalStructure(specs.widened(self._value_structure, other._value_structure))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionalStructure) and specs.same(self._value_structure, other._value_structure)

    def __hash__(self) -> int:
        return hash((OptionalStructure, *nest.flatten(self._value_structure)))

    def _parts(self) -> tuple[Any, ...]:
        return (self._value_structure,)

    def _value_of(self, variant: Tensor) -> Optional:
        return Optional(variant, self._value_structure)


specs.register_whole(OptionalStructure)


@export("data.experimental.get_next_as_optional", "contrib.data.get_next_as_optional")
def get_next_as_optional(iterator: Any) -> Optional:
    """The next element of an iterator as an `Optional`, which has no value at the end.

    >>> iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))
    >>> element = tf.data.experimental.get_next_as_optional(iterator)
    >>> is_there = element.has_value()
    """
    spec = iterator.element_spec
    with colocate_with(iterator._iterator_resource):
        variant = iterators.iterator_get_next_as_optional(iterator._iterator_resource, **specs.attrs_of(spec))
    return Optional(variant, spec)

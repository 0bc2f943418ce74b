"""Axes of labeled tensors: names, with sizes or with labels of the places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.base.shapes import Dimension


class Error(TypeError):
    """An argument of a labeled tensor's function has the wrong type."""


@export("contrib.labeled_tensor.Axis")
class Axis:
    """The name of an axis, with its size or the labels of its places.

    Args:
        name: a string.
        value: a size, a Dimension, None for an unknown size, or a sequence of different labels.

    Raises:
        TypeError: a label cannot be hashed.
        ValueError: two labels are equal.
    """

    def __init__(self, name: str, value: Any) -> None:
        self._name, self._places = name, None
        if value is None or isinstance(value, (int, np.integer, Dimension)):
            self._value: Any = Dimension(value)
            return
        labels = tuple(value.tolist() if isinstance(value, np.ndarray) else value)
        self._places = {label: place for place, label in enumerate(labels)}
        if len(self._places) != len(labels):
            raise ValueError(f"the labels of axis {name!r} are not all different: {labels}")
        self._value = labels

    name = property(lambda self: self._name, doc="The name of the axis.")
    value = property(lambda self: self._value, doc="A Dimension, or the tuple of labels.")
    labels = property(lambda self: None if self._places is None else self._value, doc="The labels, or None.")

    @property
    def dimension(self) -> Dimension:
        """The size, as a Dimension."""
        return self._value if self._places is None else Dimension(len(self._value))

    @property
    def size(self) -> int | None:
        """The size, or None where it is unknown."""
        return self.dimension.value

    def index(self, value: Any) -> int:
        """The place of a label.

        Raises:
            ValueError: the axis has no labels.
            KeyError: none of its labels is `value`.
        """
        if self._places is None:
            raise ValueError(f"axis {self._name!r} has no labels: {self._value}")
        return self._places[value]

    def __len__(self) -> int:
        if self.size is None:
            raise ValueError(f"axis {self._name!r} has an unknown size")
        return self.size

    def _key(self) -> tuple[Any, ...]:
        return self._name, self.labels, self.size

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Axis) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Axis({self._name!r}, {self._value!r})"


@export("contrib.labeled_tensor.as_axis")
def as_axis(axis_data: Any) -> Axis:
    """An Axis, from one or from a pair of a name and a value.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(axis_data, Axis):
        return axis_data
    if not (isinstance(axis_data, tuple) and len(axis_data) == 2 and isinstance(axis_data[0], str)):
        raise Error(f"an axis is an Axis or a pair (name, value), not {axis_data!r}")
    return Axis(*axis_data)


@export("contrib.labeled_tensor.Axes")
class Axes(Mapping):
    """The axes of a tensor in their order, by name.

    Args:
        axes: Axis objects and pairs (name, value).

    Raises:
        TypeError: an element is neither.
        ValueError: two axes have the same name.
    """

    def __init__(self, axes: Iterable[Any]) -> None:
        if isinstance(axes, str) or not isinstance(axes, Iterable):
            raise Error(f"axes are a list of Axis and pairs (name, value), not {axes!r}")
        self._axes: dict[str, Axis] = {}
        for axis in map(as_axis, axes):
            if axis.name in self._axes:
                raise ValueError(f"two axes have the same name: {axis.name}")
            self._axes[axis.name] = axis

    def __getitem__(self, name: str) -> Axis:
        return self._axes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._axes)

    def __len__(self) -> int:
        return len(self._axes)

    def __contains__(self, name: Any) -> bool:
        return name in self._axes

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Axes) and list(self.values()) == list(other.values())

    def __hash__(self) -> int:
        return hash(tuple(self.values()))

    def __repr__(self) -> str:
        return f"Axes([{', '.join(repr((axis.name, axis.value)) for axis in self.values())}])"

    def remove(self, axis_name: str) -> Axes:
        """The other axes.

        Raises:
            KeyError: there is no axis of this name.
        """
        if axis_name not in self:
            raise KeyError(axis_name)
        return Axes(axis for axis in self.values() if axis.name != axis_name)


@export("contrib.labeled_tensor.concat_axes")
def concat_axes(axes: Any) -> Axis:
    """The axis of concatenated tensors, from their axes of one name: with labels, if all have them.

    Raises:
        TypeError: an element is not an axis.
        ValueError: the names differ, there are no axes, or a label appears twice.
    """
    if not isinstance(axes, (list, tuple)) or not all(isinstance(axis, (Axis, tuple)) for axis in axes):
        raise Error(f"concat_axes takes a list of axes, not {axes!r}")
    found = [as_axis(axis) for axis in axes]
    names = {axis.name for axis in found}
    if len(names) != 1:
        raise ValueError(f"axes to concatenate have one name, not {sorted(names)}")
    if all(axis.labels is not None for axis in found):
        return Axis(found[0].name, [label for axis in found for label in axis.labels])
    sizes = [axis.size for axis in found]
    return Axis(found[0].name, None if None in sizes else sum(sizes))

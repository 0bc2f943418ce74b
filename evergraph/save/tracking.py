"""Dependency tracking for object-based checkpoints: the children of an object by name, and its own values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evergraph.base.export import export
from evergraph.base.no_dependency import TrackableReference, Unwrapping, left_out
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.module import Module
from evergraph.layers.layer import Layer
from evergraph.layers.rnn_wrappers import MultiRNNCell
from evergraph.save.saveables import VARIABLE_VALUE

_BOOKS = ("_trainable_weights", "_non_trainable_weights", "_tracked")  # what has names of its own


@export("contrib.checkpoint.CheckpointableBase")
class Trackable:
    """The base of trackable objects, which define their own children and saveables."""

    _tracked: dict[str, Any] = {}  # noqa: RUF012  replaced, never changed

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Makes an object a child by a name, and returns it.

        Raises:
            ValueError: another child has the name, unless it may be overwritten.
        """
        known = children_of(self).get(name, trackable)
        if known is not trackable and not overwrite:
            raise ValueError(f"A child {name!r} is already declared: {known!r}")
        self._tracked = {**self._tracked, name: trackable}
        return trackable

    def _lookup_dependency(self, name: str) -> Any:
        """The child of this name, or None."""
        return children_of(self).get(name)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """What a checkpoint of this object holds besides its own values."""
        return [TrackableReference(name, child) for name, child in children_of(self).items()]

    _unconditional_checkpoint_dependencies = _checkpoint_dependencies


@export("contrib.checkpoint.Checkpointable", "contrib.eager.Checkpointable")
class AutoTrackable(Unwrapping, Trackable):
    """The base of objects whose attributes `tf.train.Checkpoint` saves: variables, layers, optimizers, lists, ...

    >>> class Counters(tf.contrib.checkpoint.Checkpointable):
    ...     def __init__(self):
    ...         self.seen = tf.Variable(0)
    >>> checkpoint = tf.train.Checkpoint(counters=Counters())

    An object of another class may define its children by a method `_checkpoint_children()` that returns a dictionary,
    and its saveables by `_gather_saveables_for_checkpoint()`, a dictionary from the names of attributes to functions
    from a name to a saveable object.
    """


def is_trackable(value: Any) -> bool:
    """Whether a checkpoint can track a value."""
    if isinstance(value, (Variable, Layer, Module, Trackable, list, tuple, dict)):
        return True
    return not isinstance(value, type) and any(
        hasattr(value, name) for name in ("_checkpoint_children", "_gather_saveables_for_checkpoint"))  # fmt: skip


def children_of(value: Any) -> dict[str, Any]:
    """The trackable children of an object, by name.

    Raises:
        ValueError: a dictionary has keys that are not strings.
    """
    if hasattr(value, "_checkpoint_children"):
        return dict(value._checkpoint_children())
    if isinstance(value, MultiRNNCell):
        return {f"cell-{number}": cell for number, cell in enumerate(value._cells)}
    if isinstance(value, Layer):
        return {**_weights(value), **_attributes(value, known=value.weights)}
    tracked = value._tracked if isinstance(value, Trackable) else {}
    if isinstance(value, (Module, AutoTrackable)):
        return {**_attributes(value), **tracked}
    if tracked:
        return dict(tracked)
    if isinstance(value, (list, tuple)):
        return {str(place): item for place, item in enumerate(value) if is_trackable(item)}
    if isinstance(value, dict):
        return _items(value)
    return {}


def _items(value: dict[Any, Any]) -> dict[str, Any]:
    found = {key: item for key, item in value.items() if is_trackable(item)}
    for key in found:
        if not isinstance(key, str):
            raise ValueError(f"A checkpoint holds what is in a dictionary by names; the key {key!r} is none")
    return found


def _weights(layer: Layer) -> dict[str, Any]:
    """The variables of a layer itself, by name relative to its scope."""
    scope = f"{layer._scope.name}/" if layer._scope is not None else ""
    inside = _ids(_inner_variables(layer))
    found = {}
    for variable in layer.weights:
        if isinstance(variable, Variable) and id(variable) not in inside:
            found[variable._shared_name.removeprefix(scope)] = variable
    return found


def _inner_variables(layer: Layer) -> Iterator[Any]:
    """The variables of a layer's sublayers."""
    for child in vars(layer).values():
        if isinstance(child, Layer):
            yield from child.weights


def _ids(values: Iterable[Any]) -> set[int]:
    return {id(value) for value in values}


def _attributes(value: Any, known: Iterable[Any] = ()) -> dict[str, Any]:
    """The trackable attributes; variables that are tracked under other names are skipped."""
    skipped, names = _ids(known), {*_BOOKS, *left_out(value)}
    return {name: item for name, item in vars(value).items()
            if name not in names and id(item) not in skipped and _holds_something(item, set())}  # fmt: skip


def _holds_something(value: Any, seen: set[int]) -> bool:
    if not isinstance(value, (list, tuple, dict)):
        return is_trackable(value)
    if id(value) in seen:
        return False
    seen.add(id(value))
    return any(_holds_something(item, seen) for item in (value.values() if isinstance(value, dict) else value))


def values_of(value: Any) -> dict[str, Any]:
    """An object's own values: attribute -> a variable, or a function from a name to a saveable."""
    if isinstance(value, Variable):
        return {VARIABLE_VALUE: value}
    if hasattr(value, "_gather_saveables_for_checkpoint"):
        return dict(value._gather_saveables_for_checkpoint())
    return {}

"""What a checkpoint of objects sees in an object: the objects below it, by name, and the values it holds itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.module import Module
from evergraph.layers.layer import Layer
from evergraph.layers.rnn_wrappers import MultiRNNCell
from evergraph.save.saveables import VARIABLE_VALUE

_BOOKS = ("_trainable_weights", "_non_trainable_weights")  # of a layer: its variables, which have names of their own


@export("contrib.checkpoint.CheckpointableBase")
class Trackable:
    """A base for objects that a checkpoint holds; what is below them and how they are saved they say themselves."""


@export("contrib.checkpoint.Checkpointable", "contrib.eager.Checkpointable")
class AutoTrackable(Trackable):
    """A base for objects whose attributes `tf.train.Checkpoint` is to save: variables, layers, optimizers, lists, ...

    >>> class Counters(tf.contrib.checkpoint.Checkpointable):
    ...     def __init__(self):
    ...         self.seen = tf.Variable(0)
    >>> checkpoint = tf.train.Checkpoint(counters=Counters())

    An object of another class may say itself what is below it, by a method `_checkpoint_children()` that gives back a
    dictionary; and how it is saved, by `_gather_saveables_for_checkpoint()`, a dictionary from the names of attributes
    to functions that make a saveable object of a name.
    """


def is_trackable(value: Any) -> bool:
    """Whether a checkpoint can hold something of a value."""
    if isinstance(value, (Variable, Layer, Module, Trackable, list, tuple, dict)):
        return True
    return not isinstance(value, type) and any(
        hasattr(value, name) for name in ("_checkpoint_children", "_gather_saveables_for_checkpoint"))  # fmt: skip


def children_of(value: Any) -> dict[str, Any]:
    """The objects right below an object that a checkpoint can hold something of, by name.

    Raises:
        ValueError: a dictionary has them under keys that are no text.
    """
    if hasattr(value, "_checkpoint_children"):
        return dict(value._checkpoint_children())
    if isinstance(value, MultiRNNCell):
        return {f"cell-{number}": cell for number, cell in enumerate(value._cells)}
    if isinstance(value, Layer):
        return {**_weights(value), **_attributes(value, known=value.weights)}
    if isinstance(value, (Module, AutoTrackable)):
        return _attributes(value)
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
    """The variables of a layer itself, by their names in its scope."""
    scope = f"{layer._scope.name}/" if layer._scope is not None else ""
    inside = _ids(_inner_variables(layer))
    found = {}
    for variable in layer.weights:
        if isinstance(variable, Variable) and id(variable) not in inside:
            found[variable._shared_name.removeprefix(scope)] = variable
    return found


def _inner_variables(layer: Layer) -> Iterator[Any]:
    """The variables of the layers that a layer holds."""
    for child in vars(layer).values():
        if isinstance(child, Layer):
            yield from child.weights


def _ids(values: Iterable[Any]) -> set[int]:
    return {id(value) for value in values}


def _attributes(value: Any, known: Iterable[Any] = ()) -> dict[str, Any]:
    """The attributes that hold something; variables that are known by other names are left out."""
    skipped = _ids(known)
    return {name: item for name, item in vars(value).items()
            if name not in _BOOKS and id(item) not in skipped and _holds_something(item, set())}  # fmt: skip


def _holds_something(value: Any, seen: set[int]) -> bool:
    if not isinstance(value, (list, tuple, dict)):
        return is_trackable(value)
    if id(value) in seen:
        return False
    seen.add(id(value))
    return any(_holds_something(item, seen) for item in (value.values() if isinstance(value, dict) else value))


def values_of(value: Any) -> dict[str, Any]:
    """What an object holds itself: attribute -> a variable, or a function of a name that makes a saveable."""
    if isinstance(value, Variable):
        return {VARIABLE_VALUE: value}
    if hasattr(value, "_gather_saveables_for_checkpoint"):
        return dict(value._gather_saveables_for_checkpoint())
    return {}

"""Attributes that checkpoints leave out, although they hold variables or layers."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple


class NoDependency:
    """Wraps a value that is assigned to an attribute of a layer, a module or a trackable object.

    The attribute holds the value itself, and checkpoints do not follow it.
    """

    def __init__(self, value: Any) -> None:
        self.value = value


class Unwrapping:
    """The base of objects whose attributes unwrap `NoDependency`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if type(value) is NoDependency:
            self.__dict__.setdefault("_left_out", set()).add(name)
            value = value.value
        elif "_left_out" in self.__dict__:
            self.__dict__["_left_out"].discard(name)
        if "_untracked" in self.__dict__:
            self.__dict__["_untracked"].note(name, self.__dict__.setdefault("_left_out", set()))
        object.__setattr__(self, name, value)

    def _no_dependency(self, value: Any) -> NoDependency:
        """What to assign to an attribute that checkpoints leave out."""
        return NoDependency(value)


def left_out(value: Any) -> frozenset[str]:
    """The names of the attributes of an object that checkpoints do not follow."""
    return frozenset(vars(value).get("_left_out", ()))


class _Untracked:
    """The names of attributes that neither checkpoints nor the lists of layers and variables follow."""

    def __init__(self) -> None:
        self.is_open, self.names = False, set[str]()

    def note(self, name: str, left_out: set[str]) -> None:
        """Notes that an attribute was assigned."""
        if self.is_open:
            self.names.add(name)
            left_out.add(name)
        else:
            self.names.discard(name)


@contextlib.contextmanager
def no_automatic_dependency_tracking_scope(value: Any) -> Iterator[None]:
    """A with-block in which variables and layers that become attributes of an object do not become its own."""
    untracked = vars(value).setdefault("_untracked", _Untracked())
    before, untracked.is_open = untracked.is_open, True
    try:
        yield
    finally:
        untracked.is_open = before


def tracked_attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object whose layers and variables are its own."""
    attributes = vars(value)
    if "_untracked" not in attributes:
        return attributes
    return {name: each for name, each in attributes.items() if name not in attributes["_untracked"].names}


class TrackableReference(NamedTuple):
    """What an object refers to in a checkpoint, and by which name."""

    name: str
    ref: Any

"""Attributes that checkpoints leave out, although they hold variables or layers."""
from __future__ import annotations

from typing import Any


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
        object.__setattr__(self, name, value)

    def _no_dependency(self, value: Any) -> NoDependency:
        """What to assign to an attribute that checkpoints leave out."""
        return NoDependency(value)


def left_out(value: Any) -> frozenset[str]:
    """The names of the attributes of an object that checkpoints do not follow."""
    return frozenset(vars(value).get("_left_out", ()))

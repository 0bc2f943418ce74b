"""The variables of a function that blocks of it change: found in the closures of the blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Undefined:
    """Stands for the value of a variable that has none."""

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = Undefined()


class Variables:
    """The variables that functions made of blocks share with the function around them.

    Args:
        blocks: the functions, or None where a block is empty.
        names: the variables that are read later; one may be an attribute, such as "self.x".
    """

    def __init__(self, blocks: Iterable[Any], names: tuple[str, ...]) -> None:
        self.blocks = made = [each for each in blocks if each is not None]
        self.names, self._globals = names, made[0].__globals__
        self._cells = {name: cell for each in made for name, cell in zip(each.__code__.co_freevars,
                                                                         each.__closure__ or ())}
        self._outside = [name for name in names if name not in self._cells]

    def values(self) -> list[Any]:
        """The values of the variables that are read later."""
        return [self._get(name) for name in self.names]

    def set(self, values: Iterable[Any]) -> None:
        """Gives the variables that are read later new values."""
        for name, value in zip(self.names, values, strict=True):
            self._set(name, value)

    def snapshot(self) -> dict[str, Any]:
        """The values of all variables that the blocks can see."""
        return {name: self._get(name) for name in (*self._cells, *self._outside)}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Gives all variables the values of a snapshot."""
        for name, value in snapshot.items():
            if self._get(name) is not value:
                self._set(name, value)

    def _get(self, name: str) -> Any:
        root, _, path = name.partition(".")
        try:
            value = self._cells[root].cell_contents if root in self._cells else self._globals[root]
            for part in path.split(".") if path else ():
                value = getattr(value, part)
        except (ValueError, KeyError, AttributeError):
            return UNDEFINED
        return value

    def _set(self, name: str, value: Any) -> None:
        if "." in name:
            owner, _, attribute = name.rpartition(".")
            if value is UNDEFINED:
                delattr(self._get(owner), attribute)
            else:
                setattr(self._get(owner), attribute, value)
        elif name not in self._cells:
            self._globals[name] = value
        elif value is UNDEFINED:
            del self._cells[name].cell_contents
        else:
            self._cells[name].cell_contents = value

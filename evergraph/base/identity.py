"""Collections that compare by identity, and modules imported at first use, as tensorflow.python.util has them."""

from __future__ import annotations

import importlib
import types
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from evergraph.base import logging


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dictionary whose keys are equal when they are the same object."""

    def __init__(self, items: Any = ()) -> None:
        self._held: dict[int, tuple[Any, Any]] = {}
        self.update(items)

    def __getitem__(self, key: Any) -> Any:
        try:
            return self._held[id(key)][1]
        except KeyError:
            raise KeyError(key) from None

    def __setitem__(self, key: Any, value: Any) -> None:
        self._held[id(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        if id(key) not in self._held:
            raise KeyError(key)
        del self._held[id(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in list(self._held.values()))

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self._held.values())!r})" if self._held else f"{type(self).__name__}()"


class ObjectIdentitySet(MutableSet[Any]):
    """A set whose elements are equal when they are the same object."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._held = {id(item): item for item in items}

    def __contains__(self, item: Any) -> bool:
        return id(item) in self._held

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._held.values()))

    def __len__(self) -> int:
        return len(self._held)

    def add(self, value: Any) -> None:
        """Adds an element."""
        self._held[id(value)] = value

    def discard(self, value: Any) -> None:
        """Removes an element, if it is there."""
        self._held.pop(id(value), None)


class LazyLoader(types.ModuleType):
    """A module that is imported when it is first used.

    Args:
        local_name: its name in `parent_module_globals`, where the module then takes its place.
        parent_module_globals: the globals of the module that uses it.
        name: its full name.
        warning: what to log when it is imported; None for nothing.
    """

    def __init__(self, local_name: str, parent_module_globals: dict[str, Any], name: str,
                 warning: str | None = None) -> None:
        self._local_name, self._parent_module_globals, self._warning = local_name, parent_module_globals, warning
        super().__init__(name)

    def _load(self) -> types.ModuleType:
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            logging.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)
        return module

    def __getattr__(self, item: str) -> Any:
        return getattr(self._load(), item)

    def __dir__(self) -> list[str]:
        return dir(self._load())

"""The registry of ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evergraph.base import errors

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef

REGISTRY: dict[str, OpDef] = {}
_fillers: list[Callable[[], object]] = []


def lookup(name: str) -> OpDef:
    """The op called `name`.

    Raises:
        NotFoundError: no such op is declared.
    """
    found = REGISTRY.get(name) or find(name)
    if found is None:
        raise errors.NotFoundError(None, None, f"Op type not registered '{name}': evergraph does not declare it")
    return found


def find(name: str) -> OpDef | None:
    """The op called `name`, or None if no such op is declared."""
    if name not in REGISTRY:
        fill()
    return REGISTRY.get(name)


def fill() -> None:
    """Declares all ops; a program that only calls functions does not need this."""
    while _fillers:
        _fillers[-1]()  # popped only after success, so that a failure repeats instead of leaving ops out
        _fillers.pop()


def fill_with(declare_all: Callable[[], object]) -> None:
    """Registers a function that declares the ops that have not been imported yet."""
    _fillers.append(declare_all)

"""The registry of ops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evergraph.base import errors
from evergraph.base.aside import aside
from evergraph.base.fillers import fillers

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef

REGISTRY: dict[str, OpDef] = {}


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
    for filler in list(fillers):
        aside(filler)  # where no signal interrupts: ops exist once, so that half a module could not be imported again
        fillers.pop(filler, None)  # after success alone, so that a failure repeats instead of leaving ops out

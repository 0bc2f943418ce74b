"""The registry of public names: `export` records them where functions, classes and values are defined."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

EXPORTS: dict[str, tuple[str, Any]] = {}
"""Public dotted name, without "tf." -> (the module that exported it, the object)."""


def export(*names: str, module: str | None = None) -> Callable[[T], T]:
    """Decorator that registers an object under public names and returns the object unchanged.

    Works as a decorator, `@export("math.exp", "exp")`, and on values: `PI = export("PI")(3.14)`.

    Args:
        names: dotted names, without "tf.".
        module: the module that defines the object; defaults to the calling module.

    Raises:
        ValueError: another object has one of these names.
    """
    home = module or sys._getframe(1).f_globals["__name__"]

    def record(value: T) -> T:
        for name in names:
            owner, known = EXPORTS.setdefault(name, (home, value))
            if known is not value:
                raise ValueError(f"tf.{name} is exported twice: by {owner} and by {home}")
        return value

    return record


def names_in(*homes: str) -> Callable[[str], tuple[str, ...]]:
    """A function from a base name to that name in each of these namespaces."""
    return lambda name: tuple(f"{home}.{name}" for home in homes)

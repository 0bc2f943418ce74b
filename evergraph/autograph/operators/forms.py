"""Forms of loops and builtins for types that other rooms define, such as datasets.

The room that defines a type registers what `for`, `len` and the like do with it:

    @form("len", DatasetV2)
    def _(dataset): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_FORMS: dict[str, list[tuple[type, Callable[..., Any]]]] = {}


def form(name: str, kind: type) -> Callable[[F], F]:
    """Decorator: registers what the builtin or statement `name` does with arguments of a type."""

    def register(function: F) -> F:
        _FORMS.setdefault(name, []).append((kind, function))
        return function

    return register


def form_for(name: str, *arguments: Any) -> Callable[..., Any] | None:
    """What `name` does with these arguments if one of them has a type with a form of its own, otherwise None."""
    for kind, function in _FORMS.get(name, ()):
        if any(isinstance(each, kind) for each in arguments):
            return function
    return None

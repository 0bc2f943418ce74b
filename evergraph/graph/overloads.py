"""Overloads: implementations of a public function for other argument types, such as ragged tensors.

The room that defines a type registers the overloads for it:

    @overload(matmul, LinearOperator)
    def _(a, b, ..., name=None): ...

A call tries the function itself first, and searches the overloads only after the function has raised TypeError or
ValueError: calls with plain tensors pay nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_OVERLOADS: dict[Any, list[tuple[tuple[type, ...], Callable[..., Any]]]] = {}
REFUSALS = (TypeError, ValueError)
"""What a function raises for arguments of a type that it does not accept."""


def overload(function: Any, *types: type) -> Callable[[F], F]:
    """Decorator: registers the implementation of `function` for calls with an argument of one of `types`.

    Args:
        function: an op, or a function decorated with `overloadable`.
        *types: the argument types; an argument inside lists, tuples and dictionaries counts too.
    """

    def register(implementation: F) -> F:
        _OVERLOADS.setdefault(function, []).append((types, implementation))
        return implementation

    return register


def overloadable(function: F) -> F:
    """Decorator: lets `overload` register implementations of the function for other argument types."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except REFUSALS:
            implementation = find_overload(call, args, kwargs)
            if implementation is None:
                raise
        return implementation(*args, **kwargs)

    return call  # type: ignore[return-value]


def overload_types(function: Any) -> list[type]:
    """The argument types for which overloads of the function are registered."""
    return [each for types, _ in _OVERLOADS.get(function, ()) for each in types]


def find_overload(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """The first overload of the function that accepts the type of some argument, or None."""
    if function not in _OVERLOADS:
        return None
    given = list(_leaves([*args, *kwargs.values()]))
    for types, implementation in _OVERLOADS[function]:
        if any(isinstance(value, types) for value in given):
            return implementation
    return None


def _leaves(values: Any) -> Iterator[Any]:
    """The values inside nested lists, tuples and dictionaries."""
    for value in values:
        if type(value) in (list, tuple, dict):
            yield from _leaves(value.values() if type(value) is dict else value)
        else:
            yield value

"""Functions that mean something of their own for values of some kinds, such as linear operators and ragged tensors.

A room that has such a kind says so beside it:

    @meaning(matmul, LinearOperator)
    def _(a, b, ..., name=None): ...

The function itself is asked first, and knows nothing of the kind: only when it refuses its arguments is there a search.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_MEANINGS: dict[Any, list[tuple[tuple[type, ...], Callable[..., Any]]]] = {}
REFUSALS = (TypeError, ValueError)


def meaning(function: Any, *kinds: type) -> Callable[[F], F]:
    """Decorator: what `function`, an op or an `extensible` one, does when an argument is of one of these kinds."""

    def register(other: F) -> F:
        _MEANINGS.setdefault(function, []).append((kinds, other))
        return other

    return register


def extensible(function: F) -> F:
    """Decorator: other meanings may be given to the function."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except REFUSALS:
            other = found(call, args, kwargs)
            if other is None:
                raise
        return other(*args, **kwargs)

    return call  # type: ignore[return-value]


def found(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """What the function means for these arguments, if that is anything but itself."""
    if function not in _MEANINGS:
        return None
    given = list(_leaves([*args, *kwargs.values()]))
    for kinds, other in _MEANINGS[function]:
        if any(isinstance(value, kinds) for value in given):
            return other
    return None


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if type(value) in (list, tuple):
            yield from _leaves(value)
        else:
            yield value

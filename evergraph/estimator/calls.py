"""Calls functions of users with those arguments that they declare."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def declared(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the arguments that a function can still be given, without `self`.

    Knows partials, methods and objects with `__call__`.
    """
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if isinstance(function, functools.partial):
        return tuple(name for name in declared(function.func)[len(function.args):] if name not in function.keywords)
    if not inspect.isroutine(function) and not inspect.isclass(function) and callable(function):
        return declared(function.__call__)
    spec = inspect.getfullargspec(function)
    names = (*spec.args, *spec.kwonlyargs)
    is_bound = inspect.ismethod(function) or inspect.isclass(function)
    return names[1:] if is_bound else names


def call_with(function: Callable[..., Any], *args: Any, **offered: Any) -> Any:
    """Calls a function with `args` and those of the `offered` keyword arguments that it declares."""
    names = declared(function)
    return function(*args, **{name: value for name, value in offered.items() if name in names})

"""Decorators for deprecated functions and arguments: `tensorflow.python.util.deprecation`."""

from __future__ import annotations

import contextlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from evergraph.base import logging
from evergraph.base.decorators import make_decorator
from evergraph.base.export import export
from evergraph.base.inspection import getfullargspec

_DATE = re.compile(r"20\d\d-[01]\d-[0123]\d")
_NOTHING = object()  # marks an argument that is deprecated at any value
_warned: set[Any] = set()
_silent = ContextVar("silent", default=False)


@export("contrib.framework.deprecated")
def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """Decorator for a deprecated function or class: calling it logs a warning.

    Args:
        date: the day from which it may be removed, "YYYY-MM-DD"; None if unknown.
        instructions: the replacement to recommend.
        warn_once: whether only the first call logs a warning.

    Raises:
        ValueError: the date is not of the form "YYYY-MM-DD", or `instructions` is empty.
    """
    _check(date, instructions)

    def decorate(target: Any) -> Any:
        text = f"{_named(target)} is deprecated and will be removed {_when(date)}. {instructions}"
        if inspect.isclass(target):
            return decorate_class(target, text)
        return decorate_function(target, text)

    def decorate_class(kind: Any, text: str) -> Any:
        kind.__init__ = decorate_function(kind.__init__, text)
        kind.__doc__ = _noted(kind.__doc__, text)
        return kind

    def decorate_function(function: Any, text: str) -> Any:
        def warning(*args: Any, **kwargs: Any) -> Any:
            _warn(text, function if warn_once else None)
            return function(*args, **kwargs)

        made = make_decorator(function, warning, "deprecated", text)
        made.__doc__ = _noted(function.__doc__, text)
        return made

    return decorate


@export("contrib.framework.deprecated_args")
def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, warn_once: bool = True
) -> Callable[[Any], Any]:
    """Decorator for a function with deprecated arguments: passing one logs a warning.

    Args:
        date, instructions, warn_once: as for `deprecated`.
        *deprecated_arg_names_or_tuples: argument names, or (name, value) pairs: passing `value` logs no warning.

    Raises:
        ValueError: the date is malformed, `instructions` is empty, or the function has no such argument.
    """
    pairs = [each if isinstance(each, tuple) else (each, _NOTHING) for each in deprecated_arg_names_or_tuples]
    fine: dict[str, Any] = dict(pairs)
    refused = lambda name, value: fine[name] is _NOTHING or value != fine[name]
    return _of_arguments(date, instructions, list(fine), refused, warn_once)


@export("contrib.framework.deprecated_arg_values")
def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Any], Any]:
    """Decorator for a function with deprecated values of arguments: passing one logs a warning.

    Args:
        date, instructions, warn_once: as for `deprecated`.
        **deprecated_kwargs: the deprecated values by argument name.

    Raises:
        ValueError: the date is malformed, `instructions` is empty, or the function has no such argument.
    """
    refused = lambda name, value: value == deprecated_kwargs[name]
    return _of_arguments(date, instructions, list(deprecated_kwargs), refused, warn_once)


def _of_arguments(
    date: str | None, instructions: str, names: list[str], refused: Callable[[str, Any], bool], warn_once: bool
) -> Callable[[Any], Any]:
    _check(date, instructions)
    if not names:
        raise ValueError("name the arguments that are deprecated")

    def decorate(function: Any) -> Any:
        spec = getfullargspec(function)
        known = [*spec.args, *spec.kwonlyargs]
        unknown = [name for name in names if name not in known and spec.varkw is None]
        if unknown:
            raise ValueError(f"{_named(function)} has no arguments {unknown}; it has {known}")

        def warning(*args: Any, **kwargs: Any) -> Any:
            given = {**dict(zip(spec.args, args)), **kwargs}
            for name in names:
                if name in given and refused(name, given[name]):
                    text = f"the argument {name} of {_named(function)}, as it is given, is deprecated"
                    _warn(f"{text} and will be refused {_when(date)}. {instructions}",
                          (function, name) if warn_once else None)
            return function(*args, **kwargs)

        return make_decorator(function, warning, "deprecated_args", instructions)

    return decorate


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that has a current and a deprecated name.

    Raises:
        ValueError: both names are given.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Context manager that suppresses deprecation warnings."""
    before = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(before)


def _check(date: str | None, instructions: str) -> None:
    if date is not None and not _DATE.fullmatch(date):
        raise ValueError(f"date must be YYYY-MM-DD or None, got {date!r}")
    if not instructions:
        raise ValueError("say in `instructions` what to use in its place")


def _when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def _named(target: Any) -> str:
    return f"{getattr(target, '__module__', '?')}.{getattr(target, '__qualname__', target)}"


def _noted(doc: str | None, text: str) -> str:
    return f"{doc.rstrip()}\n\nDeprecated: {text}" if doc else f"Deprecated: {text}"


def _warn(text: str, key: Any) -> None:
    """Logs a deprecation warning with the caller's file and line, once per key."""
    if _silent.get() or key in _warned:
        return
    if key is not None:
        _warned.add(key)
    frame = sys._getframe(2)
    logging.warning("From %s:%d: %s", frame.f_code.co_filename, frame.f_lineno, text)

"""Functions of tensors that expressions put together: `f | g`, `f + g`, `f ** 3`, and calls that fix arguments."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Callable
from typing import Any

_debugging = [False]


def debug(mode: bool = True) -> None:
    """Says on standard error, from now on, what each function of a network is applied to."""
    _debugging[0] = mode


class Composable:
    """A function of one tensor. Subclasses give `funcall`."""

    def funcall(self, x: Any) -> Any:
        """What the function gives for a tensor."""
        raise NotImplementedError(type(self).__name__)

    def __or__(self, other: Any) -> Composable:
        return Chain(self, other)

    def __add__(self, other: Any) -> Composable:
        return Applied(lambda x: self.funcall(x) + other.funcall(x))

    def __pow__(self, count: int) -> Composable:
        if count < 1:
            raise ValueError(f"a function is repeated at least once, not {count} times")
        return functools.reduce(Chain, [self] * count)


class Applied(Composable):
    """A plain function of one tensor."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.funcall = function  # type: ignore[method-assign]


class Chain(Composable):
    """One function behind the other."""

    def __init__(self, first: Composable, second: Composable) -> None:
        self._first, self._second = first, second

    def funcall(self, x: Any) -> Any:
        """What the second function gives for what the first gives."""
        return self._second.funcall(self._first.funcall(x))


class Function(Composable):
    """A function whose first argument is the tensor, and whose further arguments calls fix.

    Args:
        function: the function.
        *args: its arguments behind the tensor; a later call puts its own before them.
        **kw: its keywords; `_0`, `_1` and so on are arguments by position.
    """

    def __init__(self, function: Callable[..., Any], *args: Any, **kw: Any) -> None:
        self._function, self._args, self._kw = function, args, kw

    def __call__(self, *args: Any, **kw: Any) -> Function:
        return Function(self._function, *args, *self._args, **{**self._kw, **kw})

    def funcall(self, x: Any) -> Any:
        """The function of the tensor and the arguments fixed so far."""
        placed = {int(name[1:]): value for name, value in self._kw.items() if re.fullmatch(r"_\d+", name)}
        rest, args = list(self._args), []
        while rest or len(args) in placed:
            args.append(placed[len(args)] if len(args) in placed else rest.pop(0))
        if wrong := [place for place in placed if place >= len(args)]:
            raise ValueError(f"argument _{wrong[0]} has no arguments before it: {args}")
        result = self._function(x, *args, **{name: value for name, value in self._kw.items()
                                             if not re.fullmatch(r"_\d+", name)})
        if _debugging[0]:
            name = getattr(self._function, "__name__", self._function)
            print(f"{name}: {x.shape} -> {result.shape}", file=sys.stderr)
        return result


def External(module_name: str, function_name: str) -> Function:  # noqa: N802
    """A function of a module, by names."""
    return Function(getattr(importlib.import_module(module_name), function_name))


def Import(statements: str) -> Function:  # noqa: N802
    """The function that Python statements call `f`.

    Raises:
        ValueError: the statements give nothing the name `f`.
    """
    found: dict[str, Any] = {}
    exec(statements, found)
    if "f" not in found:
        raise ValueError(f"{statements!r} gives no `f`")
    return Function(found["f"])

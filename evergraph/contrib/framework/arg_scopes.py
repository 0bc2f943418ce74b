"""arg_scope: default arguments for functions, in force inside a block."""
from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.graph.scopes import ThreadState

Scope = dict[str, dict[str, Any]]


class _Stack(ThreadState):
    def __init__(self) -> None:
        self.scopes: list[Scope] = [{}]


_stack = _Stack()
_DECORATED: set[str] = set()


@export("contrib.framework.arg_scope_func_key")
def arg_scope_func_key(op: Any) -> str:
    """The key under which a scope keeps the defaults of a function."""
    return getattr(op, "_key_op", str(op))


@export("contrib.framework.current_arg_scope")
def current_arg_scope() -> Scope:
    """The defaults in force: function -> argument -> value."""
    return _stack.scopes[-1]


@export("contrib.framework.add_arg_scope", "contrib.slim.add_arg_scope")
def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: lets `arg_scope` give defaults to the function's keyword arguments.

    >>> @tf.contrib.framework.add_arg_scope
    ... def area(width, height=1):
    ...     return width * height
    >>> with tf.contrib.framework.arg_scope([area], height=3):
    ...     area(2)
    6
    """
    key = str(func)

    @functools.wraps(func)
    def with_defaults(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**current_arg_scope().get(key, {}), **kwargs})

    with_defaults._key_op = key  # type: ignore[attr-defined]
    _DECORATED.add(key)
    return with_defaults


@export("contrib.framework.has_arg_scope", "contrib.slim.has_arg_scope")
def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Whether the function was decorated with `add_arg_scope`."""
    return arg_scope_func_key(func) in _DECORATED


@export("contrib.framework.arg_scoped_arguments", "contrib.slim.arg_scoped_arguments")
def arg_scoped_arguments(func: Callable[..., Any]) -> Any:
    """The names of the arguments that have defaults in a decorated function.

    Raises:
        ValueError: it is not decorated.
    """
    _require_decorated(func)
    code = func.__wrapped__.__code__  # type: ignore[attr-defined]
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return names[code.co_argcount - len(func.__wrapped__.__defaults__ or ()):]  # type: ignore[attr-defined]


def _require_decorated(func: Any) -> None:
    if not has_arg_scope(func):
        raise ValueError(f"{getattr(func, '__qualname__', func)} is not decorated with @add_arg_scope")


@export("contrib.framework.arg_scope", "contrib.slim.arg_scope")
@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Sequence[Any] | Scope, **kwargs: Any) -> Iterator[Scope]:
    """Gives the functions these defaults inside the block.

    Args:
        list_ops_or_scope: decorated functions, or what an earlier block gave back, to enter it again.
        **kwargs: the defaults.

    Raises:
        TypeError: the first argument is neither.
        ValueError: a function is not decorated, or defaults are given with an earlier scope.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("a scope that is used again takes no further arguments")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(current_arg_scope())
        for function in list_ops_or_scope:
            _require_decorated(function)
            scope[arg_scope_func_key(function)] = {**scope.get(arg_scope_func_key(function), {}), **kwargs}
    else:
        raise TypeError(f"list_ops_or_scope must be a list of functions or a scope, got {list_ops_or_scope!r}")
    _stack.scopes.append(scope)
    try:
        yield scope
    finally:
        _stack.scopes.pop()

"""Decorators that record the decorated object, as `tensorflow.python.util` offers them to programs."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MARK = "_tf_decorator"


@dataclass
class TFDecorator:
    """One decoration: the decorated object, and the decorator's description of itself.

    Attributes:
        decorator_name: the decorator's name.
        decorated_target: the object that it was applied to.
        decorator_doc: a description of the decorator.
        decorator_argspec: the FullArgSpec that the decorated function reports, if it differs from the target's.
    """

    decorator_name: str
    decorated_target: Any
    decorator_doc: str = ""
    decorator_argspec: inspect.FullArgSpec | None = None

    def __post_init__(self) -> None:
        for name in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(self.decorated_target, name):
                setattr(self, name, getattr(self.decorated_target, name))

    def __get__(self, instance: Any, owner: Any) -> Any:
        """What the decorated object is as an attribute of a class."""
        get = getattr(type(self.decorated_target), "__get__", None)
        return self if get is None else get(self.decorated_target, instance, owner)

    @property
    def _decorated_target(self) -> Any:
        return self.decorated_target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the decorated object."""
        return self.decorated_target(*args, **kwargs)


def make_decorator(
    target: Any,
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: inspect.FullArgSpec | None = None,
) -> Any:
    """Gives a wrapper the metadata of the object it wraps, and lets `unwrap` find that object again.

    Args:
        target: the decorated object.
        decorator_func: the wrapper, which is modified and returned.
        decorator_name: the decorator's name; defaults to the calling function's.
        decorator_doc: a description of the decorator.
        decorator_argspec: the FullArgSpec of the wrapper, if it differs from the target's.
    """
    caller = inspect.currentframe()
    name = decorator_name or (caller.f_back.f_code.co_name if caller and caller.f_back else "decorator")
    own = dict(vars(decorator_func))
    functools.update_wrapper(decorator_func, target)
    vars(decorator_func).update(own)  # what it has of its own it keeps
    setattr(decorator_func, "__wrapped__", target)  # noqa: B010  a function, whose type has no such attribute
    setattr(decorator_func, MARK, TFDecorator(name, target, decorator_doc, decorator_argspec))
    return decorator_func


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """The decorations of an object, outermost first, and the undecorated object."""
    decorators: list[TFDecorator] = []
    target = maybe_tf_decorator
    while True:
        if not _is_decorated(target):
            return decorators, target
        found = target if isinstance(target, TFDecorator) else vars(target)[MARK]
        decorators.append(found)
        target = found.decorated_target


def _has_dict(value: Any) -> bool:
    return hasattr(value, "__dict__")


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> None:
    """Replaces an object under the decorations of `decorator_func` by another object.

    Args:
        decorator_func: the decorated object.
        previous_target: the object to replace; where it is not found, the innermost is.
        new_target: the object that takes its place.
    """
    wrapper = decorator_func
    for found in unwrap(decorator_func)[0]:
        inner = found.decorated_target
        if inner is previous_target or not _is_decorated(inner):
            found.decorated_target = new_target
            if hasattr(wrapper, "__wrapped__"):
                wrapper.__wrapped__ = new_target
            return
        wrapper = inner


def _is_decorated(value: Any) -> bool:
    return isinstance(value, TFDecorator) or _has_dict(value) and MARK in vars(value)


def contextmanager(target: Callable[..., Any]) -> Callable[..., Any]:
    """As `contextlib.contextmanager`, but `unwrap` finds the decorated generator function."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")


def keyword_args_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a function with keyword-only arguments: a positional argument raises ValueError."""

    def with_keywords(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise ValueError(f"{func.__name__} takes keyword arguments only: pass {args} by name")
        return func(**kwargs)

    return make_decorator(func, with_keywords, "keyword_args_only")

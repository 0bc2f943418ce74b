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
    functools.update_wrapper(decorator_func, target)
    setattr(decorator_func, MARK, TFDecorator(name, target, decorator_doc, decorator_argspec))
    return decorator_func


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """The decorations of an object, outermost first, and the undecorated object."""
    decorators: list[TFDecorator] = []
    target = maybe_tf_decorator
    while True:
        found = target if isinstance(target, TFDecorator) else vars(target).get(MARK) if _has_dict(target) else None
        if found is None:
            return decorators, target
        decorators.append(found)
        target = found.decorated_target


def _has_dict(value: Any) -> bool:
    return hasattr(value, "__dict__")


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> None:
    """Replaces `previous_target`, an object under the decorations of `decorator_func`, by another object.

    Raises:
        ValueError: `previous_target` is not under these decorations.
    """
    for found in unwrap(decorator_func)[0]:
        if found.decorated_target is previous_target:
            found.decorated_target = new_target
            return
    raise ValueError(f"{previous_target} is not decorated by {decorator_func}")


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

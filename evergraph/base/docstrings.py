"""Says once what several docstrings share."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])


def with_parts(**parts: str) -> Callable[[T], T]:
    """A decorator that puts these texts where their names stand, in braces, in a docstring."""
    def decorate(function: T) -> T:
        for name, text in parts.items():
            function.__doc__ = (function.__doc__ or "").replace(f"{{{name}}}", text)
        return function

    return decorate

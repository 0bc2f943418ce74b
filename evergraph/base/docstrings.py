"""Substitutes shared text into docstrings."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])


def with_parts(**parts: str) -> Callable[[T], T]:
    """Decorator that replaces names in braces in a docstring by these texts."""
    def decorate(function: T) -> T:
        for name, text in parts.items():
            function.__doc__ = (function.__doc__ or "").replace(f"{{{name}}}", text)
        return function

    return decorate

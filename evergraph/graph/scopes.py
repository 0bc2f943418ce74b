"""What is in force around a line of a program: the default graph, the default session, and a graph's scope stacks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class DefaultStack(threading.local):
    """A stack per thread whose top is the default."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    @contextlib.contextmanager
    def pushed(self, item: Any, enforce_nesting: bool = True) -> Iterator[Any]:
        """`item` is the default inside the with-block.

        Raises:
            AssertionError: blocks were closed in another order than they were opened.
        """
        self.items.append(item)
        try:
            yield item
        finally:
            if enforce_nesting and self.items and self.items[-1] is not item:
                raise AssertionError(f"Nesting violated for default stack of {type(item)} objects")
            if item in self.items:
                del self.items[len(self.items) - 1 - self.items[::-1].index(item)]


class GraphScopes(threading.local):
    """The scopes of one graph, per thread, that a new node is made under."""

    def __init__(self) -> None:
        self.name = ""  # "outer/inner", without a slash at the end
        self.devices: tuple[Any, ...] = ()  # device functions and strings, outermost first
        self.control: tuple[Any, ...] = ()  # ControlScope, outermost first
        self.colocate: tuple[Any, ...] = ()  # operations
        self.gradient_override: dict[str, str] = {}
        self.kernel_labels: dict[str, str] = {}
        self.attrs: dict[str, Any] = {}
        self.containers: tuple[str, ...] = ()


graphs = DefaultStack()
sessions = DefaultStack()


def default_session() -> Any:
    """The innermost session entered with a with-block, or None."""
    return sessions.top()

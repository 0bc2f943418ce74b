"""Scopes: the thread's default graph and default session, and the scopes of a graph that new operations take on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any


class DefaultStack(threading.local):
    """A thread-local stack; its top is the default."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    @contextlib.contextmanager
    def pushed(self, item: Any, enforce_nesting: bool = True) -> Iterator[Any]:
        """Makes `item` the default inside the with-block.

        Raises:
            AssertionError: blocks are not closed in the reverse order of opening.
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
    """The current scopes of one graph in one thread.

    Attributes:
        name: the name scope, such as "outer/inner", without a trailing slash.
        devices: device strings and functions, outermost first.
        control: ControlScopes, outermost first.
        colocate: operations whose device new operations share.
        gradient_override: op type -> the registered name of another gradient.
        kernel_labels: op type -> the `_kernel` attr of new operations.
        attrs: attrs that new operations get outside their signature, as messages.
        containers: names of resource containers, outermost first.
        variable_scope: the VariableScope of `tf.get_variable`; None before the first.
        variable_scope_counts: how often each variable scope was opened, which numbers default names.
        variable_creators: the functions of `tf.variable_creator_scope`, innermost last.
    """

    def __init__(self) -> None:
        self.name = ""
        self.devices: tuple[Any, ...] = ()
        self.control: tuple[Any, ...] = ()
        self.colocate: tuple[Any, ...] = ()
        self.gradient_override: dict[str, str] = {}
        self.kernel_labels: dict[str, str] = {}
        self.attrs: dict[str, Any] = {}
        self.containers: tuple[str, ...] = ()
        self.variable_scope: Any = None
        self.variable_scope_counts: dict[str, int] = {}
        self.variable_creators: list[Callable[..., Any]] = []


graphs = DefaultStack()
sessions = DefaultStack()


def default_session() -> Any:
    """The session of the innermost `with session` block of this thread, or None."""
    return sessions.top()

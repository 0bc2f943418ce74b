"""Scopes: the thread's default graph and default session, and the scopes of a graph that new operations take on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_states: list[ThreadState] = []


class ThreadState(threading.local):
    """What a thread has of its own, and hands over to threads that go on for it: see `inherited`.

    Made once for each variable of a module, since they are all kept.
    """

    def __new__(cls, *args: Any) -> ThreadState:
        _states.append(made := super().__new__(cls, *args))
        return made


def inherited(scopes: Sequence[GraphScopes], count: int) -> list[Callable[[], None]]:
    """Functions for so many other threads to call first: they then have the defaults that this thread has now.

    The first of them goes on counting variable scopes for this thread, the others begin with the counts of now.

    Args:
        scopes: those of the graphs that the other threads will work on.
        count: how many threads there are.
    """
    return [_taker([(state, _copied(vars(state), number)) for state in (*_states, *scopes)]) for number in range(count)]


def _taker(found: Sequence[tuple[threading.local, dict[str, Any]]]) -> Callable[[], None]:
    def take() -> None:
        for state, values in found:
            vars(state).update(values)

    return take


def _copied(values: Mapping[str, Any], number: int) -> dict[str, Any]:
    copies = {name: list(value) for name, value in values.items() if isinstance(value, list)}
    counts = {name: value.copied() for name, value in values.items() if number and hasattr(value, "copied")}
    return {**values, **copies, **counts}


class DefaultStack(ThreadState):
    """A thread-local stack; its top is the default."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    def pushed(self, item: Any, enforce_nesting: bool = True) -> Pushed:
        """A with-block in which `item` is the default.

        Raises (at the end of the block):
            AssertionError: blocks are not closed in the reverse order of opening.
        """
        return Pushed(self, item, enforce_nesting)

    def remove(self, item: Any, enforce_nesting: bool) -> None:
        """Takes the uppermost `item` off the stack."""
        if enforce_nesting and self.items and self.items[-1] is not item:
            raise AssertionError(f"Nesting violated for default stack of {type(item)} objects")
        if item in self.items:
            del self.items[len(self.items) - 1 - self.items[::-1].index(item)]


class Pushed:
    """A with-block of `DefaultStack.pushed`. One made of a generator would take several times as long."""

    __slots__ = ("_stack", "_item", "_enforce_nesting", "_depth")

    def __init__(self, stack: DefaultStack, item: Any, enforce_nesting: bool) -> None:
        self._stack, self._item, self._enforce_nesting = stack, item, enforce_nesting

    def __enter__(self) -> Any:
        self._depth = len(self._stack.items)
        self._stack.items.append(self._item)
        return self._item

    def __exit__(self, kind: type[BaseException] | None = None, *error: object) -> None:
        if kind is None or issubclass(kind, Exception) or not self._enforce_nesting:
            self._stack.remove(self._item, self._enforce_nesting)
        elif kind is not GeneratorExit:  # an interrupt: it may have kept blocks inside from closing
            del self._stack.items[self._depth:]
        elif self._depth < len(self._stack.items):  # or such a block, which its generator closes later
            self._stack.remove(self._item, self._enforce_nesting)


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
        variable_scope_counts: the number of times each variable scope was opened; None before the first.
        context: what is told of each new operation, by its method AddOp; None for nothing.
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
        self.context: Any = None
        self.variable_scope: Any = None
        self.variable_scope_counts: Any = None
        self.variable_creators: list[Callable[..., Any]] = []

    @contextlib.contextmanager
    def replaced(self, **values: Any) -> Iterator[None]:
        """Scopes, named by their attributes, have other values inside the with-block."""
        before = {name: getattr(self, name) for name in values}
        vars(self).update(values)
        try:
            yield
        finally:
            vars(self).update(before)


graphs = DefaultStack()
sessions = DefaultStack()
tapes = DefaultStack()
"""The gradient tapes that record in this thread: each has `record(operation)` and `accessed(variable)`."""


def record(operation: Any) -> None:
    """Shows a new operation to the tapes of this thread."""
    for tape in tapes.items:
        tape.record(operation)


def accessed(variable: Any) -> None:
    """Tells the tapes of this thread that a variable is being read."""
    for tape in tapes.items:
        tape.accessed(variable)


@contextlib.contextmanager
def unrecorded() -> Iterator[None]:
    """Operations of this thread inside the with-block are on no tape."""
    before, tapes.items = tapes.items, []
    try:
        yield
    finally:
        tapes.items = before


def default_session() -> Any:
    """The session of the innermost `with session` block of this thread, or None."""
    return sessions.top()

"""What kernels see around them while they run: NumPy's world, or a trace into XLA."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile import backend
from evergraph.compile.branch import choose
from evergraph.compile.calls import Function, call, gradient
from evergraph.compile.loop import repeat
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel import calling
from evergraph.kernel.calling import Hole
from evergraph.kernel.cells import Cell, SharedCell
from evergraph.kernel.philox import Stream, initial_state
from evergraph.kernel.reasons import NeedStatic
from evergraph.kernel.tensor_list import register
from evergraph.passes.state import cell_key


class Environment:
    """Common to both: cells by key, and functions."""

    tracing = False

    def __init__(self, fetch: Callable[[str], Any]) -> None:
        self._fetch = fetch
        self.cells: dict[str, Cell] = {}

    def cell(self, node: Operation) -> Cell:
        """The node's storage."""
        key = cell_key(node)
        found = self.cells.get(key)
        if found is None:
            found = self.cells[key] = self._new_cell(key, node.attrs.get("shared_name") or node.name)
        return found

    def _new_cell(self, key: str, label: str) -> Cell:
        return Cell(key, self._load(key), label)

    def _load(self, key: str) -> Any:
        return self._fetch(key)

    def rng(self, node: Operation) -> Stream:
        """The node's random stream."""
        cell = self.cell(node)
        if not cell.is_set:
            cell.assign(initial_state(node.attrs.get("seed", 0), node.attrs.get("seed2", 0)))
        return Stream(cell)

    def function(self, graph: FuncGraph) -> Function:
        return Function(self, graph)

    def choose(self, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]) -> list[Any]:
        """The outputs of the branch with that number; the arguments are the node's inputs after the first."""
        return choose(self, node, index, branches, arguments)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        """The loop variables after the loop."""
        return repeat(self, node, cond, body, arguments)

    def call(self, node: Operation, function: Function, arguments: Sequence[Any]) -> list[Any]:
        """The outputs of a function that a node calls."""
        return call(node, function, arguments)

    def gradient(self, node: Operation, function: Function, values: Sequence[Any]) -> list[Any]:
        """The gradients of a function by its arguments, which stand before the gradients of its outputs."""
        return gradient(node, self.traced().function(function.graph), values)

    def traced(self) -> TraceEnvironment:
        """An environment for functions that JAX traces."""
        raise NotImplementedError


class NumpyEnvironment(Environment):
    """Kernels run at once, on NumPy arrays.

    Args:
        fetch: gives the stored value of a key.
        share: gives the session's object of a key.
        store: the store itself, where other threads change it during the step.
    """

    def __init__(
        self, fetch: Callable[[str], Any], share: Callable[..., Any] | None = None, store: Any = None
    ) -> None:
        super().__init__(fetch)
        self._share, self._store = share, store
        self.tools = (_always_numpy, _settled, _settled_all, _as_it_is)

    def _new_cell(self, key: str, label: str) -> Cell:
        if self._store is None:
            return super()._new_cell(key, label)
        return SharedCell(key, self._load, self._store, label)

    def _load(self, key: str) -> Any:
        value = self._fetch(key)
        return np.asarray(value) if _is_jax(value) else value

    def check(self, node: Operation) -> Callable[..., None]:
        return _check_now

    def shared(self, node: Operation) -> Callable[..., Any]:
        """Gives kernels `shared(make)`: the session's object for this node (a queue, a table), made when first used.

        With a key of its own, `shared(make, key)`, an object is common to all nodes of the session.
        """
        if self._share is None:
            raise errors.InternalError(None, node, f"{node.type} needs a session")
        share, key = self._share, cell_key(node)
        return lambda make, key=key: share(key, make)

    def lax(self, node: Operation) -> Any:
        return backend.jax().lax

    def traced(self) -> TraceEnvironment:
        """An environment for functions that a kernel differentiates with JAX."""
        return TraceEnvironment(self._fetch)


class TraceEnvironment(Environment):
    """Kernels are traced by JAX; what is known now stays NumPy.

    Attributes:
        failed: 0, or 1 + the number of the first check that failed; an int32 tracer once there are checks.
        messages: (node, message, data) of each check.
        capacity: the room for lists that grow in loops of unknown length.
        lengths: tensors that lists get their length from when the program runs.
    """

    tracing = True

    def __init__(
        self, fetch: Callable[[str], Any], capacity: int = 64, lengths: frozenset[Tensor] = frozenset()
    ) -> None:
        super().__init__(fetch)
        register()
        self._jax = backend.jax()
        self.tools = (self._pick, self._settle, self._settle_all, self._need)
        self.failed: Any = np.int32(0)
        self.messages: list[tuple[Operation, str, Sequence[Any]]] = []
        self.depth = 0
        self.capacity, self.lengths = capacity, lengths

    def _pick(self, *values: Any) -> Any:
        jax = self._jax
        for value in values:
            if isinstance(value, jax.Array):
                return jax.numpy
        return np

    def _settle(self, value: Any, dtype: np.dtype[Any]) -> Any:
        if isinstance(value, self._jax.Array):
            return value if value.dtype == dtype else value.astype(dtype)
        return calling.settled(value, dtype) if not isinstance(value, Hole) else value

    def _settle_all(self, values: list[Any], wanted: list[Any]) -> list[Any]:
        return [v if d is None else self._settle(v, d) for v, d in zip(values, wanted, strict=True)]

    def _need(self, value: Any, tensor: Tensor) -> Any:
        if isinstance(value, self._jax.Array) and tensor not in self.lengths:
            raise NeedStatic(tensor)
        return value

    def lax(self, node: Operation) -> Any:
        return self._jax.lax

    def check(self, node: Operation) -> Callable[..., None]:
        """Gives kernels `check(ok, message, *data)`: recorded, and decided when the program has run."""

        def check(ok: Any, message: str, *data: Any) -> None:
            if not isinstance(ok, self._jax.Array):
                _check_now(ok, message, *data)
                return
            numpy = self._jax.numpy
            if self.depth:  # values inside a loop or branch do not come out of it
                message, data = _PLACES.sub("?", message) if data else message, ()
            self.messages.append((node, message, data))
            code = np.int32(len(self.messages))
            self.failed = numpy.where(numpy.logical_and(self.failed == 0, ~numpy.all(ok)), code, self.failed)

        return check

    def traced(self) -> TraceEnvironment:
        return self


_PLACES = re.compile(r"\{\d*\}")
"""Where a check's message shows values."""


def _always_numpy(*values: Any) -> Any:
    return np


def _settled(value: Any, dtype: np.dtype[Any]) -> Any:
    if type(value) is np.ndarray and value.dtype == dtype:
        return value
    if isinstance(value, Hole):
        return value
    return calling.settled(value, dtype)


def _settled_all(values: list[Any], wanted: list[Any]) -> list[Any]:
    return [v if d is None else _settled(v, d) for v, d in zip(values, wanted, strict=True)]


def _as_it_is(value: Any, tensor: Tensor) -> Any:
    return value


def _check_now(ok: Any, message: str, *data: Any) -> None:
    if not np.all(ok):
        raise errors.InvalidArgumentError(None, None, message_with(message, data))


def message_with(message: str, data: Sequence[Any]) -> str:
    """A failed check's message, with the values it names filled in."""
    return message.format(*(np.asarray(d) for d in data)) if data else message


def _is_jax(value: Any) -> bool:
    return type(value).__module__.startswith("jax")

"""What kernels see around them while they run: NumPy's world, or a trace into XLA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.lower import Lowered, lower_function
from evergraph.graph import kernel
from evergraph.graph.function import FuncGraph
from evergraph.graph.kernel import NeedStatic
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.philox import Stream, initial_state
from evergraph.passes.state import cell_key, has_storage, is_handle, with_inner


class Cell:
    """One stored value, as kernels see it during a step.

    Attributes:
        key: its name in the store.
        changed: whether this step has assigned to it.
    """

    __slots__ = ("key", "_value", "changed", "label")

    def __init__(self, key: str, value: Any, label: str = "") -> None:
        self.key, self._value, self.changed, self.label = key, value, False, label or key

    @property
    def is_set(self) -> bool:
        return self._value is not None

    @property
    def value(self) -> Any:
        """The stored value.

        Raises:
            FailedPreconditionError: nothing was assigned yet.
        """
        if self._value is None:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.label}")
        return self._value

    def peek(self) -> Any:
        """The stored value, or None."""
        return self._value

    def assign(self, value: Any) -> None:
        self._value, self.changed = value, True


class Function:
    """A function attr as kernels call it: `body(*args)` gives the list of its outputs.

    Loops and branches that are compiled must carry what the body changes besides its outputs: see `Threaded`.
    """

    def __init__(self, environment: Environment, graph: FuncGraph) -> None:
        self.environment, self.graph = environment, graph
        self.lowered: Lowered = lower_function(graph)

    def __call__(self, *args: Any) -> list[Any]:
        return list(self.lowered.call(self.environment, *args))

    @property
    def cells(self) -> list[Cell]:
        """The storage of the nodes inside, at any depth."""
        return [self.environment.cell(n) for n in with_inner(self.lowered.nodes) if has_storage(n) and not is_handle(n)]


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
            found = self.cells[key] = Cell(key, self._load(key), node.attrs.get("shared_name") or node.name)
        return found

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


class NumpyEnvironment(Environment):
    """Kernels run at once, on NumPy arrays."""

    def __init__(self, fetch: Callable[[str], Any]) -> None:
        super().__init__(fetch)
        self.tools = (_always_numpy, _settled, _settled_all, _as_it_is)

    def _load(self, key: str) -> Any:
        value = self._fetch(key)
        return np.asarray(value) if _is_jax(value) else value

    def check(self, node: Operation) -> Callable[..., None]:
        return _check_now

    def lax(self, node: Operation) -> Any:
        import jax

        return jax.lax

    def traced(self) -> TraceEnvironment:
        """An environment for functions that a kernel differentiates with JAX."""
        return TraceEnvironment(self._fetch)


class TraceEnvironment(Environment):
    """Kernels are traced by JAX; what is known now stays NumPy.

    Attributes:
        failed: 0, or 1 + the number of the first check that failed; an int32 tracer once there are checks.
        messages: (node, message, data) of each check.
    """

    tracing = True

    def __init__(self, fetch: Callable[[str], Any]) -> None:
        super().__init__(fetch)
        import jax

        self._jax = jax
        self.tools = (self._pick, self._settle, self._settle_all, self._need)
        self.failed: Any = np.int32(0)
        self.messages: list[tuple[Operation, str, Sequence[Any]]] = []
        self.depth = 0

    def _pick(self, *values: Any) -> Any:
        jax = self._jax
        for value in values:
            if isinstance(value, jax.Array):
                return jax.numpy
        return np

    def _settle(self, value: Any, dtype: np.dtype[Any]) -> Any:
        if isinstance(value, self._jax.Array):
            return value if value.dtype == dtype else value.astype(dtype)
        return kernel.settled(value, dtype) if not isinstance(value, Hole) else value

    def _settle_all(self, values: list[Any], wanted: list[Any]) -> list[Any]:
        return [v if d is None else self._settle(v, d) for v, d in zip(values, wanted, strict=True)]

    def _need(self, value: Any, tensor: Tensor) -> Any:
        if isinstance(value, self._jax.Array):
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
            self.messages.append((node, message, data if self.depth == 0 else ()))
            code = np.int32(len(self.messages))
            self.failed = numpy.where(numpy.logical_and(self.failed == 0, ~numpy.all(ok)), code, self.failed)

        return check

    def threaded(self, functions: Sequence[Function], arguments: Sequence[Any]) -> Threaded:
        """See `Threaded`."""
        return Threaded(self, functions, arguments)

    def traced(self) -> TraceEnvironment:
        return self


class Threaded:
    """Carries what functions change (cells, failed checks) through compiled loops and branches.

    Attributes:
        cells: every cell the functions may touch: their own and those among their arguments.
    """

    def __init__(self, environment: TraceEnvironment, functions: Sequence[Function], arguments: Sequence[Any]) -> None:
        self.environment = environment
        own = [c for f in functions for c in f.cells]
        given = [a for a in arguments if isinstance(a, Cell)]
        unique = {c.key: c for c in (*own, *given)}
        for function in functions:  # random streams start before the loop, so that the carry keeps its form
            for node in with_inner(function.lowered.nodes):
                if "rng" in node.opdef.wants:
                    environment.rng(node)
        self.cells = [c for c in unique.values() if c.is_set]

    def state(self) -> tuple[Any, ...]:
        """The values to carry."""
        return (*(c.peek() for c in self.cells), np.int32(0) + self.environment.failed)

    def run(
        self, function: Function, arguments: Sequence[Any], state: Sequence[Any]
    ) -> tuple[list[Any], tuple[Any, ...]]:
        """Calls `function` with `state` in place; gives back its outputs and the state afterwards."""
        environment = self.environment
        saved = [(c, c.peek(), c.changed) for c in self.cells]
        failed, depth = environment.failed, environment.depth
        for cell, value in zip(self.cells, state[:-1], strict=True):
            cell._value = value
        environment.failed, environment.depth = state[-1], depth + 1
        try:
            outputs = function(*arguments)
            after = (*(c.peek() for c in self.cells), environment.failed)
            self._changed = {c for c in self.cells if c.changed}
        finally:
            for cell, value, changed in saved:
                cell._value, cell.changed = value, changed or cell.changed
            environment.failed, environment.depth = failed, depth
        return outputs, after

    def restore(self, state: Sequence[Any]) -> None:
        """Puts the state after the loop or branch in place."""
        for cell, value in zip(self.cells, state[:-1], strict=True):
            cell._value = value
        self.environment.failed = state[-1]


class Hole:
    """Stands for a value of one branch that the other branch alone produces."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype


def _always_numpy(*values: Any) -> Any:
    return np


def _settled(value: Any, dtype: np.dtype[Any]) -> Any:
    if type(value) is np.ndarray and value.dtype == dtype:
        return value
    if isinstance(value, Hole):
        return value
    return kernel.settled(value, dtype)


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

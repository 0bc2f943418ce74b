"""The contexts of a step: kernels run at once on NumPy arrays, or JAX traces them into one XLA program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from evergraph.base import errors
from evergraph.compile import backend, branch, loop
from evergraph.compile.calls import Function, call, gradient, read
from evergraph.compile.lower import lower_function
from evergraph.compile.undo import Watcher
from evergraph.compile.vectorize import (
    Vectorized,
    can_vectorize,
    drawing,
    has_no_effects,
    may_run_at_once,
    uses_session,
)
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.calling import MEANINGS
from evergraph.kernel.cells import Cell, SharedCell, cells_of
from evergraph.kernel.context import (
    Check,
    ErrorClass,
    Room,
    Shared,
    always_numpy,
    check_now,
    not_traced,
    unchanged,
)
from evergraph.kernel.philox import Stream, initial_state
from evergraph.kernel.quiet import quietly
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, SIZE_ASSUMED, LongLoop, NeedStatic
from evergraph.kernel.rows import Rows
from evergraph.kernel.storage import Storage, put
from evergraph.kernel.values import array_module, is_traced, settled
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.state import cell_key, with_inner

Share = Callable[[str, Callable[[], Any]], Any]
_HOST_ARRAYS = frozenset((np.ndarray,))


def label_of(node: Operation) -> str:
    """What errors call the storage of a node."""
    return node.attrs.get("shared_name") or node.name


class StepContext:
    """What both contexts of a step have: cells by key, random streams, functions.

    Args:
        fetch: returns the stored value of a key, or None.
    """

    gives: ClassVar[frozenset[str]] = frozenset(MEANINGS)
    tracing: ClassVar[bool] = False
    mixed: MixedPrecision | None = None

    def __init__(self, fetch: Callable[[str], Any]) -> None:
        self._fetch = fetch
        self.cells: dict[str, Cell] = {}

    def cell(self, node: Operation) -> Cell:
        """The node's storage."""
        key = cell_key(node)
        found = self.cells.get(key)
        if found is None:
            found = self.cells[key] = self._new_cell(key, label_of(node))
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

    def lax(self, node: Operation) -> Any:
        return backend.jax().lax

    def known(self, node: Operation) -> Known | None:
        """What the host knows about the ids that a node gets; None outside of traces, where the ids themselves are."""
        return None

    def function(self, graph: FuncGraph) -> Function:
        return Function(self, graph)

    def call(self, node: Operation, function: Function, arguments: Sequence[Any]) -> list[Any]:
        return call(node, function, arguments)

    def gradient(self, node: Operation, function: Function, values: Sequence[Any]) -> list[Any]:
        return gradient(node, self.traced().function(function.graph), values)

    def traced(self) -> TraceContext:
        """The context for functions that JAX traces."""
        raise NotImplementedError

    def detached(self) -> DetachedCalls:
        raise errors.InternalError(None, None, "functions outlive only the stages of the host")


class Known:
    """What the host knows about the ids that a node of a compiled program gets.

    Args:
        node: the node.
        bounds: numbers that the ids in these tensors are below, unless they are padding; for ids of segments, how many
            segments there are.
    """

    def __init__(self, node: Operation, bounds: Mapping[Tensor, int]) -> None:
        self._node, self._bounds = node, bounds

    def are_below(self, name: str, limit: int) -> bool:
        """Whether the ids in an input are known to be in [0, limit)."""
        tensor = self._input(name)
        while tensor not in self._bounds and _is_picked(tensor):
            tensor = tensor.op._inputs[0]
        bound = self._bounds.get(tensor)
        return bound is not None and bound <= limit

    @property
    def count(self) -> int:
        """How many segments there are."""
        assert self._node.opdef.padding is not None and self._node.opdef.padding.counts is not None
        return self._bounds[self._input(self._node.opdef.padding.counts)]

    def _input(self, name: str) -> Tensor:
        return self._node._inputs[[arg.name for arg in self._node.opdef.plan.inputs].index(name)]


def _is_picked(tensor: Tensor) -> bool:
    """Whether all elements of a vector are elements of its node's input: a view, or distinct ones."""
    opdef = tensor.op.opdef
    is_distinct = opdef.fixed_size_kernel is not None and opdef.padding is None and tensor.value_index == 0
    return is_distinct or opdef.memory is Memory.VIEW and bool(tensor.op._inputs)


class NumpyContext(StepContext):
    """Kernels run at once, on NumPy arrays.

    Args:
        fetch: returns the stored value of a key, or None.
        share: `share(key, make)` returns the session's object of a key; None outside of sessions.
        storage: the store itself, for host stages, during which other threads may change it.

    Attributes:
        calls: how many kernels loops have called.
        most_calls: how many they may call.
    """

    most_calls: float = math.inf
    watcher: Watcher | None = None  # of a watched run

    xp, static = staticmethod(always_numpy), staticmethod(unchanged)
    settle = staticmethod(settled)

    def __init__(
        self,
        fetch: Callable[[str], Any],
        share: Share | None = None,
        storage: Storage | None = None,
    ) -> None:
        self._fetch, self._share, self._storage = fetch, share, storage
        self.cells: dict[str, Cell] = {}
        self.calls = 0

    def fill(self, labels: dict[str, str], values: list[Any]) -> None:
        """Makes the cells of stored values; the labels are by their keys."""
        if not _HOST_ARRAYS.issuperset(map(type, values)):
            values = [np.asarray(value) if is_traced(value) else value for value in values]
        self.cells = cells_of(labels, values)

    def _new_cell(self, key: str, label: str) -> Cell:
        if self._storage is None:
            return super()._new_cell(key, label)
        return SharedCell(key, self._load, self._storage, label)

    def _load(self, key: str) -> Any:
        value = self._fetch(key)
        return np.asarray(value) if is_traced(value) else value

    def lax(self, node: Operation) -> Any:
        return super().lax(node) if node.opdef.slow_on_numpy is None else None

    def check(self, node: Operation) -> Check:
        return check_now

    def room(self, node: Operation) -> Room:
        return not_traced

    def shared(self, node: Operation) -> Shared:
        if self._share is None:
            raise errors.InternalError(None, node, f"{node.type} needs a session")
        share, own = self._share, cell_key(node)

        def shared(make: Callable[[], Any], key: str = own) -> Any:
            return share(key, make)

        return shared

    def count_calls(self, calls: int) -> None:
        """Counts kernels that an iteration of a loop has called.

        Raises:
            LongLoop: there are more of them than this run may call.
        """
        self.calls += calls
        if self.calls > self.most_calls:
            raise LongLoop

    def choose(self, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]) -> list[Any]:
        return branch.run_branch(node, index, branches, arguments)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        return loop.run_loop(node, cond, body, arguments, self.count_calls)

    def traced(self) -> TraceContext:
        """The context for functions that a kernel differentiates with JAX."""
        return TraceContext(self._fetch)

    def detached(self) -> DetachedCalls:
        return super().detached() if self._storage is None else DetachedCalls(self._storage, self._share)


_LARGE = 1 << 18  # bytes of a result: its memory is not given back to the system, but serves for the next ones


class DetachedCalls:
    """Calls functions on NumPy when the step is over whose kernel asked for it; see `Context.detached`."""

    def __init__(self, storage: Storage, share: Share | None) -> None:
        self._storage, self._share = storage, share

    def function(self, graph: FuncGraph, streams: dict[str, Any]) -> Callable[..., list[Any]]:
        lowered, storage, share = lower_function(graph, on_numpy=True), self._storage, self._share

        def call(*arguments: Any) -> list[Any]:
            context = DetachedContext(storage, share, streams)
            given = [context.own(a) if isinstance(a, Cell) else a for a in arguments]
            outputs = [read(v) for v in quietly(lowered.call, context, *given)]
            context.commit()
            return outputs

        return call

    def may_run_at_once(self, graph: FuncGraph) -> bool:
        return may_run_at_once(graph)

    def is_worth_threads(self, graph: FuncGraph) -> bool:
        return any(node.opdef.worth_threads for node in with_inner(lower_function(graph).nodes))

    def is_quiet(self, graph: FuncGraph) -> bool:
        return has_no_effects(graph) and not uses_session(graph)

    def batched(self, graph: FuncGraph, streams: dict[str, Any], count: int) -> Callable[..., list[Any]] | None:
        if not can_vectorize(graph, count):
            return None
        several = Vectorized(graph, [place < count for place in range(len(graph.inputs))])
        keys, storage, share = [cell_key(node) for node in drawing(graph)], self._storage, self._share

        def call(rows: int, columns: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
            before = {key: streams[key] for key in keys if key in streams}
            context = DetachedContext(storage, share, streams)
            given = [context.own(a) if isinstance(a, Cell) else a for a in captured]
            try:
                outputs = quietly(several.run, context, [*map(Rows, columns), *given], rows)
            except Exception:
                for key in keys:
                    streams.pop(key, None)
                streams.update(before)
                raise
            found = [v.values if isinstance(v, Rows) else np.repeat(np.asarray(v)[None], rows, axis=0) for v in outputs]
            if any(isinstance(each, np.ndarray) and each.nbytes >= _LARGE for each in found):
                backend.memory_is_kept()
            return found

        return call


class DetachedContext(NumpyContext):
    """One call of a function after the step that handed the function on.

    Args:
        storage, share: as for `NumpyContext`; the values of variables are those of the call.
        streams: the states of random streams by key, which belong to the caller.
    """

    def __init__(self, storage: Storage, share: Share | None, streams: dict[str, Any]) -> None:
        super().__init__(lambda key: storage.snapshot((key,))[0], share, storage)
        self._store, self._streams = storage, streams

    def rng(self, node: Operation) -> Stream:
        key = cell_key(node)
        if key not in self._streams:
            self._streams[key] = initial_state(node.attrs.get("seed", 0), node.attrs.get("seed2", 0))
        return Stream(_StreamState(self._streams, key))

    def own(self, cell: Cell) -> Cell:
        """The cell of this call for the stored value that a cell of an earlier step refers to."""
        if cell.key not in self.cells:
            self.cells[cell.key] = self._new_cell(cell.key, cell.label)
        return self.cells[cell.key]

    def commit(self) -> None:
        """Stores what the call has assigned."""
        changed = [cell for cell in self.cells.values() if cell.changed]
        if not changed:
            return
        keys = frozenset(cell.key for cell in changed)
        with self._store.using(keys, keys):
            values = {cell.key: cell.peek() for cell in changed}
            put(self._store, {key: np.array(value) if isinstance(value, (np.ndarray, np.generic)) else value
                              for key, value in values.items()})


class _StreamState:
    """The state of a random stream in a dictionary, as `Stream` uses it."""

    __slots__ = ("_streams", "_key")

    def __init__(self, streams: dict[str, Any], key: str) -> None:
        self._streams, self._key = streams, key

    @property
    def value(self) -> Any:
        return self._streams[self._key]

    def assign(self, value: Any) -> None:
        self._streams[self._key] = value


class TraceContext(StepContext):
    """JAX traces the kernels; values known at trace time stay NumPy arrays.

    Attributes:
        failed: 0, or 1 + the index of the first check that failed; an int32 tracer once there are checks.
        messages: (node, error class, message, data) of each check.
        depth: how many compiled loops and branches surround the kernel being traced.
        capacity: how many elements lists can hold that grow in loops of unknown trip count.
        lengths: tensors that lists get their length from at run time.
        bounds: what the host knows about ids; see `Known`.
        assumes_sizes: whether the program may rely on sizes that it checks.
        mixed: how it computes in mixed precision, if it does.
        loops: how many loops have been traced so far.
    """

    gives = StepContext.gives - {"shared"}
    tracing = True
    xp = staticmethod(array_module)

    def __init__(
        self,
        fetch: Callable[[str], Any],
        capacity: int = 64,
        lengths: frozenset[Tensor] = frozenset(),
        bounds: Mapping[Tensor, int] | None = None,
        assumes_sizes: bool = False,
        mixed: MixedPrecision | None = None,
    ) -> None:
        super().__init__(fetch)
        self._jax = backend.jax()
        self.failed: Any = np.int32(0)
        self.messages: list[tuple[Operation, ErrorClass, str, Sequence[Any]]] = []
        self.depth = 0
        self.capacity, self.lengths, self.bounds = capacity, lengths, bounds or {}
        self.assumes_sizes, self.mixed = assumes_sizes, mixed
        self.loops = 0

    def known(self, node: Operation) -> Known:
        return Known(node, self.bounds)

    def settle(self, value: Any, dtype: np.dtype[Any]) -> Any:
        if is_traced(value):
            if value.size > _MOST_ELEMENTS:  # XLA would end the process
                raise errors.InvalidArgumentError(None, None, f"no tensor can have the shape {list(value.shape)}")
            return value if value.dtype == dtype else value.astype(dtype)
        return settled(value, dtype)

    def static(self, value: Any, tensor: Tensor) -> Any:
        if is_traced(value) and tensor not in self.lengths and not _is_length_of_lists(tensor):
            raise NeedStatic(tensor)
        return value

    def check(self, node: Operation) -> Check:
        """Records the check; it is decided when the program has run."""

        def check(ok: Any, message: str, *data: Any, error: ErrorClass = errors.InvalidArgumentError) -> None:
            if not is_traced(ok) and (np.all(ok) or not any(map(is_traced, data))):
                check_now(ok, message, *data, error=error)
                return
            if message is SIZE_ASSUMED:
                if not self.assumes_sizes:
                    raise NeedStatic(data[0])
                data = ()
            numpy = self._jax.numpy
            if self.depth:  # tracers of a loop's or branch's body cannot leave it
                is_pattern = bool(data) and type(message) is str  # an assertion's message is what is known of its data
                message, data = message.format(*"?" * len(data)) if is_pattern else message, ()
            self.messages.append((node, error, message, data))
            code = np.int32(len(self.messages))
            self.failed = numpy.where(numpy.logical_and(self.failed == 0, ~numpy.all(ok)), code, self.failed)

        return check

    def room(self, node: Operation) -> Room:
        """The capacity, which is checked."""

        def room(length: Any) -> int:
            self.check(node)(length <= self.capacity, CAPACITY_EXCEEDED)
            return self.capacity

        return room

    def shared(self, node: Operation) -> Shared:
        raise errors.InternalError(None, node, f"{node.type} uses a Python object and cannot be traced")

    def choose(self, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]) -> list[Any]:
        return branch.trace_branches(self, node, index, branches, arguments)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        return loop.trace_loop(self, node, cond, body, arguments)

    def traced(self) -> TraceContext:
        return self


def _is_length_of_lists(tensor: Tensor) -> bool:
    """Whether the tensor is the length of a list, and all that is made of it are lists of that length."""
    return tensor.op.opdef.kind is Kind.LIST_LENGTH \
        and all(user.opdef.kind is Kind.LIST_RESERVE for user in tensor._consumers)


_MOST_ELEMENTS = 1 << 58  # their bytes and bits too are counted in 64 bits

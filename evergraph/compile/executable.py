"""A stage compiled into one XLA program, with the state that it reads, updates and creates."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from evergraph.base import errors
from evergraph.compile import backend
from evergraph.compile.cache import compilations
from evergraph.compile.contexts import NumpyContext, TraceContext
from evergraph.compile.footprint import Footprint
from evergraph.compile.lower import Lowered
from evergraph.graph.node import Operation
from evergraph.kernel import fused_updates
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import message_with
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.transfer import register
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, NeedCapacity
from evergraph.kernel.values import is_traced
from evergraph.passes.partition import Stage
from evergraph.passes.state import with_inner

LARGE_CONSTANT = 1 << 16  # bytes


class Values(Protocol):
    """What a stage needs of a session's store."""

    layout: int

    @property
    def lock(self) -> AbstractContextManager[Any]: ...
    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Any: ...
    def get(self, key: str) -> Any: ...
    def read(self, key: str) -> Any: ...
    def shared(self, key: str, make: Any) -> Any: ...
    def put(self, key: str, value: Any) -> None: ...
    def swap(self, key: str, value: Any) -> None: ...


class Executable:
    """A stage compiled for one signature: shapes of inputs, values of static inputs, layout of the store.

    The program takes the stored values that the stage writes, those that it only reads, and the dynamic inputs. The
    last stage of a run donates the values that it writes. The program returns one flat tuple: the values of the cells
    written, of the cells set for the first time, 0 or 1 + the number of the check that failed, and the outputs.

    Args:
        stage: the stage.
        lowered: its code.
        footprint: what it stores.
        capacity: the room for lists that grow in loops of unknown length.
        store: the values that it is compiled for.
        args: the inputs that it is compiled for.

    Attributes:
        write_keys: stored values that the program replaces.
        read_keys: stored values that it only reads.
        new_keys: cells that it sets for the first time.
        checks: the node of each check and the message for its failure.
    """

    def __init__(
        self, stage: Stage, lowered: Lowered, footprint: Footprint, capacity: int, store: Values, args: Sequence[Any]
    ) -> None:
        jax = backend.jax()
        register()  # a list may be among the arguments of the process's first program
        self.stage, self.lowered, self.capacity = stage, lowered, capacity
        for key, value in _new_streams(stage, store).items():
            store.put(key, value)
        present = [k for k in footprint.keys if store.get(k) is not None]
        self.write_keys = [k for k in present if k in footprint.written]
        self.read_keys = [k for k in present if k not in footprint.written]
        self.new_keys: list[str] = []
        self.checks: list[tuple[Operation, str]] = []
        self._static = {i: args[i] for i in stage.static_positions}
        self._outputs: list[Callable[[Sequence[Any]], Any]] = []  # each finds one output in what the program returns
        donated = tuple(range(len(self.write_keys))) if stage.is_last else ()
        self._jit = functools.partial(jax.jit, donate_argnums=donated, compiler_options=backend.compiler_options())
        self.jitted: Any = None  # made by the first run
        self._constants: list[Any] = []  # large ones, which are arguments of the program

    def run(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> Sequence[Any]:
        """The outputs of the stage. Values that it replaces go to `undo`, unless it is the last stage."""
        state = [_on_device(store, k) for k in (*self.write_keys, *self.read_keys)]
        if len({id(v) for v in state}) < len(state):
            state = _unshared(state)
        inputs = [*state, *[args[i] for i in self.stage.dynamic_positions]]
        if self.jitted is None:
            self.jitted, self._constants = _without_large_constants(self._jit, self._trace, inputs)
        found = self.jitted(*inputs, *self._constants)
        changed, new = len(self.write_keys), len(self.new_keys)
        for key, value in zip(self.write_keys, found):
            if not self.stage.is_last:
                undo.setdefault(key, store.get(key))
            store.swap(key, value)
        if self.checks and (code := int(found[changed + new])):
            self._raise(code - 1, [*found[:changed], *inputs[changed:]])
        for key, value in zip(self.new_keys, found[changed:]):
            undo.setdefault(key, None)
            store.put(key, value)
        if changed and len(found) == changed + new + 1:
            found[0].block_until_ready()  # the caller may change a fed array as soon as this returns
        return [output(found) for output in self._outputs]

    def _raise(self, number: int, inputs: Sequence[Any]) -> None:
        """Raises the error of a check that failed in a step with these inputs."""
        node, message = self.checks[number]
        if message is CAPACITY_EXCEEDED:
            raise NeedCapacity
        error = errors.InvalidArgumentError(None, None, message_with(message, self._shown(number, inputs)))
        error.failed_node = node
        raise error

    def _shown(self, number: int, inputs: Sequence[Any]) -> list[Any]:
        """The values in the message of a check: computed only after it has failed, by a program of their own."""
        jax = backend.jax()
        items: list[Any] = []

        def compute(*values: Any) -> list[Any]:
            context, _, _ = self._run_traced(values)
            items[:] = context.messages[number][2]
            return [item for item in items if is_traced(item)]

        computed = iter(jax.jit(compute)(*inputs))
        return [next(computed) if is_traced(item) else item for item in items]

    # ---- trace time

    def _trace(self, *values: Any) -> tuple[Any, ...]:
        """The function that XLA compiles."""
        numpy = backend.jax().numpy
        compilations.count += 1
        context, given, outputs = self._run_traced(values)
        self.checks = [(node, message) for node, message, _ in context.messages]
        wanted = context.failed == 0 if self.checks else True
        fused_updates.settle(context.cells.values(), wanted)
        state = [self._after(context, given, key, wanted) for key in self.write_keys]
        self.new_keys = [c.key for c in context.cells.values() if c.changed and c.key not in given]
        state += [numpy.asarray(context.cells[k].peek()) for k in self.new_keys]
        state.append(context.failed)
        return tuple(state + self._flattened(outputs, values, len(state)))

    def _run_traced(self, values: Sequence[Any]) -> tuple[TraceContext, dict[str, Any], Sequence[Any]]:
        """(the context after the step, the stored values before it, the outputs), traced."""
        keys = [*self.write_keys, *self.read_keys]
        given = dict(zip(keys, values[: len(keys)], strict=True))
        context = TraceContext(given.get, self.capacity, self.stage.lengths)
        return context, given, self.lowered.call(context, *self._arguments(values[len(keys) :]))

    def _arguments(self, dynamic: Sequence[Any]) -> list[Any]:
        given = self._static | dict(zip(self.stage.dynamic_positions, dynamic))
        return [given[position] for position in range(len(self.stage.inputs))]

    def _flattened(self, outputs: Sequence[Any], values: Sequence[Any], start: int) -> list[Any]:
        """The arrays that the outputs consist of; notes how each output is made of what the program returns.

        An output that is known at trace time is no part of the program.
        """
        jax = backend.jax()
        arguments = {id(v) for v in values}
        leaves: list[Any] = []
        self._outputs = []
        for output in outputs:
            place = start + len(leaves)
            if not is_traced(output) and not is_list(output):
                self._outputs.append(functools.partial(_known, output))
                continue
            parts, tree = jax.tree_util.tree_flatten(output)
            leaves += [jax.numpy.copy(leaf) if id(leaf) in arguments else leaf for leaf in parts]
            if is_list(output):
                self._outputs.append(functools.partial(_rebuilt, tree, slice(place, start + len(leaves))))
            else:
                self._outputs.append(operator.itemgetter(place))
        return leaves

    def _after(self, context: TraceContext, given: dict[str, Any], key: str, wanted: Any) -> Any:
        """The value of a cell after the step: the old one when a check failed."""
        numpy = backend.jax().numpy
        old = given[key]
        cell: Cell | None = context.cells.get(key)
        if cell is None or not cell.changed:
            return old
        in_part = cell.outcome(wanted)
        if in_part is not None:
            return in_part
        new = numpy.asarray(cell.peek())
        if new is not old and any(new is v for v in given.values()):
            new = numpy.copy(new)  # two variables must not share one buffer: each is donated
        if wanted is not True and new.shape == old.shape:
            new = numpy.where(wanted, new, old)
        return new


def _known(output: Any, found: Sequence[Any]) -> Any:
    return output


def _rebuilt(tree: Any, places: slice, found: Sequence[Any]) -> Any:
    return backend.jax().tree_util.tree_unflatten(tree, found[places])


def _without_large_constants(jit: Any, function: Any, inputs: Sequence[Any]) -> tuple[Any, list[Any]]:
    """(the jitted function, the constants that it takes after such inputs).

    XLA would fold computations on a constant and embed the result in the program, which takes long for large ones, and
    keep it on disk with the program.
    """
    jax = backend.jax()
    jitted = jit(function)
    traced = jitted.trace(*inputs)
    constants = traced.jaxpr.consts
    large = [place for place, value in enumerate(constants) if getattr(value, "nbytes", 0) >= LARGE_CONSTANT]
    if not large:
        return jitted, []
    known = [None if place in large else value for place, value in enumerate(constants)]
    tree = jax.tree_util.tree_structure(traced.out_info)

    def with_constants(*values: Any) -> Any:
        taken = iter(values[len(inputs) :])
        flat = jax.tree_util.tree_leaves(values[: len(inputs)])
        all_of_them = [next(taken) if place in large else value for place, value in enumerate(known)]
        results = jax.core.eval_jaxpr(traced.jaxpr.jaxpr, all_of_them, *flat)
        return jax.tree_util.tree_unflatten(tree, results)

    return jit(with_constants), [jax.numpy.asarray(np.asarray(constants[place])) for place in large]


def _new_streams(stage: Stage, store: Values) -> dict[str, Any]:
    """Initial states of random streams that no step has used yet: they enter the program as state."""
    context = NumpyContext(store.get, store.shared)
    created = {}
    for node in with_inner(stage.nodes):
        if "rng" in node.opdef.wants:
            context.rng(node)
            cell = context.cell(node)
            if cell.changed:
                created[cell.key] = cell.peek()
    return created


def _on_device(store: Values, key: str) -> Any:
    value = store.get(key)
    if type(value) is np.ndarray:
        # A copy in memory of its own, so that it can be donated; jax.numpy.array would compile one for each shape.
        value = backend.jax().device_put(value, may_alias=False).block_until_ready()
        store.swap(key, value)
    return value


def _unshared(state: list[Any]) -> list[Any]:
    """Copies of values that occur twice: one buffer can be donated only once."""
    seen: set[int] = set()
    result = []
    for value in state:
        result.append(backend.jax().numpy.copy(value) if id(value) in seen else value)
        seen.add(id(value))
    return result

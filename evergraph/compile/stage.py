"""Runs one stage of a plan: on NumPy, or as a compiled program that reads and updates the store."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from evergraph.base import dtypes, errors, logging
from evergraph.compile import backend
from evergraph.compile.cache import Executables, Work, compilations, tier
from evergraph.compile.contexts import NumpyContext, TraceContext
from evergraph.compile.loop import FIRST_CAPACITY
from evergraph.compile.lower import lower
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.graph.shaping import product
from evergraph.graph.traits import Kind
from evergraph.kernel import fused_updates
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import message_with
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.transfer import host_list, register, with_plain_length
from evergraph.kernel.signals import OUTGROWN, NeedStatic, Uncompilable
from evergraph.kernel.values import is_traced
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key, has_storage, touched, with_inner

LARGE_CONSTANT = 1 << 16  # bytes
# Nodes that run their functions many times, or have JAX differentiate them in every run.
_REPEATS = (Kind.WHILE, Kind.GRADIENT)
_MOVES = (Kind.ASSIGN, Kind.VARIABLE, Kind.NO_OP)


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


class StageRunner:
    """A stage and the ways found to run it."""

    def __init__(self, stage: Stage, forced_tier: str | None) -> None:
        self.stage, self.forced_tier = stage, forced_tier
        self.lowered = lower(stage.nodes, stage.inputs, stage.outputs, stage.fixed, stage.fresh)
        inner = list(with_inner(stage.nodes))
        self.keys = list(dict.fromkeys(cell_key(n) for n in inner if has_storage(n)))
        self.written = frozenset(_written(inner))
        self.used = self.written.union(self.keys)
        self.executables = Executables()
        self._compiling = threading.RLock()
        self.capacity = FIRST_CAPACITY
        self._seen_layout = -1
        self._own_layout: Any = None
        self.runs: dict[Any, int] = {}
        self.hot: set[Any] = set()  # signatures that the policy has given to XLA, for good
        self.stays_on_numpy = stage.on_host
        # Of a list that is needed as such, the length is known between stages and the elements may be computed.
        plain = [t in stage.static and t._dtype is not dtypes.variant for t in stage.inputs]
        self._static = [i for i, is_plain in enumerate(plain) if is_plain]
        self._dynamic = [i for i, is_plain in enumerate(plain) if not is_plain]
        self._nodes = sum(1 for n in inner if n.opdef.kind is not Kind.CONSTANT) + 20 * sum(
            len(list(with_inner([n]))) for n in inner if n.opdef.kind in _REPEATS
        )
        self._device_only = any("lax" in n.opdef.wants for n in inner)
        self.takes_over = forced_tier is None and _takes_over(stage)
        self.hands_on_lists = False  # to gradients of loops, which are the same for all lengths
        self._updates = any(w for n in inner for _, w in touched(n) if n.opdef.kind is not Kind.ASSIGN)

    @property
    def is_never_compiled(self) -> bool:
        """Whether a stage for the device uses nothing stored, and is too small to be compiled whatever comes in."""
        if self.stage.on_host or self.forced_tier is not None or self.keys:
            return False
        counts = [product((None,) if t._shape is None else t._shape) for t in self.stage.inputs]
        known = [count for count in counts if count is not None]
        return len(known) == len(counts) and Work(self._nodes, sum(known), self._updates, self._device_only).is_small

    def run(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> Sequence[Any]:
        """The outputs of the stage. Old values it replaces in `store` go to `undo`, unless it is the last stage."""
        if self.stays_on_numpy or self.takes_over:
            return self._run_numpy(store, args, undo)
        signature = tuple([(a.shape, a.dtype) for a in args])
        if self.forced_tier is None and signature not in self.hot:
            earlier = self.runs.get(signature, 0)
            work = self._work(store, args)
            # A small stage never asks for the platform, so that a program of small ones never loads JAX.
            platform = "cpu" if work.is_small else backend.platform()
            if tier(work, earlier, self.executables.signatures, platform) == "numpy":
                self.runs[signature] = earlier + 1
                return self._run_numpy(store, args, undo)
            self.hot.add(signature)
        elif self.forced_tier == "numpy":
            return self._run_numpy(store, args, undo)
        try:
            return self._run_compiled(store, args, signature, undo)
        except (Uncompilable, NeedStatic) as reason:
            if isinstance(reason, NeedStatic) and not isinstance(reason.tensor.graph, FuncGraph):
                raise
            self._leave_uncompiled(reason)
        except backend.jax().errors.JAXTypeError as reason:  # a kernel looked at a value that is only being traced
            self._leave_uncompiled(reason)
        return self._run_numpy(store, args, undo)

    def _leave_uncompiled(self, reason: Exception) -> None:
        """Has something run as Python from now on that no compiled program can do: one node, or else the stage.

        Raises:
            LeftOut: it is one node, without which the rest can be compiled.
        """
        if self.forced_tier == "xla":
            text = f"{reason} has to be known before its loop or branch runs" if isinstance(reason, NeedStatic) \
                else str(reason)
            raise errors.UnimplementedError(None, None, f"cannot be compiled: {text}") from reason
        node = self._node_behind(reason)
        if node is not None:
            raise LeftOut(node) from reason
        self.stays_on_numpy = True

    def _node_behind(self, error: Exception) -> Operation | None:
        """The node of this stage whose kernel was traced when the error was raised."""
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == self.lowered.file:
                return self.lowered.node_at(step.tb_lineno)
            step = step.tb_next
        return None

    def _work(self, store: Values, args: Sequence[Any]) -> Work:
        elements = sum(a.size for a in args) + sum(getattr(store.get(k), "size", 0) for k in self.keys)
        return Work(self._nodes, elements, self._updates or self.hands_on_lists, self._device_only)

    # ---- NumPy

    def _run_numpy(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> Sequence[Any]:
        host = [a if type(a) is np.ndarray else _on_host(a) for a in args] if args else args
        if not self.keys:
            with np.errstate(all="ignore"):
                return self.lowered.call(NumpyContext(store.get, store.shared), *host)
        if self.stage.on_host:  # may wait for other threads, which must not wait for it
            return self._step(store, host, undo)
        with store.using(self.used, self.written):
            return self._step(store, host, undo)

    def _step(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> Sequence[Any]:
        on_host = self.stage.on_host
        context = NumpyContext(store.read if on_host else store.get, store.shared, store if on_host else None)
        with np.errstate(all="ignore"):
            outputs = self.lowered.call(context, *args)
        for cell in context.cells.values():
            if cell.changed:
                undo.setdefault(cell.key, store.get(cell.key))
                value = cell.peek()
                store.put(cell.key, value if self.takes_over else _own_copy(value))
        return outputs

    # ---- XLA

    def _run_compiled(self, store: Values, args: Sequence[Any], signature: Any, undo: dict[str, Any]) -> Sequence[Any]:
        with store.using(self.used, self.written):
            key = (self._layout(store), signature, tuple([args[i].tobytes() for i in self._static]))
            executable = self.executables.get(key)
            if executable is None:
                return self._run_first(store, args, key, undo)
            try:
                return executable.run(store, args, undo)
            except Outgrown:
                self.capacity *= 2
                outputs, executable = self._compiled(store, args, undo)
                self.executables.put(key, executable)
                return outputs

    def _run_first(self, store: Values, args: Sequence[Any], key: Any, undo: dict[str, Any]) -> Sequence[Any]:
        """Compiles the stage for inputs of a new form; other threads that have such inputs wait for the program."""
        with self._compiling:
            executable = self.executables.get(key)
            if executable is not None:
                return executable.run(store, args, undo)
            if self.executables.is_full and self.forced_tier is None:
                self._give_up(args)
                return self._run_numpy(store, args, undo)
            outputs, executable = self._compiled(store, args, undo)
            # Running may have created cells (random streams), which changes the layout once.
            self.executables.put((self._layout(store), *key[1:]), executable)
            return outputs

    def _layout(self, store: Values) -> Any:
        """The form of the stored values that this stage uses; looked at anew only when the store has changed."""
        if self._seen_layout != store.layout:
            values = [store.get(k) for k in self.keys]
            self._own_layout = tuple([(getattr(v, "shape", None), getattr(v, "dtype", None)) for v in values])
            self._seen_layout = store.layout
        return self._own_layout

    def _compiled(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> tuple[Sequence[Any], Executable]:
        """The outputs of the first run of a new program, and the program; lists that outgrow it get twice the room."""
        while True:
            with backend.uncollected():
                executable = Executable(self, store, args)
                try:
                    return executable.run(store, args, undo), executable
                except Outgrown:
                    self.capacity *= 2

    def _give_up(self, args: Sequence[Any]) -> None:
        self.stays_on_numpy = True
        shapes = "; ".join(f"{t.name} {a.shape}" for t, a in zip(self.stage.inputs, args, strict=True))
        logging.warn(
            f"Inputs keep changing shape or value, so this part of the graph now runs uncompiled, which is "
            f"slower. Give these tensors fixed sizes: {shapes}"
        )


class LeftOut(Exception):
    """A node that no compiled program can run, so that the stages have to be planned without it. Nothing was run."""

    def __init__(self, node: Operation) -> None:
        super().__init__(node.name)
        self.node = node


class Outgrown(Exception):
    """A list grew beyond the room that the compiled program has for it. Nothing was changed."""


class Executable:
    """A stage compiled for one signature: shapes of inputs, values of static inputs, layout of the store."""

    def __init__(self, runner: StageRunner, store: Values, args: Sequence[Any]) -> None:
        jax = backend.jax()
        register()  # a list may be among the arguments of the first program there is
        self.runner, self.stage = runner, runner.stage
        created = _new_streams(runner, store)
        for key, value in created.items():
            store.put(key, value)
        present = [k for k in runner.keys if store.get(k) is not None]
        self.write_keys = [k for k in present if k in runner.written]
        self.read_keys = [k for k in present if k not in runner.written]
        self.static = {i: args[i] for i in runner._static}
        self.results: list[tuple[bool, Any]] = []  # (is static, value or position among the dynamic outputs)
        self.fresh_keys: list[str] = []  # cells that this step sets for the first time
        self.checks: list[tuple[Operation, str]] = []  # the node of each and what it says when it fails
        donated = tuple(range(len(self.write_keys))) if self.stage.is_last else ()
        self._jit = functools.partial(jax.jit, donate_argnums=donated, compiler_options=backend.compiler_options())
        self.jitted: Any = None  # made by the first run
        self.constants: list[Any] = []  # large ones, which are arguments of the program

    def run(self, store: Values, args: Sequence[Any], undo: dict[str, Any]) -> Sequence[Any]:
        keep_old = not self.stage.is_last
        state = [_on_device(store, k) for k in (*self.write_keys, *self.read_keys)]
        if len({id(v) for v in state}) < len(state):
            state = _unshared(state)
        inputs = [*state, *[args[i] for i in self.runner._dynamic]]
        if self.jitted is None:
            self.jitted, self.constants = _without_large_constants(self._jit, self._trace, inputs)
        dynamic, changed, fresh, failed = self.jitted(*inputs, *self.constants)
        for key, value in zip(self.write_keys, changed, strict=True):
            if keep_old:
                undo.setdefault(key, store.get(key))
            store.swap(key, value)
        if self.checks and (code := int(failed)):
            self._raise(code - 1, [*changed, *inputs[len(changed) :]])
        for key, value in zip(self.fresh_keys, fresh, strict=True):
            undo.setdefault(key, None)
            store.put(key, value)
        if changed and not dynamic:
            changed[0].block_until_ready()  # a feed may be changed by the caller as soon as this returns
        results = [value if is_static else dynamic[value] for is_static, value in self.results]
        return results if self.runner.hands_on_lists else [with_plain_length(value) for value in results]

    def _raise(self, number: int, inputs: Sequence[Any]) -> None:
        """Says what check number so many of a step with these inputs found."""
        node, message = self.checks[number]
        if message is OUTGROWN:
            raise Outgrown
        error = errors.InvalidArgumentError(None, None, message_with(message, self._shown(number, inputs)))
        error.failed_node = node
        raise error

    def _shown(self, number: int, inputs: Sequence[Any]) -> list[Any]:
        """The values that a check shows: they are computed when it has failed, by a program of their own."""
        jax = backend.jax()
        items: list[Any] = []

        def compute(*values: Any) -> list[Any]:
            context, _, _ = self._run_traced(values)
            items[:] = context.messages[number][2]
            return [item for item in items if is_traced(item)]

        computed = iter(jax.jit(compute)(*inputs))
        return [next(computed) if is_traced(item) else item for item in items]

    def _run_traced(self, values: Sequence[Any]) -> tuple[TraceContext, dict[str, Any], Sequence[Any]]:
        """(the context after the step, the stored values before it, its outputs), all to be computed."""
        keys = [*self.write_keys, *self.read_keys]
        given = dict(zip(keys, values[: len(keys)], strict=True))
        context = TraceContext(given.get, self.runner.capacity, self.stage.lengths)
        return context, given, self.runner.lowered.call(context, *self._arguments(values[len(keys) :]))

    def _trace(self, *values: Any) -> Any:
        """What XLA compiles: (outputs, changed state, new state, 0 or 1 + the number of the check that failed)."""
        jax = backend.jax()
        compilations.count += 1
        context, given, outputs = self._run_traced(values)
        inputs = {id(v) for v in values}
        dynamic: list[Any] = []
        self.results = []
        for value in outputs:
            if is_traced(value) or is_list(value):
                self.results.append((False, len(dynamic)))
                apart = lambda leaf: jax.numpy.copy(leaf) if id(leaf) in inputs else leaf  # noqa: B023
                dynamic.append(jax.tree_util.tree_map(apart, value))
            else:
                self.results.append((True, value))
        self.checks = [(node, message) for node, message, _ in context.messages]
        wanted = context.failed == 0 if self.checks else True
        fused_updates.settle(context.cells.values(), wanted)
        changed = [self._after(context, given, key, wanted) for key in self.write_keys]
        self.fresh_keys = [c.key for c in context.cells.values() if c.changed and c.key not in given]
        fresh = [jax.numpy.asarray(context.cells[k].peek()) for k in self.fresh_keys]
        return dynamic, changed, fresh, context.failed

    def _arguments(self, dynamic: Sequence[Any]) -> list[Any]:
        args: list[Any] = [None] * len(self.stage.inputs)
        for position, value in zip(self.runner._dynamic, dynamic, strict=True):
            args[position] = value
        for position, value in self.static.items():
            args[position] = value
        return args

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


def _without_large_constants(jit: Any, function: Any, inputs: Sequence[Any]) -> tuple[Any, list[Any]]:
    """(what computes `function` for such inputs, the constants that it takes after them).

    XLA would fold what is computed from a constant and write it into the program, which takes long for large ones, and
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
        all_of_them = [next(taken) if place in large else value for place, value in enumerate(known)]
        results = jax.core.eval_jaxpr(traced.jaxpr.jaxpr, all_of_them, *values[: len(inputs)])
        return jax.tree_util.tree_unflatten(tree, results)

    return jit(with_constants), [jax.numpy.asarray(np.asarray(constants[place])) for place in large]


def _written(nodes: Sequence[Operation]) -> set[str]:
    """Keys of the cells that these nodes may write."""
    keys = {cell_key(n) for n in nodes if "rng" in n.opdef.wants}
    for node in nodes:
        keys |= {cell_key(storage.op) for storage, writes in touched(node) if writes}
        if "cell" in node.opdef.wants and node._inputs:
            keys.add(cell_key(node))
    return keys


def _new_streams(runner: StageRunner, store: Values) -> dict[str, Any]:
    """Initial states of random streams that no step has used yet: they enter the program as state."""
    context = NumpyContext(store.get, store.shared)
    created = {}
    for node in with_inner(runner.stage.nodes):
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


def _takes_over(stage: Stage) -> bool:
    """Whether all a stage does is to give each of some variables a value that was read from a checkpoint."""
    if not stage.inputs or stage.outputs or stage.on_host or any(n.opdef.kind not in _MOVES for n in stage.nodes):
        return False
    used = [t for n in stage.nodes for t in n.inputs if t.op.opdef.kind is Kind.RESTORE]
    return len(used) == len(set(used)) and set(used) == set(stage.inputs)


def _own_copy(value: Any) -> Any:
    """Stored arrays share no memory with feeds, constants or results."""
    return np.array(value) if isinstance(value, (np.ndarray, np.generic)) else value


def _on_host(value: Any) -> Any:
    """An argument as NumPy kernels take it."""
    if is_list(value):
        return host_list(value)
    return np.asarray(value) if is_traced(value) or isinstance(value, (np.generic, int, float, bool)) else value

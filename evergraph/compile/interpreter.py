"""Runs a stage on NumPy, with the variables of a store."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from evergraph.compile.blas import one_thread
from evergraph.compile.contexts import NumpyContext, label_of
from evergraph.compile.footprint import Footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower_for_numpy
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.compile.watched import WatchedContext
from evergraph.graph.traits import Kind
from evergraph.kernel.cells import Cell
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.transfer import host_list
from evergraph.kernel.quiet import quietly
from evergraph.kernel.row_changes import RowChange
from evergraph.kernel.storage import forms_of
from evergraph.kernel.values import is_traced, is_whole, references
from evergraph.passes.partition import Stage
from evergraph.passes.shortcuts import Shortcuts, shortcuts
from evergraph.passes.state import cell_key

_ANY_THREADS = contextlib.nullcontext()


class Interpreter:
    """A stage with its code for NumPy. Threads share it.

    Args:
        stage: the stage.
        footprint: what it stores.
        adopts_inputs: stores its inputs without a copy, because nobody else uses them.
        limits_threads: computes large products with one thread.

    Attributes:
        calls: how many kernels loops have called in all runs ...
        runs_of_loops: ... of which there are so many.
    """

    def __init__(self, stage: Stage, footprint: Footprint, adopts_inputs: bool, limits_threads: bool) -> None:
        self._stage, self._footprint, self._adopts_inputs = stage, footprint, adopts_inputs
        self._threads = one_thread if limits_threads else _ANY_THREADS
        self._has_loops = footprint.nodes_in_loops > 0
        self.calls: float = 0
        self.runs_of_loops = 0

    @functools.cached_property
    def lowered(self) -> Lowered:
        """The code."""
        stage = self._stage
        return self._lowered(shortcuts(stage.nodes, stage.outputs, stage.late, stage.asked, stage.inputs))

    @functools.cached_property
    def _each(self) -> Lowered:
        """The code that runs each node."""
        return self._lowered(None)

    def _lowered(self, short: Shortcuts | None) -> Lowered:
        stage = self._stage
        return lower_for_numpy(stage.nodes, stage.inputs, stage.outputs, short, stage.fixed, stage.late)

    @functools.cached_property
    def _variables(self) -> dict[str, str]:
        """The labels of the variables that the code uses, by their keys."""
        return {cell_key(n): label_of(n) for n in self._stage.nodes if n.opdef.kind is Kind.VARIABLE}

    def run(self, store: Values, args: Sequence[Any], undo: Undo, most_calls: float = math.inf) -> Sequence[Any]:
        """The outputs of the stage. `undo` gets what it replaces in `store`, or else whether the last stage has run.

        Raises:
            LongLoop: its loops call more than so many kernels.
        """
        if store.early.pending is not None:
            store.early.settle()
        host = [a if type(a) is np.ndarray else _on_host(a) for a in args] if args else args
        footprint = self._footprint
        if not footprint.keys:
            new = NumpyContext if undo.watcher is None else partial(WatchedContext, undo.watcher)
            context = new(lambda key: store.snapshot((key,))[0], store.shared, store)
            return self._call(context, host, most_calls)
        if self._stage.on_host:  # may wait for other threads, which must not wait for it
            return self._run_on(store, host, undo, most_calls)
        with store.using(footprint.used, footprint.written):
            return self._run_on(store, host, undo, most_calls)

    def _run_on(self, store: Values, args: Sequence[Any], undo: Undo, most_calls: float) -> Sequence[Any]:
        """Runs with stored values, and stores new ones."""
        new = NumpyContext if undo.watcher is None else partial(WatchedContext, undo.watcher)
        if self._stage.on_host:
            # Other threads change variables meanwhile: all that it only reads is of one moment.
            only_read = tuple(self._footprint.only_read)
            known = dict(zip(only_read, store.snapshot(only_read))) if only_read else {}
            context = new(lambda key: known[key] if key in known else store.snapshot((key,))[0], store.shared, store)
        else:
            context = new(lambda key: store.get_all((key,))[0], store.shared)
            if self._variables:
                context.fill(self._variables, store.get_all(list(self._variables)))
        outputs = self._call(context, args, most_calls)
        self._keep(store, [cell for cell in context.cells.values() if cell.changed], undo)
        return outputs

    def _call(self, context: NumpyContext, args: Sequence[Any], most_calls: float) -> Sequence[Any]:
        """Runs the code, and counts the kernels that it calls if there are loops."""
        context.most_calls = most_calls
        with self._threads:
            watcher = context.watcher
            code = self.lowered if watcher is None else self._each.shown if watcher.needs_each else self.lowered.timed
            outputs: Sequence[Any] = quietly(code.call, context, *args)
        if self._has_loops:
            self.count(context.calls)
        return outputs

    def count(self, calls: float) -> None:
        """Counts the kernels that loops have called in a run."""
        self.calls += calls
        self.runs_of_loops += 1

    def _keep(self, store: Values, cells: Sequence[Cell], undo: Undo) -> None:
        """Stores the new values of all cells at once."""
        if not cells:
            return
        changes = self._in_place(store, cells, undo)
        if changes:
            cells = [cell for cell in cells if cell.key not in changes]
        keys = [cell.key for cell in cells]
        values = [cell.peek() for cell in cells]
        if not self._adopts_inputs:
            values = _owned(values)
        changes_layout = store.forms(keys) != forms_of(values)
        if changes_layout or not undo.is_last_stage:
            undo.prepare(store, keys, changes_layout)
        calls = itertools.chain.from_iterable(changes.values())
        # What makes the changes returns None; the new values come behind it.
        store.commit(keys, itertools.chain(filter(None, map(partial.__call__, calls)), (values,)), undo.awaited())

    def _in_place(self, store: Values, cells: Sequence[Cell], undo: Undo) -> dict[str, list[partial[None]]]:
        """The calls that change values in their memory, by key: where nobody else has the array, and nothing can fail.
        """
        if self._stage.on_host or not undo.is_last_stage:
            return {}
        found = [cell for cell in cells if cell.waiting and all(type(each) is RowChange for each in cell.waiting)]
        if not found:
            return {}
        values = [cell.stored for cell in found]
        counts = references(values)
        stored = store.get_all([cell.key for cell in found])
        return {cell.key: [change.on(value) for change in cell.waiting if isinstance(change, RowChange)]
                for cell, value, count, own in zip(found, values, counts, stored, strict=True)
                if count == _ALONE_IN_STORE and own is value and is_whole(value)}


def _owned(values: list[Any]) -> list[Any]:
    """Values of cells as they are stored: they share no memory with feeds, constants or results.

    An array to which nothing but its cell refers, as most that updates make, is stored as it is.
    """
    return [value if count == _ALONE_IN_CELL and type(value) is np.ndarray and is_whole(value)
            else np.array(value) if isinstance(value, (np.ndarray, np.generic)) else value
            for count, value in zip(references(values), values, strict=True)]


_EXAMPLE = Cell("", np.empty(1))
_ALONE_IN_CELL = references([_EXAMPLE.peek()])[0]
_ALONE_IN_STORE = _ALONE_IN_CELL + 1


def _on_host(value: Any) -> Any:
    """An argument in the form that NumPy kernels take."""
    if is_list(value):
        return host_list(value)
    return np.asarray(value) if is_traced(value) or isinstance(value, (np.generic, int, float, bool)) else value

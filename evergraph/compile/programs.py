"""The compiled programs of a stage: made when a signature first needs one, kept, and run on the values of a store."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from evergraph.base import dtypes
from evergraph.base.aside import aside
from evergraph.compile import backend
from evergraph.compile.ahead import MOST_COPIED, ahead, failed
from evergraph.compile.executable import Executable
from evergraph.compile.footprint import Footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.loop import FIRST_CAPACITY
from evergraph.compile.lower import lower
from evergraph.compile.policy import expected_seconds, is_exception
from evergraph.compile.rooms import Rooms
from evergraph.compile.signatures import Begun, Signatures
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values, elements
from evergraph.kernel.lists.stacked import rooms
from evergraph.kernel.lists.transfer import with_plain_length
from evergraph.kernel.reasons import NeedCapacity, OtherSizes
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.shortcuts import without_idle


class Programs:
    """The programs. Threads share them; one at a time compiles.

    Args:
        stage: the stage.
        footprint: what it stores.
        signatures: keeps the programs.
        padding: the room that padded inputs have.
        keeps_dynamic_lengths: the lengths of the lists that it gives stay run-time values.
        mixed: how programs compute in mixed precision, if they do.
        is_forced: every run is that of a program.
    """

    def __init__(self, stage: Stage, footprint: Footprint, signatures: Signatures, padding: Rooms | None,
                 keeps_dynamic_lengths: bool, mixed: MixedPrecision | None, is_forced: bool) -> None:
        self._stage, self._footprint, self._signatures, self._padding = stage, footprint, signatures, padding
        self._mixed, self._is_forced = mixed, is_forced
        self._gives_plain_lists = not keeps_dynamic_lengths and any(t._dtype is dtypes.variant for t in stage.outputs)
        self._compiling = threading.RLock()
        self._capacity = FIRST_CAPACITY
        self._assumes_sizes = True
        self._layouts: dict[Any, int] = {}
        self._seen_layout: tuple[int, int] = (-1, -1)

    @functools.cached_property
    def lowered(self) -> Lowered:
        """The code that is compiled."""
        stage = self._stage
        nodes = without_idle(stage.nodes, stage.outputs, stage.late, stage.asked)
        return lower(nodes, stage.inputs, stage.outputs, stage.fixed, stage.late, mixed=self._mixed)

    def run(self, store: Values, args: Sequence[Any], signature: Any, undo: Undo) -> Sequence[Any]:
        """The outputs of the stage, by the program for a signature, which is compiled first if there is none.

        Raises:
            OtherSizes: the program assumes other sizes than these, as it well may for most steps.
        """
        if backend.process.is_forked:
            backend.check_process()
        with store.using(self._footprint.used, self._footprint.written):
            executable = self._signatures.get(self._layout(store), signature) or self._begun(store, signature)
            if executable is None:
                outputs = self._run_first(store, args, signature, undo)
            else:
                try:
                    outputs = executable.run(store, args, undo)
                except NeedCapacity:
                    outputs = self._run_larger(store, args, signature, executable, undo)
                except OtherSizes:
                    if not self._is_forced and is_exception(executable.fitting, executable.other):
                        raise
                    self._assume_no_sizes()
                    outputs = self._run_first(store, args, signature, undo)
        return [with_plain_length(value) for value in outputs] if self._gives_plain_lists else outputs

    def begin(self, store: Values, args: Sequence[Any], signature: Any, switch: float) -> None:
        """Traces a signature, and has the background compile it, while it runs on NumPy; unless that cannot be done.

        What tracing raises, such as a value that has to be static, is raised at the switch. Loops switch at once then:
        those of the new plan run on NumPy while they are compiled.
        """
        if backend.process.is_forked or elements(store, self._footprint.keys, args) > MOST_COPIED:
            return
        with store.using(self._footprint.used, self._footprint.written), self._compiling:
            if not self._signatures.may_begin(signature):
                return
            executable, layout = self._new_executable(store, args, signature), self._layout(store)
            copies = executable.copies(store, args)
            if copies is None:
                return
            backend.jax()  # before anything else imports JAX
            try:
                aside(executable.find, copies)
                job = ahead(self, functools.partial(executable.compile, copies))
            except Exception as error:
                job, switch = failed(self, error), 0 if self._footprint.nodes_in_loops else switch
            self._signatures.begin(signature, Begun(executable, job, layout, switch))

    def _announced(self) -> AbstractContextManager[None]:
        count = len(self._stage.nodes)
        return backend.announced(f"a program of {count:,} nodes", expected_seconds(count, self._stage.place.platform))

    def _begun(self, store: Values, signature: Any) -> Executable | None:
        """The program that the background compiles for the signature, if it does, when it is ready.

        Raises what compiling raised. An interrupt ends the wait, and the next run waits again.
        """
        with self._compiling:
            if self._signatures.begun(signature) is None:
                return self._signatures.get(self._layout(store), signature)
            try:
                with self._announced():
                    is_ready = self._signatures.wait(signature)
            except Exception:
                self._signatures.end(signature)
                raise
            begun = self._signatures.end(signature)
            if begun is None or not is_ready or begun.layout != self._layout(store):
                return None
            self._keep(begun.layout, signature, begun.executable)
            return begun.executable

    def _keep(self, layout: int, signature: Any, executable: Executable) -> None:
        self._signatures.put(layout, signature, executable)
        self._signatures.report(self._stage.inputs, self._stage.static_positions)

    def _assume_no_sizes(self) -> None:
        """Compiles from now on for the values that tell sizes, because assumptions about these fail too often."""
        self._assumes_sizes = False
        self._signatures.drop_programs()

    def _run_first(self, store: Values, args: Sequence[Any], signature: Any, undo: Undo) -> Sequence[Any]:
        """Compiles the stage for a new signature; other threads with the same signature wait for the program."""
        with self._compiling:
            executable = self._signatures.get(self._layout(store), signature)
            if executable is not None:
                return executable.run(store, args, undo)
            return self._compile(store, args, signature, undo)

    def _run_larger(
        self, store: Values, args: Sequence[Any], signature: Any, small: Executable, undo: Undo
    ) -> Sequence[Any]:
        """Compiles the stage again with room for longer lists, unless another thread has done so meanwhile."""
        with self._compiling:
            found = self._signatures.get(self._layout(store), signature)
            if found is not None and found is not small:
                try:
                    return found.run(store, args, undo)
                except NeedCapacity:
                    small = found
            self._capacity = max(self._capacity, 2 * small.program.capacity)
            return self._compile(store, args, signature, undo)

    def _compile(self, store: Values, args: Sequence[Any], signature: Any, undo: Undo) -> Sequence[Any]:
        """The outputs of the first run of a new program, which is kept.

        The run may create cells, which changes the layout once. A program that assigns to them without looking at them
        serves the runs after it too, unless it changes the shape of another value. It is compiled with twice the
        capacity until lists fit.
        """
        while True:
            executable = self._new_executable(store, args, signature)
            before = self._layout(store)
            try:
                with self._announced():
                    outputs = executable.run(store, args, undo)
                looks = executable.reshapes or not self._footprint.read.isdisjoint(executable.program.new_keys)
                self._keep(before if looks else self._layout(store), signature, executable)
                return outputs
            except NeedCapacity:
                self._capacity = 2 * executable.program.capacity
            except OtherSizes:
                self._assume_no_sizes()

    def _new_executable(self, store: Values, args: Sequence[Any], signature: Any) -> Executable:
        bounds = {} if self._padding is None else self._padding.bounds(args, signature[1])
        capacity = max([self._capacity, *rooms(args)])  # the loops over a list make lists of the same length
        return Executable(self._stage, lambda: self.lowered, self._footprint, capacity, store, args, bounds,
                          self._assumes_sizes, self._mixed)

    def _layout(self, store: Values) -> int:
        """A number for the shapes and dtypes of the stored values that this stage uses, the same for the same ones.

        They are read again only when the store changed. A number, because every step looks for its program by it.
        """
        seen, own = self._seen_layout
        if seen != store.layout:
            seen = store.layout
            shapes = tuple(store.forms(self._footprint.keys))
            own = self._layouts.setdefault(shapes, len(self._layouts))
            self._seen_layout = (seen, own)
        return own

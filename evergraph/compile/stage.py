"""Runs one stage of a plan: on NumPy, or as a compiled program that reads and updates the store."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile import backend
from evergraph.compile.ahead import ahead, failed
from evergraph.compile.aside import aside
from evergraph.compile.blas import one_thread
from evergraph.compile.cache import (
    AHEAD_ELEMENTS,
    LONG_RUN,
    MOST_AT_ONCE,
    MOST_COUNTED,
    SMALL_ELEMENTS,
    SMALL_NODES,
    TABLE_ELEMENTS,
    Work,
    calls_before_compiling,
    calls_while_compiling,
    first_ahead,
    is_exception,
    runs_anywhere,
    runs_on_numpy,
    starts_ahead,
)
from evergraph.compile.contexts import NumpyContext, label_of
from evergraph.compile.executable import Executable, Values, may_return_early
from evergraph.compile.footprint import footprint, open_sizes, with_known_sizes
from evergraph.compile.forms import Begun, Forms
from evergraph.compile.generated import Lowered
from evergraph.compile.loop import FIRST_CAPACITY
from evergraph.compile.lower import lower, lower_for_numpy
from evergraph.compile.packs import Form
from evergraph.compile.rooms import rooms_of
from evergraph.compile.undo import Undo
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel import recording
from evergraph.kernel.cells import Cell
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.stacked import Stacked
from evergraph.kernel.lists.transfer import host_list, keeps_objects, with_plain_length
from evergraph.kernel.quiet import quietly
from evergraph.kernel.reasons import (
    LongLoop,
    NeedApart,
    NeedCapacity,
    NeedHost,
    NeedRoom,
    NeedStatic,
    OtherSizes,
    Uncompilable,
)
from evergraph.kernel.row_changes import RowChange
from evergraph.kernel.values import Hole, is_traced, is_whole, references
from evergraph.passes.dynamic_lengths import over_time
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.shortcuts import shortcuts, without_idle
from evergraph.passes.sized import sized_nodes
from evergraph.passes.state import cell_key

_ASSIGNING = (Kind.ASSIGN, Kind.VARIABLE, Kind.NO_OP)
_ANY_THREADS = contextlib.nullcontext()


class SharedPrograms(dict[Any, Executable]):
    """The programs of stages of a graph that others are like, by what they are compiled for."""


class StageRunner:
    """A stage with its lowered code, its compiled programs, and the tier that each input signature runs on.

    Threads share it. What it learns changes how fast it runs, never what it computes.

    Args:
        stage: the stage.
        forced_tier: "numpy" or "xla"; None lets the policy decide.
        adopts_inputs: stores its inputs without a copy, because nobody else uses them.
        keeps_dynamic_lengths: its lists go to gradients of loops, which are compiled once for all lengths, so that
            their lengths stay run-time values.
        mixed: how its compiled programs compute in mixed precision, if they do. On NumPy everything is float32.
        waits: may run on NumPy while it is compiled, and for a while before that where that is cheaper than to compile.
        has_waited: has done the latter in another form of its plan.
        may_get_room: there is a plan that gives its loops room for any number of steps, if these turn out to vary.
        sizes_vary: other stages of its plan have been found to get changing sizes, so that it may get them too.
    """

    def __init__(
        self,
        stage: Stage,
        forced_tier: str | None = None,
        adopts_inputs: bool = False,
        keeps_dynamic_lengths: bool = False,
        mixed: MixedPrecision | None = None,
        waits: bool = True,
        has_waited: bool = False,
        may_get_room: bool = True,
        sizes_vary: bool = False,
    ) -> None:
        self.stage, self.adopts_inputs, self.keeps_dynamic_lengths = stage, adopts_inputs, keeps_dynamic_lengths
        self.may_get_room, self._sizes_vary = may_get_room, sizes_vary
        self._mixed = mixed
        self.forms = Forms()
        self._small: tuple[int, Any] | None = None  # the layout of the store and the form that NumPy ran last, for good
        self._footprint = footprint(stage)
        self._keys = self._footprint.keys
        self._forced_tier, self._waits, self._has_waited = forced_tier, waits, has_waited
        self._is_interpreted = stage.on_host or adopts_inputs or forced_tier == "numpy"
        # A Python function of the host, and a user who asks for NumPy, may multiply large matrices.
        has_products = self._footprint.nodes > SMALL_NODES or self._footprint.largest > SMALL_ELEMENTS
        self._limits_threads = not stage.on_host and forced_tier is None and has_products
        self._static = stage.static_positions
        self._gives_lists = any(t._dtype is dtypes.variant for t in stage.outputs)
        self._lists = [i for i, t in enumerate(stage.inputs) if t._dtype is dtypes.variant]  # of elements of any dtype
        self._rooms = rooms_of(stage)
        self._compiling = threading.RLock()
        self._capacity = FIRST_CAPACITY
        self._steps: list[tuple[int, ...]] | None = None
        self._steps_vary = False
        self._shapes: tuple[Any, ...] | None = None  # of the first form
        self._is_apart = False  # from nodes whose sizes are found out on the host, or known not to be separable
        self._calls = 0  # of kernels in all runs on NumPy ...
        self._runs_of_loops = 0  # ... of which there are so many
        self._guessed: tuple[Work, Work] | None = None  # the estimate for a form by guessed sizes, and by known ones
        self._is_long = False
        self._assumes_sizes = True
        self._decided: dict[Any, tuple[Any, float]] = {}  # by form: for which state, and up to which run on NumPy
        self._works: dict[Any, tuple[Any, Work]] = {}  # by form, for a layout of the store
        self._layouts: dict[Any, int] = {}
        self._seen_layout: tuple[int, int] = (-1, -1)

    @functools.cached_property
    def lowered(self) -> Lowered:
        """The code that runs on NumPy."""
        stage = self.stage
        short = shortcuts(stage.nodes, stage.outputs, stage.late, stage.asked)
        return lower_for_numpy(stage.nodes, stage.inputs, stage.outputs, short, stage.fixed, stage.late)

    @functools.cached_property
    def _variables(self) -> dict[str, str]:
        """The labels of the variables that the code uses, by their keys."""
        return {cell_key(n): label_of(n) for n in self.stage.nodes if n.opdef.kind is Kind.VARIABLE}

    @functools.cached_property
    def traced(self) -> Lowered:
        """The code that is compiled."""
        stage = self.stage
        nodes = without_idle(stage.nodes, stage.outputs, stage.late, stage.asked)
        return lower(nodes, stage.inputs, stage.outputs, stage.fixed, stage.late, mixed=self._mixed)

    @property
    def is_pure(self) -> bool:
        """Whether the stage may run twice in a step: it calls nothing that is for the host, and uses nothing stored."""
        return not self._footprint.keys and (not self.stage.on_host or self._has_device_nodes_alone)

    @functools.cached_property
    def _has_device_nodes_alone(self) -> bool:
        """Whether the nodes of a host stage are for the device, and only computed on the host."""
        return all(node.opdef.on == "device" and node.opdef.is_pure for node in self.stage.nodes)

    def checked(self) -> set[Operation]:
        """The nodes that may fail the stage: those that do in its programs, or could, as long as there is none."""
        if programs := self.forms.programs():
            return {node for executable in programs for node, *_ in executable.checks}
        return {node for node in self.stage.nodes if "check" in node.opdef.wants}

    def run(self, store: Values, args: Sequence[Any], undo: Undo) -> Sequence[Any]:
        """The outputs of the stage. `undo` gets what it replaces in `store`, or else whether the last stage has run."""
        if self._is_interpreted or self._lists and any(isinstance(args[i], Hole) for i in self._lists):
            return self._run_numpy(store, args, undo)  # which needs no form of a list that only another branch has
        fitting = (args, ()) if self._rooms is None else self._rooms.padded(args)
        if fitting is None:
            return self._run_numpy(store, args, undo)
        given, counts = fitting
        known = tuple([given[i].tobytes() for i in self._static]) if self._static else ()
        dtypes_of_lists = tuple([given[i].dtype for i in self._lists]) if self._lists else ()
        form = (tuple([a.shape for a in given]), counts, known, dtypes_of_lists)
        if form not in self.forms.for_xla:
            self._look_at_steps(given)
            self._look_at_sizes(form[0])
            if self._steps_vary and self.forms.compiled:
                raise NeedRoom
            while self._tier(store, given, form) == "numpy":
                try:
                    return self._run_numpy(store, args, undo, math.inf if self._is_long else LONG_RUN)
                except LongLoop:
                    self._is_long = True
            if self._steps_vary:
                raise NeedRoom
            self._refuse_objects(given)
        try:
            return self._run_compiled(store, given, form, undo)
        except NeedStatic as reason:
            if not isinstance(reason.tensor.graph, FuncGraph):
                raise NeedStatic(reason.tensor, self.traced.node_behind(reason)) from reason
            self._leave_uncompiled(reason)
        except OtherSizes:
            pass  # this step runs on NumPy, which computes what the program could not
        except Uncompilable as reason:
            self._leave_uncompiled(reason)
        except backend.jax().errors.JAXTypeError as reason:  # a kernel looked at a value that is only being traced
            self._leave_uncompiled(reason)
        return self._run_numpy(store, args, undo)

    @functools.cached_property
    def _axes_of_time(self) -> list[tuple[int, int]]:
        """Inputs, each with an axis, that may tell the number of steps of loops over what is fed.

        A list of steps is made of an input whose first axis is time, or else of one whose second axis may be.
        """
        inputs = self.stage.inputs
        steps = {t.op._inputs[0] for t in over_time(self.stage.nodes, inputs).lists} if self.may_get_room else None
        if not steps:
            return []
        first = [(place, 0) for place, tensor in enumerate(inputs) if tensor in steps]
        return first or [(place, 1) for place in range(len(inputs))]

    def _look_at_steps(self, args: Sequence[Any]) -> None:
        """Finds out whether loops over time get changing numbers of steps: then a program of theirs has room."""
        if self._steps_vary or not self._axes_of_time:
            return
        steps = [args[place].shape[axis:axis + 1] for place, axis in self._axes_of_time]
        if self._steps is None:
            self._steps = steps
        self._steps_vary = self._steps != steps

    def _look_at_sizes(self, shapes: tuple[Any, ...]) -> None:
        """Raises NeedApart if another size than before comes from the host, and few nodes have to do with it."""
        if self._shapes is None:
            self._shapes = shapes
        if self._is_apart or self._shapes == shapes or not self.forms.compiled:
            return
        differ = [t for t, a, b in zip(self.stage.inputs, self._shapes, shapes, strict=True) if a != b]
        if all(t.op.opdef.on == "host" for t in differ):
            self._is_apart = True
            nodes = sized_nodes(differ, self.stage.nodes)
            if nodes:
                raise NeedApart(nodes)

    def _refuse_objects(self, args: Sequence[Any]) -> None:
        """Raises NeedHost for a node that takes a list of strings, which the dtype, variant, does not tell."""
        found = [self.stage.inputs[i] for i in self._lists if keeps_objects(args[i])]
        if found:
            raise NeedHost(next(node for node in self.stage.nodes if not set(found).isdisjoint(node._inputs)))

    def _tier(self, store: Values, args: Sequence[Any], form: Any) -> str:
        """How a form runs that has not been given to XLA so far; counts the runs on NumPy."""
        if self._small == (store.layout, form):
            return "numpy"
        if self._forced_tier is None and (self.stage.alike is None or self._footprint.fills):
            decided, until = self._decided.get(form, (None, 0))
            if decided == self._now(store) and self.forms.runs(form) < until:
                if until < math.inf:
                    self.forms.count(form)
                return "numpy"
            left = self._left(store, args, form)
            if left > 0:
                if left < math.inf:
                    self.forms.count(form)
                elif not self._keys or backend.platform_if_known() == "cpu":  # no variable may be moved to a device
                    self._small = (store.layout, form)
                return "numpy"
        self.forms.give_to_xla(form)
        return "xla"

    def _left(self, store: Values, args: Sequence[Any], form: Any) -> float:
        """How much a form has left to do on NumPy until it is compiled; begins to compile it if that is little.

        It is counted in runs of the form, or in kernels that light loops call.

        Raises:
            NeedRoom: the stage is to be compiled, and its loops run over changing numbers of steps.
        """
        begun = None if self._is_long else self.forms.begun(form)
        if begun is not None:
            return begun.switch - (self._calls if begun.counts_calls else self.forms.runs(form))
        work = self._work(store, args, form)
        if work.has_light_loops and (work.has_light_loops_anywhere or backend.platform() == "cpu"):
            left = self._left_in_loops(store, args, form, work)
            if left > 0 or self.forms.begun(form) is not None:
                return left
        if _rooms(args) and self.forms.compiled < MOST_AT_ONCE:
            return 0  # there are few programs, each for many lengths
        runs = self.forms.runs(form)
        switch = self._switch(store, work, runs)
        is_urgent = work.is_long and not self.forms.compiled and not self.forms.vary
        self._decide(store, form, first_ahead(switch, is_urgent) if switch < math.inf else math.inf)
        begun = self._begin(store, args, form, switch) if starts_ahead(runs, switch, is_urgent) else None
        return (switch if begun is None else begun.switch) - runs

    def _switch(self, store: Values, work: Work, runs: int) -> float:
        """How often a form runs on NumPy before it is compiled, after so many runs.

        JAX is not loaded to tell the platform as long as all platforms agree: programs of light stages start without.
        """
        if not self.forms.compiled and backend.platform_if_known() is None:
            least = runs_anywhere(work)
            if least == math.inf or runs < first_ahead(least):
                return least
        if work.is_small or backend.platform() == "cpu":
            is_first = not self.forms.compiled and not self.forms.vary
            return runs_on_numpy(work, 0 if is_first else max(self.forms.compiled, work.is_long), "cpu")
        compiled = self.forms.compiled + self._sizes_vary
        calls = self._calls / max(self._runs_of_loops, 1)
        return runs_on_numpy(work, compiled, backend.platform(), calls, self._moved(store))

    def _moved(self, store: Values) -> int:
        """How many of the variables are on an accelerator, from where a run on NumPy has to take them."""
        if not self._keys or backend.platform_if_known() in (None, "cpu"):
            return 0
        return sum([type(value) is not np.ndarray for value in store.get_all(self._keys) if value is not None])

    def _now(self, store: Values) -> tuple[Any, ...]:
        """What a decision depends on, beside the form and its runs."""
        return store.layout, self.forms.compiled, self._is_long, self._moved(store)

    def _decide(self, store: Values, form: Any, until: float) -> None:
        """Notes up to which run a form stays on NumPy and no program for it is begun, if nothing else changes."""
        if len(self._decided) >= MOST_COUNTED:
            self._decided.clear()
        self._decided[form] = self._now(store), until

    def _left_in_loops(self, store: Values, args: Sequence[Any], form: Any, work: Work) -> float:
        """How many kernels loops have left to call on NumPy before their first program takes over.

        Loops with room for any number of steps have waited before they got it, as a part of another stage. The gradient
        of a loop waits for the program of that loop, because the lists that go from one to the other are its inputs. On
        accelerators they are compiled at once: a gradient that makes many numbers would have a program for each length.
        """
        has_room = bool(_rooms(args))
        before = 0 if has_room or self._has_waited else self._calls_before(work)
        if self._calls < before:
            return before - self._calls
        platform = backend.platform()
        varies = self._steps_vary or self.forms.vary
        if varies and platform == "cpu" and work.has_small_iterations and recording.available():
            return math.inf
        meanwhile = calls_while_compiling(work, platform)
        if self.forms.compiled:
            return before + meanwhile - self._calls
        if self._steps_vary:
            raise NeedRoom
        if has_room and platform != "cpu":
            return 0
        if has_room and not all(isinstance(args[i], Stacked) for i in self._lists):
            return 2 * meanwhile - self._calls
        begun = self._begin(store, args, form, self._calls + meanwhile, counts_calls=True)
        if begun is not None:
            return begun.switch - self._calls
        return 0 if has_room else before + meanwhile - self._calls

    def _calls_before(self, work: Work) -> float:
        """How many kernels loops call before they begin to be compiled; JAX is not loaded to tell, see `_switch`."""
        on_cpus = calls_before_compiling(work, "cpu")
        if not self.forms.compiled and backend.platform_if_known() is None:
            least = min(on_cpus, calls_before_compiling(work, "gpu"))
            if self._calls < least:
                return least
        return on_cpus if backend.platform() == "cpu" else calls_before_compiling(work, backend.platform())

    def _work(self, store: Values, args: Sequence[Any], form: Any) -> Work:
        """What the stage does with inputs of this form, estimated once for each layout of the store."""
        known = (store.layout, self._is_long)
        found = self._works.get(form)
        if found is not None and found[0] == known:
            return found[1]
        has_room = bool(_rooms(args))
        plain = [a for a in args if not is_list(a)]  # which are what another loop has kept, not what is fed
        in_tables = sum(_size(store.form(key)) for key in self._footprint.tables)
        elements = self._elements(store, plain) - in_tables + in_tables // TABLE_ELEMENTS
        sizes = open_sizes(self.stage.inputs, args) if self._waits else None
        is_heavy = self._is_long or self.keeps_dynamic_lengths and not has_room
        work = self._footprint.work(elements, is_heavy, sizes, self._has_waited)
        if sizes is not None and not is_heavy and self._may_be_lighter(work):
            work = self._with_known_sizes(work, args, sizes)
        if not work.is_small:
            backend.memory_is_kept()
        if len(self._works) >= MOST_COUNTED:
            self._works.clear()
        self._works[form] = (known, work)
        return work

    def _may_be_lighter(self, work: Work) -> bool:
        """Whether the guess of sizes that are not static makes the stage one that is compiled soon."""
        if work.is_small or work.is_light or work.has_light_loops or work.fills or self._footprint.slow_on_numpy:
            return False
        shapes = self._footprint.shapes
        return backend.platform() == "cpu" and (shapes is None or any(None in shape for shape in shapes))

    def _with_known_sizes(self, work: Work, args: Sequence[Any], sizes: Sequence[int]) -> Work:
        """The estimate of what takes long by guessed sizes, with those that follow from the inputs instead.

        It takes a while to find them, so what they are for the first form says how far the guess is off for others.
        """
        if self._guessed is None:
            self._guessed = work, with_known_sizes(self.stage, self._footprint, work, args, sizes)
        guess, right = self._guessed
        if work.volume is None or not guess.volume or right.volume is None:
            return right
        return replace(work, volume=work.volume * right.volume // guess.volume,
                       multiplications=work.multiplications * right.multiplications // max(guess.multiplications, 1),
                       iteration=work.iteration * right.iteration // max(guess.iteration, 1))

    def _elements(self, store: Values, args: Sequence[Any]) -> int:
        """How many numbers come in through inputs and variables."""
        return sum(a.size for a in args) + sum(_size(store.form(key)) for key in self._keys)

    def _begin(
        self, store: Values, args: Sequence[Any], form: Any, switch: float, counts_calls: bool = False
    ) -> Begun | None:
        """Traces a form, and has the background compile it, while it runs on NumPy; None if that cannot be done.

        What tracing raises, such as a value that has to be static, is raised at the switch. Loops switch at once then:
        those of the new plan run on NumPy while they are compiled.
        """
        if backend.process.is_forked or self._elements(store, args) > AHEAD_ELEMENTS:
            return None
        with store.using(self._footprint.used, self._footprint.written), self._compiling:
            if not self.forms.may_begin(form):
                return self.forms.begun(form)
            executable, layout = self._new_executable(store, args, form), self._layout(store)
            copies = executable.copies(store, args)
            if copies is None:
                return None
            backend.jax()  # before anything else imports JAX
            try:
                aside(executable.find, copies)
                job = ahead(self, functools.partial(executable.compile, copies))
            except Exception as error:
                job, switch = failed(self, error), 0 if counts_calls else switch
            begun = Begun(executable, job, layout, switch, counts_calls)
            self.forms.begin(form, begun)
            return begun

    def _leave_uncompiled(self, reason: Exception) -> None:
        """Runs something as Python from now on that no compiled program can do: one node, or else the stage.

        An op of the host that was to join a compiled program goes back there, also where everything is to be compiled.

        Raises:
            NeedHost: it is one node, without which the rest can be compiled.
        """
        node = self.traced.node_behind(reason)
        if self._forced_tier == "xla" and not (node is not None and node.opdef.on == "host"):
            text = f"{reason} has to be known before its loop or branch runs" if isinstance(reason, NeedStatic) \
                else str(reason)
            raise errors.UnimplementedError(None, None, f"cannot be compiled: {text}") from reason
        if node is not None:
            raise NeedHost(node) from reason
        self._is_interpreted = True

    # ---- NumPy

    def _run_numpy(
        self, store: Values, args: Sequence[Any], undo: Undo, most_calls: float = math.inf
    ) -> Sequence[Any]:
        """The outputs of the stage.

        Raises:
            LongLoop: its loops call more than so many kernels.
        """
        if store.pending is not None:
            store.settle()
        host = [a if type(a) is np.ndarray else _on_host(a) for a in args] if args else args
        if not self._keys:
            return self._call(NumpyContext(store.read, store.shared, store), host, most_calls)
        if self.stage.on_host:  # may wait for other threads, which must not wait for it
            return self._interpret(store, host, undo, most_calls)
        with store.using(self._footprint.used, self._footprint.written):
            return self._interpret(store, host, undo, most_calls)

    def _interpret(self, store: Values, args: Sequence[Any], undo: Undo, most_calls: float) -> Sequence[Any]:
        if self.stage.on_host:
            # Other threads change variables meanwhile: all that it only reads is of one moment.
            only_read = self._footprint.only_read
            known = store.snapshot(only_read) if only_read else {}
            load = (lambda key: known[key] if key in known else store.read(key)) if known else store.read
            context = NumpyContext(load, store.shared, store)
        else:
            context = NumpyContext(store.get, store.shared)
            if self._variables:
                context.fill(self._variables, store.get_all(list(self._variables)))
        outputs = self._call(context, args, most_calls)
        self._keep(store, [cell for cell in context.cells.values() if cell.changed], undo)
        return outputs

    def _call(self, context: NumpyContext, args: Sequence[Any], most_calls: float) -> Sequence[Any]:
        """Runs the code, and counts the kernels that it calls if there are loops."""
        context.most_calls = most_calls
        with one_thread if self._limits_threads else _ANY_THREADS:
            outputs: Sequence[Any] = quietly(self.lowered.call, context, *args)
        if self._footprint.looping:
            self._calls += context.calls + len(self.lowered.nodes)
            self._runs_of_loops += 1
        return outputs

    def _keep(self, store: Values, cells: Sequence[Cell], undo: Undo) -> None:
        """Stores the new values of all cells at once."""
        if not cells:
            return
        changes = self._in_place(store, cells, undo)
        if changes:
            cells = [cell for cell in cells if cell.key not in changes]
        keys = [cell.key for cell in cells]
        values = [cell.peek() for cell in cells]
        if not self.adopts_inputs:
            values = _owned(values)
        old = store.get_all(keys)
        if not undo.is_last_stage:
            for key, value in zip(keys, old):
                undo.replaced.setdefault(key, value)
        if any([_has_other_layout(a, b) for a, b in zip(old, values)]):
            store.relayout()
        calls = itertools.chain.from_iterable(changes.values())
        # What makes the changes returns None; the new values come behind it.
        store.commit(keys, itertools.chain(filter(None, map(partial.__call__, calls)), (values,)), undo.awaited())
        if changes:
            store.end_in_place(changes)

    def _in_place(self, store: Values, cells: Sequence[Cell], undo: Undo) -> dict[str, list[partial[None]]]:
        """The calls that change values in their memory, by key: where nobody else has the array, and nothing can fail.
        """
        if self.stage.on_host or not undo.is_last_stage:
            return {}
        found = [cell for cell in cells if cell.waiting and all(type(each) is RowChange for each in cell.waiting)]
        if not found:
            return {}
        store.begin_in_place([cell.key for cell in found])
        values = [cell.stored for cell in found]
        calls = {cell.key: [change.on(value) for change in cell.waiting if isinstance(change, RowChange)]
                 for cell, value, count in zip(found, values, references(values), strict=True)
                 if count == _ALONE_IN_STORE and store.get(cell.key) is value and is_whole(value)}
        store.end_in_place([cell.key for cell in found if cell.key not in calls])
        return calls

    # ---- XLA

    def _run_compiled(self, store: Values, args: Sequence[Any], form: Any, undo: Undo) -> Sequence[Any]:
        if backend.process.is_forked:
            backend.check_process()
        with store.using(self._footprint.used, self._footprint.written):
            executable = self.forms.get(self._layout(store), form) or self._begun(store, form)
            if executable is None:
                outputs = self._run_first(store, args, form, undo)
            else:
                try:
                    outputs = executable.run(store, args, undo)
                except NeedCapacity:
                    outputs = self._run_larger(store, args, form, executable, undo)
                except OtherSizes:
                    if self._forced_tier is None and is_exception(executable.fitting, executable.other):
                        raise
                    self._assume_no_sizes()
                    outputs = self._run_first(store, args, form, undo)
        if self.keeps_dynamic_lengths or not self._gives_lists:
            return outputs
        return [with_plain_length(value) for value in outputs]

    def _begun(self, store: Values, form: Any) -> Executable | None:
        """The program that the background compiles for the form, if it does, when it is ready.

        Raises what compiling raised. An interrupt ends the wait, and the next run waits again.
        """
        with self._compiling:
            if self.forms.begun(form) is None:
                return self.forms.get(self._layout(store), form)
            try:
                with backend.announced(f"a program of {len(self.stage.nodes)} nodes"):
                    is_ready = self.forms.wait(form)
            except Exception:
                self.forms.end(form)
                raise
            begun = self.forms.end(form)
            if begun is None or not is_ready or begun.layout != self._layout(store):
                return None
            self.forms.put(begun.layout, form, begun.executable)
            self.forms.report(self.stage.inputs, self._static)
            return begun.executable

    def _assume_no_sizes(self) -> None:
        """Compiles from now on for the values that tell sizes, because assumptions about these fail too often."""
        self._assumes_sizes = False
        self.forms.drop_programs()

    def _run_first(self, store: Values, args: Sequence[Any], form: Any, undo: Undo) -> Sequence[Any]:
        """Compiles the stage for a new form; other threads with the same form wait for the program."""
        with self._compiling:
            executable = self.forms.get(self._layout(store), form)
            if executable is not None:
                return executable.run(store, args, undo)
            return self._compile(store, args, form, undo)

    def _run_larger(
        self, store: Values, args: Sequence[Any], form: Any, small: Executable, undo: Undo
    ) -> Sequence[Any]:
        """Compiles the stage again with room for longer lists, unless another thread has done so meanwhile."""
        with self._compiling:
            found = self.forms.get(self._layout(store), form)
            if found is not None and found is not small:
                try:
                    return found.run(store, args, undo)
                except NeedCapacity:
                    small = found
            self._capacity = max(self._capacity, 2 * small.capacity)
            return self._compile(store, args, form, undo)

    def _compile(self, store: Values, args: Sequence[Any], form: Any, undo: Undo) -> Sequence[Any]:
        """The outputs of the first run of a new program, which is kept.

        The run may create cells, which changes the layout once. A program that assigns to them without looking at them
        serves the runs after it too. It is compiled with twice the capacity until lists fit.
        """
        while True:
            executable = self._new_executable(store, args, form)
            before = self._layout(store)
            layouts = tuple([store.form(k) for k in self._keys])
            key = (self.stage.alike, self._capacity, self._mixed, may_return_early(store), layouts)
            shared = {} if self.stage.alike is None else self.stage.nodes[0].graph.memo(SharedPrograms)
            if key in shared:
                executable.share(shared[key])
            try:
                with backend.announced(f"a program of {len(self.stage.nodes)} nodes"):
                    outputs = executable.run(store, args, undo)
                shared.setdefault(key, executable)
                looks = not self._footprint.read.isdisjoint(executable.new_keys)
                self.forms.put(before if looks else self._layout(store), form, executable)
                self.forms.report(self.stage.inputs, self._static)
                return outputs
            except NeedCapacity:
                self._capacity = 2 * executable.capacity
            except OtherSizes:
                self._assume_no_sizes()

    def _new_executable(self, store: Values, args: Sequence[Any], form: Any) -> Executable:
        bounds = {} if self._rooms is None else self._rooms.bounds(args, form[1])
        capacity = max([self._capacity, *_rooms(args)])  # the loops over a list make lists of the same length
        return Executable(self.stage, self.traced, self._footprint, capacity, store, args, bounds,
                          self._assumes_sizes, self._mixed)

    def _layout(self, store: Values) -> int:
        """A number for the shapes and dtypes of the stored values that this stage uses, the same for the same ones.

        They are read again only when the store changed. A number, because every step looks for its program by it.
        """
        seen, own = self._seen_layout
        if seen != store.layout:
            seen = store.layout
            shapes = tuple([store.form(k) for k in self._keys])
            own = self._layouts.setdefault(shapes, len(self._layouts))
            self._seen_layout = (seen, own)
        return own


def only_restores(stage: Stage) -> bool:
    """Whether all a stage does is to assign values that were read from a checkpoint, each to one variable."""
    if not stage.inputs or stage.outputs or stage.on_host or any(n.opdef.kind not in _ASSIGNING for n in stage.nodes):
        return False
    used = [t for n in stage.nodes for t in n.inputs if t.op.opdef.kind is Kind.RESTORE]
    return len(used) == len(set(used)) and set(used) == set(stage.inputs)


def _rooms(args: Sequence[Any]) -> list[int]:
    """The numbers of rows of lists whose length is a run-time value."""
    return [a.capacity for a in args if isinstance(a, Stacked) and not a.has_static_length]


def _size(form: Form | None) -> int:
    return 0 if form is None else math.prod(form[0])


def _has_other_layout(old: Any, new: Any) -> bool:
    if type(old) is np.ndarray is type(new):
        return bool(old.shape != new.shape or old.dtype is not new.dtype and old.dtype != new.dtype)
    return any(getattr(old, name, None) != getattr(new, name, None) for name in ("shape", "dtype"))


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

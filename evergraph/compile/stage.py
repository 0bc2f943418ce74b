"""Runs one stage of a plan: on NumPy, or as a compiled program that reads and updates the store."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.aside import aside
from evergraph.compile import backend, explain
from evergraph.compile.ahead import MOST_COPIED, ahead, failed
from evergraph.compile.blas import one_thread
from evergraph.compile.contexts import NumpyContext, label_of
from evergraph.compile.executable import Executable
from evergraph.compile.footprint import footprint, open_sizes, with_known_sizes
from evergraph.compile.generated import Lowered
from evergraph.compile.loop import FIRST_CAPACITY
from evergraph.compile.lower import lower, lower_for_numpy
from evergraph.compile.policy import (
    COMES_BACK,
    Decision,
    History,
    Work,
    decide,
    explained,
    is_exception,
    machine_for,
    most_calls,
)
from evergraph.compile.rooms import rooms_of
from evergraph.compile.signatures import MOST_COUNTED, Begun, Signatures
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.compile.watched import WatchedContext
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel import patience
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
from evergraph.kernel.storage import Form, forms_of
from evergraph.kernel.values import Hole, is_traced, is_whole, references
from evergraph.passes.dynamic_lengths import over_time
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.shortcuts import shortcuts, without_idle
from evergraph.passes.sized import sized_nodes
from evergraph.passes.state import cell_key

_ASSIGNING = (Kind.ASSIGN, Kind.VARIABLE, Kind.NO_OP)
_ANY_THREADS = contextlib.nullcontext()


@dataclass(frozen=True)
class _Asked:
    """A decision of the policy.

    Attributes:
        state: what it depends on, beside the signature and its runs.
        until: the run of the signature up to which it need not be asked again.
        work: what it was asked about.
        decision: the answer.
    """

    state: tuple[Any, ...]
    until: float
    work: Work
    decision: Decision


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
        is_decided: was about to be compiled in an earlier plan, which that has changed.
        may_get_room: there is a plan that gives its loops room for any number of steps, if these turn out to vary.
    """

    def __init__(
        self,
        stage: Stage,
        forced_tier: str | None = None,
        adopts_inputs: bool = False,
        keeps_dynamic_lengths: bool = False,
        mixed: MixedPrecision | None = None,
        is_decided: bool = False,
        may_get_room: bool = True,
    ) -> None:
        self.stage, self.adopts_inputs, self.keeps_dynamic_lengths = stage, adopts_inputs, keeps_dynamic_lengths
        self.may_get_room, self._mixed = may_get_room, mixed
        self.signatures = Signatures()
        self._stays: tuple[int, Any] | None = None  # the layout of the store and the signature that NumPy has for good
        self._footprint = footprint(stage)
        self._keys = self._footprint.keys
        self._forced_tier = forced_tier
        self._is_interpreted = stage.on_host or adopts_inputs or forced_tier == "numpy"
        # A Python function of the host, and a user who asks for NumPy, may take all threads for products.
        self._limits_threads = not stage.on_host and forced_tier is None and self._footprint.has_products
        self._is_decided = is_decided or keeps_dynamic_lengths or mixed is not None and self._footprint.updates
        self._static = stage.static_positions
        self._gives_lists = any(t._dtype is dtypes.variant for t in stage.outputs)
        self._lists = [i for i, t in enumerate(stage.inputs) if t._dtype is dtypes.variant]  # of elements of any dtype
        self._rooms = rooms_of(stage)
        self._compiling = threading.RLock()
        self._capacity = FIRST_CAPACITY
        self._steps: list[tuple[int, ...]] | None = None
        self._steps_vary = False
        self._shapes: tuple[Any, ...] | None = None  # of the first signature
        self._is_apart = False  # from nodes whose sizes are found out on the host, or known not to be separable
        self._calls: float = 0  # of kernels in loops, in all runs on NumPy ...
        self._runs_of_loops = 0  # ... of which there are so many
        self._guessed: tuple[Work, Work] | None = None  # an estimate by guessed sizes, and by known ones
        self._assumes_sizes = True
        self._asked: dict[Any, _Asked] = {}  # by signature
        self._explained: Callable[[], str] | None = None  # the last decision
        self._layouts: dict[Any, int] = {}
        self._seen_layout: tuple[int, int] = (-1, -1)

    @functools.cached_property
    def lowered(self) -> Lowered:
        """The code that runs on NumPy."""
        stage = self.stage
        short = shortcuts(stage.nodes, stage.outputs, stage.late, stage.asked)
        return lower_for_numpy(stage.nodes, stage.inputs, stage.outputs, short, stage.fixed, stage.late)

    @functools.cached_property
    def _watched(self) -> Lowered:
        """The code that runs on NumPy and tells of each node."""
        stage = self.stage
        return lower(stage.nodes, stage.inputs, stage.outputs, stage.fixed, stage.late, is_watched=True)

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

    @property
    def is_settled(self) -> bool:
        """Whether no program is to come: each signature has one, or NumPy has it for good, or sizes keep changing."""
        decisions = [asked.decision for asked in self._asked.values()]
        return len(decisions) > COMES_BACK or all(each.tier == "xla" or each.until == math.inf for each in decisions)

    @property
    def may_run_programs(self) -> bool:
        """Whether a run may be that of a compiled program."""
        return not self._is_interpreted and (self._forced_tier == "xla" or self.signatures.compiled > 0)

    @property
    def explanation(self) -> str:
        """The last decision of the policy in one line, or that there was nothing to decide."""
        if self._explained is not None:
            return self._explained()
        tier = "NumPy" if self._is_interpreted else "XLA"
        why = "ops of the host" if self.stage.on_host else "as the session asks" if self._forced_tier else "it assigns"
        return f"stage {self._name} ({len(self.stage.nodes)} nodes): {tier}; {why}"

    @property
    def _name(self) -> str:
        """What lines about the stage call it: its last node. A stage that hands a feed on has none."""
        return self.stage.nodes[-1].name if self.stage.nodes else "without nodes"

    @property
    def leaves_interpreter(self) -> bool:
        """Whether a run leaves the interpreter to other threads: some signature is compiled."""
        return self.signatures.has_programs

    def checked(self) -> set[Operation]:
        """The nodes that may fail the stage: those that do in its programs, or could, as long as there is none."""
        if programs := self.signatures.programs():
            return {node for executable in programs for node, *_ in executable.program.checks}
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
        signature = (tuple([a.shape for a in given]), counts, known, dtypes_of_lists)
        if self._stays == (store.layout, signature):
            return self._run_numpy(store, args, undo)
        if signature not in self.signatures.for_xla:
            self._look_at_steps(given)
            self._look_at_sizes(signature[0])
            if self._steps_vary and self.signatures.compiled:
                raise NeedRoom
            while self._tier(store, given, signature) == "numpy":
                most = self._most_calls(signature)
                try:
                    return self._run_numpy(store, args, undo, most)
                except LongLoop:
                    self._is_decided = True
                    self._count_calls(most)
            if self._steps_vary:
                raise NeedRoom
            self._refuse_objects(given)
        try:
            return self._run_compiled(store, given, signature, undo)
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
        if self._is_apart or self._shapes == shapes or not self.signatures.compiled:
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

    # ---- the tier

    def _tier(self, store: Values, args: Sequence[Any], signature: Any) -> str:
        """How a signature runs that has not been given to XLA so far; counts the runs on NumPy."""
        if self._forced_tier is None and self._is_left_to_numpy(store, args, signature):
            return "numpy"
        self.signatures.give_to_xla(signature)
        return "xla"

    def _is_left_to_numpy(self, store: Values, args: Sequence[Any], signature: Any) -> bool:
        """Whether NumPy runs a signature this time; begins to compile it if the policy says so."""
        asked, now = self._asked.get(signature), self._now(store)
        if asked is None or asked.state != now or self.signatures.runs(signature) >= asked.until:
            asked = self._ask(store, args, signature, now)
        begun = self.signatures.begun(signature)
        if begun is not None and not self._is_decided:
            is_left = self._history(store, args, signature).runs < begun.switch
        else:
            is_left = asked.decision.tier == "numpy"
        if is_left:
            if asked.decision.until < math.inf or self._footprint.nodes_in_loops:
                self.signatures.count(signature)
            elif not self._keys or self.stage.place.platform_if_known == "cpu":  # no variable may be moved to a device
                self._stays = (store.layout, signature)
        return is_left

    def _ask(self, store: Values, args: Sequence[Any], signature: Any, now: tuple[Any, ...]) -> _Asked:
        """Asks the policy for a decision, and notes until which run of the signature it holds.

        Raises:
            NeedRoom: the stage is to be compiled, and its loops run over changing numbers of steps.
        """
        history = self._history(store, args, signature)
        work = self._work(store, args, signature)
        decision = self._decide(work, history)
        if decision.tier == "xla" or decision.compile_now:
            work = self._with_known_sizes(work, args)
            decision = self._decide(work, history)
        if decision.until < math.inf:
            backend.memory_is_kept()
        if decision.compile_now and self.signatures.begun(signature) is None:
            if self._steps_vary:
                raise NeedRoom
            self._begin(store, args, signature, decision.until)
        holds = 0 if work.nodes_in_loops else decision.until if decision.compile_now else decision.until // 2
        before = self._asked.get(signature)
        if len(self._asked) >= MOST_COUNTED:
            self._asked.clear()
        asked = self._asked[signature] = _Asked(now, holds, work, decision)
        self._explained = functools.partial(explained, self._name, work, signature[0], history, decision)
        if explain.setting.is_on and (before is None or before.decision[:2] != decision[:2]):
            explain.say(self._explained())
        return asked

    def _decide(self, work: Work, history: History) -> Decision:
        """What the policy says; JAX is not loaded to tell the platform while all agree that nothing is compiled."""
        if self.stage.place.platform_if_known is None:
            decisions = [decide(machine, work, history) for machine in map(machine_for, ("cpu", "gpu"))]
            first = min(decisions, key=lambda decision: decision.until)
            if first.tier == "numpy" and not first.compile_now:
                return first
        return decide(machine_for(self.stage.place.platform), work, history)

    def _history(self, store: Values, args: Sequence[Any], signature: Any) -> History:
        """What earlier runs tell. A first program of loops is for all their runs; others are for a signature each."""
        programs = self.signatures.compiled
        runs = self._runs_of_loops if self._runs_of_loops and not programs else self.signatures.runs(signature)
        return History(runs, self._calls / max(self._runs_of_loops, 1), programs, self._moved(store),
                       self.signatures.counted, self._steps_vary, bool(_rooms(args)), self._is_decided)

    def _moved(self, store: Values) -> int:
        """How many of the variables are on an accelerator, from where a run on NumPy has to take them."""
        if not self._keys or self.stage.place.platform_if_known in (None, "cpu"):
            return 0
        return sum([type(value) is not np.ndarray for value in store.get_all(self._keys) if value is not None])

    def _now(self, store: Values) -> tuple[Any, ...]:
        """What a decision depends on, beside the signature and its runs."""
        return store.layout, self.signatures.compiled, self._is_decided, self._steps_vary, self._moved(store)

    def _work(self, store: Values, args: Sequence[Any], signature: Any) -> Work:
        """What the stage does with inputs of this signature, with guesses of sizes that are not static."""
        asked = self._asked.get(signature)
        if asked is not None and asked.state[0] == store.layout:
            return asked.work
        plain = [a for a in args if not is_list(a)]  # lists are what another loop has kept, not what is fed
        in_tables = sum(map(_size, store.forms(tuple(self._footprint.tables))))
        work = self._footprint.work(self._elements(store, plain) - in_tables, open_sizes(self.stage.inputs, args))
        return work if self._guessed is None else self._corrected(work)

    def _with_known_sizes(self, work: Work, args: Sequence[Any]) -> Work:
        """The estimate of what is to be compiled, by the sizes that follow from the inputs instead of guessed ones.

        It takes a while to find them: what they are for the first signature says how far the guess is off for others.
        """
        if self._guessed is not None or self._footprint.has_static_shapes or work.xla_only:
            return work
        sizes = open_sizes(self.stage.inputs, args)
        self._guessed = work, with_known_sizes(self.stage, self._footprint, work, args, sizes)
        return self._guessed[1]

    def _corrected(self, work: Work) -> Work:
        """A guess, as far off as that for the first signature was."""
        assert self._guessed is not None
        guess, right = self._guessed
        if work.elements is None or guess.elements is None or right.elements is None:
            return replace(work, elements=right.elements, flops=right.flops)
        return replace(work, **{name: getattr(work, name) * getattr(right, name) // max(getattr(guess, name), 1)
                                for name in ("elements", "flops", "elements_in_loops", "flops_in_loops")})

    def _most_calls(self, signature: Any) -> float:
        """How many kernels loops may call in a run before it is given up.

        A run with a deadline is not, because a program of XLA could not be ended by it.
        """
        asked = self._asked.get(signature)
        if self._is_decided or asked is None or patience.deadline() is not None:
            return math.inf
        return most_calls(asked.work)

    def _elements(self, store: Values, args: Sequence[Any]) -> int:
        """How many numbers come in through inputs and variables."""
        return sum(a.size for a in args) + sum(map(_size, store.forms(self._keys)))

    def _begin(self, store: Values, args: Sequence[Any], signature: Any, switch: float) -> None:
        """Traces a signature, and has the background compile it, while it runs on NumPy; unless that cannot be done.

        What tracing raises, such as a value that has to be static, is raised at the switch. Loops switch at once then:
        those of the new plan run on NumPy while they are compiled.
        """
        if backend.process.is_forked or self._elements(store, args) > MOST_COPIED:
            return
        with store.using(self._footprint.used, self._footprint.written), self._compiling:
            if not self.signatures.may_begin(signature):
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
            self.signatures.begin(signature, Begun(executable, job, layout, switch))

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
        if store.early.pending is not None:
            store.early.settle()
        host = [a if type(a) is np.ndarray else _on_host(a) for a in args] if args else args
        if not self._keys:
            new = NumpyContext if undo.watcher is None else partial(WatchedContext, undo.watcher)
            context = new(lambda key: store.snapshot((key,))[0], store.shared, store)
            return self._call(context, host, most_calls)
        if self.stage.on_host:  # may wait for other threads, which must not wait for it
            return self._interpret(store, host, undo, most_calls)
        with store.using(self._footprint.used, self._footprint.written):
            return self._interpret(store, host, undo, most_calls)

    def _interpret(self, store: Values, args: Sequence[Any], undo: Undo, most_calls: float) -> Sequence[Any]:
        new = NumpyContext if undo.watcher is None else partial(WatchedContext, undo.watcher)
        if self.stage.on_host:
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
        with one_thread if self._limits_threads else _ANY_THREADS:
            code = self.lowered if context.seen is None else self._watched
            outputs: Sequence[Any] = quietly(code.call, context, *args)
        if self._footprint.nodes_in_loops:
            self._count_calls(context.calls)
        return outputs

    def _count_calls(self, calls: float) -> None:
        """Counts the kernels that loops have called in a run."""
        self._calls += calls
        self._runs_of_loops += 1

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
        changes_layout = store.forms(keys) != forms_of(values)
        if changes_layout or not undo.is_last_stage:
            undo.prepare(store, keys, changes_layout)
        calls = itertools.chain.from_iterable(changes.values())
        # What makes the changes returns None; the new values come behind it.
        store.commit(keys, itertools.chain(filter(None, map(partial.__call__, calls)), (values,)), undo.awaited())

    def _in_place(self, store: Values, cells: Sequence[Cell], undo: Undo) -> dict[str, list[partial[None]]]:
        """The calls that change values in their memory, by key: where nobody else has the array, and nothing can fail.
        """
        if self.stage.on_host or not undo.is_last_stage:
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

    # ---- XLA

    def _run_compiled(self, store: Values, args: Sequence[Any], signature: Any, undo: Undo) -> Sequence[Any]:
        if backend.process.is_forked:
            backend.check_process()
        with store.using(self._footprint.used, self._footprint.written):
            executable = self.signatures.get(self._layout(store), signature) or self._begun(store, signature)
            if executable is None:
                outputs = self._run_first(store, args, signature, undo)
            else:
                try:
                    outputs = executable.run(store, args, undo)
                except NeedCapacity:
                    outputs = self._run_larger(store, args, signature, executable, undo)
                except OtherSizes:
                    if self._forced_tier is None and is_exception(executable.fitting, executable.other):
                        raise
                    self._assume_no_sizes()
                    outputs = self._run_first(store, args, signature, undo)
        if self.keeps_dynamic_lengths or not self._gives_lists:
            return outputs
        return [with_plain_length(value) for value in outputs]

    def _begun(self, store: Values, signature: Any) -> Executable | None:
        """The program that the background compiles for the signature, if it does, when it is ready.

        Raises what compiling raised. An interrupt ends the wait, and the next run waits again.
        """
        with self._compiling:
            if self.signatures.begun(signature) is None:
                return self.signatures.get(self._layout(store), signature)
            try:
                with backend.announced(f"a program of {len(self.stage.nodes)} nodes"):
                    is_ready = self.signatures.wait(signature)
            except Exception:
                self.signatures.end(signature)
                raise
            begun = self.signatures.end(signature)
            if begun is None or not is_ready or begun.layout != self._layout(store):
                return None
            self.signatures.put(begun.layout, signature, begun.executable)
            self.signatures.report(self.stage.inputs, self._static)
            return begun.executable

    def _assume_no_sizes(self) -> None:
        """Compiles from now on for the values that tell sizes, because assumptions about these fail too often."""
        self._assumes_sizes = False
        self.signatures.drop_programs()

    def _run_first(self, store: Values, args: Sequence[Any], signature: Any, undo: Undo) -> Sequence[Any]:
        """Compiles the stage for a new signature; other threads with the same signature wait for the program."""
        with self._compiling:
            executable = self.signatures.get(self._layout(store), signature)
            if executable is not None:
                return executable.run(store, args, undo)
            return self._compile(store, args, signature, undo)

    def _run_larger(
        self, store: Values, args: Sequence[Any], signature: Any, small: Executable, undo: Undo
    ) -> Sequence[Any]:
        """Compiles the stage again with room for longer lists, unless another thread has done so meanwhile."""
        with self._compiling:
            found = self.signatures.get(self._layout(store), signature)
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
                with backend.announced(f"a program of {len(self.stage.nodes)} nodes"):
                    outputs = executable.run(store, args, undo)
                looks = executable.reshapes or not self._footprint.read.isdisjoint(executable.program.new_keys)
                self.signatures.put(before if looks else self._layout(store), signature, executable)
                self.signatures.report(self.stage.inputs, self._static)
                return outputs
            except NeedCapacity:
                self._capacity = 2 * executable.program.capacity
            except OtherSizes:
                self._assume_no_sizes()

    def _new_executable(self, store: Values, args: Sequence[Any], signature: Any) -> Executable:
        bounds = {} if self._rooms is None else self._rooms.bounds(args, signature[1])
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
            shapes = tuple(store.forms(self._keys))
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

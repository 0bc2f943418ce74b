"""Runs one stage of a plan: on NumPy, or as a compiled program that reads and updates the store."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.compile import backend
from evergraph.compile.choice import Choice
from evergraph.compile.footprint import footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.interpreter import Interpreter
from evergraph.compile.kernel_times import Kernels
from evergraph.compile.programs import Programs
from evergraph.compile.rooms import rooms_of
from evergraph.compile.signatures import Signatures
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.compile.variation import Variation
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.kernel.lists.transfer import keeps_objects
from evergraph.kernel.reasons import LongLoop, NeedHost, NeedRoom, NeedStatic, OtherSizes, Uncompilable
from evergraph.kernel.values import Hole
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.state import with_inner

_ASSIGNING = (Kind.ASSIGN, Kind.VARIABLE, Kind.NO_OP)


class StageRunner:
    """A stage, its code for NumPy, its compiled programs, and the tier that each signature of its inputs runs on.

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

    Attributes:
        tied: stages that are compiled once this one is, if programs are faster there; see `tie`.
        seen: what traced runs have noted of its nodes, for later ones.
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
        self.stage, self.keeps_dynamic_lengths, self.may_get_room = stage, keeps_dynamic_lengths, may_get_room
        self._forced_tier = forced_tier
        self._footprint = stores = footprint(stage)
        self._is_interpreted = stage.on_host or adopts_inputs or forced_tier == "numpy"
        self._static = stage.static_positions
        self._lists = [i for i, t in enumerate(stage.inputs) if t._dtype is dtypes.variant]  # of elements of any dtype
        self._rooms, self._variation = rooms_of(stage), Variation(stage, may_get_room)
        # A Python function of the host, and a user who asks for NumPy, may take all threads for products.
        limits_threads = not stage.on_host and forced_tier is None and stores.has_products
        self._interpreter = Interpreter(stage, stores, adopts_inputs, limits_threads)
        self.signatures = Signatures()
        self.tied: Sequence[StageRunner] = ()
        self.seen: dict[Any, Any] = {}
        self._programs = Programs(stage, stores, self.signatures, self._rooms, keeps_dynamic_lengths, mixed,
                                  forced_tier == "xla")
        self.choice = Choice(stage, stores, self.signatures, self._interpreter, self._variation, self._programs.begin,
                             is_decided or keeps_dynamic_lengths or mixed is not None and stores.updates)

    @functools.cached_property
    def kernels(self) -> Kernels:
        """Those of its compiled programs, for traced runs."""
        found = self.signatures
        return Kernels(self._traced_nodes, lambda: {each.program.module for each in found.programs()},
                       lambda: found.compiled)

    @property
    def lowered(self) -> Lowered:
        """The code that runs on NumPy."""
        return self._interpreter.lowered

    @property
    def traced(self) -> Lowered:
        """The code that is compiled."""
        return self._programs.lowered

    @property
    def is_pure(self) -> bool:
        """Whether the stage may run twice in a step: it calls nothing that is for the host, and uses nothing stored."""
        return not self._footprint.keys and (not self.stage.on_host or self._has_device_nodes_alone)

    @functools.cached_property
    def _has_device_nodes_alone(self) -> bool:
        """Whether the nodes of a host stage are for the device, and only computed on the host."""
        return all(node.opdef.on == "device" and node.opdef.is_pure for node in self.stage.nodes)

    @property
    def may_run_programs(self) -> bool:
        """Whether a run may be that of a compiled program."""
        return not self._is_interpreted and (self._forced_tier == "xla" or self.signatures.compiled > 0)

    @property
    def explanation(self) -> str:
        """The last decision of the policy in one line, or that there was nothing to decide."""
        if (found := self.choice.explanation) is not None:
            return found
        tier = "NumPy" if self._is_interpreted else "XLA"
        why = "ops of the host" if self.stage.on_host else "as the session asks" if self._forced_tier else "it assigns"
        return f"stage {self.stage.label} ({len(self.stage.nodes)} nodes): {tier}; {why}"

    @property
    def leaves_interpreter(self) -> bool:
        """Whether a run leaves the interpreter to other threads: some signature is compiled."""
        return self.signatures.has_programs

    def checked(self) -> set[Operation]:
        """The nodes that may fail the stage: those that do in its programs, or could, as long as there is none."""
        if programs := self.signatures.programs():
            return {node for executable in programs for node, *_ in executable.program.checks}
        return {node for node in self.stage.nodes if "check" in node.opdef.wants}

    def _traced_nodes(self) -> dict[str, Operation]:
        """The nodes by their names in the programs, which may be those of an equal stage."""
        names = {own: name for each in self.signatures.programs() for own, name in each.program.traced_names.items()}
        return {names.get(node.name, node.name): node for node in with_inner(self.stage.nodes)}

    def run(self, store: Values, args: Sequence[Any], undo: Undo) -> Sequence[Any]:
        """The outputs of the stage. `undo` gets what it replaces in `store`, or else whether the last stage has run."""
        if self._is_interpreted or self._lists and any(isinstance(args[i], Hole) for i in self._lists):
            return self._interpreter.run(store, args, undo)  # needs no form of a list that only another branch has
        fitting = (args, ()) if self._rooms is None else self._rooms.padded(args)
        if fitting is None:
            return self._interpreter.run(store, args, undo)
        given, counts = fitting
        known = tuple([given[i].tobytes() for i in self._static]) if self._static else ()
        dtypes_of_lists = tuple([given[i].dtype for i in self._lists]) if self._lists else ()
        signature = (tuple([a.shape for a in given]), counts, known, dtypes_of_lists)
        if self.choice.stays == (store.layout, signature):
            return self._interpreter.run(store, args, undo)
        if signature not in self.signatures.for_xla:
            self._look(given, signature)
            while self._leaves_to_numpy(store, given, signature):
                most = self.choice.most_calls(signature)
                try:
                    return self._interpreter.run(store, args, undo, most)
                except LongLoop:
                    self.choice.give_up(most)
            if self._variation.of_steps:
                raise NeedRoom
            self._refuse_objects(given)
        try:
            return self._programs.run(store, given, signature, undo)
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
        return self._interpreter.run(store, args, undo)

    def _look(self, args: Sequence[Any], signature: Any) -> None:
        """Looks for changes of sizes, of which another plan may make the best.

        Raises:
            NeedApart, NeedRoom: one does.
        """
        has_programs = self.signatures.compiled > 0
        self._variation.look(args, signature[0], has_programs)
        if self._variation.of_steps and has_programs:
            raise NeedRoom

    def _leaves_to_numpy(self, store: Values, args: Sequence[Any], signature: Any) -> bool:
        """Whether NumPy runs a signature that has not been given to XLA so far. If not, it is given to XLA for good."""
        if self._forced_tier is None and self.choice.leaves_to_numpy(store, args, signature):
            return True
        self.signatures.give_to_xla(signature)
        for other in self.tied:
            other.choice.is_decided = True
        return False

    def _refuse_objects(self, args: Sequence[Any]) -> None:
        """Raises NeedHost for a node that takes a list of strings, which the dtype, variant, does not tell."""
        found = [self.stage.inputs[i] for i in self._lists if keeps_objects(args[i])]
        if found:
            raise NeedHost(next(node for node in self.stage.nodes if not set(found).isdisjoint(node._inputs)))

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


def tie(runners: Sequence[StageRunner]) -> None:
    """Ties stages to those that write variables which they use, and which would move from tier to tier in each step."""
    for runner in runners:
        used = runner._footprint.used
        runner.tied = [each for each in runners if each is not runner and not used.isdisjoint(each._footprint.written)]


def only_restores(stage: Stage) -> bool:
    """Whether all a stage does is to assign values that were read from a checkpoint, each to one variable."""
    if not stage.inputs or stage.outputs or stage.on_host or any(n.opdef.kind not in _ASSIGNING for n in stage.nodes):
        return False
    used = [t for n in stage.nodes for t in n.inputs if t.op.opdef.kind is Kind.RESTORE]
    return len(used) == len(set(used)) and set(used) == set(stage.inputs)

"""Plans how a run computes its fetches: which stages it has, and what each of them needs to know."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.base.devices import Place
from evergraph.base.pick import Pick, pick
from evergraph.compile.join import joined
from evergraph.compile.stage import StageRunner, only_restores, tie
from evergraph.graph.function import functions_of, has_effect, writes
from evergraph.graph.node import Misfits, Operation, Tensor
from evergraph.graph.shaping import product, static_value
from evergraph.graph.traits import Kind
from evergraph.kernel.reasons import NeedApart, NeedDynamicLength, NeedHost, NeedRoom, NeedStatic, Replan
from evergraph.passes.dead_code import without_dead_code
from evergraph.passes.dynamic_lengths import OverTime, dynamic_length_nodes, only_sets_lengths, over_time
from evergraph.passes.fed_constants import with_fed_constants
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.integers import static_sources, unknown_inputs
from evergraph.passes.partition import Stage, partition
from evergraph.passes.place import Placement, place
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import with_early_reads
from evergraph.passes.shapes import MOST_SIZES
from evergraph.passes.share import left_beside, updating, with_foreseen
from evergraph.passes.state import is_handle
from evergraph.run.devices import placement_of
from evergraph.run.levels import levels

MOST_NODES = 20_000  # in one compiled program; XLA's compile time grows faster than that


@dataclass(frozen=True)
class Findings:
    """What runs have found out about the nodes, for the next plan to respect.

    Attributes:
        static: tensors whose values compiled programs depend on.
        host_nodes: nodes that cannot be compiled.
        early: nodes whose shapes depend on the length of a list; they run in the first stage that their inputs allow.
        dynamic_lengths: lengths that are run-time values, and lists of such a length with the list whose buffer tells
            how large theirs has to be: itself for lists of steps that are fed, which the executor gives room.
        watched_lengths: static lengths that become dynamic when they vary.
        apart: nodes with sizes that host ops find out, which share no stage with others.
    """

    static: frozenset[Tensor] = frozenset()
    host_nodes: frozenset[Operation] = frozenset()
    early: frozenset[Operation] = frozenset()
    dynamic_lengths: Mapping[Tensor, Tensor | None] = field(default_factory=dict)
    watched_lengths: frozenset[Tensor] = frozenset()
    apart: frozenset[Operation] = frozenset()

    def after(self, reason: Replan, nodes: Sequence[Operation], feeds: Collection[Tensor]) -> Findings:
        """The findings with one more, which a run of these nodes with these feeds has made."""
        if isinstance(reason, NeedHost):
            return dataclasses.replace(self, host_nodes=self.host_nodes | {reason.node})
        if isinstance(reason, NeedApart):
            return dataclasses.replace(self, apart=self.apart | reason.nodes)
        if isinstance(reason, NeedDynamicLength):
            return dataclasses.replace(
                self,
                static=self.static - {reason.tensor},
                watched_lengths=self.watched_lengths - {reason.tensor},
                dynamic_lengths={**self.dynamic_lengths, reason.tensor: None},
            )
        if isinstance(reason, NeedRoom):
            return self._with_room(over_time(nodes, feeds), nodes)
        assert isinstance(reason, NeedStatic)
        if self.has_static(reason.tensor) and reason.node is not None:  # a variable, say: no stage can compute it
            return dataclasses.replace(self, host_nodes=self.host_nodes | {reason.node})
        return self._with_static(reason.tensor, nodes)

    def has_static(self, tensor: Tensor) -> bool:
        """Whether earlier stages compute the tensor already, where they can."""
        return tensor in self.static and tensor not in self.dynamic_lengths

    def _with_room(self, loops: OverTime, nodes: Sequence[Operation]) -> Findings:
        lengths = {**self.dynamic_lengths, **{t: t for t in loops.lists}, **dict.fromkeys(loops.lengths)}
        found = dataclasses.replace(self, static=self.static.union(loops.lists), early=self.early | loops.before,
                                    dynamic_lengths=lengths)
        for tensor in loops.stacked:
            found = found._with_static(tensor, nodes)
        return found

    def _with_static(self, tensor: Tensor, nodes: Sequence[Operation]) -> Findings:
        was_dynamic = tensor in self.dynamic_lengths
        lengths = {t: like for t, like in self.dynamic_lengths.items() if t is not tensor}
        found = dataclasses.replace(self, static=self.static | {tensor}, dynamic_lengths=lengths)
        if tensor._dtype is dtypes.variant:
            sized, lists = dynamic_length_nodes(tensor, nodes)
            return dataclasses.replace(
                found,
                early=found.early | sized,
                static=found.static.union(lists),
                dynamic_lengths={**lengths, **dict.fromkeys(lists, tensor)},
            )
        if tensor._shape == () and not was_dynamic and only_sets_lengths(tensor, nodes):
            return dataclasses.replace(found, watched_lengths=self.watched_lengths | {tensor})
        return found


@dataclass(frozen=True, eq=False)
class Plan:
    """How one combination of fetches and feeds runs. Threads share it; it never changes.

    Attributes:
        fetches: tensors and operations.
        feeds: tensors that get their values from the caller.
        tier: "numpy" or "xla" forces how device stages run; None lets the policy decide.
        nodes: what runs, in order.
        findings: what earlier runs have found out.
        runners: one for each stage, in order.
        path: a shorter way to run the plan, where no stage has static inputs, and each runs by itself.
        levels: the runners of stages that do not depend on each other, by the first of them; see run/levels.py.
        is_sharing: whether the stage that updates variables is that of another plan, and may compute more than this one
            asks for.
        mixed: how compiled programs compute in mixed precision, if they do.
        best: the session's best device, where nodes are that have no place of their own.
        places: those of the others.
    """

    fetches: tuple[Tensor | Operation, ...]
    feeds: tuple[Tensor, ...]
    tier: str | None
    nodes: tuple[Operation, ...]
    findings: Findings
    runners: tuple[StageRunner, ...] = ()
    path: Path | None = None
    levels: Mapping[StageRunner, tuple[StageRunner, ...]] = field(default_factory=dict)
    is_sharing: bool = False
    mixed: MixedPrecision | None = None
    best: Place = Place()
    places: Mapping[Operation, Place] = field(default_factory=dict)

    def after(self, reason: Replan) -> Plan:
        """The plan that respects what a run of this one has found out. Stages that stay the same keep their runners.

        Raises:
            UnimplementedError: there is no such plan.
        """
        if isinstance(reason, NeedStatic) and not self._can_provide(reason):
            raise errors.UnimplementedError(
                None, reason.node or reason.tensor.op,
                f"{reason.tensor.name} has to be known when the program is compiled, but changes while it runs")
        findings = self.findings
        for each in self._by_sources(reason):
            findings = findings.after(each, self.nodes, self.feeds)
        return _with_runners(dataclasses.replace(self, findings=findings, is_sharing=False))

    def _by_sources(self, reason: Replan) -> list[Replan]:
        """The reasons to plan by: what has to be static is what host stages have to do with the tensor, if they have.

        The same goes for all other static inputs in its stage, which would be reasons to plan again one after another:
        also for those that its program knows from shapes, because the rest of this run is given these as values.
        """
        if not isinstance(reason, NeedStatic) or reason.node is None or self.findings.has_static(reason.tensor):
            return [reason]
        made = {t for runner in self.runners if runner.stage.on_host for t in runner.stage.outputs}.union(self.feeds)
        stage = next(runner.stage for runner in self.runners if reason.node in runner.stage.nodes)
        lengths = self.findings.dynamic_lengths
        unknown = [t for t in unknown_inputs(stage.nodes, stage.inputs) if t not in lengths]
        sources = dict.fromkeys(s for t in (reason.tensor, *unknown) for s in static_sources(t, made))
        new = [t for t in sources if not self.findings.has_static(t)]
        return [NeedStatic(t, reason.node) for t in new] if new else [reason]

    def _can_provide(self, reason: NeedStatic) -> bool:
        """Whether an earlier stage can compute the tensor, or else the node that needs it can run on the host."""
        if reason.node is None:  # it runs as Python, and differentiates a function that needs the tensor
            return False
        return not self.findings.has_static(reason.tensor) \
            or self.tier != "xla" and reason.node not in self.findings.host_nodes

    def rest(self, left: Sequence[StageRunner], known: Sequence[Tensor]) -> list[StageRunner]:
        """What remains of a run in progress: the nodes of the stages `left` of another plan, where `known` is computed.

        Stages that have run do not run again: they may have called Python functions or taken elements from queues.
        """
        remaining = set().union(*(runner.stage.nodes for runner in left))
        return self._runners(self._stages([node for node in self.nodes if node in remaining], known))

    @functools.cached_property
    def step(self) -> StageRunner | None:
        """The runner of the stage that updates variables, if there is one that other fetch lists may share."""
        number = updating([runner.stage for runner in self.runners])
        return None if number is None else self.runners[number]

    @functools.cached_property
    def homes(self) -> dict[Operation, Place]:
        """Where each node is: at the place of its stage, or, for what each stage has a copy of, at its own."""
        staged = {node: runner.stage.place for runner in self.runners for node in runner.stage.nodes
                  if not is_handle(node)}
        return {node: staged.get(node) or self.places.get(node, self.best) for node in self.nodes}

    @functools.cached_property
    def fetches_operations(self) -> bool:
        """Whether the plan is one stage whose results nobody asks for."""
        return self.path is not None and len(self.runners) == 1 \
            and not any(isinstance(fetch, Tensor) for fetch in self.fetches)

    def sharing(self, other: Plan) -> Plan | None:
        """This plan with the stages of another one up to its updates, if these are its own too; see passes/share.py.

        None if the other plan does not serve, or its updates neither were compiled nor will be.
        """
        step = other.step
        if step is None or set(self.feeds) != set(other.feeds) or not step.signatures.were_used():
            return None
        done = other.runners[: other.runners.index(step) + 1]
        checked = step.checked()
        left = left_beside(self.nodes, self.fetches, self.feeds, [runner.stage for runner in done], checked)
        if left is None:
            return None
        plan = dataclasses.replace(self, findings=other.findings)
        known = [*self.feeds, *(t for runner in done for t in runner.stage.outputs)]
        wants_more = left or any(isinstance(f, Tensor) and f not in known for f in self.fetches)
        after = joined(plan._stages(left, known), self.fetches, self.tier) if wants_more else []
        runners = (*done, *plan._runners(after))
        several = {first: group for first, group in other.levels.items() if set(group) <= set(done)}
        path = None if several else _path(self.fetches, self.feeds, runners)
        return dataclasses.replace(plan, runners=runners, path=path, levels=several, is_sharing=True)

    def alone(self) -> Plan:
        """The plan with stages of its own."""
        return _with_runners(dataclasses.replace(self, runners=(), is_sharing=False))

    def _stages(self, nodes: Sequence[Operation], known: Sequence[Tensor]) -> list[Stage]:
        found = self.findings
        return partition(nodes, self.fetches, known, found.static, found.host_nodes, found.early, found.dynamic_lengths,
                         MOST_NODES, True, found.apart, self.best, self.places)

    def _runners(self, stages: Sequence[Stage]) -> list[StageRunner]:
        """A runner for each stage: the one of this plan, with what that has compiled, where it has the same stage."""
        known = {(runner.stage, runner.keeps_dynamic_lengths, runner.may_get_room): runner for runner in self.runners}
        return [known.get((stage, self._keeps_lengths(stage), self._has_room_to_give)) or self._new_runner(stage)
                for stage in stages]

    def _new_runner(self, stage: Stage) -> StageRunner:
        # A restored value that is fetched too belongs to the caller.
        adopts = self.tier is None and only_restores(stage) and set(self.fetches).isdisjoint(stage.inputs)
        # What changed the plan was found out when the stage was about to be compiled, unless it is about sizes.
        is_decided = self.findings != Findings() and not (self.findings.dynamic_lengths or self.findings.apart)
        return StageRunner(stage, self.tier, adopts, self._keeps_lengths(stage), self.mixed, is_decided,
                           self._has_room_to_give)

    @functools.cached_property
    def _has_room_to_give(self) -> bool:
        """Whether there are loops over what is fed that have no room for other numbers of steps yet."""
        return any(t not in self.findings.dynamic_lengths for t in over_time(self.nodes, self.feeds).lists)

    def _keeps_lengths(self, stage: Stage) -> bool:
        lengths = self.findings.dynamic_lengths
        return bool(lengths) and any(t._dtype is dtypes.variant and t not in lengths for t in stage.outputs)


def first_plan(
    fetches: Sequence[Tensor | Operation],
    feeds: Sequence[Tensor],
    tier: str | None = None,
    others: Iterable[Plan] = (),
    mixed: MixedPrecision | None = None,
    done: Collection[str] = (),
    placement: Placement | None = None,
) -> Plan:
    """The plan of a combination of fetches and feeds that never ran; it shares the step of another one where it can.

    The effects of nodes whose names are in `done` are there already. By default the `placement` is that of a session
    without config.

    Raises:
        InvalidArgumentError: a node asks for a device that is not there.
        UnimplementedError: a constant is fed of which functions have copies that cannot see it.
    """
    known = [tensor for tensor in feeds if tensor.op.opdef.kind is not Kind.PLACEHOLDER]
    if any(map(_may_be_size, known)):
        tier = "numpy"  # static shapes follow from the tensor's own value, and compiled programs rely on them
    fetches, feeds = with_fed_constants(*functionalize(fetches, feeds), originals=feeds)
    fetches, feeds = without_dead_code(fetches, feeds, shares_updates=True)
    nodes = [n for n in with_early_reads(prune(fetches, feeds)) if not (n.name in done and has_effect(n))]
    _refuse_misfits(nodes)
    if any(tensor._dtype.is_ref for tensor in known):
        _refuse_values_for_variables(nodes, set(feeds))
    placement = placement or placement_of(None)
    plan = Plan(tuple(fetches), tuple(feeds), tier, tuple(nodes), Findings(), mixed=mixed, best=placement.best,
                places=place(nodes, placement))
    shared = (plan.sharing(other) for other in others)
    return next((each for each in shared if each is not None), None) or _with_runners(plan)


def _refuse_misfits(nodes: Sequence[Operation]) -> None:
    """Raises for an operation that was given an input of another dtype after it was made."""
    misfits = nodes[0].graph.memo(Misfits) if nodes else {}
    for node in nodes if misfits else ():
        for index, wanted in misfits.get(node, {}).items():
            tensor = node._inputs[index]
            raise errors.InvalidArgumentError(
                None, node, f"Input {index} of node {node.name} was passed {tensor.dtype.name} from {tensor.name} "
                f"incompatible with expected {wanted.name}")


def _refuse_values_for_variables(nodes: Sequence[Operation], fed: Collection[Tensor]) -> None:
    """Raises for an operation that changes a variable and would get a value that is fed in its place."""
    for node in nodes:
        for index, tensor in enumerate(node._inputs):
            if tensor not in fed:
                continue
            if writes(node, index) if functions_of(node) else node.opdef.plan.takes_ref(node.attrs, index):
                dtype = tensor._dtype.base_dtype.name
                raise errors.InvalidArgumentError(
                    None, node, f"Input {index} of node {node.name} was passed {dtype}, which is fed for "
                    f"{tensor.name}, incompatible with expected {dtype}_ref")


def _may_be_size(tensor: Tensor) -> bool:
    """Whether the value of a tensor was known when the graph was built, and shapes may have been made of it."""
    if not tensor._dtype.is_integer or tensor._shape is None or (product(tensor._shape) or 0) > MOST_SIZES:
        return False
    return static_value(tensor) is not None


def _with_runners(plan: Plan) -> Plan:
    """The plan with runners that fit its findings."""
    stages = plan._stages(plan.nodes, plan.feeds)
    stages = with_foreseen(stages, plan.nodes, plan.feeds)
    if len(stages) > 1:
        stages = joined(stages, plan.fetches, plan.tier)
    runners = tuple(plan._runners(stages))
    several = levels(stages, runners)
    if several:
        tie(runners)
    path = None if several else _path(plan.fetches, plan.feeds, runners)
    return dataclasses.replace(plan, runners=runners, path=path, levels=several)


@dataclass(frozen=True, eq=False)
class Path:
    """Where the stages and the fetches of a plan find their values: in a list that each stage appends its outputs to.

    Attributes:
        tensors: whose values the list has at the end: of none, for operations; of the feeds; of the outputs.
        early: the stages before the last, and for each what picks its inputs out of the list.
        last: the same of the last stage.
        results: picks the values of the fetches.
    """

    tensors: tuple[Tensor | None, ...]
    early: tuple[tuple[StageRunner, Pick], ...]
    last: tuple[StageRunner, Pick]
    results: Pick


def _path(
    fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], runners: Sequence[StageRunner]
) -> Path | None:
    if not runners or any(runner.stage.static for runner in runners):
        return None
    tensors = [None, *feeds, *(tensor for runner in runners for tensor in runner.stage.outputs)]
    place: dict[Any, int] = {tensor: at for at, tensor in enumerate(tensors)}
    *early, last = [(runner, pick([place[t] for t in runner.stage.inputs])) for runner in runners]
    results = pick([place[f] if isinstance(f, Tensor) else 0 for f in fetches])
    return Path(tuple(tensors), tuple(early), last, results)

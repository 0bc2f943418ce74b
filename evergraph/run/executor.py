"""Runs a combination of fetches and feeds: feeds values through the stages of its plan, and plans again on demand."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.stage import StageRunner
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.transfer import room_for, with_dynamic_length, with_plain_length
from evergraph.kernel.reasons import NeedDynamicLength, Replan
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.place import Placement
from evergraph.run.failure import explained
from evergraph.run.levels import run_level
from evergraph.run.looks import looks
from evergraph.run.plan import Path, Plan, first_plan
from evergraph.run.shutdown import shutdown
from evergraph.run.watch import Watch

LEAST_ROOM = 128  # steps that lists of fed steps have room for
_MOST_ROOM = 4  # times the room that a list needs
_MOST_LENGTHS = 1024  # that are remembered of one combination of fetches and feeds


class Executor:
    """Runs one combination of fetches and feeds. Threads share it.

    A run takes the current plan and finishes with it. When a stage turns out to need another plan, the next runs get
    that one, and the rest of this run is planned the same way.

    Args:
        fetches: tensors and operations.
        feeds: tensors that get their values from the caller.
        tier: "numpy" or "xla" forces how device stages run; None lets the policy decide.
        others: executors of other fetch lists of the same graph, whose compiled steps it may share.
        mixed: how compiled programs compute in mixed precision, if they do.
        done: names of nodes whose effects are there already.
        placement: where its nodes may be; by default as in a session without config.

    Attributes:
        plan: the current plan.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor | Operation],
        feeds: Sequence[Tensor],
        tier: str | None = None,
        others: Iterable[Executor] = (),
        mixed: MixedPrecision | None = None,
        done: Collection[str] = (),
        placement: Placement | None = None,
    ) -> None:
        self.plan: Plan = first_plan(fetches, feeds, tier, [other.plan for other in others], mixed, done, placement)
        self._placement = placement
        self._replanning = threading.Lock()
        # Lengths that may turn out to vary, with the shapes of the feeds -> the value in the first such run.
        self._lengths: dict[tuple[Tensor, Any], bytes] = {}
        self._rooms: dict[Tensor, int] = {}
        self._alone: Executor | None = None

    def run(self, store: Values, feed_values: Sequence[Any], watch: Watch | None = None) -> Sequence[Any]:
        """The value of each fetch, None for operations.

        When a step fails, `store` is as it was. When it is interrupted, by any exception that is no error, the store
        either is as it was or has everything that the step stores. A `watch` sees each stage run.
        """
        if watch is None and looks.functions:
            watch = Watch()
        if watch is not None and watch.needs_each and (alone := self.alone) is not self:
            return alone.run(store, feed_values, watch)
        if shutdown.has_begun:
            shutdown.park()
        plan, undo, mark = self.plan, Undo(), store.mark
        undo.returns_early = store.early.allowed is not False and plan.fetches_operations and watch is None
        if watch is not None:
            undo.watcher = watch.watcher
        try:
            pending = store.early.pending
            if pending is not None and not (undo.returns_early and plan.runners[0].stage is pending.stage):
                store.early.settle()
            if plan.path is not None and watch is None:
                return self._run_path(plan, plan.path, store, feed_values, undo)
            known = dict(zip(plan.feeds, feed_values, strict=True))
            return self._run_stages(plan, plan.runners, store, known, undo, watch)
        except BaseException as error:
            try:
                _clean_up(store, mark, undo)
            except BaseException:  # an interrupt: the cleaning up starts again
                _clean_up(store, mark, undo)
                raise
            if shutdown.has_begun:
                shutdown.park()
            if not isinstance(error, Exception):
                raise
            raise explained(error) from (error if not isinstance(error, errors.OpError) else error.__cause__)

    @property
    def alone(self) -> Executor:
        """What runs each node alone, on NumPy."""
        if self.plan.tier == "numpy":
            return self
        if self._alone is None:
            plan = self.plan
            self._alone = Executor(plan.fetches, plan.feeds, "numpy", placement=self._placement)
        return self._alone

    def _run_path(
        self, plan: Plan, path: Path, store: Values, feed_values: Sequence[Any], undo: Undo
    ) -> Sequence[Any]:
        """Runs the stages as `_run_stages` does, with fewer steps between them."""
        values, done = [None, *feed_values], 0
        undo.is_last_stage = not path.early
        try:
            for runner, inputs in path.early:
                values += runner.run(store, inputs(values), undo)
                done += 1
            undo.is_last_stage = True
            runner, inputs = path.last
            values += runner.run(store, inputs(values), undo)
            return path.results(values)
        except Exception as error:
            if not _has_other_plan(plan, plan.runners[done], error):
                raise
            known: dict[Any, Any] = dict(zip(path.tensors[1:], values[1:]))
            has_begun = any(not runner.is_pure for runner in plan.runners[:done])
            plan, left = self._after(error, plan, plan.runners[done:], known, has_begun)
        return self._run_stages(plan, left, store, known, undo, has_begun=has_begun)

    def _run_stages(
        self, plan: Plan, runners: Sequence[StageRunner], store: Values, known: dict[Tensor, Any], undo: Undo,
        watch: Watch | None = None, has_begun: bool = False,
    ) -> Sequence[Any]:
        """Runs stages in order; after a reason to plan again it goes on with the stages of that plan."""
        left = list(runners)
        while left:
            if plan.levels and watch is None and (level := _ready(plan, left[0])):
                plan, left, has_begun = self._run_level(plan, level, left, store, known, undo, has_begun)
                continue
            runner, stage = left[0], left[0].stage
            run = runner.run if watch is None else watch.over(runner)
            undo.is_last_stage = len(left) == 1
            try:
                outputs = run(store, self._arguments(plan, stage, known), undo)
            except Exception as error:
                if not _has_other_plan(plan, runner, error):
                    raise
                plan, left = self._after(error, plan, left, known, has_begun)
                continue
            known.update(zip(stage.outputs, outputs, strict=True))
            has_begun = has_begun or not runner.is_pure
            del left[0]
        return [known[f] if isinstance(f, Tensor) else None for f in plan.fetches]

    def _run_level(
        self, plan: Plan, runners: Sequence[StageRunner], left: Sequence[StageRunner], store: Values,
        known: dict[Tensor, Any], undo: Undo, has_begun: bool,
    ) -> tuple[Plan, list[StageRunner], bool]:
        """Runs stages side by side; (the plan, the stages, whether something has happened) to go on with."""
        try:
            args = [self._arguments(plan, runner.stage, known) for runner in runners]
        except Replan as reason:
            return *self._after(reason, plan, left, known, has_begun), has_begun
        reasons, failed = [], set(runners)
        for runner, (outputs, error) in zip(runners, run_level(runners, store, args, undo), strict=True):
            if error is None:
                known.update(zip(runner.stage.outputs, outputs, strict=True))
                has_begun = has_begun or not runner.is_pure
                failed.remove(runner)
            elif isinstance(error, Exception) and _has_other_plan(plan, runner, error):
                reasons.append(error)
            else:
                raise error
        left = [runner for runner in left if runner in failed or runner not in runners]
        return (*self._after(reasons[0], plan, left, known, has_begun), has_begun) if reasons \
            else (plan, left, has_begun)

    def _after(
        self, reason: Exception, plan: Plan, left: Sequence[StageRunner], known: dict[Tensor, Any], has_begun: bool
    ) -> tuple[Plan, list[StageRunner]]:
        """(the plan, the stages) to go on with after a reason to plan again; all stages if nothing has happened yet."""
        plan = self._replanned(plan, reason)
        return plan, plan.rest(left, list(known)) if has_begun else list(plan.runners)

    def _replanned(self, plan: Plan, reason: Exception) -> Plan:
        """The plan to go on with: one that respects the reason, or what another thread has made current meanwhile."""
        with self._replanning:
            if self.plan is plan:
                self.plan = plan.after(reason) if isinstance(reason, Replan) else plan.alone()
                watched = self.plan.findings.watched_lengths
                for key in [key for key in self._lengths if key[0] not in watched]:
                    del self._lengths[key]
            return self.plan

    def _arguments(self, plan: Plan, stage: Stage, known: dict[Tensor, Any]) -> list[Any]:
        """The inputs of a stage, static ones in a form that compiled programs can be keyed by."""
        if not stage.static:
            return [known[t] for t in stage.inputs]
        return [self._static_value(plan, t, known) if t in stage.static else known[t] for t in stage.inputs]

    def _static_value(self, plan: Plan, tensor: Tensor, known: dict[Tensor, Any]) -> Any:
        """A NumPy array, or a list whose length is known.

        Raises:
            NeedDynamicLength: there would be a program for each length, although the feeds have the same shapes.
        """
        value = known[tensor]
        if type(value) is np.ndarray and not plan.findings.watched_lengths:
            return value
        if is_list(value):
            like = plan.findings.dynamic_lengths.get(tensor)
            if like is None:
                return with_plain_length(value)
            rows = self._room(tensor, value.length) if like is tensor else getattr(known.get(like), "capacity", 0)
            return with_dynamic_length(value, rows)
        value = np.asarray(value)
        if tensor in plan.findings.watched_lengths:
            if len(self._lengths) >= _MOST_LENGTHS:
                self._lengths.clear()
            shapes = tuple(np.shape(known[t]) for t in plan.feeds)
            if self._lengths.setdefault((tensor, shapes), value.tobytes()) != value.tobytes():
                raise NeedDynamicLength(tensor)
        return value

    def _room(self, tensor: Tensor, length: Any) -> int:
        """The number of rows for a list of steps that are fed.

        It is the one that earlier runs had if that is enough, so that programs for many lengths are few, unless it is
        so large that filling it would take longer than the steps.
        """
        rows = self._rooms.get(tensor, 0)
        if isinstance(length, int) and not length <= rows <= _MOST_ROOM * max(room_for(length), LEAST_ROOM):
            rows = self._rooms[tensor] = max(room_for(length), LEAST_ROOM)
        return rows


def _clean_up(store: Values, mark: int, undo: Undo) -> None:
    """Leaves no trace of a run that failed or was interrupted. Doing it twice does no harm."""
    undo.wait()
    store.restore({} if undo.is_complete else undo.replaced, mark)


def _ready(plan: Plan, first: StageRunner) -> Sequence[StageRunner]:
    """The stages that run beside the next one, with it; none if one of them would keep the others waiting."""
    level = plan.levels.get(first, ())
    return level if all(runner.leaves_interpreter for runner in level) else ()


def _has_other_plan(plan: Plan, runner: StageRunner, error: Exception) -> bool:
    """Whether a run whose stage raised this error may go on with another plan.

    A step that is shared with another fetch list may fail in what only that list asks for.
    """
    return isinstance(error, Replan) or plan.is_sharing and runner is plan.step

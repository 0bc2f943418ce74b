"""Runs a set of fetches: plans the stages once, then feeds values through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile.stage import LeftOut, StageRunner
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.transfer import with_loose_length, with_plain_length
from evergraph.kernel.signals import NeedStatic
from evergraph.passes.dead_code import without_dead_code
from evergraph.passes.dynamic_lengths import dynamic_length_nodes, only_sets_lengths
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.partition import Stage, partition
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import with_early_reads
from evergraph.run.failure import explained
from evergraph.run.store import Store
from evergraph.run.watch import Watch


class Program:
    """What one combination of fetches and feeds runs.

    Args:
        fetches: tensors and operations.
        feeds: tensors that get their values from the caller.
        tier: "numpy" or "xla" forces how device stages run; None lets the policy decide.
    """

    def __init__(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], tier: str | None = None) -> None:
        fetches, feeds = without_dead_code(*functionalize(fetches, feeds))
        self.fetches, self.feeds, self.tier = tuple(fetches), tuple(feeds), tier
        self.nodes = with_early_reads(prune(self.fetches, self.feeds))
        self.static: set[Tensor] = set()
        self.left_out: set[Operation] = set()
        self.early: set[Operation] = set()
        self.loose: dict[Tensor, Tensor | None] = {}  # lengths, and lists with another list of their length
        self._lengths: dict[Tensor, dict[Any, bytes]] = {}  # what may become loose, by the shapes of what was fed
        self.runners: list[StageRunner] = []
        self._alone: _Alone | None = None
        self._plan()

    def _plan(self) -> None:
        self.runners = self._runners(self._partition(self.nodes, self.feeds))
        if len(self.runners) > 1:
            self.runners = self._runners(_joined(self.runners, self.fetches))
        self._alone = _Alone.of(self)

    def _partition(self, nodes: Sequence[Operation], known: Sequence[Tensor]) -> list[Stage]:
        return partition(nodes, self.fetches, known, self.static, self.left_out, self.early, self.loose)

    def _runners(self, stages: Sequence[Stage]) -> list[StageRunner]:
        """A runner for each stage: where the last plan had the same stage, its runner with what that has compiled."""
        known = {_form(runner.stage): runner for runner in self.runners}
        runners = [known.get(_form(stage)) or StageRunner(stage, self.tier) for stage in stages]
        for runner in runners:  # what the caller gets is not the store's to keep
            runner.takes_over = runner.takes_over and set(self.fetches).isdisjoint(runner.stage.inputs)
            runner.hands_on_lists = bool(self.loose) and any(
                t._dtype is dtypes.variant and t not in self.loose for t in runner.stage.outputs)
        return runners

    def run(self, store: Store, feed_values: Sequence[Any], watch: Watch | None = None) -> list[Any]:
        """The value of each fetch, None for operations. When it raises, `store` is as it was.

        A `watch` sees each stage run.
        """
        undo: dict[str, Any] = {}
        try:
            if self._alone is not None and watch is None:
                return self._alone.run(store, feed_values, undo)
            return self._run_all(store, feed_values, undo, watch)
        except Exception as error:
            self._restore(store, undo)
            raise explained(error) from (error if not isinstance(error, errors.OpError) else error.__cause__)
        except BaseException:
            self._restore(store, undo)
            raise

    def _run_all(
        self, store: Store, feed_values: Sequence[Any], undo: dict[str, Any], watch: Watch | None
    ) -> list[Any]:
        """Runs the stages, planning anew where one of them turns out to need it."""
        known = dict(zip(self.feeds, feed_values, strict=True))
        left = list(self.runners)
        while left:
            try:
                self._run(left, store, known, undo, watch)
            except NeedStatic as need:
                left = self._with_static(need.tensor, left, known)
            except Varies as length:
                self.static.discard(length.tensor)
                del self._lengths[length.tensor]
                self.loose[length.tensor] = None
                left = self._planned_anew(left, known)
            except LeftOut as other:
                self.left_out.add(other.node)
                left = self._planned_anew(left, known)
        return [known[f] if isinstance(f, Tensor) else None for f in self.fetches]

    def _run(
        self,
        left: list[StageRunner],
        store: Store,
        known: dict[Tensor, Any],
        undo: dict[str, Any],
        watch: Watch | None,
    ) -> None:
        """Runs the stages that are left, one after another; each leaves the list when it is done."""
        while left:
            stage = left[0].stage
            args = [known[t] for t in stage.inputs]
            if stage.static:
                args = [self._plain(t, a, known) if t in stage.static else a
                        for t, a in zip(stage.inputs, args, strict=True)]
            run = left[0].run if watch is None else watch.over(left[0])
            known.update(zip(stage.outputs, run(store, args, undo), strict=True))
            del left[0]

    def _restore(self, store: Store, undo: dict[str, Any]) -> None:
        with store.lock:
            for key, value in undo.items():
                if value is None:
                    store.remove([key])
                else:
                    store.put(key, value)

    def _with_static(self, tensor: Tensor, left: list[StageRunner], known: dict[Tensor, Any]) -> list[StageRunner]:
        """Plans anew so that `tensor` is a plain value for the stage that needs it; gives what is left of this run."""
        was_tight = self.loose.pop(tensor, self) is self
        if isinstance(tensor.graph, FuncGraph) or tensor in self.static and was_tight:
            # The value changes inside a loop or branch: that stage runs as Python.
            left[0].stays_on_numpy = True
            if self.tier == "xla":
                raise errors.UnimplementedError(
                    None,
                    tensor.op,
                    f"{tensor.name} has to be known when the program is compiled, but changes while it runs",
                )
            return left
        self.static.add(tensor)
        if tensor._dtype is dtypes.variant:
            sized, lists = dynamic_length_nodes(tensor, self.nodes)
            self.early |= sized
            self.static.update(lists)
            self.loose.update(dict.fromkeys(lists, tensor))
        elif tensor._shape == () and was_tight and only_sets_lengths(tensor, self.nodes):
            self._lengths[tensor] = {}
        return self._planned_anew(left, known)

    def _plain(self, tensor: Tensor, value: Any, known: dict[Tensor, Any]) -> Any:
        """A value that a program may depend on: a NumPy array, or a list with a plain length.

        Raises:
            Varies: the program would be another one for each length, although what is fed has the same shapes.
        """
        if is_list(value):
            like = self.loose.get(tensor)
            return with_plain_length(value) if like is None else with_loose_length(value, known.get(like))
        value = np.asarray(value)
        if tensor in self._lengths:
            seen = self._lengths[tensor].setdefault(tuple(np.shape(known[t]) for t in self.feeds), value.tobytes())
            if seen != value.tobytes():
                raise Varies(tensor)
        return value

    def _planned_anew(self, left: list[StageRunner], known: dict[Tensor, Any]) -> list[StageRunner]:
        """Plans all stages anew; gives what is left of this run.

        Stages that have run are not run again: they may have called Python functions or taken from queues.
        """
        is_start = len(left) == len(self.runners)
        self._plan()
        if is_start:
            return list(self.runners)
        rest = set().union(*(runner.stage.nodes for runner in left))
        nodes = [node for node in self.nodes if node in rest]
        return self._runners(self._partition(nodes, list(known)))


@dataclass(frozen=True)
class _Alone:
    """The one stage of a program that runs on the host alone, as those that fill queues do many times a second.

    Attributes:
        runner: of that stage.
        arguments: where each of its inputs is among the feeds.
        results: where each fetch is among its outputs; None for operations.
    """

    runner: StageRunner
    arguments: Sequence[int]
    results: Sequence[int | None]

    @staticmethod
    def of(program: Program) -> _Alone | None:
        """None when there are more stages, or when one tensor is both fed and fetched."""
        runner = program.runners[0] if len(program.runners) == 1 else None
        if runner is None or not runner.stage.on_host or runner.stage.static:
            return None
        tensors = [f for f in program.fetches if isinstance(f, Tensor)]
        if not set(tensors).issubset(runner.stage.outputs):
            return None
        places = {tensor: place for place, tensor in enumerate(runner.stage.outputs)}
        feeds = {tensor: place for place, tensor in enumerate(program.feeds)}
        return _Alone(runner, [feeds[t] for t in runner.stage.inputs],
                      [places[f] if isinstance(f, Tensor) else None for f in program.fetches])

    def run(self, store: Store, feed_values: Sequence[Any], undo: dict[str, Any]) -> list[Any]:
        outputs = self.runner.run(store, [feed_values[place] for place in self.arguments], undo)
        return [None if place is None else outputs[place] for place in self.results]


class Varies(Exception):
    """A length that changes from step to step. Nothing was run."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor.name)
        self.tensor = tensor


def _joined(runners: Sequence[StageRunner], fetches: Sequence[Tensor | Operation]) -> list[Stage]:
    """The stages, where those in a row that always run as Python and use nothing stored are one.

    Their nodes keep their order: one that waits for a queue still comes after an assertion in a stage before it.
    """
    groups: list[list[Stage]] = []
    follows = False
    for runner in runners:
        is_python = runner.is_never_compiled or runner.stage.on_host and not runner.keys
        if is_python and follows:
            groups[-1].append(runner.stage)
        else:
            groups.append([runner.stage])
        follows = is_python
    return [_one(group, {*fetches, *_taken_elsewhere(group, runners)}) if len(group) > 1 else group[0]
            for group in groups]


def _taken_elsewhere(group: Sequence[Stage], runners: Sequence[StageRunner]) -> Iterator[Tensor]:
    return (tensor for runner in runners if runner.stage not in group for tensor in runner.stage.inputs)


def _one(group: Sequence[Stage], wanted: set[Tensor | Operation]) -> Stage:
    """Several stages as one, which gives the outputs that are wanted."""
    made = {tensor for stage in group for tensor in stage.outputs}
    return Stage(
        on_host=True,
        nodes=tuple(dict.fromkeys(node for stage in group for node in stage.nodes)),
        inputs=tuple(dict.fromkeys(t for stage in group for t in stage.inputs if t not in made)),
        outputs=tuple(dict.fromkeys(t for stage in group for t in stage.outputs if t in wanted)),
        static=frozenset(),
        is_last=group[-1].is_last,
        fixed=frozenset().union(*(stage.fixed for stage in group)),
        fresh={node: late for stage in group for node, late in stage.fresh.items()},
    )


def _form(stage: Stage) -> Any:
    """What makes two stages the same."""
    what = stage.nodes, stage.inputs, stage.outputs
    return what, stage.on_host, stage.static, stage.is_last, stage.fixed, stage.lengths

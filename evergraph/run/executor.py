"""Runs a set of fetches: plans the stages once, then feeds values through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.stage import LeftOut, StageRunner
from evergraph.graph.function import FuncGraph
from evergraph.graph.kernel import NeedStatic
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.tensor_list import is_list
from evergraph.passes.fresh import with_early_reads
from evergraph.passes.functionalize import functionalize
from evergraph.passes.partition import Stage, partition
from evergraph.passes.prune import prune
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
        fetches, feeds = functionalize(fetches, feeds)
        self.fetches, self.feeds, self.tier = tuple(fetches), tuple(feeds), tier
        self.nodes = with_early_reads(prune(self.fetches, self.feeds))
        self.static: set[Tensor] = set()
        self.left_out: set[Operation] = set()
        self.runners: list[StageRunner] = []
        self._plan()

    def _plan(self) -> None:
        self.runners = self._runners(partition(self.nodes, self.fetches, self.feeds, self.static, self.left_out))
        if len(self.runners) > 1 and (small := [r for r in self.runners if r.is_never_compiled]):
            # What is between two host stages and so small that it is never compiled runs with them, as one.
            self.left_out.update(node for runner in small for node in runner.stage.nodes)
            self.runners = self._runners(
                partition(self.nodes, self.fetches, self.feeds, self.static, self.left_out))

    def _runners(self, stages: Sequence[Stage]) -> list[StageRunner]:
        """A runner for each stage: where the last plan had the same stage, its runner with what that has compiled."""
        known = {_form(runner.stage): runner for runner in self.runners}
        runners = [known.get(_form(stage)) or StageRunner(stage, self.tier) for stage in stages]
        for runner in runners:  # what the caller gets is not the store's to keep
            runner.takes_over = runner.takes_over and set(self.fetches).isdisjoint(runner.stage.inputs)
        return runners

    def run(self, store: Store, feed_values: Sequence[Any], watch: Watch | None = None) -> list[Any]:
        """The value of each fetch, None for operations. When it raises, `store` is as it was.

        A `watch` sees each stage run.
        """
        undo: dict[str, Any] = {}
        known = dict(zip(self.feeds, feed_values, strict=True))
        left = list(self.runners)
        try:
            while left:
                try:
                    self._run(left, store, known, undo, watch)
                except NeedStatic as need:
                    left = self._with_static(need.tensor, left, known)
                except LeftOut as other:
                    self.left_out.add(other.node)
                    left = self._planned_anew(left, known)
        except Exception as error:
            self._restore(store, undo)
            raise explained(error) from (error if not isinstance(error, errors.OpError) else error.__cause__)
        except BaseException:
            self._restore(store, undo)
            raise
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
                args = [_plain(a) if t in stage.static else a for t, a in zip(stage.inputs, args, strict=True)]
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
        if isinstance(tensor.graph, FuncGraph) or tensor in self.static:
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
        return self._planned_anew(left, known)

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
        return self._runners(partition(nodes, self.fetches, list(known), self.static, self.left_out))


def _form(stage: Stage) -> Any:
    """What makes two stages the same."""
    return stage.on_host, stage.nodes, stage.inputs, stage.outputs, stage.static, stage.is_last, stage.fixed


def _plain(value: Any) -> Any:
    """A value that a program may depend on: a NumPy array, or a list, whose length is plain between stages."""
    return value if is_list(value) else np.asarray(value)

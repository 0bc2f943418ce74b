"""Runs a set of fetches: plans the stages once, then feeds values through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.stage import StageRunner
from evergraph.graph.function import FuncGraph
from evergraph.graph.kernel import NeedStatic
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.tensor_list import is_list
from evergraph.passes.fresh import with_early_reads
from evergraph.passes.functionalize import functionalize
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.run.failure import explained
from evergraph.run.store import Store


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
        self._plan()

    def _plan(self) -> None:
        stages = partition(self.nodes, self.fetches, self.feeds, self.static)
        self.runners = [StageRunner(stage, self.tier) for stage in stages]

    def run(self, store: Store, feed_values: Sequence[Any]) -> list[Any]:
        """The value of each fetch, None for operations. When it raises, `store` is as it was."""
        while True:
            undo: dict[str, Any] = {}
            try:
                return self._run(store, feed_values, undo)
            except NeedStatic as need:
                self._restore(store, undo)
                self._make_static(need.tensor)
            except Exception as error:
                self._restore(store, undo)
                raise explained(error) from (error if not isinstance(error, errors.OpError) else error.__cause__)
            except BaseException:
                self._restore(store, undo)
                raise

    def _run(self, store: Store, feed_values: Sequence[Any], undo: dict[str, Any]) -> list[Any]:
        runners = self.runners
        known = dict(zip(self.feeds, feed_values, strict=True))
        for runner in runners:
            stage = runner.stage
            args = [known[t] for t in stage.inputs]
            if stage.static:
                args = [_plain(a) if t in stage.static else a for t, a in zip(stage.inputs, args, strict=True)]
            self._current = runner
            known.update(zip(stage.outputs, runner.run(store, args, undo), strict=True))
        return [known[f] if isinstance(f, Tensor) else None for f in self.fetches]

    def _restore(self, store: Store, undo: dict[str, Any]) -> None:
        with store.lock:
            for key, value in undo.items():
                if value is None:
                    store.remove([key])
                else:
                    store.put(key, value)

    def _make_static(self, tensor: Tensor) -> None:
        """Plans anew so that `tensor` is a plain value for the stage that needs it."""
        if isinstance(tensor.graph, FuncGraph) or tensor in self.static:
            # The value changes inside a loop or branch: that stage runs as Python.
            self._current.stays_on_numpy = True
            if self.tier == "xla":
                raise errors.UnimplementedError(
                    None,
                    tensor.op,
                    f"{tensor.name} has to be known when the program is compiled, but changes while it runs",
                )
            return
        self.static.add(tensor)
        self._plan()


def _plain(value: Any) -> Any:
    """A value that a program may depend on: a NumPy array, or a list, whose length is plain between stages."""
    return value if is_list(value) else np.asarray(value)

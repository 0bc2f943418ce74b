"""Runs the steps of a session that several tasks share: this process is their master."""

from __future__ import annotations

import functools
import select
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph import proto
from evergraph.base.devices import DeviceSpec
from evergraph.cluster import frames
from evergraph.cluster.calls import Call, all_or_none
from evergraph.cluster.client import Outline
from evergraph.cluster.cut import Part, Task, cut
from evergraph.cluster.parts import Built, build
from evergraph.cluster.pipes import PipeCall
from evergraph.cluster.watched import run_watched
from evergraph.graph.function import has_effect
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.patience import woken
from evergraph.passes.dead_code import without_dead_code
from evergraph.passes.fed_constants import with_fed_constants
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.place import place
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import with_early_reads
from evergraph.run.executor import Executor
from evergraph.run.servers import Connection, is_served

if TYPE_CHECKING:
    from evergraph.cluster.peers import Peer, RemotePart


class ClusterStep:
    """Runs one combination of fetches and feeds, whose nodes are on several tasks; see `Elsewhere`.

    A step that fails has done what its parts have done until then: other tasks do not undo it.

    Args:
        peer_at: the task at an address.
        connection: the session's.
        fetches: tensors and operations.
        feeds: tensors that get their values from the caller.
        tier: "numpy" or "xla" forces how device stages run, everywhere.
        mixed: how compiled programs of this process compute in mixed precision, if they do.
        done: names of nodes whose effects are there already.
    """

    def __init__(self, peer_at: Callable[[str], Peer], connection: Connection,
                 fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], tier: str | None,
                 mixed: MixedPrecision | None, done: Collection[str]) -> None:
        own, given = with_fed_constants(*functionalize(fetches, feeds), originals=feeds)
        self._fetches, self._feeds = without_dead_code(own, given)
        nodes = [n for n in with_early_reads(prune(self._fetches, self._feeds))
                 if not (n.name in done and has_effect(n))]
        places, best = place(nodes, connection.placement), connection.placement.best
        homes = {node: places.get(node, best) for node in nodes}
        self.plan = Outline(tuple(fetches), tuple(feeds), tuple(nodes), homes)
        where = functools.cache(lambda task: _elsewhere(connection, DeviceSpec.from_string(task)))
        self._parts = cut(nodes, self._fetches, self._feeds, lambda node: where(homes[node].task))
        built = {part: build(part, lambda asked: _elsewhere(connection, asked)) for part in self._parts}
        self._built: dict[Part, Built] = built
        self._here = {part: _executor(connection, each, tier, mixed)
                      for part, each in built.items() if part.task is None}
        self._there: dict[Part, RemotePart] = {
            part: peer_at(part.task).register(connection, each, tier)
            for part, each in built.items() if part.task is not None}

    def run(self, store: Any, feed_values: Sequence[Any]) -> Sequence[Any]:
        """See `Elsewhere.run`."""
        return self.run_with(store, feed_values, None, None)

    def run_with(self, store: Any, feed_values: Sequence[Any], options: Any, run_metadata: Any) -> Sequence[Any]:
        """See `Elsewhere.run_with`."""
        known: dict[Tensor, Any] = dict(zip(self._feeds, feed_values, strict=True))
        _Run(self._parts, self._built, self._here, self._there, store, known, options, run_metadata).go()
        return [known[f] if isinstance(f, Tensor) else None for f in self._fetches]


_GLANCE_MS = 10_000  # after which the first of several calls asks whether its task is there


class _Run:
    """One run: starts each part when those before it are done; parts of this process run in this thread."""

    def __init__(self, parts: Sequence[Part], built: dict[Part, Built], here: dict[Part, Executor],
                 there: dict[Part, RemotePart], store: Any, known: dict[Tensor, Any], options: Any,
                 metadata: Any) -> None:
        self._left, self._built, self._here, self._there = list(parts), built, here, there
        self._store, self._known, self._options, self._metadata = store, known, options, metadata
        limit = options.timeout_in_ms / 1000 if options is not None else 0
        self._deadline = time.monotonic() + limit if limit > 0 else None
        self._done: set[Part] = set()
        self._calls: dict[Part, Call | PipeCall] = {}

    def go(self) -> None:
        calls: list[Any] = []
        with all_or_none(calls), woken(lambda: [call.cancel() for call in list(self._calls.values())]):
            while self._left or self._calls:
                for part in [part for part in self._left if part.task is not None and part.needs <= self._done]:
                    calls.append(self._start(part))
                ready = next((part for part in self._left if part.needs <= self._done), None)
                if ready is not None:
                    self._run_here(ready)
                else:
                    self._await_one()

    def _start(self, part: Part) -> Call | PipeCall:
        self._left.remove(part)
        timeout = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        call = self._calls[part] = self._there[part].start(self._values(part), timeout, self._options)
        return call

    def _run_here(self, part: Part) -> None:
        self._left.remove(part)
        executor, values = self._here[part], self._values(part)
        if self._options is None and self._metadata is None:
            results = executor.run(self._store, values)
        else:
            results = run_watched(executor, self._store, values, self._options, self._metadata, self._deadline)
        self._end(part, results)

    def _await_one(self) -> None:
        part = self._first_done()
        fields, arrays = frames.unpacked(self._calls[part].answer())
        del self._calls[part]
        if fields.get("has_metadata"):
            content = arrays.pop(0).tobytes()
            if self._metadata is not None:
                self._metadata.MergeFrom(proto.config_pb2.RunMetadata.FromString(content))
        self._end(part, arrays)

    def _first_done(self) -> Part:
        """A part whose answer comes first, as far as that can be told."""
        if len(self._calls) == 1 or not all(isinstance(call, PipeCall) for call in self._calls.values()):
            return next(iter(self._calls))
        poll, parts = select.poll(), {call.fileno(): part for part, call in self._calls.items()}  # type: ignore[union-attr]
        for number in parts:
            poll.register(number, select.POLLIN)
        ready = poll.poll(_GLANCE_MS)
        return parts[ready[0][0]] if ready else next(iter(self._calls))

    def _values(self, part: Part) -> list[Any]:
        return [self._known[tensor] for tensor in self._built[part].sources]

    def _end(self, part: Part, results: Sequence[Any]) -> None:
        self._known.update(zip(self._built[part].outputs, results))
        self._done.add(part)


def _executor(connection: Connection, built: Built, tier: str | None, mixed: MixedPrecision | None) -> Executor:
    executor = Executor([*built.fetches, *built.targets], built.feeds, tier, (), mixed, (), connection.placement)
    connection.learn(executor.plan.homes)
    return executor


def _elsewhere(connection: Connection, asked: DeviceSpec) -> Task:
    """The address of the task that a device names, if another process serves it."""
    address = connection.tasks.get((asked.job, asked.task or 0))
    return None if address is None or is_served(address) else address


def on_host(value: Any) -> Any:
    """A value as an array of the host."""
    return np.asarray(value) if type(value).__module__.startswith("jax") else value



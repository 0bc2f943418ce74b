"""Where the time of a program goes: building, planning, first runs, later runs with their nodes and lines."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from typing import Any

from evergraph import proto
from evergraph.debug.profiler import text
from evergraph.debug.profiler.gather import add_step, merged_log, update
from evergraph.debug.profiler.options import ProfileOptionBuilder
from evergraph.debug.profiler.views import Place, viewed
from evergraph.run.session import BaseSession

_TRACED = (3, 6, 12, 25, 50, 100)  # runs of a list of fetches that are traced; the first ones plan and compile
_SHOWN = 10  # nodes and lines


class WhereTimeGoes:
    """A with-block that measures the sessions in it; `report()` says afterwards where the time went."""

    def __init__(self) -> None:
        self._planning = self._first = self._later = 0.0
        self._runs, self._counts = 0, dict[Any, int]()
        self._profile = proto.tfprof_log_pb2.ProfileProto()
        self._inside = 0

    def __enter__(self) -> WhereTimeGoes:
        self._plain, self._plain_plan = BaseSession.run, BaseSession._plan
        BaseSession.run = self._timed_run(BaseSession.run)  # type: ignore[method-assign]
        BaseSession._plan = self._timed_plan(BaseSession._plan)  # type: ignore[method-assign]
        self._begun = time.perf_counter()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._whole = time.perf_counter() - self._begun
        BaseSession.run, BaseSession._plan = self._plain, self._plain_plan  # type: ignore[method-assign]

    def _timed_plan(self, plan: Any) -> Any:
        @functools.wraps(plan)
        def timed(*arguments: Any) -> Any:
            start = time.perf_counter()
            try:
                return plan(*arguments)
            finally:
                self._planning += time.perf_counter() - start

        return timed

    def _timed_run(self, run: Any) -> Any:
        @functools.wraps(run)
        def timed(session: Any, fetches: Any, feed_dict: Any = None, options: Any = None,
                  run_metadata: Any = None) -> Any:
            if self._inside:
                return run(session, fetches, feed_dict, options, run_metadata)
            key, planned_before = repr(fetches), self._planning
            count = self._counts[key] = self._counts.get(key, 0) + 1
            is_traced = count in _TRACED and options is None and run_metadata is None
            if is_traced:
                options = proto.config_pb2.RunOptions(trace_level=proto.config_pb2.RunOptions.FULL_TRACE)
                run_metadata = proto.config_pb2.RunMetadata()
            self._inside, start = 1, time.perf_counter()
            try:
                return run(session, fetches, feed_dict, options, run_metadata)
            finally:
                taken = time.perf_counter() - start - (self._planning - planned_before)
                self._inside, self._runs = 0, self._runs + 1
                self._first, self._later = (self._first + taken, self._later) if count == 1 else (
                    self._first, self._later + taken)
                if is_traced:
                    update(self._profile, session.graph, merged_log(session.graph, None, run_metadata))
                    add_step(self._profile, self._runs, run_metadata)

        return timed

    def report(self) -> Iterator[str]:
        """The parts of the time, and what the traced runs tell of nodes and lines."""
        outside = self._whole - self._planning - self._first - self._later
        yield f"{self._whole:.2f} s in all, {self._runs} runs of {len(self._counts)} lists of fetches"
        for what, seconds in (("Python: building graphs, input, the rest of the program", outside),
                              ("planning", self._planning), ("first run of each list, with compiling", self._first),
                              ("later runs", self._later)):
            yield f"  {seconds:8.2f} s {100 * seconds / max(self._whole, 1e-9):5.1f}%  {what}"
        if not self._profile.steps:
            yield "no list of fetches ran often enough to look at its nodes"
            return
        options = {**ProfileOptionBuilder.time_and_memory(0, 0), "account_displayed_op_only": False}
        yield f"nodes, in the mean of {len(self._profile.steps)} traced runs:"
        yield from _ranked(viewed(self._profile, "scope", {**options, "max_depth": 10000}))
        yield "lines of the program:"
        yield from _lines(viewed(self._profile, "code", options))


def _ranked(root: Place) -> Iterator[str]:
    found: list[Place] = []

    def walk(place: Place) -> None:
        found.extend(child for child in place.shown if child.own["micros"])
        for child in place.shown:
            walk(child)

    walk(root)
    whole = root.total["micros"] or 1
    for place in sorted(found, key=lambda each: -each.own["micros"])[:_SHOWN]:
        micros = place.own["micros"]
        yield f"  {text.time(micros):>10} {100 * micros / whole:5.1f}%  {place.name} ({place.nodes[0].op})"


def _lines(root: Place) -> Iterator[str]:
    """The innermost lines, which made nodes themselves."""
    found: dict[str, int] = {}

    def walk(place: Place) -> None:
        if place.nodes:
            name = place.name.removesuffix(" (gradient)")
            found[name] = found.get(name, 0) + place.own["micros"]
        for child in place.shown:
            walk(child)

    walk(root)
    whole = sum(found.values()) or 1
    for name, micros in sorted(found.items(), key=lambda each: -each[1])[:_SHOWN]:
        if micros:
            yield f"  {text.time(micros):>10} {100 * micros / whole:5.1f}%  {name}"

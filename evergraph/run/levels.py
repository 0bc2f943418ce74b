"""Runs the stages of one level side by side, each on a device of its own and in a thread of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from evergraph.compile.stage import StageRunner
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.passes.partition import Stage

MOST_THREADS = 64  # devices beyond these take turns

Outcome = tuple[Sequence[Any], Exception | None]


class _Threads:
    """The threads beside those that programs call from: made when they are first needed, and again after a fork."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._pool = None

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="evergraph device")
        return self._pool.submit(call)


_threads = _Threads()


def levels(stages: Sequence[Stage], runners: Sequence[StageRunner]) -> dict[StageRunner, tuple[StageRunner, ...]]:
    """The runners of device stages that do not depend on each other, by the first of them, where there are several.

    Args:
        stages: the stages of a plan, in order.
        runners: one for each.
    """
    found: dict[int, list[StageRunner]] = {}
    for stage, runner in zip(stages, runners, strict=True):
        if stage.level is not None and not stage.on_host:
            found.setdefault(stage.level, []).append(runner)
    return {group[0]: tuple(group) for group in found.values() if len(group) > 1}


def run_level(
    runners: Sequence[StageRunner], store: Values, args: Sequence[Sequence[Any]], undo: Undo
) -> list[Outcome]:
    """The outputs of each stage, and its error if it failed. The first one runs in this thread.

    Each stage keeps what it replaces, because another one may fail after it is done. An interrupt ends the wait;
    `undo.wait` then waits for the stages that run.
    """
    parts = [undo.part() for _ in runners]
    calls = [partial(runner.run, store, given, part) for runner, given, part in zip(runners, args, parts, strict=True)]
    futures = [_threads.submit(partial(part.unless_ended, call)) for part, call in zip(parts[1:], calls[1:])]
    outcomes = [_outcome(calls[0]), *(_outcome(future.result) for future in futures)]
    undo.wait()
    return outcomes


def _outcome(call: Callable[[], Sequence[Any]]) -> Outcome:
    try:
        return call(), None
    except Exception as error:
        return (), error

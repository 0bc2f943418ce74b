"""Runs the stages of one level side by side, each on a device of its own and in a thread of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any

from evergraph.compile.stage import StageRunner
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.passes.partition import Stage

Outcome = tuple[Sequence[Any], BaseException | None]


class _Threads:
    """Threads that compute beside those that programs call from: made when there are too few, and again after a fork.

    The process may end while they wait for work: they are daemons. A step that uses them waits for them.
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Any]] = []
        os.register_at_fork(after_in_child=self._idle.clear)

    def submit(self, call: Callable[[], Sequence[Any]]) -> SimpleQueue[Outcome]:
        """A queue that gets the outcome of a call in another thread."""
        answers: SimpleQueue[Outcome] = SimpleQueue()
        try:
            jobs = self._idle.pop()
        except IndexError:
            jobs = SimpleQueue()
            threading.Thread(target=self._serve, args=(jobs,), name="evergraph device", daemon=True).start()
        jobs.put((call, answers))
        return answers

    def _serve(self, jobs: SimpleQueue[Any]) -> None:
        while True:
            call, answers = jobs.get()
            outcome = _outcome(call)
            self._idle.append(jobs)
            answers.put(outcome)
            del call, answers, outcome  # which may hold what nobody else does


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
    others = [_threads.submit(partial(part.unless_ended, call)) for part, call in zip(parts[1:], calls[1:])]
    outcomes = [_outcome(calls[0]), *(answers.get() for answers in others)]
    undo.wait()
    return outcomes


def _outcome(call: Callable[[], Sequence[Any]]) -> Outcome:
    try:
        return call(), None
    except BaseException as error:
        return (), error

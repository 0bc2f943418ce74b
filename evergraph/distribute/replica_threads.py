"""Calls a function for each replica, one after another, up to the points where all of them meet.

A replica is a thread, because it stops in the middle of its function to wait for the others (`merge_call`). One of them
runs at a time, in the order of their numbers, so that graphs are built the same way each time.
"""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.distribute.values import regrouped, selected
from evergraph.frontend.blocks import control_dependencies, device, name_scope
from evergraph.frontend.variables.scope import get_variable_scope, open_counts, variable_scope
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.scopes import graphs, inherited


class _Stopped(BaseException):
    """Ends a replica whose function is not to go on, because another one has failed."""


class Meeting:
    """What a replica waits with at a meeting: the function for all, its own arguments, and where it stands."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        graph = default_graph()
        self.function, self.args, self.kwargs = function, tuple(args), kwargs
        self.name, self.control = graph.get_name_scope(), graph.scopes.control
        self.variable_scope = get_variable_scope()


class Replica(threading.Thread):
    """The thread of one replica.

    Args:
        number: of the replica.
        call: runs the function, given this thread.
        take: called first, gives the thread the defaults of the one that made it.
        graph: the default graph.
    """

    def __init__(self, number: int, call: Callable[[Replica], Any], take: Callable[[], None], graph: Graph) -> None:
        super().__init__(name=f"replica_{number}", daemon=True)
        self.number, self.graph = number, graph
        self._call, self._take = call, take
        self._may_run, self._has_stopped = threading.Semaphore(0), threading.Semaphore(0)
        self._is_cancelled = False
        self.meeting: Meeting | None = None
        self.result: Any = None
        self.error: BaseException | None = None
        self.is_done = False

    def run(self) -> None:
        """Runs the function, whenever it is this replica's turn."""
        self._may_run.acquire()
        try:
            if not self._is_cancelled:
                self._take()
                self.result = self._call(self)
        except _Stopped:
            pass
        except BaseException as error:  # raised again in the thread that waits
            self.error = error
        finally:
            self.is_done = True
            self._has_stopped.release()

    def go_on(self) -> None:
        """Lets the replica run up to the next meeting, or to its end.

        Raises:
            BaseException: what its function raised.
        """
        self.meeting = None
        self._may_run.release()
        self._has_stopped.acquire()
        if self.error is not None:
            raise self.error

    def cancel(self) -> None:
        """Ends the replica where it waits."""
        self._is_cancelled = True
        self._may_run.release()
        self.join()

    def meet(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Called by the replica: waits for the others, and returns its part of the common result."""
        if default_graph() is not self.graph:
            raise RuntimeError(
                "`merge_call` called while defining a new graph: all replicas meet in the function "
                "that the strategy calls, not inside of a condition, a loop or a function that it contains")
        self.meeting = Meeting(function, args, kwargs)
        self._has_stopped.release()
        self._may_run.acquire()
        if self._is_cancelled:
            raise _Stopped
        return self.result


def call_for_each(devices: Sequence[str], call: Callable[[int, Any], Any],
                  merge: Callable[[Callable[..., Any], Sequence[Any], dict[str, Any]], Any]) -> list[Any]:
    """The results of `call(number, replica)` on each device.

    Args:
        devices: one for each replica.
        call: runs the function of a replica, given its number and its thread.
        merge: calls the function of a meeting for all replicas.

    Raises:
        RuntimeError: some replicas have ended while others wait for them.
    """
    graph, scope = default_graph(), get_variable_scope()
    open_counts()  # which the first replica goes on with

    def run(replica: Replica) -> Any:
        with device(devices[replica.number]), _entered(replica.number, scope):
            return call(replica.number, replica)

    takes = inherited([each.scopes for each in _around(graph)], len(devices))
    threads = [Replica(number, run, take, graph) for number, take in enumerate(takes)]
    for thread in threads:
        thread.start()
    try:
        _run(threads, merge)
    finally:
        for thread in threads:
            if not thread.is_done:
                thread.cancel()
    return [thread.result for thread in threads]


def _run(threads: Sequence[Replica], merge: Callable[..., Any]) -> None:
    while True:
        for thread in threads:
            thread.go_on()
        meetings = [thread.meeting for thread in threads if thread.meeting is not None]
        if not meetings:
            return
        if len(meetings) < len(threads):
            waiting = [thread.number for thread in threads if thread.meeting is not None]
            raise RuntimeError(f"Some replicas are done, while replicas {waiting} wait for all in merge_call: each "
                               "replica has to call it equally often")
        with _as_met(meetings):
            found = merge(meetings[0].function, regrouped([meeting.args for meeting in meetings]),
                          regrouped([meeting.kwargs for meeting in meetings]))
        for thread in threads:
            thread.result = selected(thread.number, found)


def _as_met(meetings: Sequence[Meeting]) -> contextlib.ExitStack:
    """The blocks that the first replica has open, and what any of them waits for."""
    blocks = contextlib.ExitStack()
    waits = [wait for meeting in meetings for control in meeting.control for wait in control.operations]
    if not default_graph().is_eager:
        blocks.enter_context(variable_scope(meetings[0].variable_scope, auxiliary_name_scope=False))
    blocks.enter_context(name_scope(f"{meetings[0].name}/" if meetings[0].name else None))
    if waits and not default_graph().is_eager:
        blocks.enter_context(control_dependencies(waits))
    return blocks


def _entered(number: int, scope: Any) -> contextlib.ExitStack:
    """The blocks of a replica: the first one has no names of its own, and the others share its variables."""
    blocks = contextlib.ExitStack()
    if number:
        around = default_graph().get_name_scope()
        blocks.enter_context(name_scope(f"{around}/replica_{number}/" if around else f"replica_{number}/"))
        if not default_graph().is_eager:
            blocks.enter_context(variable_scope(scope, reuse=True, auxiliary_name_scope=False))
    return blocks


def _around(graph: Graph) -> list[Graph]:
    """A graph, those that it is inside of, and all that are the default of some block."""
    found = [*graphs.items, graph]
    for each in found:
        if isinstance(each, FuncGraph) and each.outer_graph not in found:
            found.append(each.outer_graph)
    return list(dict.fromkeys(found))

"""What a task does for masters in other processes: it keeps parts of their steps, and runs them on its own values."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.cluster import frames
from evergraph.cluster.calls import Handler
from evergraph.cluster.strangers import refuse_python
from evergraph.cluster.watched import deadline_after, run_watched
from evergraph.frontend.importer import extend_graph
from evergraph.graph.graph import Graph
from evergraph.kernel.patience import Stop, stoppable
from evergraph.run import servers
from evergraph.run.devices import session_devices
from evergraph.run.executor import Executor


class TaskService:
    """Answers the calls of a server's TaskService.

    Args:
        task: the server's.
        name: its full name, such as "/job:ps/replica:0/task:0".
        incarnation: the number of this start of the server.

    Attributes:
        port: where `answer` is reached, once it is known.
    """

    port = 0

    def __init__(self, task: servers.Task, name: str, incarnation: int) -> None:
        self._task, self._name, self._incarnation = task, name, incarnation
        self._guests: dict[tuple[str, int, int], _Guest] = {}  # by master, its incarnation, and session
        self._ended: set[tuple[str, int, int]] = set()  # sessions that are over, of masters that are not
        self._parts: dict[int, _Kept] = {}
        self._numbers, self._lock = itertools.count(1), threading.Lock()

    def methods(self) -> dict[str, Handler]:
        """Name -> what answers it."""
        calls: dict[str, Callable[..., bytes]] = {
            "Greet": self._greet, "Register": self._register, "Forget": self._forget, "Reset": self._reset,
            "Run": lambda *call: b"".join(self._run(*call))}  # fmt: skip
        return {name: _answering(call) for name, call in calls.items()}

    def answer(self, frame: memoryview, left: float | None, stop: Stop) -> Sequence[Any]:
        """The buffers of the answer to a frame that asks to run a part."""
        return _answered(self._run, frame, left, stop)

    def _greet(self, fields: Any, arrays: Any, left: float | None, stop: Stop) -> bytes:
        self._drop(lambda master, incarnation, _: master == fields["from"] and incarnation != fields["incarnation"])
        return frames.packed({"incarnation": self._incarnation, "devices": session_devices(None, self._name),
                              "port": self.port})

    def _register(self, fields: Any, arrays: Any, left: float | None, stop: Stop) -> bytes:
        self._require_same(fields)
        graph, config = Graph(), _parsed(proto.config_pb2.ConfigProto, arrays[1])
        extend_graph(graph, _parsed(proto.graph_pb2.GraphDef, arrays[0]))
        refuse_python(graph._nodes)
        guest = self._guest(fields, config)
        fetches = [_tensor(graph, name) for name in fields["fetches"]]
        targets = [_operation(graph, name) for name in fields["targets"]]
        feeds = [_tensor(graph, name) for name in fields["feeds"]]
        executor = Executor([*fetches, *targets], feeds, fields["tier"], placement=guest.placement)
        guest.learn(executor.plan.homes)
        with self._lock:
            number = next(self._numbers)
            self._parts[number] = _Kept(guest, executor, len(fetches), [feed.dtype.base_dtype for feed in feeds])
        return frames.packed({"part": number})

    def _run(self, fields: Any, arrays: list[np.ndarray], left: float | None, stop: Stop) -> list[Any]:
        self._require_same(fields)
        kept = self._parts.get(fields["part"])
        if kept is None or kept.guest.is_aborted:
            raise errors.AbortedError(None, None, f"{self._name} does not know the session any more")
        options = metadata = None
        if fields.get("has_options"):
            options, metadata = _parsed(proto.config_pb2.RunOptions, arrays.pop(0)), proto.config_pb2.RunMetadata()
        kept.require(arrays)
        with stoppable(stop, kept.guest.stop):
            if left is None and options is None:
                results = kept.executor.run(kept.guest, arrays)
            else:
                results = run_watched(kept.executor, kept.guest, arrays, options, metadata, deadline_after(left))
        values = [np.asarray(value) for value in results[: kept.count]]
        if metadata is None:
            return frames.parts({}, values)
        content = np.frombuffer(metadata.SerializeToString(), np.uint8)
        return frames.parts({"has_metadata": True}, [content, *values])

    def _forget(self, fields: Any, arrays: Any, left: float | None, stop: Stop) -> bytes:
        gone = (fields["from"], fields["incarnation"], fields["session"])
        self._drop(lambda *key: key == gone)
        self._ended.add(gone)
        return frames.packed({})

    def _reset(self, fields: Any, arrays: Any, left: float | None, stop: Stop) -> bytes:
        servers.reset(replace(self._task, beyond=None), fields["containers"])
        return frames.packed({})

    def _require_same(self, fields: Any) -> None:
        """Raises AbortedError if a message is for another start of this task."""
        if fields["to"] != self._incarnation:
            raise errors.AbortedError(None, None, f"{self._name} was started again since the session was made")

    def _guest(self, fields: Any, config: Any) -> _Guest:
        key = (fields["from"], fields["incarnation"], fields["session"])
        with self._lock:
            if key in self._ended:
                raise errors.AbortedError(None, None, f"the session is over, says {self._name}")
            found = self._guests.get(key)
            if found is None:
                found = self._guests[key] = _Guest(replace(self._task, beyond=None), config)
            return found

    def _drop(self, is_gone: Callable[..., bool]) -> None:
        """Ends the sessions of masters that are gone, with what waits in their steps."""
        with self._lock:
            gone = [self._guests.pop(key) for key in list(self._guests) if is_gone(*key)]
            self._ended = {key for key in self._ended if not is_gone(*key)}
            for number in [number for number, kept in self._parts.items() if kept.guest in gone]:
                del self._parts[number]
        for guest in gone:
            guest.stop.set()
            guest.forget()


class _Guest(servers.Connection):
    """The values of this task as a session of a master in another process sees them.

    Attributes:
        stop: ends what waits in its steps.
    """

    def __init__(self, task: servers.Task, config: Any) -> None:
        super().__init__(task, config)
        self.stop = Stop()


class _Kept:
    """A part of a step.

    Attributes:
        guest: the session's view of the values.
        executor: what runs it.
        count: how many values it gives.
    """

    def __init__(self, guest: _Guest, executor: Executor, count: int, dtypes: Sequence[Any]) -> None:
        self.guest, self.executor, self.count, self._dtypes = guest, executor, count, dtypes

    def require(self, arrays: Sequence[np.ndarray]) -> None:
        """Raises InvalidArgumentError if these are no values for its feeds."""
        if len(arrays) != len(self._dtypes) or any(a.dtype != d.np for a, d in zip(arrays, self._dtypes)):
            raise errors.InvalidArgumentError(
                None, None, f"a part of a step takes {[d.name for d in self._dtypes]}, not "
                f"{[str(a.dtype) for a in arrays]}")


def _answering(call: Callable[..., bytes]) -> Handler:
    return lambda request, left, stop: _answered(call, request, left, stop)


def _answered(call: Callable[..., Any], request: bytes | memoryview, left: float | None, stop: Stop) -> Any:
    fields, arrays = frames.unpacked(request)
    try:
        return call(fields, arrays, left, stop)
    except (KeyError, IndexError) as error:
        raise errors.DataLossError(None, None, f"a message lacks {error}") from None


def _parsed(kind: Any, content: np.ndarray) -> Any:
    try:
        return kind.FromString(content.tobytes())
    except Exception as error:  # protobuf's classes differ between its implementations
        raise errors.DataLossError(None, None, f"the message has no {kind.DESCRIPTOR.name}: {error}") from None


def _tensor(graph: Graph, name: str) -> Any:
    return graph.get_tensor_by_name(name)


def _operation(graph: Graph, name: str) -> Any:
    return graph.get_operation_by_name(name)

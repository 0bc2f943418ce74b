"""Sessions of servers in other processes, evergraph's or TensorFlow's, by TensorFlow's MasterService."""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.base.devices import Place
from evergraph.cluster.calls import Caller
from evergraph.cluster.master import SERVICE, array_of
from evergraph.compile.early import Early
from evergraph.formats import tensor_messages
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.place import Placement

PATIENCE = 60.0  # seconds that a server has to come up, if the session's config says nothing
_GONE = (errors.UnavailableError, errors.AbortedError, errors.DeadlineExceededError, errors.CancelledError)


class Remote:
    """What a session has of a server in another process; see `Link`.

    The server has a session for it from the first step on, and gets the nodes that the graph has gained with each step.

    Args:
        target: "grpc://host:port".
        config: the session's tf.ConfigProto, or None.
    """

    is_aborted = False  # the server says so itself

    def __init__(self, target: str, config: Any) -> None:
        self.early, self._target = Early(False), target
        self._config = proto.config_pb2.ConfigProto() if config is None else config
        self._caller = _caller(target)
        self._handle, self._sent, self._version = "", 0, 0
        self._sending = threading.Lock()
        self.placement = Placement(Place(), self.devices)

    def call(self, method: str, request: Any, answer: Any, timeout: float | None = None) -> Any:
        content = self._caller.call(f"/{SERVICE}/{method}", request.SerializeToString(), timeout)
        return answer.FromString(content)

    def send(self, graph: Graph) -> str:
        """Has the server know all nodes of the graph; returns the handle of the session there."""
        with self._sending:
            if not self._handle:
                self._create(graph)
            elif graph.version > self._sent:
                count, pb = graph.version, proto.master_service_pb2
                request = pb.ExtendSessionRequest(
                    session_handle=self._handle, current_graph_version=self._version,
                    graph_def=graph.as_graph_def(from_version=self._sent).SerializeToString())
                answer = self.call("ExtendSession", request, pb.ExtendSessionResponse, self.timeout)
                self._version, self._sent = answer.new_graph_version, count
            return self._handle

    def _create(self, graph: Graph | None) -> None:
        pb, count = proto.master_service_pb2, 0 if graph is None else graph.version
        request = pb.CreateSessionRequest(
            target=self._target, config=self._config.SerializeToString(),
            graph_def=b"" if graph is None else graph.as_graph_def().SerializeToString())
        content = _patient(self._caller, "CreateSession", request.SerializeToString(), self.timeout)
        answer = pb.CreateSessionResponse.FromString(content)
        self._handle, self._version, self._sent = answer.session_handle, answer.graph_version, count

    @property
    def timeout(self) -> float | None:
        return self._config.operation_timeout_in_ms / 1000 or None

    def devices(self) -> list[str]:
        """See `Link.devices`."""
        pb = proto.master_service_pb2
        with self._sending:
            if not self._handle:
                self._create(None)
        answer = self.call("ListDevices", pb.ListDevicesRequest(session_handle=self._handle), pb.ListDevicesResponse,
                           self.timeout)
        return [device.name for device in (*answer.local_device, *answer.remote_device)]

    def executor(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], tier: str | None,
                 others: Iterable[Any], mixed: MixedPrecision | None, done: Collection[str] = ()) -> RemoteStep:
        """See `Link.executor`. How the server runs the step is its own choice."""
        return RemoteStep(self, Outline(tuple(fetches), tuple(feeds)))

    def partial(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> RemoteParts:
        """See `Link.partial`."""
        return RemoteParts(self, fetches, feeds)

    def learn(self, places: Mapping[Operation, Place]) -> None:
        """See `Link.learn`: the server places nodes."""

    def forget(self) -> None:
        """Closes the session at the server. One that is gone has nothing left to close."""
        pb = proto.master_service_pb2
        with self._sending, contextlib.suppress(*_GONE):
            if self._handle:
                self.call("CloseSession", pb.CloseSessionRequest(session_handle=self._handle), pb.CloseSessionResponse,
                          self.timeout or PATIENCE)
        self._caller.close()


@dataclass(frozen=True)
class Outline:
    """What a session asks of a plan, where others have the plan."""

    fetches: tuple[Tensor | Operation, ...]
    feeds: tuple[Tensor, ...]
    nodes: tuple[Operation, ...] = ()
    homes: Mapping[Operation, Place] = field(default_factory=dict)
    step: None = None


class RemoteStep:
    """Runs one combination of fetches and feeds at a server; see `Elsewhere`."""

    def __init__(self, remote: Remote, plan: Outline) -> None:
        self._remote, self.plan = remote, plan
        self._graph = plan.fetches[0].graph if plan.fetches else None

    def run(self, store: Any, feed_values: Sequence[Any]) -> Sequence[Any]:
        return self.run_with(store, feed_values, None, None)

    def run_with(self, store: Any, feed_values: Sequence[Any], options: Any, run_metadata: Any) -> Sequence[Any]:
        if self._graph is None:
            return []
        request = _request(self._remote.send(self._graph), self.plan.fetches, zip(self.plan.feeds, feed_values))
        timeout = None
        if options is not None:
            request.options = options.SerializeToString()
            timeout = options.timeout_in_ms / 1000 + _GRACE if options.timeout_in_ms > 0 else None
        answer = _ran(self._remote, request, timeout)
        if run_metadata is not None:
            run_metadata.MergeFromString(answer.metadata)
        return _values(answer, self.plan.fetches)


_GRACE = 5.0  # seconds that a server has to say itself that the time is over


class RemoteParts:
    """A partial run at a server."""

    def __init__(self, remote: Remote, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> None:
        pb = proto.master_service_pb2
        self._remote, self._session = remote, remote.send(fetches[0].graph)
        request = pb.PartialRunSetupRequest(
            session_handle=self._session, feed=[t.name for t in feeds], request_id=_number(),
            fetch=[f.name for f in fetches if isinstance(f, Tensor)],
            target=[f.name for f in fetches if not isinstance(f, Tensor)])
        answer = remote.call("PartialRunSetup", request, pb.PartialRunSetupResponse, remote.timeout)
        self._handle = answer.partial_run_handle

    def run(self, fetches: Sequence[Tensor | Operation], feeds: Iterable[tuple[Tensor, Any]]) -> Sequence[Any]:
        request = _request(self._session, fetches, feeds)
        request.partial_run_handle = self._handle
        return _values(_ran(self._remote, request, self._remote.timeout), fetches)


def _request(handle: str, fetches: Sequence[Tensor | Operation], feeds: Iterable[tuple[Tensor, Any]]) -> Any:
    request = proto.master_service_pb2.RunStepRequest(
        session_handle=handle, store_errors_in_response_body=True, request_id=_number(),
        fetch=[f.name for f in fetches if isinstance(f, Tensor)],
        target=[f.name for f in fetches if not isinstance(f, Tensor)])
    for tensor, value in feeds:
        message = tensor_messages.tensor_to_proto(value, tensor.dtype.base_dtype)
        request.feed.add(name=tensor.name, tensor=message.SerializeToString())
    return request


def _ran(remote: Remote, request: Any, timeout: float | None) -> Any:
    answer = remote.call("RunStep", request, proto.master_service_pb2.RunStepResponse, timeout)
    if answer.status_code:
        raise errors.make_error(answer.status_code, answer.status_error_message)
    return answer


def _values(answer: Any, fetches: Sequence[Tensor | Operation]) -> list[Any]:
    found = {each.name: each.tensor for each in answer.tensor}
    return [array_of(found[f.name]) if isinstance(f, Tensor) else None for f in fetches]


_numbers = itertools.count(random.getrandbits(48))


def _number() -> int:
    """Tells a request from all others."""
    return next(_numbers)


def _caller(target: str) -> Caller:
    return Caller(target.removeprefix("grpc://"), f"the server {target}")


def _patient(caller: Caller, method: str, request: bytes, timeout: float | None) -> bytes:
    """The answer of a server that may come up only now.

    Raises:
        DeadlineExceededError: it does not in the time given, or in a minute.
    """
    return caller.call(f"/{SERVICE}/{method}", request, timeout or PATIENCE, waits=True)


def reset(target: str, containers: Sequence[str], config: Any) -> None:
    """Has a server forget the values of some containers, or of all, and end its sessions.

    Raises:
        DeadlineExceededError: it does not answer in the time that the config gives, or in a minute.
    """
    request = proto.master_service_pb2.ResetRequest(container=containers)
    timeout = None
    if config is not None:
        request.device_filters.extend(config.device_filters)
        timeout = config.operation_timeout_in_ms / 1000 or None
    caller = _caller(target)
    try:
        _patient(caller, "Reset", request.SerializeToString(), timeout)
    finally:
        caller.close()

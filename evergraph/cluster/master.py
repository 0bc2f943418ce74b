"""TensorFlow's MasterService: sessions that clients in other processes, TensorFlow's too, have at a server."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.cluster.calls import Handler, as_op_error
from evergraph.cluster.strangers import refuse_python
from evergraph.formats import tensor_messages
from evergraph.frontend.importer import extend_graph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation
from evergraph.kernel.patience import Stop, stoppable
from evergraph.run import servers
from evergraph.run.session import BaseSession

SERVICE = "tensorflow.MasterService"


class Master:
    """Answers the calls of a server's MasterService.

    Args:
        task: the server's.
        incarnation: the number of this start of the server.
        config: the bytes of the tf.ConfigProto of sessions that have none of their own.
    """

    def __init__(self, task: servers.Task, incarnation: int, config: bytes = b"") -> None:
        self._task, self._incarnation, self._config = task, incarnation, config
        self._sessions: dict[str, _Held] = {}
        self._numbers = itertools.count(1)

    def methods(self) -> dict[str, Handler]:
        """Name -> what answers it."""
        pb = proto.master_service_pb2
        return {
            "CreateSession": _answering(pb.CreateSessionRequest, self._create),
            "ExtendSession": _answering(pb.ExtendSessionRequest, self._extend),
            "PartialRunSetup": _answering(pb.PartialRunSetupRequest, self._set_up),
            "RunStep": _answering(pb.RunStepRequest, self._run),
            "CloseSession": _answering(pb.CloseSessionRequest, self._close),
            "Reset": _answering(pb.ResetRequest, self._reset),
            "ListDevices": _answering(pb.ListDevicesRequest, self._list),
            "MakeCallable": _answering(pb.MakeCallableRequest, self._make_callable),
            "RunCallable": _answering(pb.RunCallableRequest, self._run_callable),
            "ReleaseCallable": _answering(pb.ReleaseCallableRequest, self._release),
        }

    def _held(self, handle: str) -> _Held:
        found = self._sessions.get(handle)
        if found is None:
            raise errors.AbortedError(None, None, f"Session {handle} is not found: the server may have restarted.")
        return found

    # ---- sessions

    def _create(self, request: Any) -> Any:
        config = _parsed(proto.config_pb2.ConfigProto, request.config or self._config)
        held = _Held(self._task.target, config)
        version = held.extend(request.graph_def)
        handle = f"{self._incarnation:x}-{next(self._numbers)}"
        self._sessions[handle] = held
        return proto.master_service_pb2.CreateSessionResponse(session_handle=handle, graph_version=version)

    def _extend(self, request: Any) -> Any:
        version = self._held(request.session_handle).extend(request.graph_def, request.current_graph_version)
        return proto.master_service_pb2.ExtendSessionResponse(new_graph_version=version)

    def _close(self, request: Any) -> Any:
        self._held(request.session_handle)
        held = self._sessions.pop(request.session_handle, None)
        if held is not None:
            held.close()
        return proto.master_service_pb2.CloseSessionResponse()

    def _reset(self, request: Any) -> Any:
        sessions, self._sessions = self._sessions, {}
        for held in sessions.values():
            held.stop.set()
        servers.reset(self._task, list(request.container))
        return proto.master_service_pb2.ResetResponse()

    def _list(self, request: Any) -> Any:
        pb = proto.master_service_pb2
        devices = self._held(request.session_handle).session.list_devices()
        listed = [pb.DeviceBytes(name=d.name, device_type=d.device_type, memory_limit=d.memory_limit_bytes,
                                 incarnation=self._incarnation) for d in devices]
        return pb.ListDevicesResponse(local_device=listed)

    # ---- steps

    def _run(self, request: Any, left: float | None, stop: Stop) -> Any:
        try:
            return self._ran(request, left, stop)
        except Exception as error:
            if not request.store_errors_in_response_body:
                raise
            told = as_op_error(error)
            return proto.master_service_pb2.RunStepResponse(
                status_code=told.error_code, status_error_message=told.message)

    def _ran(self, request: Any, left: float | None, stop: Stop) -> Any:
        held = self._held(request.session_handle)
        feeds = {_tensor_name(feed.name): array_of(feed.tensor) for feed in request.feed}
        fetches = [_tensor_name(name) for name in request.fetch]
        response = proto.master_service_pb2.RunStepResponse()
        with held.running(stop):
            if request.partial_run_handle:
                values = held.run_part(request.partial_run_handle, fetches, feeds)
            else:
                options = _limited(request.options, left)
                metadata = proto.config_pb2.RunMetadata() if options is not None and asks(options) else None
                values = held.run(fetches, held.operations(request.target), feeds, options, metadata)
                if metadata is not None:
                    response.metadata = metadata.SerializeToString()
        for name, value in zip(request.fetch, values, strict=True):
            response.tensor.add(name=name, tensor=bytes_of(value))
        return response

    def _set_up(self, request: Any) -> Any:
        held = self._held(request.session_handle)
        fetches = [*map(_tensor_name, request.fetch), *held.operations(request.target)]
        handle = held.session.partial_run_setup(_known(held.graph, fetches), [_tensor_name(n) for n in request.feed])
        name = f"partial-{next(self._numbers)}"
        held.parts[name] = handle
        return proto.master_service_pb2.PartialRunSetupResponse(partial_run_handle=name)

    def _make_callable(self, request: Any) -> Any:
        held, number = self._held(request.session_handle), next(self._numbers)
        options = _parsed(proto.config_pb2.CallableOptions, request.options)
        if options.tensor_connection:
            raise errors.UnimplementedError(None, None, "a callable that connects tensors")
        held.callables[number] = options
        held.operations(options.target)
        _known(held.graph, [_tensor_name(name) for name in (*options.feed, *options.fetch)])
        return proto.master_service_pb2.MakeCallableResponse(handle=number)

    def _run_callable(self, request: Any, left: float | None, stop: Stop) -> Any:
        held = self._held(request.session_handle)
        options = held.callables.get(request.handle)
        if options is None:
            raise errors.InvalidArgumentError(None, None, f"there is no callable {request.handle}")
        if len(request.feed) != len(options.feed):
            raise errors.InvalidArgumentError(
                None, None, f"the callable takes {len(options.feed)} feeds, not {len(request.feed)}")
        feeds = {_tensor_name(name): array_of(value) for name, value in zip(options.feed, request.feed)}
        limited, response = _limited(options.run_options.SerializeToString(), left), None
        metadata = proto.config_pb2.RunMetadata() if limited is not None and asks(limited) else None
        with held.running(stop):
            values = held.run([_tensor_name(name) for name in options.fetch], held.operations(options.target), feeds,
                              limited, metadata)
        response = proto.master_service_pb2.RunCallableResponse(fetch=[bytes_of(value) for value in values])
        if metadata is not None:
            response.metadata = metadata.SerializeToString()
        return response

    def _release(self, request: Any) -> Any:
        self._held(request.session_handle).callables.pop(request.handle, None)
        return proto.master_service_pb2.ReleaseCallableResponse()


class _Held:
    """A session that a client in another process has.

    Attributes:
        graph: what the client has sent of its graph so far.
        session: the session of this process that runs it.
        stop: ends what waits in its steps.
        parts: name -> a partial run that is set up.
        callables: number -> the CallableOptions of it.
    """

    def __init__(self, target: str, config: Any) -> None:
        self.graph, self.stop = Graph(), Stop()
        self.session = BaseSession(target, self.graph, config)
        self.parts: dict[str, Any] = {}
        self.callables: dict[int, Any] = {}
        self._growing = threading.Lock()

    def extend(self, content: bytes, version: int | None = None) -> int:
        """Adds nodes to the graph, which has to have the version that the client knows; returns the new version."""
        message = _parsed(proto.graph_pb2.GraphDef, content)
        with self._growing:
            if version is not None and version != self.graph.version:
                raise errors.AbortedError(
                    None, None, f"Current version is {self.graph.version} but caller expected {version}.")
            before = self.graph.version
            extend_graph(self.graph, message)
            refuse_python(self.graph._nodes[before:])
            return self.graph.version

    def operations(self, names: Sequence[str]) -> list[Operation]:
        """The operations that a client names.

        Raises:
            NotFoundError: there is no such operation.
        """
        for name in names:
            if name not in self.graph._by_name:
                raise errors.NotFoundError(None, None, f"PruneForTargets: the node {name} is not in the graph")
        return [self.graph._by_name[name] for name in names]

    def running(self, stop: Stop) -> Any:
        """A block that ends with CancelledError, if it waits, when the client has gone or the session is closed."""
        return stoppable(stop, self.stop)

    def run(self, fetches: list[str], targets: list[Operation], feeds: dict[str, Any], options: Any,
            metadata: Any) -> list[Any]:
        names = _known(self.graph, fetches)
        _known(self.graph, feeds)
        return self.session.run([names, targets], feeds, options, metadata)[0]

    def run_part(self, name: str, fetches: list[str], feeds: dict[str, Any]) -> list[Any]:
        if name not in self.parts:
            raise errors.InvalidArgumentError(None, None, f"there is no partial run {name}: set it up first")
        return self.session.partial_run(self.parts[name], _known(self.graph, fetches), feeds)

    def close(self) -> None:
        self.stop.set()
        self.session.close()


def _answering(kind: Any, function: Callable[..., Any]) -> Handler:
    """What answers the bytes of a message of this kind by the bytes of the message that a function gives."""
    takes_more = function.__code__.co_argcount > 2

    def answer(request: bytes, left: float | None, stop: Stop) -> bytes:
        message = _parsed(kind, request)
        return (function(message, left, stop) if takes_more else function(message)).SerializeToString()

    return answer


def _parsed(kind: Any, content: bytes) -> Any:
    try:
        return kind.FromString(content)
    except Exception as error:  # protobuf's classes differ between its implementations
        raise errors.InvalidArgumentError(None, None, f"the message is no {kind.DESCRIPTOR.name}: {error}") from None


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _known(graph: Graph, names: Any) -> Any:
    """The names, all of which the graph has.

    Raises:
        NotFoundError: it does not have one of them.
    """
    for name in names:
        if not isinstance(name, Operation) and name.rpartition(":")[0] not in graph._by_name:
            raise errors.NotFoundError(None, None, f"the node of {name} is not in the graph")
    return names


def _limited(content: bytes, left: float | None) -> Any:
    """The RunOptions of a step that its client wants to be over in `left` seconds; None where there are none."""
    if not content and left is None:
        return None
    options = _parsed(proto.config_pb2.RunOptions, content)
    if left is not None and not options.timeout_in_ms:
        options.timeout_in_ms = max(1, round(1000 * left))
    return options


def asks(options: Any) -> bool:
    """Whether these RunOptions ask for metadata."""
    return bool(options.trace_level or options.output_partition_graphs)


def array_of(content: bytes) -> np.ndarray:
    """The array of a TensorProto's bytes.

    Raises:
        InvalidArgumentError: they are none.
    """
    message = _parsed(proto.tensor_pb2.TensorProto, content)
    try:
        return tensor_messages.proto_to_array(message)
    except (ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise errors.InvalidArgumentError(None, None, f"a fed tensor cannot be read: {error}") from None


def bytes_of(value: Any) -> bytes:
    """A fetched value as the bytes of a TensorProto."""
    return tensor_messages.tensor_to_proto(np.asarray(value)).SerializeToString()



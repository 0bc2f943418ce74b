"""Calls between the processes of a cluster, over gRPC, and the errors that they carry."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from queue import SimpleQueue
from types import ModuleType
from typing import Any

from evergraph.base import errors
from evergraph.base.sockets import why_not
from evergraph.cluster.trust import Trust, trust
from evergraph.kernel.patience import Stop

MOST_BYTES = (1 << 31) - 1  # of a message: gRPC and protobuf count in 32 bits
MOST_CALLS = 4096  # under way in a server; most of them wait in queues
_LONGEST_TEXT = 4000  # characters of an error, which travels in a header
_SILENCE_MS = 10_000  # after which a connection is asked for a sign of life, and given as long to answer
_PATIENCE_MS = 500  # between two attempts to connect to a server that was not there
_OPTIONS = (
    ("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", MOST_BYTES),
    ("grpc.enable_http_proxy", 0), ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", _SILENCE_MS), ("grpc.keepalive_timeout_ms", _SILENCE_MS),
    ("grpc.http2.max_pings_without_data", 0), ("grpc.http2.min_ping_interval_without_data_ms", _SILENCE_MS // 2),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", _SILENCE_MS // 2),
    ("grpc.initial_reconnect_backoff_ms", 100), ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", _PATIENCE_MS),
)  # fmt: skip

Handler = Callable[[bytes, float | None, Stop], bytes]
"""Answers a request, given how many seconds are left for it, if that is limited, and what tells that nobody waits."""


def require_sendable(length: int) -> None:
    """Raises ResourceExhaustedError, with which no session begins anew, if a message would be too large."""
    if length > MOST_BYTES:
        raise errors.ResourceExhaustedError(
            None, None, f"{length:,} bytes for another task at once, and at most {MOST_BYTES:,} can be sent: "
            "a partitioner makes several variables of a large one, and tf.nn.embedding_lookup sends rows alone")


def load_grpc() -> ModuleType:
    """The package grpc.

    Raises:
        ImportError: it is not installed.
    """
    # What its C code has to say of servers that come and go is in the errors.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        import grpc
    except ImportError as error:
        raise ImportError("servers of clusters need grpcio: pip install grpcio") from error
    return grpc


class Caller:
    """Calls the methods of a server.

    Args:
        address: "host:port".
        who: what errors call it.
    """

    def __init__(self, address: str, who: str) -> None:
        self._grpc, self.address, self.who = load_grpc(), address, who
        known = trust()
        self._channel, self._metadata = known.channel(self._grpc, address, _OPTIONS), known.metadata
        self._methods: dict[str, Any] = {}

    def call(self, method: str, request: bytes, timeout: float | None = None, waits: bool = False) -> bytes:
        """The answer to a request.

        Args:
            method: such as "/package.Service/Method".
            request: the request.
            timeout: the longest time to wait, in seconds.
            waits: whether to wait for a server that is not there yet.

        Raises:
            UnavailableError: there is no server, or it has ended.
            DeadlineExceededError: the time is over.
            tf.errors.OpError: the server says so.
        """
        return self.start(method, request, timeout, waits).answer()

    def start(self, method: str, request: bytes, timeout: float | None = None, waits: bool = False) -> Call:
        """Sends a request, as `call`, without waiting for the answer.

        Raises:
            ResourceExhaustedError: it is too large.
        """
        require_sendable(len(request))
        known = self._methods.get(method)
        if known is None:
            known = self._methods[method] = self._channel.unary_unary(method)
        return Call(self, known.future(request, timeout=timeout, wait_for_ready=waits,
                                       metadata=self._metadata))

    def error(self, error: Any) -> errors.OpError:
        """What a failed call raises."""
        code, text = error.code(), error.details() or ""
        if code is self._grpc.StatusCode.UNAVAILABLE or not text or code is self._grpc.StatusCode.DEADLINE_EXCEEDED:
            text = f"{self.who} at {self.address}: {text}"
        return errors.make_error(code.value[0], text)

    def close(self) -> None:
        self._channel.close()


class Call:
    """A request that is under way."""

    def __init__(self, caller: Caller, future: Any) -> None:
        self._caller, self._future = caller, future

    def answer(self) -> bytes:
        """Waits for the answer; an interrupt takes the request back. Raises as `Caller.call`."""
        grpc = self._caller._grpc
        try:
            return self._future.result()
        except grpc.RpcError as error:
            raise self._caller.error(error) from None
        except grpc.FutureCancelledError:
            raise errors.CancelledError(None, None, f"the call of {self._caller.who} was cancelled") from None
        except BaseException:
            self._future.cancel()
            raise

    def cancel(self) -> None:
        """Takes the request back."""
        self._future.cancel()


class Listener:
    """A gRPC server that answers methods.

    Args:
        address: "host:port"; port 0 for any.
        services: service -> method -> handler.

    Attributes:
        port: the one that it has.

    Raises:
        UnknownError: the port is in use.
    """

    def __init__(self, address: str, services: Mapping[str, Mapping[str, Handler]]) -> None:
        grpc, known = load_grpc(), trust()
        self._server = grpc.server(_Threads(), options=_OPTIONS, maximum_concurrent_rpcs=MOST_CALLS)
        self._server.add_generic_rpc_handlers(tuple(
            grpc.method_handlers_generic_handler(service, {name: _handler(grpc, call, known)
                                                           for name, call in calls.items()})
            for service, calls in services.items()))  # fmt: skip
        try:
            self.port: int = known.listen(grpc, self._server, address)
        except RuntimeError as error:
            raise errors.UnknownError(None, None, f"Could not start a server: {why_not(address) or error}") from None

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        """Ends it at once, with the calls that are under way."""
        self._server.stop(None)


def _handler(grpc: ModuleType, call: Handler, known: Trust) -> Any:
    codes = {status.value[0]: status for status in grpc.StatusCode}

    def handle(request: bytes, context: Any) -> bytes:
        stop = Stop()
        if not context.add_callback(stop.set):
            stop.set()
        try:
            if not known.admits_call(context.invocation_metadata()):
                raise errors.UnauthenticatedError(None, None, "the server has another EVERGRAPH_TOKEN")
            answer = call(request, _limited(context.time_remaining()), stop)
            require_sendable(len(answer))
            return answer
        except Exception as error:  # whatever it is, the caller is told, and the server goes on
            told = as_op_error(error)
            context.set_code(codes.get(told.error_code, grpc.StatusCode.UNKNOWN))
            context.set_details(told.message[:_LONGEST_TEXT])
            return b""

    return grpc.unary_unary_rpc_method_handler(handle)


_AGES = 1e6  # seconds; a call without a deadline comes with none, or with more


def _limited(left: float | None) -> float | None:
    return left if left is not None and left < _AGES else None


def as_op_error(error: Exception) -> errors.OpError:
    """The error that a caller in another process is told."""
    if isinstance(error, errors.OpError):
        return error
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(None, None, f"out of memory: {error}")
    kind = errors.InvalidArgumentError if isinstance(error, (ValueError, TypeError)) else errors.InternalError
    text = str(error) if isinstance(error, (ValueError, TypeError)) else f"{type(error).__name__}: {error}"
    return kind(None, None, text)


class _Threads(futures.Executor):
    """Threads for calls, made when there are too few: any number of calls may wait in queues.

    The process may end while they wait, so they are daemons.
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> futures.Future[Any]:
        future: futures.Future[Any] = futures.Future()
        try:
            jobs = self._idle.pop()
        except IndexError:
            jobs = SimpleQueue()
            threading.Thread(target=self._serve, args=(jobs,), name="evergraph call", daemon=True).start()
        jobs.put((future, fn, args, kwargs))
        return future

    def _serve(self, jobs: SimpleQueue[Any]) -> None:
        while True:
            future, fn, args, kwargs = jobs.get()
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)
            self._idle.append(jobs)
            del future, fn, args, kwargs  # which may hold what nobody else does


@contextlib.contextmanager
def all_or_none(calls: Sequence[Call]) -> Iterator[None]:
    """Takes back the requests that are under way if the block fails."""
    try:
        yield
    except BaseException:
        for call in calls:
            call.cancel()
        raise

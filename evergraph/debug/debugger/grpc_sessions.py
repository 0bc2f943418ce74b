"""Sessions and hooks that send the tensors of runs to gRPC servers."""

from __future__ import annotations

import traceback
from typing import Any

from evergraph.debug.debugger.hooks import WatchingHook
from evergraph.debug.debugger.publishing import publish
from evergraph.debug.debugger.sessions import NonInteractiveDebugWrapperSession, OnRunStartResponse, WatchOptions
from evergraph.debug.debugger.source import guess_is_tensorflow_py_library
from evergraph.run.debug_streams import SCHEME


class GrpcDebugWrapperSession(NonInteractiveDebugWrapperSession):
    """Sends the tensors of each run to servers.

    Args:
        sess, watch_fn, thread_name_filter: see NonInteractiveDebugWrapperSession.
        grpc_debug_server_addresses: addresses, such as "localhost:6064".
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.

    Raises:
        TypeError: an address is no string.
    """

    def __init__(self, sess: Any, grpc_debug_server_addresses: Any, watch_fn: Any = None,
                 thread_name_filter: str | None = None, log_usage: bool = True) -> None:
        super().__init__(sess, watch_fn=watch_fn, thread_name_filter=thread_name_filter)
        self._urls = _urls(grpc_debug_server_addresses)

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> list[str]:
        return self._urls


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """Sends the tensors of each run to the debugger of TensorBoard 1.15, and the program with its nodes' lines.

    Later versions of TensorBoard do not take them. The runs wait where TensorBoard has been told to stop.

    Args:
        sess, grpc_debug_server_addresses, thread_name_filter, log_usage: see GrpcDebugWrapperSession.
        send_traceback_and_source_code: whether the program is sent, each time that its graph has grown.
    """

    def __init__(self, sess: Any, grpc_debug_server_addresses: Any, thread_name_filter: str | None = None,
                 send_traceback_and_source_code: bool = True, log_usage: bool = True) -> None:
        super().__init__(sess, grpc_debug_server_addresses, _watch_all, thread_name_filter, log_usage)
        self._sends_program, self._sent_version = send_traceback_and_source_code, -1

    def on_run_start(self, request: Any) -> OnRunStartResponse:
        if self._sends_program and self.graph.version > self._sent_version:
            self._sent_version = self.graph.version
            stack = [frame for frame in traceback.extract_stack()
                     if not frame.filename.endswith(".py") or not guess_is_tensorflow_py_library(frame.filename)]
            publish(self._urls, self.graph, f"{request.fetches!r} of {list(request.feed_dict or ())!r}", stack)
        return super().on_run_start(request)


def _watch_all(fetches: Any, feed_dict: Any) -> WatchOptions:
    return WatchOptions(debug_ops=["DebugIdentity(gated_grpc=True)"])


class GrpcDebugHook(WatchingHook):
    """Sends the tensors of each run of a monitored session to servers; see GrpcDebugWrapperSession."""

    def __init__(self, grpc_debug_server_addresses: Any, watch_fn: Any = None, thread_name_filter: str | None = None,
                 log_usage: bool = True) -> None:
        self._addresses, self._watch_fn, self._threads = grpc_debug_server_addresses, watch_fn, thread_name_filter
        _urls(grpc_debug_server_addresses)

    def _wrapped(self, session: Any) -> GrpcDebugWrapperSession:
        return GrpcDebugWrapperSession(session, self._addresses, self._watch_fn, self._threads)


class TensorBoardDebugHook(GrpcDebugHook):
    """Shows the runs of a monitored session in TensorBoard 1.15; see TensorBoardDebugWrapperSession."""

    def __init__(self, grpc_debug_server_addresses: Any, thread_name_filter: str | None = None,
                 send_traceback_and_source_code: bool = True, log_usage: bool = True) -> None:
        super().__init__(grpc_debug_server_addresses, thread_name_filter=thread_name_filter)
        self._sends_program = send_traceback_and_source_code

    def _wrapped(self, session: Any) -> TensorBoardDebugWrapperSession:
        return TensorBoardDebugWrapperSession(session, self._addresses, self._threads, self._sends_program)


def _urls(addresses: Any) -> list[str]:
    if isinstance(addresses, str):
        addresses = [addresses]
    if not isinstance(addresses, list):
        raise TypeError(f"Expected type str or list in grpc_debug_server_addresses, not {type(addresses)}")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"Expected type str in list grpc_debug_server_addresses, not {type(address)}")
    return [address if address.startswith(SCHEME) else SCHEME + address for address in addresses]

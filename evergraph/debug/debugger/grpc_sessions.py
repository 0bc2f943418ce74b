"""Sessions and hooks that send the tensors of runs to gRPC servers."""

from __future__ import annotations

from typing import Any

from evergraph.debug.debugger.hooks import WatchingHook
from evergraph.debug.debugger.sessions import NonInteractiveDebugWrapperSession
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


class GrpcDebugHook(WatchingHook):
    """Sends the tensors of each run of a monitored session to servers; see GrpcDebugWrapperSession."""

    def __init__(self, grpc_debug_server_addresses: Any, watch_fn: Any = None, thread_name_filter: str | None = None,
                 log_usage: bool = True) -> None:
        self._addresses, self._watch_fn, self._threads = grpc_debug_server_addresses, watch_fn, thread_name_filter
        _urls(grpc_debug_server_addresses)

    def _wrapped(self, session: Any) -> GrpcDebugWrapperSession:
        return GrpcDebugWrapperSession(session, self._addresses, self._watch_fn, self._threads)


def _urls(addresses: Any) -> list[str]:
    if isinstance(addresses, str):
        addresses = [addresses]
    if not isinstance(addresses, list):
        raise TypeError(f"Expected type str or list in grpc_debug_server_addresses, not {type(addresses)}")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"Expected type str in list grpc_debug_server_addresses, not {type(address)}")
    return [address if address.startswith(SCHEME) else SCHEME + address for address in addresses]

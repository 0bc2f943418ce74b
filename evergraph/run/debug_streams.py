"""Sends what a run dumps to gRPC servers of TensorFlow's debugger, one stream for each server."""

from __future__ import annotations

import queue
from typing import Any

from evergraph import proto
from evergraph.base import errors

SCHEME = "grpc://"
SEND_EVENTS = "/tensorflow.EventListener/SendEvents"
_PATIENCE = 30  # seconds that a server may take to answer


def split_graph(content: bytes, device: str, micros: int, number: int) -> Any:
    """The Event of a graph, with the device that it is of, as servers expect it."""
    head = f"{number},{device},{micros}|0|1|".encode()
    return proto.event_pb2.Event(wall_time=micros, graph_def=head + content)


class EventStream:
    """A stream of events to one server.

    Args:
        url: such as grpc://localhost:6064, or grpc://localhost:6064/folder for a folder of the server.
    """

    def __init__(self, url: str) -> None:
        import grpc

        self._grpc, self._url, self._events = grpc, url, queue.SimpleQueue[Any]()
        address, _, self.folder = url.removeprefix(SCHEME).partition("/")
        self._channel = grpc.insecure_channel(address, options=[("grpc.max_send_message_length", -1)])
        send = self._channel.stream_stream(
            SEND_EVENTS, request_serializer=lambda event: event.SerializeToString(),
            response_deserializer=proto.debug_service_pb2.EventReply.FromString)
        self._replies = send(iter(self._events.get, None), wait_for_ready=True, timeout=_PATIENCE)

    def send(self, event: Any) -> None:
        """Sends an event, without waiting for the server."""
        self._events.put(event)

    def close(self) -> None:
        """Waits until the server has everything.

        Raises:
            UnavailableError: it does not answer.
        """
        self._events.put(None)
        try:
            for _ in self._replies:
                pass  # what a server says of later watches is for streams that stay open
        except self._grpc.RpcError as error:
            message = f"the debug server {self._url} does not answer: {error}"
            raise errors.UnavailableError(None, None, message) from error
        finally:
            self._channel.close()

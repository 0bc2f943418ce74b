"""Tells gRPC servers of the debugger which lines of a program made its nodes, and what is in its files."""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Iterable, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.debug.debugger.source import guess_is_tensorflow_py_library
from evergraph.debug.profiler.gather import merged_log
from evergraph.graph.graph import Graph
from evergraph.run.debug_streams import SCHEME

SEND_TRACEBACKS = "/tensorflow.EventListener/SendTracebacks"
SEND_SOURCE_FILES = "/tensorflow.EventListener/SendSourceFiles"
_PATIENCE = 30  # seconds that a server may take to answer


def publish(urls: Iterable[str], graph: Graph, call_key: str, stack: Sequence[traceback.FrameSummary]) -> None:
    """Sends the lines that made the nodes of a graph, and the files of the program that these lines are in.

    Args:
        urls: the servers, such as grpc://localhost:6064.
        graph: the graph.
        call_key: what is run.
        stack: the lines that run it, the innermost last.

    Raises:
        UnavailableError: a server does not answer.
    """
    lines = _lines(graph, call_key, stack)
    files = _files({lines.graph_traceback.id_to_string[trace.file_id] for entry in lines.graph_traceback.log_entries
                    for trace in entry.code_def.traces} | {frame.filename for frame in stack})
    for url in urls:
        _send(url, [(SEND_TRACEBACKS, lines), *((SEND_SOURCE_FILES, file) for file in files)])


def _lines(graph: Graph, call_key: str, stack: Sequence[traceback.FrameSummary]) -> Any:
    message = proto.debug_service_pb2.CallTraceback(
        call_type="GRAPH_EXECUTION", call_key=call_key, graph_traceback=merged_log(graph), graph_version=graph.version)
    words: dict[str, int] = {}
    number = lambda word: words.setdefault(word, len(words) + 1)
    for frame in reversed(stack):
        message.origin_stack.traces.add(file_id=number(frame.filename), lineno=frame.lineno,
                                        function_id=number(frame.name), line_id=number(frame.line or ""))
    message.origin_id_to_string.update({at: word for word, at in words.items()})
    return message


def _files(paths: Iterable[str]) -> list[Any]:
    """The files of the program, not those of the library, a message for each: a message must not grow too long."""
    found = []
    for path in sorted(paths):
        if not path.endswith(".py") or guess_is_tensorflow_py_library(path) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
        message = proto.debug_pb2.DebuggedSourceFiles()
        message.source_files.add(host=socket.gethostname(), file_path=path, lines=lines, bytes=os.path.getsize(path),
                                 last_modified=int(os.path.getmtime(path) * 1e6))
        found.append(message)
    return found


def _send(url: str, calls: Iterable[tuple[str, Any]]) -> None:
    import grpc

    address = url.removeprefix(SCHEME).partition("/")[0]
    with grpc.insecure_channel(address, options=[("grpc.max_send_message_length", -1)]) as channel:
        for method, message in calls:
            call = channel.unary_unary(method, request_serializer=lambda each: each.SerializeToString(),
                                       response_deserializer=proto.debug_service_pb2.EventReply.FromString)
            try:
                call(message, wait_for_ready=True, timeout=_PATIENCE)
            except grpc.RpcError as error:
                raise errors.UnavailableError(
                    None, None, f"the debug server {url} does not take the lines of the program: {error}") from error

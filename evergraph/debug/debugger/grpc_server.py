"""A gRPC server of tfdbg: takes the events of runs and keeps them, as files or in memory."""

from __future__ import annotations

import concurrent.futures
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from evergraph import proto
from evergraph.debug.debugger.dumps import load_tensor_from_event
from evergraph.debug.debugger.publishing import SEND_SOURCE_FILES, SEND_TRACEBACKS
from evergraph.formats.debug_files import (
    CORE_METADATA_TAG,
    GRAPH_FILE_TAG,
    HASH_TAG,
    METADATA_FILE_PREFIX,
    device_folder,
    dump_path,
)
from evergraph.run.debug_streams import SCHEME, SEND_EVENTS


class DebugServer:
    """Keeps what runs with its URL among their debug URLs send.

    Args:
        server_port: the port.
        dump_dir: a directory in which dumps are laid out as those of file URLs; None to keep values in memory.

    Attributes:
        core_metadata_json_strings: what runs said of themselves.
        debug_tensor_values: watch key -> values, without a directory.
        partition_graph_defs: the graphs, without a directory.
        tracebacks: what programs said of the lines that made their nodes.
        source_files: path -> the lines of a program's file.
    """

    def __init__(self, server_port: int, dump_dir: str | None = None) -> None:
        self._port, self.dump_dir = server_port, dump_dir
        self._server: Any = None
        self._has_stopped, self._over, self._lock = False, threading.Event(), threading.Lock()
        self.clear_data()

    def clear_data(self) -> None:
        """Forgets what was sent."""
        self.core_metadata_json_strings: list[str] = []
        self.partition_graph_defs: list[Any] = []
        self.debug_tensor_values: dict[str, list[Any]] = {}
        self.tracebacks: list[Any] = []
        self.source_files: dict[str, list[str]] = {}

    def run_server(self, blocking: bool = True) -> None:
        """Begins to listen.

        Args:
            blocking: whether to return only when it is stopped.

        Raises:
            ValueError: it runs already, or was stopped.
        """
        import grpc

        with self._lock:
            if self._has_stopped:
                raise ValueError("Server has already stopped running")
            if self._server is not None:
                raise ValueError("Server has already started running")
            self._server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=10),
                                       options=[("grpc.max_receive_message_length", -1)])
            reply = {"response_serializer": lambda message: message.SerializeToString()}
            one, many = grpc.unary_unary_rpc_method_handler, grpc.stream_stream_rpc_method_handler
            handlers = {
                SEND_EVENTS: many(self._taken, proto.event_pb2.Event.FromString, **reply),
                SEND_TRACEBACKS: one(self._take_lines, proto.debug_service_pb2.CallTraceback.FromString, **reply),
                SEND_SOURCE_FILES: one(self._take_files, proto.debug_pb2.DebuggedSourceFiles.FromString, **reply)}
            service = SEND_EVENTS.split("/")[1]
            self._server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(
                service, {path.rpartition("/")[2]: handler for path, handler in handlers.items()})])
            self._server.add_insecure_port(f"localhost:{self._port}")
            self._server.start()
        if blocking:
            self._over.wait()

    def stop_server(self, grace: float = 1.0) -> threading.Event:
        """Stops listening; what it returns can be waited for.

        Raises:
            ValueError: it does not run.
        """
        with self._lock:
            if self._has_stopped:
                raise ValueError("Server has already stopped running")
            if self._server is None:
                raise ValueError("Server has not started running")
            self._has_stopped = True
        self._over.set()
        return self._server.stop(grace)

    def _taken(self, events: Iterator[Any], context: Any) -> Iterator[Any]:
        folder = self.dump_dir
        for event in events:
            if event.WhichOneof("what") == "log_message" and folder is not None:  # the first event of a stream
                folder = os.path.join(folder, json.loads(event.log_message.message).get("grpc_path", ""))
            with self._lock:
                self._keep(event, folder)
        yield proto.debug_service_pb2.EventReply()

    def _take_lines(self, message: Any, context: Any) -> Any:
        with self._lock:
            self.tracebacks.append(message)
        return proto.debug_service_pb2.EventReply()

    def _take_files(self, message: Any, context: Any) -> Any:
        with self._lock:
            self.source_files.update((file.file_path, list(file.lines)) for file in message.source_files)
        return proto.debug_service_pb2.EventReply()

    def _keep(self, event: Any, folder: str | None) -> None:
        kind = event.WhichOneof("what")
        if kind == "log_message":
            self.core_metadata_json_strings.append(event.log_message.message)
            about = json.loads(event.log_message.message)
            name = f"{CORE_METADATA_TAG}sessionrun{about['session_run_index']:014d}_{int(event.wall_time)}"
            self._write(event, folder, METADATA_FILE_PREFIX + name)
        elif kind == "graph_def":
            head, _, _, content = event.graph_def.split(b"|", 3)
            number, device, micros = head.decode().rsplit(",", 2)
            event = proto.event_pb2.Event(wall_time=int(micros), graph_def=content)
            name = f"{METADATA_FILE_PREFIX}{GRAPH_FILE_TAG}{HASH_TAG}{number}_{micros}"
            if folder is None:
                self.partition_graph_defs.append(proto.graph_pb2.GraphDef.FromString(content))
            self._write(event, folder, os.path.join(device_folder("", device), name))
        else:
            self._keep_value(event, folder)

    def _keep_value(self, event: Any, folder: str | None) -> None:
        value = event.summary.value[0]
        if folder is None:
            self.debug_tensor_values.setdefault(value.node_name, []).append(load_tensor_from_event(event))
            return
        node, slot, op = value.node_name.rsplit(":", 2)
        device = json.loads(value.metadata.plugin_data.content)["device"]
        self._write(event, "", dump_path(device_folder(folder, device), node, int(slot), op, int(event.wall_time)))

    def _write(self, event: Any, folder: str | None, name: str) -> None:
        if folder is not None:
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(event.SerializeToString())


def start_server_on_separate_thread(dump_to_filesystem: bool = True, server_start_delay_sec: float = 0.0,
                                    poll_server: bool = False, blocking: bool = True
                                    ) -> tuple[int, str, str | None, threading.Thread, DebugServer]:
    """Runs a server in a thread of its own.

    Args:
        dump_to_filesystem: whether it keeps dumps in a temporary directory, and not in memory.
        server_start_delay_sec: how long it waits before it listens.
        poll_server: whether to return when it listens.
        blocking: whether the thread lives as long as the server runs.

    Returns:
        The port, the URL, the directory, the thread and the server.
    """
    with socket.socket() as found:
        found.bind(("localhost", 0))
        port = found.getsockname()[1]
    folder = tempfile.mkdtemp() if dump_to_filesystem else None
    server = DebugServer(port, folder)

    def run() -> None:
        time.sleep(server_start_delay_sec)
        server.run_server(blocking)

    thread = threading.Thread(target=run)
    thread.start()
    while poll_server and server._server is None:
        time.sleep(0.01)
    return port, f"{SCHEME}localhost:{port}", folder, thread, server

"""The server: its models, the ports that it listens at, and its end."""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
import tempfile
from collections.abc import Callable
from typing import Any

import uvloop

from evergraph.serving import grpc_server
from evergraph.serving.access import AccessLog, bears
from evergraph.serving.asking import Asking
from evergraph.serving.changes import POLL, Changes
from evergraph.serving.core import Core
from evergraph.serving.grpc_server import GrpcOptions
from evergraph.serving.grpc_services import Services
from evergraph.serving.http import Connection, Listener, Request
from evergraph.serving.json_text import written
from evergraph.serving.kserve import HEALTH, KServe
from evergraph.serving.metrics import exposition, summed
from evergraph.serving.models import Poller
from evergraph.serving.options import Options, sources_of_options
from evergraph.serving.page import pages
from evergraph.serving.rest import Rest

CORS = ("Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET\r\n"
        "Access-Control-Allow-Headers: Content-Type, Authorization\r\n")  # fmt: skip
LINGER = 1.0  # seconds after SIGTERM in which connections without a request may still bring one
_LAST_SECONDS = 1.0  # that runs nobody waits for have to end in
SWEEP = 1.0  # seconds between looks for slow clients


class Server:
    """Serves models until it is told to end.

    Attributes:
        core: the models.
        rest_port, grpc_port: where it listens, once it has started; None for nowhere.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.core = Core(sources_of_options(options), options.loading, options.batching, options.threads,
                         options.timeout, options.warms_up)  # fmt: skip
        self.rest_port: int | None = None
        self.grpc_port: int | None = None
        self._changes = Changes(self.core, options)
        self._end: asyncio.Event | None = None
        self._loop: Any = None
        self._is_ending = False
        self._log: AccessLog | None = None
        self._pages = pages(self.core)

    @property
    def names(self) -> list[str]:
        """Those of the models."""
        return list(self.core.models.by_name)

    def run(self, handles_signals: bool = True, when_started: Callable[[], Any] = lambda: None) -> bool:
        """Loads the models, listens, and returns after SIGTERM, SIGINT or `stop`, when all requests are answered.

        Returns whether all runs of models have ended, too: one in a program of XLA cannot be interrupted.

        Args:
            handles_signals: whether to wait for the signals; only the main thread can.
            when_started: called as soon as it listens.
        """
        self.core.models.update()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve(handles_signals, when_started))
        return self.core.close(_LAST_SECONDS)

    def stop(self) -> None:
        """Has `run` end; may be called in any thread."""
        if self._loop is not None and self._end is not None:
            self._loop.call_soon_threadsafe(self._end.set)

    async def _serve(self, handles_signals: bool, when_started: Callable[[], Any]) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT) if handles_signals else ():
            self._loop.add_signal_handler(number, self._end.set)
        self._log = AccessLog(self._options.access_log) if self._options.access_log is not None else None
        rest = await self._listen()
        grpc_server = self._start_grpc()
        poller = Poller(self._changes.look, POLL) if self._changes.is_needed else None
        when_started()
        try:
            await self._end.wait()
        finally:
            self._is_ending = True
            stopped = grpc_server.stop(self._options.grace) if grpc_server is not None else None
            if rest is not None:
                await self._end_connections(*rest)
            if stopped is not None:
                await self._loop.run_in_executor(None, stopped.wait)
            if poller is not None:
                await self._loop.run_in_executor(None, poller.close)
            if self._log is not None:
                self._log.close()

    # ---- listening

    async def _listen(self) -> tuple[Any, Listener] | None:
        options = self._options
        if options.rest_port is None:
            return None
        asking = Asking(self.core, self._loop, options.timeout)
        rest, kserve = Rest(self.core, asking), KServe(self.core, asking, lambda: self.is_ready)
        log = self._log.of_http if self._log is not None else None
        listener = Listener(self._router(rest, kserve), options.limits, CORS if options.cors else "", log)
        context = tls_context(options.tls) if options.tls is not None else None
        place = bound(options.host, options.rest_port, options.shared is not None)
        server = await self._loop.create_server(lambda: Connection(listener), sock=place, backlog=1024, ssl=context)
        self.rest_port = server.sockets[0].getsockname()[1]
        self._loop.call_later(SWEEP, self._sweep, listener)
        return server, listener

    def _sweep(self, listener: Listener) -> None:
        listener.sweep()
        self._loop.call_later(SWEEP, self._sweep, listener)

    def _start_grpc(self) -> Any:
        options = self._options
        if options.grpc_port is None:
            return None
        services = Services(self.core, self._changes.reload)
        server, self.grpc_port = grpc_server.start(services, self.core, lambda: self.is_ready, GrpcOptions(
            f"{options.host}:{options.grpc_port}", options.shared is not None, options.threads, options.limits.body,
            options.token, options.tls), self._log)  # fmt: skip
        return server

    async def _end_connections(self, server: Any, listener: Listener) -> None:
        """Closes connections as soon as they have no request; after the grace, the rest of them."""
        server.close()
        listener.is_ending = True
        until = self._loop.time() + self._options.grace
        await asyncio.sleep(min(LINGER, self._options.grace) if listener.connections else 0)
        listener.end()
        while listener.connections and self._loop.time() < until:
            await asyncio.sleep(0.02)

    # ---- requests

    def _router(self, rest: Rest, kserve: KServe) -> Callable[[Request, Connection], None]:
        """Finds who handles a request."""
        token = self._options.token

        def handle(request: Request, connection: Connection) -> None:
            path, is_get = request.path, request.method == "GET"
            if token is not None and path != "/" and not path.startswith(HEALTH) and not bears(
                    request.headers.get(b"authorization", b"").decode("latin-1"), token):  # fmt: skip
                connection.reply(401, written({"error": "The request bears no valid token"}),
                                 extra="WWW-Authenticate: Bearer\r\n")  # fmt: skip
            elif path.startswith("/v1/models") and request.method in ("GET", "POST"):
                rest.handle(request, connection)
            elif path == "/v2" or path.startswith("/v2/"):
                kserve.handle(request, connection)
            elif is_get and path == self._options.metrics_path:
                text = exposition(summed([self.core.snapshot(), *self._changes.snapshots_of_others()]))
                connection.reply(200, text.encode(), "text/plain; version=0.0.4")
            elif request.method == "OPTIONS" and self._options.cors:
                connection.reply(200, b"")
            elif is_get and path in self._pages:
                connection.reply(200, *self._pages[path]())
            else:
                connection.reply(404, written({"error": f"Not Found: {request.method} {path}"}))

        return handle

    @property
    def is_ready(self) -> bool:
        """Whether requests are welcome: every model has a version, and the end has not begun."""
        return self.core.models.are_ready and not self._is_ending


def bound(host: str, port: int, is_shared: bool) -> socket.socket:
    """A socket at an address, which several processes may share.

    Raises:
        OSError: the port is taken.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, is_shared)
    try:
        found.bind(address)
    except OSError:
        found.close()
        raise
    return found


def tls_context(tls: tuple[bytes, bytes, bytes | None]) -> ssl.SSLContext:
    """What a listener needs for TLS."""
    key, certificate, clients = tls
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with tempfile.NamedTemporaryFile() as file:  # Python's ssl reads files alone; others cannot read this one
        file.write(certificate + b"\n" + key)
        file.flush()
        context.load_cert_chain(file.name)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=clients.decode())
    return context



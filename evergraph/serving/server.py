"""The server: its models, the ports that it listens at, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Any

import uvloop

from evergraph.base.sockets import bound, bound_path
from evergraph.serving import http2
from evergraph.serving.access import AccessLog, bears
from evergraph.serving.asking import Asking
from evergraph.serving.changes import POLL, Changes
from evergraph.serving.core import Core
from evergraph.serving.grpc_server import Grpc
from evergraph.serving.grpc_services import Services
from evergraph.serving.http import Connection, HttpListener, Request
from evergraph.serving.json_text import written
from evergraph.serving.kserve import HEALTH, KServe
from evergraph.serving.listening import Listener, tls_context
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
        asking = Asking(self.core, self._loop, self._options.timeout)
        ports = [await self._listen_rest(asking), await self._listen_grpc(asking)]
        self._sweep([listener for _, listener in ports])
        poller = Poller(self._changes.look, POLL) if self._changes.is_needed else None
        when_started()
        try:
            await self._end.wait()
        finally:
            self._is_ending = True
            await asyncio.gather(*[self._end_connections(*port) for port in ports])
            if self._options.grpc_path is not None:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._options.grpc_path)
            if poller is not None:
                await self._loop.run_in_executor(None, poller.close)
            if self._log is not None:
                self._log.close()

    # ---- listening

    async def _listen_rest(self, asking: Asking) -> tuple[list[Any], Listener]:
        """(what listens, what its connections share)."""
        options = self._options
        rest, kserve = Rest(self.core, asking), KServe(self.core, asking, lambda: self.is_ready)
        log = self._log.of_http if self._log is not None else None
        listener = HttpListener(self._router(rest, kserve), options.limits, CORS if options.cors else "", log)
        places = self._places(options.rest_port, None)
        if places:
            self.rest_port = places[0].getsockname()[1]
        return await self._listen(places, lambda: Connection(listener), "http/1.1"), listener

    async def _listen_grpc(self, asking: Asking) -> tuple[list[Any], Listener]:
        options = self._options
        services = Services(self.core, self._changes.reload)
        listener = http2.Http2Listener(Grpc(services, self.core, asking, lambda: self.is_ready, options.limits.body,
                                            options.token, self._log), options.limits)  # fmt: skip
        places = self._places(options.grpc_port, options.grpc_path)
        if options.grpc_port is not None:
            self.grpc_port = places[0].getsockname()[1]
        return await self._listen(places, lambda: http2.Connection(listener), "h2"), listener

    def _places(self, port: int | None, path: str | None) -> list[socket.socket]:
        options, found = self._options, []
        if port is not None:
            found.append(bound(options.host, port, options.shared is not None))
        if path is not None:
            found.append(bound_path(path))
        return found

    async def _listen(
        self, places: Sequence[socket.socket], make: Callable[[], asyncio.Protocol], protocol: str
    ) -> list[Any]:
        context = tls_context(self._options.tls, [protocol]) if self._options.tls is not None else None
        start = {socket.AF_UNIX: self._loop.create_unix_server}
        return [await start.get(place.family, self._loop.create_server)(make, sock=place, backlog=1024, ssl=context)
                for place in places]  # fmt: skip

    def _sweep(self, listeners: Sequence[Listener]) -> None:
        for listener in listeners:
            listener.sweep()
        self._loop.call_later(SWEEP, self._sweep, listeners)

    async def _end_connections(self, servers: Sequence[Any], listener: Listener) -> None:
        """Closes connections as soon as they have no request; after the grace, the rest of them."""
        for server in servers:
            server.close()
        listener.begin_end()
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

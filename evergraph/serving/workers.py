"""Runs a server in this process, or in several that share its ports: one that dies is replaced."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base import logging
from evergraph.base.sockets import bound
from evergraph.serving.options import Options, sources_of_options
from evergraph.serving.server import Server

QUICK_SECONDS = 5.0  # a worker that ends sooner has not served
MOST_QUICK_ENDS = 5  # in a row, before the server gives up
_ENDING = (signal.SIGTERM, signal.SIGINT)


def serve(options: Options, workers: int) -> int:
    """Serves until SIGTERM or SIGINT; returns the exit status.

    Raises:
        ValueError: there cannot be so many workers.
        OSError: a port is taken.
    """
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    if workers > 1 and options.grpc_path is not None:
        raise ValueError("only one process can listen at --grpc_socket_path: leave it out, or use one worker")
    if workers == 1:
        server = Server(options)
        has_ended = server.run(when_started=lambda: _tell(server.names, server.rest_port, server.grpc_port, options))
        if not has_ended:
            logging.error("A model still runs, though nobody waits for it any more: the server ends without it")
            sys.stderr.flush()
            os._exit(1)  # a thread that never ends would be waited for
        return 0
    return Workers(options, workers).run()


def _tell(names: Sequence[str], rest_port: int | None, grpc_port: int | None, options: Options) -> None:
    scheme = "https" if options.tls is not None else "http"
    host = f"[{options.host}]" if ":" in options.host else options.host
    places = [f"{scheme}://{host}:{rest_port}"] * (rest_port is not None)
    places += [f"grpc://{host}:{grpc_port}"] * (grpc_port is not None)
    places += [f"unix:{options.grpc_path}"] * (options.grpc_path is not None)
    print(f"serving {', '.join(names) or 'nothing'} at {' and '.join(places)}", flush=True)


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Has the signals to end come after the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers:
    """The processes that serve, and the parent of them, which only watches.

    Args:
        options: those of each server.
        count: how many there are.
    """

    def __init__(self, options: Options, count: int) -> None:
        self._count = count
        self._names = [source.name for source in sources_of_options(options)]
        self._folder = tempfile.mkdtemp(prefix="evergraph-serve-")
        # Bound here and never listened at: the ports stay ours while a worker is replaced.
        self._held = [bound(options.host, port, is_shared=True) if port is not None else None
                      for port in (options.rest_port, options.grpc_port)]  # fmt: skip
        ports = [held.getsockname()[1] if held is not None else None for held in self._held]
        self._options = dataclasses.replace(options, rest_port=ports[0], grpc_port=ports[1], shared=self._folder)
        self._running: dict[int, tuple[int, float]] = {}  # process -> (its place, when it began)
        self._quick_ends = 0
        self._ends = False

    def run(self) -> int:
        """Keeps the workers running; returns the exit status after SIGTERM or SIGINT."""
        for number in _ENDING:
            signal.signal(number, self._end)
        ready, tell = os.pipe()
        try:
            for place in range(self._count):
                self._start(place, tell)
            os.close(tell)
            if len(self._read(ready)) == self._count:
                _tell(self._names, self._options.rest_port, self._options.grpc_port, self._options)
            return self._watch()
        finally:
            os.close(ready)
            for held in self._held:
                if held is not None:
                    held.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _read(self, ready: int) -> bytes:
        """What the first workers say when they serve: a byte each, unless one dies before."""
        said = b""
        while len(said) < self._count and (more := os.read(ready, self._count)):
            said += more
        return said

    def _start(self, place: int, tell: int | None) -> None:
        with _signals_wait():  # the parent knows the worker, and the worker no handler of the parent's, when one comes
            if self._ends:
                return
            process = os.fork()
            if process:
                self._running[process] = place, time.monotonic()
                return
            for number in _ENDING:
                signal.signal(number, signal.SIG_DFL)
        status = 1
        try:
            self._work(place, tell)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)  # what the parent has to do at its end is not done here, too

    def _work(self, place: int, tell: int | None) -> None:
        def told() -> None:
            if tell is not None:
                os.write(tell, b"1")
                os.close(tell)  # the parent reads until all have written, or died

        Server(dataclasses.replace(self._options, worker=place)).run(when_started=told)

    def _watch(self) -> int:
        """Replaces workers that end, until all are told to."""
        while self._running:
            try:
                process, status = os.wait()
            except InterruptedError:
                continue
            place, began = self._running.pop(process)
            if self._ends:
                continue
            self._quick_ends = self._quick_ends + 1 if time.monotonic() - began < QUICK_SECONDS else 0
            if self._quick_ends >= MOST_QUICK_ENDS:
                logging.error("Workers end as soon as they begin: the server gives up")
                self._end()
                return self._watch() or 1
            logging.warning(f"Worker {place} has ended with {os.waitstatus_to_exitcode(status)}: another one begins")
            self._start(place, None)
        return 0

    def _end(self, *_: Any) -> None:
        """Tells all workers to end."""
        self._ends = True
        for process in list(self._running):
            os.kill(process, signal.SIGTERM)

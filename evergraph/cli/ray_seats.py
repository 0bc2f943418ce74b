"""Tasks of `evergraph launch --on ray`: each in an actor of a Ray cluster, which Ray places on one of its machines.

An actor says where its machine is reached, runs the program of its task in a process of its own, and hands on what that
prints. When the machine or the actor is lost, the task gets another actor.
"""

from __future__ import annotations

import logging
import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import ray
from ray.exceptions import RayError

from evergraph.cli.seats import LocalProcess, free_port, own_variables

_GLANCE_SECONDS = 0.2  # for which an actor waits for something to be printed
_LOST = -9  # the status of a task whose actor is gone
_PLACING_SECONDS = 300.0  # that Ray has to find room for a task


class Seat:
    """What an actor does; one thread of it serves all calls, and so a task ends with its actor."""

    def __init__(self) -> None:
        self._process: LocalProcess | None = None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def place(self) -> tuple[str, int]:
        """The address of the machine, and a free port of it."""
        return ray.util.get_node_ip_address(), free_port()

    def start(self, words: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
        """Runs Python in a folder."""
        os.chdir(folder)
        self._process, self._lines = LocalProcess(words, environment), queue.SimpleQueue()
        threading.Thread(target=self._gather, args=(self._process, self._lines), daemon=True).start()

    @staticmethod
    def _gather(process: LocalProcess, lines: queue.SimpleQueue[bytes | None]) -> None:
        for line in process.lines():
            lines.put(line)
        lines.put(None)

    def said(self) -> tuple[list[bytes], int | None]:
        """(what was printed since, the exit status if the process has ended)."""
        found: list[bytes] = []
        assert self._process is not None
        try:
            while len(found) < 1000:
                line = self._lines.get(timeout=0 if found else _GLANCE_SECONDS)
                if line is None:
                    return found, self._process.wait()
                found.append(line)
        except queue.Empty:
            pass
        return found, None

    def tell(self, number: int) -> None:
        if self._process is not None:
            self._process.tell(number)


class RayCluster:
    """The Ray cluster of RAY_ADDRESS, or that of this machine; see `Machine`.

    Args:
        gpus: of each task that is no parameter server.

    Raises:
        ConnectionError: no cluster runs.
    """

    def __init__(self, gpus: int = 0) -> None:
        ray.init(address="auto", log_to_driver=False, logging_level=logging.WARNING)
        self._gpus = gpus
        self._seats: dict[tuple[str, int], Any] = {}
        self._addresses: dict[tuple[str, int], tuple[str, int]] = {}

    def address(self, job: str, number: int) -> str:
        """See `Machine.address`. A task that is still on the machine where it was keeps its port."""
        key = job, number
        host, port = self._placed(key)
        before = self._addresses.get(key)
        if before is None or before[0] != host:
            self._addresses[key] = host, port
        return "{}:{}".format(*self._addresses[key])

    def _placed(self, key: tuple[str, int]) -> tuple[str, int]:
        """Where the actor of a task is; it gets another one if it has none any more.

        Raises:
            ConnectionError: no machine has room for it.
        """
        if key in self._seats:
            try:
                return ray.get(self._seats[key].place.remote(), timeout=_PLACING_SECONDS)
            except RayError:
                del self._seats[key]
        gpus = 0 if key[0] == "ps" else self._gpus
        seat = ray.remote(Seat).options(num_cpus=1, num_gpus=gpus, scheduling_strategy="SPREAD").remote()
        self._seats[key] = seat
        try:
            return ray.get(seat.place.remote(), timeout=_PLACING_SECONDS)
        except RayError as error:
            raise ConnectionError(f"Ray has no place for {key[0]} {key[1]}: {error}") from None

    def started(self, job: str, number: int, words: Sequence[str], environment: Mapping[str, str]) -> RayProcess:
        """See `Machine.started`."""
        key = job, number
        if key not in self._seats:
            self._placed(key)
        return RayProcess(self._seats[key], words, {**own_variables(), **environment})

    def __enter__(self) -> RayCluster:
        return self

    def __exit__(self, *error: object) -> None:
        for seat in self._seats.values():
            ray.kill(seat)
        ray.shutdown()


class RayProcess:
    """A task in an actor; see `Running`. One that cannot be started there has ended."""

    def __init__(self, seat: Any, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._seat, self._code, self._has_ended = seat, _LOST, threading.Event()
        self._started = seat.start.remote(list(words), dict(environment), os.getcwd())

    def lines(self) -> Iterator[bytes]:
        """See `Running.lines`."""
        try:
            ray.get(self._started)
            code = None
            while code is None:
                lines, code = ray.get(self._seat.said.remote())
                yield from lines
            self._code = code
        except (RayError, OSError) as error:
            yield f"lost: {error}".splitlines()[0].encode()
        finally:
            self._has_ended.set()

    def wait(self, timeout: float | None = None) -> int:
        """See `Running.wait`."""
        if not self._has_ended.wait(timeout):
            raise subprocess.TimeoutExpired("evergraph run", timeout or 0.0)
        return self._code

    def tell(self, number: int) -> None:
        """See `Running.tell`."""
        self._seat.tell.remote(number)

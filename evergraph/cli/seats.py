"""Where the tasks of `evergraph launch` run: processes of this machine, or whatever else offers the same verbs."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from evergraph.cluster.local_cluster import free_ports

_PR_SET_PDEATHSIG = 1


class Running(Protocol):
    """A task that runs."""

    def lines(self) -> Iterator[bytes]:
        """What it prints, until it ends."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status; negative for a signal. Raises subprocess.TimeoutExpired."""

    def tell(self, number: int) -> None:
        """Sends a signal to it and to what it has started, whether or not it has ended itself."""


class Machine(Protocol):
    """What tasks run on, from its beginning to the end of a with-block."""

    def address(self, job: str, number: int) -> str:
        """Where others reach a task when it is started next."""

    def started(self, job: str, number: int, words: Sequence[str], environment: Mapping[str, str]) -> Running:
        """Starts Python with some words for a task, and more of the environment."""

    def __enter__(self) -> Machine: ...
    def __exit__(self, *error: object) -> None: ...


class ThisMachine:
    """The machine on which this process runs; tasks are at free ports of its loopback interface."""

    def __init__(self) -> None:
        self._addresses: dict[tuple[str, int], str] = {}
        self._ports: list[int] = []

    def address(self, job: str, number: int) -> str:
        """See `Machine.address`."""
        if (job, number) not in self._addresses:
            self._addresses[job, number] = f"localhost:{self._free_port()}"
        return self._addresses[job, number]

    def _free_port(self) -> int:
        """A port that was given to no other task."""
        self._ports.append(next(port for port in free_ports(len(self._ports) + 1) if port not in self._ports))
        return self._ports[-1]

    def started(self, job: str, number: int, words: Sequence[str], environment: Mapping[str, str]) -> Running:
        """See `Machine.started`."""
        return LocalProcess(words, environment)

    def __enter__(self) -> ThisMachine:
        return self

    def __exit__(self, *error: object) -> None:
        """Tasks have ended already."""


class LocalProcess:
    """A task in a process of this machine, which ends with the thread that has started it.

    Args:
        words: of the command, after that of Python.
        environment: more of it.
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, env={**os.environ, **environment}, preexec_fn=_end_with_parent)

    def lines(self) -> Iterator[bytes]:
        """See `Running.lines`."""
        assert self._popen.stdout is not None
        with self._popen.stdout:
            yield from self._popen.stdout

    def wait(self, timeout: float | None = None) -> int:
        """See `Running.wait`."""
        return self._popen.wait(timeout)

    def tell(self, number: int) -> None:
        """See `Running.tell`."""
        try:
            os.killpg(self._popen.pid, number)
        except (ProcessLookupError, PermissionError):
            return


def _end_with_parent() -> None:
    """Has the system end this process when the one that started it ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port() -> int:
    """A port that nobody uses."""
    return free_ports(1)[0]


def own_variables() -> dict[str, Any]:
    """The part of this process's environment that programs on other machines need, too."""
    heads = ("EVERGRAPH_", "TF_", "JAX_", "XLA_", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if name.startswith(heads)}

"""The other tasks of a server's cluster, in other processes: asked for their devices, given parts of steps to run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors, logging
from evergraph.cluster import frames
from evergraph.cluster.calls import Call, Caller
from evergraph.cluster.client import PATIENCE
from evergraph.cluster.parts import Built
from evergraph.cluster.pipes import PipeCall, Pipes
from evergraph.cluster.step import ClusterStep
from evergraph.graph.graphdef import graph_bytes
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.half_precision import MixedPrecision
from evergraph.run.servers import Connection

SERVICE = "evergraph.TaskService"
_ANSWER_SECONDS = 5.0  # that a task has to forget something in
_SIGN_SECONDS = 10.0  # that a task has for a sign of life


class Peers:
    """Reaches the tasks of a server's cluster; see `Beyond`.

    Args:
        name: the server's task, such as "/job:worker/task:1".
        incarnation: the number of this start of the server.
    """

    def __init__(self, name: str, incarnation: int) -> None:
        self._name, self._incarnation = name, incarnation
        self._peers: dict[str, Peer] = {}
        self._lock = threading.Lock()

    def peer(self, address: str, who: str = "a task") -> Peer:
        with self._lock:
            found = self._peers.get(address)
            if found is None:
                found = self._peers[address] = Peer(Caller(address, who), self._name, self._incarnation)
            return found

    def devices(self, job: str, number: int, address: str, timeout: float | None) -> Sequence[str]:
        """See `Beyond.devices`."""
        return self.peer(address, f"/job:{job}/task:{number}").greet(timeout or PATIENCE)

    def executor(self, connection: Connection, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor],
                 tier: str | None, mixed: MixedPrecision | None, done: Collection[str]) -> ClusterStep:
        """See `Beyond.executor`."""
        return ClusterStep(self.peer, connection, fetches, feeds, tier, mixed, done)

    def close(self, connection: Connection) -> None:
        """See `Beyond.close`. A task that is gone has nothing left to end."""
        self._tell("Forget", {"session": connection.number})

    def reset(self, addresses: Collection[str], containers: Sequence[str]) -> None:
        """Has other tasks forget the values of some containers, or of all. One that is not there has none."""
        for address in addresses:
            self.peer(address)
        self._tell("Reset", {"containers": list(containers)})

    def _tell(self, method: str, fields: dict[str, Any]) -> None:
        calls = [peer.start(method, fields, (), _ANSWER_SECONDS) for peer in list(self._peers.values())]
        for call in calls:
            try:
                call.answer()
            except (errors.UnavailableError, errors.DeadlineExceededError, errors.CancelledError) as error:
                logging.debug(f"{method}: {error.message}")


class Peer:
    """A task in another process, of one start of it: after another start, calls are refused until it is greeted again.

    Args:
        caller: calls it.
        name: of the task that calls.
        incarnation: of that.
    """

    def __init__(self, caller: Caller, name: str, incarnation: int) -> None:
        self._caller, self._me = caller, {"from": name, "incarnation": incarnation}
        self.incarnation, self._pipes = 0, None  # type: int, Pipes | None

    @property
    def who(self) -> str:
        return self._caller.who

    def start(self, method: str, fields: dict[str, Any], arrays: Sequence[Any] = (),
              timeout: float | None = None, waits: bool = False) -> Call:
        frame = frames.packed({**self._me, **fields}, arrays)
        return self._caller.start(f"/{SERVICE}/{method}", frame, timeout, waits)

    def greet(self, timeout: float) -> list[str]:
        """Waits for the task to be there; returns the names of its devices.

        Raises:
            DeadlineExceededError: it is not there in time.
        """
        fields, _ = frames.unpacked(self.start("Greet", {}, (), timeout, waits=True).answer())
        if fields["incarnation"] != self.incarnation:
            self.incarnation = fields["incarnation"]
            self._connect(fields["port"])
        return fields["devices"]

    def _connect(self, port: int) -> None:
        """Opens links for steps, or, where only calls by gRPC get through or have TLS, does without."""
        if self._pipes is not None:
            self._pipes.close()
        self._pipes = None
        with contextlib.suppress(OSError, errors.UnimplementedError):
            host = self._caller.address.rpartition(":")[0]
            self._pipes = Pipes(f"{host}:{port}", self.who, self._ask)

    def _ask(self) -> None:
        """Raises UnavailableError if the task gives no sign of life."""
        try:
            self.start("Greet", {}, (), _SIGN_SECONDS).answer()
        except errors.DeadlineExceededError as error:
            raise errors.UnavailableError(None, None, error.message) from None

    def run(self, fields: dict[str, Any], arrays: Sequence[Any], timeout: float | None) -> Call | PipeCall:
        """Has the task run a part of a step."""
        if self._pipes is None:
            return self.start("Run", fields, arrays, timeout)
        return self._pipes.start(frames.parts({**self._me, **fields}, arrays), timeout)

    def register(self, connection: Connection, built: Built, tier: str | None) -> RemotePart:
        """Has the task keep a part of a step.

        Raises:
            UnavailableError: the task is gone.
            AbortedError: it has been started again.
        """
        fields = {
            "session": connection.number, "isolated": connection.is_isolated, "to": self.incarnation, "tier": tier,
            "feeds": [t.name for t in built.feeds], "fetches": [t.name for t in built.fetches],
            "targets": [node.name for node in built.targets],
        }  # fmt: skip
        config = b"" if connection.config is None else connection.config.SerializeToString()
        contents = [np.frombuffer(content, np.uint8) for content in (graph_bytes(built.graph), config)]
        answer, _ = frames.unpacked(self.start("Register", fields, contents).answer())
        return RemotePart(self, answer["part"], self.incarnation)


class RemotePart:
    """A part of a step that a task in another process keeps."""

    def __init__(self, peer: Peer, number: int, incarnation: int) -> None:
        self._peer, self._number, self._incarnation = peer, number, incarnation

    def start(self, values: Sequence[Any], timeout: float | None, options: Any = None) -> Call | PipeCall:
        """Sends it the values of its feeds, and a tf.RunOptions if there is one."""
        fields: dict[str, Any] = {"part": self._number, "to": self._incarnation}
        if options is not None:
            fields["has_options"] = True
            values = [np.frombuffer(options.SerializeToString(), np.uint8), *values]
        return self._peer.run(fields, values, timeout)

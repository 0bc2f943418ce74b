"""tf.train.Server: a task of a cluster, whose variables all sessions with its target share."""

from __future__ import annotations

import random
import threading
import weakref
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.sockets import MOST_PORT
from evergraph.cluster import master, peers
from evergraph.cluster.calls import Listener
from evergraph.cluster.links import interface_of
from evergraph.cluster.pipes import Reception
from evergraph.cluster.task_service import TaskService
from evergraph.run import servers
from evergraph.train.cluster import ClusterSpec


@export("train.Server", "distribute.Server")
class Server:
    """A task of a cluster. Sessions that are given its `target`, in any process, share what it keeps.

    >>> server = tf.train.Server.create_local_server()
    >>> counter = tf.Variable(1.0, name="shared_counter")
    >>> with tf.Session(server.target) as session:
    ...     session.run(counter.initializer)
    >>> with tf.Session(server.target) as session:
    ...     session.run(counter)
    1.0

    A session of one task uses the others, in this process and in others, for the nodes that are placed there. The
    server listens at the loopback interface if the cluster calls it localhost, and otherwise at all of the machine's
    (see docs/clusters.md for what that means).

    Args:
        server_or_cluster_def: a ServerDef, or a cluster as tf.train.ClusterSpec takes it.
        job_name: this task's job; that of the ServerDef, or the only one, by default.
        task_index: its number in the job; that of the ServerDef, or the only one, by default.
        protocol: "grpc", the default, is the only one.
        config: the tf.ConfigProto that `server_def` names for sessions without one of their own.
        start: whether sessions can use it at once.

    Raises:
        ValueError: the cluster has several jobs or tasks and none is named.
        InvalidArgumentError: the address of the task has no port.
        UnknownError: the port is in use.
        UnimplementedError: another protocol.
    """

    def __init__(self, server_or_cluster_def: Any, job_name: str | None = None, task_index: int | None = None,
                 protocol: str | None = None, config: Any = None, start: bool = True) -> None:
        self._server_def = _server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        if self._server_def.protocol != "grpc":
            raise errors.UnimplementedError(None, None, f"a server with the protocol {self._server_def.protocol!r}")
        cluster = ClusterSpec(self._server_def.cluster)
        job, number = self._server_def.job_name, self._server_def.task_index
        host, port = _taken_apart(cluster.task_address(job, number))
        interface = interface_of(host)
        jobs = {name: {n: cluster.task_address(name, n) for n in cluster.task_indices(name)} for name in cluster.jobs}
        self._task = task = servers.Task("", jobs, lambda: None)
        defaults, incarnation = self._server_def.default_session_config.SerializeToString(), random.getrandbits(63)
        service = TaskService(task, f"/job:{job}/replica:0/task:{number}", incarnation)
        self._listener = Listener(f"[{interface}]:{port}" if ":" in interface else f"{interface}:{port}", {
            master.SERVICE: master.Master(task, incarnation, defaults).methods(),
            peers.SERVICE: service.methods(),
        })  # fmt: skip
        self._reception = Reception(interface, service.answer)
        service.port = self._reception.port
        task.beyond = peers.Peers(f"/job:{job}/task:{number}", incarnation)
        task.stop = self._stop
        if defaults:
            task.config = self._server_def.default_session_config
        task.address = jobs[job][number] = f"{host}:{self._listener.port}"
        if start:
            self.start()
        else:
            weakref.finalize(self, servers.leave, self._task)

    @property
    def server_def(self) -> Any:
        """The ServerDef that describes this server."""
        return self._server_def

    @property
    def target(self) -> str:
        """What a tf.Session takes to use this server."""
        return self._task.target

    def start(self) -> None:
        """Lets sessions use the server."""
        if not servers.is_served(self._task.address):
            self._listener.start()
            self._reception.start()
            servers.serve(self._task)

    def _stop(self) -> None:
        self._listener.stop()
        self._reception.stop()

    def join(self) -> None:
        """Waits for the server to stop, which it never does: it ends with the process."""
        threading.Event().wait()

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own, with one task, at a free port.

        Args:
            config: as for the class.
            start: as for the class.
        """
        return Server({"local": ["localhost:0"]}, config=config, start=start)


def _server_def(given: Any, job_name: str | None, task_index: int | None, protocol: str | None, config: Any) -> Any:
    message = proto.tensorflow_server_pb2.ServerDef()
    if isinstance(given, proto.tensorflow_server_pb2.ServerDef):
        message.CopyFrom(given)
        message.job_name = message.job_name if job_name is None else job_name
        message.task_index = message.task_index if task_index is None else task_index
    else:
        cluster = ClusterSpec(given)
        message.cluster.CopyFrom(cluster.as_cluster_def())
        message.job_name = _only("job_name", cluster.jobs) if job_name is None else job_name
        indices = cluster.task_indices(message.job_name)
        message.task_index = _only("task_index", indices) if task_index is None else task_index
    message.protocol = protocol or message.protocol or "grpc"
    if config is not None:
        message.default_session_config.MergeFrom(config)
    return message


def _only(name: str, choices: list[Any]) -> Any:
    if len(choices) != 1:
        raise ValueError(f"{name} must say which of {choices} this server is")
    return choices[0]


def _taken_apart(address: str) -> tuple[str, int]:
    """The host and the port of an address; the system chooses for port 0."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or int(port) > MOST_PORT:
        raise errors.InvalidArgumentError(
            None, None, f"the address {address!r} of the server has no port, which is a number up to {MOST_PORT}")
    return host, int(port)


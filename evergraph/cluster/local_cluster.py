"""tf.test.create_local_cluster: workers and parameter servers in this process."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from evergraph.base.export import export
from evergraph.cluster.server import Server


@export("test.create_local_cluster")
def create_local_cluster(num_workers: int, num_ps: int, protocol: str = "grpc", worker_config: Any = None,
                         ps_config: Any = None) -> tuple[list[Server], list[Server]]:
    """Starts the servers of a cluster in this process.

    >>> workers, ps = tf.test.create_local_cluster(num_workers=2, num_ps=1)
    >>> [worker.server_def.task_index for worker in workers]
    [0, 1]

    Args:
        num_workers: the number of tasks of the job "worker".
        num_ps: the number of tasks of the job "ps".
        protocol: "grpc" is the only one.
        worker_config: the tf.ConfigProto of workers.
        ps_config: the tf.ConfigProto of parameter servers.

    Returns:
        (workers, parameter servers): lists of tf.train.Server.
    """
    addresses = [f"localhost:{port}" for port in free_ports(num_workers + num_ps)]
    cluster = {"worker": addresses[:num_workers], "ps": addresses[num_workers:]}
    return tuple([Server(cluster, job, number, protocol, config) for number in range(len(cluster[job]))]
                 for job, config in (("worker", worker_config), ("ps", ps_config)))


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses, all different: they are held until all are found."""
    with contextlib.ExitStack() as held:
        found = []
        for _ in range(count):
            each = held.enter_context(socket.socket())
            each.bind(("localhost", 0))
            found.append(each.getsockname()[1])
        return found

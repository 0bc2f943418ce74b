"""Strategies for several workers, of which this process is the only one."""
from __future__ import annotations

import enum
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.distribute.cluster_roles import normalized
from evergraph.distribute.mirrored import MirroredExtended, gpus
from evergraph.distribute.reductions import CrossDeviceOps
from evergraph.distribute.resolvers import TFConfigClusterResolver
from evergraph.distribute.strategy import Strategy
from evergraph.train.cluster import ClusterSpec


@export("distribute.experimental.CollectiveCommunication")
class CollectiveCommunication(enum.Enum):
    """By which library workers add up their gradients; one process needs none."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class MultiWorkerExtended(MirroredExtended):
    """The devices of this process, which is all there is of the cluster."""

    def __init__(self, container_strategy: Any, devices: Any = None) -> None:
        super().__init__(container_strategy, devices)
        _check_alone(TFConfigClusterResolver().cluster_spec())

    def _configure(self, cluster_spec: Any, task_type: str | None, task_id: int | None) -> None:
        if cluster_spec:
            _check_alone(normalized(cluster_spec))


def _check_alone(cluster_spec: ClusterSpec) -> None:
    cluster = cluster_spec.as_dict()
    if sum(len(tasks) for job, tasks in cluster.items() if job in ("chief", "worker")) > 1:
        raise errors.UnimplementedError(None, None, f"a strategy for the workers of {cluster}: a process is the only "
                                        "worker of its strategy here")


def _check_communication(communication: Any) -> None:
    if not isinstance(communication, CollectiveCommunication):
        raise ValueError(f"communication must be a CollectiveCommunication, got {communication!r}")


@export("distribute.experimental.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(Strategy):
    """Data parallelism over the devices of all workers of a cluster. Without a cluster it is MirroredStrategy.

    Args:
        communication: a CollectiveCommunication, by which workers add up; the only worker does so by itself.

    Raises:
        ValueError: there is no such communication.
        UnimplementedError: TF_CONFIG names several workers.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO) -> None:
        _check_communication(communication)
        super().__init__(MultiWorkerExtended(self))


@export("contrib.distribute.CollectiveAllReduceStrategy")
class CollectiveAllReduceStrategy(Strategy):
    """MultiWorkerMirroredStrategy with the arguments of tf.contrib.

    Args:
        num_gpus_per_worker: how many GPUs compute; 0 is the CPU.
        communication: a CollectiveCommunication, by which workers add up; the only worker does so by itself.

    Raises:
        ValueError: there is no such communication.
        UnimplementedError: TF_CONFIG names several workers.
    """

    def __init__(self, num_gpus_per_worker: int = 0,
                 communication: CollectiveCommunication = CollectiveCommunication.AUTO) -> None:
        _check_communication(communication)
        super().__init__(MultiWorkerExtended(self, gpus(num_gpus_per_worker)))


@export("contrib.distribute.MultiWorkerAllReduce")
class MultiWorkerAllReduce(CrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`.

    Args:
        worker_devices: the devices of the workers; has no meaning here.
        num_gpus_per_worker: how many GPUs a worker has; has no meaning here.
        all_reduce_spec: TensorFlow's name for routes, which have no meaning here.
        num_packs, agg_small_grads_max_bytes, agg_small_grads_max_group: how TensorFlow packs gradients for the way;
            have no meaning here.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, worker_devices: Any, num_gpus_per_worker: int,
                 all_reduce_spec: Any = ("pscpu/pscpu", 2, -1), num_packs: int = 0, agg_small_grads_max_bytes: int = 0,
                 agg_small_grads_max_group: int = 10) -> None:
        if num_packs < 0:
            raise ValueError(f"num_packs must not be negative, got {num_packs}")

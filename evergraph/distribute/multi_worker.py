"""Strategies for several workers: each process computes a part of the batch, and all add up their gradients."""
from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.cluster import collectives
from evergraph.cluster.memberships import group_at
from evergraph.cluster.ring import Group
from evergraph.distribute import cluster_roles, reductions
from evergraph.distribute.contexts import require_cross_replica
from evergraph.distribute.coordinator import WorkerContext
from evergraph.distribute.input import InputContext
from evergraph.distribute.mirrored import MirroredExtended, gpus
from evergraph.distribute.reductions import CrossDeviceOps, ReduceOp
from evergraph.distribute.resolvers import TFConfigClusterResolver
from evergraph.distribute.strategy import Strategy
from evergraph.distribute.values import local_values
from evergraph.frontend import array, reduce
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.math import cast
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.train.session_run_hook import SessionRunHook


@export("distribute.experimental.CollectiveCommunication")
class CollectiveCommunication(enum.Enum):
    """By which library workers add up their gradients; here all of them mean a ring of sockets."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class MultiWorkerExtended(MirroredExtended):
    """The devices of this process, and the other workers of the cluster.

    Each worker builds the graph for itself. The workers meet at their addresses in the cluster when the first of them
    needs the others.

    Args:
        container_strategy: the strategy.
        devices: those of this process.
    """

    _meets_by_itself = True  # no server is needed
    _group: Group | None = None

    def __init__(self, container_strategy: Any, devices: Any = None) -> None:
        super().__init__(container_strategy, devices)
        resolver = TFConfigClusterResolver()
        self._join(resolver.cluster_spec(), resolver.task_type, resolver.task_id)

    def _configure(self, cluster_spec: Any, task_type: str | None, task_id: int | None) -> None:
        if cluster_spec:
            self._join(cluster_roles.normalized(cluster_spec), task_type, task_id)

    def _join(self, cluster: Any, job: str | None, number: int | None) -> None:
        """Becomes a worker among others, if the cluster has several.

        Raises:
            ValueError: the process is no task of the cluster.
        """
        tasks = [(each, n) for each in ("chief", "worker") for n in (
            cluster.task_indices(each) if each in cluster.jobs else ())]
        if len(tasks) < 2 or job == "evaluator":
            return
        if job is None or number is None:
            raise ValueError(f"a worker of {cluster.as_dict()} has to know which: TF_CONFIG has no \"task\"")
        rank = cluster_roles.id_in_cluster(cluster, job, number)
        names = [f"/job:{each}/task:{n}" for each, n in tasks]
        self._group = group_at(rank, [cluster.task_address(*task) for task in tasks], names)
        self._first_replica = rank * len(self._devices)
        self.should_checkpoint = self.should_save_summary = cluster_roles.is_chief(cluster, job, number)
        self._task = (cluster, job, number)

    @property
    def _worker_context(self) -> WorkerContext | None:  # type: ignore[override]
        return None if self._group is None else WorkerContext(self._strategy, *self._task)

    experimental_between_graph = property(lambda self: self._group is not None)
    _in_multi_worker_mode = lambda self: self._group is not None
    _workers = property(lambda self: 1 if self._group is None else self._group.size)
    _num_replicas_in_sync = property(lambda self: self._workers * len(self._devices))

    def _session_hooks(self) -> list[SessionRunHook]:
        return [] if self._group is None else [_StartEqual(self._group)]

    # ---- variables

    def _made(self, next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        if self._group is not None and "initial_value" in kwargs:
            kwargs = {**kwargs, "initial_value": self._first_ones(kwargs["initial_value"], kwargs.get("dtype"))}
        return super()._made(next_creator, kwargs)

    def _first_ones(self, value: Any, dtype: Any) -> Callable[[], Any]:
        """The initial value of a variable, which is that of the first worker for all."""
        group = self._group
        assert group is not None

        def make() -> Any:
            own = convert_to_tensor(value() if callable(value) else value, dtype)
            return collectives.broadcast(group, [own], name="FirstWorkersValue")[0]
        return make

    # ---- values

    def _across(self, value: Any, how: ReduceOp) -> Any:
        if self._group is None:
            return value
        (total,) = collectives.sum_of(self._group, [value])
        return reductions.divide(total, self._group.size) if how is ReduceOp.MEAN else total

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """See `StrategyExtended.reduce_to`. A value that is not distributed is that of this worker's replica."""
        if self._group is None:
            return super().reduce_to(reduce_op, value, destinations)
        return self.batch_reduce_to(reduce_op, [(value, destinations)])[0]

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """See `StrategyExtended.batch_reduce_to`. All values go in one message."""
        if self._group is None:
            return super().batch_reduce_to(reduce_op, value_destination_pairs)
        require_cross_replica(self._strategy)
        how = ReduceOp.of(reduce_op)
        sums = [self._summed_here(value, how) for value, _ in value_destination_pairs]
        found = collectives.sum_of(self._group, sums)
        if how is ReduceOp.MEAN:
            found = [reductions.divide(total, self._num_replicas_in_sync) for total in found]
        return [self._spread(total, destinations) for total, (_, destinations) in zip(found, value_destination_pairs)]

    def _summed_here(self, value: Any, how: ReduceOp) -> Any:
        """The sum of the values of this worker's replicas.

        Raises:
            ValueError: they are copies of one value, whose sum is asked for.
        """
        values = local_values(value)
        if isinstance(value, reductions.Mirrored) and how is ReduceOp.SUM:
            raise ValueError(f"{value} is one value, of which all replicas have copies: it has no sum over them")
        if not reductions.is_value(value) and len(self._devices) > 1:
            values = values * len(self._devices)
        with reductions.placed(self._devices[0]):
            return reductions.total(values, ReduceOp.SUM)

    def _spread(self, total: Any, destinations: Any) -> Any:
        devices = reductions.devices_of(destinations)
        if len(devices) <= 1:
            return total
        if isinstance(total, IndexedSlices):
            return reductions.Mirrored([total] * len(devices))
        return reductions.copied(total, destinations)

    def _reduced(self, how: ReduceOp, value: Any, axis: int | None) -> Any:
        if self._group is None:
            return super()._reduced(how, value, axis)
        if axis is None:
            return self.reduce_to(how, value, self._devices[:1])
        parts = [convert_to_tensor(part) for part in local_values(value)]
        total = reductions.total([reduce.reduce_sum(part, axis) for part in parts], ReduceOp.SUM)
        rows = reductions.total([array.shape(part)[axis] for part in parts], ReduceOp.SUM)
        total, rows = collectives.all_reduce(self._group, [total, rows])
        return total if how is ReduceOp.SUM else total / cast(rows, total.dtype)

    def _agreed(self, array: Any) -> Any:
        return array if self._group is None else self._group.broadcast([array])[0]

    # ---- input

    def _share(self) -> tuple[int, int] | None:
        return (self._first_replica, self._num_replicas_in_sync) if self._group is not None else None

    def _input_context(self) -> Any:
        return InputContext(self._workers, 0 if self._group is None else self._group.rank, self._num_replicas_in_sync)


class _StartEqual(SessionRunHook):
    """Gives a new session the first worker's values of all variables, so that no worker goes on with others.

    Args:
        group: the workers.
    """

    def __init__(self, group: Group) -> None:
        self._group = group

    def begin(self) -> None:
        variables = get_collection(GraphKeys.GLOBAL_VARIABLES)
        parts = [part for variable in variables for part in local_values(variable)]
        with default_graph().as_default(), contextlib.ExitStack() as blocks:
            blocks.enter_context(default_graph().name_scope("start_equal"))
            values = collectives.broadcast(self._group, [part.read_value() for part in parts])
            self._assigns = [part.assign(value, read_value=False) for part, value in zip(parts, values)]

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._assigns)


def _check_communication(communication: Any) -> None:
    if not isinstance(communication, CollectiveCommunication):
        raise ValueError(f"communication must be a CollectiveCommunication, got {communication!r}")


@export("distribute.experimental.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(Strategy):
    """Data parallelism over the devices of all workers of a cluster. Without a cluster it is MirroredStrategy.

    Each worker is a process, whose place TF_CONFIG gives. A worker that ends is an UnavailableError for the others, of
    which a MonitoredSession, or an Estimator, waits for it to be started again.

    Args:
        communication: a CollectiveCommunication; all of them mean the same here.

    Raises:
        ValueError: there is no such communication, or TF_CONFIG does not say which worker this is.
        UnknownError: the port of this worker is in use.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO) -> None:
        _check_communication(communication)
        super().__init__(MultiWorkerExtended(self))


@export("contrib.distribute.CollectiveAllReduceStrategy")
class CollectiveAllReduceStrategy(Strategy):
    """MultiWorkerMirroredStrategy with the arguments of tf.contrib.

    Args:
        num_gpus_per_worker: how many GPUs compute; 0 is the CPU.
        communication: a CollectiveCommunication; all of them mean the same here.

    Raises:
        ValueError: there is no such communication, or TF_CONFIG does not say which worker this is.
        UnknownError: the port of this worker is in use.
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

"""Strategies whose variables are in one place for all replicas: CentralStorageStrategy, ParameterServerStrategy."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.distribute.cluster_roles import is_chief, normalized
from evergraph.distribute.extended import StrategyExtended, beside
from evergraph.distribute.mirrored import CPU, checked, collect, gpus, local_devices
from evergraph.distribute.reductions import full_name, placed
from evergraph.distribute.resolvers import TFConfigClusterResolver
from evergraph.distribute.strategy import Strategy
from evergraph.distribute.variables import AggregatingVariable
from evergraph.frontend.blocks import init_scope
from evergraph.frontend.variables.base import VariableAggregation
from evergraph.train.cluster import ClusterSpec
from evergraph.train.device_setter import replica_device_setter


class CentralStorageExtended(StrategyExtended):
    """Replicas on several devices, and variables on one device, or on the tasks of a cluster that hold parameters.

    Args:
        container_strategy: the strategy.
        devices: those of the replicas.
        parameter_device: that of the variables; by default the CPU, or the only device of a replica.
    """

    def __init__(self, container_strategy: Any, devices: Sequence[str], parameter_device: str | None = None) -> None:
        self._compute, self._parameters = tuple(devices), parameter_device
        self._cluster_spec: ClusterSpec | None = None
        super().__init__(container_strategy, devices)
        self._settle(None, None, None)

    def _settle(self, cluster: ClusterSpec | None, task_type: str | None, task_id: int | None) -> None:
        """Says where replicas and variables are: in this process, or in that of a task."""
        self._cluster_spec, self._task_type, self._task_id = cluster, task_type, task_id
        task = f"/job:{task_type}/task:{task_id}" if cluster is not None else ""
        self._devices = tuple(full_name(task + name) for name in self._compute)
        home = self._parameters or (self._compute[0] if len(self._compute) == 1 else CPU)
        self._home_of_variables: Any = full_name(home)
        if cluster is not None and cluster.as_dict().get("ps"):
            self._home_of_variables = replica_device_setter(worker_device=task, merge_devices=True, cluster=cluster)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that variables are on."""
        home = self._home_of_variables
        if isinstance(home, str):
            return (home,)
        return tuple(f"/job:ps/replica:0/task:{task}/device:CPU:0" for task in self._cluster_spec.task_indices("ps"))

    @property
    def experimental_between_graph(self) -> bool:  # type: ignore[override]
        """Whether each worker builds its own graph: with a cluster."""
        return self._cluster_spec is not None

    @property
    def should_checkpoint(self) -> bool:  # type: ignore[override]
        """Whether this worker writes checkpoints: if it is the chief."""
        return self._cluster_spec is None or is_chief(self._cluster_spec, self._task_type, self._task_id)

    should_save_summary = experimental_should_init = should_checkpoint  # type: ignore[assignment]

    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        """Where optimizers keep what belongs to no variable: with the first variable, by its name."""
        return min(var_list, key=lambda variable: variable.name)

    def _made(self, next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        checked(kwargs)
        several = len(self._devices) > 1
        collections = kwargs.get("collections")
        home = beside.top().device if beside.top() is not None else self._home_of_variables
        with init_scope(), placed(home):
            made = next_creator(**{**kwargs, "collections": []} if several else kwargs)
            made._distribute_strategy = self._strategy
            if several:
                aggregation = kwargs.get("aggregation") or VariableAggregation.NONE
                made = AggregatingVariable(self._strategy, [made], aggregation)
                collect(made, collections)
        return made

    def _configure(self, cluster_spec: Any, task_type: str | None, task_id: int | None) -> None:
        if cluster_spec:
            self._settle(normalized(cluster_spec), task_type, task_id)

    def _updated_config(self, config: Any) -> Any:
        config.isolate_session_state = self._cluster_spec is None
        if self._cluster_spec is not None:
            del config.device_filters[:]
            config.device_filters.extend([f"/job:{self._task_type}/task:{self._task_id}", "/job:ps"])
        return config


@export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(Strategy):
    """Data parallelism over the devices of this machine, with one copy of the variables for all of them.

    >>> strategy = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")
    >>> strategy.extended.parameter_devices
    ('/replica:0/task:0/device:CPU:0',)

    Args:
        compute_devices: the device of each replica; by default all accelerators, or else the CPU.
        parameter_device: the device of the variables; by default the CPU, or the device of the only replica.

    Raises:
        ValueError: one of the two is given without the other.
    """

    def __init__(self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None) -> None:
        if (compute_devices is None) != (parameter_device is None):
            raise ValueError("compute_devices and parameter_device are given together, or none of them")
        super().__init__(CentralStorageExtended(self, compute_devices or local_devices(), parameter_device))

    @classmethod
    def _from_num_gpus(cls, num_gpus: int) -> CentralStorageStrategy:
        made = cls.__new__(cls)
        Strategy.__init__(made, CentralStorageExtended(made, gpus(num_gpus)))
        return made


@export("distribute.experimental.ParameterServerStrategy")
class ParameterServerStrategy(Strategy):
    """Data parallelism whose variables are held by parameter servers; without a cluster, by this process.

    Args:
        cluster_resolver: tells the cluster and the task of this process; by default TF_CONFIG does.

    Raises:
        ValueError: the task is no worker or chief of the cluster.
    """

    def __init__(self, cluster_resolver: Any = None) -> None:
        resolver = TFConfigClusterResolver() if cluster_resolver is None else cluster_resolver
        extended = CentralStorageExtended(self, gpus(resolver.num_accelerators().get("GPU", 0)))
        spec = resolver.cluster_spec()
        if spec.as_dict():
            if resolver.task_type not in ("chief", "worker"):
                raise ValueError(f"a ParameterServerStrategy is for the chief and the workers of a cluster, and this "
                                 f"process is its {resolver.task_type!r}")
            extended._settle(spec, resolver.task_type, resolver.task_id)
        super().__init__(extended)


@export("contrib.distribute.ParameterServerStrategy")
class ContribParameterServerStrategy(Strategy):
    """ParameterServerStrategy with the arguments of tf.contrib; `configure` names the cluster.

    Args:
        num_gpus_per_worker: how many GPUs compute; 0 is the CPU.
    """

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        super().__init__(CentralStorageExtended(self, gpus(num_gpus_per_worker)))

"""tf.distribute.MirroredStrategy: each device has a copy of the model and computes a part of the batch."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.distribute.extended import StrategyExtended
from evergraph.distribute.reductions import CrossDeviceOps, placed
from evergraph.distribute.strategy import Strategy
from evergraph.distribute.variables import MirroredVariable, SyncOnReadVariable
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import init_scope
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.graph.graph import default_graph
from evergraph.run.devices import session_devices

CPU = "/device:CPU:0"


class MirroredExtended(StrategyExtended):
    """Several devices, each of which has copies of all variables.

    Args:
        container_strategy: the strategy.
        devices: that of each replica.
        cross_device_ops: adds up values; by default as CrossDeviceOps does.

    Raises:
        ValueError: there is no device, or one is named twice.
    """

    def __init__(self, container_strategy: Any, devices: Sequence[str] | None, cross_device_ops: Any = None) -> None:
        super().__init__(container_strategy, local_devices() if devices is None else devices)
        if not self._devices:
            raise ValueError("Got an empty list of devices: a strategy needs one at least")
        if len(set(self._devices)) < len(self._devices):
            raise ValueError(f"No duplicates allowed in `devices` argument: {list(devices or ())}")
        self._cross_device_ops = CrossDeviceOps() if cross_device_ops is None else cross_device_ops

    @property
    def _inferred_cross_device_ops(self) -> Any:
        return self._cross_device_ops

    def _made(self, next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        kind = SyncOnReadVariable if checked(kwargs) is VariableSynchronization.ON_READ else MirroredVariable
        aggregation = kwargs.get("aggregation") or VariableAggregation.NONE
        collections = kwargs.pop("collections", None)
        with init_scope():
            copies = copies_on(self._devices, next_creator, {**kwargs, "collections": []})
            made = kind(self._strategy, copies, aggregation)
            collect(made, collections)
        return made

    def _updated_config(self, config: Any) -> Any:
        config.isolate_session_state = True
        return config


def local_devices() -> list[str]:
    """The accelerators of this machine, or else its CPU."""
    parts = ["/device:" + name.rpartition("/device:")[2] for name in session_devices()]
    return [part for part in parts if not part.startswith("/device:CPU")] or [CPU]


def gpus(count: int) -> list[str]:
    """So many GPUs; the CPU for none."""
    return [f"/device:GPU:{number}" for number in range(count)] or [CPU]


def checked(kwargs: dict[str, Any]) -> VariableSynchronization:
    """How the copies of a variable are brought together, from the arguments that make it.

    Raises:
        ValueError: there is no such way, or a strategy cannot have it.
    """
    synchronization = kwargs.get("synchronization") or VariableSynchronization.AUTO
    name, aggregation = kwargs.get("name"), kwargs.get("aggregation") or VariableAggregation.NONE
    if synchronization is VariableSynchronization.NONE:
        raise ValueError("the copies of a mirrored variable have to be synchronized in some way, and NONE is its "
                         f"synchronization: {name}")
    if not isinstance(synchronization, VariableSynchronization):
        raise ValueError(f"Invalid variable synchronization mode: {synchronization} for variable: {name}")
    if not isinstance(aggregation, VariableAggregation):
        raise ValueError(f"Invalid variable aggregation mode: {aggregation} for variable: {name}")
    return synchronization


def copies_on(devices: Sequence[str], next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> list[Any]:
    """A copy of a variable on each device; all of them start with the initial value of the first."""
    copies: list[Any] = []
    for number, name in enumerate(devices):
        if number:
            kwargs = {**kwargs, "name": f"{copies[0].op.name}/replica_{number}/", "dtype": None,
                      "initial_value": _again(copies[0])}
        with placed(name):
            copies.append(next_creator(**kwargs))
    return copies


def _again(first: Any) -> Any:
    """The initial value of a variable, for another one."""
    return first.read_value() if default_graph().is_eager else lambda: identity(first.initial_value)


def collect(variable: Any, collections: Any) -> None:
    """Adds a variable with copies to collections, by default to those of all variables."""
    names = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
    if variable.trainable and GraphKeys.TRAINABLE_VARIABLES not in names:
        names.append(GraphKeys.TRAINABLE_VARIABLES)
    graph = default_graph()
    held = graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
    held[:] = [each for each in held if not any(each is copy for copy in variable.values)]
    if not graph.is_eager:
        add_to_collections(names, variable)
    elif GraphKeys.GLOBAL_STEP in names:
        add_to_collections([GraphKeys.GLOBAL_STEP], variable)


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """Data parallelism over the devices of this machine.

    Each replica computes the gradients of its part of the batch on a device of its own. They are added up, and every
    device updates its copy of the variables in the same way.

    >>> strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    >>> strategy.num_replicas_in_sync
    2

    Args:
        devices: the device of each replica; by default all accelerators, or else the CPU. A session has several CPUs
            with `tf.ConfigProto(device_count={"CPU": n})`.
        cross_device_ops: a tf.distribute.CrossDeviceOps; by default each device adds up the values of all.

    Raises:
        ValueError: a device is named twice, or none.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


@export("contrib.distribute.MirroredStrategy")
class ContribMirroredStrategy(Strategy):
    """Data parallelism over the devices of this machine, with the arguments of tf.contrib.

    Args:
        devices: the device of each replica; by default all accelerators, or else the CPU.
        num_gpus, num_gpus_per_worker: how many GPUs, instead of `devices`; 0 is the CPU.
        cross_device_ops: a tf.distribute.CrossDeviceOps; by default each device adds up the values of all.
        auto_shard_dataset: whether workers share one dataset; has no meaning here, where there is one worker.
        cross_tower_ops: the older name of `cross_device_ops`.

    Raises:
        ValueError: devices are given in two ways, one twice, or none.
    """

    def __init__(self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
                 num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
                 cross_tower_ops: Any = None) -> None:
        if cross_device_ops is not None and cross_tower_ops is not None:
            raise ValueError("give cross_device_ops or its older name cross_tower_ops, not both")
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if devices is not None and count is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if count is not None:
            devices = gpus(count)
        super().__init__(MirroredExtended(self, devices, cross_device_ops or cross_tower_ops))

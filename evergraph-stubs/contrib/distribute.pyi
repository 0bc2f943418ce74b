# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distribute."""

from collections.abc import Callable, Sequence
from evergraph.distribute import (
    CrossDeviceOps as _CrossDeviceOps, ReductionToOneDevice, ReplicaContext as _ReplicaContext, Strategy,
    StrategyExtended, get_strategy as _get_strategy, has_strategy as _has_strategy,
)
from evergraph.distribute.experimental import CollectiveCommunication
from typing import Any, NamedTuple

class AllReduceCrossDeviceOps(_CrossDeviceOps):
    """Adds up values on every device."""
    def __init__(self, all_reduce_alg: str = 'nccl', num_packs: int = 1) -> None: ...

class CollectiveAllReduceStrategy(Strategy):
    """MultiWorkerMirroredStrategy with the arguments of tf.contrib."""
    def __init__(self, num_gpus_per_worker: int = 0, communication: CollectiveCommunication = ...) -> None: ...

from evergraph.distribute import CrossDeviceOps as CrossDeviceOps

class DistributeConfig(NamedTuple):
    """The strategies of an Estimator, for `tf.estimator.RunConfig(experimental_distribute=...)`."""
    train_distribute: Any = None
    eval_distribute: Any = None
    remote_cluster: Any = None

DistributionStrategy = Strategy
DistributionStrategyExtended = StrategyExtended

class MirroredStrategy(Strategy):
    """Data parallelism over the devices of this machine, with the arguments of tf.contrib."""
    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None: ...

class Monitor:
    """Runs steps of training."""
    def run_steps(self, num_steps: int | None = None) -> None:
        """Makes so many steps; by default steps without end."""
    def __init__(self, step_callable: Step, session: Any = None) -> None: ...

class MultiWorkerAllReduce(_CrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`."""
    def __init__(
        self, worker_devices: Any, num_gpus_per_worker: int, all_reduce_spec: Any = ..., num_packs: int = 0,
        agg_small_grads_max_bytes: int = 0, agg_small_grads_max_group: int = 10,
    ) -> None: ...

from evergraph.distribute import OneDeviceStrategy as OneDeviceStrategy

class ParameterServerStrategy(Strategy):
    """ParameterServerStrategy with the arguments of tf.contrib; `configure` names the cluster."""
    def __init__(self, num_gpus_per_worker: int = 0) -> None: ...

ReductionToOneDeviceCrossDeviceOps = ReductionToOneDevice
from evergraph.distribute import ReplicaContext as ReplicaContext

class StandardInputStep(Step):
    """A step on the next element of a dataset."""
    def initialize(self) -> Any:
        """The operation that begins with the first element."""
    def __init__(self, dataset_fn: Callable[[], Any], distribution: Any) -> None: ...

class StandardSingleLossStep(StandardInputStep):
    """A step that minimizes the loss of a batch."""
    def __call__(self) -> Any: ...
    def __init__(
        self, dataset_fn: Callable[[], Any], loss_fn: Callable[[Any, Any], Any], optimizer: Any,
        distribution: Any, iterations_per_step: int = 1,
    ) -> None: ...

class Step:
    """A step of training: calling it makes the step, or gives the operation that does."""
    @property
    def distribution(self) -> Any:
        """The strategy."""
    def initialize(self) -> Any:
        """What has to run before the first step: nothing."""
    def __call__(self) -> Any: ...
    def __init__(self, distribution: Any) -> None: ...

from evergraph.distribute.experimental import TPUStrategy as TPUStrategy

def get_cross_replica_context() -> Any:
    """The strategy where the code runs for all replicas together; None where it runs for one."""

get_distribution_strategy = _get_strategy
from evergraph.distribute import get_loss_reduction as get_loss_reduction
from evergraph.distribute import get_replica_context as get_replica_context
from evergraph.distribute import get_strategy as get_strategy
has_distribution_strategy = _has_strategy
from evergraph.distribute import has_strategy as has_strategy
from evergraph.distribute import in_cross_replica_context as in_cross_replica_context
from evergraph.tpu.experimental import initialize_tpu_system as initialize_tpu_system

def require_replica_context(replica_ctx: _ReplicaContext) -> None:
    """Checks that the code runs for a replica."""

def run_standard_tensorflow_server(session_config: Any = None) -> Any:
    """Starts the server of the task that TF_CONFIG names, and returns it."""

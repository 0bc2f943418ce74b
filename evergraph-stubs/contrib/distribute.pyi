# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distribute."""

from collections.abc import Sequence
from evergraph.distribute import (
    CrossDeviceOps as _CrossDeviceOps, ReductionToOneDevice, ReplicaContext as _ReplicaContext, Strategy,
    StrategyExtended, get_strategy as _get_strategy, has_strategy as _has_strategy,
)
from typing import Any

class AllReduceCrossDeviceOps(_CrossDeviceOps):
    """Adds up values on every device."""
    def __init__(self, all_reduce_alg: str = 'nccl', num_packs: int = 1) -> None: ...

from evergraph.distribute import CrossDeviceOps as CrossDeviceOps
DistributionStrategy = Strategy
DistributionStrategyExtended = StrategyExtended

class MirroredStrategy(Strategy):
    """Data parallelism over the devices of this machine, with the arguments of tf.contrib."""
    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None: ...

from evergraph.distribute import OneDeviceStrategy as OneDeviceStrategy
ReductionToOneDeviceCrossDeviceOps = ReductionToOneDevice
from evergraph.distribute import ReplicaContext as ReplicaContext

def get_cross_replica_context() -> Any:
    """The strategy where the code runs for all replicas together; None where it runs for one."""

get_distribution_strategy = _get_strategy
from evergraph.distribute import get_loss_reduction as get_loss_reduction
from evergraph.distribute import get_replica_context as get_replica_context
from evergraph.distribute import get_strategy as get_strategy
has_distribution_strategy = _has_strategy
from evergraph.distribute import has_strategy as has_strategy
from evergraph.distribute import in_cross_replica_context as in_cross_replica_context

def require_replica_context(replica_ctx: _ReplicaContext) -> None:
    """Checks that the code runs for a replica."""

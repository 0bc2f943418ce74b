# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distribute."""

from collections.abc import Sequence
from evergraph.distribute import Strategy
from typing import Any

DistributionStrategy = Strategy

class MirroredStrategy(Strategy):
    """Data parallelism over one device, with the arguments of tf.contrib."""
    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None: ...

from evergraph.distribute import OneDeviceStrategy as OneDeviceStrategy
from evergraph.distribute import get_replica_context as get_replica_context
from evergraph.distribute import get_strategy as get_strategy
from evergraph.distribute import has_strategy as has_strategy
from evergraph.distribute import in_cross_replica_context as in_cross_replica_context

# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute.experimental."""

from collections.abc import Sequence
from enum import Enum
from evergraph.distribute import Strategy
from typing import Any, Self

class CentralStorageStrategy(Strategy):
    """Data parallelism over the devices of this machine, with one copy of the variables for all of them."""
    def __init__(
        self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None,
    ) -> None: ...

class CollectiveCommunication(Enum):
    """By which library workers add up their gradients; here all of them mean a ring of sockets."""
    AUTO = 'AUTO'
    RING = 'RING'
    NCCL = 'NCCL'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class MultiWorkerMirroredStrategy(Strategy):
    """Data parallelism over the devices of all workers of a cluster."""
    def __init__(self, communication: CollectiveCommunication = ...) -> None: ...

class ParameterServerStrategy(Strategy):
    """Data parallelism whose variables are held by parameter servers; without a cluster, by this
    process."""
    def __init__(self, cluster_resolver: Any = None) -> None: ...

class TPUStrategy(Strategy):
    """Data parallelism over the TPU cores of this machine; one without TPUs uses its GPUs or CPUs."""
    @property
    def steps_per_run(self) -> int:
        """How many steps a run makes; the number is the caller's to use."""
    def __init__(
        self, tpu_cluster_resolver: Any = None, steps_per_run: int | None = None, device_assignment: Any = None,
    ) -> None: ...

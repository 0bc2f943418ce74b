# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distribute."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

class MirroredStrategy:
    """Data parallelism over one device, where there is nothing to add up."""
    num_replicas_in_sync: int
    def scope(self) -> AbstractContextManager[None]:
        """Places operations and variables on the device, where one is named."""
    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function on the device and returns its result."""
    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None: ...

class OneDeviceStrategy:
    """Runs a model on one device."""
    num_replicas_in_sync: int
    def scope(self) -> AbstractContextManager[None]:
        """Places operations and variables on the device, where one is named."""
    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Sequence[Any] = ..., kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a function on the device and returns its result."""
    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
    def __init__(self, device: str) -> None: ...

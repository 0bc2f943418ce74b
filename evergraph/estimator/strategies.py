"""Distribution strategies of one device, as RunConfig takes them: what they distribute to is that device."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.frontend.blocks import device


class Strategy:
    """One replica on one device.

    Attributes:
        num_replicas_in_sync: 1, by which programs divide their batches.
    """

    num_replicas_in_sync = 1

    def __init__(self, placement: str | None) -> None:
        self._device = placement

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        """Places operations and variables on the device, where one is named."""
        with contextlib.nullcontext() if self._device is None else device(self._device):
            yield

    def experimental_run_v2(self, fn: Callable[..., Any], args: Sequence[Any] = (),
                            kwargs: Mapping[str, Any] | None = None) -> Any:
        """Calls a function on the device and returns its result."""
        with self.scope():
            return fn(*args, **(kwargs or {}))

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas, which are one."""
        return (value,)


@export("contrib.distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Runs a model on one device.

    >>> config = tf.estimator.RunConfig(train_distribute=tf.contrib.distribute.OneDeviceStrategy("/cpu:0"))
    >>> config.train_distribute.num_replicas_in_sync
    1

    Args:
        device: the name of the device.
    """

    def __init__(self, device: str) -> None:
        super().__init__(device)


@export("contrib.distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """Data parallelism over one device, where there is nothing to add up.

    Args:
        devices: a list of one device; by default the device that evergraph computes on.
        num_gpus, num_gpus_per_worker: 0 or 1, instead of `devices`.
        cross_device_ops: how TensorFlow adds up gradients of several devices; one device does without.
        auto_shard_dataset: whether workers share one dataset; there is one worker.
        cross_tower_ops: the older name of `cross_device_ops`.

    Raises:
        UnimplementedError: several devices are given.
    """

    def __init__(self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
                 num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
                 cross_tower_ops: Any = None) -> None:
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if count:
            devices = [f"/device:GPU:{place}" for place in range(count)]
        super().__init__(_only(devices))


def _only(devices: Sequence[str] | None) -> str | None:
    """The one device of a list, or None for the default."""
    if devices is None:
        return None
    if len(devices) != 1:
        raise errors.UnimplementedError(
            None, None, f"MirroredStrategy computes on one device here, and {list(devices)} are {len(devices)}")
    return devices[0]


def scope_of(strategy: Strategy | None) -> contextlib.AbstractContextManager[None]:
    """The scope of a strategy, if there is one."""
    return contextlib.nullcontext() if strategy is None else strategy.scope()


def check(name: str, value: Any) -> None:
    """Raises for a setting of RunConfig that is no strategy of one device."""
    if name == "experimental_distribute" or not isinstance(value, Strategy):
        raise errors.UnimplementedError(
            None, None, f"RunConfig({name}=...): evergraph has OneDeviceStrategy and MirroredStrategy of one device")

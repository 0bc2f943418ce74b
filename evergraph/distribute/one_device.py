"""tf.distribute.OneDeviceStrategy: one replica on one device."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.distribute.extended import StrategyExtended
from evergraph.distribute.strategy import Strategy
from evergraph.frontend.blocks import device as on_device


class OneDeviceExtended(StrategyExtended):
    """One device, which all operations and variables are on."""

    def _home(self) -> Any:
        return on_device(self._devices[0])

    def _made(self, next_creator: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        with on_device(self._devices[0]):
            return super()._made(next_creator, kwargs)


@export("distribute.OneDeviceStrategy", "contrib.distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Runs a model on one device.

    >>> config = tf.estimator.RunConfig(train_distribute=tf.distribute.OneDeviceStrategy("/cpu:0"))
    >>> config.train_distribute.num_replicas_in_sync
    1

    Args:
        device: the name of the device.
    """

    def __init__(self, device: str) -> None:
        super().__init__(OneDeviceExtended(self, (device,)))

"""tf.distribute.experimental.TPUStrategy, over the devices of this machine."""
from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.distribute.mirrored import MirroredExtended, local_devices
from evergraph.distribute.strategy import Strategy
from evergraph.frontend.tpu_topology import initialize_tpu_system
from evergraph.run.devices import session_devices

export("contrib.distribute.initialize_tpu_system")(initialize_tpu_system)


def _cores() -> list[str]:
    """The TPUs or GPUs of this machine, or else its CPUs."""
    found = local_devices()
    return found if "CPU" not in found[0] else ["/device:" + name.rpartition("/device:")[2] for name in
                                                session_devices()]


@export("distribute.experimental.TPUStrategy")
class TPUStrategy(Strategy):
    """Data parallelism over the TPU cores of this machine; one without TPUs uses its GPUs or CPUs.

    Each core has a copy of the variables, as with `tf.distribute.MirroredStrategy`.

    Args:
        tpu_cluster_resolver: a TPUClusterResolver; has no meaning here, where the cores are those of this machine.
        steps_per_run: how many steps `StrategyExtended.experimental_run_steps_on_iterator` is asked to make, which the
            property of this name returns.
        device_assignment: which core is which replica; only None.

    Raises:
        UnimplementedError: there is a `device_assignment`.
    """

    def __init__(self, tpu_cluster_resolver: Any = None, steps_per_run: int | None = None,
                 device_assignment: Any = None) -> None:
        if device_assignment is not None:
            raise errors.UnimplementedError(None, None, "TPUStrategy(device_assignment=...): replicas are on the "
                                            "devices of this machine in their order")
        super().__init__(MirroredExtended(self, _cores()))
        self._steps_per_run = 1 if steps_per_run is None else steps_per_run

    @property
    def steps_per_run(self) -> int:
        """How many steps a run makes; the number is the caller's to use."""
        return self._steps_per_run


export("contrib.distribute.TPUStrategy")(TPUStrategy)

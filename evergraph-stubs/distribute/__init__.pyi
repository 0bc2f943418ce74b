# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from evergraph.distribute import cluster_resolver as cluster_resolver

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
    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None: ...

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

class Server:
    """A task of a cluster."""
    @property
    def server_def(self) -> Any:
        """The ServerDef that describes this server."""
    @property
    def target(self) -> str:
        """What a tf.Session takes to use this server."""
    def start(self) -> None:
        """Lets sessions of this process use the server."""
    def join(self) -> None:
        """Waits for the server to stop, which it never does: it ends with the process."""
    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own, with one task, at a free port."""
    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None, task_index: int | None = None,
        protocol: str | None = None, config: Any = None, start: bool = True,
    ) -> None: ...

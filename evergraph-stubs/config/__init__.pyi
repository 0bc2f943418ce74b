# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.config."""

from typing import Any
from evergraph.config import experimental as experimental, optimizer as optimizer, threading as threading

def experimental_connect_to_cluster(
    cluster_spec_or_resolver: Any, job_name: str = 'localhost', task_index: int = 0,
    protocol: str | None = None,
) -> None:
    """Raises UnimplementedError, whatever the cluster, job, task and protocol are: ops run in this
    process."""

def experimental_connect_to_host(remote_host: Any = None, job_name: str = 'worker') -> None:
    """Raises UnimplementedError for any `remote_host` and `job_name`: ops run in this process."""

def experimental_list_devices() -> list[str]:
    """The names of the devices that ops can be placed on."""

def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """With True, functions of `tf.function` run as plain Python, which a debugger can follow."""

def get_soft_device_placement() -> bool:
    """What `set_soft_device_placement` has set; False at first."""

def set_soft_device_placement(enabled: bool) -> None:
    """With True, ops that name a device which is not there run on another one; with eager execution it is
    an error otherwise."""

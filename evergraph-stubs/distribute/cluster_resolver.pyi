# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute.cluster_resolver."""

from evergraph.train import ClusterSpec
from typing import Any

class TPUClusterResolver:
    """Finds the TPUs of this machine, which JAX uses by itself."""
    @property
    def environment(self) -> str:
        """Where the cluster is managed; "" for this machine."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: "" for this process."""
    def get_master(self) -> str:
        """The target of a session; see `master`."""
    def get_job_name(self) -> str:
        """The job of the TPU workers."""
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster: none besides this process."""
    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None,
    ) -> dict[str, int]:
        """How many TPUs there are."""
    def __init__(
        self, tpu: Any = None, zone: str | None = None, project: str | None = None, job_name: str = 'worker',
        coordinator_name: str | None = None, coordinator_address: str | None = None,
        credentials: Any = 'default', service: Any = None, discovery_url: str | None = None,
    ) -> None: ...

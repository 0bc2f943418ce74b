"""The cluster resolver of TPUs, which are those of this machine."""
from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.distribute.resolvers import ClusterResolver
from evergraph.run.device_lib import list_local_devices
from evergraph.train.cluster import ClusterSpec

_LOCAL = (None, "", "local")


@export("distribute.cluster_resolver.TPUClusterResolver", "contrib.cluster_resolver.TPUClusterResolver")
class TPUClusterResolver(ClusterResolver):
    """Finds the TPUs of this machine, which JAX uses by itself. TPUs behind an address or a cloud's name are refused.

    Args:
        tpu: None, "" or "local" for the devices of this machine.
        zone: the zone of a cloud TPU; has no meaning for local ones.
        project: the project of a cloud TPU; has no meaning for local ones.
        job_name: the job of the TPU workers.
        coordinator_name: the job of a coordinator; has no meaning for local ones.
        coordinator_address: the address of a coordinator; has no meaning for local ones.
        credentials: for a cloud's API; has no meaning for local ones.
        service: a cloud's API; has no meaning for local ones.
        discovery_url: where to find a cloud's API; has no meaning for local ones.

    Raises:
        ValueError: `tpu` is an empty list.
        UnimplementedError: `tpu` names a TPU that is not of this machine.
    """

    def __init__(self, tpu: Any = None, zone: str | None = None, project: str | None = None, job_name: str = "worker",
                 coordinator_name: str | None = None, coordinator_address: str | None = None,
                 credentials: Any = "default", service: Any = None, discovery_url: str | None = None) -> None:
        if isinstance(tpu, list) and not tpu:
            raise ValueError("`tpu` must be specified: an empty list names none")
        if tpu not in _LOCAL:
            raise errors.UnimplementedError(
                None, None, f"TPUClusterResolver(tpu={tpu!r}): evergraph trains on the TPUs of the machine it runs on. "
                "Run the program there, with tpu='local' or without a cluster resolver")
        self._job_name = job_name

    @property
    def environment(self) -> str:
        """Where the cluster is managed; "" for this machine."""
        return ""

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: "" for this process.

        Args:
            task_type: the job of a worker; has no meaning for this machine alone.
            task_id: its number; has no meaning for this machine alone.
            rpc_layer: the protocol; has no meaning for this machine alone.
        """
        return ""

    def get_master(self) -> str:
        """The target of a session; see `master`."""
        return self.master()

    def get_job_name(self) -> str:
        """The job of the TPU workers."""
        return self._job_name

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster: none besides this process."""
        return ClusterSpec({})

    def num_accelerators(self, task_type: str | None = None, task_id: int | None = None,
                         config_proto: Any = None) -> dict[str, int]:
        """How many TPUs there are.

        Args:
            task_type: the job of a worker; has no meaning for this machine alone.
            task_id: its number; has no meaning for this machine alone.
            config_proto: for a session that asks; has no meaning here.

        Raises:
            NotFoundError: this machine has none.
        """
        count = sum(found.device_type == "TPU" for found in list_local_devices())
        if not count:
            raise errors.NotFoundError(None, None, "this machine has no TPU that JAX knows")
        return {"TPU": count}

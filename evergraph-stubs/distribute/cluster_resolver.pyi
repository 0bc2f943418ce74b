# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute.cluster_resolver."""

from collections.abc import Mapping
from evergraph.train import ClusterSpec
from typing import Any

class ClusterResolver:
    """The base of objects that tell where the tasks of a cluster are: subclasses define `cluster_spec` and
    `master`."""
    task_type: Any
    task_id: Any
    rpc_layer: Any
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task, by default of this process."""
    @property
    def environment(self) -> str:
        """Where the cluster is managed, such as "google"; "" where that does not matter."""
    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None,
    ) -> dict[str, int]:
        """How many accelerators of each type a task has: those of this machine, whatever task is asked for."""

class GCEClusterResolver(ClusterResolver):
    """The machines of an instance group of Google Compute Engine, as the tasks of one job."""
    def cluster_spec(self) -> ClusterSpec:
        """The tasks: the machines that run, by name."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task, by default of this process."""
    def __init__(
        self, project: str, zone: str, instance_group: str, port: int, task_type: str = 'worker',
        task_id: int = 0, rpc_layer: str = 'grpc', credentials: Any = 'default', service: Any = None,
    ) -> None: ...

class KubernetesClusterResolver(ClusterResolver):
    """The pods of a Kubernetes cluster."""
    def cluster_spec(self) -> ClusterSpec:
        """The tasks: the pods of each label, by name."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task, by default of this process."""
    def __init__(
        self, job_to_label_mapping: Mapping[str, Any] | None = None, tf_server_port: int = 8470,
        rpc_layer: str | None = 'grpc', override_client: Any = None,
    ) -> None: ...

class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program names."""
    @property
    def environment(self) -> Any: ...
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task if one is asked for, else what the program named."""
    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None,
    ) -> dict[str, int]:
        """How many accelerators of each type a task has."""
    def __init__(
        self, cluster_spec: ClusterSpec, master: str = '', task_type: str | None = None,
        task_id: int | None = None, environment: str = '', num_accelerators: dict[str, int] | None = None,
        rpc_layer: str | None = None,
    ) -> None: ...

class SlurmClusterResolver(ClusterResolver):
    """The tasks of a Slurm allocation, dealt out to jobs in the order of their nodes."""
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of all jobs."""
    def get_task_info(self) -> tuple[Any, Any]:
        """(the job of this process, its number), once `cluster_spec` has been called."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task, by default of this process."""
    def __init__(
        self, jobs: Mapping[str, int], port_base: int = 8888, gpus_per_node: int = 1, gpus_per_task: int = 1,
        tasks_per_node: int | None = None, auto_set_gpu: bool = True, rpc_layer: str = 'grpc',
    ) -> None: ...

class TFConfigClusterResolver(ClusterResolver):
    """The cluster in the environment variable TF_CONFIG, which is read when somebody asks."""
    @property
    def task_type(self) -> Any: ...
    @task_type.setter
    def task_type(self, value: Any) -> None: ...
    @property
    def task_id(self) -> Any: ...
    @task_id.setter
    def task_id(self, value: Any) -> None: ...
    @property
    def rpc_layer(self) -> Any: ...
    @rpc_layer.setter
    def rpc_layer(self, value: Any) -> None: ...
    @property
    def environment(self) -> Any: ...
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster; none without a TF_CONFIG."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: TF_CONFIG's session_master, or the address of a task; "" for this process
        alone."""
    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None,
    ) -> dict[str, int]:
        """How many accelerators of each type a task has."""
    def __init__(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None: ...

class TPUClusterResolver(ClusterResolver):
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

class UnionResolver(ClusterResolver):
    """Several clusters as one."""
    @property
    def environment(self) -> Any: ...
    def cluster_spec(self) -> ClusterSpec:
        """The tasks of all clusters; tasks that lists name are numbered one after the other."""
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
    ) -> str:
        """The target of a session: the address of a task if one is asked for, else what the first one says."""
    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None,
    ) -> dict[str, int]:
        """How many accelerators of each type a task has: what the first one says."""
    def __init__(self, *args: ClusterResolver, **kwargs: Any) -> None: ...

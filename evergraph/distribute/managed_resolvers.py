"""Cluster resolvers that ask the system which manages the cluster: Kubernetes, Google Compute Engine, Slurm."""
from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.distribute.resolvers import ClusterResolver
from evergraph.train.cluster import ClusterSpec


class _Managed(ClusterResolver):
    """A resolver whose targets are the addresses of tasks."""

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: the address of a task, by default of this process."""
        return self._address(task_type, task_id, rpc_layer)


def _client(module: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{what} needs the package {module.partition('.')[0]!r}, which is not installed; or give it "
                          "a client of your own") from error


@export("distribute.cluster_resolver.KubernetesClusterResolver", "contrib.cluster_resolver.KubernetesClusterResolver")
class KubernetesClusterResolver(_Managed):
    """The pods of a Kubernetes cluster.

    Args:
        job_to_label_mapping: the labels whose pods are the tasks of each job; by default those of
            "job-name=tensorflow" are the workers.
        tf_server_port: the port of the tasks.
        rpc_layer: the protocol of the tasks.
        override_client: an object with `list_pod_for_all_namespaces`; by default that of the package `kubernetes`.

    Raises:
        ImportError: the package is not installed, and there is no other client.
    """

    def __init__(self, job_to_label_mapping: Mapping[str, Any] | None = None, tf_server_port: int = 8470,
                 rpc_layer: str | None = "grpc", override_client: Any = None) -> None:
        self._labels, self._port = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}, tf_server_port
        self.rpc_layer, self._override = rpc_layer, override_client
        if override_client is None:
            _client("kubernetes.config", "KubernetesClusterResolver").load_kube_config()
            self._override = _client("kubernetes.client", "KubernetesClusterResolver").CoreV1Api()

    def cluster_spec(self) -> ClusterSpec:
        """The tasks: the pods of each label, by name.

        Raises:
            RuntimeError: a pod is not running.
        """
        return ClusterSpec({job: [address for label in labels for address in self._addresses(label)]
                            for job, labels in self._labels.items()})

    def _addresses(self, label: str) -> list[str]:
        pods = sorted(self._override.list_pod_for_all_namespaces(label_selector=label).items,
                      key=lambda pod: pod.metadata.name)
        for pod in pods:
            if pod.status.phase != "Running":
                raise RuntimeError(f'Pod "{pod.metadata.name}" is not running; phase: "{pod.status.phase}"')
        return [f"{pod.status.host_ip}:{self._port}" for pod in pods]


@export("distribute.cluster_resolver.GCEClusterResolver", "contrib.cluster_resolver.GCEClusterResolver")
class GCEClusterResolver(_Managed):
    """The machines of an instance group of Google Compute Engine, as the tasks of one job.

    Args:
        project: the project of the group.
        zone: its zone.
        instance_group: its name.
        port: the port of the tasks.
        task_type: the job.
        task_id: the number of this process in it.
        rpc_layer: the protocol of the tasks.
        credentials: for the API; "default" asks the package `oauth2client` for those of the machine.
        service: a client of the API; by default that of the package `googleapiclient`.

    Raises:
        ImportError: a package is not installed, and there is no other client.
    """

    def __init__(self, project: str, zone: str, instance_group: str, port: int, task_type: str = "worker",
                 task_id: int = 0, rpc_layer: str = "grpc", credentials: Any = "default", service: Any = None) -> None:
        self._where, self._group, self._port = {"project": project, "zone": zone}, instance_group, port
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer
        if service is None:
            if credentials == "default":
                found = _client("oauth2client.client", "GCEClusterResolver").GoogleCredentials
                credentials = found.get_application_default()
            service = _client("googleapiclient.discovery", "GCEClusterResolver").build(
                "compute", "v1", credentials=credentials)
        self._service = service

    def cluster_spec(self) -> ClusterSpec:
        """The tasks: the machines that run, by name."""
        groups, names = self._service.instanceGroups(), []
        request = groups.listInstances(**self._where, instanceGroup=self._group, body={"instanceState": "RUNNING"},
                                       orderBy="name")
        while request is not None:
            answer = request.execute()
            names.extend(item["instance"].rpartition("/")[2] for item in answer["items"])
            request = groups.listInstances_next(previous_request=request, previous_response=answer)
        return ClusterSpec({self.task_type: [self._address_of(name) for name in sorted(names)]})

    def _address_of(self, name: str) -> str:
        found = self._service.instances().get(**self._where, instance=name).execute()
        return f"{found['networkInterfaces'][0]['networkIP']}:{self._port}"


@export("distribute.cluster_resolver.SlurmClusterResolver", "contrib.cluster_resolver.SlurmClusterResolver")
class SlurmClusterResolver(_Managed):
    """The tasks of a Slurm allocation, dealt out to jobs in the order of their nodes.

    Args:
        jobs: how many tasks each job has.
        port_base: the port of the first task of a node; the next tasks have the next ports.
        gpus_per_node: how many GPUs a node has.
        gpus_per_task: how many of them a task uses.
        tasks_per_node: how many tasks a node has; by default SLURM_NTASKS_PER_NODE.
        auto_set_gpu: whether CUDA_VISIBLE_DEVICES is set to the GPUs of this task.
        rpc_layer: the protocol of the tasks.

    Raises:
        RuntimeError: the tasks need more GPUs than there are, or are not as many as Slurm has started.
    """

    def __init__(self, jobs: Mapping[str, int], port_base: int = 8888, gpus_per_node: int = 1, gpus_per_task: int = 1,
                 tasks_per_node: int | None = None, auto_set_gpu: bool = True, rpc_layer: str = "grpc") -> None:
        per_node = int(os.environ.get("SLURM_NTASKS_PER_NODE", 1)) if tasks_per_node is None else tasks_per_node
        if per_node * gpus_per_task > gpus_per_node:
            raise RuntimeError(f"Requested more GPUs per node than available: {per_node} tasks with {gpus_per_task} "
                               f"each, and {gpus_per_node} GPUs")
        started = int(os.environ["SLURM_NTASKS"])
        if sum(jobs.values()) != started:
            raise RuntimeError(f"Requested {sum(jobs.values())} tasks in total, but {started} tasks were assigned.")
        self._jobs, self._port, self._per_node = dict(jobs), port_base, per_node
        self._gpus, self._is_set = gpus_per_task, auto_set_gpu
        self._rank = int(os.environ["SLURM_PROCID"])
        self.rpc_layer, self.task_type, self.task_id = rpc_layer, None, None

    def _resolve_hostnames(self) -> list[str]:
        """The nodes of the allocation, by Slurm's own command."""
        found = subprocess.run(["scontrol", "show", "hostname"], capture_output=True, text=True, check=True)
        return found.stdout.split()

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of all jobs. Learns on the way which task this process is, and sets its GPUs."""
        places = [(node, number) for node in self._resolve_hostnames() for number in range(self._per_node)]
        found: dict[str, list[str]] = {}
        next_one = iter(enumerate(places))
        for job, count in sorted(self._jobs.items()):
            found[job] = []
            for task in range(count):
                rank, (node, number) = next(next_one)
                found[job].append(f"{node}:{self._port + number}")
                if rank == self._rank:
                    self.task_type, self.task_id = job, task
                    self._set_gpus(number)
        return ClusterSpec(found)

    def _set_gpus(self, number: int) -> None:
        if self._is_set:
            first = number * self._gpus
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(str(first + gpu) for gpu in range(self._gpus))

    def get_task_info(self) -> tuple[Any, Any]:
        """(the job of this process, its number), once `cluster_spec` has been called."""
        return self.task_type, self.task_id

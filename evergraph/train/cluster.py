"""Clusters as data: tf.train.ClusterSpec."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph import proto
from evergraph.base.export import export

Tasks = dict[int, str]


@export("train.ClusterSpec")
class ClusterSpec:
    """The jobs of a cluster, and the network addresses of their tasks.

    >>> cluster = tf.train.ClusterSpec({"ps": ["ps0:2222"], "worker": ["worker0:2222", "worker1:2222"]})
    >>> cluster.task_address("worker", 1)
    'worker1:2222'

    Args:
        cluster: a dict from job names to lists of addresses, or to dicts from task numbers to addresses; or a
            ClusterDef message, or a ClusterSpec.

    Raises:
        TypeError: it is something else.
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, proto.cluster_pb2.ClusterDef):
            jobs: Any = {job.name: dict(job.tasks) for job in cluster.job}
        elif isinstance(cluster, Mapping):
            jobs = cluster
        else:
            raise TypeError("a cluster is a dict from job names to addresses, a ClusterDef or a ClusterSpec, not "
                            f"{cluster!r}")
        self._jobs = {_text("a job's name", name): _tasks(name, tasks) for name, tasks in jobs.items()}

    jobs = property(lambda self: list(self._jobs))

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has."""
        return len(self._tasks_of(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of a job's tasks, sorted."""
        return sorted(self._tasks_of(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task."""
        tasks = self._tasks_of(job_name)
        if task_index not in tasks:
            raise ValueError(f"the job {job_name!r} has no task {task_index!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job's tasks by their numbers; None for numbers that are left out."""
        tasks = self._tasks_of(job_name)
        return [tasks.get(number) for number in range(max(tasks, default=-1) + 1)]

    def _tasks_of(self, job_name: str) -> Tasks:
        if job_name not in self._jobs:
            raise ValueError(f"the cluster has no job {job_name!r}, only {self.jobs}")
        return self._jobs[job_name]

    def as_dict(self) -> dict[str, Any]:
        """A dict from job names to lists of addresses, or to dicts where task numbers are left out."""
        return {name: [tasks[n] for n in sorted(tasks)] if sorted(tasks) == list(range(len(tasks))) else dict(tasks)
                for name, tasks in self._jobs.items()}

    def as_cluster_def(self) -> Any:
        """A ClusterDef message, its jobs sorted by name."""
        message = proto.cluster_pb2.ClusterDef()
        for name, tasks in sorted(self._jobs.items()):
            message.job.add(name=name, tasks=tasks)
        return message

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return self._jobs == other._jobs if isinstance(other, ClusterSpec) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ClusterSpec({dict(sorted(self.as_dict().items()))})"


def _tasks(job_name: Any, tasks: Any) -> Tasks:
    if isinstance(tasks, (list, tuple)):
        pairs: Any = enumerate(tasks)
    elif isinstance(tasks, Mapping):
        pairs = tasks.items()
    else:
        raise TypeError(f"the tasks of the job {job_name!r} are a list of addresses, or a dict from numbers to "
                        f"addresses, not {tasks!r}")
    return {int(number): _text("a task's address", address) for number, address in pairs}


def _text(what: str, value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, not {value!r}")
    return value

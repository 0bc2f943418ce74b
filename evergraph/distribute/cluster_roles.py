"""What the task of a process is in its cluster: TensorFlow's multi_worker_util."""
from __future__ import annotations

from typing import Any

from evergraph.train.cluster import ClusterSpec


def normalized(cluster_spec: Any) -> ClusterSpec:
    """A ClusterSpec of a dictionary, a ClusterDef or a ClusterSpec.

    Raises:
        ValueError: it is none of these.
    """
    try:
        return ClusterSpec(cluster_spec)
    except TypeError as error:
        raise ValueError("`cluster_spec' should be dict or a `tf.train.ClusterSpec` or a `tf.train.ClusterDef` object, "
                         f"got {cluster_spec!r}") from error


def _checked(cluster_spec: Any, task_type: str, task_id: int) -> dict[str, Any]:
    jobs = normalized(cluster_spec).as_dict()
    if task_type not in jobs:
        raise ValueError(f"`task_type` {task_type!r} not found in cluster_spec, which has {sorted(jobs)}")
    count = len(jobs[task_type])
    if task_id not in range(count):
        raise ValueError(f"The `task_id` {task_id} exceeds the number of tasks of {task_type!r}, {count}")
    return jobs


def is_chief(cluster_spec: Any, task_type: str, task_id: int) -> bool:
    """Whether a task is the chief of a cluster: its chief or master, or else its first worker.

    Raises:
        ValueError: the cluster has no such task.
    """
    jobs = _checked(cluster_spec, task_type, task_id)
    if task_type in ("chief", "master", "evaluator"):
        return True
    return not {"chief", "master"} & jobs.keys() and task_type == "worker" and task_id == 0


def worker_count(cluster_spec: Any, task_type: str) -> int:
    """How many workers train, the chief included; evaluators are counted by themselves.

    Raises:
        ValueError: a task of that type is no worker.
    """
    if task_type not in ("chief", "worker", "evaluator"):
        raise ValueError(f"Unexpected `task_type` {task_type!r}: it is no worker")
    jobs = normalized(cluster_spec).as_dict()
    names = ("evaluator",) if task_type == "evaluator" else ("chief", "worker")
    return sum(len(jobs.get(name, ())) for name in names)


def id_in_cluster(cluster_spec: Any, task_type: str, task_id: int) -> int:
    """The number of a worker among all that train, the chief first.

    Raises:
        ValueError: the cluster has no such task, or it is no worker.
    """
    jobs = _checked(cluster_spec, task_type, task_id)
    if task_type == "worker":
        return task_id + len(jobs.get("chief", ()))
    if task_type in ("chief", "evaluator"):
        return task_id
    raise ValueError(f"There is no id for task_type {task_type!r}: it is no worker")

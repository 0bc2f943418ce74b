"""The environment variable TF_CONFIG: which cluster there is, and which of its tasks this process has."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.train.cluster import ClusterSpec


@export("contrib.learn.TaskType")
class TaskType:
    """The names of the jobs of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


@dataclass(frozen=True)
class Role:
    """What a process is in a cluster; by default the only process there is."""

    cluster_spec: ClusterSpec
    task_type: str = TaskType.WORKER
    task_id: int = 0
    master: str = ""
    evaluation_master: str = ""
    is_chief: bool = True
    num_ps_replicas: int = 0
    num_worker_replicas: int = 1
    global_id_in_cluster: int | None = 0


def read_environment() -> dict[str, Any]:
    """The content of TF_CONFIG; empty when it is not set.

    Raises:
        ValueError: it is no JSON, or its model_dir is empty.
        TypeError: its service is no dict.
    """
    settings = json.loads(os.environ.get("TF_CONFIG") or "{}")
    if settings.get("model_dir") == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty")
    service = settings.get("service")
    if service is not None and not isinstance(service, dict):
        raise TypeError(f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}')
    return settings


def role_of(settings: Mapping[str, Any], protocol: str | None) -> Role:
    """The role that TF_CONFIG gives this process.

    Raises:
        ValueError: the settings contradict each other.
    """
    cluster, task = ClusterSpec(settings.get("cluster") or {}), settings.get("task") or {}
    if not cluster:
        return _local_role(settings, task)
    boss = TaskType.MASTER if TaskType.MASTER in cluster.jobs else TaskType.CHIEF
    _check_boss(cluster, boss)
    kind, number = _task(cluster, task)
    if kind == TaskType.EVALUATOR:
        return _evaluator_role(settings, number, boss)
    if "eval_session_master" in settings:
        raise ValueError(f"eval_session_master in TF_CONFIG is for the task type evaluator, not for {kind}")
    return Role(
        cluster, kind, number, master=_master(settings, cluster, kind, number, protocol), is_chief=kind == boss,
        num_ps_replicas=_count(cluster, TaskType.PS),
        num_worker_replicas=_count(cluster, TaskType.WORKER) + _count(cluster, boss),
        global_id_in_cluster=_global_id(cluster, kind, number, boss))


def role_in_step(settings: Mapping[str, Any]) -> Role:
    """The role of a worker whose strategy meets the other workers by itself: no session uses their servers.

    Raises:
        ValueError: the settings contradict each other.
    """
    cluster, task = ClusterSpec(settings.get("cluster") or {}), settings.get("task") or {}
    kind, number = _task(cluster, task)
    if kind == TaskType.EVALUATOR:
        return _evaluator_role(settings, number, TaskType.CHIEF)
    has_boss = TaskType.CHIEF in cluster.jobs
    return Role(cluster, kind, number, is_chief=kind == TaskType.CHIEF or not has_boss and number == 0,
                num_worker_replicas=_count(cluster, TaskType.WORKER) + _count(cluster, TaskType.CHIEF),
                global_id_in_cluster=number + (kind == TaskType.WORKER and has_boss))


def _local_role(settings: Mapping[str, Any], task: Mapping[str, Any]) -> Role:
    kind, number = task.get("type", TaskType.WORKER), int(task.get("index", 0))
    if kind != TaskType.WORKER:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
    if number != 0:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
    return Role(ClusterSpec({}), kind, number, master=settings.get("session_master", ""),
                evaluation_master=settings.get("eval_session_master", ""))


def _evaluator_role(settings: Mapping[str, Any], number: int, boss: str) -> Role:
    """An evaluator stands beside the cluster that trains."""
    if boss == TaskType.MASTER:
        raise ValueError("If `master` node exists in `cluster`, task_type `evaluator` is not supported.")
    return Role(ClusterSpec({}), TaskType.EVALUATOR, number, evaluation_master=settings.get("eval_session_master", ""),
                is_chief=False, num_worker_replicas=0, global_id_in_cluster=None)


def _check_boss(cluster: ClusterSpec, boss: str) -> None:
    """A cluster has one chief, or one master in its place."""
    if boss == TaskType.MASTER and TaskType.CHIEF in cluster.jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    if boss not in cluster.jobs:
        raise ValueError(f'If "cluster" is set by TF_CONFIG, it must have one "chief" node; it has {cluster.jobs}')
    if cluster.num_tasks(boss) > 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{boss}" node.')


def _task(cluster: ClusterSpec, task: Mapping[str, Any]) -> tuple[str, int]:
    """(type, number) of this task.

    Raises:
        ValueError: the cluster has no such task, or it is not said which.
    """
    kind, number = task.get("type"), task.get("index")
    if not kind:
        raise ValueError('If "cluster" is set in TF_CONFIG, the task type must be set under "task"')
    if number is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, the task index must be set under "task"')
    number = int(number)
    if number < 0:
        raise ValueError(f"Task index must be non-negative number. TF_CONFIG has {number}")
    if kind == TaskType.EVALUATOR:
        return kind, number
    if kind not in cluster.jobs:
        raise ValueError(f"{kind} is not a valid task_type: the cluster is {cluster}")
    if number >= cluster.num_tasks(kind):
        raise ValueError(f"{number} is not a valid task_id of the job {kind}: the cluster is {cluster}")
    return kind, number


def _master(settings: Mapping[str, Any], cluster: ClusterSpec, kind: str, number: int, protocol: str | None) -> str:
    """The target of sessions; a process that is alone needs no server."""
    if "session_master" in settings:
        return settings["session_master"]
    if sum(map(cluster.num_tasks, cluster.jobs)) == 1:
        return ""
    return f"{protocol or 'grpc'}://{cluster.task_address(kind, number)}"


def _count(cluster: ClusterSpec, job: str) -> int:
    return cluster.num_tasks(job) if job in cluster.jobs else 0


def _global_id(cluster: ClusterSpec, kind: str, number: int, boss: str) -> int:
    """The number of a task among all: the chief, then the other jobs by name, then the parameter servers."""
    middle = sorted(set(cluster.jobs) - {boss, TaskType.PS})
    order = [boss, *middle, TaskType.PS]
    return sum(_count(cluster, job) for job in order[:order.index(kind)]) + number


def session_config_of(role: Role) -> Any:
    """The ConfigProto by which a task sees no workers but itself; None where there is nothing to hide."""
    if not role.cluster_spec:
        return None
    seen = {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{role.task_id}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }.get(role.task_type)
    if seen is None:
        return None
    config = proto.config_pb2.ConfigProto(allow_soft_placement=True, device_filters=seen)
    rewriting = config.graph_options.rewrite_options
    rewriting.meta_optimizer_iterations = proto.rewriter_config_pb2.RewriterConfig.ONE
    return config

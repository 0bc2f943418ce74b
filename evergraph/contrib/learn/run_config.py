"""tf.contrib.learn.RunConfig: the settings of runs as they were called before tf.estimator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.estimator.run_config import RunConfig as CoreRunConfig
from evergraph.estimator.tf_config import Role, TaskType, read_environment
from evergraph.train.cluster import ClusterSpec

_DEFAULT = object()
_NOT_COUNTED = frozenset({
    "tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs", "session_config",
    "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
})


class Environment:
    """The names of places where programs run."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


@export("contrib.learn.RunConfig")
class RunConfig(CoreRunConfig):
    """A tf.estimator.RunConfig with settings of sessions as arguments.

    Args:
        master: the target of sessions; by default as TF_CONFIG says.
        num_cores: the number of threads of sessions; 0 lets the system choose.
        log_device_placement: whether to log where nodes are.
        gpu_memory_fraction: the part of a GPU's memory that a session may take.
        tf_random_seed: the graph-level seed.
        save_summary_steps: the number of steps between summaries.
        save_checkpoints_secs: the number of seconds between checkpoints, 600 unless `save_checkpoints_steps` is given.
        save_checkpoints_steps: the number of steps between checkpoints.
        keep_checkpoint_max: how many checkpoints to keep.
        keep_checkpoint_every_n_hours: one checkpoint of so many hours is kept for good.
        log_step_count_steps: the number of steps between logs of the loss and the speed.
        protocol: the protocol of the cluster's servers.
        evaluation_master: the target of sessions that evaluate.
        model_dir: the directory of checkpoints and events.
        session_config: the ConfigProto of sessions, in place of the one that the first arguments make.
    """

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = _DEFAULT,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float | None = 10000,
        log_step_count_steps: int | None = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: Any = None,
        session_config: Any = None,
    ) -> None:
        if save_checkpoints_secs is _DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        if session_config is None:
            session_config = _session_config(num_cores, log_device_placement, gpu_memory_fraction)
        super().__init__(
            model_dir=model_dir, tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps,
            save_checkpoints_steps=None, save_checkpoints_secs=save_checkpoints_secs,
            session_config=session_config, keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, log_step_count_steps=log_step_count_steps,
            protocol=protocol)  # fmt: skip
        self._save_checkpoints_steps = save_checkpoints_steps  # beside seconds, if one likes
        self._environment = read_environment().get("environment", Environment.LOCAL)
        self._master = self._master if master is None else master
        self._evaluation_master = evaluation_master or self._evaluation_master

    def _role(self, settings: Any, protocol: str | None) -> Role:
        """As clusters were before they had chiefs: the first worker is it, or the master of one in the cloud."""
        cluster, task = ClusterSpec(settings.get("cluster") or {}), settings.get("task") or {}
        kind, number = task.get("type"), int(task.get("index", 0))
        boss = TaskType.MASTER if settings.get("environment") == Environment.CLOUD else TaskType.WORKER
        return Role(
            cluster, kind, number, master=_master(cluster, kind, number), is_chief=kind is None or (
                kind == boss and number == 0),
            num_ps_replicas=_count(cluster, TaskType.PS),
            num_worker_replicas=_count(cluster, TaskType.WORKER) + _count(cluster, TaskType.MASTER))

    environment = property(lambda self: self._environment, doc="Where the program runs, as TF_CONFIG says.")

    def uid(self, whitelist: Iterable[str] | None = None) -> str:
        """A text that is the same for configurations that are the same.

        Args:
            whitelist: the settings that do not count; by default those of seeds, summaries, checkpoints and sessions.
        """
        ignored = _NOT_COUNTED if whitelist is None else set(whitelist)
        counted = {name: value for name, value in sorted(vars(self).items()) if name.removeprefix("_") not in ignored}
        return ", ".join(f"{name}={_text(value)}" for name, value in counted.items())

    @property
    def tf_config(self) -> Any:
        """The ConfigProto of sessions."""
        return self._session_config


def _text(value: Any) -> str:
    return repr(sorted(value.as_dict().items())) if isinstance(value, ClusterSpec) else repr(value)


def _count(cluster: ClusterSpec, job: str) -> int:
    return cluster.num_tasks(job) if job in cluster.jobs else 0


def _master(cluster: ClusterSpec, kind: str | None, number: int) -> str:
    """The target of sessions of a task.

    Raises:
        ValueError: the cluster has no such task.
    """
    if not cluster or not kind:
        return ""
    if sum(cluster.num_tasks(job) for job in cluster.jobs) == 1:
        return ""
    if kind not in cluster.jobs:
        raise ValueError(f"{kind} is not a valid task_type: the jobs of cluster_spec are {cluster.jobs}")
    if not 0 <= number < cluster.num_tasks(kind):
        raise ValueError(f"{number} is not a valid task_id for task_type {kind}, which has {cluster.num_tasks(kind)}")
    return f"grpc://{cluster.task_address(kind, number)}"


def _session_config(num_cores: int, log_device_placement: bool, gpu_memory_fraction: float) -> Any:
    options = proto.config_pb2.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction)
    return proto.config_pb2.ConfigProto(
        log_device_placement=log_device_placement, inter_op_parallelism_threads=num_cores,
        intra_op_parallelism_threads=num_cores, gpu_options=options)  # fmt: skip

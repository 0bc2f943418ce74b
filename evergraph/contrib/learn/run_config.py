"""tf.contrib.learn.RunConfig: the settings of runs as they were called before tf.estimator."""

from __future__ import annotations

from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.estimator.run_config import RunConfig as CoreRunConfig

_DEFAULT = object()


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
            save_checkpoints_steps=save_checkpoints_steps, save_checkpoints_secs=save_checkpoints_secs,
            session_config=session_config, keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, log_step_count_steps=log_step_count_steps,
            protocol=protocol)  # fmt: skip
        self._master = self._master if master is None else master
        self._evaluation_master = evaluation_master or self._evaluation_master

    @property
    def tf_config(self) -> Any:
        """The ConfigProto of sessions."""
        return self._session_config


def _session_config(num_cores: int, log_device_placement: bool, gpu_memory_fraction: float) -> Any:
    options = proto.config_pb2.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction)
    return proto.config_pb2.ConfigProto(
        log_device_placement=log_device_placement, inter_op_parallelism_threads=num_cores,
        intra_op_parallelism_threads=num_cores, gpu_options=options)  # fmt: skip

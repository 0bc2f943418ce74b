"""How a TPUEstimator runs: TPUConfig, InputPipelineConfig, and the RunConfig that holds them."""
from __future__ import annotations

import collections
import json
import os
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.run_config import _REPLACEABLE
from evergraph.estimator.run_config import RunConfig as BaseRunConfig

_CORES = (1, 2, 4, 8, 16, 32, 64, 128)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_FIELDS = ("iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training", "tpu_job_name",
           "initial_infeed_sleep_secs", "input_partition_dims", "eval_training_input_configuration",
           "experimental_host_call_every_n_steps")


@export("estimator.tpu.InputPipelineConfig", "contrib.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """Where the input function is called. With one host and one device, as here, all of them are the same place."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


@export("estimator.tpu.TPUConfig", "contrib.tpu.TPUConfig")
class TPUConfig(collections.namedtuple("TPUConfig", _FIELDS)):
    """The settings of a TPUEstimator that concern the accelerator.

    Args:
        iterations_per_loop: the number of steps between two returns to the host, or a time such as "30s". Hooks run
            after every step here, so that it has no other meaning than the check of its value.
        num_shards: the number of devices that share a batch; 1 or None, because a session has one device.
        num_cores_per_replica: the number of cores of a model that is split: 1 or None.
        per_host_input_for_training: an InputPipelineConfig, or whether the input is made for each host.
        tpu_job_name: the job with the TPUs in a cluster; by default that which TF_CONFIG names.
        initial_infeed_sleep_secs: has no meaning here: nothing waits for a queue into the device.
        input_partition_dims: how inputs of a split model are split; only None.
        eval_training_input_configuration: an InputPipelineConfig, PER_HOST_V1 or SLICED.
        experimental_host_call_every_n_steps: the host call runs in one of so many steps.

    Raises:
        ValueError: a number is not positive, or out of its range.
    """

    def __new__(cls, iterations_per_loop: Any = 2, num_shards: int | None = None,
                num_cores_per_replica: int | None = None, per_host_input_for_training: Any = True,
                tpu_job_name: str | None = None, initial_infeed_sleep_secs: int | None = None,
                input_partition_dims: Any = None,
                eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
                experimental_host_call_every_n_steps: int = 1) -> TPUConfig:
        parse_iterations_per_loop(iterations_per_loop)
        if num_shards is not None:
            check_positive(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            _check_partitions(input_partition_dims, num_cores_per_replica, per_host_input_for_training)
        if num_cores_per_replica is not None and num_cores_per_replica not in _CORES:
            raise ValueError(f"num_cores_per_replica must be {', '.join(map(str, _CORES))}; got "
                             f"{num_cores_per_replica}")
        if eval_training_input_configuration not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError("eval_training_input_configuration takes PER_HOST_V1 and SLICED alone, not "
                             f"{eval_training_input_configuration}")
        if per_host_input_for_training is True:
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1
        elif per_host_input_for_training is False:
            per_host_input_for_training = InputPipelineConfig.PER_SHARD_V1
        if initial_infeed_sleep_secs:
            check_positive(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        return super().__new__(cls, iterations_per_loop, num_shards, num_cores_per_replica,
                               per_host_input_for_training, tpu_job_name or _job_of_environment(),
                               initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
                               experimental_host_call_every_n_steps)


@export("estimator.tpu.RunConfig", "contrib.tpu.RunConfig")
class RunConfig(BaseRunConfig):
    """A tf.estimator.RunConfig for a TPUEstimator.

    Args:
        tpu_config: a TPUConfig.
        evaluation_master: the target of sessions that evaluate; by default `master`.
        master: the target of sessions.
        cluster: a cluster resolver, in place of `master`.
        **kwargs: as for tf.estimator.RunConfig.

    Raises:
        ValueError: both `cluster` and a master are given.
    """

    def __init__(self, tpu_config: TPUConfig | None = None, evaluation_master: str | None = None,
                 master: str | None = None, cluster: Any = None, **kwargs: Any) -> None:
        if cluster is not None and (master is not None or evaluation_master is not None):
            raise ValueError("cluster names the masters: set neither master nor evaluation_master beside it")
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if "session_config" not in kwargs or kwargs["session_config"] is None:
            self._session_config = None  # that of a cluster keeps workers apart, which share a TPU
        if cluster is not None:
            self._master = self._evaluation_master = cluster.master()
            return
        if master is not None:
            self._master = master
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self.task_type != "evaluator":
            self._evaluation_master = self._master

    tpu_config = property(lambda self: self._tpu_config)
    cluster = property(lambda self: self._cluster)

    def replace(self, **kwargs: Any) -> BaseRunConfig:
        """A copy with other settings; see tf.estimator.RunConfig."""
        if "tpu_config" not in kwargs:
            return super().replace(**kwargs)
        chosen = kwargs.pop("tpu_config")
        changed: Any = BaseRunConfig._replace(self, _REPLACEABLE, **kwargs)
        changed._tpu_config = chosen
        return changed


def check_positive(value: Any, name: str) -> None:
    """Raises unless the value is a positive whole number.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is not positive.
    """
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value < 1:
        raise ValueError(f"{name} must be positive, got {value}")


class IterationsPerLoop(collections.namedtuple("IterationsPerLoop", ["value", "unit"])):
    """A number of steps (unit "count") or of seconds (unit "seconds")."""


def parse_iterations_per_loop(value: Any) -> IterationsPerLoop:
    """The meaning of TPUConfig's `iterations_per_loop`: 100, "100", "30s", "5m" or "1h".

    Raises:
        ValueError: it is none of these, or not positive.
    """
    text = str(value).strip().lower()
    unit = _SECONDS.get(text[-1:])
    try:
        number = int(text[:-1] if unit else text) * (unit or 1)
    except ValueError:
        raise ValueError(f"iterations_per_loop is a number of steps, or a time such as '30s', '5m' or '1h', not "
                         f"{value!r}") from None
    if number < 1:
        raise ValueError(f"iterations_per_loop must be positive, got {value!r}")
    return IterationsPerLoop(number, "seconds" if unit else "count")


def _check_partitions(partitions: Any, cores: int | None, per_host: Any) -> None:
    if len(partitions) not in (1, 2):
        raise ValueError("input_partition_dims holds an entry for features and perhaps one for labels, but it has "
                         f"{len(partitions)}")
    if cores is None:
        raise ValueError("input_partition_dims splits inputs among cores: set num_cores_per_replica too")
    if per_host is not InputPipelineConfig.PER_HOST_V2:
        raise ValueError("input_partition_dims needs per_host_input_for_training=PER_HOST_V2")


def _job_of_environment() -> str | None:
    """The job that TF_CONFIG gives the TPUs."""
    return json.loads(os.environ.get("TF_CONFIG") or "{}").get("service", {}).get("tpu_worker_job_name")

# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.tpu."""

from collections.abc import Callable, Sequence
from evergraph.estimator import Estimator, EstimatorSpec, RunConfig as _RunConfig
from typing import Any, NamedTuple, Self
from evergraph.estimator.tpu import experimental as experimental

import sys
if sys.platform == "":
    del (
        config, context, embeddings, error_rendezvous, estimator, files, hooks, inference, spec,
    )

class InputPipelineConfig:
    """Where the input function is called."""
    PER_SHARD_V1: int
    PER_HOST_V1: int
    PER_HOST_V2: int
    BROADCAST: int
    SLICED: int

class RunConfig(_RunConfig):
    """A tf.estimator.RunConfig for a TPUEstimator."""
    @property
    def tpu_config(self) -> Any: ...
    @property
    def cluster(self) -> Any: ...
    def replace(self, **kwargs: Any) -> _RunConfig:
        """A copy with other settings; see tf.estimator.RunConfig."""
    def __init__(
        self, tpu_config: TPUConfig | None = None, evaluation_master: str | None = None,
        master: str | None = None, cluster: Any = None, **kwargs: Any,
    ) -> None: ...

class _TPUConfig(NamedTuple):
    iterations_per_loop: Any
    num_shards: Any
    num_cores_per_replica: Any
    per_host_input_for_training: Any
    tpu_job_name: Any
    initial_infeed_sleep_secs: Any
    input_partition_dims: Any
    eval_training_input_configuration: Any
    experimental_host_call_every_n_steps: Any

class TPUConfig(_TPUConfig):
    """The settings of a TPUEstimator that concern the accelerator."""
    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: int | None = None,
        num_cores_per_replica: int | None = None, per_host_input_for_training: Any = True,
        tpu_job_name: str | None = None, initial_infeed_sleep_secs: int | None = None,
        input_partition_dims: Any = None, eval_training_input_configuration: int = 2,
        experimental_host_call_every_n_steps: int = 1,
    ) -> Self: ...

class TPUEstimator(Estimator):
    """An Estimator for accelerators, here for the device that JAX has, be it a TPU, a GPU or a CPU."""
    def __init__(
        self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None,
        config: RunConfig | None = None, params: Any = None, use_tpu: bool = True,
        train_batch_size: int | None = None, eval_batch_size: int | None = None,
        predict_batch_size: int | None = None, batch_axis: Sequence[int] | None = None,
        eval_on_tpu: bool = True, export_to_tpu: bool = True, export_to_cpu: bool = True,
        warm_start_from: Any = None, embedding_config_spec: Any = None,
        export_saved_model_api_version: Any = ...,
    ) -> None: ...

class _TPUEstimatorSpec(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metrics: Any
    export_outputs: Any
    scaffold_fn: Any
    host_call: Any
    training_hooks: Any
    evaluation_hooks: Any
    prediction_hooks: Any

class TPUEstimatorSpec(_TPUEstimatorSpec):
    """What a model function tells a TPUEstimator about the graph it has built; see
    tf.estimator.EstimatorSpec."""
    def as_estimator_spec(self) -> EstimatorSpec:
        """The same as a tf.estimator.EstimatorSpec: metrics, scaffold and host call are made now."""
    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metrics: Any = None, export_outputs: Any = None, scaffold_fn: Any = None, host_call: Any = None,
        training_hooks: Any = None, evaluation_hooks: Any = None, prediction_hooks: Any = None,
    ) -> Self: ...

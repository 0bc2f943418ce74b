"""TPUEstimator: an Estimator whose batch sizes are its own, and are passed to the input and the model in `params`."""
from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors, logging
from evergraph.base.export import export
from evergraph.estimator.calls import call_with, declared
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.model_call import built
from evergraph.estimator.spec import EstimatorSpec
from evergraph.estimator.tpu.config import RunConfig, check_positive
from evergraph.estimator.tpu.context import TPUContext
from evergraph.estimator.tpu.embeddings import EmbeddingConfigSpec
from evergraph.estimator.tpu.spec import HostCallHook, TPUEstimatorSpec
from evergraph.frontend.blocks import device
from evergraph.train.hooks import StepCounterHook
from evergraph.train.session_run_hook import SessionRunHook

_RESERVED = ("batch_size", "context")


class ExportSavedModelApiVersion(enum.Enum):
    """Whether an exported model has a graph for TPUs (V1), or one in which a function runs on them (V2)."""

    V1 = 1
    V2 = 2


@export("estimator.tpu.TPUEstimator", "contrib.tpu.TPUEstimator")
class TPUEstimator(Estimator):
    """An Estimator for accelerators, here for the device that JAX has, be it a TPU, a GPU or a CPU.

    The input function and the model function find the size of a batch as `params["batch_size"]`, and the model function
    finds whether it runs on an accelerator as `params["use_tpu"]`. With `use_tpu` both find a TPUContext as
    `params["context"]`. The model function returns a TPUEstimatorSpec or an EstimatorSpec.
    With and without `use_tpu` the same device computes the same numbers; with it, what would not run on a TPU is
    refused: an unknown number of steps, hooks of the chief, or a batch size that is missing.

    Args:
        model_fn: builds the model; see tf.estimator.Estimator.
        model_dir: the directory of checkpoints and events.
        config: a tf.estimator.tpu.RunConfig.
        params: hyperparameters, without the keys "batch_size" and "context".
        use_tpu: whether to train, evaluate and predict as on a TPU.
        train_batch_size: the number of examples in a batch, over all devices.
        eval_batch_size: the same for evaluation.
        predict_batch_size: the same for prediction.
        batch_axis: the axis of each input along which batches are split among devices; has no meaning for one device.
        eval_on_tpu: whether to evaluate as on a TPU.
        export_to_tpu: whether an exported model has a graph for TPUs beside the plain one. There is only the plain one,
            which runs on every device.
        export_to_cpu: whether an exported model has a plain graph.
        warm_start_from: see tf.estimator.Estimator.
        embedding_config_spec: describes the embeddings that TPUs hold, an EmbeddingConfigSpec; only with
            use_tpu=False, where the optimizer of the model trains these tables.
        export_saved_model_api_version: how graphs for TPUs are exported; has no meaning without them.

    Raises:
        ValueError: `config` is no RunConfig for TPUs, `params` has a reserved key, or a batch size is missing.
        UnimplementedError: embeddings on TPUs, or more than one device, are asked for.
    """

    _OVERRIDABLE = Estimator._OVERRIDABLE | {
        "_OVERRIDABLE", "_call_input_fn", "_call_model_fn", "_convert_train_steps_to_hooks",
        "_convert_eval_steps_to_hooks"}

    def __init__(self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None,
                 config: RunConfig | None = None, params: Any = None, use_tpu: bool = True,
                 train_batch_size: int | None = None, eval_batch_size: int | None = None,
                 predict_batch_size: int | None = None, batch_axis: Sequence[int] | None = None,
                 eval_on_tpu: bool = True, export_to_tpu: bool = True, export_to_cpu: bool = True,
                 warm_start_from: Any = None, embedding_config_spec: Any = None,
                 export_saved_model_api_version: Any = ExportSavedModelApiVersion.V1) -> None:
        if config is None or not isinstance(config, RunConfig):
            raise ValueError(f"TPUEstimator needs a config of the class tf.estimator.tpu.RunConfig, not {config!r}")
        if params is not None and any(key in params for key in _RESERVED):
            raise ValueError(f"TPUEstimator itself sets {_RESERVED}, which params must not hold: {params}")
        if embedding_config_spec is not None:
            _check_embeddings(embedding_config_spec, use_tpu)
        if not export_to_cpu:
            raise ValueError("export_to_cpu=False leaves nothing to export: the plain graph runs on every device")
        self._batch_sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
                             ModeKeys.PREDICT: predict_batch_size}
        self._on_tpu = {ModeKeys.TRAIN: use_tpu, ModeKeys.EVAL: use_tpu and eval_on_tpu, ModeKeys.PREDICT: use_tpu}
        if use_tpu:
            self._check_devices(config)
        self._log_every_n_steps = config.log_step_count_steps
        self._tpu_config = config.tpu_config
        super().__init__(model_fn, model_dir, config.replace(log_step_count_steps=None), params, warm_start_from)

    def _check_devices(self, config: RunConfig) -> None:
        """Raises for what one device cannot do."""
        if self._batch_sizes[ModeKeys.TRAIN] is None:
            raise ValueError("TPUEstimator needs train_batch_size, got None")
        for mode, size in self._batch_sizes.items():
            if size is not None:
                check_positive(size, f"batch size of {mode}")
        for name in ("num_shards", "num_cores_per_replica"):
            if (getattr(config.tpu_config, name) or 1) > 1:
                raise errors.UnimplementedError(
                    None, None, f"TPUConfig({name}={getattr(config.tpu_config, name)}) with use_tpu=True: a session "
                    "has one device; leave it out, or set use_tpu=False")

    def _params_for(self, mode: str, **more: Any) -> Any:
        """A copy of the hyperparameters with the size of a batch."""
        params, size = copy.deepcopy(self._params), self._batch_sizes.get(mode)
        if size is not None:
            more["batch_size"] = size
        for key, value in more.items():
            if not hasattr(params, "set_hparam"):
                params[key] = value
            elif key in params:
                params.set_hparam(key, value)
            else:
                params.add_hparam(key, value)
        return params

    def _context(self, mode: str, is_model_fn: bool = False) -> dict[str, Any]:
        """What a function learns about devices, where it is to run as on a TPU."""
        return {"context": TPUContext(is_model_fn)} if self._on_tpu[mode] else {}

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, **offered: Any) -> Any:
        if "params" not in declared(input_fn):
            raise ValueError(f"input_fn {input_fn} must take params: TPUEstimator gives it the size of batches as "
                             'params["batch_size"]')
        if self._on_tpu[mode] and self._batch_sizes[mode] is None:
            raise ValueError(f"TPUEstimator needs {'predict' if mode == ModeKeys.PREDICT else mode}_batch_size for "
                             f"mode {mode!r}, got None")
        with device("/cpu:0"):
            params = self._params_for(mode, **self._context(mode))
            return call_with(input_fn, mode=mode, params=params, config=self.config, **offered)

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        on_tpu = self._on_tpu[mode]
        if not on_tpu:
            logging.info("Running %s on CPU/GPU", mode)
        params = self._params_for(mode, use_tpu=on_tpu, **self._context(mode, is_model_fn=True))
        return self._as_estimator_spec(built(self._model_fn, features, labels, mode, params, config), mode)

    def _as_estimator_spec(self, spec: Any, mode: str) -> EstimatorSpec:
        """What the model function returned, with the hooks of a TPUEstimator."""
        if isinstance(spec, TPUEstimatorSpec):
            spec = spec.as_estimator_spec()
        elif self._on_tpu[mode] and mode != ModeKeys.PREDICT:
            raise RuntimeError(f"model_fn must return a TPUEstimatorSpec for mode {mode!r} on TPUs, not {type(spec)}")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError(f"model_fn should return a TPUEstimatorSpec or an EstimatorSpec, not {spec!r}")
        for hook in spec.training_hooks:
            if isinstance(hook, HostCallHook):
                hook.every_n_steps = self._tpu_config.experimental_host_call_every_n_steps
        size = self._batch_sizes.get(mode)
        if mode != ModeKeys.TRAIN or self._log_every_n_steps is None or size is None:
            return spec
        counter = ExamplesPerSecondHook(size, self._log_every_n_steps, output_dir=self.model_dir)
        return spec._replace(training_hooks=(*spec.training_hooks, counter))

    def _convert_train_steps_to_hooks(self, steps: int | None, max_steps: int | None) -> list[SessionRunHook]:
        if self._on_tpu[ModeKeys.TRAIN] and steps is None and max_steps is None:
            raise ValueError("training on TPUs needs steps or max_steps, got None for both")
        return super()._convert_train_steps_to_hooks(steps, max_steps)

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[SessionRunHook]:
        if self._on_tpu[ModeKeys.EVAL] and steps is None:
            raise ValueError("evaluation on TPUs needs steps, got None")
        return super()._convert_eval_steps_to_hooks(steps)


def _check_embeddings(spec: EmbeddingConfigSpec, use_tpu: bool) -> None:
    """Raises for tables that only the embedding cores of TPUs can hold."""
    if not isinstance(spec, EmbeddingConfigSpec):
        raise ValueError(f"embedding_config_spec must be an EmbeddingConfigSpec, not {spec!r}")
    if use_tpu:
        raise errors.UnimplementedError(
            None, None, "TPUEstimator: embedding_config_spec with use_tpu=True is not supported; with use_tpu=False "
            "the optimizer of the model trains the same columns")
    if spec.partition_strategy == "mod":
        raise ValueError("with use_tpu=False embeddings take the partition_strategy 'div', got 'mod'")


class ExamplesPerSecondHook(StepCounterHook):
    """Measures steps and examples per second, logs them and writes them as summaries.

    Args:
        batch_size: the number of examples in a step.
        every_n_steps: the number of steps between measurements.
        output_dir: the directory of the event file.
    """

    def __init__(self, batch_size: int, every_n_steps: int | None = 100, output_dir: str | None = None) -> None:
        super().__init__(every_n_steps, output_dir=output_dir)
        self._batch_size = batch_size

    def _record(self, rate: float, step: int) -> None:
        super()._record(rate, step)
        self._write("examples/sec", rate * self._batch_size, step)

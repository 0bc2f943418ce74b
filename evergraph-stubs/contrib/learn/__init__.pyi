# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn."""

from collections.abc import Callable, Mapping, Sequence
from evergraph.estimator import (
    Estimator as _Estimator, EstimatorSpec, Exporter, LatestExporter, RunConfig as _RunConfig,
    SessionRunHook,
)
from typing import Any, NamedTuple, Self
from evergraph.contrib.learn import (
    datasets as datasets, estimators as estimators, learn_runner as learn_runner, monitors as monitors,
    preprocessing as preprocessing, utils as utils,
)

import sys
if sys.platform == "":
    del (
        estimator, experiment, metric_spec, mnist, mode_keys, run_config, runs, vocabulary,
    )

class Estimator:
    """An Estimator of tf.contrib.learn, over a tf.estimator.Estimator."""
    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
    @property
    def params(self) -> Any:
        """The hyperparameters."""
    def core(self, metrics: Mapping[Any, Any] | None = None) -> _Estimator:
        """The tf.estimator.Estimator below, whose evaluations have further metrics."""
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        steps: int | None = None, batch_size: int | None = None, monitors: Any = None,
        max_steps: int | None = None,
    ) -> Estimator:
        """Trains the model."""
    def partial_fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None, steps: int | None = 1,
        batch_size: int | None = None, monitors: Any = None,
    ) -> Estimator:
        """Trains on; see `fit`."""
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None, feed_fn: Any = None,
        batch_size: int | None = None, steps: int | None = None, metrics: Mapping[Any, Any] | None = None,
        name: str | None = None, checkpoint_path: str | None = None, hooks: Any = None,
        log_progress: bool = True,
    ) -> dict[str, Any]:
        """Evaluates the model."""
    def predict(
        self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input."""
    def export_savedmodel(
        self, export_dir_base: Any, serving_input_fn: Callable[[], Any],
        default_output_alternative_key: str | None = None, assets_extra: Any = None, as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds."""
    def get_variable_names(self) -> list[str]:
        """The names of the variables of the latest checkpoint."""
    def get_variable_value(self, name: str) -> Any:
        """The value of a variable of the latest checkpoint."""
    def __init__(
        self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None, config: Any = None,
        params: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
    ) -> None: ...

class Experiment:
    """An Estimator with what it is trained and evaluated on."""
    @property
    def estimator(self) -> _Estimator | Estimator:
        """The Estimator."""
    @property
    def train_steps(self) -> int | None:
        """The global step to train to."""
    @property
    def eval_steps(self) -> int | None:
        """The number of batches to evaluate."""
    def train(self) -> _Estimator | Estimator:
        """Trains; gives the Estimator."""
    def evaluate(self, name: str | None = None) -> dict[str, Any]:
        """Evaluates the latest checkpoint; gives the metrics."""
    def train_and_evaluate(self) -> Any:
        """Trains and evaluates in turns; gives the last metrics and what was exported."""
    def test(self) -> dict[str, Any]:
        """Tries everything: one step of training, one batch of evaluation."""
    def __init__(
        self, estimator: _Estimator | Estimator, train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any], eval_metrics: Any = None, train_steps: int | None = None,
        eval_steps: int | None = 100, train_monitors: Sequence[SessionRunHook] | None = None,
        eval_hooks: Sequence[SessionRunHook] | None = None, local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120, continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None, delay_workers_by_global_step: bool = False,
        export_strategies: Exporter | Sequence[Exporter] | None = None,
        train_steps_per_iteration: int | None = None, checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
    ) -> None: ...

class InputFnOps(NamedTuple):
    """The input of a served model: features, labels or None, and the tensors to feed by name."""
    features: Any
    labels: Any
    default_inputs: Any

class MetricSpec:
    """A metric of an evaluation."""
    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """What `metric_fn` returns for the features, labels and predictions of a model."""
    def __init__(
        self, metric_fn: Callable[..., Any], prediction_key: str | None = None, label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None: ...
    metric_fn: Any
    prediction_key: Any
    label_key: Any
    weight_key: Any

class ModeKeys:
    """The names of the three modes."""
    TRAIN: str
    EVAL: str
    INFER: str

class _Ops(NamedTuple):
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    mode: Any

class ModelFnOps(_Ops):
    """What the model function of a `tf.contrib.learn.Estimator` returns."""
    def estimator_spec(self, default_serving_output_alternative_key: str | None = None) -> EstimatorSpec:
        """The same as a tf.estimator.EstimatorSpec."""
    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, output_alternatives: Any = None, training_chief_hooks: Any = None,
        training_hooks: Any = None, scaffold: Any = None,
    ) -> Self: ...

class RunConfig(_RunConfig):
    """A tf.estimator.RunConfig with settings of sessions as arguments."""
    @property
    def tf_config(self) -> Any:
        """The ConfigProto of sessions."""
    def __init__(
        self, master: str | None = None, num_cores: int = 0, log_device_placement: bool = False,
        gpu_memory_fraction: float = 1, tf_random_seed: int | None = None, save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = ..., save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5, keep_checkpoint_every_n_hours: float | None = 10000,
        log_step_count_steps: int | None = 100, protocol: str | None = None, evaluation_master: str = '',
        model_dir: Any = None, session_config: Any = None,
    ) -> None: ...

class SKCompat:
    """An Estimator with the methods of scikit-learn's: `fit`, `predict` and `score` of arrays."""
    def fit(
        self, x: Any, y: Any, batch_size: int | None = 128, steps: int | None = None,
        max_steps: int | None = None, monitors: Any = None,
    ) -> SKCompat:
        """Trains the model; see `tf.contrib.learn.Estimator.fit`."""
    def score(
        self, x: Any, y: Any, batch_size: int | None = 128, steps: int | None = None, metrics: Any = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """The metrics of the model; see `tf.contrib.learn.Estimator.evaluate`."""
    def predict(self, x: Any, batch_size: int | None = 128, outputs: Any = None) -> Any:
        """The predictions for all examples, arrays."""
    def __init__(self, estimator: Estimator) -> None: ...

class TaskType:
    """The names of the jobs of a cluster."""
    MASTER: str
    PS: str
    WORKER: str
    CHIEF: str
    EVALUATOR: str

def make_export_strategy(
    serving_input_fn: Callable[[], Any], default_output_alternative_key: str | None = None,
    assets_extra: Any = None, as_text: bool = False, exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> LatestExporter:
    """An exporter for Experiments: a tf.estimator.LatestExporter whose directory is "Servo"."""

def run_n(
    output_dict: Mapping[str, Any], feed_dict: Mapping[Any, Any] | None = None,
    restore_checkpoint_path: str | None = None, n: int = 1,
) -> list[dict[str, Any]]:
    """The values of tensors in several runs with the same feeds, in a session whose variables are
    initialized."""

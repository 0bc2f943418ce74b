# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from evergraph import Graph, Operation
from evergraph.estimator import Estimator as _Estimator, EstimatorSpec, RunConfig as _RunConfig, SessionRunHook
from evergraph.estimator.export import ExportOutput
from typing import Any, NamedTuple, Self
from evergraph.contrib.learn import (
    datasets as datasets, estimators as estimators, graph_actions as graph_actions, io as io,
    learn_runner as learn_runner, models as models, monitors as monitors, ops as ops,
    preprocessing as preprocessing, utils as utils,
)

import sys
if sys.platform == "":
    del (
        bundle_export, canned, combined, composable, dnn, downloads, estimator, experiment, feeders, heads,
        iris_inputs, keys, linear, metric_spec, mnist, mnist_network, mode_keys, model_fn, readers,
        recurrent, rnn_common, run_config, saved_model_export, saved_states, scores, serving_inputs,
        signatures, simple, tables, vocabulary,
    )

class BaseEstimator(Evaluable, Trainable):
    """The methods of tf.contrib.learn's Estimators."""
    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
    def core(self, metrics: Mapping[Any, Any] | None = None, head: str | None = None) -> _Estimator:
        """The tf.estimator.Estimator below, with further metrics, or serving one of several heads."""
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        steps: int | None = None, batch_size: int | None = None, monitors: Any = None,
        max_steps: int | None = None,
    ) -> Self:
        """Trains the model."""
    def partial_fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None, steps: int | None = 1,
        batch_size: int | None = None, monitors: Any = None,
    ) -> Any:
        """Trains on; see `fit`."""
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[[], Any] | None = None, batch_size: int | None = None, steps: int | None = None,
        metrics: Mapping[Any, Any] | None = None, name: str | None = None, checkpoint_path: str | None = None,
        hooks: Any = None, log_progress: bool = True,
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
        checkpoint_path: str | None = None, strip_default_attrs: bool = False,
    ) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds."""
    def export(
        self, export_dir: Any, input_fn: Callable[[], Any] | None = None, input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True, signature_fn: Any = None, prediction_key: str | None = None,
        default_batch_size: int | None = 1, exports_to_keep: int | None = None,
        checkpoint_path: str | None = None,
    ) -> Any:
        """Exports the model in the form from before SavedModels, below a directory for each global step."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]:
        """(what makes the signatures of `export`, the prediction that it exports)."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def get_variable_names(self) -> list[str]:
        """The names of the variables of the latest checkpoint."""
    def get_variable_value(self, name: str) -> Any:
        """The value of a variable of the latest checkpoint."""
    def __init__(self, model_dir: Any = None, config: Any = None) -> None: ...

class DNNClassifier(Estimator):
    """A deep network that tells classes apart."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: str | None = None, optimizer: Any = None, activation_fn: Any = ...,
        dropout: float | None = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None,
    ) -> None: ...

class DNNEstimator(Estimator):
    """A deep network under a head."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, head: Head, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
        optimizer: Any = None, activation_fn: Any = ..., dropout: float | None = None,
        gradient_clip_norm: float | None = None, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None,
    ) -> None: ...

class DNNLinearCombinedClassifier(Estimator):
    """A linear model and a deep network, whose logits are added, that tell classes apart."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: str | None = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
        dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = ...,
        dnn_dropout: float | None = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None, fix_global_step_increment_bug: bool = False,
    ) -> None: ...

class DNNLinearCombinedEstimator(Estimator):
    """A linear model and a deep network, whose logits are added, under a head."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, head: Head, model_dir: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None, gradient_clip_norm: float | None = None, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        fix_global_step_increment_bug: bool = False, input_layer_min_slice_size: int | None = None,
    ) -> None: ...

class DNNLinearCombinedRegressor(Estimator):
    """A linear model and a deep network, whose logits are added, that predict numbers."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores."""
    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The number for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, model_dir: Any = None, weight_column_name: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = ...,
        dnn_dropout: float | None = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, label_dimension: int = 1, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None, fix_global_step_increment_bug: bool = False,
    ) -> None: ...

class DNNRegressor(Estimator):
    """A deep network that predicts numbers."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores."""
    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The number for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
        weight_column_name: str | None = None, optimizer: Any = None, activation_fn: Any = ...,
        dropout: float | None = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        label_dimension: int = 1, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
    ) -> None: ...

class DebugClassifier(Estimator):
    """A classifier that looks at no feature: it predicts how often each class occurs, to compare others
    with."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: str | None = None,
        config: Any = None, feature_engineering_fn: Any = None, label_keys: Sequence[str] | None = None,
    ) -> None: ...

class DebugRegressor(Estimator):
    """A regressor that looks at no feature: it predicts the mean of labels, to compare others with."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores."""
    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The number for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column_name: str | None = None,
        config: Any = None, feature_engineering_fn: Any = None,
    ) -> None: ...

class DynamicRnnEstimator(Estimator):
    """A recurrent network over whole sequences; new programs use tf.contrib.estimator.RNNEstimator."""
    def __init__(
        self, problem_type: int, prediction_type: int, sequence_feature_columns: Sequence[Any],
        context_feature_columns: Sequence[Any] | None = None, num_classes: int | None = None,
        num_units: Any = None, cell_type: Any = 'basic_rnn', optimizer: Any = 'SGD', learning_rate: float = 0.1,
        predict_probabilities: bool = False, momentum: float | None = None,
        gradient_clipping_norm: float | None = 5.0, dropout_keep_probabilities: Sequence[float] | None = None,
        model_dir: Any = None, feature_engineering_fn: Callable[..., Any] | None = None, config: Any = None,
    ) -> None: ...

class Estimator(BaseEstimator):
    """An Estimator of tf.contrib.learn, over a tf.estimator.Estimator."""
    @property
    def params(self) -> Any:
        """The hyperparameters."""
    def __init__(
        self, model_fn: Callable[..., Any] | None = None, model_dir: Any = None, config: Any = None,
        params: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
    ) -> None: ...

class Evaluable:
    """What can be evaluated."""
    @property
    def model_dir(self) -> None:
        """The directory of checkpoints and events."""
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None,
        batch_size: int | None = None, steps: int | None = None, metrics: Any = None, name: str | None = None,
        checkpoint_path: str | None = None, hooks: Any = None,
    ) -> None:
        """Evaluates; see `tf.contrib.learn.Estimator.evaluate`."""

class Experiment:
    """An Estimator with what it is trained and evaluated on."""
    @property
    def estimator(self) -> Any:
        """The Estimator."""
    @property
    def eval_metrics(self) -> Any:
        """The further metrics."""
    @property
    def train_steps(self) -> int | None:
        """The global step to train to."""
    @property
    def eval_steps(self) -> int | None:
        """The number of batches to evaluate."""
    def extend_train_hooks(self, additional_hooks: Sequence[Any]) -> None:
        """Adds hooks, or monitors, of training."""
    def reset_export_strategies(self, new_export_strategies: Any = None) -> list[ExportStrategy]:
        """Takes other strategies; returns those from before."""
    def train(self, delay_secs: float | None = None) -> Any:
        """Trains, as a worker of a cluster does: with a server, and later the higher its number is."""
    def run_std_server(self) -> None:
        """Serves as a task of the cluster, without end."""
    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the latest checkpoint; gives the metrics."""
    def continuous_eval(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Any = None,
        name: str = 'continuous',
    ) -> None:
        """Evaluates and exports checkpoints as they appear, until that of the last step."""
    def continuous_eval_on_train_data(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Any = None, name: str = 'continuous_on_train_data',
    ) -> None:
        """As `continuous_eval`, on the input of training."""
    def train_and_evaluate(self) -> tuple[Any, Any]:
        """Trains, evaluates meanwhile and at the end, and exports; gives (the last metrics, what was
        exported)."""
    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Any = None) -> tuple[Any, Any]:
        """Trains and evaluates in turns; gives (the last metrics, what was exported)."""
    def local_run(self) -> tuple[Any, Any]:
        """`train_and_evaluate` with `local_eval_frequency`."""
    def test(self) -> tuple[Any, Any]:
        """Tries everything: one step of training, one batch of evaluation, and the exports."""
    def __init__(
        self, estimator: Any, train_input_fn: Callable[..., Any], eval_input_fn: Callable[..., Any],
        eval_metrics: Any = None, train_steps: int | None = None, eval_steps: int | None = 100,
        train_monitors: Sequence[Any] | None = None, eval_hooks: Sequence[SessionRunHook] | None = None,
        local_eval_frequency: int | None = None, eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60, min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False, export_strategies: Any = None,
        train_steps_per_iteration: int | None = None, checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
    ) -> None: ...

class ExportStrategy(NamedTuple):
    """When and how an Experiment exports."""
    name: Any
    export_fn: Any
    strip_default_attrs: Any = None
    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: Any = None, eval_result: Any = None,
    ) -> Any:
        """Exports; returns the directory."""

class Head:
    """The top of a model: what it makes of logits and labels in each mode."""
    @property
    def logits_dimension(self) -> int:
        """The size of the last axis of the logits."""
    def create_model_fn_ops(
        self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None, logits: Any = None,
        logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:
        """What a model function returns."""

class InputFnOps(NamedTuple):
    """The input of a served model: features, labels or None, and the tensors to feed by name."""
    features: Any
    labels: Any
    default_inputs: Any

class KMeansClustering(BaseEstimator):
    """K-means clustering, of the whole data at once or of mini-batches."""
    SQUARED_EUCLIDEAN_DISTANCE: str
    COSINE_DISTANCE: str
    RANDOM_INIT: str
    KMEANS_PLUS_PLUS_INIT: str
    SCORES: str
    CLUSTER_IDX: str
    CLUSTERS: str
    ALL_SCORES: str
    def predict_cluster_idx(self, input_fn: Callable[..., Any]) -> Any:
        """Yields the number of the nearest cluster of each point."""
    def score(self, input_fn: Callable[..., Any] | None = None, steps: int | None = None) -> float:
        """The sum of the distances of points to their clusters."""
    def transform(self, input_fn: Callable[..., Any] | None = None, as_iterable: bool = False) -> Any:
        """The distances of each point to all clusters."""
    def clusters(self) -> Any:
        """The centers."""
    def __init__(
        self, num_clusters: int, model_dir: Any = None, initial_clusters: Any = 'random',
        distance_metric: str = 'squared_euclidean', random_seed: int = 0, use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None,
    ) -> None: ...

class LinearClassifier(Estimator):
    """A linear model that tells classes apart."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: str | None = None, optimizer: Any = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, _joint_weight: bool = False, config: Any = None,
        feature_engineering_fn: Any = None, label_keys: Sequence[str] | None = None,
    ) -> None: ...

class LinearEstimator(Estimator):
    """A linear model under a head."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, feature_columns: Any, head: Head, model_dir: Any = None, weight_column_name: str | None = None,
        optimizer: Any = None, gradient_clip_norm: float | None = None, _joint_weights: bool = False,
        config: Any = None, feature_engineering_fn: Any = None,
    ) -> None: ...

class LinearRegressor(Estimator):
    """A linear model that predicts numbers."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores."""
    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The number for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, weight_column_name: str | None = None,
        optimizer: Any = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None: ...

def LogisticRegressor(
    model_fn: Callable[..., Any], thresholds: Sequence[float] | None = None, model_dir: Any = None,
    config: Any = None, feature_engineering_fn: Any = None,
) -> Estimator:
    """An Estimator with the metrics of a logistic regression."""

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
        """The same as a tf.estimator.EstimatorSpec, without the metric "loss", which tf.estimator has by
        itself."""
    def whole_spec(self, exports: dict[str, ExportOutput] | None) -> EstimatorSpec:
        """An EstimatorSpec with all metrics, and with these exports."""
    def exports(self, default_key: str | None = None) -> dict[str, ExportOutput] | None:
        """What is exported by name of head, with the default one under the default key too; None unless
        predicting."""
    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, output_alternatives: Any = None, training_chief_hooks: Any = None,
        training_hooks: Any = None, scaffold: Any = None,
    ) -> Self: ...

class NotFittedError(ValueError, AttributeError):
    """An Estimator was asked for something that only training gives it."""

class PredictionKey:
    """The names of predictions."""
    CLASSES: str
    PROBABILITIES: str
    LOGITS: str
    LOGISTIC: str
    SCORES: str
    TOP_K: str
    GENERIC: str

class ProblemType:
    """What a model predicts, which decides how it is exported."""
    UNSPECIFIED: int
    CLASSIFICATION: int
    LINEAR_REGRESSION: int
    LOGISTIC_REGRESSION: int

class RunConfig(_RunConfig):
    """A tf.estimator.RunConfig with settings of sessions as arguments."""
    @property
    def environment(self) -> Any:
        """Where the program runs, as TF_CONFIG says."""
    def uid(self, whitelist: Iterable[str] | None = None) -> str:
        """A text that is the same for configurations that are the same."""
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
    def __init__(self, estimator: BaseEstimator) -> None: ...

class SVM(Estimator):
    """A support vector machine for two classes: a linear model with the hinge loss, trained by SDCA."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
        model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        num_loss_partitions: int = 1, kernels: Any = None, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None: ...

class TaskType:
    """The names of the jobs of a cluster."""
    MASTER: str
    PS: str
    WORKER: str
    CHIEF: str
    EVALUATOR: str

class Trainable:
    """What can be trained."""
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Any = None, steps: int | None = None,
        batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None,
    ) -> None:
        """Trains; see `tf.contrib.learn.Estimator.fit`."""

def binary_svm_head(
    label_name: str | None = None, weight_column_name: str | None = None,
    enable_centered_bias: bool = False, head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
) -> Head:
    """A head for two classes, whose loss is the hinge loss."""

def build_default_serving_input_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None,
) -> Callable[[], InputFnOps]:
    """A function that builds an input of which each feature is fed by itself."""

def build_parsing_serving_input_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None,
) -> Callable[[], InputFnOps]:
    """A function that builds an input of serialized Examples."""

def evaluate(
    graph: Graph, output_dir: Any, checkpoint_path: str | None, eval_dict: Mapping[str, Any],
    update_op: Any = None, global_step_tensor: Any = None, supervisor_master: str = '',
    log_every_steps: int = 10, feed_fn: Callable[[], Any] | None = None, max_steps: int | None = None,
) -> tuple[dict[str, Any], int]:
    """(the values of tensors after a number of steps, the global step), which it also writes as
    summaries."""

def extract_dask_data(data: Any) -> Any:
    """A dask table or series, or another collection, with the rows of each part numbered on from the last
    part's."""

def extract_dask_labels(labels: Any) -> Any:
    """The labels in a dask table of one column or in a series; see `extract_dask_data`."""

def extract_pandas_data(data: Any) -> Any:
    """The numbers in a pandas table as an array of floats; anything else as it is."""

def extract_pandas_labels(labels: Any) -> Any:
    """The labels in a pandas table of one column, or in a series; anything else as it is."""

def extract_pandas_matrix(data: Any) -> Any:
    """The values of a pandas table as an array; anything else as it is."""

def infer(
    restore_checkpoint_path: str | None, output_dict: Mapping[str, Any],
    feed_dict: Mapping[Any, Any] | None = None,
) -> dict[str, Any]:
    """The values of tensors in one run; see `run_n`."""

def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """Columns of numbers for an array of features, or for several by name."""

def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Any]:
    """Columns of numbers for the features of an input."""

def loss_only_head(loss_fn: Callable[[], Any], head_name: str | None = None) -> Head:
    """A head that adds a loss to those of others."""

def make_export_strategy(
    serving_input_fn: Callable[[], Any], default_output_alternative_key: str | None = None,
    assets_extra: Any = None, as_text: bool = False, exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """A strategy that exports every evaluated model as a SavedModel, in the directory "Servo"."""

def multi_class_head(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
    enable_centered_bias: bool = False, head_name: str | None = None,
    thresholds: Sequence[float] | None = None, metric_class_ids: Sequence[int] | None = None,
    loss_fn: Callable[..., Any] | None = None, label_keys: Sequence[str] | None = None,
) -> Head:
    """A head for one of several classes: sigmoid cross entropy for two of them, softmax cross entropy for
    more."""

def multi_head(heads: Sequence[Any], loss_weights: Sequence[float] | None = None) -> Head:
    """Several heads as one, whose loss is the sum of theirs."""

def multi_label_head(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
    enable_centered_bias: bool = False, head_name: str | None = None,
    thresholds: Sequence[float] | None = None, metric_class_ids: Sequence[int] | None = None,
    loss_fn: Callable[..., Any] | None = None,
) -> Head:
    """A head for any number of classes at a time, whose loss is the sigmoid cross entropy."""

def no_op_train_fn(loss: Any) -> Operation:
    """A train op that trains nothing."""

def poisson_regression_head(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
) -> Head:
    """A head for counts, whose logits are logarithms of the rate of a Poisson distribution."""

def queue_parsed_features(
    parsed_features: dict[str, Any], keys: Any = None, feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2, name: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Lets batches of features, which are parsed already, wait in a queue."""

def read_batch_examples(
    file_pattern: Any, batch_size: int, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: int = 1, parse_fn: Any = None, name: str | None = None, seed: int | None = None,
) -> Any:
    """Batches of records of files."""

def read_batch_features(
    file_pattern: Any, batch_size: int, features: dict[str, Any], reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, feature_queue_capacity: int = 100,
    reader_num_threads: int = 1, num_enqueue_threads: int = 2, parse_fn: Any = None,
    name: str | None = None, read_batch_size: int | None = None,
) -> dict[str, Any]:
    """Batches of the features of Examples in files."""

def read_batch_record_features(
    file_pattern: Any, batch_size: int, features: dict[str, Any], randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, reader_num_threads: int = 1,
    name: str | None = 'dequeue_record_examples',
) -> dict[str, Any]:
    """`read_batch_features` of TFRecord files; see there for the arguments."""

def read_keyed_batch_examples(
    file_pattern: Any, batch_size: int, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: int = 1, parse_fn: Any = None, name: str | None = None, seed: int | None = None,
) -> tuple[Any, Any]:
    """Batches of records of files with their keys: (keys, records)."""

read_keyed_batch_examples_shared_queue = read_keyed_batch_examples

def read_keyed_batch_features(
    file_pattern: Any, batch_size: int, features: dict[str, Any], reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, reader_num_threads: int = 1,
    feature_queue_capacity: int = 100, num_enqueue_threads: int = 2, parse_fn: Any = None,
    name: str | None = None, read_batch_size: int | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Batches of the features of Examples in files, with their keys: (keys, features)."""

read_keyed_batch_features_shared_queue = read_keyed_batch_features

def regression_head(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
    link_fn: Callable[[Any], Any] | None = None,
) -> Head:
    """A head for numbers, whose loss is the mean squared error."""

def run_feeds(
    output_dict: Mapping[str, Any], feed_dicts: Iterable[Any], restore_checkpoint_path: str | None = None,
) -> list[dict[str, Any]]:
    """The values of tensors for each of several feeds; see `run_feeds_iter`."""

def run_feeds_iter(
    output_dict: Mapping[str, Any], feed_dicts: Iterable[Any], restore_checkpoint_path: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yields the values of tensors for each of several feeds, in a session whose variables are
    initialized."""

def run_n(
    output_dict: Mapping[str, Any], feed_dict: Mapping[Any, Any] | None = None,
    restore_checkpoint_path: str | None = None, n: int = 1,
) -> list[dict[str, Any]]:
    """The values of tensors in several runs with the same feeds, in a session whose variables are
    initialized."""

def train(
    graph: Graph, output_dir: Any, train_op: Any, loss_op: Any, global_step_tensor: Any = None,
    init_op: Any = None, init_feed_dict: Any = None, init_fn: Any = None, log_every_steps: int = 10,
    supervisor_is_chief: bool = True, supervisor_master: str = '', supervisor_save_model_secs: float = 600,
    keep_checkpoint_max: int | None = 5, supervisor_save_summaries_steps: int = 100,
    feed_fn: Callable[[], Any] | None = None, steps: int | None = None, fail_on_nan_loss: bool = True,
    monitors: Sequence[Any] | None = None, max_steps: int | None = None,
) -> Any:
    """Trains the model of a graph; gives the last loss."""

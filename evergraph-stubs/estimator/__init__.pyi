# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from evergraph import Tensor
from evergraph.train import Scaffold
from typing import Any, NamedTuple, Self
from evergraph.estimator import experimental as experimental, export as export, inputs as inputs, tpu as tpu

import sys
if sys.platform == "":
    del (
        calls, canned, early_stopping, estimator, eval_files, evaluator, event_metrics, exporters,
        extenders, heads, in_memory, input_result, mode_keys, model_call, parse_spec, prediction, progress,
        replicated, replication, run_config, saved_model_estimator, spec, tf_config, train_loop,
        train_specs, training, warm_start,
    )

class BaselineClassifier(Estimator):
    """A classifier that learns how frequent each class is, and ignores features."""
    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = 'Ftrl', config: Any = None,
        loss_reduction: str = 'weighted_sum',
    ) -> None: ...

class BaselineEstimator(Estimator):
    """A model under any head that ignores features."""
    def __init__(
        self, head: Any, model_dir: Any = None, optimizer: Any = 'Ftrl', config: Any = None,
    ) -> None: ...

class BaselineRegressor(Estimator):
    """A regression that learns the mean of the labels, and ignores features."""
    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = 'Ftrl', config: Any = None, loss_reduction: str = 'weighted_sum',
    ) -> None: ...

class BestExporter(Exporter):
    """Exports the model when its evaluation is better than all before, and removes older exports."""
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports the model if it is the best so far, and removes older exports."""
    @property
    def name(self) -> Any: ...
    def __init__(
        self, name: str = 'best_exporter', serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = 'eval/*.tfevents.*', compare_fn: Callable[..., bool] = ...,
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None: ...

class BinaryClassHead(Head):
    """The head of a classifier with two classes, by sigmoid cross entropy (binary logistic
    classification)."""
    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]: ...
    weighs_logits: bool
    @property
    def name(self) -> str | None: ...
    @property
    def logits_dimension(self) -> int: ...
    @property
    def loss_reduction(self) -> str: ...
    def losses(self, labels: Any, logits: Any, features: Any) -> tuple:
        """The losses of a batch by element."""
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Tensor: ...
    def training_loss(
        self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any,
    ) -> Tensor:
        """The loss of a training step."""
    def export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export by signature."""
    def measures(self, regularization_losses: Any = None) -> dict[str, Any]:
        """All metrics by name."""
    def samples(self, logits: Any, losses: tuple, regularization_losses: Any = None) -> dict[str, Any]:
        """What a batch adds to each of the metrics."""
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]: ...
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None,
    ) -> dict[str, Any]: ...
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec: ...
    def __init__(
        self, weight_column: Any = None, thresholds: Iterable[float] | None = None,
        label_vocabulary: Any = None, loss_reduction: str = 'sum_over_batch_size', loss_fn: Any = None,
        name: str | None = None,
    ) -> None: ...

class BoostedTreesClassifier(Estimator):
    """A classifier of two classes by gradient-boosted decision trees (Friedman, 2001), grown layer by
    layer."""
    def experimental_feature_importances(self, normalize: bool = False) -> dict[str, float]:
        """How much the splits on each column lowered the loss, the sum of their gains, the largest first."""
    def experimental_predict_with_explanations(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: Any = None,
    ) -> Iterator[Any]:
        """Predictions with "bias" and "dfc", what each column contributed; they add up to the prediction."""
    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
        learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
        center_bias: bool = False, pruning_mode: str = 'none', quantile_sketch_epsilon: float = 0.01,
        train_in_memory: bool = False,
    ) -> None: ...

class BoostedTreesEstimator(Estimator):
    """Gradient-boosted decision trees under any head of one logit."""
    def experimental_feature_importances(self, normalize: bool = False) -> dict[str, float]:
        """How much the splits on each column lowered the loss, the sum of their gains, the largest first."""
    def experimental_predict_with_explanations(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: Any = None,
    ) -> Iterator[Any]:
        """Predictions with "bias" and "dfc", what each column contributed; they add up to the prediction."""
    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, head: Any, model_dir: Any = None,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False, pruning_mode: str = 'none',
        quantile_sketch_epsilon: float = 0.01,
    ) -> None: ...

class BoostedTreesRegressor(Estimator):
    """A regression by gradient-boosted decision trees (Friedman, 2001), grown layer by layer, on the
    squared error."""
    def experimental_feature_importances(self, normalize: bool = False) -> dict[str, float]:
        """How much the splits on each column lowered the loss, the sum of their gains, the largest first."""
    def experimental_predict_with_explanations(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: Any = None,
    ) -> Iterator[Any]:
        """Predictions with "bias" and "dfc", what each column contributed; they add up to the prediction."""
    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False, pruning_mode: str = 'none',
        quantile_sketch_epsilon: float = 0.01, train_in_memory: bool = False,
    ) -> None: ...

class CheckpointSaverHook(SessionRunHook):
    """Saves checkpoints: after the session is created, every few steps or seconds, and before the session
    is closed."""
    def add_listener(self, listener: CheckpointSaverListener) -> None:
        """Adds a listener, before the session is created."""
    def begin(self) -> None: ...
    def after_create_session(self, session: Any, coord: Any) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def end(self, session: Any) -> None: ...
    def __init__(
        self, checkpoint_dir: str, save_secs: float | None = None, save_steps: int | None = None,
        saver: Any = None, checkpoint_basename: str = 'model.ckpt', scaffold: Any = None,
        listeners: Sequence[CheckpointSaverListener] | None = None,
    ) -> None: ...

class CheckpointSaverListener:
    """The base class of listeners of a CheckpointSaverHook; a subclass overrides the methods that it
    needs."""
    def begin(self) -> None:
        """Called once before the session is created; the graph can still be changed."""
    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before each checkpoint is written."""
    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after each checkpoint was written; a true result stops training."""
    def end(self, session: Any, global_step_value: int) -> None:
        """Called when the session is closed, after the last checkpoint was written."""

class DNNClassifier(Estimator):
    """A classifier by a deep neural network."""
    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = 'Adagrad',
        activation_fn: Any = ..., dropout: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = 'weighted_sum', batch_norm: bool = False,
    ) -> None: ...

class DNNEstimator(Estimator):
    """A deep neural network under any head."""
    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
        optimizer: Any = 'Adagrad', activation_fn: Any = ..., dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        batch_norm: bool = False,
    ) -> None: ...

class DNNLinearCombinedClassifier(Estimator):
    """A classifier by a linear model beside a deep neural network, whose logits are added (wide and
    deep)."""
    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = 'Ftrl',
        dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = ..., dnn_dropout: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = 'weighted_sum', batch_norm: bool = False,
        linear_sparse_combiner: str = 'sum',
    ) -> None: ...

class DNNLinearCombinedEstimator(Estimator):
    """A linear model beside a deep neural network under any head."""
    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = 'Ftrl', dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad',
        dnn_hidden_units: Any = None, dnn_activation_fn: Any = ..., dnn_dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, linear_sparse_combiner: str = 'sum',
        batch_norm: bool = False,
    ) -> None: ...

class DNNLinearCombinedRegressor(Estimator):
    """A regression by a linear model beside a deep neural network, whose logits are added (wide and
    deep)."""
    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = 'Ftrl',
        dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = ..., dnn_dropout: Any = None, label_dimension: int = 1,
        weight_column: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = 'weighted_sum', batch_norm: bool = False,
        linear_sparse_combiner: str = 'sum',
    ) -> None: ...

class DNNRegressor(Estimator):
    """A regression by a deep neural network, with the mean squared error."""
    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = 'Adagrad', activation_fn: Any = ..., dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'weighted_sum', batch_norm: bool = False,
    ) -> None: ...

class Estimator:
    """A model with its training, evaluation, prediction and export, built by a function for each of
    them."""
    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and events."""
    @property
    def config(self) -> RunConfig:
        """A copy of the RunConfig."""
    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model function with `params` bound, a function of (features, labels, mode, config)."""
    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the latest checkpoint, an array."""
    def get_variable_names(self) -> list[str]:
        """The names of the variables in the latest checkpoint."""
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint in `model_dir`; None while there is none."""
    def eval_dir(self, name: str | None = None) -> str:
        """The directory of the events of an evaluation."""
    def train(
        self, input_fn: Callable[..., Any], hooks: Sequence[SessionRunHook] | None = None,
        steps: int | None = None, max_steps: int | None = None,
        saving_listeners: Sequence[CheckpointSaverListener] | None = None,
    ) -> Estimator:
        """Trains the model, going on from the latest checkpoint, until the input ends or for a number of
        steps."""
    def evaluate(
        self, input_fn: Callable[..., Any], steps: int | None = None,
        hooks: Sequence[SessionRunHook] | None = None, checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates the model on an input, and writes the results to `eval_dir(name)`."""
    def predict(
        self, input_fn: Callable[..., Any], predict_keys: Any = None,
        hooks: Sequence[SessionRunHook] | None = None, checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields the predictions for the examples of an input."""
    def export_saved_model(
        self, export_dir_base: Any, serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
        checkpoint_path: str | None = None, experimental_mode: str = 'infer',
    ) -> bytes:
        """Exports the model as a SavedModel in a new directory, whose name is the time in seconds."""
    def export_savedmodel(
        self, export_dir_base: Any, serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
        checkpoint_path: str | None = None, strip_default_attrs: bool = False,
    ) -> bytes:
        """The older form of `export_saved_model`."""
    def experimental_export_all_saved_models(
        self, export_dir_base: Any, input_receiver_fn_map: Mapping[str, Callable[[], Any]],
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Exports the graphs of several modes in one SavedModel; they share the variables."""
    def __init__(
        self, model_fn: Callable[..., EstimatorSpec], model_dir: Any = None, config: RunConfig | None = None,
        params: Any = None, warm_start_from: Any = None,
    ) -> None: ...

class _EstimatorSpec(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    export_outputs: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    evaluation_hooks: Any
    prediction_hooks: Any

class EstimatorSpec(_EstimatorSpec):
    """What a model function tells an Estimator about the graph it has built."""
    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, export_outputs: Any = None,
        training_chief_hooks: Iterable[SessionRunHook] | None = None,
        training_hooks: Iterable[SessionRunHook] | None = None, scaffold: Scaffold | None = None,
        evaluation_hooks: Iterable[SessionRunHook] | None = None,
        prediction_hooks: Iterable[SessionRunHook] | None = None,
    ) -> Self: ...

class _EvalSpec(NamedTuple):
    input_fn: Any
    steps: Any
    name: Any
    hooks: Any
    exporters: Any
    start_delay_secs: Any
    throttle_secs: Any

class EvalSpec(_EvalSpec):
    """How `tf.estimator.train_and_evaluate` evaluates and exports."""
    def __new__(
        cls, input_fn: Callable[..., Any], steps: int | None = 100, name: str | None = None,
        hooks: Sequence[SessionRunHook] | None = None, exporters: Any = None, start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> Self: ...

class Exporter:
    """The base class of what exports models after evaluations."""
    @property
    def name(self) -> str:
        """The name of the directory below "export" that it exports to."""
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports a model, if it is one to export."""

class FeedFnHook(SessionRunHook):
    """Adds feeds to each run."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def __init__(self, feed_fn: Callable[[], Any]) -> None: ...
    feed_fn: Any

class FinalExporter(Exporter):
    """Exports the model once, when training has reached `max_steps`."""
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports the model if training has ended."""
    @property
    def name(self) -> Any: ...
    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
    ) -> None: ...

class FinalOpsHook(SessionRunHook):
    """Evaluates tensors or runs operations once, before the session is closed."""
    @property
    def final_ops_values(self) -> Any:
        """The fetched values; None before the end."""
    def end(self, session: Any) -> None: ...
    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None: ...

class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first run of a worker until the global step has reached a value; workers then start one by
    one."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> None: ...
    def __init__(self, wait_until_step: int) -> None: ...

class Head:
    """The top of a model: what it computes from logits and labels, in each mode."""
    @property
    def name(self) -> None:
        """The name of the head, which its metrics and summaries end with, or None."""
    @property
    def logits_dimension(self) -> None:
        """The size of the last axis of the logits."""
    @property
    def loss_reduction(self) -> None:
        """How the losses of examples become one loss: one of tf.keras.losses.Reduction."""
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> None:
        """The loss of a batch, a scalar, with the regularization losses added."""
    def predictions(self, logits: Any, keys: Any = None) -> None:
        """The predictions by name."""
    def metrics(self, regularization_losses: Any = None) -> None:
        """The metrics of an evaluation by name, which have seen no batch yet."""
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, mode: Any = None,
        regularization_losses: Any = None,
    ) -> None:
        """Takes a batch into metrics, and returns them."""
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:
        """The EstimatorSpec that a model function returns."""

class LatestExporter(Exporter):
    """Exports the model after every evaluation, and removes older exports."""
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports the model, and removes older exports."""
    @property
    def name(self) -> Any: ...
    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, Any] | None = None, as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None: ...

class LinearClassifier(Estimator):
    """A classifier by a linear model (logistic regression)."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = 'Ftrl', config: Any = None, partitioner: Any = None,
        warm_start_from: Any = None, loss_reduction: str = 'weighted_sum', sparse_combiner: str = 'sum',
    ) -> None: ...

class LinearEstimator(Estimator):
    """A linear model under any head."""
    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = 'Ftrl',
        config: Any = None, partitioner: Any = None, sparse_combiner: str = 'sum', warm_start_from: Any = None,
    ) -> None: ...

class LinearRegressor(Estimator):
    """A linear regression, with the mean squared error."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = 'Ftrl', config: Any = None, partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'weighted_sum', sparse_combiner: str = 'sum',
    ) -> None: ...

class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors at level INFO, every few runs or seconds, or at the end."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def end(self, session: Any) -> None: ...
    def __init__(
        self, tensors: Any, every_n_iter: int | None = None, every_n_secs: float | None = None,
        at_end: bool = False, formatter: Callable[[dict[Any, Any]], str] | None = None,
    ) -> None: ...

class LogisticRegressionHead(RegressionHead):
    """The head of a regression of probabilities, by sigmoid cross entropy; predictions are the sigmoids of
    logits."""
    def __init__(
        self, weight_column: Any = None, loss_reduction: str = 'sum_over_batch_size', name: str | None = None,
    ) -> None: ...

class ModeKeys:
    """The names of the three modes that a model function is called in."""
    TRAIN: str
    EVAL: str
    PREDICT: str

class MultiClassHead(Head):
    """The head of a classifier with more than two classes that exclude each other, by softmax cross
    entropy."""
    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]: ...
    weighs_logits: bool
    @property
    def name(self) -> str | None: ...
    @property
    def logits_dimension(self) -> int: ...
    @property
    def loss_reduction(self) -> str: ...
    def losses(self, labels: Any, logits: Any, features: Any) -> tuple:
        """The losses of a batch by element."""
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Tensor: ...
    def training_loss(
        self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any,
    ) -> Tensor:
        """The loss of a training step."""
    def export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export by signature."""
    def measures(self, regularization_losses: Any = None) -> dict[str, Any]:
        """All metrics by name."""
    def samples(self, logits: Any, losses: tuple, regularization_losses: Any = None) -> dict[str, Any]:
        """What a batch adds to each of the metrics."""
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]: ...
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None,
    ) -> dict[str, Any]: ...
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec: ...
    def __init__(
        self, n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
        loss_reduction: str = 'sum_over_batch_size', loss_fn: Any = None, name: str | None = None,
    ) -> None: ...

class MultiHead(Head):
    """Several heads over one model, whose loss is the weighted sum of theirs."""
    @property
    def name(self) -> str: ...
    @property
    def logits_dimension(self) -> int: ...
    @property
    def loss_reduction(self) -> str: ...
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Tensor: ...
    def training_loss(
        self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any,
    ) -> Tensor:
        """The loss of a training step, with a summary of each head's loss."""
    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]: ...
    def export_outputs(self, predictions: dict[Any, Any]) -> dict[str, Any]:
        """The outputs to export by signature."""
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]: ...
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None,
    ) -> dict[str, Any]: ...
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec: ...
    def __init__(self, heads: Any, head_weights: Any = None) -> None: ...

class MultiLabelHead(Head):
    """The head of a classifier whose examples have any number of the classes, by sigmoid cross entropy."""
    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]: ...
    weighs_logits: bool
    @property
    def name(self) -> str | None: ...
    @property
    def logits_dimension(self) -> int: ...
    @property
    def loss_reduction(self) -> str: ...
    def losses(self, labels: Any, logits: Any, features: Any) -> tuple:
        """The losses of a batch by element."""
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Tensor: ...
    def training_loss(
        self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any,
    ) -> Tensor:
        """The loss of a training step."""
    def export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export by signature."""
    def measures(self, regularization_losses: Any = None) -> dict[str, Any]:
        """All metrics by name."""
    def samples(self, logits: Any, losses: tuple, regularization_losses: Any = None) -> dict[str, Any]:
        """What a batch adds to each of the metrics."""
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]: ...
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None,
    ) -> dict[str, Any]: ...
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec: ...
    def __init__(
        self, n_classes: int, weight_column: Any = None, thresholds: Iterable[float] | None = None,
        label_vocabulary: Any = None, loss_reduction: str = 'sum_over_batch_size', loss_fn: Any = None,
        classes_for_class_based_metrics: Any = None, name: str | None = None,
    ) -> None: ...

class NanLossDuringTrainingError(RuntimeError):
    """Raised by `tf.train.NanTensorHook` when the loss is NaN."""

class NanTensorHook(SessionRunHook):
    """Stops training when the loss is NaN."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None: ...

class PoissonRegressionHead(RegressionHead):
    """The head of a regression of counts, by the Poisson log likelihood; predictions are the exponentials
    of logits."""
    def __init__(
        self, label_dimension: int = 1, weight_column: Any = None, loss_reduction: str = 'sum_over_batch_size',
        compute_full_loss: bool = True, name: str | None = None,
    ) -> None: ...

class ProfilerHook(SessionRunHook):
    """Profiles a run every few steps or seconds, except the first: writes a Chrome trace and an event for
    TensorBoard."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(
        self, save_steps: int | None = None, save_secs: float | None = None, output_dir: str = '',
        show_dataflow: bool = True, show_memory: bool = False,
    ) -> None: ...

class RegressionHead(Head):
    """The head of a regression by mean squared error."""
    weighs_logits: bool
    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]: ...
    @property
    def name(self) -> str | None: ...
    @property
    def logits_dimension(self) -> int: ...
    @property
    def loss_reduction(self) -> str: ...
    def losses(self, labels: Any, logits: Any, features: Any) -> tuple:
        """The losses of a batch by element."""
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Tensor: ...
    def training_loss(
        self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any,
    ) -> Tensor:
        """The loss of a training step."""
    def export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """The outputs to export by signature."""
    def measures(self, regularization_losses: Any = None) -> dict[str, Any]:
        """All metrics by name."""
    def samples(self, logits: Any, losses: tuple, regularization_losses: Any = None) -> dict[str, Any]:
        """What a batch adds to each of the metrics."""
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]: ...
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None,
    ) -> dict[str, Any]: ...
    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec: ...
    def __init__(
        self, label_dimension: int = 1, weight_column: Any = None, loss_reduction: str = 'sum_over_batch_size',
        loss_fn: Any = None, inverse_link_fn: Callable[[Any], Any] | None = None, name: str | None = None,
    ) -> None: ...

class RunConfig:
    """The settings of an Estimator's runs: seeds, files, sessions, and its place in a cluster."""
    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other settings."""
    @property
    def model_dir(self) -> Any: ...
    @property
    def tf_random_seed(self) -> Any: ...
    @property
    def save_summary_steps(self) -> Any: ...
    @property
    def save_checkpoints_steps(self) -> Any: ...
    @property
    def save_checkpoints_secs(self) -> Any: ...
    @property
    def session_config(self) -> Any: ...
    @property
    def keep_checkpoint_max(self) -> Any: ...
    @property
    def keep_checkpoint_every_n_hours(self) -> Any: ...
    @property
    def log_step_count_steps(self) -> Any: ...
    @property
    def train_distribute(self) -> Any: ...
    @property
    def eval_distribute(self) -> Any: ...
    @property
    def device_fn(self) -> Any: ...
    @property
    def protocol(self) -> Any: ...
    @property
    def experimental_max_worker_delay_secs(self) -> Any: ...
    @property
    def session_creation_timeout_secs(self) -> Any: ...
    @property
    def cluster_spec(self) -> Any: ...
    @property
    def task_type(self) -> Any: ...
    @property
    def task_id(self) -> Any: ...
    @property
    def master(self) -> Any: ...
    @property
    def evaluation_master(self) -> Any: ...
    @property
    def is_chief(self) -> Any: ...
    @property
    def num_ps_replicas(self) -> Any: ...
    @property
    def num_worker_replicas(self) -> Any: ...
    @property
    def global_id_in_cluster(self) -> Any: ...
    @property
    def service(self) -> Any: ...
    def __init__(
        self, model_dir: Any = None, tf_random_seed: int | None = None, save_summary_steps: int | None = 100,
        save_checkpoints_steps: Any = ..., save_checkpoints_secs: Any = ..., session_config: Any = None,
        keep_checkpoint_max: int | None = 5, keep_checkpoint_every_n_hours: float | None = 10000,
        log_step_count_steps: int | None = 100, train_distribute: Any = None,
        device_fn: Callable[[Any], Any] | None = None, protocol: str | None = None, eval_distribute: Any = None,
        experimental_distribute: Any = None, experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None: ...

class SecondOrStepTimer:
    """A timer that triggers at most once in a number of seconds or steps, and always at the first step."""
    def reset(self) -> None:
        """Forgets when it last triggered."""
    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is due at this step."""
    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Takes note that it triggered; gives the seconds and steps since the last time, or (None, None)."""
    def last_triggered_step(self) -> int | None:
        """The step at which it last triggered, or None."""
    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None: ...

class SessionRunArgs(NamedTuple):
    """The fetches and feeds that a hook adds to a session run."""
    fetches: Any
    feed_dict: Any = None
    options: Any = None

class SessionRunContext:
    """The session run that a hook's `before_run` and `after_run` are called for."""
    @property
    def original_args(self) -> Any: ...
    @property
    def session(self) -> Any: ...
    @property
    def stop_requested(self) -> Any: ...
    def request_stop(self) -> None:
        """Requests that training stop after this run: `should_stop` of the monitored session becomes true."""
    def __init__(self, original_args: SessionRunArgs, session: Any) -> None: ...

class SessionRunHook:
    """The base class of hooks: a monitored session calls their methods around its runs."""
    def begin(self) -> None:
        """Called once before the session is created; the graph can still be changed."""
    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called after a session was created, also after one that replaces a lost one."""
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run; returns the SessionRunArgs to add to the run, or None."""
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that raised no exception."""
    def end(self, session: Any) -> None:
        """Called once before the session is closed, unless an exception closes it."""

class SessionRunValues(NamedTuple):
    """The results of a session run for one hook."""
    results: Any
    options: Any
    run_metadata: Any

class StepCounterHook(SessionRunHook):
    """Measures global steps per second, logs them and writes them as a summary."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(
        self, every_n_steps: int | None = 100, every_n_secs: float | None = None, output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None: ...

class StopAtStepHook(SessionRunHook):
    """Stops training at a global step."""
    @property
    def last_step(self) -> int | None:
        """The global step to stop at; None where it is counted from a start that is not known yet."""
    def begin(self) -> None: ...
    def after_create_session(self, session: Any, coord: Any) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None: ...

class SummarySaverHook(SessionRunHook):
    """Writes summaries to an event file, in the first run and every few steps or seconds."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def end(self, session: Any = None) -> None: ...
    def __init__(
        self, save_steps: int | None = None, save_secs: float | None = None, output_dir: str | None = None,
        summary_writer: Any = None, scaffold: Any = None, summary_op: Any = None,
    ) -> None: ...

class _TrainSpec(NamedTuple):
    input_fn: Any
    max_steps: Any
    hooks: Any
    saving_listeners: Any

class TrainSpec(_TrainSpec):
    """How `tf.estimator.train_and_evaluate` trains."""
    def __new__(
        cls, input_fn: Callable[..., Any], max_steps: int | None = None,
        hooks: Sequence[SessionRunHook] | None = None, saving_listeners: Any = None,
    ) -> Self: ...

class _VocabInfo(NamedTuple):
    new_vocab: Any
    new_vocab_size: Any
    num_oov_buckets: Any
    old_vocab: Any
    old_vocab_size: Any
    backup_initializer: Any
    axis: Any

class VocabInfo(_VocabInfo):
    """The current vocabulary of a variable and that of its checkpoint; see `tf.train.warm_start`."""
    def __new__(
        cls, new_vocab: Any, new_vocab_size: int, num_oov_buckets: int, old_vocab: Any,
        old_vocab_size: int = -1, backup_initializer: Any = None, axis: int = 0,
    ) -> Self: ...

class _WarmStartSettings(NamedTuple):
    ckpt_to_initialize_from: Any
    vars_to_warm_start: Any
    var_name_to_vocab_info: Any
    var_name_to_prev_var_name: Any

class WarmStartSettings(_WarmStartSettings):
    """Which variables of an Estimator start with the values of another model."""
    def __new__(
        cls, ckpt_to_initialize_from: Any, vars_to_warm_start: Any = '.*', var_name_to_vocab_info: Any = None,
        var_name_to_prev_var_name: Any = None,
    ) -> Self: ...

def add_metrics(estimator: Estimator, metric_fn: Callable[..., dict[str, Any]]) -> Estimator:
    """An Estimator like another one, with further metrics."""

def classifier_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = ..., label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """The features that a classifier reads from Examples, for `tf.parse_example`."""

def model_to_estimator(
    keras_model: Any = None, keras_model_path: Any = None, custom_objects: dict[str, Any] | None = None,
    model_dir: Any = None, config: Any = None, checkpoint_format: str = 'saver',
) -> Estimator:
    """An Estimator that trains, evaluates and uses a copy of a compiled model, which begins with the
    model's weights."""

def regressor_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = ..., label_default: Any = None,
    label_dimension: int = 1, weight_column: Any = None,
) -> dict[str, Any]:
    """The features that a regressor reads from Examples, for `tf.parse_example`."""

def train_and_evaluate(estimator: Any, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    """Trains an estimator, evaluates each new checkpoint, and exports models."""

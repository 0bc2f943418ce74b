# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.estimator."""

from collections.abc import Callable, Mapping, Sequence
from evergraph.estimator import BoostedTreesClassifier, BoostedTreesRegressor, Estimator, EstimatorSpec, Exporter
from evergraph.train import Optimizer
from typing import Any

import sys
if sys.platform == "":
    del (
        boosted_trees, export, heads, rnn,
    )

from evergraph.estimator.experimental import InMemoryEvaluatorHook as InMemoryEvaluatorHook

class RNNClassifier(Estimator):
    """A classifier by a recurrent neural network, of sequences of any length."""
    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None, num_units: Any = None,
        cell_type: Any = ..., rnn_cell_fn: Any = None, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = 'Adagrad',
        loss_reduction: str = 'weighted_sum_over_batch_size', input_layer_partitioner: Any = None,
        config: Any = None,
    ) -> None: ...

class RNNEstimator(Estimator):
    """A recurrent neural network under any head."""
    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
        num_units: Any = None, cell_type: Any = ..., rnn_cell_fn: Any = None, return_sequences: bool = False,
        model_dir: Any = None, optimizer: Any = 'Adagrad', input_layer_partitioner: Any = None,
        config: Any = None,
    ) -> None: ...

class SavedModelEstimator(Estimator):
    """An Estimator whose model is a SavedModel with a graph for each mode."""
    def __init__(self, saved_model_dir: Any, model_dir: Any = None) -> None: ...

class StepsExporter(Exporter):
    """Exports the model at given steps: at the first evaluation at or after each of them."""
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports the model if one of the steps has been passed since the last export."""
    @property
    def name(self) -> Any: ...
    def __init__(
        self, steps_to_keep: Sequence[int], name: str = 'steps_exporter', serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = 'eval/*.tfevents.*', assets_extra: Mapping[str, Any] | None = None,
        as_text: bool = False,
    ) -> None: ...

class TowerOptimizer(Optimizer):
    """The optimizer of a replicated model: collects the gradients of all parts, of which there is one
    here."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The gradients, as the other optimizer computes them."""
    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies what the function makes of the gradients."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the other optimizer."""
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The names of the other optimizer's slots."""
    def __init__(self, optimizer_or_optimizer_fn: Any) -> None: ...

from evergraph.estimator import add_metrics as add_metrics

def binary_classification_head(
    weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier with two classes, by sigmoid cross entropy."""

def boosted_trees_classifier_train_in_memory(
    train_input_fn: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
    weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
    learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
    tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = 'none', quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesClassifier:
    """Trains a tf.estimator.BoostedTreesClassifier on one batch, the whole data set, and returns it."""

def boosted_trees_regressor_train_in_memory(
    train_input_fn: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
    weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
    l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None, center_bias: bool = False,
    pruning_mode: str = 'none', quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesRegressor:
    """Trains a tf.estimator.BoostedTreesRegressor on one batch, the whole data set, and returns it."""

from evergraph.estimator.experimental import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)

def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any,
) -> Callable[[], Any]:
    """A function that builds an input like that of an input function, of placeholders."""

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn

def clip_gradients_by_norm(optimizer: Any, clip_norm: float) -> Any:
    """An optimizer like another one that clips gradients to a global norm before it applies them."""

from evergraph.estimator.experimental import dnn_logit_fn_builder as dnn_logit_fn_builder

def export_all_saved_models(
    estimator: Estimator, export_dir_base: Any, input_receiver_fn_map: Mapping[str, Callable[[], Any]],
    assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
    checkpoint_path: str | None = None,
) -> bytes:
    """Exports the graphs of several modes in one SavedModel."""

def export_saved_model_for_mode(
    estimator: Estimator, export_dir_base: Any, input_receiver_fn: Callable[[], Any],
    assets_extra: Mapping[str, Any] | None = None, as_text: bool = False,
    checkpoint_path: str | None = None, mode: str = 'infer',
) -> bytes:
    """Exports the graph of one mode as a SavedModel; see `tf.estimator.Estimator.export_saved_model`."""

def forward_features(
    estimator: Estimator, keys: str | Sequence[str] | None = None,
    sparse_default_values: Mapping[str, Any] | None = None,
) -> Estimator:
    """An Estimator like another one, whose predictions have some of the features too."""

from evergraph.estimator.experimental import linear_logit_fn_builder as linear_logit_fn_builder

def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = 'weighted_sum_over_batch_size',
    name: str | None = None,
) -> Any:
    """The head of a regression of probabilities, by sigmoid cross entropy."""

from evergraph.estimator.experimental import make_early_stopping_hook as make_early_stopping_hook
from evergraph.estimator.experimental import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook

def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier with more than two classes that exclude each other, by softmax cross
    entropy."""

def multi_head(heads: Any, head_weights: Any = None) -> Any:
    """Several heads over one model, whose loss is the weighted sum of theirs."""

def multi_label_head(
    n_classes: int, weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None,
    classes_for_class_based_metrics: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier whose examples have any number of the classes, by sigmoid cross entropy."""

def poisson_regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = 'weighted_sum_over_batch_size', compute_full_loss: bool = True,
    name: str | None = None,
) -> Any:
    """The head of a regression of counts, by the Poisson log likelihood."""

def read_eval_metrics(eval_dir: Any) -> dict[int, dict[str, float]]:
    """The metrics that evaluations have written to a directory: step -> name -> number, in the order of
    steps."""

def regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, inverse_link_fn: Any = None,
    name: str | None = None,
) -> Any:
    """The head of a regression by mean squared error."""

def replicate_model_fn(
    model_fn: Callable[..., EstimatorSpec], loss_reduction: str = 'weighted_sum_by_nonzero_weights',
    devices: Sequence[str] | None = None,
) -> Callable[..., EstimatorSpec]:
    """A model function whose batches are divided among devices, of which there is one here."""

from evergraph.estimator.experimental import stop_if_higher_hook as stop_if_higher_hook
from evergraph.estimator.experimental import stop_if_lower_hook as stop_if_lower_hook
from evergraph.estimator.experimental import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from evergraph.estimator.experimental import stop_if_no_increase_hook as stop_if_no_increase_hook

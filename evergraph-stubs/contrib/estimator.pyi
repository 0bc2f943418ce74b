# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.estimator."""

from evergraph.estimator import BoostedTreesClassifier, BoostedTreesRegressor
from typing import Any

import sys
if sys.platform == "":
    del (
        boosted_trees, heads,
    )

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

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
from evergraph.estimator.experimental import dnn_logit_fn_builder as dnn_logit_fn_builder
from evergraph.estimator.experimental import linear_logit_fn_builder as linear_logit_fn_builder

def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = 'weighted_sum_over_batch_size',
    name: str | None = None,
) -> Any:
    """The head of a regression of probabilities, by sigmoid cross entropy."""

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

def regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, inverse_link_fn: Any = None,
    name: str | None = None,
) -> Any:
    """The head of a regression by mean squared error."""

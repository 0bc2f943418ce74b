"""Boosted trees that are trained at once on data that fits into memory."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.boosted_trees import BoostedTreesClassifier, BoostedTreesRegressor


@export("contrib.estimator.boosted_trees_classifier_train_in_memory")
def boosted_trees_classifier_train_in_memory(
        train_input_fn: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01) -> BoostedTreesClassifier:
    """Trains a tf.estimator.BoostedTreesClassifier on one batch, the whole data set, and returns it.

    Args:
        train_input_fn: an input function whose first batch is the data set.
        train_hooks: hooks of the training.
        feature_columns, model_dir, n_classes, weight_column, label_vocabulary, n_trees, max_depth, learning_rate,
            l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
            quantile_sketch_epsilon: as for BoostedTreesClassifier.
    """
    estimator = BoostedTreesClassifier(
        feature_columns, 1, model_dir, n_classes, weight_column, label_vocabulary, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True)
    return estimator.train(train_input_fn, hooks=train_hooks)


@export("contrib.estimator.boosted_trees_regressor_train_in_memory")
def boosted_trees_regressor_train_in_memory(
        train_input_fn: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01) -> BoostedTreesRegressor:
    """Trains a tf.estimator.BoostedTreesRegressor on one batch, the whole data set, and returns it.

    Args:
        train_input_fn: an input function whose first batch is the data set.
        train_hooks: hooks of the training.
        feature_columns, model_dir, label_dimension, weight_column, n_trees, max_depth, learning_rate,
            l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
            quantile_sketch_epsilon: as for BoostedTreesRegressor.
    """
    estimator = BoostedTreesRegressor(
        feature_columns, 1, model_dir, label_dimension, weight_column, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True)
    return estimator.train(train_input_fn, hooks=train_hooks)

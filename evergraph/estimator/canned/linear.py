"""Linear models: tf.estimator.LinearClassifier, LinearRegressor and LinearEstimator."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.logits import linear_logits
from evergraph.estimator.canned.models import (
    LARGE_SLICE,
    check_features,
    classification_head,
    model_of,
    partitioner,
    spec_of_head,
)
from evergraph.estimator.canned.optimizers import get_keras_optimizer, get_optimizer_instance
from evergraph.estimator.canned.sdca import LinearSDCA, train_step
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend.variables.scope import variable_scope
from evergraph.keras.loss_classes import Reduction as KerasReduction
from evergraph.losses.weighting import Reduction

LARGEST_RATE = 0.2


def default_rate(feature_columns: Any, largest: float = LARGEST_RATE) -> float:
    """The learning rate of an optimizer that is given by name: smaller for more columns."""
    return min(largest, 1.0 / math.sqrt(len(feature_columns)))


_partitioner = partitioner


def linear_model_fn(features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: Any,
                    partitioner: Any, config: Any, sparse_combiner: str = "sum") -> Any:
    """The EstimatorSpec of a linear model with an optimizer of tf.train."""
    check_features(features)
    with variable_scope("linear", values=tuple(features.values()),
                        partitioner=partitioner or _partitioner(config, min_slice_size=LARGE_SLICE)):
        found = linear_logits(features, feature_columns, head.logits_dimension, sparse_combiner)
        return _spec(features, labels, mode, head, optimizer, *found,
                     lambda: get_optimizer_instance(optimizer, default_rate(feature_columns)))


def keras_linear_model_fn(features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: Any,
                          config: Any, sparse_combiner: str = "sum") -> Any:
    """The EstimatorSpec of a linear model with an optimizer of tf.keras."""
    check_features(features)
    with variable_scope("linear", values=tuple(features.values()), use_resource=True):
        found = linear_logits(features, feature_columns, head.logits_dimension, sparse_combiner)
    return _spec(features, labels, mode, head, optimizer, *found,
                 lambda: get_keras_optimizer(optimizer, default_rate(feature_columns)))


def _spec(features: Any, labels: Any, mode: Any, head: Any, optimizer: Any, logits: Any, variables: Any, bias: Any,
          make_optimizer: Callable[[], Any]) -> Any:
    """The EstimatorSpec of a linear model, with any optimizer or by dual coordinate ascent."""
    if not isinstance(optimizer, LinearSDCA) or mode != ModeKeys.TRAIN:
        return spec_of_head(head, features, mode, logits, labels, make_optimizer)
    train_op, hook = train_step(optimizer, head, features, labels, logits, variables, bias)
    spec = spec_of_head(head, features, mode, logits, labels, make_optimizer, lambda loss: train_op)
    return spec._replace(training_chief_hooks=(*spec.training_chief_hooks, hook))


def _model(function: Callable[..., Any], head: Any, feature_columns: Any, optimizer: Any, sparse_combiner: str,
           **options: Any) -> Callable[..., Any]:
    """The model function of an estimator, from one of the two above."""
    if isinstance(optimizer, LinearSDCA):
        optimizer.check(head, sparse_combiner)
    return model_of(function, head, feature_columns=tuple(feature_columns or []), optimizer=optimizer,
                    sparse_combiner=sparse_combiner, **options)


@export("estimator.LinearClassifier")
@documented
class LinearClassifier(Estimator):
    """A classifier by a linear model (logistic regression).

    >>> colour = tf.feature_column.categorical_column_with_vocabulary_list("colour", ["red", "blue"])
    >>> classifier = tf.estimator.LinearClassifier([colour, tf.feature_column.numeric_column("size")])

    Args:
        feature_columns: the columns.
        {classes}
        {optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        partitioner: the partitioner of the weights.
        {reduction}
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
                 label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
                 sparse_combiner: str = "sum") -> None:
        head = legacy.classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            _model(linear_model_fn, head, feature_columns, optimizer, sparse_combiner, partitioner=partitioner),
            model_dir, config, warm_start_from=warm_start_from)


@export("estimator.LinearRegressor")
@documented
class LinearRegressor(Estimator):
    """A linear regression, with the mean squared error.

    >>> regressor = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("size")])

    Args:
        feature_columns: the columns.
        {numbers}
        {optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        partitioner: the partitioner of the weights.
        {reduction}
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
                 sparse_combiner: str = "sum") -> None:
        head = legacy.regression_head(weight_column, label_dimension, loss_reduction)
        super().__init__(
            _model(linear_model_fn, head, feature_columns, optimizer, sparse_combiner, partitioner=partitioner),
            model_dir, config, warm_start_from=warm_start_from)


@export("estimator.LinearEstimator")
@documented
class LinearEstimator(Estimator):
    """A linear model under any head.

    >>> head = tf.contrib.estimator.poisson_regression_head()
    >>> estimator = tf.estimator.LinearEstimator(head, [tf.feature_column.numeric_column("size")])

    Args:
        {head}
        feature_columns: the columns.
        {optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        partitioner: the partitioner of the weights.
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = "Ftrl",
                 config: Any = None, partitioner: Any = None, sparse_combiner: str = "sum",
                 warm_start_from: Any = None) -> None:
        super().__init__(
            _model(linear_model_fn, head, feature_columns, optimizer, sparse_combiner, partitioner=partitioner),
            model_dir, config, warm_start_from=warm_start_from)


# ---- with optimizers of tf.keras

@export("compat.v2.estimator.LinearClassifier")
@documented
class KerasLinearClassifier(Estimator):
    """A classifier by a linear model, with an optimizer of tf.keras.

    Args:
        feature_columns: the columns.
        {classes}
        {keras_optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        {keras_reduction}
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
                 label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE,
                 sparse_combiner: str = "sum") -> None:
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(_model(keras_linear_model_fn, head, feature_columns, optimizer, sparse_combiner), model_dir,
                         config, warm_start_from=warm_start_from)


@export("compat.v2.estimator.LinearRegressor")
@documented
class KerasLinearRegressor(Estimator):
    """A linear regression, with an optimizer of tf.keras.

    Args:
        feature_columns: the columns.
        {numbers}
        {keras_optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        {keras_reduction}
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None, warm_start_from: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE, sparse_combiner: str = "sum") -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(_model(keras_linear_model_fn, head, feature_columns, optimizer, sparse_combiner), model_dir,
                         config, warm_start_from=warm_start_from)


@export("compat.v2.estimator.LinearEstimator")
@documented
class KerasLinearEstimator(Estimator):
    """A linear model under any head, with an optimizer of tf.keras.

    Args:
        {head}
        feature_columns: the columns.
        {keras_optimizer} By name it has the learning rate min(0.2, 1 / sqrt(number of columns)).
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        {warm}
        {common}
    """

    def __init__(self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = "Ftrl",
                 config: Any = None, sparse_combiner: str = "sum", warm_start_from: Any = None) -> None:
        super().__init__(_model(keras_linear_model_fn, head, feature_columns, optimizer, sparse_combiner), model_dir,
                         config, warm_start_from=warm_start_from)

"""Deep neural networks: tf.estimator.DNNClassifier, DNNRegressor and DNNEstimator."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.logits import deep_logit_fn, dnn_logit_fn_builder, last_word
from evergraph.estimator.canned.models import (
    LARGE_SLICE,
    check_features,
    classification_head,
    model_of,
    partitioner,
    spec_of_head,
)
from evergraph.estimator.canned.optimizers import get_keras_optimizer, get_optimizer_instance
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.frontend.variables.scope import variable_scope
from evergraph.keras.loss_classes import Reduction as KerasReduction
from evergraph.losses.weighting import Reduction
from evergraph.ops.nn.activations import relu

LEARNING_RATE = 0.05


def dnn_model_fn(features: Any, labels: Any, mode: Any, head: Any, hidden_units: Any, feature_columns: Any,
                 optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: Any = None,
                 input_layer_partitioner: Any = None, config: Any = None, batch_norm: bool = False) -> Any:
    """The EstimatorSpec of a network with an optimizer of tf.train."""
    check_features(features)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner(config)):
        inputs = input_layer_partitioner or partitioner(config, min_slice_size=LARGE_SLICE)
        logit_fn = dnn_logit_fn_builder(head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout,
                                        inputs, batch_norm)
        return spec_of_head(head, features, mode, logit_fn(features, mode), labels,
                            lambda: get_optimizer_instance(optimizer, LEARNING_RATE))


def keras_dnn_model_fn(features: Any, labels: Any, mode: Any, head: Any, hidden_units: Any, feature_columns: Any,
                       optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: Any = None, config: Any = None,
                       batch_norm: bool = False) -> Any:
    """The EstimatorSpec of a network with an optimizer of tf.keras."""
    check_features(features)
    with variable_scope("dnn", values=tuple(features.values()), use_resource=True):
        logit_fn = deep_logit_fn(head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, None,
                                 batch_norm, last_word)
        logits = logit_fn(features, mode)
    return spec_of_head(head, features, mode, logits, labels, lambda: get_keras_optimizer(optimizer))


def _model(function: Callable[..., Any], head: Any, hidden_units: Any, feature_columns: Any, optimizer: Any,
           activation_fn: Any, dropout: Any, batch_norm: bool, **options: Any) -> Callable[..., Any]:
    """The model function of an estimator, from one of the two above."""
    return model_of(function, head, hidden_units=hidden_units, feature_columns=tuple(feature_columns or []),
                    optimizer=optimizer, activation_fn=activation_fn, dropout=dropout, batch_norm=batch_norm, **options)


@export("estimator.DNNClassifier")
@documented
class DNNClassifier(Estimator):
    """A classifier by a deep neural network.

    >>> columns = [tf.feature_column.numeric_column("x", shape=[4])]
    >>> classifier = tf.estimator.DNNClassifier(hidden_units=[10, 10], feature_columns=columns, n_classes=3)

    Args:
        {network}
        {classes}
        {optimizer} "Adagrad" has the learning rate 0.05.
        input_layer_partitioner: the partitioner of the variables of columns.
        {reduction}
        {warm}
        {common}
    """

    def __init__(self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad",
                 activation_fn: Any = relu, dropout: Any = None, input_layer_partitioner: Any = None,
                 config: Any = None, warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
                 batch_norm: bool = False) -> None:
        head = legacy.classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            _model(dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout, batch_norm,
                   input_layer_partitioner=input_layer_partitioner), model_dir, config, warm_start_from=warm_start_from)


@export("estimator.DNNRegressor")
@documented
class DNNRegressor(Estimator):
    """A regression by a deep neural network, with the mean squared error.

    >>> columns = [tf.feature_column.numeric_column("x", shape=[4])]
    >>> regressor = tf.estimator.DNNRegressor(hidden_units=[10, 10], feature_columns=columns)

    Args:
        {network}
        {numbers}
        {optimizer} "Adagrad" has the learning rate 0.05.
        input_layer_partitioner: the partitioner of the variables of columns.
        {reduction}
        {warm}
        {common}
    """

    def __init__(self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu,
                 dropout: Any = None, input_layer_partitioner: Any = None, config: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False) -> None:
        head = legacy.regression_head(weight_column, label_dimension, loss_reduction)
        super().__init__(
            _model(dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout, batch_norm,
                   input_layer_partitioner=input_layer_partitioner), model_dir, config, warm_start_from=warm_start_from)


@export("estimator.DNNEstimator")
@documented
class DNNEstimator(Estimator):
    """A deep neural network under any head.

    >>> columns = [tf.feature_column.numeric_column("x", shape=[4])]
    >>> head = tf.contrib.estimator.multi_label_head(n_classes=3)
    >>> estimator = tf.estimator.DNNEstimator(head, hidden_units=[10, 10], feature_columns=columns)

    Args:
        {head}
        {network}
        {optimizer} "Adagrad" has the learning rate 0.05.
        input_layer_partitioner: the partitioner of the variables of columns.
        {warm}
        {common}
    """

    def __init__(self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
                 optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: Any = None,
                 input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
                 batch_norm: bool = False) -> None:
        super().__init__(
            _model(dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout, batch_norm,
                   input_layer_partitioner=input_layer_partitioner), model_dir, config, warm_start_from=warm_start_from)


# ---- with optimizers of tf.keras

@export("compat.v2.estimator.DNNClassifier")
@documented
class KerasDNNClassifier(Estimator):
    """A classifier by a deep neural network, with an optimizer of tf.keras.

    Args:
        {network}
        {classes}
        {keras_optimizer}
        {keras_reduction}
        {warm}
        {common}
    """

    def __init__(self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad",
                 activation_fn: Any = relu, dropout: Any = None, config: Any = None, warm_start_from: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE, batch_norm: bool = False) -> None:
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            _model(keras_dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
                   batch_norm), model_dir, config, warm_start_from=warm_start_from)


@export("compat.v2.estimator.DNNRegressor")
@documented
class KerasDNNRegressor(Estimator):
    """A regression by a deep neural network, with an optimizer of tf.keras.

    Args:
        {network}
        {numbers}
        {keras_optimizer}
        {keras_reduction}
        {warm}
        {common}
    """

    def __init__(self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu,
                 dropout: Any = None, config: Any = None, warm_start_from: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE, batch_norm: bool = False) -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(
            _model(keras_dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
                   batch_norm), model_dir, config, warm_start_from=warm_start_from)


@export("compat.v2.estimator.DNNEstimator")
@documented
class KerasDNNEstimator(Estimator):
    """A deep neural network under any head, with an optimizer of tf.keras.

    Args:
        {head}
        {network}
        {keras_optimizer}
        {warm}
        {common}
    """

    def __init__(self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
                 optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: Any = None, config: Any = None,
                 warm_start_from: Any = None, batch_norm: bool = False) -> None:
        super().__init__(
            _model(keras_dnn_model_fn, head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
                   batch_norm), model_dir, config, warm_start_from=warm_start_from)

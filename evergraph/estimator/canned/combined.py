"""A linear model beside a deep neural network (wide and deep): tf.estimator.DNNLinearCombinedClassifier & co."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned import linear
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.logits import deep_logit_fn, last_word, linear_logit_fn_builder, summarize_layer
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
from evergraph.estimator.heads.training import keras_step
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import assign_add
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction as KerasReduction
from evergraph.losses.weighting import Reduction
from evergraph.ops.nn.activations import relu
from evergraph.train.global_step import get_global_step, get_or_create_global_step

LARGEST_LINEAR_RATE = 0.005
DNN_RATE = 0.001


@dataclass(frozen=True)
class Parts:
    """The two parts of the model, either of which may have no columns."""

    linear_columns: tuple[Any, ...]
    linear_optimizer: Any
    dnn_columns: tuple[Any, ...]
    dnn_optimizer: Any
    dnn_hidden_units: Any
    dnn_activation_fn: Any
    dnn_dropout: Any
    batch_norm: bool
    linear_sparse_combiner: str


def _parts(linear_feature_columns: Any, linear_optimizer: Any, dnn_feature_columns: Any, dnn_optimizer: Any,
           dnn_hidden_units: Any, dnn_activation_fn: Any, dnn_dropout: Any, batch_norm: bool,
           linear_sparse_combiner: str) -> Parts:
    """The parts, of which one must be there, and the deep one needs layers."""
    parts = Parts(tuple(linear_feature_columns or ()), linear_optimizer, tuple(dnn_feature_columns or ()),
                  dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
    if not parts.linear_columns and not parts.dnn_columns:
        raise ValueError("the model has no columns: give linear_feature_columns, dnn_feature_columns or both")
    return parts


def _check_layers(parts: Parts) -> None:
    if parts.dnn_columns and not parts.dnn_hidden_units:
        raise ValueError("dnn_feature_columns need the sizes of the layers: give dnn_hidden_units")


def _logits(features: Any, mode: Any, units: int, parts: Parts, scope_of: Callable[[str], Any],
            input_layer_partitioner: Any, tag: Callable[[Any], str]) -> Tensor:
    """The sum of the logits of both parts, each in its scope."""
    found = []
    if parts.dnn_columns:
        with scope_of("dnn"):
            logit_fn = deep_logit_fn(units, parts.dnn_hidden_units, parts.dnn_columns, parts.dnn_activation_fn,
                                     parts.dnn_dropout, input_layer_partitioner, parts.batch_norm, tag)
            found.append(logit_fn(features, mode))
    if parts.linear_columns:
        with scope_of("linear") as scope:
            logit_fn = linear_logit_fn_builder(units, parts.linear_columns, parts.linear_sparse_combiner)
            found.append(logit_fn(features))
            summarize_layer(found[-1], scope.name)
    return found[0] + found[1] if len(found) == 2 else found[0]


def _variables(scope: str) -> list[Any]:
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=scope)


def combined_model_fn(features: Any, labels: Any, mode: Any, head: Any, parts: Parts, input_layer_partitioner: Any,
                      config: Any) -> Any:
    """The EstimatorSpec of the model with optimizers of tf.train."""
    check_features(features)
    _check_layers(parts)
    inputs = input_layer_partitioner or partitioner(config, min_slice_size=LARGE_SLICE)
    divisions = {"dnn": partitioner(config), "linear": inputs}
    values = tuple(features.values())
    logits = _logits(features, mode, head.logits_dimension, parts,
                     lambda name: variable_scope(name, values=values, partitioner=divisions[name]), inputs,
                     lambda scope: scope.name)

    def minimize(loss: Any) -> Any:
        steps = []
        if parts.dnn_columns:
            optimizer = get_optimizer_instance(parts.dnn_optimizer, DNN_RATE)
            steps.append(optimizer.minimize(loss, var_list=_variables("dnn")))
        if parts.linear_columns:
            rate = linear.default_rate(parts.linear_columns, LARGEST_LINEAR_RATE)
            optimizer = get_optimizer_instance(parts.linear_optimizer, rate)
            steps.append(optimizer.minimize(loss, var_list=_variables("linear")))
        with control_dependencies([group(*steps)]):
            return assign_add(get_global_step(), 1).op
    return spec_of_head(head, features, mode, logits, labels, lambda: None, minimize)


def keras_combined_model_fn(features: Any, labels: Any, mode: Any, head: Any, parts: Parts, config: Any) -> Any:
    """The EstimatorSpec of the model with optimizers of tf.keras."""
    check_features(features)
    _check_layers(parts)
    values = tuple(features.values())
    logits = _logits(features, mode, head.logits_dimension, parts,
                     lambda name: variable_scope(name, values=values, use_resource=True), None, last_word)

    def minimize(loss: Any) -> Any:
        steps, counted = [], get_or_create_global_step()
        if parts.dnn_columns:
            optimizer = get_keras_optimizer(parts.dnn_optimizer)
            optimizer.iterations, counted = counted, None
            steps.append(keras_step(optimizer, loss, _variables("dnn")))
        if parts.linear_columns:
            optimizer = get_keras_optimizer(
                parts.linear_optimizer, linear.default_rate(parts.linear_columns, LARGEST_LINEAR_RATE))
            if counted is not None:
                optimizer.iterations = counted
            steps.append(keras_step(optimizer, loss, _variables("linear")))
        return group(*steps)
    return spec_of_head(head, features, mode, logits, labels, lambda: None, minimize)


@export("estimator.DNNLinearCombinedClassifier")
@documented
class DNNLinearCombinedClassifier(Estimator):
    """A classifier by a linear model beside a deep neural network, whose logits are added (wide and deep).

    Args:
        {wide}
        {classes}
        input_layer_partitioner: the partitioner of the variables of columns.
        {reduction}
        {warm}
        {common}

    Raises:
        ValueError: there are neither columns of the one nor of the other part.
    """

    def __init__(self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
                 dnn_activation_fn: Any = relu, dnn_dropout: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, input_layer_partitioner: Any = None,
                 config: Any = None, warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
                 batch_norm: bool = False, linear_sparse_combiner: str = "sum") -> None:
        head = legacy.classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(combined_model_fn, head, parts=parts,
                                  input_layer_partitioner=input_layer_partitioner),
                         model_dir, config, warm_start_from=warm_start_from)


@export("estimator.DNNLinearCombinedRegressor")
@documented
class DNNLinearCombinedRegressor(Estimator):
    """A regression by a linear model beside a deep neural network, whose logits are added (wide and deep).

    Args:
        {wide}
        {numbers}
        input_layer_partitioner: the partitioner of the variables of columns.
        {reduction}
        {warm}
        {common}

    Raises:
        ValueError: there are neither columns of the one nor of the other part.
    """

    def __init__(self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
                 dnn_activation_fn: Any = relu, dnn_dropout: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, input_layer_partitioner: Any = None, config: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
                 linear_sparse_combiner: str = "sum") -> None:
        head = legacy.regression_head(weight_column, label_dimension, loss_reduction)
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(combined_model_fn, head, parts=parts,
                                  input_layer_partitioner=input_layer_partitioner),
                         model_dir, config, warm_start_from=warm_start_from)


@export("estimator.DNNLinearCombinedEstimator")
@documented
class DNNLinearCombinedEstimator(Estimator):
    """A linear model beside a deep neural network under any head.

    Args:
        {head}
        {wide}
        input_layer_partitioner: the partitioner of the variables of columns.
        {common}

    Raises:
        ValueError: there are neither columns of the one nor of the other part.
    """

    def __init__(self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None,
                 linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
                 dnn_hidden_units: Any = None, dnn_activation_fn: Any = relu, dnn_dropout: Any = None,
                 input_layer_partitioner: Any = None, config: Any = None, linear_sparse_combiner: str = "sum",
                 batch_norm: bool = False) -> None:
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(combined_model_fn, head, parts=parts,
                                  input_layer_partitioner=input_layer_partitioner), model_dir, config)


# ---- with optimizers of tf.keras

@export("compat.v2.estimator.DNNLinearCombinedClassifier")
@documented
class KerasDNNLinearCombinedClassifier(Estimator):
    """A classifier by a linear model beside a deep neural network, with optimizers of tf.keras.

    Args:
        {wide}
        {classes}
        {keras_reduction}
        {warm}
        {common}
    """

    def __init__(self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
                 dnn_activation_fn: Any = relu, dnn_dropout: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, config: Any = None,
                 warm_start_from: Any = None, loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE,
                 batch_norm: bool = False, linear_sparse_combiner: str = "sum") -> None:
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(keras_combined_model_fn, head, parts=parts), model_dir, config,
                         warm_start_from=warm_start_from)


@export("compat.v2.estimator.DNNLinearCombinedRegressor")
@documented
class KerasDNNLinearCombinedRegressor(Estimator):
    """A regression by a linear model beside a deep neural network, with optimizers of tf.keras.

    Args:
        {wide}
        {numbers}
        {keras_reduction}
        {warm}
        {common}
    """

    def __init__(self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
                 dnn_activation_fn: Any = relu, dnn_dropout: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, config: Any = None, warm_start_from: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE, batch_norm: bool = False,
                 linear_sparse_combiner: str = "sum") -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(keras_combined_model_fn, head, parts=parts), model_dir, config,
                         warm_start_from=warm_start_from)


@export("compat.v2.estimator.DNNLinearCombinedEstimator")
@documented
class KerasDNNLinearCombinedEstimator(Estimator):
    """A linear model beside a deep neural network under any head, with optimizers of tf.keras.

    Args:
        {head}
        {wide}
        {common}
    """

    def __init__(self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None,
                 linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
                 dnn_hidden_units: Any = None, dnn_activation_fn: Any = relu, dnn_dropout: Any = None,
                 config: Any = None, batch_norm: bool = False, linear_sparse_combiner: str = "sum") -> None:
        parts = _parts(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                       dnn_activation_fn, dnn_dropout, batch_norm, linear_sparse_combiner)
        super().__init__(model_of(keras_combined_model_fn, head, parts=parts), model_dir, config)

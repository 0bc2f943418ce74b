"""Linear models of tf.contrib.learn: LinearClassifier, LinearRegressor, LinearEstimator, and SVM."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.layers.feature_columns_layers import (
    check_feature_columns,
    joint_weighted_sum_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from evergraph.contrib.layers.optimize import OPTIMIZER_CLS_NAMES
from evergraph.contrib.learn.canned import (
    CannedEstimator,
    Classifier,
    Regressor,
    are_core,
    columns_or_inferred,
    features_by_name,
    made_optimizer,
)
from evergraph.contrib.learn.heads import (
    BinaryHead,
    Head,
    RegressionHead,
    SvmHead,
    binary_svm_head,
    multi_class_head,
    regression_head,
)
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.contrib.linear_optimizer.optimizer import SDCAOptimizer, UpdateWeightsHook
from evergraph.feature.linear_model import linear_model
from evergraph.frontend.clip import clip_by_global_norm
from evergraph.frontend.collections import get_collection
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.partitions import min_max_variable_partitioner
from evergraph.frontend.variables.scope import variable_scope
from evergraph.train.ftrl import FtrlOptimizer
from evergraph.train.global_step import get_global_step

LEARNING_RATE = 0.2
MIN_SLICE = 64 << 20  # bytes of a column's weights that are not divided


def default_optimizer(feature_columns: Any) -> FtrlOptimizer:
    """FTRL, with a learning rate that is the lower the more columns there are."""
    return FtrlOptimizer(learning_rate=min(LEARNING_RATE, 1.0 / math.sqrt(max(len(feature_columns), 1))))


def linear_logits(features: dict[Any, Any], feature_columns: Any, size: int, num_ps_replicas: int, is_joint: bool,
                  scope: str = "linear", partitioner: Any = None) -> tuple[Any, Any, Any]:
    """(logits, the variables of each column, the bias); the variables join the collection called as the scope."""
    partitioner = partitioner or min_max_variable_partitioner(max_partitions=num_ps_replicas, min_slice_size=MIN_SLICE)
    with variable_scope(scope, values=tuple(features.values()), partitioner=partitioner) as entered:
        if are_core(feature_columns):
            columns_to_variables: dict[Any, Any] = {}
            logits = linear_model(features, feature_columns, units=size, weight_collections=[scope],
                                  cols_to_vars=columns_to_variables)
            return logits, columns_to_variables, columns_to_variables.pop("bias", None)
        summed = joint_weighted_sum_from_feature_columns if is_joint else weighted_sum_from_feature_columns
        return summed(features, feature_columns, size, weight_collections=[scope], scope=entered)


def train_linear(loss: Any, optimizer: Any, clip_norm: float | None, collection: str, global_step: Any) -> Any:
    """One step of an optimizer over the variables of a collection."""
    variables = get_collection(collection)
    slopes = gradients(loss, variables)
    if clip_norm:
        slopes, _ = clip_by_global_norm(slopes, clip_norm)
    return optimizer.apply_gradients(zip(slopes, variables, strict=True), global_step=global_step)


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """The model of a LinearEstimator; `params` are its arguments."""
    head, features = params["head"], features_by_name(features)
    columns = columns_or_inferred(params["feature_columns"], features)
    optimizer = made_optimizer(params.get("optimizer")) or default_optimizer(columns)
    if isinstance(optimizer, str):
        optimizer = OPTIMIZER_CLS_NAMES[optimizer](learning_rate=LEARNING_RATE)
    scope = "linear"
    logits, variables, bias = linear_logits(features, columns, head.logits_dimension,
                                            config.num_ps_replicas if config else 0,
                                            params.get("joint_weights", False), scope,
                                            getattr(optimizer, "partitioner", None))
    hooks: list[Any] = []

    def train_op_fn(loss: Any) -> Any:
        if isinstance(optimizer, SDCAOptimizer):
            model, train_op = optimizer.get_train_step(
                variables, params.get("weight_column_name"), _loss_type(head), features, labels, get_global_step(),
                bias=bias)
            hooks.append(UpdateWeightsHook(model, train_op))
            return train_op
        return train_linear(loss, optimizer, params.get("gradient_clip_norm"), scope, get_global_step())

    with variable_scope(scope):
        ops = head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)
    return ops._replace(training_chief_hooks=(*ops.training_chief_hooks, *hooks)) if mode == ModeKeys.TRAIN else ops


def _loss_type(head: Head) -> str:
    """What SDCA calls the loss of a head."""
    kinds = {BinaryHead: "logistic_loss", RegressionHead: "squared_loss", SvmHead: "hinge_loss"}
    if type(head) not in kinds or head.logits_dimension != 1:
        raise ValueError(f"SDCAOptimizer trains models of two classes or of one number; the head is {head}")
    return kinds[type(head)]


def linear_params(head: Head, feature_columns: Any, **given: Any) -> dict[str, Any]:
    """The `params` of `model_fn`."""
    columns = None if feature_columns is None else tuple(feature_columns)
    if columns is not None and not are_core(columns):
        check_feature_columns(columns)
    return {"head": head, "feature_columns": columns, **given}


@export("contrib.learn.LinearEstimator")
class LinearEstimator(CannedEstimator):
    """A linear model under a head.

    Args:
        feature_columns: columns of tf.contrib.layers or of tf.feature_column.
        head: a head, such as `tf.contrib.learn.poisson_regression_head` makes.
        model_dir: the directory of checkpoints and events.
        weight_column_name: has to be that of the head.
        optimizer: an optimizer, or a function that makes one; FTRL by default.
        gradient_clip_norm: the largest norm of all gradients together.
        _joint_weights: whether the weights of all columns are one variable.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.

    Raises:
        ValueError: the optimizer is an SDCAOptimizer, which goes with LinearClassifier and LinearRegressor alone.
    """

    def __init__(self, feature_columns: Any, head: Head, model_dir: Any = None, weight_column_name: str | None = None,
                 optimizer: Any = None, gradient_clip_norm: float | None = None, _joint_weights: bool = False,
                 config: Any = None, feature_engineering_fn: Any = None) -> None:
        if feature_columns is None:
            raise ValueError("feature_columns must be columns, got None")
        if isinstance(optimizer, SDCAOptimizer):
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        super().__init__(model_fn, model_dir, config, linear_params(
            head, feature_columns, weight_column_name=weight_column_name, optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm, joint_weights=_joint_weights), feature_engineering_fn)


@export("contrib.learn.LinearClassifier")
class LinearClassifier(Classifier):
    """A linear model that tells classes apart.

    Args:
        feature_columns: columns of tf.contrib.layers or of tf.feature_column.
        model_dir: the directory of checkpoints and events.
        n_classes: the number of classes.
        weight_column_name: the feature with the weights of examples.
        optimizer: an optimizer, a `tf.contrib.linear_optimizer.SDCAOptimizer`, or a function that makes one; FTRL by
            default.
        gradient_clip_norm: the largest norm of all gradients together.
        enable_centered_bias: whether to learn a bias that alone predicts as well as it can.
        _joint_weight: whether the weights of all columns are one variable.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        label_keys: the names of the classes, where labels are strings.
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
                 weight_column_name: str | None = None, optimizer: Any = None,
                 gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
                 _joint_weight: bool = False, config: Any = None, feature_engineering_fn: Any = None,
                 label_keys: Sequence[str] | None = None) -> None:
        head = multi_class_head(n_classes, weight_column_name=weight_column_name,
                                enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        _check_sdca(optimizer, enable_centered_bias)
        super().__init__(model_fn, model_dir, config, linear_params(
            head, feature_columns, weight_column_name=weight_column_name, optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm, joint_weights=_joint_weight), feature_engineering_fn)


@export("contrib.learn.LinearRegressor")
class LinearRegressor(Regressor):
    """A linear model that predicts numbers.

    Args:
        label_dimension: how many numbers there are for an example.
        _joint_weights: whether the weights of all columns are one variable.
        feature_columns, model_dir, weight_column_name, optimizer, gradient_clip_norm, enable_centered_bias, config,
        feature_engineering_fn: see LinearClassifier.
    """

    def __init__(self, feature_columns: Any, model_dir: Any = None, weight_column_name: str | None = None,
                 optimizer: Any = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
                 label_dimension: int = 1, _joint_weights: bool = False, config: Any = None,
                 feature_engineering_fn: Any = None) -> None:
        head = regression_head(label_dimension=label_dimension, weight_column_name=weight_column_name,
                               enable_centered_bias=enable_centered_bias)
        _check_sdca(optimizer, enable_centered_bias)
        super().__init__(model_fn, model_dir, config, linear_params(
            head, feature_columns, weight_column_name=weight_column_name, optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm, joint_weights=_joint_weights), feature_engineering_fn)


def _check_sdca(optimizer: Any, enable_centered_bias: bool) -> None:
    if isinstance(optimizer, SDCAOptimizer) and enable_centered_bias:
        raise ValueError("SDCAOptimizer trains a bias of its own: enable_centered_bias must be False with it")


@export("contrib.learn.SVM")
class SVM(Classifier):
    """A support vector machine for two classes: a linear model with the hinge loss, trained by SDCA.

    Args:
        example_id_column: the feature with the ids of examples, strings.
        feature_columns: columns of tf.contrib.layers.
        weight_column_name: the feature with the weights of examples.
        model_dir: the directory of checkpoints and events.
        l1_regularization: the L1 regularization.
        l2_regularization: the L2 regularization.
        num_loss_partitions: how many workers take examples at the same time.
        kernels: must be None; map the features with `tf.contrib.kernel_methods` first.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
    """

    def __init__(self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
                 model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
                 num_loss_partitions: int = 1, kernels: Any = None, config: Any = None,
                 feature_engineering_fn: Any = None) -> None:
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported: map the features instead")
        optimizer = SDCAOptimizer(
            example_id_column=example_id_column, num_loss_partitions=num_loss_partitions,
            symmetric_l1_regularization=l1_regularization, symmetric_l2_regularization=l2_regularization)
        head = binary_svm_head(weight_column_name=weight_column_name, enable_centered_bias=False)
        super().__init__(model_fn, model_dir, config, linear_params(
            head, feature_columns, weight_column_name=weight_column_name, optimizer=optimizer), feature_engineering_fn)

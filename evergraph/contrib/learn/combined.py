"""Wide and deep models of tf.contrib.learn: DNNLinearCombinedClassifier, DNNLinearCombinedRegressor and -Estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.layers.optimize import OPTIMIZER_CLS_NAMES, optimize_loss
from evergraph.contrib.learn import dnn, linear
from evergraph.contrib.learn.canned import (
    CannedEstimator,
    Classifier,
    Regressor,
    embedding_multipliers,
    features_by_name,
    made_optimizer,
)
from evergraph.contrib.learn.heads import Head, multi_class_head, regression_head
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.collections import get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import assign_add
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn.activations import relu
from evergraph.train.global_step import get_global_step


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """The model of a DNNLinearCombinedEstimator; `params` are its arguments."""
    head, features = params["head"], features_by_name(features)
    servers = config.num_ps_replicas if config else 0
    logits, steps = [], []
    once = params.get("fix_global_step_increment_bug", False)
    if params["dnn_feature_columns"]:
        with variable_scope("dnn", values=tuple(features.values())):
            logits.append(dnn.network_logits(
                features, params["dnn_feature_columns"], params["dnn_hidden_units"], head.logits_dimension, mode,
                params.get("dnn_activation_fn") or relu, params.get("dnn_dropout"), servers,
                params.get("input_layer_min_slice_size")))
        steps.append(lambda loss: _deep_step(loss, params, once))
    if params["linear_feature_columns"]:
        logits.append(linear.linear_logits(features, params["linear_feature_columns"], head.logits_dimension, servers,
                                           params.get("joint_linear_weights", False))[0])
        steps.append(lambda loss: _wide_step(loss, params, once))

    def train_op_fn(loss: Any) -> Any:
        train_op = group(*[step(loss) for step in steps])
        if not once:
            return train_op
        with control_dependencies([train_op]):
            return assign_add(get_global_step(), 1).op

    total = logits[0] if len(logits) == 1 else logits[0] + logits[1]
    return head.create_model_fn_ops(features, mode, labels, train_op_fn, total)


def _deep_step(loss: Any, params: dict[str, Any], once: bool) -> Any:
    return optimize_loss(
        loss, get_global_step(), learning_rate=dnn.LEARNING_RATE,
        optimizer=made_optimizer(params.get("dnn_optimizer") or "Adagrad"),
        gradient_multipliers=embedding_multipliers(params.get("embedding_lr_multipliers"), "dnn",
                                                   "dnn/input_from_feature_columns"),
        clip_gradients=params.get("gradient_clip_norm"), variables=get_collection("dnn"), name="dnn", summaries=[],
        increment_global_step=not once)


def _wide_step(loss: Any, params: dict[str, Any], once: bool) -> Any:
    optimizer = made_optimizer(params.get("linear_optimizer"))
    if isinstance(optimizer, str):
        optimizer = OPTIMIZER_CLS_NAMES[optimizer](learning_rate=linear.LEARNING_RATE)
    if optimizer is None:
        optimizer = linear.default_optimizer(params["linear_feature_columns"])
    return linear.train_linear(loss, optimizer, params.get("gradient_clip_norm"), "linear",
                               None if once else get_global_step())


def _params(head: Head, **given: Any) -> dict[str, Any]:
    for key in ("linear_feature_columns", "dnn_feature_columns"):
        given[key] = tuple(given[key] or ())
    if not given["linear_feature_columns"] + given["dnn_feature_columns"]:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    if given["dnn_feature_columns"] and not given["dnn_hidden_units"]:
        raise ValueError("dnn_feature_columns without dnn_hidden_units: give a size for each layer.")
    return {"head": head, **given}


@export("contrib.learn.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimator(CannedEstimator):
    """A linear model and a deep network, whose logits are added, under a head.

    Args:
        head: a head, such as `tf.contrib.learn.multi_class_head` makes.
        model_dir, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns,
        dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, config,
        feature_engineering_fn, embedding_lr_multipliers, fix_global_step_increment_bug, input_layer_min_slice_size:
            see DNNLinearCombinedClassifier.
    """

    def __init__(self, head: Head, model_dir: Any = None, linear_feature_columns: Any = None,
                 linear_optimizer: Any = None, _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
                 dnn_optimizer: Any = None, dnn_hidden_units: Sequence[int] | None = None,
                 dnn_activation_fn: Any = None, dnn_dropout: float | None = None,
                 gradient_clip_norm: float | None = None, config: Any = None, feature_engineering_fn: Any = None,
                 embedding_lr_multipliers: Any = None, fix_global_step_increment_bug: bool = False,
                 input_layer_min_slice_size: int | None = None) -> None:
        super().__init__(model_fn, model_dir, config, _params(
            head, linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            joint_linear_weights=_joint_linear_weights, dnn_feature_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers,
            fix_global_step_increment_bug=fix_global_step_increment_bug,
            input_layer_min_slice_size=input_layer_min_slice_size), feature_engineering_fn)


@export("contrib.learn.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifier(Classifier):
    """A linear model and a deep network, whose logits are added, that tell classes apart.

    Args:
        model_dir: the directory of checkpoints and events.
        n_classes: the number of classes.
        weight_column_name: the feature with the weights of examples.
        linear_feature_columns: the columns of the linear model.
        linear_optimizer: its optimizer, or a function that makes one; FTRL by default.
        _joint_linear_weights: whether the weights of its columns are one variable.
        dnn_feature_columns: the columns of the network.
        dnn_optimizer: its optimizer; Adagrad by default.
        dnn_hidden_units: the number of units of each hidden layer.
        dnn_activation_fn: the activation of hidden layers, or its name.
        dnn_dropout: the share of units that are dropped in training.
        gradient_clip_norm: the largest norm of all gradients together.
        enable_centered_bias: whether to learn a bias that alone predicts as well as it can.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        embedding_lr_multipliers: factors of the learning rate, by embedding column.
        input_layer_min_slice_size: the number of bytes of a variable of the input layer that are not divided among
            parameter servers.
        label_keys: the names of the classes, where labels are strings.
        fix_global_step_increment_bug: whether a step of both optimizers counts once rather than twice.
    """

    def __init__(self, model_dir: Any = None, n_classes: int = 2, weight_column_name: str | None = None,
                 linear_feature_columns: Any = None, linear_optimizer: Any = None, _joint_linear_weights: bool = False,
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
                 dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = relu,
                 dnn_dropout: float | None = None, gradient_clip_norm: float | None = None,
                 enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
                 embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None,
                 label_keys: Sequence[str] | None = None, fix_global_step_increment_bug: bool = False) -> None:
        head = multi_class_head(n_classes, weight_column_name=weight_column_name,
                                enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        super().__init__(model_fn, model_dir, config, _params(
            head, linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            joint_linear_weights=_joint_linear_weights, dnn_feature_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers, input_layer_min_slice_size=input_layer_min_slice_size,
            fix_global_step_increment_bug=fix_global_step_increment_bug), feature_engineering_fn)


@export("contrib.learn.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressor(Regressor):
    """A linear model and a deep network, whose logits are added, that predict numbers.

    Args:
        label_dimension: how many numbers there are for an example.
        model_dir, weight_column_name, linear_feature_columns, linear_optimizer, _joint_linear_weights,
        dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm,
        enable_centered_bias, config, feature_engineering_fn, embedding_lr_multipliers, input_layer_min_slice_size,
        fix_global_step_increment_bug: see DNNLinearCombinedClassifier.
    """

    def __init__(self, model_dir: Any = None, weight_column_name: str | None = None,
                 linear_feature_columns: Any = None, linear_optimizer: Any = None, _joint_linear_weights: bool = False,
                 dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
                 dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = relu,
                 dnn_dropout: float | None = None, gradient_clip_norm: float | None = None,
                 enable_centered_bias: bool = False, label_dimension: int = 1, config: Any = None,
                 feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
                 input_layer_min_slice_size: int | None = None, fix_global_step_increment_bug: bool = False) -> None:
        head = regression_head(label_dimension=label_dimension, weight_column_name=weight_column_name,
                               enable_centered_bias=enable_centered_bias)
        super().__init__(model_fn, model_dir, config, _params(
            head, linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            joint_linear_weights=_joint_linear_weights, dnn_feature_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers, input_layer_min_slice_size=input_layer_min_slice_size,
            fix_global_step_increment_bug=fix_global_step_increment_bug), feature_engineering_fn)

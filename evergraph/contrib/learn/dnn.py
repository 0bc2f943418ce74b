"""Deep networks of tf.contrib.learn: DNNClassifier, DNNRegressor, DNNEstimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.layers.optimize import optimize_loss
from evergraph.contrib.learn.canned import (
    CannedEstimator,
    Classifier,
    Regressor,
    activation,
    embedding_multipliers,
    features_by_name,
    made_optimizer,
    network_input,
)
from evergraph.contrib.learn.heads import Head, multi_class_head, regression_head
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.frontend.nn.activations import dropout as drop
from evergraph.frontend.nn.activations import zero_fraction
from evergraph.frontend.variables.partitions import min_max_variable_partitioner
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn.activations import relu
from evergraph.summary import summaries
from evergraph.train.global_step import get_global_step

LEARNING_RATE = 0.05
MIN_SLICE = 64 << 20  # bytes of an input layer's variable that are not divided


def network_logits(features: Any, feature_columns: Any, hidden_units: Sequence[int], size: int, mode: str,
                   activation_fn: Any, dropout: float | None, num_ps_replicas: int,
                   input_layer_min_slice_size: int | None, scope: str = "dnn") -> Any:
    """The logits of a network, whose variables join the collection that is called as the scope."""
    partitioner = min_max_variable_partitioner(
        max_partitions=num_ps_replicas,
        min_slice_size=MIN_SLICE if input_layer_min_slice_size is None else input_layer_min_slice_size)
    with variable_scope("input_from_feature_columns", values=tuple(features.values()),
                        partitioner=partitioner) as input_scope:
        net = network_input(features, feature_columns, scope, input_scope)
    return tower_logits(net, hidden_units, size, mode, activation_fn, dropout, num_ps_replicas, scope)


def tower_logits(net: Any, hidden_units: Sequence[int], size: int, mode: str, activation_fn: Any,
                 dropout: float | None, num_ps_replicas: int, scope: str = "dnn") -> Any:
    """The logits of hidden layers over an input, whose variables join the collection that is called as the scope."""
    hidden = min_max_variable_partitioner(max_partitions=num_ps_replicas)
    for number, units in enumerate(hidden_units):
        with variable_scope(f"hiddenlayer_{number}", values=(net,), partitioner=hidden) as layer:
            net = fully_connected(net, units, activation_fn=activation(activation_fn), variables_collections=[scope],
                                  scope=layer)
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = drop(net, keep_prob=1.0 - dropout)
        _summarize(net, layer.name)
    with variable_scope("logits", values=(net,), partitioner=hidden) as layer:
        logits = fully_connected(net, size, activation_fn=None, variables_collections=[scope], scope=layer)
    _summarize(logits, layer.name)
    return logits


def _summarize(values: Any, name: str) -> None:
    summaries.scalar(f"{name}/fraction_of_zero_values", zero_fraction(values))
    summaries.histogram(f"{name}/activation", values)


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """The model of a DNNEstimator; `params` are its arguments."""
    head, features = params["head"], features_by_name(features)
    with variable_scope("dnn", values=tuple(features.values())):
        logits = network_logits(
            features, params["feature_columns"], params["hidden_units"], head.logits_dimension, mode,
            params.get("activation_fn", relu), params.get("dropout"), config.num_ps_replicas if config else 0,
            params.get("input_layer_min_slice_size"))

        def train_op_fn(loss: Any) -> Any:
            return optimize_loss(
                loss, get_global_step(), learning_rate=LEARNING_RATE, optimizer=made_optimizer(
                    params.get("optimizer") or "Adagrad"),
                gradient_multipliers=embedding_multipliers(params.get("embedding_lr_multipliers"), "dnn",
                                                           "dnn/input_from_feature_columns"),
                clip_gradients=params.get("gradient_clip_norm"), name="dnn", summaries=[])
        return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def _params(head: Head, **given: Any) -> dict[str, Any]:
    return {"head": head, **given, "feature_columns": tuple(given["feature_columns"] or ())}


@export("contrib.learn.DNNEstimator")
class DNNEstimator(CannedEstimator):
    """A deep network under a head.

    Args:
        head: a head, such as `tf.contrib.learn.multi_class_head` makes.
        hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, gradient_clip_norm, config,
        feature_engineering_fn, embedding_lr_multipliers, input_layer_min_slice_size: see DNNClassifier.
    """

    def __init__(self, head: Head, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
                 optimizer: Any = None, activation_fn: Any = relu, dropout: float | None = None,
                 gradient_clip_norm: float | None = None, config: Any = None, feature_engineering_fn: Any = None,
                 embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None) -> None:
        super().__init__(model_fn, model_dir, config, _params(
            head, hidden_units=hidden_units, feature_columns=feature_columns, optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers,
            input_layer_min_slice_size=input_layer_min_slice_size), feature_engineering_fn)


@export("contrib.learn.DNNClassifier")
class DNNClassifier(Classifier):
    """A deep network that tells classes apart.

    Args:
        hidden_units: the number of units of each hidden layer.
        feature_columns: columns of tf.contrib.layers or of tf.feature_column.
        model_dir: the directory of checkpoints and events.
        n_classes: the number of classes.
        weight_column_name: the feature with the weights of examples.
        optimizer: an optimizer, its name, or a function that makes one; Adagrad by default.
        activation_fn: the activation of hidden layers, or its name.
        dropout: the share of units that are dropped in training.
        gradient_clip_norm: the largest norm of all gradients together.
        enable_centered_bias: whether to learn a bias that alone predicts as well as it can.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        embedding_lr_multipliers: factors of the learning rate, by embedding column.
        input_layer_min_slice_size: the number of bytes of a variable of the input layer that are not divided among
            parameter servers.
        label_keys: the names of the classes, where labels are strings.
    """

    def __init__(self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
                 weight_column_name: str | None = None, optimizer: Any = None, activation_fn: Any = relu,
                 dropout: float | None = None, gradient_clip_norm: float | None = None,
                 enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
                 embedding_lr_multipliers: Any = None, input_layer_min_slice_size: int | None = None,
                 label_keys: Sequence[str] | None = None) -> None:
        head = multi_class_head(n_classes, weight_column_name=weight_column_name,
                                enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        super().__init__(model_fn, model_dir, config, _params(
            head, hidden_units=hidden_units, feature_columns=feature_columns, optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers,
            input_layer_min_slice_size=input_layer_min_slice_size), feature_engineering_fn)


@export("contrib.learn.DNNRegressor")
class DNNRegressor(Regressor):
    """A deep network that predicts numbers.

    Args:
        label_dimension: how many numbers there are for an example.
        hidden_units, feature_columns, model_dir, weight_column_name, optimizer, activation_fn, dropout,
        gradient_clip_norm, enable_centered_bias, config, feature_engineering_fn, embedding_lr_multipliers,
        input_layer_min_slice_size: see DNNClassifier.
    """

    def __init__(self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
                 weight_column_name: str | None = None, optimizer: Any = None, activation_fn: Any = relu,
                 dropout: float | None = None, gradient_clip_norm: float | None = None,
                 enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
                 label_dimension: int = 1, embedding_lr_multipliers: Any = None,
                 input_layer_min_slice_size: int | None = None) -> None:
        head = regression_head(label_dimension=label_dimension, weight_column_name=weight_column_name,
                               enable_centered_bias=enable_centered_bias)
        super().__init__(model_fn, model_dir, config, _params(
            head, hidden_units=hidden_units, feature_columns=feature_columns, optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers,
            input_layer_min_slice_size=input_layer_min_slice_size), feature_engineering_fn)

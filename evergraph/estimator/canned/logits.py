"""The logits of linear models and deep neural networks, from feature columns."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.feature.input_layer import input_layer
from evergraph.feature.linear_model import linear_model
from evergraph.frontend import array, math
from evergraph.frontend.nn.activations import zero_fraction
from evergraph.frontend.variables.initializers import glorot_uniform_initializer
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.dense import dense
from evergraph.layers.dropout import dropout as dropout_layer
from evergraph.layers.normalization import batch_normalization
from evergraph.summary.summaries import histogram, scalar

_BATCH_NORM_MOMENTUM = 0.999


def last_word(scope: Any) -> str:
    """The name of a variable scope without that of the model."""
    return scope.name.rpartition("/")[2]


def summarize_layer(value: Tensor, tag: str) -> None:
    """Adds the summaries of a layer: the share of zeros, and a histogram."""
    scalar(f"{tag}/fraction_of_zero_values", zero_fraction(value))
    histogram(f"{tag}/activation", value)


# ---- deep neural networks

@export("estimator.experimental.dnn_logit_fn_builder", "contrib.estimator.dnn_logit_fn_builder")
def dnn_logit_fn_builder(units: int, hidden_units: Any, feature_columns: Any, activation_fn: Any, dropout: Any,
                         input_layer_partitioner: Any, batch_norm: bool) -> Callable[..., Tensor]:
    """A function of (features, mode) that returns the logits of a deep neural network.

    Args:
        units: the number of logits.
        hidden_units: the sizes of the hidden layers.
        feature_columns: dense columns, the input.
        activation_fn: the activation function of the hidden layers.
        dropout: the share of each hidden layer's outputs that training drops, or None.
        input_layer_partitioner: the partitioner of the variables of columns.
        batch_norm: whether each hidden layer is followed by batch normalization.

    Raises:
        ValueError: `units` is no integer.
    """
    return deep_logit_fn(units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner,
                         batch_norm, lambda scope: scope.name)


def deep_logit_fn(units: int, hidden_units: Any, feature_columns: Any, activation_fn: Any, dropout: Any,
                  input_layer_partitioner: Any, batch_norm: bool, tag: Callable[[Any], str]) -> Callable[..., Tensor]:
    """See `dnn_logit_fn_builder`; `tag` names the summaries of the layer that has a variable scope."""
    if not isinstance(units, int):
        raise ValueError(f"units must be an int, not a {type(units)}")

    def dnn_logit_fn(features: Any, mode: Any) -> Tensor:
        with variable_scope("input_from_feature_columns", values=tuple(features.values()),
                            partitioner=input_layer_partitioner):
            net = input_layer(features, feature_columns)
        for number, size in enumerate(hidden_units):
            net, scope = _hidden_layer(net, number, size, activation_fn, dropout, batch_norm, mode == ModeKeys.TRAIN)
            summarize_layer(net, tag(scope))
        logits, scope = _last_layer(net, units)
        summarize_layer(logits, tag(scope))
        return logits
    return dnn_logit_fn


def _hidden_layer(net: Tensor, number: int, size: int, activation_fn: Any, dropout: Any, batch_norm: bool,
                  is_training: bool) -> tuple[Tensor, Any]:
    with variable_scope(f"hiddenlayer_{number}", values=(net,)) as scope:
        net = dense(net, size, activation=activation_fn, kernel_initializer=glorot_uniform_initializer(), name=scope)
        if dropout is not None and is_training:
            net = dropout_layer(net, rate=dropout, training=True)
        if batch_norm:
            net = batch_normalization(net, momentum=_BATCH_NORM_MOMENTUM, training=is_training,
                                      name=f"batchnorm_{number}")
    return net, scope


def _last_layer(net: Tensor, units: int) -> tuple[Tensor, Any]:
    with variable_scope("logits", values=(net,)) as scope:
        logits = dense(net, units, activation=None, kernel_initializer=glorot_uniform_initializer(), name=scope)
    return logits, scope


# ---- linear models

@export("estimator.experimental.linear_logit_fn_builder", "contrib.estimator.linear_logit_fn_builder")
def linear_logit_fn_builder(units: int, feature_columns: Any, sparse_combiner: str = "sum") -> Callable[..., Tensor]:
    """A function of (features) that returns the logits of a linear model.

    Args:
        units: the number of logits.
        feature_columns: the columns.
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
    """
    return lambda features: linear_logits(features, feature_columns, units, sparse_combiner)[0]


def linear_logits(features: Any, feature_columns: Any, units: int,
                  sparse_combiner: str) -> tuple[Tensor, dict[Any, Any], Any]:
    """The logits of a linear model, the variables of each column, and those of the bias."""
    variables: dict[Any, Any] = {}
    logits = linear_model(features, feature_columns, units, sparse_combiner, cols_to_vars=variables)
    bias = variables.pop("bias")
    if units > 1:
        histogram("bias", _whole(bias))
    else:
        scalar("bias", _whole(bias)[0])
    scalar("fraction_of_zero_weights", share_of_zeros(list(variables.values())))
    return logits, variables, bias


def _whole(variable: Any) -> Any:
    """A variable, or the parts of one, as one tensor."""
    parts = variable if isinstance(variable, (list, tuple, PartitionedVariable)) else [variable]
    return array.concat([array.identity(part) for part in parts], 0)


def share_of_zeros(groups: list[Any]) -> Tensor:
    """The share of zeros among all elements of variables."""
    zeros, sizes = [], []
    for variable in (part for group in groups for part in (group if isinstance(group, (list, tuple)) else [group])):
        size = math.cast(array.size(variable), dtypes.float32)
        zeros.append(zero_fraction(variable) * size)
        sizes.append(size)
    return math.add_n(zeros) / math.add_n(sizes)

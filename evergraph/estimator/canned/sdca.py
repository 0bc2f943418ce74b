"""tf.estimator.experimental.LinearSDCA: trains linear models by stochastic dual coordinate ascent."""
from __future__ import annotations

import re
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.canned.sdca_model import SdcaModel, SparseFeatureColumn, parts_of
from evergraph.estimator.heads.binary import BinaryClassHead
from evergraph.estimator.heads.legacy import LegacyHead
from evergraph.estimator.heads.multi_class import MultiClassHead
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.feature.column import IdsColumn
from evergraph.feature.input_layer import flattened
from evergraph.feature.inputs import LazyBuilder
from evergraph.frontend import array, math
from evergraph.frontend.indexing import boolean_mask
from evergraph.frontend.ordering import unique
from evergraph.frontend.variables.scope import AUTO_REUSE, variable_scope
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math.elementwise import floor_mod
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_global_step
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook

_WEIGHTS = "weights of examples, by the head"  # a feature


@export("estimator.experimental.LinearSDCA")
class LinearSDCA:
    """Stochastic dual coordinate ascent, the optimizer of a LinearClassifier with two classes or a LinearRegressor.

    It keeps a dual variable for each example, by its id, and sets one at a time to its optimum. There is no learning
    rate. The loss has to be the logistic or the squared one, with L2 regularization.

    >>> optimizer = tf.estimator.experimental.LinearSDCA("id", symmetric_l2_regularization=0.1)
    >>> columns = [tf.feature_column.numeric_column("size")]
    >>> regressor = tf.estimator.LinearRegressor(columns, optimizer=optimizer)

    Args:
        example_id_column: the name of the feature with the ids of examples, a vector of strings.
        num_loss_partitions: how many workers take examples at the same time.
        num_table_shards: the number of tables that hold the duals.
        symmetric_l1_regularization: the L1 regularization.
        symmetric_l2_regularization: the L2 regularization, which must be positive.
        adaptive: whether examples far from their optimum are taken more often.
    """

    def __init__(self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
                 symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
                 adaptive: bool = False) -> None:
        self._example_id_column = example_id_column
        self._options = {"num_loss_partitions": num_loss_partitions, "num_table_shards": num_table_shards,
                         "symmetric_l1_regularization": symmetric_l1_regularization,
                         "symmetric_l2_regularization": symmetric_l2_regularization, "adaptive": adaptive}

    def check(self, head: Any, sparse_combiner: str) -> None:
        """Raises ValueError unless it can train a linear model under this head."""
        if sparse_combiner != "sum":
            raise ValueError(f'LinearSDCA trains models with the sparse_combiner "sum", got {sparse_combiner!r}')
        head = _unwrapped(head)
        if isinstance(head, MultiClassHead):
            raise ValueError("LinearSDCA trains models of two classes, and the head has more")
        if isinstance(head, RegressionHead) and head.logits_dimension > 1:
            raise ValueError(f"LinearSDCA trains models of one number, and the labels have {head.logits_dimension}")
        _loss_type(head)

    def get_train_step(self, state_manager: Any, weight_column_name: str | None, loss_type: str, feature_columns: Any,
                       features: Any, targets: Any, bias_var: Any, global_step: Any) -> tuple[SdcaModel, Any]:
        """The model, and the operation that takes the examples of a batch once.

        Args:
            state_manager: has `get_variable(column, "weights")`: the weights of a column, a variable or its parts.
            weight_column_name: the name of the feature with the weights of examples, or None.
            loss_type: "logistic_loss" or "squared_loss".
            feature_columns: the columns of the linear model.
            features: the features by name.
            targets: the labels, numbers.
            bias_var: the bias, a variable or its parts.
            global_step: the variable to increment.
        """
        columns, builder = sorted(feature_columns, key=lambda column: column.name), LazyBuilder(features)
        weights = {column: state_manager.get_variable(column, "weights") for column in columns}
        sparse = {column: _sparse_features(column, builder) for column in columns if isinstance(column, IdsColumn)}
        dense = {column: _dense_features(column, builder, weights[column]) for column in columns
                 if column not in sparse}
        labels = math.cast(array.reshape(targets, [-1]), dtypes.float32)
        ones = array.ones([array.shape(labels)[0], 1])
        examples = {
            "sparse_features": list(sparse.values()), "dense_features": [*dense.values(), ones],
            "example_labels": labels, "example_ids": features[self._example_id_column],
            "example_weights": array.reshape(features[weight_column_name] if weight_column_name else ones, [-1])}
        variables = {"sparse_features_weights": [weights[column] for column in sparse],
                     "dense_features_weights": [*(weights[column] for column in dense), bias_var]}
        model = SdcaModel(examples, variables, {**self._options, "loss_type": loss_type})
        scalar("approximate_duality_gap", model.approximate_duality_gap())
        scalar("examples_seen", model.examples_seen())
        return model, model.minimize(global_step=global_step)


class WeightsOfColumns:
    """The weights of the columns of a linear model.

    Args:
        variables: the variables of each column: the parts of its weights, and those that the column itself has.
    """

    def __init__(self, variables: dict[Any, list[Any]]) -> None:
        self._variables = variables

    def get_variable(self, column: Any, name: str) -> list[Any]:
        """The parts of the variable of a column that has this name."""
        return [each for each in self._variables[column] if re.fullmatch(rf".*/{name}(/part_\d+)?", each.op.name)]


def train_step(optimizer: LinearSDCA, head: Any, features: Any, labels: Any, logits: Tensor,
               variables: dict[Any, list[Any]], bias: Any) -> tuple[Any, SessionRunHook]:
    """The train op of a linear model, and the hook that sets its weights after each step."""
    head = _unwrapped(head)
    found = head.losses(labels, logits, features)
    # The head knows the weights of examples, which a normalizer of their column may have changed.
    weighted = {**features, _WEIGHTS: found.weights * array.ones_like(found.unreduced)}
    model, train_op = optimizer.get_train_step(WeightsOfColumns(variables), _WEIGHTS, _loss_type(head), variables,
                                               weighted, found.labels, bias, get_global_step())
    return train_op, _UpdateWeights(model, train_op)


def _unwrapped(head: Any) -> Any:
    return head.head if isinstance(head, LegacyHead) else head


def _loss_type(head: Any) -> str:
    if isinstance(head, BinaryClassHead):
        return "logistic_loss"
    if isinstance(head, RegressionHead):
        return "squared_loss"
    raise ValueError(f"Unsupported head type: {head}")


def _dense_features(column: Any, builder: LazyBuilder, weights: Any) -> Tensor:
    """What a dense column makes of the features, with the variables that it has beside its weights."""
    scope, _, _ = parts_of(weights)[0].op.name.rpartition("/weights")
    with variable_scope(scope, reuse=AUTO_REUSE, auxiliary_name_scope=False):
        return flattened(column, builder, [], True)


def _sparse_features(column: Any, builder: LazyBuilder) -> SparseFeatureColumn:
    """The ids of a column and their weights. Ids below 0 are left out, and equal ids of an example are one."""
    ids, weights = column._get_sparse_tensors(builder)
    rows, numbers = ids.indices[:, 0], math.cast(array.reshape(ids.values, [-1]), dtypes.int64)
    values = array.ones([array.shape(numbers)[0]]) if weights is None else array.reshape(weights.values, [-1])
    known = numbers >= 0
    rows, numbers, values = (boolean_mask(each, known) for each in (rows, numbers, values))
    size = column._num_buckets
    pairs, places = unique(rows * size + numbers)
    count = array.shape(pairs)[0]
    return SparseFeatureColumn(math.floordiv(pairs, size), floor_mod(pairs, size),
                               unsorted_segment_sum(values, places, count))


class _UpdateWeights(SessionRunHook):
    """Sets the weights to what the optimizer found, in each step."""

    def __init__(self, model: SdcaModel, train_op: Any) -> None:
        self._model, self._train_op = model, train_op

    def begin(self) -> None:
        self._update = self._model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._update)

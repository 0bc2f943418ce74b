"""tf.estimator.experimental.LinearSDCA: trains linear models by stochastic dual coordinate ascent."""
from __future__ import annotations

import re
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.canned.sdca_model import SdcaModel, SparseFeatureColumn
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
            raise ValueError('sparse_combiner must be "sum" when optimizer is a LinearSDCA object.')
        head = _unwrapped(head)
        if isinstance(head, MultiClassHead):
            raise ValueError("LinearSDCA cannot be used in a multi-class setting.")
        if isinstance(head, RegressionHead) and head.logits_dimension > 1:
            raise ValueError("LinearSDCA can only be used with one-dimensional label.")
        _loss_type(head)

    def train_step(self, head: Any, features: Any, labels: Any, logits: Tensor, columns: dict[Any, Any],
                   bias: Any) -> tuple[Any, SessionRunHook]:
        """The train op, and the hook that sets the weights after each step.

        Args:
            head: the head of the model.
            features: the features by name.
            labels: the labels.
            logits: the logits of the model, whose shape the weights of examples have.
            columns: the variables of each column.
            bias: the variables of the bias.
        """
        weights = {column: _weights(columns[column]) for column in sorted(columns, key=lambda column: column.name)}
        builder, head = LazyBuilder(features), _unwrapped(head)
        sparse = {column: _sparse_features(column, builder) for column in weights if isinstance(column, IdsColumn)}
        dense = {column: _dense_features(column, builder, weights[column]) for column in weights
                 if column not in sparse}
        found = head.losses(labels, logits, features)
        count = array.shape(found.labels)[0]
        examples = {
            "sparse_features": list(sparse.values()), "dense_features": [*dense.values(), array.ones([count, 1])],
            "example_labels": math.cast(array.reshape(found.labels, [-1]), dtypes.float32),
            "example_weights": array.reshape(found.weights * array.ones_like(found.unreduced), [-1]),
            "example_ids": features[self._example_id_column]}
        variables = {"sparse_features_weights": [weights[column] for column in sparse],
                     "dense_features_weights": [*(weights[column] for column in dense), bias]}
        model = SdcaModel(examples, variables, {**self._options, "loss_type": _loss_type(head)})
        scalar("approximate_duality_gap", model.approximate_duality_gap())
        scalar("examples_seen", model.examples_seen())
        train_op = model.minimize(global_step=get_global_step())
        return train_op, _UpdateWeights(model, train_op)


def _unwrapped(head: Any) -> Any:
    return head.head if isinstance(head, LegacyHead) else head


def _loss_type(head: Any) -> str:
    if isinstance(head, BinaryClassHead):
        return "logistic_loss"
    if isinstance(head, RegressionHead):
        return "squared_loss"
    raise ValueError(f"Unsupported head type: {head}")


_WEIGHTS = re.compile(r"(.*)/weights(/part_\d+)?")


def _weights(variables: list[Any]) -> list[Any]:
    """The parts of a column's weights, without the variables that the column itself has, such as embeddings."""
    return [variable for variable in variables if _WEIGHTS.fullmatch(variable.op.name)]


def _dense_features(column: Any, builder: LazyBuilder, weights: list[Any]) -> Tensor:
    """What a dense column makes of the features, with the variables that it has beside its weights."""
    scope = _WEIGHTS.fullmatch(weights[0].op.name)[1]
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

"""tf.feature_column.linear_model: a weighted sum over columns."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.feature.column import DenseTensorColumn, IdsColumn
from evergraph.feature.input_layer import flattened, in_collections, tensors_of
from evergraph.feature.inputs import LazyBuilder, as_columns, check_batches, in_order
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import bias_add
from evergraph.frontend.nn.embedding import safe_embedding_lookup_sparse
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.node import Tensor


@export("feature_column.linear_model")
def linear_model(features: Mapping[str, Any], feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
                 weight_collections: Any = None, trainable: bool = True,
                 cols_to_vars: dict[Any, Any] | None = None) -> Tensor:
    """The predictions of a linear model: the sum of each column's values times their weights, plus a bias.

    A categorical column has a weight for each id, a dense one for each number. All start with zero.

    >>> features = {"price": [[1.0], [2.0]], "colour": [["red"], ["blue"]]}
    >>> columns = [tf.feature_column.numeric_column("price"),
    ...            tf.feature_column.categorical_column_with_hash_bucket("colour", 10)]
    >>> prediction = tf.feature_column.linear_model(features, columns)
    >>> [variable.op.name for variable in tf.trainable_variables()]
    ['linear_model/colour/weights', 'linear_model/price/weights', 'linear_model/bias_weights']

    Args:
        features: tensors and sparse tensors by name.
        feature_columns: categorical and dense columns.
        units: how many predictions there are.
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        weight_collections: collections that variables join, beside GLOBAL_VARIABLES and MODEL_VARIABLES.
        trainable: whether the variables are.
        cols_to_vars: a dictionary to fill: the variables of each column, and of "bias".

    Returns:
        A tensor [batch, units].

    Raises:
        ValueError: a column is neither categorical nor dense, two have the same name, or batches differ in size.
    """
    with variable_scope(None, "linear_model", tensors_of(features)) as scope:
        name = _last(scope.name)
    model = LinearModel(feature_columns, units, sparse_combiner, weight_collections, trainable, name, scope)
    result = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return result


def _last(scope: str) -> str:
    return scope.rpartition("/")[2]


class LinearModel:
    """`tf.feature_column.linear_model` as an object: all its calls share their variables.

    TensorFlow calls it _LinearModel.

    Args:
        feature_columns, units, sparse_combiner, weight_collections, trainable: as for `linear_model`.
        name: the name of the model.
        scope: the variable scope that its variables are in; by default one of its name.
    """

    def __init__(self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
                 weight_collections: Any = None, trainable: bool = True, name: str = "linear_model",
                 scope: Any = None) -> None:
        columns = as_columns(feature_columns)
        for column in columns:
            if not isinstance(column, (DenseTensorColumn, IdsColumn)):
                raise ValueError(f"every column must be either a _DenseColumn or _CategoricalColumn, got {column}")
        self._columns, self._units, self._sparse_combiner = in_order(columns), units, sparse_combiner
        self._collections, self._trainable, self.name = in_collections(weight_collections), trainable, name
        self._scopes = [self._claim(column) for column in self._columns]
        self._scope, self._bias, self._variables_of = scope or name, None, {}

    @staticmethod
    def _claim(column: Any) -> str:
        """The scope of a column; columns that share a table, or that another model has too, get a number."""
        with variable_scope(None, column._var_scope_name) as scope:
            return _last(scope.name)

    def __call__(self, features: Mapping[str, Any]) -> Tensor:
        """The predictions, [batch, units]."""
        with variable_scope(self._scope, reuse=self._bias is not None or None), name_scope(self.name):
            builder, sums = LazyBuilder(features), []
            for column, scope in zip(self._columns, self._scopes):
                with variable_scope(scope):
                    sums.append(self._weighted_sum(column, builder))
                    self._variables_of[column] = get_collection(
                        GraphKeys.GLOBAL_VARIABLES, scope=f"{get_variable_scope().name}/")
            check_batches(sums, self._columns)
            total = math.add_n(sums, name="weighted_sum_no_bias")
            self._bias = self._variable("bias_weights", [self._units])
            return bias_add(total, _whole(self._bias), name="weighted_sum")

    def _variable(self, name: str, shape: Any) -> Any:
        return get_variable(name, shape, initializer=zeros_initializer(), trainable=self._trainable,
                            collections=self._collections)

    def _weighted_sum(self, column: Any, builder: LazyBuilder) -> Tensor:
        if isinstance(column, IdsColumn):
            return self._sum_of_ids(column, builder)
        weights = self._variable("weights", [column._variable_shape.num_elements(), self._units])
        return matmul(flattened(column, builder, self._collections, self._trainable), _whole(weights),
                      name="weighted_sum")

    def _sum_of_ids(self, column: Any, builder: LazyBuilder) -> Tensor:
        table = self._variable("weights", (column._num_buckets, self._units))
        ids, weights = column._get_sparse_tensors(builder, weight_collections=self._collections,
                                                  trainable=self._trainable)
        ids = sparse_reshape(ids, [array.shape(ids)[0], -1])
        if weights is not None:
            weights = sparse_reshape(weights, [array.shape(weights)[0], -1])
        return safe_embedding_lookup_sparse(table, ids, sparse_weights=weights, combiner=self._sparse_combiner,
                                            name="weighted_sum")

    def cols_to_vars(self) -> dict[Any, list[Any]]:
        """The variables of each column, and of "bias"."""
        bias = self._bias
        parts = list(bias) if isinstance(bias, PartitionedVariable) else [bias]
        return {**{column: list(found) for column, found in self._variables_of.items()}, "bias": parts}

    @property
    def bias(self) -> Any:
        return self._bias

    @property
    def variables(self) -> list[Any]:
        """The variables, in the order of `cols_to_vars`."""
        return [variable for found in self.cols_to_vars().values() for variable in found]


def _whole(variable: Any) -> Any:
    return variable.as_tensor() if isinstance(variable, PartitionedVariable) else variable

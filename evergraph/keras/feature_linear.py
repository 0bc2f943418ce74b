"""The linear model of feature columns as a layer and as a model, which the linear estimators are made of."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.feature.column import CategoricalColumn, DenseColumn
from evergraph.feature.inputs import FeatureTransformationCache, check_batches
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import bias_add
from evergraph.frontend.nn.embedding import safe_embedding_lookup_sparse
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.keras.feature_layers import FeatureLayer, as_features
from evergraph.keras.model import Model


class LinearModelLayer(FeatureLayer):
    """The weighted sum of feature columns and a bias.

    Args:
        feature_columns: categorical and dense columns.
        units: how many predictions there are.
        sparse_combiner: how the weights of several ids of an example are combined: "sum", "mean" or "sqrtn".
        trainable: whether the variables are.
        name: the name of the layer.
        **kwargs: as for `tf.keras.layers.Layer`.
    """

    kind, word = (CategoricalColumn, DenseColumn), "either a DenseColumn or CategoricalColumn"
    bias: Any = None

    def __init__(self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
                 name: str | None = None, **kwargs: Any) -> None:
        super().__init__(feature_columns, trainable, name, **kwargs)
        self._units, self._sparse_combiner = units, sparse_combiner

    def build(self, _: Any) -> None:
        """Makes the variables of the columns, their weights and the bias."""
        super().build(None)
        with variable_scope(self.name, auxiliary_name_scope=False):
            self.bias = get_variable("bias_weights", [self._units], dtypes.float32, zeros_initializer(),
                                     trainable=bool(self.trainable), use_resource=True)
        self._keep(self.bias, bool(self.trainable))

    def _make_variables(self, column: Any) -> None:
        super()._make_variables(column)
        rows = column.num_buckets if isinstance(column, CategoricalColumn) else column.variable_shape.num_elements()
        self._state_manager.create_variable(column, "weights", (rows, self._units), dtypes.float32,
                                            trainable=bool(self.trainable), initializer=zeros_initializer())

    def call(self, features: Mapping[str, Any]) -> Any:
        """The predictions, [batch, units]."""
        with name_scope(self.name):
            cache, sums = FeatureTransformationCache(features), []
            for column in self._feature_columns:
                with name_scope(column.name):
                    sums.append(self._weighted_sum(column, cache))
            check_batches(sums, self._feature_columns)
            total = math.add_n(sums, name="weighted_sum_no_bias")
            return bias_add(total, _whole(self.bias), name="weighted_sum")

    def _weighted_sum(self, column: Any, cache: FeatureTransformationCache) -> Any:
        weights = self._state_manager.get_variable(column, "weights")
        if not isinstance(column, CategoricalColumn):
            tensor = column.get_dense_tensor(cache, self._state_manager)
            width = column.variable_shape.num_elements()
            return matmul(array.reshape(tensor, (array.shape(tensor)[0], width)), _whole(weights), name="weighted_sum")
        ids, amounts = column.get_sparse_tensors(cache, self._state_manager)
        ids = sparse_reshape(ids, [array.shape(ids)[0], -1])
        if amounts is not None:
            amounts = sparse_reshape(amounts, [array.shape(amounts)[0], -1])
        return safe_embedding_lookup_sparse(weights, ids, amounts, combiner=self._sparse_combiner, name="weighted_sum")

    def get_config(self) -> dict[str, Any]:
        """The arguments to make a like layer from."""
        return {**super().get_config(), "units": self._units, "sparse_combiner": self._sparse_combiner}


def _whole(variable: Any) -> Any:
    return variable.as_tensor() if isinstance(variable, PartitionedVariable) else variable


class LinearModel(Model):
    """The linear model of feature columns; its arguments are those of `LinearModelLayer`."""

    def __init__(self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
                 name: str | None = None, **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)
        self.layer = LinearModelLayer(feature_columns, units, sparse_combiner, trainable, self.name)

    def __call__(self, features: Any, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(as_features(features), *args, **kwargs)

    def call(self, features: Mapping[str, Any]) -> Any:
        """The predictions, [batch, units]."""
        return self.layer(features)

    @property
    def bias(self) -> Any:
        return self.layer.bias

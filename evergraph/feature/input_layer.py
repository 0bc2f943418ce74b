"""tf.feature_column.input_layer: dense columns side by side as one matrix."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.feature.column import DenseTensorColumn
from evergraph.feature.inputs import LazyBuilder, as_columns, check_batches, in_order
from evergraph.frontend import array
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.frontend.variables.template import make_template
from evergraph.graph.node import Tensor


@export("feature_column.input_layer")
def input_layer(features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
                trainable: bool = True, cols_to_vars: dict[Any, Any] | None = None,
                cols_to_output_tensors: dict[Any, Any] | None = None) -> Tensor:
    """The input of a network: what dense columns make of the features, side by side, sorted by the columns' names.

    >>> features = {"price": [[1.0], [2.0]], "id": [[0], [1]]}
    >>> identity = tf.feature_column.categorical_column_with_identity("id", 2)
    >>> columns = [tf.feature_column.numeric_column("price"), tf.feature_column.indicator_column(identity)]
    >>> tf.Session().run(tf.feature_column.input_layer(features, columns))
    array([[1., 0., 1.],
           [0., 1., 2.]], dtype=float32)

    Args:
        features: tensors and sparse tensors by name.
        feature_columns: dense columns; categorical ones are wrapped in an `indicator_column` or `embedding_column`.
        weight_collections: collections that variables join, beside GLOBAL_VARIABLES and MODEL_VARIABLES.
        trainable: whether the variables are.
        cols_to_vars: a dictionary to fill: the variables of each column.
        cols_to_output_tensors: a dictionary to fill: the tensor of each column.

    Returns:
        A tensor [batch, width].

    Raises:
        ValueError: a column is not dense, two have the same name, or batches differ in size.
    """
    return _concatenated(features, feature_columns, weight_collections, trainable, cols_to_vars,
                         cols_to_output_tensors=cols_to_output_tensors)


def in_collections(weight_collections: Any) -> list[Any]:
    """The collections that variables of columns join."""
    collections = list(weight_collections or [])
    return collections + [key for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES)
                          if key not in collections]


def check_dense(columns: list[Any], kind: type = DenseTensorColumn, word: str = "_DenseColumn") -> None:
    """Raises ValueError where a column is not dense."""
    for column in columns:
        if not isinstance(column, kind):
            raise ValueError(f"every column must be a {word}, got {column}: an embedding_column or indicator_column "
                             "makes a categorical column dense")


def _concatenated(features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
                  trainable: bool = True, cols_to_vars: dict[Any, Any] | None = None, scope: Any = None,
                  cols_to_output_tensors: dict[Any, Any] | None = None, from_template: bool = False) -> Tensor:
    columns = as_columns(feature_columns)
    check_dense(columns)
    collections = in_collections(weight_collections)
    if from_template:  # the template has opened the scope
        return _side_by_side(features, columns, collections, trainable, cols_to_vars, cols_to_output_tensors)
    with variable_scope(scope, default_name="input_layer", values=tensors_of(features)):
        return _side_by_side(features, columns, collections, trainable, cols_to_vars, cols_to_output_tensors)


def tensors_of(features: Mapping[str, Any]) -> list[Any]:
    """The tensors among the features: layers are made in their graph."""
    return [value for value in features.values() if isinstance(value, Tensor)]


def _side_by_side(features: Mapping[str, Any], columns: list[Any], collections: list[Any], trainable: bool,
                  cols_to_vars: dict[Any, Any] | None, cols_to_output_tensors: dict[Any, Any] | None) -> Tensor:
    builder, ordered, outputs = LazyBuilder(features), in_order(columns), []
    for column in ordered:
        with variable_scope(None, default_name=column._var_scope_name):
            output = flattened(column, builder, collections, trainable)
            outputs.append(output)
            if cols_to_vars is not None:
                cols_to_vars[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=get_variable_scope().name)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = output
    check_batches(outputs, ordered)
    return array.concat(outputs, 1)


def flattened(column: Any, builder: LazyBuilder, collections: list[Any], trainable: bool) -> Tensor:
    """What a dense column makes of the features, [batch, width]."""
    tensor = column._get_dense_tensor(builder, weight_collections=collections, trainable=trainable)
    return array.reshape(tensor, (array.shape(tensor)[0], column._variable_shape.num_elements()))


class InputLayer:
    """`tf.feature_column.input_layer` as an object: all its calls share their variables.

    Args:
        feature_columns: dense columns.
        weight_collections: collections that variables join.
        trainable: whether the variables are.
        cols_to_vars: a dictionary to fill: the variables of each column.
        name: the variable scope.
        create_scope_now: whether the scope is opened here; otherwise by the first call.
    """

    def __init__(self, feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
                 cols_to_vars: dict[Any, Any] | None = None, name: str = "feature_column_input_layer",
                 create_scope_now: bool = True) -> None:
        self._feature_columns, self._weight_collections = feature_columns, weight_collections
        self._trainable, self._cols_to_vars, self._name = trainable, cols_to_vars, name
        self._template = make_template(name, _concatenated, create_scope_now_=create_scope_now)

    def __call__(self, features: Mapping[str, Any]) -> Tensor:
        return self._template(features, self._feature_columns, self._weight_collections, self._trainable,
                              self._cols_to_vars, from_template=True)

    @property
    def name(self) -> str:
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables in the order in which they were made."""
        return self._template.variables

    @property
    def trainable_variables(self) -> list[Any]:
        return self._template.trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        return self._template.non_trainable_variables

    weights, trainable_weights, non_trainable_weights = variables, trainable_variables, non_trainable_variables

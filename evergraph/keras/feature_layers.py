"""Layers made of feature columns: tf.keras.layers.DenseFeatures and tf.keras.experimental.SequenceFeatures."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.feature.column import DenseColumn, SequenceDenseColumn
from evergraph.feature.inputs import FeatureTransformationCache, as_columns, check_batches, in_order
from evergraph.feature.kinds import deserialize_feature_columns, serialize_feature_columns
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.composite import convert_to_tensor_or_sparse_tensor
from evergraph.keras.layer import Layer


class LayerState:
    """The variables of the columns of a layer, which are variables of the layer.

    Args:
        layer: the layer.
        trainable: whether variables may be trained.
    """

    def __init__(self, layer: FeatureLayer, trainable: Any) -> None:
        self._layer, self._trainable = layer, trainable
        self._variables: dict[Any, dict[str, Any]] = {}
        self._resources: dict[Any, dict[str, Any]] = {}

    def create_variable(self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
                        use_resource: bool = True, initializer: Any = None) -> Any:
        """Makes a variable of a column, in the variable scopes of layer and column.

        Raises:
            ValueError: the column has one of that name.
        """
        held = self._variables.setdefault(feature_column, {})
        if name in held:
            raise ValueError(f"Variable already exists: {name} of column {feature_column.name}")
        wanted = bool(self._trainable and trainable)
        held[name] = get_variable(name, shape, dtype=dtype, initializer=initializer, trainable=wanted,
                                  use_resource=use_resource)
        self._layer._keep(held[name], wanted)
        if isinstance(held[name], Variable):  # what checkpoints hold; one in parts has no place there
            self._layer._named_weights[f"{feature_column.name}/{name}"] = held[name]
        return held[name]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable that `create_variable` made.

        Raises:
            ValueError: there is none of that name.
        """
        held = self._variables.get(feature_column, {})
        if name not in held:
            raise ValueError(f"Variable does not exist: {name} of column {feature_column.name}")
        return held[name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keeps something else that a column has made, such as a table or a module."""
        self._resources.setdefault(feature_column, {})[name] = resource

    def has_resource(self, feature_column: Any, name: str) -> bool:
        return name in self._resources.get(feature_column, {})

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """What `add_resource` was given.

        Raises:
            ValueError: there is nothing of that name.
        """
        if not self.has_resource(feature_column, name):
            raise ValueError(f"Resource does not exist: {name} of column {feature_column.name}")
        return self._resources[feature_column][name]


def as_features(features: Any) -> dict[Any, Any]:
    """Features as tensors and sparse tensors by name.

    Raises:
        ValueError: they are not a dictionary.
    """
    if not isinstance(features, Mapping):
        raise ValueError(f"We expected a dictionary here: features by name, got {features!r}")
    return {key: convert_to_tensor_or_sparse_tensor(value) for key, value in features.items()}


class FeatureLayer(Layer):
    """A layer made of feature columns."""

    kind: Any
    word: str

    def __init__(self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = in_order(as_columns(feature_columns, "FeatureColumn"))
        self._state_manager = LayerState(self, self.trainable)
        for column in self._feature_columns:
            if not isinstance(column, self.kind):
                raise ValueError(f"every column must be {self.word}, got {column}: an embedding_column or "
                                 "indicator_column makes a categorical column dense")

    def __call__(self, features: Any, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(as_features(features), *args, **kwargs)

    def build(self, _: Any) -> None:
        """Makes the variables of the columns."""
        with variable_scope(self.name, auxiliary_name_scope=False):
            for column in self._feature_columns:
                with variable_scope(column.name, auxiliary_name_scope=False):
                    self._make_variables(column)
        super().build(None)

    def _make_variables(self, column: Any) -> None:
        column.create_state(self._state_manager)

    def get_config(self) -> dict[str, Any]:
        """The arguments to make a like layer from."""
        return {**super().get_config(), "feature_columns": serialize_feature_columns(self._feature_columns)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> FeatureLayer:
        """A layer with these arguments; `custom_objects` holds functions and classes by name."""
        columns = deserialize_feature_columns(config["feature_columns"], custom_objects)
        return cls(**{**config, "feature_columns": columns})

    @property
    def _width(self) -> int:
        return sum(column.variable_shape.num_elements() for column in self._feature_columns)


@export("keras.layers.DenseFeatures")
class DenseFeatures(FeatureLayer):
    """A layer that makes one matrix of features: what dense columns give, side by side, sorted by their names.

    >>> layer = tf.keras.layers.DenseFeatures([tf.feature_column.numeric_column("price")])
    >>> tf.Session().run(layer({"price": [[1.0], [2.0]]}))
    array([[1.],
           [2.]], dtype=float32)

    Args:
        feature_columns: dense columns.
        trainable: whether the variables are.
        name: the name of the layer.
        **kwargs: as for `tf.keras.layers.Layer`.

    Raises:
        ValueError: a column is not dense, or two have the same name.
    """

    kind, word = DenseColumn, "a DenseColumn"

    def call(self, features: Mapping[str, Any], cols_to_output_tensors: dict[Any, Any] | None = None) -> Any:
        """A tensor [batch, width]; fills `cols_to_output_tensors`, where given, with the tensor of each column."""
        cache, outputs = FeatureTransformationCache(features), []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor = column.get_dense_tensor(cache, self._state_manager)
                width = column.variable_shape.num_elements()
                outputs.append(array.reshape(tensor, (array.shape(tensor)[0], width)))
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = outputs[-1]
        check_batches(outputs, self._feature_columns)
        return array.concat(outputs, 1)

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, int]:
        """The shape of the matrix, for a shape whose first size is that of the batch."""
        return input_shape[0], self._width


@export("keras.experimental.SequenceFeatures")
class SequenceFeatures(FeatureLayer):
    """A layer that makes one tensor of sequences: what columns give for each step, sorted by their names.

    Args:
        feature_columns: columns of sequences: `tf.feature_column.sequence_numeric_column`, or embeddings and
            indicators of `tf.feature_column.sequence_categorical_column_with_*`.
        trainable: whether the variables are.
        name: the name of the layer.
        **kwargs: as for `tf.keras.layers.Layer`.

    Raises:
        ValueError: a column is not one of sequences, or two have the same name.
    """

    kind, word = SequenceDenseColumn, "a SequenceDenseColumn"

    def call(self, features: Mapping[str, Any]) -> tuple[Any, Any]:
        """(a tensor [batch, steps, width], the number of steps of each example)."""
        cache, outputs, lengths = FeatureTransformationCache(features), [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor, length = column.get_sequence_dense_tensor(cache, self._state_manager)
                shape, width = array.shape(tensor), column.variable_shape.num_elements()
                outputs.append(array.reshape(tensor, (shape[0], shape[1], width)))
                lengths.append(length)
        check_batches(outputs, self._feature_columns)
        return array.concat(outputs, -1), same_lengths(lengths)

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, Any, int]:
        """The shape of the tensor, for a shape whose first sizes are batch and steps."""
        return input_shape[0], input_shape[1], self._width


def same_lengths(lengths: list[Any]) -> Any:
    """The first of several vectors of lengths, once all are known to be equal; else the step fails."""
    with name_scope("assert_all_equal"):
        equal = [assert_equal(lengths[0], each) for each in lengths[1:]]
        with control_dependencies(equal):
            return array.identity(lengths[0])

"""What a feature column is: the classes that columns, also those of users, derive from.

TensorFlow 1.15 has two sets of hooks. `tf.feature_column.input_layer` and `linear_model` call those that begin with an
underscore, `_get_dense_tensor(inputs, weight_collections, trainable)`, and variables are made on the way.
`tf.keras.layers.DenseFeatures` calls the others, `get_dense_tensor(transformation_cache, state_manager)`, after
`create_state` has made the variables. Columns of this package have both sets; a column of a user may have either.
"""
from __future__ import annotations

import abc
import collections
from typing import Any

from evergraph.base.shapes import TensorShape


class Column(abc.ABC):
    """A feature column with the older hooks; TensorFlow calls it _FeatureColumn."""

    _is_v2_column = False

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the column: what columns are sorted by and variables are called after."""

    @property
    def _var_scope_name(self) -> str:
        """The variable scope for the variables of the column."""
        return self.name

    @abc.abstractmethod
    def _transform_feature(self, inputs: Any) -> Any:
        """The tensor of the column, made from `inputs.get(key)` of a feature or another column."""

    @property
    @abc.abstractmethod
    def _parse_example_spec(self) -> dict[str, Any]:
        """The features, as `tf.parse_example` takes them, that the column reads."""


class DenseTensorColumn(Column):
    """A column that gives a dense tensor; TensorFlow calls it _DenseColumn."""

    @property
    @abc.abstractmethod
    def _variable_shape(self) -> TensorShape:
        """The shape of the dense tensor without its batch."""

    @abc.abstractmethod
    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        """The dense tensor, [batch, *_variable_shape]; makes variables in the collections."""


class IdsColumn(Column):
    """A column that gives ids; TensorFlow calls it _CategoricalColumn."""

    IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])

    @property
    @abc.abstractmethod
    def _num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        """An IdWeightPair of sparse tensors; the weights may be None."""


class SequenceTensorColumn(Column):
    """A column that gives a dense tensor for each step; TensorFlow calls it _SequenceDenseColumn."""

    TensorSequenceLengthPair = collections.namedtuple("TensorSequenceLengthPair", ["dense_tensor", "sequence_length"])

    @abc.abstractmethod
    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        """A TensorSequenceLengthPair: [batch, steps, *_variable_shape], and [batch] lengths."""


class FeatureColumn(abc.ABC):
    """A feature column with the newer hooks."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the column."""

    @property
    @abc.abstractmethod
    def _is_v2_column(self) -> bool:
        """Whether the column, and all that it is made of, have the newer hooks."""

    @abc.abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor of the column, made from `transformation_cache.get(key, state_manager)`."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """The features, as `tf.parse_example` takes them, that the column reads."""

    def create_state(self, state_manager: Any) -> None:  # noqa: B027 - most columns have no variables
        """Makes variables with `state_manager.create_variable`; by default there are none."""

    @property
    @abc.abstractmethod
    def parents(self) -> list[Any]:
        """The columns and names of features that the column is made of."""

    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal column from."""
        raise NotImplementedError(f"{type(self).__name__} has no configuration")

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None) -> Any:
        """A column with these arguments."""
        raise NotImplementedError(f"{cls.__name__} cannot be made from a configuration")

    def _get_config(self) -> dict[str, Any]:
        return self.get_config()

    @classmethod
    def _from_config(cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None) -> Any:
        return cls.from_config(config, custom_objects, columns_by_name)

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)


class DenseColumn(FeatureColumn):
    """A column that gives a dense tensor."""

    @property
    @abc.abstractmethod
    def variable_shape(self) -> TensorShape:
        """The shape of the dense tensor without its batch."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The dense tensor, [batch, *variable_shape]."""


class CategoricalColumn(FeatureColumn):
    """A column that gives ids."""

    IdWeightPair = IdsColumn.IdWeightPair

    @property
    @abc.abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """An IdWeightPair of sparse tensors; the weights may be None."""


class SequenceDenseColumn(FeatureColumn):
    """A column that gives a dense tensor for each step of a sequence."""

    TensorSequenceLengthPair = SequenceTensorColumn.TensorSequenceLengthPair

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A TensorSequenceLengthPair: [batch, steps, *variable_shape], and [batch] lengths."""


# ---- columns of this package: the older hooks follow from the newer ones


class BothHooks(FeatureColumn, Column):
    """A column with both sets of hooks."""

    @property
    def _is_v2_column(self) -> bool:  # type: ignore[override]
        return all(isinstance(parent, str) or parent._is_v2_column for parent in self.parents)

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.parse_example_spec

    def _transform_feature(self, inputs: Any) -> Any:
        return self.transform_feature(inputs, None)


class BothDense(BothHooks, DenseColumn, DenseTensorColumn):
    """A dense column with both sets of hooks."""

    @property
    def _variable_shape(self) -> TensorShape:
        return self.variable_shape

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.get_dense_tensor(inputs, None)


class BothCategorical(BothHooks, CategoricalColumn, IdsColumn):
    """A categorical column with both sets of hooks."""

    @property
    def _num_buckets(self) -> int:
        return self.num_buckets

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.get_sparse_tensors(inputs, None)


class BothSequence(BothHooks, SequenceDenseColumn, SequenceTensorColumn):
    """A column for sequences with both sets of hooks."""

    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.get_sequence_dense_tensor(inputs, None)


# ---- whichever hooks a column has


def spec_of(column: Any) -> dict[str, Any]:
    """The features that a column of either kind reads."""
    return column.parse_example_spec if isinstance(column, FeatureColumn) else column._parse_example_spec


def buckets_of(column: Any) -> int:
    """How many ids a categorical column of either kind has."""
    return column.num_buckets if isinstance(column, CategoricalColumn) else column._num_buckets


def shape_of(column: Any) -> TensorShape:
    """The shape of the tensor, without its batch, of a dense column of either kind."""
    return column.variable_shape if isinstance(column, DenseColumn) else column._variable_shape


def sparse_tensors_of(column: Any, inputs: Any, state_manager: Any = None) -> Any:
    """The ids and weights of a categorical column of either kind."""
    if isinstance(column, IdsColumn) and (inputs.older_hooks or not isinstance(column, CategoricalColumn)):
        return column._get_sparse_tensors(inputs)
    return column.get_sparse_tensors(inputs, state_manager)


def is_column(value: Any) -> bool:
    return isinstance(value, (FeatureColumn, Column))


def is_categorical(value: Any) -> bool:
    return isinstance(value, (CategoricalColumn, IdsColumn))


def is_dense(value: Any) -> bool:
    return isinstance(value, (DenseColumn, DenseTensorColumn))


def checked_key(key: Any) -> str:
    """The name of a feature.

    Raises:
        ValueError: it is not text.
    """
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key).__name__}, key {key!r}")
    return key


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all of these columns, and all that they are made of, have the newer hooks."""
    return all(isinstance(each, FeatureColumn) and each._is_v2_column for each in feature_columns)

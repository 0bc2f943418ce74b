"""tf.contrib.layers: columns of as many numbers as an example has."""
from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.contrib.layers.feature_columns import OlderColumn
from evergraph.feature.column import DenseTensorColumn
from evergraph.frontend import array, math
from evergraph.frontend.input.features import FixedLenSequenceFeature, VarLenFeature
from evergraph.graph.composite import SparseTensor


def real_valued_var_len_column(column_name: str, default_value: Any = None, dtype: Any = dtypes.float32,
                               normalizer: Callable[[Any], Any] | None = None,
                               is_sparse: bool = False) -> VariableLengthColumn:
    """A column of as many numbers as an example has.

    Args:
        column_name: the name of the feature.
        default_value: the number behind shorter examples of a dense column.
        dtype: the dtype of the feature.
        normalizer: a function of the tensor, called before it is used.
        is_sparse: whether the tensor is sparse.

    Raises:
        TypeError: the dtype, or the default, is no number, or the normalizer cannot be called.
        ValueError: the default is a list, or a dense column has none.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise TypeError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    if default_value is None and not is_sparse:
        raise ValueError(f"a dense column of variable length needs a default_value: {column_name}")
    if isinstance(default_value, (list, tuple)):
        raise ValueError(f"Only scalar default values are possible. default_value: {default_value}, "
                         f"column_name: {column_name}")
    if default_value is not None:
        if not isinstance(default_value, (int, float)) or dtype.is_integer and not isinstance(default_value, int):
            raise TypeError(f"default_value must be compatible with dtype {dtype}; column {column_name!r} has "
                            f"{default_value}")
        default_value = int(default_value) if dtype.is_integer else float(default_value)
    if normalizer is not None and not callable(normalizer):
        raise TypeError(f"normalizer must be a callable. normalizer: {normalizer}, column_name: {column_name}")
    return VariableLengthColumn(column_name, default_value, dtype, normalizer, is_sparse)


class VariableLengthColumn(
    OlderColumn, DenseTensorColumn,
    collections.namedtuple("_RealValuedVarLenColumn", ["column_name", "default_value", "dtype", "normalizer",
                                                       "is_sparse"]),
):
    """What `real_valued_var_len_column` makes."""

    @property
    def name(self) -> str:
        return self.column_name

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        if self.is_sparse:
            return {self.column_name: VarLenFeature(self.dtype)}
        return {self.column_name: FixedLenSequenceFeature([], self.dtype, allow_missing=True,
                                                          default_value=self.default_value)}

    def _transform_feature(self, inputs: Any) -> Any:
        tensor = inputs.get(self.column_name)
        change = self.normalizer or array.identity
        if isinstance(tensor, SparseTensor):
            return SparseTensor(tensor.indices, change(tensor.values), tensor.dense_shape)
        return change(tensor)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([None])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self._to_dnn_input_layer(inputs.get(self))

    def _to_dnn_input_layer(self, tensor: Any, weight_collections: Any = None, trainable: bool = True,
                            output_rank: int = 2) -> Any:
        """The numbers as a dense tensor of the given rank.

        Raises:
            ValueError: the column is sparse.
        """
        if isinstance(tensor, SparseTensor):
            raise ValueError(f"column {self.column_name} is sparse, and a network takes dense tensors. "
                             "Set is_sparse to False.")
        tensor = math.cast(tensor, dtypes.float32)
        return tensor if tensor.shape.ndims == output_rank else array.expand_dims(tensor, -1)

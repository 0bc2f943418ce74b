"""Features and labels as random forests take them: `tensorflow.contrib.tensor_forest.python.ops.data_ops`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.sparse.shape import sparse_concat
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor


def ParseDataTensorOrDict(data: Any) -> Any:  # noqa: N802  TensorFlow's spelling
    """Features as one float32 matrix: a tensor, a sparse tensor, or those of a dictionary by the order of their names.

    Args:
        data: a tensor or sparse tensor, or a dictionary of tensors or of sparse tensors.

    Raises:
        NotImplementedError: a dictionary has both kinds.
    """
    if not isinstance(data, Mapping):
        return data if isinstance(data, SparseTensor) else math.cast(convert_to_tensor(data), dtypes.float32)
    columns = [data[name] for name in sorted(data)]
    if all(isinstance(each, SparseTensor) for each in columns):
        return sparse_concat(1, columns)
    if any(isinstance(each, SparseTensor) for each in columns):
        raise NotImplementedError("A forest takes dense features or sparse ones, not both")
    return array.concat([math.cast(each if each.shape.rank != 1 else array.expand_dims(each, 1), dtypes.float32)
                         for each in map(convert_to_tensor, columns)], 1)


def ParseLabelTensorOrDict(labels: Any) -> Tensor:  # noqa: N802
    """Labels as a float32 tensor: those of a dictionary are the columns of a matrix, by the order of their names."""
    if not isinstance(labels, Mapping):
        return math.cast(convert_to_tensor(labels), dtypes.float32)
    return array.concat([math.cast(array.expand_dims(convert_to_tensor(labels[name]), -1), dtypes.float32)
                         for name in sorted(labels)], 1)

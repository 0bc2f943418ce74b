"""Features and labels as random forests take them: `tensorflow.contrib.tensor_forest.python.ops.data_ops`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.sparse.shape import sparse_concat
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor

DATA_FLOAT, DATA_CATEGORICAL = 0, 1


@dataclass
class DataColumn:
    """A column of features.

    Attributes:
        name: the feature's name.
        original_type: DATA_FLOAT or DATA_CATEGORICAL, by its dtype.
        size: how many numbers an example has in it; None where the graph does not tell.
    """

    name: str = ""
    original_type: int = DATA_FLOAT
    size: int | None = 0

    def SerializeToString(self) -> str:  # noqa: N802  TensorFlow's spelling
        """The column as a text."""
        return f"name: {self.name} original_type: {self.original_type} size: {self.size}"


@dataclass
class DataColumnCollection:
    """Columns in their order, `cols`."""

    cols: list[DataColumn] = field(default_factory=list)

    def add(self) -> DataColumn:
        """Appends a new column, and returns it."""
        self.cols.append(DataColumn())
        return self.cols[-1]

    def size(self) -> int:
        """How many columns there are."""
        return len(self.cols)

    def SerializeToString(self) -> str:  # noqa: N802
        """The columns as a text."""
        return " ".join(f"[{column.SerializeToString()}]" for column in self.cols)


@dataclass
class TensorForestDataSpec:
    """Which features the columns of a matrix are.

    Attributes:
        dense: the columns of dense features.
        sparse: those of sparse ones.
        dense_features_size: how many numbers an example has in the dense ones.
    """

    dense: DataColumnCollection = field(default_factory=DataColumnCollection)
    sparse: DataColumnCollection = field(default_factory=DataColumnCollection)
    dense_features_size: int = 0

    def SerializeToString(self) -> str:  # noqa: N802
        """The columns as a text."""
        return (f"dense_features_size: {self.dense_features_size} dense: [{self.dense.SerializeToString()}] "
                f"sparse: [{self.sparse.SerializeToString()}]")

    def describe(self, name: str, value: Tensor | SparseTensor) -> None:
        """Appends the column of a feature."""
        is_sparse = isinstance(value, SparseTensor)
        column = (self.sparse if is_sparse else self.dense).add()
        width = 1 if value.shape.rank == 1 else value.shape[1:].num_elements()
        column.name, column.size = name, width
        column.original_type = DATA_FLOAT if value.dtype.is_floating else DATA_CATEGORICAL
        if not is_sparse:
            self.dense_features_size += width or 0


Parsed = tuple[Tensor | None, SparseTensor | None, TensorForestDataSpec]


def ParseDataTensorOrDict(data: Any) -> Parsed:  # noqa: N802
    """(dense, sparse, spec): features as a float32 matrix, sparse ones as a sparse matrix, and what their columns are.

    Features of a dictionary stand side by side by the order of their names. None stands for a matrix without columns.

    Args:
        data: a tensor or sparse tensor, or a dictionary of such.
    """
    alone = "all_sparse" if isinstance(data, SparseTensor) else "all_dense"
    named = data if isinstance(data, Mapping) else {alone: data}
    spec, dense, sparse = TensorForestDataSpec(), [], []
    for name in sorted(named):
        value = named[name] if isinstance(named[name], SparseTensor) else convert_to_tensor(named[name])
        spec.describe(name, value)
        if isinstance(value, SparseTensor):
            sparse.append(value)
        else:
            dense.append(math.cast(value if value.shape.rank != 1 else array.expand_dims(value, 1), dtypes.float32))
    return _joined(dense, lambda: array.concat(dense, 1)), _joined(sparse, lambda: sparse_concat(1, sparse)), spec


def _joined(parts: list[Any], join: Callable[[], Any]) -> Any:
    """Nothing, the only part, or the parts side by side."""
    return None if not parts else parts[0] if len(parts) == 1 else join()


def only_features(data: Any) -> Tensor | SparseTensor:
    """The features of a forest, which are all dense or all sparse.

    Raises:
        NotImplementedError: there are both kinds.
        ValueError: there are none.
    """
    dense, sparse, spec = ParseDataTensorOrDict(data)
    if dense is not None and sparse is not None:
        raise NotImplementedError("A forest takes dense features or sparse ones, not both")
    found = sparse if dense is None else dense
    if found is None:
        raise ValueError(f"A forest needs features, got {spec.SerializeToString()}")
    return found


def ParseLabelTensorOrDict(labels: Any) -> Tensor:  # noqa: N802
    """Labels as a float32 tensor: those of a dictionary are the columns of a matrix, by the order of their names."""
    if not isinstance(labels, Mapping):
        return math.cast(convert_to_tensor(labels), dtypes.float32)
    return array.concat([math.cast(array.expand_dims(convert_to_tensor(labels[name]), -1), dtypes.float32)
                         for name in sorted(labels)], 1)

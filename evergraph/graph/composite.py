"""Composite tensors: IndexedSlices and SparseTensor, and the NumPy tuples that fetching them returns."""

from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, as_dimension
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function, to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor, session_for
from evergraph.graph.shaping import denoted_shape

SparseTensorValue = export("SparseTensorValue")(
    collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"]))
IndexedSlicesValue = collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])


class CompositeTensor:
    """The base of values that consist of several tensors, which nested structures take apart and put together.

    A program's own subclass has a `_type_spec` that does both, as in TensorFlow 1.15, or the methods `_to_components`
    and `_from_components`, as in TensorFlow 1.14.
    """

    def _components(self) -> list[Any]:
        """The tensors it consists of."""
        spec = getattr(self, "_type_spec", None)
        return list(self._to_components() if spec is None else spec._to_components(self))

    def _to_components(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has neither _type_spec nor _to_components")

    def _from_components(self, components: Any) -> Any:
        """A value like this one that consists of other tensors."""
        spec = getattr(self, "_type_spec", None)
        if spec is None:
            raise NotImplementedError(f"{type(self).__name__} has neither _type_spec nor _from_components")
        return spec._from_components(components)


class _Indexed(CompositeTensor):
    """The base of IndexedSlices and SparseTensor: values, their indices, and the shape of the dense tensor."""

    _values: Tensor
    _indices: Tensor
    _dense_shape: Tensor | None

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)

    @property
    def op(self) -> Operation:
        """The operation that makes the values."""
        return self.values.op

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def graph(self) -> Graph:
        """The graph of the values."""
        return self.values.graph

    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor; dimensions may be unknown."""
        return TensorShape(None) if self.dense_shape is None else TensorShape(denoted_shape(self.dense_shape))

    def consumers(self) -> list[Operation]:
        """The operations with one of the component tensors as an input."""
        return list(dict.fromkeys(c for part in self._components() for c in part.consumers()))


@export("IndexedSlices")
class IndexedSlices(_Indexed):
    """Some rows of a dense tensor: `dense[indices[i]] = values[i]`, zero elsewhere; the form of `tf.gather`'s gradient.

    Attributes:
        values: the rows, a tensor of shape [n, ...].
        indices: the row numbers, an integer tensor of shape [n]. Rows that share an index add up.
        dense_shape: the shape of the dense tensor as a 1-D tensor, or None.
    """

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None:
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def name(self) -> str:
        """The name of the values."""
        return self.values.name

    @property
    def device(self) -> str:
        """The device of the values."""
        return self.values.device

    def _components(self) -> list[Tensor]:
        parts = [self.values, self.indices]
        return parts if self.dense_shape is None else [*parts, self.dense_shape]

    def _from_components(self, components: list[Any]) -> IndexedSlices:
        return IndexedSlices(*components)

    def _fetched(self, values: list[Any]) -> Any:
        return IndexedSlicesValue(values[0], values[1], values[2] if len(values) > 2 else None)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __str__(self) -> str:
        whole = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{whole})"


@export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(_Indexed):
    """A sparse tensor in coordinate (COO) format: `values[i]` at `indices[i]`, zero elsewhere.

    Ops expect the indices in row-major order; `tf.sparse.reorder` sorts them.

    Args:
        indices: int64 of shape [n, rank].
        values: n values of any dtype.
        dense_shape: int64 of shape [rank].

    Raises:
        ValueError: the static shapes contradict each other.

    >>> s = tf.SparseTensor(indices=[[0, 1]], values=[2.0], dense_shape=[2, 2])
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        graph = default_graph()
        with graph.name_scope("SparseTensor"):
            indices = convert_to_tensor(indices, dtypes.int64, name="indices")
            values = convert_to_tensor(values, name="values")
            dense_shape = convert_to_tensor(dense_shape, dtypes.int64, name="dense_shape")
        self._indices, self._values, self._dense_shape = indices, values, dense_shape
        rows = indices.shape.with_rank(2)
        rank = dense_shape.shape.with_rank(1)
        as_dimension(rows[0]).merge_with(values.shape.with_rank(1)[0])
        as_dimension(rows[1]).merge_with(rank[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of constants from a SparseTensorValue.

        Raises:
            TypeError: the argument is neither a SparseTensor nor a SparseTensorValue.
        """
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return cls(*(getattr(sparse_tensor_value, part) for part in ("indices", "values", "dense_shape")))

    def get_shape(self) -> TensorShape:
        """The static shape of the dense tensor; dimensions may be unknown."""
        return self.shape

    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> Any:
        """Runs `session`, or the default session, and returns the value as a SparseTensorValue."""
        found = session_for(session, self.graph, "evaluate tensor", "`t.eval(session=sess)`")
        return SparseTensorValue(*found.run(self._components(), feed_dict))

    def _components(self) -> list[Tensor]:
        return [self.indices, self.values, self.dense_shape]

    def _from_components(self, components: list[Any]) -> SparseTensor:
        return SparseTensor(*components)

    def _fetched(self, values: list[Any]) -> Any:
        return SparseTensorValue(*values)

    @classmethod
    def _override_operator(cls, operator: str, function: Any) -> None:
        setattr(cls, operator, function)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self.indices}, values={self.values}, dense_shape={self.dense_shape})"


def is_sparse(tensor: Any) -> bool:
    """Whether a value is a sparse tensor, in the graph or of NumPy arrays."""
    return isinstance(tensor, (SparseTensor, SparseTensorValue))


@export("convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` itself if it is IndexedSlices or a SparseTensor, else `value` as a tensor.

    Raises:
        ValueError: `value` has another dtype than `dtype`.
    """
    if isinstance(value, (IndexedSlices, SparseTensor)):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with dtype "
                             f"{value.dtype.name}: {value}")
        return value
    return to_tensor(value, dtype, name)


@export("convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a SparseTensor if it is one or a SparseTensorValue, else as a tensor.

    Raises:
        RuntimeError: a sparse value has another dtype than `dtype`.
    """
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError(f"Sparse dtype: requested = {dtypes.as_dtype(dtype).name}, actual = {value.dtype.name}")
        return value
    return to_tensor(value, dtype, name)


def _refuse_sparse(value: SparseTensor, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    raise TypeError(f"Failed to convert a SparseTensor to a Tensor: {value}. Use tf.sparse.to_dense.")


register_tensor_conversion_function(SparseTensor, _refuse_sparse)

"""tf.RaggedTensor: rows of different lengths."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import Dimension, TensorShape, dimension_value
from evergraph.frontend.array import concat, shape_of, zeros
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal, assert_greater_equal, assert_less_equal, assert_rank
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import repeat, sequence_mask
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.frontend.specs import ANY_VARIANT, BatchableTypeSpec, TensorSpec, are_arrays
from evergraph.graph.composite import CompositeTensor, SparseTensor, SparseTensorValue
from evergraph.graph.convert import register_tensor_conversion_function, to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor, session_for
from evergraph.ops.arrays import basic, ragged
from evergraph.ops.arrays.gather import gather_nd, gather_v2
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.arrays.search import where
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math.elementwise import equal, maximum, minimum, not_equal
from evergraph.ops.math.reduce import cumsum, max_

_SPLITS = (dtypes.int32, dtypes.int64)


class RaggedTensor(CompositeTensor):
    """Rows of different lengths, held as all their values and the places where the rows begin.

    >>> rows = tf.RaggedTensor.from_row_splits([3, 1, 4, 1, 5], [0, 2, 2, 5])
    >>> tf.Session().run(rows).to_list()
    [[3, 1], [], [4, 1, 5]]

    Made by the `from_...` methods (see `from_row_splits`), by `tf.ragged.constant`, and by the functions that split
    strings. Rows may hold rows in turn: then `values` is a RaggedTensor too.
    """

    def __init__(self, values: Any, row_splits: Any, cached_row_lengths: Any = None, cached_value_rowids: Any = None,
                 cached_nrows: Any = None, internal: bool = False) -> None:
        if not internal:
            raise ValueError("a RaggedTensor is made by from_row_splits and its siblings, not by its constructor")
        if not isinstance(row_splits, Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, not {row_splits!r}")
        if not isinstance(values, (Tensor, RaggedTensor)):
            raise TypeError(f"values must be a Tensor or RaggedTensor, not {values!r}")
        if row_splits.dtype not in _SPLITS:
            raise ValueError("Row-partitioning argument needs dtype int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        self._values, self._row_splits = values, row_splits
        self._row_lengths, self._value_rowids, self._nrows = cached_row_lengths, cached_value_rowids, cached_nrows

    # ---- making

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:
        """The tensor whose row i is values[row_splits[i]:row_splits[i + 1]].

        Args:
            values: a tensor or ragged tensor.
            row_splits: int32 or int64: begins with 0, does not fall, ends with the number of values.
            name: a prefix for the names of the operations.
            validate: check that when the tensor is computed.

        Raises:
            ValueError: `row_splits` is empty.
        """
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        with name_scope(name, "RaggedFromRowSplits", tensors_in(values, row_splits)):
            values, splits = _values_and(values, row_splits, "row_splits")
            if splits.shape.dims is not None and splits.shape.dims[0].value == 0:
                raise ValueError("row_splits tensor may not be empty.")
            if validate:
                wrong = "the row_splits do not fit the values"
                splits = with_dependencies([assert_rank(splits, 1, message=wrong),
                                            assert_equal(splits[0], _number(0, splits), message=wrong),
                                            *_never_falls(splits, wrong),
                                            assert_equal(_count(values, splits.dtype), splits[-1], message=wrong)],
                                           splits)
                splits.set_shape([None])
            return cls(values, splits, internal=True)

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: str | None = None,
                         validate: bool = True) -> RaggedTensor:
        """The tensor whose rows have these lengths, which add up to the number of values."""
        with name_scope(name, "RaggedFromRowLengths", tensors_in(values, row_lengths)):
            values, lengths = _values_and(values, row_lengths, "row_lengths")
            splits = _ends(lengths)
            if validate:
                wrong = "the row_lengths do not fit the values"
                splits = with_dependencies([assert_rank(lengths, 1, message=wrong),
                                            assert_greater_equal(lengths, _number(0, lengths), message=wrong),
                                            assert_equal(splits[-1], _count(values, splits.dtype), message=wrong)],
                                           splits)
            return cls(values, splits, cached_row_lengths=lengths, internal=True)

    @classmethod
    def from_value_rowids(cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None,
                          validate: bool = True) -> RaggedTensor:
        """The tensor in which each value is in the row with its number.

        Args:
            values: a tensor or ragged tensor.
            value_rowids: int32 or int64, one for each value, not falling.
            nrows: how many rows there are; by default the last one has a value.
            name: a prefix for the names of the operations.
            validate: check the numbers when the tensor is computed.

        Raises:
            ValueError: `nrows` is no scalar, negative, or too small for numbers that are known.
        """
        with name_scope(name, "RaggedFromValueRowIds", tensors_in(values, value_rowids, nrows)):
            values, ids = _values_and(values, value_rowids, "value_rowids")
            ids.shape.assert_has_rank(1)
            given = nrows is not None
            rows = _known_rows(nrows, ids) if given else _rows_for(ids)
            if validate:
                wrong = "the value_rowids do not fit the values"
                checks = [assert_rank(ids, 1, message=wrong),
                          assert_equal(_count(values, ids.dtype), _count(ids, ids.dtype), message=wrong),
                          assert_greater_equal(ids[:1], _number(0, ids), message=wrong), *_never_falls(ids, wrong)]
                checks += [assert_less_equal(ids[-1:] + 1, rows, message=wrong)] if given else []
                ids = with_dependencies(checks, ids)
            lengths = unsorted_segment_sum(basic.ones_like(ids), ids, rows)
            return cls(values, _ends(lengths), cached_row_lengths=lengths, cached_value_rowids=ids, cached_nrows=rows,
                       internal=True)

    @classmethod
    def from_row_starts(cls, values: Any, row_starts: Any, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:
        """The tensor whose rows begin at these values; each ends where the next begins, the last with the values."""
        with name_scope(name, "RaggedFromRowStarts", tensors_in(values, row_starts)):
            values, starts = _values_and(values, row_starts, "row_starts")
            if validate:
                wrong = "the row_starts do not fit the values"
                starts = with_dependencies([assert_rank(starts, 1, message=wrong),
                                            assert_equal(starts[:1], _number(0, starts), message=wrong),
                                            *_never_falls(starts, wrong),
                                            assert_less_equal(starts[-1:], _count(values, starts.dtype),
                                                              message=wrong)], starts)
            return cls(values, concat([starts, [_count(values, starts.dtype)]], axis=0), internal=True)

    @classmethod
    def from_row_limits(cls, values: Any, row_limits: Any, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:
        """The tensor whose rows end before these values; each begins where the one before ends, the first at 0."""
        with name_scope(name, "RaggedFromRowLimits", tensors_in(values, row_limits)):
            values, limits = _values_and(values, row_limits, "row_limits")
            if validate:
                wrong = "the row_limits do not fit the values"
                limits = with_dependencies([assert_rank(limits, 1, message=wrong),
                                            assert_greater_equal(limits[:1], _number(0, limits), message=wrong),
                                            *_never_falls(limits, wrong),
                                            assert_equal(limits[-1:], _count(values, limits.dtype), message=wrong)],
                                           limits)
            return cls(values, concat([zeros([1], limits.dtype), limits], axis=0), internal=True)

    @classmethod
    def from_nested_row_splits(cls, flat_values: Any, nested_row_splits: Any, name: str | None = None,
                               validate: bool = True) -> Any:
        """`flat_values` in rows in rows: the splits of each ragged axis, the outermost first."""
        with name_scope(name, "RaggedFromNestedRowSplits", tensors_in(flat_values, *_listed(nested_row_splits))):
            result = flat_values
            for splits in reversed(nested_row_splits):
                result = cls.from_row_splits(result, splits, validate=validate)
            return result

    @classmethod
    def from_nested_row_lengths(cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None,
                                validate: bool = True) -> Any:
        """`flat_values` in rows in rows: the lengths along each ragged axis, the outermost first."""
        with name_scope(name, "RaggedFromNestedRowlengths", tensors_in(flat_values, *_listed(nested_row_lengths))):
            result = flat_values
            for lengths in reversed(nested_row_lengths):
                result = cls.from_row_lengths(result, lengths, validate=validate)
            return result

    @classmethod
    def from_nested_value_rowids(cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None,
                                 name: str | None = None, validate: bool = True) -> Any:
        """`flat_values` in rows in rows: the row numbers along each ragged axis, the outermost first."""
        ids = _listed(nested_value_rowids)
        counts = [None] * len(ids) if nested_nrows is None else _listed(nested_nrows)
        if len(counts) != len(ids):
            raise ValueError("there must be as many nested_nrows as nested_value_rowids")
        with name_scope(name, "RaggedFromNestedValueRowIds", tensors_in(flat_values, *ids, *counts)):
            result = flat_values
            for rows, count in zip(reversed(ids), reversed(counts)):
                result = cls.from_value_rowids(result, rows, count, validate=validate)
            return result

    @classmethod
    def from_tensor(cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1,
                    name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """A dense tensor as a ragged one.

        Args:
            tensor: of rank `ragged_rank` + 1 or more.
            lengths: how much of each row to keep; or a list or tuple of those, one for each ragged axis.
            padding: leave out what each row ends with if it is this value, of the shape of one.
            ragged_rank: how many axes become ragged.
            name: a prefix for the names of the operations.
            row_splits_dtype: int32 or int64.

        Raises:
            ValueError: both `lengths` and `padding` are given, or the rank is too small.
            TypeError: `ragged_rank` is no int.
        """
        kind = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
        if ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
        with name_scope(name, "RaggedFromTensor", tensors_in(tensor, padding)):
            tensor = to_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            if isinstance(lengths, (list, tuple)) and lengths and not isinstance(lengths[0], (int, np.integer)):
                return cls._from_nested(tensor, lengths, kind)
            if ragged_rank > 1:
                return cls._from_merged(tensor, lengths, padding, ragged_rank, kind)
            sizes = shape_of(tensor, None, kind)
            if padding is not None:
                lengths = _lengths_before(tensor, padding, kind)
            if lengths is None:
                flat = reshape(tensor, concat([[sizes[0] * sizes[1]], sizes[2:]], axis=0))
                return cls(flat, basic.range_(_number(0, sizes), sizes[0] + 1, _number(1, sizes)) * sizes[1],
                           internal=True)
            lengths = _integers(lengths, "lengths", kind)
            lengths.shape.assert_has_rank(1)
            wide = maximum(_number(0, sizes), minimum(lengths, sizes[1]))
            return cls(_masked(tensor, sequence_mask(wide, sizes[1])), _ends(wide), internal=True)

    @classmethod
    def _from_nested(cls, tensor: Tensor, lengths: Any, kind: dtypes.DType) -> RaggedTensor:
        """`from_tensor` with lengths for several axes."""
        flat, splits = tensor, []
        for sizes in lengths:
            rows = cls.from_tensor(flat, sizes, row_splits_dtype=kind)
            flat = rows.values
            splits.append(rows.row_splits)
        result: Any = flat
        for ends in reversed(splits):
            result = cls(result, ends, internal=True)
        return result

    @classmethod
    def _from_merged(cls, tensor: Tensor, lengths: Any, padding: Any, ragged_rank: int,
                     kind: dtypes.DType) -> RaggedTensor:
        """`from_tensor` of several ragged axes: all but the innermost are even."""
        sizes = shape_of(tensor, None, kind)
        merged = reshape(tensor, concat([[-1], sizes[ragged_rank:]], axis=0))
        result: Any = cls.from_tensor(merged, lengths, padding, row_splits_dtype=kind)
        rows = _number(1, sizes)
        outer = []
        for axis in range(ragged_rank - 1):
            rows = rows * sizes[axis]
            outer.append(basic.range_(_number(0, sizes), rows + 1, _number(1, sizes)) * sizes[axis + 1])
        for ends in reversed(outer):
            result = cls(result, ends, internal=True)
        return result

    @classmethod
    def from_sparse(cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """A sparse matrix whose rows are filled from the left as a ragged tensor.

        Raises:
            TypeError: `st_input` is not sparse.
            ValueError: its rank is not known to be 2.
        """
        kind = dtypes.as_dtype(row_splits_dtype)
        if isinstance(st_input, SparseTensorValue):
            st_input = SparseTensor.from_value(st_input)
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
        by_indices = st_input.indices.shape.as_list()[1] if st_input.indices.shape.ndims == 2 else None
        if 2 not in (st_input.shape.ndims, st_input.dense_shape.shape.num_elements(), by_indices):
            raise ValueError("rank(st_input) must be 2, and known while the graph is built")
        with name_scope(name, "RaggedFromSparse", st_input._components()):
            rows, columns = st_input.indices[:, 0], st_input.indices[:, 1]
            # Each value stands right of the one before, or at the left of another row.
            same = basic.cast(equal(rows[1:], rows[:-1]), dtypes.int64)
            wanted = concat([zeros([1], dtypes.int64), same * (columns[:-1] + 1)], axis=0)[:_count(rows, dtypes.int32)]
            check = assert_equal(columns, wanted, message="SparseTensor is not right-ragged")
            with control_dependencies([check]):
                ids = basic.cast(rows, kind)
            return cls.from_value_rowids(st_input.values, ids, basic.cast(st_input.dense_shape[0], kind),
                                         validate=False)

    # ---- parts

    values = property(lambda self: self._values, doc="The values of all rows, one after the other.")
    row_splits = property(lambda self: self._row_splits, doc="Where each row begins, and where the last ends.")

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the values."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape; ragged axes have no size."""
        rows = dimension_value(self._row_splits.shape[0])
        return TensorShape([None if rows is None else rows - 1, None]).concatenate(self._values.shape[1:])

    def get_shape(self) -> TensorShape:
        """The static shape."""
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, RaggedTensor) else 0)

    @property
    def flat_values(self) -> Tensor:
        """The innermost values."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The splits of every ragged axis, the outermost first."""
        return (self._row_splits, *(self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()))

    @property
    def graph(self) -> Graph:
        """The graph of the values."""
        return self.flat_values.graph

    @property
    def op(self) -> Operation:
        """The operation that makes the values."""
        return self.flat_values.op

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def consumers(self) -> list[Operation]:
        """The operations that take any of the parts."""
        return list(dict.fromkeys(c for part in self._components() for c in part.consumers()))

    def value_rowids(self, name: str | None = None) -> Tensor:
        """For each value the row that it is in."""
        if self._value_rowids is not None:
            return self._value_rowids
        with name_scope(name, "RaggedValueRowIds", self._components()):
            return row_splits_to_segment_ids(self._row_splits)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The row ids along every ragged axis, the outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds", self._components()):
            return tuple(level.value_rowids() for level in self._levels())

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """How many rows there are."""
        kind = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._nrows is not None:
            return self._nrows if self._nrows.dtype is kind else basic.cast(self._nrows, kind)
        with name_scope(name, "RaggedNRows", self._components()):
            return _count(self._row_splits, kind) - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row begins among the values."""
        with name_scope(name, "RaggedRowStarts", self._components()):
            return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends among the values."""
        with name_scope(name, "RaggedRowLimits", self._components()):
            return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The length of each row along an axis; of a deeper one as a ragged tensor.

        Raises:
            ValueError: the axis is counted from the end, and the rank is not known.
        """
        if axis < 0:
            if self.shape.ndims is None:
                raise ValueError("an axis counted from the end needs a RaggedTensor of known rank")
            axis += self.shape.ndims
        if axis == 0:
            return self.nrows()
        with name_scope(name, "RaggedRowLengths", self._components()):
            if axis == 1:
                return self._row_splits[1:] - self._row_splits[:-1] if self._row_lengths is None else self._row_lengths
            if isinstance(self._values, RaggedTensor):
                return self.with_values(self._values.row_lengths(axis - 1))
            sizes = shape_of(self._values, None, self._row_splits.dtype)
            return self.with_values(basic.fill(sizes[:axis - 1], sizes[axis - 1]))

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The lengths of the rows along every ragged axis, the outermost first."""
        with name_scope(name, "RaggedNestedRowLengths", self._components()):
            return tuple(level.row_lengths() for level in self._levels())

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The smallest dense shape that holds the tensor, or its size along one axis or several."""
        kind = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with name_scope(name, "RaggedBoundingBox", self._components()):
            sizes = [self.nrows(kind)]
            for level in self._levels():
                longest = max_(concat([zeros([1], kind), basic.cast(level.row_lengths(), kind)], axis=0), 0)
                sizes.append(longest)
            whole = concat([sizes, shape_of(self.flat_values, None, kind)[1:]], axis=0)
            return whole if axis is None else gather_v2(whole, axis, 0)

    def _levels(self) -> list[RaggedTensor]:
        """The tensor, the rows in its rows, and so on."""
        return [self, *(self._values._levels() if isinstance(self._values, RaggedTensor) else [])]

    # ---- changing

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other values.

        Raises:
            ValueError: there are not as many.
        """
        new_values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor) and new_values.row_splits.dtype is not self._row_splits.dtype:
            raise ValueError("new_values has row_splits of another dtype; with_row_splits_dtype() converts them")
        return RaggedTensor(new_values, self._row_splits, self._row_lengths, self._value_rowids, self._nrows,
                            internal=True)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other innermost values."""
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(to_tensor(new_values) if not isinstance(new_values, RaggedTensor) else new_values)

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same tensor with splits of int32 or int64."""
        kind = dtypes.as_dtype(dtype)
        if kind not in _SPLITS:
            raise ValueError("dtype must be int32 or int64")
        if kind is self._row_splits.dtype:
            return self
        values = self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(kind)
        return RaggedTensor(values, basic.cast(self._row_splits, kind), internal=True)

    def to_tensor(self, default_value: Any = None, name: str | None = None) -> Tensor:
        """The dense tensor with short rows filled up with `default_value`, which is zero or the empty string."""
        with name_scope(name, "RaggedToTensor", tensors_in(self, default_value)):
            if default_value is None:
                default_value = zeros([], self.dtype)
            else:
                default_value = to_tensor(default_value, self.dtype, name="default_value")
            splits = list(self.nested_row_splits)
            return ragged.ragged_tensor_to_tensor(to_tensor(-1, splits[0].dtype), self.flat_values, default_value,
                                                  splits, row_partition_types=["ROW_SPLITS"] * len(splits))

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The values with their coordinates."""
        with name_scope(name, "RaggedToSparse", self._components()):
            return SparseTensor(*ragged.ragged_tensor_to_sparse(list(self.nested_row_splits), self.flat_values))

    def to_list(self) -> list[Any]:
        """The rows as nested lists, with eager execution.

        Raises:
            ValueError: it is a tensor of a graph, whose values are not known: run it, and ask its value.
        """
        if not self.graph.is_eager:
            raise ValueError("a RaggedTensor of a graph has no lists yet; fetch it and ask its value")
        return self._value().to_list()

    def _value(self) -> RaggedTensorValue:
        values = self._values._value() if isinstance(self._values, RaggedTensor) else self._values.numpy()
        return RaggedTensorValue(values, self._row_splits.numpy())

    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> RaggedTensorValue:
        """The value in `session`, or in the default session."""
        found = session_for(session, self.graph, "evaluate tensor", "`t.eval(session=sess)`")
        return found.run(self, feed_dict)

    def __len__(self) -> int:
        raise TypeError("len() of a RaggedTensor is not known while the graph is built; see nrows()")

    def __bool__(self) -> bool:
        raise TypeError("a RaggedTensor has no truth value while the graph is built")

    # ---- as one value of several tensors

    def _components(self) -> list[Tensor]:
        return [self.flat_values, *self.nested_row_splits]

    def _from_components(self, parts: list[Any]) -> Any:
        result, *splits = parts
        for ends in reversed(splits):
            result = RaggedTensor(result, ends, internal=True)
        return result

    def _loop_shapes(self, shape: TensorShape) -> list[Any]:
        """The shapes of the parts of a loop variable of this shape: the lengths of rows may change."""
        rows = None if not shape.tuple or shape.tuple[0] is None else shape.tuple[0] + 1
        inner = self.flat_values._shape
        if inner is not None and shape.rank is not None:
            inner = (None, *shape.as_list()[self.ragged_rank + 1:])
        return [None if inner is None else (None, *inner[1:]), (rows,), *[(None,)] * (self.ragged_rank - 1)]

    def _fetched(self, values: list[Any]) -> Any:
        result, *splits = values
        for ends in reversed(splits):
            result = RaggedTensorValue(result, ends)
        return result

    def _fed(self, value: Any) -> list[tuple[Tensor, Any]]:
        """The tensors that feeding a RaggedTensorValue feeds, with their values."""
        return list(zip(self._components(), [value.flat_values, *value.nested_row_splits]))

    def __str__(self) -> str:
        if self.graph.is_eager and default_graph().is_eager:
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    __repr__ = __str__


# ---- helpers

def tensors_in(*values: Any) -> list[Any]:
    """Those of the values that belong to a graph."""
    return [part for v in values if v is not None
            for part in (v._components() if hasattr(v, "_components") else [v] if isinstance(v, Tensor) else [])]


def _listed(nested: Any) -> list[Any]:
    if isinstance(nested, Tensor):
        raise TypeError("nested arguments must be lists of tensors, not one Tensor")
    return list(nested)


def _number(value: int, like: Tensor) -> Tensor:
    return to_tensor(value, like.dtype)


def _count(tensor: Any, dtype: dtypes.DType) -> Tensor:
    """How many rows a tensor or ragged tensor has."""
    if isinstance(tensor, RaggedTensor):
        return tensor.nrows(dtype)
    return shape_of(tensor, None, dtype)[0]


def _ends(lengths: Tensor) -> Tensor:
    """The splits of rows with these lengths."""
    return concat([zeros([1], lengths.dtype), cumsum(lengths, 0)], axis=0)


def _never_falls(numbers: Tensor, message: str) -> list[Operation]:
    return [assert_less_equal(numbers[:-1], numbers[1:], message=message)]


def _values_and(values: Any, partition: Any, name: str) -> tuple[Any, Tensor]:
    """The values and what parts them as tensors, their splits of one dtype."""
    values = convert_to_tensor_or_ragged_tensor(values, name="values")
    partition = to_tensor(partition, preferred_dtype=dtypes.int64, name=name)
    if partition.dtype not in _SPLITS:
        raise ValueError(f"{name} must have dtype int32 or int64, got {partition.dtype.name}")
    if isinstance(values, RaggedTensor) and values.row_splits.dtype is not partition.dtype:
        raise ValueError(f"RaggedTensor values and {name} must have the same row_splits dtype: "
                         f"{values.row_splits.dtype.name} and {partition.dtype.name}")
    return values, partition


def _rows_for(ids: Tensor) -> Tensor:
    """One more than the last row id, or 0 when there is none."""
    return concat([zeros([1], ids.dtype), ids[-1:] + 1], axis=0)[-1]


def _known_rows(nrows: Any, ids: Tensor) -> Tensor:
    rows = to_tensor(nrows, ids.dtype, name="nrows")
    rows.shape.assert_has_rank(0)
    known = None if isinstance(nrows, Tensor) else int(nrows)
    if known is not None and known < 0:
        raise ValueError(f"Expected nrows >= 0; got {known}")
    return rows


def _masked(tensor: Tensor, mask: Tensor) -> Tensor:
    """The rows of the first two axes where the mask is true, in one."""
    places = where(mask)
    return gather_nd(tensor, places)


def _integers(value: Any, name: str, kind: dtypes.DType) -> Tensor:
    """Integers of any dtype as a tensor of another.

    Raises:
        TypeError: they are no integers.
    """
    tensor = to_tensor(value, None if isinstance(value, (Tensor, np.ndarray)) else kind, name=name)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be integers, got {tensor.dtype.name}")
    return tensor if tensor.dtype.base_dtype is kind else basic.cast(tensor, DstT=kind)


def _lengths_before(tensor: Tensor, padding: Any, kind: dtypes.DType) -> Tensor:
    """How long each row is without the padding at its end."""
    padding = to_tensor(padding, tensor.dtype, name="padding")
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    differs = basic.cast(not_equal(tensor, padding), kind)
    inner = basic.range_(2, basic.rank(tensor), 1)
    holds = max_(differs, inner)  # 1 where a value is not padding
    sizes = shape_of(tensor, None, kind)
    places = basic.range_(_number(1, sizes), sizes[1] + 1, _number(1, sizes))
    return max_(concat([zeros([sizes[0], 1], kind), holds * places], axis=1), 1)


def convert_to_tensor_or_ragged_tensor(value: Any, dtype: Any = None, preferred_dtype: Any = None,
                                       name: str | None = None) -> Any:
    """A ragged tensor as it is, a RaggedTensorValue as one, anything else as a tensor.

    Raises:
        ValueError: the dtype is another than asked for.
    """
    if isinstance(value, RaggedTensorValue):
        with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = to_tensor(value.flat_values, dtype, preferred_dtype=preferred_dtype, name="flat_values")
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    if isinstance(value, RaggedTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for RaggedTensor with "
                             f"dtype {value.dtype.name}: {value}")
        return value
    return to_tensor(value, dtype, name, preferred_dtype=preferred_dtype)


def _refuse_ragged(value: RaggedTensor, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    raise TypeError(f"Failed to convert a RaggedTensor to a Tensor: {value}. Use its method to_tensor().")


register_tensor_conversion_function((RaggedTensor, RaggedTensorValue), _refuse_ragged)


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """For each value of rows with these splits, the row that it is in.

    >>> tf.Session().run(tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]))
    array([0, 0, 0, 2, 2])
    """
    with name_scope(name, "RaggedSplitsToSegmentIds", tensors_in(splits)):
        splits = to_tensor(splits, preferred_dtype=dtypes.int64, name="splits")
        if splits.dtype not in _SPLITS:
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if splits.shape[0] == Dimension(0):
            raise ValueError("Invalid row_splits: []")
        kind = splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        lengths = splits[1:] - splits[:-1]
        rows = basic.range_(_number(0, splits), _count(lengths, splits.dtype), _number(1, splits))
        ids = repeat(rows, lengths, axis=0)
        return ids if ids.dtype is kind else basic.cast(ids, kind)


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(segment_ids: Any, num_segments: Any = None, out_type: Any = None,
                              name: str | None = None) -> Tensor:
    """The splits of the rows that these numbers, which do not fall, put each value in.

    Args:
        segment_ids: the row of each value.
        num_segments: how many rows there are; by default up to the last one named.
        out_type: int32 or int64.
    """
    with name_scope(name, "SegmentIdsToRaggedSplits", tensors_in(segment_ids, num_segments)):
        ids = to_tensor(segment_ids, preferred_dtype=dtypes.int64, name="segment_ids")
        ids.shape.assert_has_rank(1)
        if num_segments is None:  # the ids may have any order
            rows = max_(concat([_number(-1, ids) + zeros([1], ids.dtype), ids], axis=0), 0) + 1
        else:
            rows = to_tensor(num_segments, ids.dtype, name="num_segments")
        rows.shape.assert_has_rank(0)
        splits = _ends(unsorted_segment_sum(basic.ones_like(ids), ids, rows))
        kind = ids.dtype if out_type is None else dtypes.as_dtype(out_type)
        return splits if splits.dtype is kind else basic.cast(splits, kind)


def is_ragged(value: Any) -> bool:
    """Whether a value is a ragged tensor, in the graph or of NumPy arrays."""
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


@export("RaggedTensorSpec")
class RaggedTensorSpec(BatchableTypeSpec):
    """The shape, dtype and number of ragged axes of a ragged tensor."""

    value_type = RaggedTensor

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32, ragged_rank: int | None = None,
                 row_splits_dtype: Any = dtypes.int64) -> None:
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a RaggedTensor or RaggedTensorValue."""
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    @property
    def _component_specs(self) -> list[TensorSpec]:
        if not self._ragged_rank:
            return [TensorSpec(self._shape, self._dtype)]
        sizes = None if self._shape.ndims is None else self._shape.as_list()
        inner = None if sizes is None else [None, *sizes[self._ragged_rank + 1:]]
        rows = None if sizes is None or sizes[0] is None else sizes[0] + 1
        return [TensorSpec(inner, self._dtype),
                *(TensorSpec([n], self._row_splits_dtype) for n in [rows] + [None] * (self._ragged_rank - 1))]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.flat_values, *value.nested_row_splits] if isinstance(value, RaggedTensor) else [value]

    def _from_components(self, components: Any) -> Any:
        value, *splits = components
        if are_arrays(components):
            return functools.reduce(RaggedTensorValue, reversed(splits), value)
        return RaggedTensor.from_nested_row_splits(value, splits, validate=False)

    def _batch(self, batch_size: int | None) -> RaggedTensorSpec:
        return self._with_axes(TensorShape([batch_size]).concatenate(self._shape), 1)

    def _unbatch(self) -> RaggedTensorSpec:
        return self._with_axes(self._shape[1:], -1)

    def _with_axes(self, shape: TensorShape, added: int) -> RaggedTensorSpec:
        """The spec of values of another shape, which have so many ragged axes more."""
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + added, self._row_splits_dtype)

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [ANY_VARIANT]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        rank = value.ragged_rank if isinstance(value, RaggedTensor) else 0
        if rank != self._ragged_rank:
            raise ValueError(f"{self} has values with {self._ragged_rank} ragged axes, but {value!r} has {rank}")
        if rank:
            return [ragged.ragged_tensor_to_variant(list(value.nested_row_splits), value.flat_values,
                                                    batched_input=False)]
        length = shape_of(value, out_type=self._row_splits_dtype)[:1]
        return [reshape(self._rows([concat([zeros([1], self._row_splits_dtype), length], 0)], value), [])]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        return [self._rows(list(value.nested_row_splits), value.flat_values)]

    def _rows(self, splits: list[Any], values: Any) -> Tensor:
        """The rows of a ragged tensor as variants."""
        return ragged.ragged_tensor_to_variant(splits, values, batched_input=True)

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        encoded, = tensor_list
        is_dense = self._ragged_rank <= 0  # a row that is not ragged
        splits, values = ragged.ragged_tensor_from_variant(
            reshape(encoded, [1]) if is_dense else encoded, input_ragged_rank=0 if is_dense else -1,
            output_ragged_rank=max(self._ragged_rank, 1), Tvalues=self._dtype, Tsplits=self._row_splits_dtype)
        if is_dense:
            values.set_shape(self._shape)
            return values
        if self._shape.ndims is not None:
            values.set_shape(TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1:]))
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)

    def _parts(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype


@export("data.experimental.RaggedTensorStructure")
def ragged_tensor_structure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """The same as `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""
    return RaggedTensorSpec(shape, dtype, ragged_rank)

"""Variables that are split into parts: partitioners, and the object that stands for all parts together."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import identity

Partitioner = Callable[[TensorShape, dtypes.DType], list[int]]


class PartitionInfo:
    """Which part of a variable an initializer is asked for.

    Attributes:
        full_shape: the shape of the whole.
        var_offset: where the part begins.
    """

    def __init__(self, full_shape: list[int], var_offset: list[int]) -> None:
        if len(full_shape) != len(var_offset):
            raise ValueError(f"`var_offset` and full_shape have a number for each axis: {len(var_offset)} and "
                             f"{len(full_shape)} do not agree.")
        for offset, size in zip(var_offset, full_shape):
            if offset < 0 or offset >= size:
                raise ValueError(f"Expected 0 <= offset < size, got offset {offset} for a dimension of {size}")
        self.full_shape, self.var_offset = full_shape, var_offset

    def single_slice_dim(self, shape: list[int]) -> int | None:
        """The one dimension in which a part of this shape differs from the whole, or None when it is the whole."""
        split = [i for i, (part, whole) in enumerate(zip(shape, self.full_shape)) if part != whole]
        if len(split) > 1:
            raise ValueError(f"Cannot use single_slice_dim() with shape {shape} and full_shape {self.full_shape}: "
                             f"dimensions {split} are split")
        return split[0] if split else None

    def single_offset(self, shape: list[int]) -> int:
        """Where a part of this shape begins in its split dimension."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]


def ask_partitioner(partitioner: Partitioner, shape: TensorShape, dtype: dtypes.DType) -> list[int]:
    """The number of parts in each dimension; at most one of them may be more than 1.

    Raises:
        ValueError: the partitioner's answer does not fit.
    """
    if not shape.is_fully_defined():
        raise ValueError(f"a variable must have a known shape to be partitioned, got {shape}")
    if not shape.ndims:
        raise ValueError(f"a variable must have rank at least 1 to be partitioned, got shape {shape}")
    parts = partitioner(shape=shape, dtype=dtype)  # type: ignore[call-arg]
    if not isinstance(parts, (list, tuple)):
        raise ValueError(f"Partitioner must return a sequence, but saw: {parts}")
    if len(parts) != shape.ndims:
        raise ValueError(f"the partitioner must say one number for each axis of {shape}, got {parts}")
    if any(p < 1 for p in parts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {parts}")
    if sum(p > 1 for p in parts) > 1:
        raise ValueError(f"a variable can be cut along one axis only: shape {shape}, parts {parts}")
    return list(parts)


def only_axis(partitions: list[int]) -> tuple[int, int]:
    """The dimension that is split, and into how many parts; dimension 0 into 1 when none is."""
    return next(((axis, count) for axis, count in enumerate(partitions) if count > 1), (0, 1))


def slices(full_shape: list[int], count: int, axis: int) -> Iterator[tuple[list[int], list[int]]]:
    """(offset, shape) of each part; the first parts are one larger where it does not come out even."""
    small, larger = divmod(full_shape[axis], count)
    start = 0
    for number in range(count):
        size = small + (number < larger)
        offset, shape = [0] * len(full_shape), list(full_shape)
        offset[axis], shape[axis] = start, size
        yield offset, shape
        start += size


# ---- partitioners

@export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """Splits `axis` into `num_shards` parts."""
    def partitioner(shape: TensorShape, **unused: Any) -> list[int]:
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.as_list()[axis])
        return parts
    return partitioner


def _element_size(dtype: dtypes.DType, bytes_per_string: int) -> int:
    return bytes_per_string if dtype.base_dtype is dtypes.string else dtype.size


@export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16,
                                   max_shards: int | None = None) -> Partitioner:
    """Splits `axis` so that no part is larger than `max_shard_bytes`, as far as `max_shards` allows.

    Raises:
        ValueError: a size is not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError(f"Both max_shard_bytes and bytes_per_string_element must be positive; got {max_shard_bytes} "
                         f"and {bytes_per_string_element}")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: Any, dtype: Any) -> list[int]:
        shape, dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        sizes = shape.as_list()
        row_bytes = max(math.prod(sizes) // sizes[axis] * _element_size(dtype, bytes_per_string_element), 1.0)
        rows = max(1.0, math.floor(max_shard_bytes / row_bytes))
        count = math.ceil(sizes[axis] / rows)
        parts = [1] * len(sizes)
        parts[axis] = int(min(max_shards, count) if max_shards else count)
        return parts
    return partitioner


@export("min_max_variable_partitioner")
def min_max_variable_partitioner(max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10,
                                 bytes_per_string_element: int = 16) -> Partitioner:
    """Splits `axis` into at most `max_partitions` parts of at least `min_slice_size` bytes.

    `max_partitions` may be 0, the number of parameter servers of a program that has none; there is one part then.

    Raises:
        ValueError: a size is not positive.
    """
    if min_slice_size < 1 or bytes_per_string_element < 1:
        raise ValueError("min_slice_size and bytes_per_string_element must be positive; got "
                         f"{min_slice_size} and {bytes_per_string_element}")

    def partitioner(shape: Any, dtype: Any) -> list[int]:
        shape, dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        if axis >= shape.ndims:
            raise ValueError(f"Cannot partition a variable of shape {shape} along axis {axis}")
        sizes = shape.as_list()
        total = math.prod(sizes) * _element_size(dtype, bytes_per_string_element)
        parts = [1] * len(sizes)
        parts[axis] = max(1, min(max_partitions, math.ceil(total / min_slice_size), sizes[axis]))
        return parts
    return partitioner


# ---- all parts together

class PartitionedVariable:
    """The parts of a variable as one: it reads as their concatenation, and an assignment is split among them.

    Args:
        name: of the whole.
        shape: of the whole.
        dtype: of all parts.
        variable_list: the parts, in order.
        partitions: the number of parts in each dimension.
    """

    _is_tensor_like = True

    def __init__(self, name: str, shape: Any, dtype: Any, variable_list: list[Any], partitions: list[int]) -> None:
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if any(p < 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        for part in variable_list:
            if part._get_save_slice_info() is None:
                raise ValueError(f"All variables must have a save_slice_info available: {part}")
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtypes.as_dtype(dtype)
        self._partitions = list(partitions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        return len(self._variable_list)

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)

    def get_shape(self) -> TensorShape:
        return self._shape

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> list[int]:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        split = [i for i, count in enumerate(self._partitions) if count > 1]
        return split or [0]

    @property
    def _distribute_strategy(self) -> None:
        return None

    @property
    def initializer(self) -> Any:
        raise NotImplementedError("A partitioned variable has an initializer for each part")

    def as_tensor(self) -> Tensor:
        """The parts put together, whatever the control dependencies in force here."""
        with control_dependencies(None):
            return self._concat()

    def _concat(self) -> Tensor:
        if len(self._variable_list) == 1:
            with name_scope(None):
                return identity(self._variable_list[0], name=self._name)
        with name_scope(f"{self._name}/ConcatPartitions/"):
            whole = array.concat(list(self._variable_list), self._partition_axes()[0])
        with name_scope(None):
            return identity(whole, name=self._name)

    def _split(self, value: Any) -> list[Tensor]:
        """The piece of `value` that each part gets."""
        value = convert_to_tensor(value, self._dtype)
        axis = self._partition_axes()[0]
        sizes = [part.get_shape().as_list()[axis] for part in self._variable_list]
        return array.split(value, sizes, axis)

    def _each(self, method: str, value: Any, use_locking: bool, name: str | None, read_value: bool) -> list[Any]:
        return [getattr(part, method)(piece, use_locking=use_locking, name=name and f"{name}_{i}",
                                      read_value=read_value)
                for i, (part, piece) in enumerate(zip(self._variable_list, self._split(value), strict=True))]

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None,
               read_value: bool = True) -> list[Any]:
        """Assigns to each part its piece of `value`; gives back the results of all parts."""
        return self._each("assign", value, use_locking, name, read_value)

    def assign_add(self, value: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> list[Any]:
        """Adds to each part its piece of `value`."""
        return self._each("assign_add", value, use_locking, name, read_value)

    def assign_sub(self, value: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> list[Any]:
        """Subtracts from each part its piece of `value`."""
        return self._each("assign_sub", value, use_locking, name, read_value)


def _as_tensor(value: PartitionedVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    if as_ref:
        raise NotImplementedError("a partitioned variable cannot be passed by reference")
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(f"a variable of dtype {value.dtype.name} cannot be read as {dtypes.as_dtype(dtype).name}")
    return value.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _as_tensor)

"""TensorFlow's V1 checkpoint format: one table of tensor slices, each in a message.

A checkpoint may consist of several files whose names match a pattern.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, files
from evergraph.formats.bundle import Part
from evergraph.formats.parts import assemble, region, size_of, stored_dtype, stored_shape
from evergraph.formats.replace import replace_file
from evergraph.formats.slice_keys import Extent, slice_key
from evergraph.formats.table import read_table, table_bytes
from evergraph.formats.tensor_messages import proto_to_array, shape_to_proto, tensor_to_proto

_CONTENTS_KEY = b""


_LARGEST = (1 << 31) - 1  # the largest size of a message in bytes

# ---- writing


def write_slice_file(path: str, parts: Iterable[Part]) -> None:
    """Writes tensors and parts of tensors to one file."""
    messages = proto.saved_tensor_slice_pb2
    contents = messages.SavedTensorSlices()
    contents.meta.versions.producer = 1
    tensors: dict[str, Any] = {}
    entries: dict[bytes, bytes] = {}
    for part in parts:
        _check_size(part)
        extents = part.extents if part.whole is not None else [(0, -1)] * part.value.ndim
        tensor = tensors.get(part.name)
        if tensor is None:
            tensor = tensors[part.name] = contents.meta.tensor.add(
                name=part.name, type=part.dtype.base_dtype.enum,
                shape=shape_to_proto(part.value.shape if part.whole is None else part.whole))  # fmt: skip
        stored = messages.SavedTensorSlices()
        stored.data.name = part.name
        for slot in (tensor.slice.add(), stored.data.slice):
            slot.SetInParent()  # the slice of a scalar has no extents, yet must be present
            _fill_extents(slot, extents)
        stored.data.data.CopyFrom(tensor_to_proto(part.value, part.dtype, pack=False))
        for field in ("dtype", "tensor_shape"):  # the contents imply both
            stored.data.data.ClearField(field)
        key = slice_key(part.name, extents)
        if key in entries:
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {part.name}")
        entries[key] = stored.SerializeToString()
    entries[_CONTENTS_KEY] = contents.SerializeToString()
    replace_file(path, table_bytes(sorted(entries.items())))


def _check_size(part: Part) -> None:
    """Raises early for a tensor that cannot fit into a message."""
    if part.dtype.base_dtype is dtypes.string:
        size = sum(len(item) + 10 for item in part.value.reshape(-1))
    else:  # an integer takes up to ten bytes
        size = part.value.size * (10 if part.dtype.is_integer else part.value.itemsize)
    if size > _LARGEST:
        raise errors.InvalidArgumentError(
            None, None, f"Tensor slice is too large to serialize: {part.name} needs about {size} bytes")


def _fill_extents(message: Any, extents: Sequence[Extent]) -> None:
    for start, length in extents:
        extent = message.extent.add()
        if length != -1:
            extent.start, extent.length = start, length


# ---- reading


class SliceFileReader:
    """Reads the tensors of a V1 checkpoint, with the interface of `BundleReader`.

    Args:
        pattern: the path of a file, or a glob pattern.

    Raises:
        NotFoundError: no file matches.
        DataLossError: a file is corrupt, or not a V1 checkpoint.
    """

    def __init__(self, pattern: str) -> None:
        self.prefix = pattern
        matching = [pattern] if files.exists(pattern) else files.glob(pattern)
        found = [path for path in matching if not files.isdir(path)]
        if not found:
            raise errors.NotFoundError(None, None, "Unsuccessful TensorSliceReader: Failed to find any "
                                                   f"matching files for {pattern}")  # fmt: skip
        self._stored: dict[bytes, bytes] = {}
        self._tensors: dict[str, Any] = {}
        for path in found:
            self._add(path)

    def _add(self, path: str) -> None:
        data = files.read_file(path)
        try:
            entries = dict(read_table(data, path))
        except errors.DataLossError as error:
            raise errors.DataLossError(None, None, f"Unable to open table file {path}: {error.message}") from None
        for tensor in self._message(entries.get(_CONTENTS_KEY, b"")).meta.tensor:
            known = self._tensors.setdefault(tensor.name, tensor)
            if known is not tensor:
                if (known.shape, known.type) != (tensor.shape, tensor.type):
                    raise errors.DataLossError(None, None, f"the parts of {tensor.name} belong to tensors that differ")
                known.slice.extend(tensor.slice)
        self._stored.update(entries)

    def _message(self, data: bytes) -> Any:
        try:
            return proto.saved_tensor_slice_pb2.SavedTensorSlices.FromString(data)
        except Exception as error:  # protobuf's own class for it differs between its implementations
            raise errors.DataLossError(None, None, f"damaged entry in {self.prefix}: {error}") from None

    def _tensor(self, name: str) -> Any:
        if name not in self._tensors:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint {self.prefix}")
        return self._tensors[name]

    def names(self) -> list[str]:
        """The sorted names of the tensors."""
        return sorted(self._tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def dtype(self, name: str) -> dtypes.DType:
        return stored_dtype(self._tensor(name).type, f"{name} in {self.prefix}")

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of the full tensor."""
        return stored_shape(self._tensor(name).shape, f"{name} in {self.prefix}")

    def slices(self, name: str) -> list[list[Extent]]:
        """The slices in which the tensor is stored."""
        return [[(e.start, e.length if e.HasField("length") else -1) for e in part.extent]
                for part in self._tensor(name).slice]

    def read(self, name: str) -> np.ndarray[Any, Any]:
        """The value of a tensor; raises as `BundleReader.read` does."""
        return self.read_part(name, [(0, -1)] * len(self.shape(name)))

    def read_part(self, name: str, extents: Sequence[Extent]) -> np.ndarray[Any, Any]:
        """A slice of a tensor, which may be partitioned differently."""
        return assemble(f"{name} in {self.prefix}", self.shape(name), self.slices(name), extents,
                        lambda stored: self._part(name, stored))  # fmt: skip

    def _part(self, name: str, extents: Sequence[Extent]) -> np.ndarray[Any, Any]:
        key = slice_key(name, extents)
        if key not in self._stored:
            raise errors.DataLossError(None, None, f"a part of {name} is missing from {self.prefix}")
        data = self._message(self._stored[key]).data.data
        shape = size_of(region(extents, self.shape(name)))
        dtype = self.dtype(name)
        counts = [len(values) for field, values in data.ListFields() if field.name.endswith("_val")]
        elements: int = math.prod(shape)
        if elements and counts != [elements * (2 if dtype.is_complex else 1)]:
            raise errors.DataLossError(None, None, f"{name} in {self.prefix} has {counts} values for shape {shape}")
        data.dtype = dtype.enum
        data.tensor_shape.CopyFrom(shape_to_proto(shape))
        return proto_to_array(data)

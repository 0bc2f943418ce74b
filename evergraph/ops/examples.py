"""The features of serialized Examples, a batch at a time: from one feature of many examples to one array.

The lists of values in an Example are told apart by protobuf and read by NumPy, all lists of a feature at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import evergraph.proto as protos
from evergraph.graph.shaping import text as shape_text
from evergraph.ops.reshape import invalid
from evergraph.proto.wire import from_bytes

_FEW_BYTES = 200  # up to here a loop in Python decodes numbers faster than NumPy


@dataclass(frozen=True)
class Kind:
    """One of the three kinds of values a feature may hold.

    Attributes:
        field: the name of its list in a Feature.
        type_name: TensorFlow's name of its dtype.
        word: what errors call its values.
    """

    field: str
    type_name: str
    word: str


_KINDS = {
    np.dtype(np.float32): Kind("float_list", "float", "float"),
    np.dtype(np.int64): Kind("int64_list", "int64", "int64"),
    np.dtype(object): Kind("bytes_list", "string", "bytes"),
}
_TYPE_NAMES = {kind.field: kind.type_name for kind in _KINDS.values()}


def kind_of(dtype):
    return _KINDS[dtype]


def type_name(feature):
    """TensorFlow's name of the dtype that a feature has; "" for one without a value."""
    return _TYPE_NAMES.get(feature.WhichOneof("kind"), "")


def parsed(serialized, message):
    """A message of a whole example from its serialized form."""
    try:
        return from_bytes(serialized, message)
    except ValueError:
        raise unreadable(serialized) from None


def unreadable(serialized):
    return invalid(f"Could not parse example input, value: '{serialized.decode(errors='replace')}'")


# ---- lists of values

def unpacked(lists, dtype):
    """The values in serialized lists of one kind, in a row, and how many each list has.

    Raises:
        ValueError: a list is damaged.
    """
    if dtype.hasobject:
        return _strings(lists)
    message = protos.feature_pb2.FloatList if dtype == np.float32 else protos.feature_pb2.Int64List
    pieces = [_packed(data, message) for data in lists]
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    joined = b"".join(pieces)
    if dtype == np.float32:
        if (sizes % 4).any():
            raise ValueError("a float is cut off")
        return np.frombuffer(joined, "<f4").astype(np.float32), sizes // 4
    if len(joined) <= _FEW_BYTES:
        numbers = [_integers_one_by_one(piece) for piece in pieces]
        return np.array([n for some in numbers for n in some], np.int64), np.array([*map(len, numbers)], np.int64)
    return _integers(np.frombuffer(joined, np.uint8), sizes)


def _packed(data, message):
    """The bytes of the numbers alone, when a list is one packed field; other forms are brought into this one."""
    if not data:
        return data
    size, at = _size_at(data)
    if data[0] == 0x0A and at + size == len(data):
        return data[at:]
    data = from_bytes(data, message()).SerializeToString()
    return data[_size_at(data)[1]:] if data else data


def _size_at(data):
    """(the size of the field that the data begins with, where its content begins)."""
    size, shift, at = 0, 0, 1
    while at < len(data):
        byte, at = data[at], at + 1
        size |= (byte & 127) << shift
        if byte < 128:
            return size, at
        shift += 7
    return -1, at


def _strings(lists):
    values, counts = [], []
    for data in lists:
        size, at = _size_at(data) if data else (0, 0)
        if data and data[0] == 0x0A and at + size == len(data):  # one string, the usual number
            values.append(data[at:])
            counts.append(1)
        else:
            several = from_bytes(data, protos.feature_pb2.BytesList()).value
            values.extend(several)
            counts.append(len(several))
    array = np.empty(len(values), object)
    array[:] = values
    return array, np.array(counts, np.int64)


def _integers_one_by_one(data):
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            number &= 0xFFFFFFFFFFFFFFFF
            numbers.append(number - (1 << 64) if number >> 63 else number)
            number, shift = 0, 0
    if shift:
        raise ValueError("an integer is cut off")
    return numbers


def _integers(data, sizes):
    """As `_integers_one_by_one`, for pieces of these sizes in a row: seven bits a byte, the top bit says "more"."""
    is_last = data < 128
    ends = np.cumsum(sizes)
    if not is_last[ends[sizes > 0] - 1].all():
        raise ValueError("an integer is cut off")
    before = np.concatenate([[0], np.cumsum(is_last)])
    stops = np.flatnonzero(is_last)
    starts = np.concatenate([[0], stops[:-1] + 1])
    shifts = 7 * (np.arange(data.size) - np.repeat(starts, stops - starts + 1))
    if shifts.max() > 63:
        raise ValueError("an integer has too many bytes")
    parts = (data & 127).astype(np.uint64) << shifts.astype(np.uint64)
    return np.add.reduceat(parts, starts).view(np.int64), before[ends] - before[ends - sizes]


# ---- columns: one feature of every example

@dataclass(frozen=True)
class Batch:
    """The features of some examples.

    Attributes:
        serialized: the examples.
        features: of each example, the features by name.
        names: what errors call the examples; None when there is only one, which needs none.
    """

    serialized: list[bytes]
    features: list
    names: list[str] | None

    def example(self, place):
        """How an error about an example begins."""
        return "" if self.names is None else f"Name: {self.names[place]}, "

    def feature(self, key, place):
        """How an error about a feature of an example begins."""
        return f"Key: {key}.  " if self.names is None else f"{self.example(place)}Key: {key}, Index: {place}.  "

    def column(self, key, dtype, mismatch):
        """The serialized list that each example has for a feature, None where it has none.

        Args:
            key: the feature.
            dtype: what its values should be.
            mismatch: (name of the dtype wanted, name of that found) -> the end of the error when it has others.
        """
        kind = kind_of(dtype)
        lists = []
        for place, features in enumerate(self.features):
            feature = features.get(key)
            field = None if feature is None else feature.WhichOneof("kind")
            if field is not None and field != kind.field:
                raise invalid(f"{self.feature(key, place)}Data types don't match. "
                              f"{mismatch(kind.type_name, _TYPE_NAMES[field])}")
            lists.append(None if field is None else getattr(feature, field))
        return lists

    def values(self, lists, dtype):
        """The values in a column, and how many each example has; none where it has no list."""
        try:
            return unpacked([data or b"" for data in lists], dtype)
        except ValueError:
            raise self._damaged(lists, dtype) from None

    def _damaged(self, lists, dtype):
        for serialized, data in zip(self.serialized, lists):
            try:
                unpacked([data or b""], dtype)
            except ValueError:
                return unreadable(serialized)
        raise AssertionError("a list that cannot be read alone can be read")


def sparse_column(batch, key, dtype):
    """(indices, values, shape) of a feature with any number of values: row by row, as a sparse matrix."""
    lists = batch.column(key, dtype, lambda want, got: f"Expected type: {want}, Actual type: {got}")
    values, counts = batch.values(lists, dtype)
    rows = np.repeat(np.arange(len(counts)), counts)
    indices = np.stack([rows, within(counts)], axis=1)
    return indices, values, np.array([len(counts), counts.max(initial=0)], np.int64)


def within(counts):
    """0, 1, ..., for each of the counts in a row."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def dense_column(batch, key, dtype, shape, default):
    """A feature with a fixed number of values, or one with a number of rows, as an array of all examples."""
    lists = batch.column(key, dtype, lambda want, got: f"Data type: {got} but expected type: {want}")
    if shape and shape[0] is None:
        return _padded_column(batch, key, lists, dtype, shape, default)
    missing = [place for place, data in enumerate(lists) if data is None]
    if missing and not default.size:
        raise invalid(f"{batch.example(missing[0])}Feature: {key} (data type: {kind_of(dtype).type_name}) "
                      "is required but could not be found.")
    values, counts = batch.values(lists, dtype)
    wrong = counts != math.prod(shape)
    wrong[missing] = False
    if wrong.any():
        place = int(np.argmax(wrong))
        raise invalid(f"{batch.feature(key, place)}Number of {kind_of(dtype).word} values != expected.  "
                      f"Values size: {counts[place]} but output shape: {shape_text(shape)}")
    if not missing:
        return values.reshape(len(lists), *shape)
    column = np.empty((len(lists), *shape), dtype)
    column[:] = default
    present = np.ones(len(lists), bool)
    present[missing] = False
    column[present] = values.reshape(-1, *shape)
    return column


def _padded_column(batch, key, lists, dtype, shape, default):
    stride = math.prod(shape[1:])
    values, counts = batch.values(lists, dtype)
    wrong = counts % stride != 0 if stride else counts > 0
    if wrong.any():
        place = int(np.argmax(wrong))
        raise invalid(f"{batch.feature(key, place)}Number of {kind_of(dtype).word} values is not a multiple of stride "
                      f"length. Saw {counts[place]} values but output shape is: {shape_text(shape)}")
    longest = int(counts.max(initial=0)) // stride if stride else 0
    return padded(values, counts, default.item()).reshape(len(lists), longest, *shape[1:])


def padded(values, counts, filler):
    """Rows of different lengths as a matrix, filled up to the longest."""
    matrix = np.full((len(counts), counts.max(initial=0)), filler, values.dtype)
    matrix[np.arange(matrix.shape[1]) < counts[:, None]] = values
    return matrix

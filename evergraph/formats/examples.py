"""Parses serialized Examples in batches: one feature of many examples becomes one array.

The C extension does it where it is built. Without it, and for input that it declines, protobuf splits an Example
into lists of values and NumPy decodes all lists of a feature at once.
"""

from __future__ import annotations

import functools
import math
import operator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import evergraph.proto as protos
from evergraph import native
from evergraph.base.errors import invalid
from evergraph.base.shapes import text as shape_text
from evergraph.proto.wire import from_bytes

_FEW_BYTES = 200  # below this size a Python loop decodes numbers faster than NumPy
_FEW_LISTS = 12  # below this number a Python loop splits lists faster


@dataclass(frozen=True)
class Kind:
    """One of the three kinds of values that a feature may hold.

    Attributes:
        number, field: the number and name of the kind's list in a Feature.
        type_name: TensorFlow's name of the kind's dtype.
        word: the name of the values in error messages.
    """

    number: int
    field: str
    type_name: str
    word: str


_KINDS = {
    np.dtype(np.float32): Kind(2, "float_list", "float", "float"),
    np.dtype(np.int64): Kind(3, "int64_list", "int64", "int64"),
    np.dtype(object): Kind(1, "bytes_list", "string", "bytes"),
}
_TYPE_NAMES = {kind.field: kind.type_name for kind in _KINDS.values()}


def kind_of(dtype):
    return _KINDS[dtype]


def type_name(feature):
    """TensorFlow's name of the dtype of a feature; "" for a feature without a value."""
    return _TYPE_NAMES.get(feature.WhichOneof("kind"), "")


def parsed(serialized, message):
    """Parses one serialized example to a message."""
    try:
        return from_bytes(serialized, message)
    except ValueError:
        raise unreadable(serialized) from None


def all_parsed(serialized, kind):
    """As `parsed`, for many examples; `kind` is the message class."""
    try:
        return list(map(kind.FromString, serialized))
    except Exception:  # parsing one by one finds the faulty example, and whether protobuf is to blame
        return [parsed(each, kind()) for each in serialized]


def unreadable(serialized):
    return invalid(f"Could not parse example input, value: '{serialized.decode(errors='replace')}'")


# ---- lists of values

def unpacked(lists, dtype):
    """The concatenated values of serialized lists of one kind, and the number of values in each list.

    Raises:
        ValueError: a list is malformed.
    """
    if dtype.hasobject:
        return _strings(lists)
    message = protos.feature_pb2.FloatList if dtype == np.float32 else protos.feature_pb2.Int64List
    joined, sizes = _contents(lists, message)
    if dtype == np.float32:
        if (sizes % 4).any():
            raise ValueError("a float is cut off")
        return np.frombuffer(joined, "<f4").astype(np.float32), sizes // 4
    data = np.frombuffer(joined, np.uint8)
    if data.max(initial=0) < 128:  # every byte is a number
        return data.astype(np.int64), sizes
    return _integers(data, sizes) if data.size > _FEW_BYTES else _integers_one_by_one(data.tobytes(), sizes)


def _contents(lists, message):
    """The concatenated payload bytes of all lists, and the number of bytes in each."""
    if len(lists) > _FEW_LISTS:
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        data = np.frombuffer(b"".join(lists), np.uint8)
        starts, full = (np.cumsum(sizes) - sizes)[sizes > 0], sizes[sizes > 0]
        # Usually a list is one packed field of less than 128 bytes: a tag, its size, and the payload.
        if ((full > 1) & (full < 130)).all() and (data[starts] == 0x0A).all() and (data[starts + 1] == full - 2).all():
            is_number = np.ones(data.size, bool)
            is_number[starts] = is_number[starts + 1] = False
            return data[is_number], np.maximum(sizes - 2, 0)
    pieces = [_packed(data, message) for data in lists]
    return b"".join(pieces), np.fromiter(map(len, pieces), np.int64, len(pieces))


def _packed(data, message):
    """The payload bytes of a list that is one packed field; other encodings are converted to this one."""
    if not data:
        return data
    size, at = _size_at(data)
    if data[0] == 0x0A and at + size == len(data):
        return data[at:]
    plain = message(value=from_bytes(data, message()).value).SerializeToString()  # without unknown fields
    return plain[_size_at(plain)[1]:] if plain else plain


def _size_at(data):
    """(size of the first field, offset of its payload)."""
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
        size, at = (len(data) - 2, 2) if 1 < len(data) < 130 and data[1] == len(data) - 2 else _size_at(data)
        if data and data[0] == 0x0A and at + size == len(data):  # one string, the usual case
            values.append(data[at:])
            counts.append(1)
        else:
            several = from_bytes(data, protos.feature_pb2.BytesList()).value
            values.extend(several)
            counts.append(len(several))
    array = np.empty(len(values), object)
    array[:] = values
    return array, np.array(counts, np.int64)


def _integers_one_by_one(data, sizes):
    numbers: list[Any] = []
    counts, at = [], 0
    for size in sizes.tolist():
        before, number, shift = len(numbers), 0, 0
        for byte in data[at:at + size]:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                number &= 0xFFFFFFFFFFFFFFFF
                numbers.append(number - (1 << 64) if number >> 63 else number)
                number, shift = 0, 0
            elif shift > 63:
                raise ValueError("an integer has too many bytes")
        if shift:
            raise ValueError("an integer is cut off")
        counts.append(len(numbers) - before)
        at += size
    return np.array(numbers, np.int64), np.array(counts, np.int64)


def _integers(data, sizes):
    """As `_integers_one_by_one`, vectorized over concatenated pieces of these sizes: varints of seven bits per byte."""
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

class Column(NamedTuple):
    """One feature of a batch of examples.

    Attributes:
        values: the concatenated values.
        counts: the number of values in each example.
        has: which examples have the feature.
        common: the number of values if it is the same in all examples, else -1.
    """

    values: np.ndarray
    counts: np.ndarray
    has: np.ndarray
    common: int


def column_of(parts, dtype):
    """Converts the C extension's result for a feature to arrays: (values, counts, has, common count, list steps)."""
    values, counts, has, common, *steps = parts
    return _array_of(values, dtype), np.frombuffer(counts, np.int64), np.frombuffer(has, np.bool_), common, \
        *(np.frombuffer(each, np.int64) for each in steps)


def _array_of(values, dtype):
    """Converts values of the C extension to an array: a list of strings, or the bytes of numbers."""
    if not dtype.hasobject:
        return np.frombuffer(values, dtype)
    array = np.empty(len(values), object)
    array[:] = values
    return array


def native_request(wanted):
    """(keys, kinds) in the C extension's form, or None if it cannot handle them."""
    return None if native.files is None else _encoded_request(tuple(wanted))


@functools.lru_cache(maxsize=256)
def _encoded_request(wanted):
    keys = [key for key, _ in wanted]
    if len(set(keys)) < len(keys):
        return None
    return tuple(key.encode() for key in keys), bytes(kind_of(dtype).number for _, dtype in wanted)


class Batch:
    """A batch of serialized Examples.

    Args:
        serialized: the examples.
        names: the examples' names in error messages; None for a single example.
        wanted: (key, dtype) of all features to parse.
    """

    def __init__(self, serialized, names, wanted):
        self._serialized, self._names = serialized, names
        self._read = self._all_columns(wanted)
        self._features: Any = None
        if self._read is None:
            whole = all_parsed(serialized, protos.example_parts_pb2.ExampleParts)
            self._features = [each.features.feature for each in whole]

    def _all_columns(self, wanted):
        request = native_request(wanted)
        found = None if request is None else native.files.examples(tuple(self._serialized), *request)
        return found and {key: parts for (key, _), parts in zip(wanted, found)}

    def __len__(self):
        return len(self._serialized)

    def example(self, place):
        """The beginning of an error message about an example."""
        return "" if self._names is None else f"Name: {self._names[place]}, "

    def feature(self, key, place):
        """The beginning of an error message about a feature of an example."""
        return f"Key: {key}.  " if self._names is None else f"{self.example(place)}Key: {key}, Index: {place}.  "

    def column(self, key, dtype, mismatch):
        """The values of a feature in all examples.

        Args:
            key: the feature.
            dtype: the expected dtype.
            mismatch: (name of the expected dtype, name of the actual one) -> the end of the error message.
        """
        if self._read is not None:
            return Column(*column_of(self._read[key], dtype))
        lists = self._lists(key, kind_of(dtype), mismatch)
        values, counts = values_of(lists, dtype, self._serialized)
        common = int(counts[0]) if counts.size and (counts == counts[0]).all() else -1
        return Column(values, counts, np.array([data is not None for data in lists], bool), common)

    def even_column(self, key, dtype, size):
        """The values of a feature if every example is known to have `size` of them; else None."""
        parts = None if self._read is None else self._read[key]
        return _array_of(parts[0], dtype) if parts is not None and parts[3] == size else None

    def _lists(self, key, kind, mismatch):
        """Each example's serialized list for a feature, None where the feature is missing."""
        found = [features.get(key) for features in self._features]
        read = operator.attrgetter(kind.field)
        lists = [None if feature is None else read(feature) for feature in found]
        for place, data in enumerate(lists):
            if data == b"":  # an empty list, a list of another kind, or no list
                field = found[place].WhichOneof("kind")
                if field is None:
                    lists[place] = None
                elif field != kind.field:
                    raise invalid(f"{self.feature(key, place)}Data types don't match. "
                                  f"{mismatch(kind.type_name, _TYPE_NAMES[field])}")
        return lists


def values_of(lists, dtype, owners):
    """The concatenated values of serialized lists, and the number of values in each; zero where there is no list.

    Args:
        lists: serialized lists of one kind, or None.
        dtype: the dtype of their values.
        owners: the serialized example of each list, for error messages.
    """
    try:
        return unpacked([data or b"" for data in lists], dtype)
    except ValueError:
        raise _damaged(lists, dtype, owners) from None


def _damaged(lists, dtype, owners):
    for serialized, data in zip(owners, lists):
        try:
            unpacked([data or b""], dtype)
        except ValueError:
            return unreadable(serialized)
    raise AssertionError("a list that cannot be read alone can be read")


def sparse_column(batch, key, dtype):
    """(indices, values, shape) of a variable-length feature: a sparse matrix with one row per example."""
    values, counts, *_ = batch.column(key, dtype, lambda want, got: f"Expected type: {want}, Actual type: {got}")
    indices, longest = sparse_indices(counts)
    return indices, values, np.array([len(counts), longest], np.int64)


def sparse_indices(counts):
    """(row, column) of each value, given the number of values in each row; and the length of the longest row."""
    if native.files is not None:
        indices, longest = native.files.indices(counts)
        return np.frombuffer(indices, np.int64).reshape(-1, 2), longest
    rows = np.repeat(np.arange(len(counts)), counts)
    return np.stack([rows, within(counts)], axis=1), int(counts.max(initial=0))


def within(counts):
    """The concatenated ranges 0, 1, ..., count - 1 of all counts."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - counts, counts)


def dense_column(batch, key, dtype, shape, default):
    """A fixed-length feature, or one with a variable number of rows, as one array for all examples."""
    has_rows = bool(shape) and shape[0] is None
    size = 0 if has_rows else math.prod(shape)
    if size and (values := batch.even_column(key, dtype, size)) is not None:
        return values.reshape(len(batch), *shape)
    column = batch.column(key, dtype, lambda want, got: f"Data type: {got} but expected type: {want}")
    if has_rows:
        return _padded_column(batch, key, column, dtype, shape, default)
    values, counts, has, common = column
    if size and common == size:
        return values.reshape(len(batch), *shape)
    if not has.all() and not default.size:
        raise invalid(f"{batch.example(int(np.argmin(has)))}Feature: {key} (data type: {kind_of(dtype).type_name}) "
                      "is required but could not be found.")
    wrong = (counts != size) & has
    if wrong.any():
        place = int(np.argmax(wrong))
        raise invalid(f"{batch.feature(key, place)}Number of {kind_of(dtype).word} values != expected.  "
                      f"Values size: {counts[place]} but output shape: {shape_text(shape)}")
    rows = np.empty((len(batch), *shape), dtype)
    rows[~has] = default if default.size else 0  # 0 where a shape has no elements, or no example lacks the feature
    rows[has] = values.reshape(int(has.sum()), *shape)
    return rows


def _padded_column(batch, key, column, dtype, shape, default):
    stride = math.prod(shape[1:])
    values, counts, *_ = column
    wrong = counts % stride != 0 if stride else counts > 0
    if wrong.any():
        place = int(np.argmax(wrong))
        raise invalid(f"{batch.feature(key, place)}Number of {kind_of(dtype).word} values is not a multiple of "
                      f"stride length. {counts[place]} of them do not fill whole rows of shape {shape_text(shape)}")
    longest = int(counts.max(initial=0)) // stride if stride else 0
    return padded(values, counts, default.reshape(-1)).reshape(len(batch), longest, *shape[1:])


def padded(values, counts, filler):
    """Pads rows of different lengths to a matrix; the filler is an array if it may be bytes that end with zeros."""
    matrix = np.full((len(counts), counts.max(initial=0)), filler, values.dtype)
    matrix[np.arange(matrix.shape[1]) < counts[:, None]] = values
    return matrix

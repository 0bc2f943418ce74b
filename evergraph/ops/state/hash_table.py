"""The tables behind lookup ops: hash maps that persist between steps."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.ops.strings.hashing import murmur64

_QUICK = (np.dtype(object), np.dtype(np.int64))  # of keys and values that the C code looks up

Row = Any  # a key or value: a number or string, or an array if they are tensors


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


class Table:
    """A hash map with scalar keys and values of one shape.

    Args:
        name: its name in error messages.
        key_dtype, value_dtype: NumPy dtypes; strings are object.
        value_shape: the shape of one value.
    """

    def __init__(self, name: str, key_dtype: np.dtype, value_dtype: np.dtype, value_shape: tuple[int, ...] = ()):
        self.name, self.key_dtype, self.value_dtype, self.value_shape = name, key_dtype, value_dtype, value_shape
        self._entries: dict[Any, Row] = {}
        self._lock = threading.Lock()

    # ---- defined by each kind of table

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Inserts entries; overwrites existing keys."""
        raise errors.UnimplementedError(None, None, f"table {self.name} takes no entries after it was initialized")

    def remove(self, keys: np.ndarray) -> None:
        """Removes entries; missing keys are ignored."""
        raise errors.UnimplementedError(None, None, f"table {self.name} gives up no entries after it was initialized")

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Replaces all entries."""
        raise NotImplementedError

    # ---- common to all kinds

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        """The value of each key; for a missing key `default`, or its element at that position."""
        self._check_keys(keys)
        self._check_values(default)
        entries = self._entries
        lone = default.shape == self.value_shape
        if not lone and default.shape != self._outer(keys) + self.value_shape:
            raise _invalid(f"the default of table {self.name} has shape {default.shape}, wanted {self.value_shape}")
        spares = self._value_rows(default[np.newaxis] if lone else default)
        if lone and native.strings is not None and keys.dtype in _QUICK and self.value_dtype in _QUICK \
                and keys.shape == self._outer(keys) and not self.value_shape:
            values = np.empty(keys.shape, self.value_dtype)
            native.strings.look_up(entries, np.require(keys, requirements=["C", "A"]), spares[0], values)
            return values
        rows = self._key_rows(keys)
        found = [entries.get(row, spare) for row, spare in zip(rows, itertools.repeat(spares[0]) if lone else spares)]
        return self._values(found).reshape(self._outer(keys) + self.value_shape)

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """All keys and their values."""
        with self._lock:
            keys, values = list(self._entries), list(self._entries.values())
        return self._keys(keys), self._values(values)

    def __len__(self) -> int:
        return len(self._entries)

    def check_same(self, other: Table) -> None:
        """Raises InvalidArgumentError if a table of this name was created with other dtypes."""
        mine, theirs = [(type(t), t.key_dtype, t.value_dtype, t.value_shape) for t in (self, other)]
        if mine != theirs:
            raise _invalid(f"table {self.name} maps {self.key_dtype} to {self.value_dtype}, not {other.key_dtype} to "
                           f"{other.value_dtype}")

    # ---- conversion between arrays and entries

    def _outer(self, keys: np.ndarray) -> tuple[int, ...]:
        """The shape of `keys` as an array of keys."""
        return keys.shape

    def _key_rows(self, keys: np.ndarray) -> list[Any]:
        return keys.reshape(-1).tolist()

    def _keys(self, rows: list[Any]) -> np.ndarray:
        return np.array(rows, self.key_dtype)

    def _value_rows(self, values: np.ndarray) -> list[Row]:
        rows = values.reshape((-1, *self.value_shape))
        return list(rows.copy()) if self.value_shape else rows.tolist()

    def _values(self, rows: list[Row]) -> np.ndarray:
        return np.array(rows, self.value_dtype).reshape((len(rows), *self.value_shape))

    def _check_keys(self, keys: np.ndarray) -> None:
        if keys.dtype != self.key_dtype:
            raise _invalid(f"the keys of table {self.name} are {self.key_dtype}, got {keys.dtype}")

    def _check_values(self, values: np.ndarray) -> None:
        if values.dtype != self.value_dtype:
            raise _invalid(f"the values of table {self.name} are {self.value_dtype}, got {values.dtype}")

    def _pairs(self, keys: np.ndarray, values: np.ndarray) -> Iterable[tuple[Any, Row]]:
        """(key, value) pairs, after checking that both fit the table."""
        self._check_keys(keys)
        self._check_values(values)
        if values.shape != self._outer(keys) + self.value_shape:
            raise _invalid(f"Expected shape {self._outer(keys) + self.value_shape} of the values for {keys.shape} keys "
                           f"of table {self.name}, got {values.shape}")
        return zip(self._key_rows(keys), self._value_rows(values))


class StaticTable(Table):
    """A table that is initialized once; lookups before that fail. A second initialization of equal size is ignored."""

    def __init__(self, name: str, key_dtype: np.dtype, value_dtype: np.dtype) -> None:
        super().__init__(name, key_dtype, value_dtype)
        self._filled = False

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        if not self._filled:
            raise errors.FailedPreconditionError(None, None, f"Table not initialized: {self.name}")
        return super().find(keys, default)

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        if not keys.size:
            raise _invalid(f"table {self.name}: keys and values cannot be empty")
        self.fill(lambda: self._pairs(keys, values), keys.size)

    def fill(self, pairs: Callable[[], Iterable[tuple[Any, Row]]], count: int) -> None:
        """Initializes the table with `count` pairs of key and value.

        Raises:
            FailedPreconditionError: the table has other entries, or a key has two values.
        """
        with self._lock:
            if self._filled:
                if count != len(self._entries):
                    raise errors.FailedPreconditionError(
                        None, None, f"Table {self.name} was already initialized with {len(self._entries)} entries, "
                                    f"not with {count}")
                return
            entries: dict[Any, Row] = {}
            for key, value in pairs():
                if entries.setdefault(key, value) != value:
                    raise errors.FailedPreconditionError(
                        None, None, f"Table {self.name}: key {key!r} comes with {entries[key]!r} and with {value!r}")
            self._entries, self._filled = entries, True


class MutableTable(Table):
    """A table that steps can insert into and remove from."""

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        pairs = self._pairs(keys, values)
        with self._lock:
            self._entries.update(pairs)

    def remove(self, keys: np.ndarray) -> None:
        self._check_keys(keys)
        with self._lock:
            for row in self._key_rows(keys):
                self._entries.pop(row, None)

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        entries = dict(self._pairs(keys, values))
        with self._lock:
            self._entries = entries


class DenseTable(MutableTable):
    """A mutable table whose keys may be vectors, and which exports the buckets of TensorFlow's dense hash table.

    Args:
        empty, deleted: the keys that mark unused and deleted buckets. No entry may have them. Without `deleted`,
            entries cannot be removed.
        buckets: the initial number of buckets, a power of two.
        load: the load factor at which the number of buckets doubles.
    """

    def __init__(self, name: str, key_dtype: np.dtype, value_dtype: np.dtype, value_shape: tuple[int, ...],
                 empty: np.ndarray, deleted: np.ndarray | None, buckets: int, load: float) -> None:
        super().__init__(name, key_dtype, value_dtype, value_shape)
        self.key_shape = empty.shape
        self._load, self._buckets = load, buckets
        if empty.ndim > 1 or deleted is not None and empty.shape != deleted.shape:
            raise _invalid(f"table {name}: Empty and deleted keys must have same shape, of scalars or vectors; got "
                           f"{empty.shape}" + ("" if deleted is None else f" and {deleted.shape}"))
        self._marks = {self._key_rows(empty[np.newaxis])[0]: "empty"}
        if deleted is not None:
            self._marks[self._key_rows(deleted[np.newaxis])[0]] = "deleted"
        self._empty = next(iter(self._marks))
        self._deleted = None if deleted is None else list(self._marks)[-1]
        self._fixed: dict[Any, int] = {}  # the buckets of entries, as of the last removal
        self._graves: dict[int, Row] = {}  # bucket -> the value of the entry that was removed from it
        self._check_made(deleted is not None)

    def _check_made(self, erases: bool) -> None:
        if erases and len(self._marks) == 1:
            raise _invalid(f"table {self.name}: Empty and deleted keys cannot be equal, both are {self._empty!r}")
        if self._buckets < 4 or self._buckets & (self._buckets - 1):
            raise _invalid(f"table {self.name}: Number of buckets must be a power of 2 and 4 or more, got "
                           f"{self._buckets}")
        if not 0 < self._load < 1:
            raise _invalid(f"table {self.name}: max_load_factor must be between 0 and 1, not {self._load}")

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        self._refuse_marks(keys)
        return super().find(keys, default)

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        self._refuse_marks(keys)
        pairs = self._pairs(keys, values)
        with self._lock:
            self._make_room(len(self._entries) + len(self._key_rows(keys)))
            self._entries.update(pairs)

    def remove(self, keys: np.ndarray) -> None:
        if len(self._marks) == 1:
            raise errors.UnimplementedError(None, None, f"table {self.name} has no key for deleted entries")
        self._refuse_marks(keys)
        with self._lock:
            self._fix()
            for row in self._key_rows(keys):
                if row in self._entries:
                    self._graves[self._fixed.pop(row)] = self._entries.pop(row)

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Replaces all buckets by exported ones."""
        if not self.key_shape and keys.ndim == 2:
            keys = keys[:, 0]
        if not self.value_shape and values.ndim == 2:
            values = values[:, 0]
        rows = list(self._pairs(keys, values))
        with self._lock:
            self._buckets = len(rows)
            self._entries = {row: value for row, value in rows if row not in self._marks}
            self._fixed = {row: at for at, (row, _) in enumerate(rows) if row not in self._marks}
            self._graves = {at: value for at, (row, value) in enumerate(rows) if row == self._deleted != self._empty}

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        with self._lock:
            self._fix()
            entries, places, graves, size = dict(self._entries), dict(self._fixed), dict(self._graves), self._buckets
        keys = self._keys([self._empty] * size).reshape((size, *(self.key_shape or (1,))))
        blank = b"" if self.value_dtype.hasobject else 0
        values = np.full((size, *(self.value_shape or (1,))), blank, self.value_dtype)
        for row, at in places.items():
            keys[at], values[at] = row, entries[row]
        for at, value in graves.items():
            keys[at], values[at] = self._deleted, value
        return keys, values

    def _places(self) -> dict[Any, int]:
        """The bucket of each entry: its hash's, or the first free one by quadratic probing (steps of 1, 2, 3, ...)."""
        places = dict(self._fixed)
        taken = set(places.values())
        for row in self._entries:
            if row in places:
                continue
            at, step = _hash_of(row) % self._buckets, 0
            while at in taken:
                step += 1
                at = (at + step) % self._buckets
            taken.add(at)
            places[row] = at
        return places

    def _fix(self) -> None:
        """Gives each entry its bucket for good; a removed entry loses its own to an entry that found it first."""
        if len(self._fixed) < len(self._entries):
            self._fixed = self._places()
            taken = set(self._fixed.values())
            self._graves = {at: value for at, value in self._graves.items() if at not in taken}

    def _make_room(self, count: int) -> None:
        """Doubles the buckets until `count` entries fit, and rehashes in the order of the buckets."""
        if count > self._buckets * self._load:
            places = self._places()
            self._entries = {row: self._entries[row] for row in sorted(places, key=places.__getitem__)}
            self._fixed, self._graves = {}, {}
        while count > self._buckets * self._load:
            self._buckets *= 2

    def _outer(self, keys: np.ndarray) -> tuple[int, ...]:
        if not self.key_shape:
            return keys.shape
        if keys.shape[keys.ndim - 1:] != self.key_shape:
            raise _invalid(f"the keys of table {self.name} are vectors of {self.key_shape[0]}, got shape {keys.shape}")
        return keys.shape[:-1]

    def _key_rows(self, keys: np.ndarray) -> list[Any]:
        if not self.key_shape:
            return super()._key_rows(keys)
        return [tuple(row) for row in keys.reshape(-1, *self.key_shape).tolist()]

    def _keys(self, rows: list[Any]) -> np.ndarray:
        return np.array(rows, self.key_dtype).reshape((len(rows), *self.key_shape))

    def _refuse_marks(self, keys: np.ndarray) -> None:
        self._check_keys(keys)
        wanted = (*keys.shape[:1], *self.key_shape)
        if keys.size != np.prod(wanted, dtype=np.int64):
            raise _invalid(f"Expected key shape {list(wanted)} in table {self.name}, got {list(keys.shape)}")
        for row in self._key_rows(keys):
            if row in self._marks:
                raise _invalid(f"table {self.name}: {row!r} is its {self._marks[row]}_key and cannot have an entry")


_WORD = (1 << 64) - 1


def _hash_of(row: Any) -> int:
    """The hash of TensorFlow's dense hash table."""
    if not isinstance(row, tuple):
        return murmur64(row) if isinstance(row, bytes) else int(row) & _WORD
    result = 0
    for part in row:
        mixed = _hash_of(part) + 0x9E3779B97F4A7800 + (result << 10) + (result >> 4)
        result ^= mixed & _WORD
    return result & _WORD

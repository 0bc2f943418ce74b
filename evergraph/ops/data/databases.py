"""Datasets of the rows that a database gives for a query: sqlite."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.errors import invalid
from evergraph.kernel.values import boxed
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Dataset, Element, Iterator, text


class QueryRows(Dataset):
    """The rows of a query's result.

    Args:
        path: of the file that holds the database.
    """

    def __init__(self, node: Any, path: str, query: str) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        self.path, self.query = path, query

    def iterate(self, scope: Any) -> Iterator:
        return _QueryIterator(self)


class _QueryIterator(Iterator):
    """Opens the database with the first row. A restored iterator asks again and leaves out what was drawn."""

    def __init__(self, dataset: QueryRows) -> None:
        super().__init__()
        self._dataset = dataset
        self._connection: Any = None
        self._rows: Any = None
        self._drawn, self._is_over = 0, False

    def get(self) -> Element | None:
        if self._is_over:
            return None
        try:
            if self._rows is None:
                self._begin()
            row = self._rows.fetchone()
        except sqlite3.Error as error:
            self.close()
            raise errors.UnknownError(None, None, f"Cannot run the query {self._dataset.query!r}: {error}") from error
        if row is None:
            self._is_over = True
            self.close()
            return None
        self._drawn += 1
        return [_converted(value, kind) for value, kind in zip(row, self._dataset.types, strict=True)]

    def _begin(self) -> None:
        # Threads take turns: an iterator is drawn from under a lock.
        self._connection = sqlite3.connect(self._dataset.path, check_same_thread=False)
        self._connection.text_factory = bytes
        self._rows = self._connection.execute(self._dataset.query)
        have, wanted = len(self._rows.description or ()), len(self._dataset.types)
        if have != wanted:
            self.close()
            raise invalid(f"the query gives {have} columns, output_types has {wanted}")

    def state(self) -> Any:
        return self._drawn, self._is_over

    def restore(self, state: Any) -> None:
        drawn, is_over = state
        while not is_over and self._drawn < drawn and self.get() is not None:
            pass
        self._is_over = is_over

    def close(self) -> None:
        connection, self._connection, self._rows = self._connection, None, None
        if connection is not None:
            connection.close()


def _converted(value: Any, kind: dtypes.DType) -> Any:
    """A value of the database as one of this dtype, as sqlite converts it: text to the number that it begins with."""
    if kind is dtypes.string:
        return boxed(value if isinstance(value, bytes) else b"" if value is None else str(value).encode())
    if isinstance(value, bytes):
        value = _leading_number(value, float if kind.is_floating else int)
    with np.errstate(over="ignore"):
        return np.array(0 if value is None else int(value) if kind.is_integer else value).astype(kind.np)


def _leading_number(content: bytes, read: Any) -> Any:
    for end in range(len(content), 0, -1):
        try:
            return read(content[:end])
        except ValueError:
            continue
    return 0


_KINDS = "string, int8, int16, int32, int64, uint8, uint16, bool, float64"


@two_names(f"SqlDataset(driver_name: string, data_source_name: string, query: string, *, {TYPES})", {}, stateful=True,
           outside=True)
def sql_dataset(node, driver_name, data_source_name, query):
    """A dataset of the rows that a database gives for a query."""
    if text(driver_name) != "sqlite":
        raise invalid(f"SqlDataset reads databases of 'sqlite', got driver_name {text(driver_name)!r}")
    for place, kind in enumerate(node.attrs["output_types"]):
        if kind.name not in _KINDS.split(", "):
            raise invalid(f"Each element of `output_types` must be one of {_KINDS}, but that of column {place} is "
                          f"{kind.name}")
    return QueryRows(node, text(data_source_name), text(query))

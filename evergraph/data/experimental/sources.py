"""More sources of datasets: numbers, rows of databases."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import nest, specs
from evergraph.data.arguments import seeds_of, text
from evergraph.data.dataset import DatasetV1, DatasetV2
from evergraph.data.experimental.transforming import scan
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.data import databases, random_numbers


@export("data.experimental.Counter", "contrib.data.Counter")
def counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    """A dataset of numbers without an end.

    >>> numbers = tf.data.experimental.Counter(10, 5).take(3)        # 10, 15, 20

    Args:
        start: the first number.
        step: how much each is greater than the one before.
        dtype: of the numbers.
    """
    with name_scope("counter"):
        start = convert_to_tensor(start, dtype, name="start")
        step = convert_to_tensor(step, dtype, name="step")
        return DatasetV1.from_tensors(0).repeat().apply(scan(start, lambda state, _: (state + step, state)))


@export("data.experimental.RandomDataset", "contrib.data.RandomDataset")
class RandomDataset(DatasetV1):
    """A dataset of random numbers without an end: those from 0 to below 2**32, as tf.int64.

    Args:
        seed: gives the same numbers each time, those that TensorFlow has for it.
    """

    def __init__(self, seed: Any = None) -> None:
        self._spec = specs.TensorSpec([], dtypes.int64)
        DatasetV2.__init__(self, random_numbers.random_dataset(*seeds_of(seed), **specs.attrs_of(self._spec)))


@export("data.experimental.SqlDataset", "contrib.data.SqlDataset")
class SqlDataset(DatasetV1):
    """A dataset of the rows that a database gives for a query.

    >>> films = tf.data.experimental.SqlDataset("sqlite", "films.sqlite3", "SELECT title, year FROM films",
    ...                                          (tf.string, tf.int32))

    Args:
        driver_name: the kind of database: "sqlite".
        data_source_name: the file that holds it.
        query: in SQL.
        output_types: a tuple of the columns' dtypes: tf.string, tf.bool, tf.float64 or an integer type.
    """

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        self._spec = nest.map_structure(lambda kind: specs.TensorSpec([], kind), output_types)
        DatasetV2.__init__(self, databases.sql_dataset(
            text(driver_name, "driver_name"), text(data_source_name, "data_source_name"), text(query, "query"),
            **specs.attrs_of(self._spec)))

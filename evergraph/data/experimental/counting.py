"""How many elements a dataset has, and the only one of a dataset with one."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.dataset import DatasetV2
from evergraph.graph.node import Tensor
from evergraph.ops.data import pipeline, reducing

INFINITE_CARDINALITY = export("data.experimental.INFINITE_CARDINALITY")(pipeline.INFINITE)
UNKNOWN_CARDINALITY = export("data.experimental.UNKNOWN_CARDINALITY")(pipeline.UNKNOWN)


@export("data.experimental.cardinality")
def cardinality(dataset: Any) -> Tensor:
    """How many elements a dataset has, as far as that is known without looking at them: a scalar tf.int64.

    >>> count = tf.data.experimental.cardinality(tf.data.Dataset.range(42))

    It is `INFINITE_CARDINALITY` for a dataset without an end, and `UNKNOWN_CARDINALITY` where it is not known.
    """
    return reducing.dataset_cardinality(dataset._variant_tensor)


@export("data.experimental.get_single_element", "contrib.data.get_single_element")
def get_single_element(dataset: Any) -> Any:
    """The only element of a dataset, as tensors: lets a function made of transformations be called like any other.

    >>> total = tf.data.experimental.get_single_element(tf.data.Dataset.range(5).batch(5))

    A run raises tf.errors.InvalidArgumentError if there is none or more than one.

    Raises:
        TypeError: `dataset` is no dataset.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError(f"`dataset` is a {type(dataset).__name__}, expected a tf.data.Dataset")
    flat = reducing.dataset_to_single_element(dataset._variant_tensor, **specs.attrs_of(dataset.element_spec))
    return specs.unpacked(flat, dataset.element_spec)

"""Iterators in checkpoints: `tf.data.experimental.make_saveable_from_iterator`."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.node import Tensor
from evergraph.ops.data import iterators


@export("data.experimental.make_saveable_from_iterator", "contrib.data.make_saveable_from_iterator")
def make_saveable_from_iterator(iterator: Any) -> SaveableObject:
    """What lets a tf.train.Saver save and restore where an iterator stands.

    >>> iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(10))
    >>> saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
    >>> tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
    >>> saver = tf.train.Saver()

    The state holds buffered elements, such as those of a shuffle. It is in a format of evergraph's own. An iterator is
    initialized before it is restored.
    """
    return IteratorSaveable(iterator._iterator_resource)


class IteratorSaveable(SaveableObject):
    """The state of an iterator, as one tensor.

    Args:
        resource: the tensor of the iterator.
        key: what a checkpoint of objects calls the state; by default it has the name of the iterator's node.
    """

    def __init__(self, resource: Tensor, key: str | None = None) -> None:
        name = key or resource.source.name
        with colocate_with(resource):
            state = iterators.serialize_iterator(resource)
        super().__init__(resource, [SaveSpec(state, "", key or f"{name}STATE", dtype=dtypes.variant)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Any:
        with colocate_with(self.op):
            return iterators.deserialize_iterator(self.op, restored_tensors[0])

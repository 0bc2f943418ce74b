"""Iterators that draw elements at once: datasets with eager execution."""

from __future__ import annotations

from typing import Any

from evergraph.autograph.status import conversion
from evergraph.base import errors
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.experimental.saving import IteratorSaveable
from evergraph.frontend.specs import TypeSpec
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.data import iterators as ops


class IteratorSpec(TypeSpec):
    """The spec of an iterator, by that of its elements."""

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec

    def _parts(self) -> tuple[Any, ...]:
        return (specs.DatasetSpec(self.element_spec),)

    def _value_of(self, resource: Tensor) -> EagerIterator:
        """The iterator that a handle refers to."""
        found = EagerIterator.__new__(EagerIterator)
        found._spec, found._attrs, found._resource = self.element_spec, specs.attrs_of(self.element_spec), resource
        return found


def may_draw() -> bool:
    """Whether elements can be drawn here: at once, or by a function that AutoGraph has converted when it runs."""
    graph = default_graph()
    return graph.is_eager or graph.is_function and conversion.top() is True


@export("contrib.eager.Iterator")
class EagerIterator:
    """Draws the elements of a dataset with eager execution or in a tf.function; `for element in dataset` makes one.

    >>> tf.enable_eager_execution()
    >>> iterator = tf.contrib.eager.Iterator(tf.data.Dataset.range(3))
    >>> [int(x) for x in iterator]
    [0, 1, 2]

    Args:
        dataset: the tf.data.Dataset.

    Raises:
        RuntimeError: eager execution is not enabled.
    """

    def __init__(self, dataset: Any) -> None:
        if not may_draw():
            raise RuntimeError(
                f"{type(self).__name__} needs eager execution. Without it, use tf.data.make_one_shot_iterator(dataset)"
            )
        self._spec = dataset.element_spec
        self._attrs = specs.attrs_of(self._spec)
        self._resource = ops.iterator_v2(container="", shared_name="", **self._attrs)
        ops.make_iterator(dataset._chosen_variant, self._resource)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """Where it stands, for `tf.train.Checkpoint`."""
        return {"ITERATOR": lambda name: IteratorSaveable(self._resource, name)}

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self._spec)

    def __iter__(self) -> EagerIterator:
        return self

    def __next__(self) -> Any:
        """The next element; StopIteration at the end."""
        try:
            return self.get_next()
        except errors.OutOfRangeError:
            raise StopIteration from None

    def next(self) -> Any:
        """The next element; StopIteration at the end."""
        return self.__next__()

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Args:
            name: has no meaning: operations that have run have no names.

        Raises:
            OutOfRangeError: the dataset has no more elements.
        """
        return specs.unpacked(ops.iterator_get_next(self._resource, **self._attrs), self._spec)

    @property
    def _iterator_resource(self) -> Any:
        return self._resource

    @property
    def element_spec(self) -> Any:
        """The structure of the elements."""
        return self._spec

    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts."""
        return specs.legacy(self._spec)[0]

    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
        return specs.legacy(self._spec)[1]

    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
        return specs.legacy(self._spec)[2]

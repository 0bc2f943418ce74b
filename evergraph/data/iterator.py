"""Iterators: how the steps of a session draw elements from datasets."""

from __future__ import annotations

import warnings
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.data.experimental.saving import IteratorSaveable
from evergraph.frontend.blocks import colocate_with, name_scope
from evergraph.frontend.collections import add_to_collection
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.data import iterators as ops

GLOBAL_ITERATORS = "iterators"
"""The collection of the tensors of all iterators."""

MANY_CALLS = 32
"""After so many calls of `get_next` it is likely that a program adds nodes in a loop."""

MANY_CALLS_WARNING = (
    f"`Iterator.get_next()` was called more than {MANY_CALLS} times. Every call adds nodes to the graph, so a program "
    "that calls it in its training loop grows and slows down: call it once before the loop and run what it returns.")


@export("data.Iterator")
class Iterator:
    """Draws the elements of a dataset, one in each run of what `get_next` returns.

    Programs get one from `tf.data.make_one_shot_iterator` and its siblings, or from the class methods here. In a
    `tf.train.Checkpoint` it is saved and restored with what it has buffered; it is initialized before it is restored.

    Args:
        iterator_resource: the tensor of the iterator.
        initializer: an operation that begins to go through a dataset, or None.
        output_types, output_shapes, output_classes: the structure of the elements.
    """

    def __init__(self, iterator_resource: Tensor, initializer: Any, output_types: Any, output_shapes: Any,
                 output_classes: Any) -> None:
        self._iterator_resource, self._initializer = iterator_resource, initializer
        if (output_types is None) or (output_shapes is None) or (output_classes is None):
            raise ValueError("output_types, output_shapes and output_classes of the elements are needed")
        self._element_spec = specs.from_legacy(output_types, output_shapes, output_classes)
        self._string_handle = ops.iterator_to_string_handle(iterator_resource)
        self._calls = 0
        add_to_collection(GLOBAL_ITERATORS, iterator_resource)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """Where it stands, for `tf.train.Checkpoint`."""
        return {"ITERATOR": lambda name: IteratorSaveable(self._iterator_resource, name)}

    @staticmethod
    def from_structure(output_types: Any, output_shapes: Any = None, shared_name: str | None = None,
                       output_classes: Any = None) -> Iterator:
        """An iterator that `make_initializer` can give any dataset with such elements.

        >>> iterator = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape([]))
        >>> begin = iterator.make_initializer(tf.data.Dataset.range(10))

        Args:
            output_types: a structure of dtypes.
            output_shapes: a structure of shapes; unknown ones if it is not given.
            shared_name: sessions share the iterator under this name.
            output_classes: a structure of tf.Tensor and tf.SparseTensor; all are tf.Tensor if it is not given.
        """
        spec = specs.from_legacy(output_types, output_shapes, output_classes)
        resource = ops.iterator_v2(container="", shared_name=shared_name or "", **specs.attrs_of(spec))
        return Iterator(resource, None, *specs.legacy(spec))

    @staticmethod
    def from_string_handle(string_handle: Any, output_types: Any, output_shapes: Any = None,
                           output_classes: Any = None) -> Iterator:
        """The iterator whose handle is fed: a program switches between iterators by feeding the handle of one.

        Args:
            string_handle: a scalar string tensor, what `Iterator.string_handle` gave.
            output_types, output_shapes, output_classes: the structure of the elements, as for `from_structure`.
        """
        spec = specs.from_legacy(output_types, output_shapes, output_classes)
        handle = convert_to_tensor(string_handle, name="string_handle")
        resource = ops.iterator_from_string_handle_v2(handle, **specs.attrs_of(spec))
        return Iterator(resource, None, *specs.legacy(spec))

    @property
    def initializer(self) -> Any:
        """The operation that begins to go through the dataset.

        Raises:
            ValueError: the iterator has none: it is a one-shot iterator, or was made without a dataset.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """An operation that begins to go through a dataset.

        Raises:
            TypeError: the elements of the dataset have other types or shapes than the iterator's.
            ValueError: they are nested in another way.
        """
        with name_scope(name, "make_initializer") as scope, colocate_with(self._iterator_resource):
            spec = dataset.element_spec
            nest.assert_same_structure(self._element_spec, spec)
            theirs, mine = specs.legacy(spec), specs.legacy(self._element_spec)
            self._check_same("types", theirs[0], mine[0])
            self._check_same("classes", theirs[2], mine[2])
            shapes = zip(nest.flatten_up_to(mine[0], mine[1]), nest.flatten_up_to(theirs[0], theirs[1]), strict=True)
            if not all(TensorShape.is_compatible_with(a, b) if isinstance(a, TensorShape) else a == b
                       for a, b in shapes):
                raise TypeError(f"The dataset has elements of shapes {theirs[1]!r}, the iterator takes {mine[1]!r}")
            return ops.make_iterator(dataset._chosen_variant, self._iterator_resource, name=scope)

    @staticmethod
    def _check_same(what: str, theirs: Any, mine: Any) -> None:
        try:
            nest.assert_same_structure(mine, theirs)
            alike = nest.flatten(mine) == nest.flatten(theirs)
        except (TypeError, ValueError):
            alike = False
        if not alike:
            raise TypeError(f"The dataset has elements of {what} {theirs!r}, the iterator takes {mine!r}")

    def get_next(self, name: str | None = None) -> Any:
        """The next element, in the structure of the dataset's: nodes that draw one in each run.

        A run at the end of the dataset raises tf.errors.OutOfRangeError. Call this once: a run that fetches tensors of
        two calls draws two elements.
        """
        self._calls += 1
        if self._calls > MANY_CALLS:
            warnings.warn(MANY_CALLS_WARNING, stacklevel=2)
        with colocate_with(self._iterator_resource):
            flat = ops.iterator_get_next(self._iterator_resource, name=name, **specs.attrs_of(self._element_spec))
            return specs.unpacked(flat, self._element_spec)

    def string_handle(self, name: str | None = None) -> Tensor:
        """A scalar string that stands for the iterator, to feed where `from_string_handle` takes it."""
        return self._string_handle if name is None else ops.iterator_to_string_handle(self._iterator_resource,
                                                                                      name=name)

    @property
    def element_spec(self) -> Any:
        """The structure of the elements."""
        return self._element_spec

    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts."""
        return specs.legacy(self._element_spec)[0]

    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
        return specs.legacy(self._element_spec)[1]

    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
        return specs.legacy(self._element_spec)[2]

"""Datasets: `tf.data.Dataset`.

`DatasetV2` has what TensorFlow 1 and 2 share; it is `tf.compat.v2.data.Dataset`. `DatasetV1` adds iterators for
sessions and is `tf.data.Dataset`. The transformations of a dataset return datasets of its own flavour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph.autograph.operators.forms import form
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import dimension_value
from evergraph.data import loops, nest, specs
from evergraph.data.arguments import flag, known_size, number, seeds_of, text
from evergraph.data.at_once import EagerIterator, may_draw
from evergraph.data.functions import Function, check_scalar, check_state
from evergraph.data.generator import GeneratorFunctions
from evergraph.data.iterator import Iterator
from evergraph.data.one_shot import factory_of
from evergraph.data.options import Options, merged, rewrites
from evergraph.data.padding import padding_of
from evergraph.frontend import array
from evergraph.frontend.blocks import colocate_with, control_dependencies, name_scope
from evergraph.graph.codec import NameAttrList
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.control.effects import assert_
from evergraph.ops.data import (
    batching,
    caching,
    combining,
    counting,
    flattening,
    generating,
    mapping,
    prefetching,
    reducing,
    rewriting,
    shuffling,
    sources,
    statistics,
    windows,
)
from evergraph.ops.data import iterators as iterator_ops
from evergraph.ops.math import elementwise
from evergraph.ops.state.file_contents import matching_files
from evergraph.ops.strings.strings import string_join

AUTOTUNE = export("data.experimental.AUTOTUNE", "contrib.data.AUTOTUNE")(-1)


@export("compat.v2.data.Dataset")
class DatasetV2:
    """A sequence of elements, each a structure of tensors: how it is computed, not the elements themselves.

    >>> dataset = tf.data.Dataset.range(4).map(lambda x: x * x).batch(2)
    >>> batch = tf.data.make_one_shot_iterator(dataset).get_next()
    >>> with tf.Session() as session:
    ...     print(session.run(batch), session.run(batch))
    [0 1] [4 9]

    Args:
        variant_tensor: the tensor that holds the dataset.
    """

    _flavour: type
    _dataset_shape: Any = ()
    _keeps_count = True  # a function that raises OutOfRangeError is an error; in TensorFlow 1 it ends the dataset

    def __init__(self, variant_tensor: Tensor) -> None:
        self._variant_tensor = variant_tensor
        self._options: Options = Options()
        self._made_of: list[DatasetV2] = []

    @property
    def element_spec(self) -> Any:
        """The structure of the elements: tf.TensorSpec and its siblings in tuples and dicts."""
        return self._spec

    @property
    def _type_spec(self) -> specs.DatasetSpec:
        return specs.DatasetSpec(self.element_spec, self._dataset_shape)

    def _inputs(self) -> list[DatasetV2]:
        """The datasets that this one is made of."""
        return self._made_of

    def _functions(self) -> list[FuncGraph]:
        """The functions that it applies."""
        attrs, graph = self._variant_tensor.source.attrs.values(), self._variant_tensor.graph
        return [graph.function(value.name) for value in attrs if isinstance(value, NameAttrList)]

    def __iter__(self) -> Any:
        if may_draw():
            return EagerIterator(self)
        raise RuntimeError("Dataset.__iter__ needs eager execution; in a graph, make an iterator and run its get_next")

    def __repr__(self) -> str:
        types, shapes, _ = specs.legacy(self.element_spec)
        return f"<{type(self).__name__} shapes: {shapes}, types: {types}>"

    @classmethod
    def _made(cls, variant: Tensor, spec: Any, *inputs: DatasetV2) -> Any:
        """A dataset of this flavour; it has the options of its inputs."""
        dataset = object.__new__(cls._flavour)
        DatasetV2.__init__(dataset, variant)
        dataset._spec, dataset._made_of = spec, list(inputs)
        if inputs:
            dataset._options = merged(Options(), *(each._options for each in inputs))
        return dataset

    @property
    def _chosen_variant(self) -> Tensor:
        """The tensor that iterators get: it says how the dataset is rewritten if options choose that."""
        names = rewrites(self._options, rewriting.DEFAULT)
        if names == rewriting.DEFAULT:
            return self._measured_variant
        chosen = convert_to_tensor(np.array(sorted(names), object), dtypes.string, name="optimizations")
        return rewriting.optimize_dataset(self._measured_variant, chosen, **specs.attrs_of(self.element_spec))

    @property
    def _measured_variant(self) -> Tensor:
        """The tensor of the dataset; it has an aggregator collect measurements if options name one."""
        stats = self._options.experimental_stats
        if stats.aggregator is None:
            return self._variant_tensor
        return statistics.set_stats_aggregator_dataset(
            self._variant_tensor, stats.aggregator._resource, text(stats.prefix, "tag"),
            text(stats.counter_prefix, "counter_prefix"), **specs.attrs_of(self.element_spec))

    def _then(self, op: Callable[..., Tensor], *arguments: Any, spec: Any = None, **attrs: Any) -> Any:
        """The dataset that an op makes of this one; its elements are the same unless `spec` says otherwise."""
        spec = self.element_spec if spec is None else spec
        return self._made(op(self._variant_tensor, *arguments, **specs.attrs_of(spec), **attrs), spec, self)

    # ---- sources

    @classmethod
    def from_tensors(cls, tensors: Any) -> Any:
        """A dataset with one element: the given structure of tensors.

        Args:
            tensors: a structure of tensors, arrays, lists, sparse tensors and datasets.
        """
        with name_scope("tensors"):
            value = specs.normalized(tensors)
        spec = specs.spec_of(value)
        variant = sources.tensor_dataset(specs.packed(value, spec), output_shapes=specs.components(spec)[1])
        return cls._made(variant, spec)

    @classmethod
    def from_tensor_slices(cls, tensors: Any) -> Any:
        """A dataset of the rows of tensors: their slices along the first axis, in the same structure.

        >>> dataset = tf.data.Dataset.from_tensor_slices({"x": [[1, 2], [3, 4]], "y": [0, 1]})

        Raises:
            ValueError: a tensor is a scalar, or two have different numbers of rows.
        """
        with name_scope("tensors"):
            value = specs.normalized(tensors)
        whole = specs.spec_of(value)
        if not nest.flatten(whole):
            raise ValueError("`tensors` must have at least one tensor")
        spec = specs.unbatched(whole)
        specs.check_rows(whole)
        variant = sources.tensor_slice_dataset(specs.packed_rows(value, whole),
                                               output_shapes=specs.components(spec)[1])
        return cls._made(variant, spec)

    @classmethod
    def from_generator(cls, generator: Callable[..., Iterable[Any]], output_types: Any, output_shapes: Any = None,
                       args: Any = None) -> Any:
        """A dataset of what a Python generator yields.

        >>> def squares():
        ...     for x in range(3):
        ...         yield x, x * x
        >>> dataset = tf.data.Dataset.from_generator(squares, (tf.int64, tf.int64), ([], []))

        The generator runs in this process, and is not saved with the graph.

        Args:
            generator: returns an object to iterate over; each iterator calls it anew.
            output_types: a structure of dtypes.
            output_shapes: a structure of shapes; unknown ones if it is not given.
            args: tensors, which the generator gets as NumPy arrays.

        Raises:
            TypeError: `generator` cannot be called, or `args` is no tuple.
        """
        if not callable(generator):
            raise TypeError("`generator` must be callable.")
        spec = specs.from_legacy(output_types, output_shapes)
        args = () if args is None else tuple(convert_to_tensor(each, name="args") for each in args)
        functions = GeneratorFunctions(generator, spec)

        def elements(*arguments: Tensor) -> Any:
            """A dataset of the elements of one generator, which a number stands for."""
            number = specs.TensorSpec([], dtypes.int64)
            first = Function(lambda: functions.start(arguments), "Dataset.from_generator()", ())
            following = Function(functions.following, "Dataset.from_generator()", number)
            last = Function(functions.finish, "Dataset.from_generator()", number)
            variant = generating.generator_dataset(
                first.captured, following.captured, last.captured, init_func=first.graph, next_func=following.graph,
                finalize_func=last.graph, **specs.attrs_of(spec))
            return cls._made(variant, spec)

        start = cls.from_tensors(args if args else 0)
        return start.flat_map(elements if args else lambda _: elements())

    @classmethod
    def range(cls, *args: Any) -> Any:
        """A dataset of the numbers that Python's `range` gives for these arguments, as int64."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
        given = [number(value, name) for value, name in ((start, "start"), (stop, "stop"), (step, "step"))]
        spec = specs.TensorSpec([], dtypes.int64)
        return cls._made(sources.range_dataset(*given, **specs.attrs_of(spec)), spec)

    @classmethod
    def zip(cls, datasets: Any) -> Any:
        """A dataset of the elements of several datasets side by side, in the structure that these are given in.

        >>> pairs = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(3, 6)))

        It ends with the shortest.
        """
        flat = nest.flatten(datasets)
        for each in flat:
            if not isinstance(each, DatasetV2):
                hint = "; group datasets in a tuple, not in a list" if isinstance(each, list) else ""
                raise TypeError(f"Dataset.zip takes datasets, or tuples and dicts of them, got a {type(each).__name__}"
                                f"{hint}")
        spec = nest.pack_sequence_as(datasets, [each.element_spec for each in flat])
        variant = combining.zip_dataset([each._variant_tensor for each in flat], **specs.attrs_of(spec))
        return cls._made(variant, spec, *flat)

    @classmethod
    def list_files(cls, file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Any:
        """A dataset of the names of the files that match patterns.

        Args:
            file_pattern: a pattern, or several.
            shuffle: whether the names come in another random order in each epoch: yes, unless it is False.
            seed: of that order.

        Raises:
            tf.errors.InvalidArgumentError: when it runs and no file matches.
        """
        with name_scope("list_files"):
            pattern = convert_to_tensor(file_pattern, dtypes.string, name="file_pattern")
            names = matching_files(pattern)
            count = array.shape(names, out_type=dtypes.int64)[0]
            message = string_join(["No files matched pattern: ", array.reshape(pattern, [-1])[0]])
            with control_dependencies([assert_(elementwise.greater(count, 0), [message], name="assert_not_empty")]):
                names = basic.identity(names)
            dataset = cls.from_tensor_slices(names)
            if shuffle is None or shuffle:
                dataset = dataset.shuffle(elementwise.maximum(count, 1), seed=seed)
            return dataset

    # ---- transformations

    def concatenate(self, dataset: DatasetV2) -> Any:
        """The elements of this dataset, then those of another.

        Raises:
            TypeError: they have elements of different types.
            ValueError: they have elements of different structures.
        """
        mine, theirs = specs.legacy(self.element_spec), specs.legacy(dataset.element_spec)
        for place, what in ((0, "types"), (2, "classes")):
            nest.assert_same_structure(mine[place], theirs[place])
            if nest.flatten(mine[place]) != nest.flatten(theirs[place]):
                raise TypeError(f"Two datasets to concatenate have different {what} {mine[place]} and {theirs[place]}")
        spec = specs.widened(self.element_spec, dataset.element_spec)
        variant = combining.concatenate_dataset(self._variant_tensor, dataset._variant_tensor,
                                                **specs.attrs_of(spec))
        return self._made(variant, spec, self, dataset)

    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """What a function gives for each element.

        >>> doubled = tf.data.Dataset.range(3).map(lambda x: x * 2)

        Args:
            map_func: a function of tensors, called once, when the graph is built. An element that is a tuple is spread
                over its parameters; a dict is one argument. It may return any structure.
            num_parallel_calls: how many elements are computed ahead of those that are asked for; their order stays.
        """
        function = Function(map_func, "Dataset.map()", self.element_spec)
        if num_parallel_calls is None:
            return self._then(mapping.map_dataset, function.captured, spec=function.spec, f=function.graph,
                              preserve_cardinality=self._keeps_count)
        calls = convert_to_tensor(num_parallel_calls, dtypes.int32, name="num_parallel_calls")
        return self._then(mapping.parallel_map_dataset, function.captured, calls, spec=function.spec, f=function.graph,
                          preserve_cardinality=self._keeps_count)

    def flat_map(self, map_func: Callable[..., Any]) -> Any:
        """The elements of the datasets that a function makes of the elements, one dataset after another."""
        function = self._maker(map_func, "Dataset.flat_map()")
        return self._then(flattening.flat_map_dataset, function.captured, spec=function.spec.element_spec,
                          f=function.graph)

    def interleave(self, map_func: Callable[..., Any], cycle_length: Any = AUTOTUNE, block_length: Any = 1,
                   num_parallel_calls: Any = None) -> Any:
        """The elements of the datasets that a function makes of the elements, several datasets at a time.

        Args:
            map_func: makes a dataset of an element.
            cycle_length: how many datasets are open at a time; as many as there are processors by default.
            block_length: how many elements of one come in a row.
            num_parallel_calls: how many elements are computed ahead; their order stays.
        """
        function = self._maker(map_func, "Dataset.interleave()")
        given = [function.captured, number(cycle_length, "cycle_length"), number(block_length, "block_length")]
        if num_parallel_calls is None:
            return self._then(flattening.interleave_dataset, *given, spec=function.spec.element_spec, f=function.graph)
        given.append(number(num_parallel_calls, "num_parallel_calls"))
        return self._then(flattening.parallel_interleave_dataset_v2, *given, spec=function.spec.element_spec,
                          f=function.graph)

    def _maker(self, map_func: Callable[..., Any], name: str) -> Function:
        function = Function(map_func, name, self.element_spec)
        if not isinstance(function.spec, specs.DatasetSpec):
            raise TypeError(f"{name}: `map_func` returns {function.spec}, expected a tf.data.Dataset")
        return function

    def filter(self, predicate: Callable[..., Any]) -> Any:
        """The elements for which a function returns True.

        Raises:
            TypeError: the function does not return a scalar tf.bool.
        """
        function = Function(predicate, "Dataset.filter()", self.element_spec)
        check_scalar(function.spec, dtypes.bool, "Dataset.filter: `predicate` must give one tf.bool scalar")
        return self._then(mapping.filter_dataset, function.captured, predicate=function.graph)

    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Any:
        """Consecutive elements, stacked.

        Args:
            batch_size: how many make a batch.
            drop_remainder: whether a last batch of fewer elements is left out.
        """
        size, drops = number(batch_size, "batch_size"), flag(drop_remainder, "drop_remainder")
        spec = specs.batched(self.element_spec, known_size(size, drops))
        return self._then(batching.batch_dataset_v2, size, drops, spec=spec)

    def padded_batch(self, batch_size: Any, padded_shapes: Any, padding_values: Any = None,
                     drop_remainder: Any = False) -> Any:
        """Consecutive elements, padded to one shape and stacked.

        Args:
            batch_size: how many make a batch.
            padded_shapes: a structure of shapes to pad to; an unknown size stands for the largest in the batch.
            padding_values: a structure of scalars; zeros and empty strings if it is not given.
            drop_remainder: whether a last batch of fewer elements is left out.

        Raises:
            TypeError: the elements have sparse tensors.
            ValueError: a shape does not fit its component.
        """
        size, drops = number(batch_size, "batch_size"), flag(drop_remainder, "drop_remainder")
        padding = padding_of(self.element_spec, padded_shapes, padding_values)
        spec = specs.batched(padding.spec, known_size(size, drops))
        variant = batching.padded_batch_dataset_v2(
            self._variant_tensor, size, padding.shapes, padding.values, drops, output_shapes=specs.components(spec)[1])
        return self._made(variant, spec, self)

    def unbatch(self) -> Any:
        """The rows of each element: the slices of its tensors along their first axis.

        Raises:
            ValueError: a tensor is a scalar, or two are known to have different numbers of rows.
        """
        spec = specs.unbatched(self.element_spec)
        specs.check_rows(self.element_spec)
        return self._by_row()._then(batching.unbatch_dataset, spec=spec)

    def _by_row(self) -> Any:
        """The dataset with a variant for each row of a sparse or ragged tensor in place of one for the whole."""
        spec = self.element_spec
        if all(isinstance(leaf, specs.TensorSpec) for leaf in nest.flatten(spec)):
            return self

        def packed(*parts: Any) -> Any:
            value = parts if type(spec) is tuple else parts[0]
            return nest.pack_sequence_as(spec, specs.packed_rows(value, spec))

        return self.map(packed)

    def shuffle(self, buffer_size: Any, seed: int | None = None, reshuffle_each_iteration: bool | None = None) -> Any:
        """The elements in random order: each is drawn at random from a buffer that is filled up from the dataset.

        Args:
            buffer_size: the size of the buffer; all orders are equally likely if it is that of the dataset.
            seed: gives the same order each time, the one that TensorFlow has for it; see `tf.set_random_seed`.
            reshuffle_each_iteration: whether each epoch has another order: yes, unless it is False.
        """
        seeds = seeds_of(seed)
        reshuffles = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        return self._then(shuffling.shuffle_dataset, number(buffer_size, "buffer_size"), *seeds,
                          reshuffle_each_iteration=reshuffles)

    def repeat(self, count: Any = None) -> Any:
        """The elements several times.

        Args:
            count: how many times; for ever if it is None or -1.
        """
        return self._then(counting.repeat_dataset, number(-1 if count is None else count, "count"))

    def take(self, count: Any) -> Any:
        """The first `count` elements; all of them if that is -1."""
        return self._then(counting.take_dataset, number(count, "count"))

    def skip(self, count: Any) -> Any:
        """All but the first `count` elements; none if that is -1."""
        return self._then(counting.skip_dataset, number(count, "count"))

    def shard(self, num_shards: Any, index: Any) -> Any:
        """Each element whose number, modulo `num_shards`, is `index`: a worker's part of the dataset."""
        return self._then(counting.shard_dataset, number(num_shards, "num_shards"), number(index, "index"))

    def cache(self, filename: Any = "") -> Any:
        """The same elements, computed once and then kept: in memory, or in a file that has a name.

        The cache is complete, and is used, when an iterator has reached the end of the dataset.
        """
        return self._then(caching.cache_dataset, convert_to_tensor(filename, dtypes.string, name="filename"))

    def prefetch(self, buffer_size: Any) -> Any:
        """The same elements, up to `buffer_size` of them computed ahead by a thread."""
        return self._then(prefetching.prefetch_dataset, number(-1 if buffer_size is None else buffer_size,
                                                                "buffer_size"))

    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Any:
        """Windows of consecutive elements: each part of an element becomes a dataset of its values in the window.

        Args:
            size: how many elements a window has.
            shift: how many elements later the next one begins; `size` by default.
            stride: every which element is in a window.
            drop_remainder: whether a last window of fewer elements is left out.
        """
        given = [number(size if value is None else value, name)
                 for value, name in ((size, "size"), (shift, "shift"), (stride, "stride"))]
        spec = nest.map_structure(specs.DatasetSpec, self.element_spec)
        return self._then(windows.window_dataset, *given, flag(drop_remainder, "drop_remainder"), spec=spec)

    def enumerate(self, start: Any = 0) -> Any:
        """The elements, each with its number in front."""
        return self._flavour.zip((self._flavour.range(start, np.iinfo(np.int64).max), self))

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """What a function makes of this dataset: lets functions be part of a chain of transformations.

        Raises:
            TypeError: it is no dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        return dataset

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """Reduces the dataset to one element, in one run.

        >>> largest = tf.data.Dataset.from_tensor_slices([3, 7, 5]).reduce(0, tf.maximum)

        Args:
            initial_state: a structure of tensors.
            reduce_func: makes the next state of the state and an element.

        Raises:
            TypeError: the function returns another structure or other dtypes than the state has.
        """
        with name_scope("initial_state"):
            state = specs.normalized(initial_state)
        spec = specs.spec_of(state)
        while True:
            function = Function(reduce_func, "Dataset.reduce()", (spec, self.element_spec))
            check_state(spec, function.spec)
            wider = specs.widened(spec, function.spec)
            if specs.same(wider, spec):
                break
            spec = wider
        flat = reducing.reduce_dataset(self._variant_tensor, specs.packed(state, spec), function.captured,
                                       f=function.graph, **specs.attrs_of(spec))
        return specs.unpacked(flat, spec)

    # ---- options

    def options(self) -> Options:
        """The options of this dataset and of those that it is made of."""
        return self._options

    def with_options(self, options: Options) -> Any:
        """The same elements with options.

        Raises:
            ValueError: an option was set to another value before.
        """
        dataset = self._made(basic.identity(self._variant_tensor), self.element_spec, self)
        dataset._options = self._options.merge(options)
        return dataset


DatasetV2._flavour = DatasetV2


@export("data.Dataset")
class DatasetV1(DatasetV2):
    """A sequence of elements, each a structure of tensors, and the iterators with which sessions go through it.

    >>> dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3]).repeat()
    >>> element = tf.data.make_one_shot_iterator(dataset).get_next()

    A subclass of a program's own implements `_as_variant_tensor` and `element_spec`.
    """

    _keeps_count = False

    def __init__(self) -> None:
        super().__init__(self._as_variant_tensor())

    def _as_variant_tensor(self) -> Tensor:
        """The tensor that holds the dataset."""
        raise NotImplementedError(f"{type(self).__name__} does not implement _as_variant_tensor")

    def make_one_shot_iterator(self) -> Iterator | EagerIterator:
        """An iterator that goes through the dataset once and needs no initializer.

        Raises:
            ValueError: the dataset depends on a placeholder, a variable or a table, which need a run before.
        """
        return _one_shot(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Iterator:
        """An iterator that begins to go through the dataset, again and again, when its `initializer` is run."""
        return _initializable(self, shared_name)

    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts, in their structure."""
        return specs.legacy(self.element_spec)[0]

    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
        return specs.legacy(self.element_spec)[1]

    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
        return specs.legacy(self.element_spec)[2]

    @classmethod
    def from_sparse_tensor_slices(cls, sparse_tensor: Any) -> Any:
        """A dataset of the slices of a sparse tensor along its first axis, as (indices, values, dense shape)."""
        value = specs.normalized(sparse_tensor)
        if not isinstance(value, specs.SparseTensor):
            raise TypeError(f"`sparse_tensor` is {sparse_tensor}, expected a tf.SparseTensor")
        rank = dimension_value(value.indices.shape.merge_with([None, value.dense_shape.shape[0]])[1])
        rank = None if rank is None else rank - 1
        spec = (specs.TensorSpec([None, rank], dtypes.int64), specs.TensorSpec([None], value.dtype),
                specs.TensorSpec([rank], dtypes.int64))
        variant = sources.sparse_tensor_slice_dataset(value.indices, value.values, value.dense_shape)
        return cls._made(variant, spec)

    def map_with_legacy_function(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """The same as `map`: there is one kind of functions."""
        return self.map(map_func, num_parallel_calls)

    def filter_with_legacy_function(self, predicate: Callable[..., Any]) -> Any:
        """The same as `filter`: there is one kind of functions."""
        return self.filter(predicate)


DatasetV1._flavour = DatasetV1
specs.DatasetSpec.value_type = DatasetV2


def _dataset_in(spec: specs.DatasetSpec, variant: Tensor) -> Any:
    """The dataset that a component holds, or the batch of datasets."""
    dataset = DatasetV1._made(variant, spec.element_spec)
    dataset._dataset_shape = spec.shape
    return dataset


specs.DatasetSpec._value_of = _dataset_in
for _name, _function in loops.FORMS.items():
    form(_name, DatasetV2)(_function)
form("for", EagerIterator)(loops.over_iterator)


# ---- iterators


@export("data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: DatasetV2) -> Iterator | EagerIterator:
    """An iterator that goes through a dataset once; see `tf.data.Dataset.make_one_shot_iterator`."""
    return _one_shot(dataset)


@export("data.make_initializable_iterator")
def make_initializable_iterator(dataset: DatasetV2, shared_name: str | None = None) -> Iterator:
    """An iterator with an initializer; see `tf.data.Dataset.make_initializable_iterator`."""
    return _initializable(dataset, shared_name)


def _one_shot(dataset: DatasetV2) -> Iterator | EagerIterator:
    if default_graph().is_eager:
        return EagerIterator(dataset)
    try:
        factory = factory_of(dataset._chosen_variant)
    except ValueError as error:
        raise ValueError("`Dataset.make_one_shot_iterator()` does not support datasets that capture stateful objects "
                         f"(make_initializable_iterator does): {error}") from error
    resource = iterator_ops.one_shot_iterator(dataset_factory=factory, **specs.attrs_of(dataset.element_spec))
    return Iterator(resource, None, *specs.legacy(dataset.element_spec))


def _initializable(dataset: DatasetV2, shared_name: str | None) -> Iterator:
    if default_graph().is_eager:
        raise RuntimeError("make_initializable_iterator needs a graph; under eager execution, go through the dataset "
                           "with `for element in dataset`")
    resource = iterator_ops.iterator_v2(container="", shared_name=shared_name or "",
                                        **specs.attrs_of(dataset.element_spec))
    with colocate_with(resource):
        initializer = iterator_ops.make_iterator(dataset._chosen_variant, resource)
    return Iterator(resource, initializer, *specs.legacy(dataset.element_spec))


@export("data.experimental.get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of the specs of a dataset's or iterator's elements.

    Raises:
        TypeError: it is neither.
    """
    if not hasattr(dataset_or_iterator, "element_spec"):
        raise TypeError(f"`dataset_or_iterator` is a {type(dataset_or_iterator)}, expected a tf.data.Dataset or an "
                        "iterator of one")
    return dataset_or_iterator.element_spec


@export("data.get_output_types")
def get_output_types(dataset_or_iterator: Any) -> Any:
    """The structure of the dtypes of a dataset's or iterator's elements."""
    return specs.legacy(dataset_or_iterator.element_spec)[0]


@export("data.get_output_shapes")
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The structure of the shapes of a dataset's or iterator's elements."""
    return specs.legacy(dataset_or_iterator.element_spec)[1]


@export("data.get_output_classes")
def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The structure of the classes of a dataset's or iterator's elements."""
    return specs.legacy(dataset_or_iterator.element_spec)[2]

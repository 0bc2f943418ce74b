# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.data."""

from collections.abc import Callable
from evergraph import Operation, Tensor, TensorShape, TypeSpec
from evergraph.compat.v2.data import (
    Dataset as _Dataset, FixedLengthRecordDataset as _FixedLengthRecordDataset,
    TFRecordDataset as _TFRecordDataset, TextLineDataset as _TextLineDataset,
)
from evergraph.contrib.eager import Iterator as _Iterator
from typing import Any
from evergraph.data import experimental as experimental

import sys
if sys.platform == "":
    del (
        arguments, at_once, dataset, functions, generator, iterator, loops, nest, one_shot, options,
        padding, readers, specs, threadpool,
    )

class Dataset(_Dataset):
    """A sequence of elements, each a structure of tensors, and the iterators with which sessions go through
    it."""
    def make_one_shot_iterator(self) -> Iterator | _Iterator:
        """An iterator that goes through the dataset once and needs no initializer."""
    def make_initializable_iterator(self, shared_name: str | None = None) -> Iterator:
        """An iterator that begins to go through the dataset, again and again, when its `initializer` is run."""
    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts, in their structure."""
    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
    @classmethod
    def from_sparse_tensor_slices(cls, sparse_tensor: Any) -> Any:
        """A dataset of the slices of a sparse tensor along its first axis, as (indices, values, dense
        shape)."""
    def map_with_legacy_function(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """The same as `map`: there is one kind of functions."""
    def filter_with_legacy_function(self, predicate: Callable[..., Any]) -> Any:
        """The same as `filter`: there is one kind of functions."""
    def __init__(self) -> None: ...

class DatasetSpec(TypeSpec):
    """The spec of a dataset inside the elements of another one."""
    @property
    def element_spec(self) -> Any:
        """The structure of the dataset's elements."""
    @property
    def shape(self) -> TensorShape:
        """The shape of the dataset's variant tensor."""
    @classmethod
    def from_value(cls, value: Any) -> DatasetSpec:
        """The spec of a dataset."""
    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the other is a dataset, or the spec of one, with elements that fit."""
    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec: ...
    value_type: type
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, element_spec: Any, dataset_shape: Any = ...) -> None: ...

class FixedLengthRecordDataset(_FixedLengthRecordDataset, Dataset):
    """A dataset of the records of files whose records all have one length."""

class Iterator:
    """Draws the elements of a dataset, one in each run of what `get_next` returns."""
    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None,
        output_classes: Any = None,
    ) -> Iterator:
        """An iterator that `make_initializer` can give any dataset with such elements."""
    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None,
    ) -> Iterator:
        """The iterator whose handle is fed: a program switches between iterators by feeding the handle of
        one."""
    @property
    def initializer(self) -> Any:
        """The operation that begins to go through the dataset."""
    def make_initializer(self, dataset: Any, name: str | None = None) -> Operation:
        """An operation that begins to go through a dataset."""
    def get_next(self, name: str | None = None) -> Any:
        """The next element, in the structure of the dataset's: nodes that draw one in each run."""
    def string_handle(self, name: str | None = None) -> Tensor:
        """A scalar string that stands for the iterator, to feed where `from_string_handle` takes it."""
    @property
    def element_spec(self) -> Any:
        """The structure of the elements."""
    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts."""
    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
    def __init__(
        self, iterator_resource: Tensor, initializer: Any, output_types: Any, output_shapes: Any,
        output_classes: Any,
    ) -> None: ...

class Options:
    """Options of a dataset, for `with_options`."""
    experimental_deterministic: Any
    experimental_distribute: Any
    experimental_optimization: Any
    experimental_slack: Any
    experimental_stats: Any
    experimental_threading: Any
    experimental_stateful_whitelist: Any
    def merge(self, options: Options) -> Options:
        """New options with the values of both."""
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class TFRecordDataset(_TFRecordDataset, Dataset):
    """A dataset of the records of TFRecord files."""

class TextLineDataset(_TextLineDataset, Dataset):
    """A dataset of the lines of text files, without what ends them."""

def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The structure of the classes of a dataset's or iterator's elements."""

def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The structure of the shapes of a dataset's or iterator's elements."""

def get_output_types(dataset_or_iterator: Any) -> Any:
    """The structure of the dtypes of a dataset's or iterator's elements."""

def make_initializable_iterator(dataset: _Dataset, shared_name: str | None = None) -> Iterator:
    """An iterator with an initializer; see `tf.data.Dataset.make_initializable_iterator`."""

def make_one_shot_iterator(dataset: _Dataset) -> Iterator | _Iterator:
    """An iterator that goes through a dataset once; see `tf.data.Dataset.make_one_shot_iterator`."""

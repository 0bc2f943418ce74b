# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.data."""

from collections.abc import Callable, Iterable
from evergraph import Tensor
from evergraph.data import Options as _Options
from typing import Any
from evergraph.compat.v2.data import experimental as experimental

class Dataset:
    """A sequence of elements, each a structure of tensors: how it is computed, not the elements
    themselves."""
    @property
    def element_spec(self) -> Any:
        """The structure of the elements: tf.TensorSpec and its siblings in tuples and dicts."""
    @classmethod
    def from_tensors(cls, tensors: Any) -> Any:
        """A dataset with one element: the given structure of tensors."""
    @classmethod
    def from_tensor_slices(cls, tensors: Any) -> Any:
        """A dataset of the rows of tensors: their slices along the first axis, in the same structure."""
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Iterable[Any]], output_types: Any, output_shapes: Any = None,
        args: Any = None,
    ) -> Any:
        """A dataset of what a Python generator yields."""
    @classmethod
    def range(cls, *args: Any) -> Any:
        """A dataset of the numbers that Python's `range` gives for these arguments, as int64."""
    @classmethod
    def zip(cls, datasets: Any) -> Any:
        """A dataset of the elements of several datasets side by side, in the structure that these are given
        in."""
    @classmethod
    def list_files(cls, file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Any:
        """A dataset of the names of the files that match patterns."""
    def concatenate(self, dataset: Dataset) -> Any:
        """The elements of this dataset, then those of another."""
    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """What a function gives for each element."""
    def flat_map(self, map_func: Callable[..., Any]) -> Any:
        """The elements of the datasets that a function makes of the elements, one dataset after another."""
    def interleave(
        self, map_func: Callable[..., Any], cycle_length: Any = -1, block_length: Any = 1,
        num_parallel_calls: Any = None,
    ) -> Any:
        """The elements of the datasets that a function makes of the elements, several datasets at a time."""
    def filter(self, predicate: Callable[..., Any]) -> Any:
        """The elements for which a function returns True."""
    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Any:
        """Consecutive elements, stacked."""
    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None, drop_remainder: Any = False,
    ) -> Any:
        """Consecutive elements, padded to one shape and stacked."""
    def unbatch(self) -> Any:
        """The rows of each element: the slices of its tensors along their first axis."""
    def shuffle(
        self, buffer_size: Any, seed: int | None = None, reshuffle_each_iteration: bool | None = None,
    ) -> Any:
        """The elements in random order: each is drawn at random from a buffer that is filled up from the
        dataset."""
    def repeat(self, count: Any = None) -> Any:
        """The elements several times."""
    def take(self, count: Any) -> Any:
        """The first `count` elements; all of them if that is -1."""
    def skip(self, count: Any) -> Any:
        """All but the first `count` elements; none if that is -1."""
    def shard(self, num_shards: Any, index: Any) -> Any:
        """Each element whose number, modulo `num_shards`, is `index`: a worker's part of the dataset."""
    def cache(self, filename: Any = '') -> Any:
        """The same elements, computed once and then kept: in memory, or in a file that has a name."""
    def prefetch(self, buffer_size: Any) -> Any:
        """The same elements, up to `buffer_size` of them computed ahead by a thread."""
    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Any:
        """Windows of consecutive elements: each part of an element becomes a dataset of its values in the
        window."""
    def enumerate(self, start: Any = 0) -> Any:
        """The elements, each with its number in front."""
    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """What a function makes of this dataset: lets functions be part of a chain of transformations."""
    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """Reduces the dataset to one element, in one run."""
    def options(self) -> _Options:
        """The options of this dataset and of those that it is made of."""
    def with_options(self, options: _Options) -> Any:
        """The same elements with options."""
    def __iter__(self) -> Any: ...
    def __init__(self, variant_tensor: Tensor) -> None: ...

from evergraph.data import DatasetSpec as DatasetSpec

class FixedLengthRecordDataset(Dataset):
    """A dataset of the records of files whose records all have one length."""
    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
        buffer_size: Any = None, compression_type: Any = None, num_parallel_reads: Any = None,
    ) -> None: ...

from evergraph.data import Options as Options

class TFRecordDataset(Dataset):
    """A dataset of the records of TFRecord files."""
    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ) -> None: ...

class TextLineDataset(Dataset):
    """A dataset of the lines of text files, without what ends them."""
    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ) -> None: ...

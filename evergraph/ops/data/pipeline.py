"""What datasets and iterators have in common.

A dataset is a description: an immutable value that the kernel of a dataset op returns, in a variant tensor. An iterator
goes through the elements that a dataset describes. It is made by `Dataset.iterate`, owned by an object of the session
(ops/data/iterators.py), and draws from the iterators of the datasets below its own. The files beside this one each hold
a transformation: its op, its description, and its iterator.
"""

from __future__ import annotations

import copy
import itertools
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, OpDef, op
from evergraph.graph.shaping import scalar, scalar_of_scalars
from evergraph.graph.traits import ANY
from evergraph.kernel.cells import Cell
from evergraph.ops.data.blocks import Block, block_of

Element = list[Any]
"""The components of an element: NumPy arrays, and host objects for variants."""

INFINITE, UNKNOWN = -1, -2
"""Cardinalities that are no count."""

TYPES = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1"
"""The attrs that nearly all dataset ops have."""


LATER = {"metadata": ANY}
"""The attr that nearly all of them have got later: a name for monitoring."""


def dataset_op(line: str, later: Mapping[str, Any] = LATER, **facets: Any) -> Callable[[Callable[..., Any]], OpDef]:
    """Declares an op whose output is a dataset."""
    declare = op(f"{line} -> handle: variant", on="host", grad=STOP, later=later, **{"shape": scalar, **facets})

    def with_ranks(kernel: Callable[..., Any]) -> OpDef:
        opdef = declare(kernel)
        numbers = [each.name for each in opdef.signature.inputs if each.name in _SCALARS]
        if numbers and "shape" not in facets:
            opdef.shape(scalar_of_scalars(numbers))
        return opdef

    return with_ranks


_SCALARS = frozenset("""
    batch_size block_length buffer_output_elements buffer_size compression_type count cycle_length data_source_name
    driver_name drop_remainder field_delim filename footer_bytes header header_bytes index max_intra_op_parallelism
    na_value num_parallel_calls num_shards num_threads num_workers prefetch_input_elements query record_bytes seed seed2
    shift size sloppy start step stop stride tag use_quote_delim window_shift window_size window_stride
    """.split())
"""The inputs of datasets that are scalars wherever they occur."""


class Dataset:
    """The description of a dataset.

    Args:
        types: the dtypes of the components of its elements.
        shapes: their static shapes, None where unknown.
    """

    def __init__(self, types: Sequence[Any], shapes: Sequence[Any]) -> None:
        self.types, self.shapes = tuple(types), tuple(shapes)

    def iterate(self, scope: Scope) -> Iterator:
        """A new iterator over the elements."""
        raise NotImplementedError

    def cardinality(self) -> int:
        """How many elements there are, as far as that is known without looking at them."""
        return UNKNOWN


class Transformed(Dataset):
    """A dataset of another one's elements; types and shapes are those that the attrs of its node say."""

    def __init__(self, node: Any, source: Dataset) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        self.source = as_dataset(source)

    def cardinality(self) -> int:
        return self.source.cardinality()


class Iterator:
    """Goes through the elements of a dataset.

    Attributes:
        kept: names of the attributes that say where it stands; `state` reads and `restore` sets them.
        sources: the iterators that it draws from.
    """

    kept: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *sources: Iterator) -> None:
        self.sources = list(sources)

    @property
    def source(self) -> Iterator:
        """The only iterator that it draws from."""
        return self.sources[0]

    def get(self) -> Element | None:
        """The next element; None at the end, and whenever it is asked after that."""
        raise NotImplementedError

    def block(self, count: int) -> Block:
        """The elements that up to `count` calls of `get` give, and the error or the end that comes instead of more.

        It draws no more from its sources than these calls would, so that the state afterwards is the same.
        """
        rows: list[Element] = []
        try:
            for element in itertools.islice(iter(self.get, None), count):
                rows.append(element)
        except Exception as error:  # the elements before it count
            return block_of(rows, error)
        return block_of(rows, is_over=len(rows) < count)

    def state(self) -> Any:
        """Where the iterator stands, for `restore`: later calls of `get` do not change it."""
        return [copy.copy(getattr(self, name)) for name in self.kept], [source.state() for source in self.sources]

    def restore(self, state: Any) -> None:
        """Goes on where another iterator of such a dataset stood; this one is new."""
        values, inner = state
        for name, value in zip(self.kept, values, strict=True):
            setattr(self, name, copy.copy(value))
        for source, each in zip(self.sources, inner, strict=True):
            source.restore(each)

    def stop(self) -> None:
        """Ends all waiting: a thread that waits in `get` gets CancelledError, and so does one that comes later."""
        for source in self.sources:
            source.stop()

    def close(self) -> None:
        """Lets go of threads and files. No other thread is in `get`, apart from those that it ends itself."""
        for source in self.sources:
            source.close()


class Empty(Iterator):
    """Has no elements."""

    def get(self) -> Element | None:
        return None


class Captured:
    """A function that a dataset applies, and the tensors of the enclosing graph that it captures.

    Args:
        function: the function attr, as kernels get it.
        arguments: the captured values.
    """

    def __init__(self, function: Any, arguments: Sequence[Any]) -> None:
        self.graph = function.graph
        # A variable is looked up anew in each call; a cell of this step would keep its value alive.
        self.arguments = [Cell(a.key, None, a.label) if isinstance(a, Cell) else a for a in arguments]


class Scope:
    """What all iterators below one root share: random streams, and what outlasts an iterator over a dataset.

    Args:
        calls: how to call functions, see `Context.detached`.
    """

    def __init__(self, calls: Any) -> None:
        self._calls = calls
        self.streams: dict[str, Any] = {}
        self._kept: weakref.WeakKeyDictionary[Dataset, Any] = weakref.WeakKeyDictionary()

    def anew(self) -> Scope:
        """One that calls functions in the same way and shares nothing yet."""
        return Scope(self._calls)

    def function(self, captured: Captured) -> Callable[..., list[Any]]:
        """A callable of the components that the function takes."""
        call, arguments = self._calls.function(captured.graph, self.streams), captured.arguments
        return (lambda *components: call(*components, *arguments)) if arguments else call

    def batched(self, captured: Captured) -> Callable[[int, Sequence[Any]], list[Any]] | None:
        """A callable for many elements at once, of their number and columns; None if the function has side effects."""
        arguments = captured.arguments
        call = self._calls.batched(captured.graph, self.streams, len(captured.graph.inputs) - len(arguments))
        return call and (lambda count, columns: call(count, columns, arguments))

    def may_run_at_once(self, captured: Captured) -> bool:
        """Whether calls of the function may happen at the same time."""
        return self._calls.may_run_at_once(captured.graph)

    def is_worth_threads(self, captured: Captured) -> bool:
        """Whether calls for many elements are divided among threads."""
        return self._calls.is_worth_threads(captured.graph)

    def is_quiet(self, captured: Captured) -> bool:
        """Whether nobody can tell when the function is called: it has no side effects and reads no variable."""
        return self._calls.is_quiet(captured.graph) and not any(isinstance(a, Cell) for a in captured.arguments)

    def kept(self, dataset: Dataset, make: Callable[[], Any]) -> Any:
        """What the iterators over one dataset share, such as the seeds of its shuffles; made on first use."""
        found = self._kept.get(dataset)
        if found is None:
            found = self._kept[dataset] = make()
        return found


def as_dataset(value: Any) -> Dataset:
    """The dataset in a variant tensor.

    Raises:
        InvalidArgumentError: the tensor holds something else.
    """
    if isinstance(value, np.ndarray) and value.dtype == object and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Dataset):
        raise invalid(f"The given variant tensor is not a dataset, but holds a {type(value).__name__}")
    return value


def shape_text(shape: Sequence[int | None] | None) -> str:
    """A shape as TensorFlow's messages show it: `[2,3]`, `[?,3]`, `<unknown>`."""
    if shape is None:
        return "<unknown>"
    return f"[{','.join('?' if size is None else str(size) for size in shape)}]"


def number(value: Any) -> int:
    """A scalar integer input.

    Raises:
        InvalidArgumentError: it is no scalar.
    """
    if np.ndim(value):
        raise invalid(f"expected a scalar, got a tensor of shape {shape_text(np.shape(value))}")
    return int(value)


def text(value: Any) -> str:
    """A scalar string input."""
    if np.ndim(value):
        raise invalid(f"expected a scalar, got a tensor of shape {shape_text(np.shape(value))}")
    return bytes(value.item()).decode()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Groups of elements with one key: group_by_reducer, group_by_window, bucket_by_sequence_length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.data.functions import Function, check_scalar, check_state
from evergraph.frontend import array, checks
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_min
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.data import grouping
from evergraph.ops.math import elementwise

_KEY = specs.TensorSpec([], dtypes.int64)


@export("data.experimental.Reducer", "contrib.data.Reducer")
class Reducer:
    """How `group_by_reducer` reduces the elements with one key.

    Args:
        init_func: makes the first state of the key.
        reduce_func: makes the next state of the state and an element.
        finalize_func: makes an element of the result of the last state.
    """

    def __init__(self, init_func: Callable[..., Any], reduce_func: Callable[..., Any],
                 finalize_func: Callable[..., Any]) -> None:
        self._init_func, self._reduce_func, self._finalize_func = init_func, reduce_func, finalize_func

    @property
    def init_func(self) -> Callable[..., Any]:
        """Makes the first state."""
        return self._init_func

    @property
    def reduce_func(self) -> Callable[..., Any]:
        """Makes the next state."""
        return self._reduce_func

    @property
    def finalize_func(self) -> Callable[..., Any]:
        """Makes an element of the last state."""
        return self._finalize_func


@export("data.experimental.group_by_reducer", "contrib.data.group_by_reducer")
def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Callable[[Any], Any]:
    """For `Dataset.apply`: one element for each key, in the order of keys: all elements with the key, reduced.

    >>> total = tf.data.experimental.Reducer(lambda key: np.int64(0), lambda sum, x: sum + x, lambda sum: sum)
    >>> sums = tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, total))

    Args:
        key_func: the key of an element, a scalar tf.int64.
        reducer: a `Reducer`.

    Raises:
        TypeError: `reduce_func` returns another structure or other dtypes than the state has.
        ValueError: `key_func` does not return a scalar tf.int64.
    """
    def apply(dataset: Any) -> Any:
        name = "tf.data.experimental.group_by_reducer()"
        key = _key_function(key_func, name, dataset.element_spec)
        first = Function(reducer.init_func, name, _KEY)
        state, following = first.spec, None
        while following is None or not specs.same(specs.widened(state, following.spec), state):
            state = first.spec if following is None else specs.widened(state, following.spec)
            following = Function(reducer.reduce_func, name, (state, dataset.element_spec))
            check_state(state, following.spec)
        last = Function(reducer.finalize_func, name, state)
        functions = key, first, following, last
        return dataset._then(grouping.group_by_reducer_dataset, *(each.captured for each in functions), spec=last.spec,
                             key_func=key.graph, init_func=first.graph, reduce_func=following.graph,
                             finalize_func=last.graph)

    return apply


def _key_function(key_func: Callable[..., Any], name: str, spec: Any) -> Function:
    """The function of keys.

    Raises:
        ValueError: it does not return a scalar tf.int64.
    """
    function = Function(lambda *given: _as_int64(key_func(*given)), name, spec)
    if not specs.fits(_KEY, function.spec):
        raise ValueError("`key_func` gives the group of an element as a single tf.int64 scalar. It returns "
                         f"{function.spec}")
    return function


def _as_int64(value: Any) -> Any:
    """A Python number as int64; other values stay."""
    return convert_to_tensor(value, dtypes.int64) if isinstance(value, int) else value


@export("data.experimental.group_by_window", "contrib.data.group_by_window")
def group_by_window(key_func: Callable[..., Any], reduce_func: Callable[..., Any], window_size: Any = None,
                    window_size_func: Callable[..., Any] | None = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: collects windows of elements with one key, and makes a dataset of each window.

    >>> batches = tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_window(
    ...     lambda x: x % 2, lambda key, window: window.batch(3), window_size=3))

    Windows that are not full at the end of the dataset follow in the order of their keys.

    Args:
        key_func: the key of an element, a scalar tf.int64.
        reduce_func: makes a dataset of a key and the dataset of a window.
        window_size: how many elements a window has.
        window_size_func: the same as a function of the key, in place of `window_size`.

    Raises:
        ValueError: not exactly one of `window_size` and `window_size_func` is given.
        TypeError: `reduce_func` does not return a dataset.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Must pass either window_size or window_size_func, but not both.")
    size_func = window_size_func or (lambda key: convert_to_tensor(window_size, dtypes.int64))

    def apply(dataset: Any) -> Any:
        name = "tf.data.experimental.group_by_window()"
        key = _key_function(key_func, name, dataset.element_spec)
        size = Function(lambda key: basic.cast(convert_to_tensor(size_func(key)), DstT=dtypes.int64), name, _KEY)
        check_scalar(size.spec, dtypes.int64, "group_by_window: `window_size_func` must give one tf.int64 scalar")
        reduce = Function(reduce_func, name, (_KEY, specs.DatasetSpec(dataset.element_spec)))
        if not isinstance(reduce.spec, specs.DatasetSpec):
            raise TypeError(f"{name}: `reduce_func` returns {reduce.spec}, expected a tf.data.Dataset")
        return dataset._then(grouping.group_by_window_dataset, key.captured, reduce.captured, size.captured,
                             spec=reduce.spec.element_spec, key_func=key.graph, reduce_func=reduce.graph,
                             window_size_func=size.graph)

    return apply


# ---- buckets of lengths


@export("data.experimental.bucket_by_sequence_length", "contrib.data.bucket_by_sequence_length")
def bucket_by_sequence_length(element_length_func: Callable[..., Any], bucket_boundaries: Sequence[int],
                              bucket_batch_sizes: Sequence[int], padded_shapes: Any = None, padding_values: Any = None,
                              pad_to_bucket_boundary: bool = False, no_padding: bool = False,
                              drop_remainder: bool = False) -> Callable[[Any], Any]:
    """For `Dataset.apply`: batches of elements of similar length, so that little padding is needed.

    >>> words = tf.data.Dataset.from_tensor_slices([2, 9, 3, 8]).map(lambda n: tf.fill([n], n))
    >>> batches = words.apply(tf.data.experimental.bucket_by_sequence_length(tf.size, [5], [2, 2]))

    Args:
        element_length_func: the length of an element, a scalar tf.int32.
        bucket_boundaries: lengths at which a bucket ends and the next begins, in order.
        bucket_batch_sizes: how many elements make a batch of each bucket: one number more than there are boundaries.
        padded_shapes: shapes to pad to, as for `padded_batch`; those of the elements if it is not given.
        padding_values: what to pad with.
        pad_to_bucket_boundary: whether to pad unknown sizes to the greatest length of the bucket, in place of the
            greatest in the batch. Elements must be shorter than the last boundary then.
        no_padding: whether to stack without padding; elements must have one shape or be sparse.
        drop_remainder: whether batches of fewer elements are left out.

    Raises:
        ValueError: the numbers of boundaries and sizes do not fit.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(f"bucket_batch_sizes has {len(bucket_batch_sizes)} sizes, expected len(bucket_boundaries) + 1 "
                         f"= {len(bucket_boundaries) + 1}")
    sizes = array.constant(np.array(bucket_batch_sizes), dtypes.int64)

    def bucket(*element: Any) -> Tensor:
        """The number of the bucket that an element belongs to."""
        length = element_length_func(*element)
        kind = np.iinfo(np.int32)
        least, most = [kind.min, *bucket_boundaries], [*bucket_boundaries, kind.max]
        inside = elementwise.logical_and(elementwise.less_equal(least, length), elementwise.less(length, most))
        return reduce_min(where(inside))

    def batch(key: Tensor, window: Any) -> Any:
        size = sizes[key]
        if no_padding:
            return window.batch(size, drop_remainder=drop_remainder)
        shapes = specs.legacy(window.element_spec)[1] if padded_shapes is None else padded_shapes
        if pad_to_bucket_boundary:
            shapes = _with_length(shapes, _greatest_length(key, bucket_boundaries), window.element_spec)
        return window.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

    return lambda dataset: dataset.apply(group_by_window(bucket, batch, window_size_func=lambda key: sizes[key]))


def _greatest_length(key: Tensor, boundaries: Sequence[int]) -> Tensor:
    """The greatest length of a bucket."""
    message = "pad_to_bucket_boundary=True: an element is as long as the last of bucket_boundaries, or longer"
    check = checks.assert_less(key, array.constant(len(boundaries), dtypes.int64), message=message)
    with control_dependencies([check]):
        return array.constant(np.array(boundaries), dtypes.int64)[key] - 1


def _with_length(shapes: Any, length: Tensor, spec: Any) -> Any:
    """The shapes, with a length in place of unknown sizes."""
    def known(shape: Any) -> Any:
        sizes = [None if size == -1 else size for size in TensorShape(shape).as_list()]
        return array.stack([length if size is None else array.constant(size, dtypes.int64) for size in sizes]) \
            if sizes else array.constant(np.zeros(0), dtypes.int64)

    return nest.map_structure_up_to(spec, known, shapes)

"""Functions for `Dataset.apply` that make one dataset of another: scan, take_while, unique and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import nest, specs
from evergraph.data.arguments import number, seeds_of
from evergraph.data.functions import Function, check_scalar, check_state
from evergraph.frontend.blocks import name_scope
from evergraph.ops.data import scanning, selecting, shuffling


@export("data.experimental.scan", "contrib.data.scan")
def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Callable[[Any], Any]:
    """For `Dataset.apply`: what a function gives of a state and each element.

    >>> sums = tf.data.Dataset.range(5).apply(tf.data.experimental.scan(
    ...     tf.constant(0, tf.int64), lambda total, x: (total + x, total + x)))

    Args:
        initial_state: a structure of tensors.
        scan_func: makes a pair of the state and an element: the next state, and an element of the result.

    Raises:
        TypeError: the function does not return such a pair, or a state of another structure or other dtypes.
    """
    def apply(dataset: Any) -> Any:
        with name_scope("initial_state"):
            state = specs.normalized(initial_state)
        state_spec, function = specs.spec_of(state), None
        while function is None or not specs.same(state_spec, _next_state(function)):
            if function is not None:
                state_spec = specs.widened(state_spec, _next_state(function))
            function = Function(scan_func, "tf.data.experimental.scan()", (state_spec, dataset.element_spec))
            check_state(state_spec, _next_state(function))
            if specs.same(specs.widened(state_spec, _next_state(function)), state_spec):
                break
        return dataset._then(scanning.scan_dataset, specs.packed(state, state_spec), function.captured,
                             spec=function.spec[1], f=function.graph, preserve_cardinality=True)

    return apply


def _next_state(function: Function) -> Any:
    if not isinstance(function.spec, tuple) or len(function.spec) != 2:
        raise TypeError(f"A scan function returns a pair, (next state, output). This one returns {function.spec}")
    return function.spec[0]


@export("data.experimental.take_while")
def take_while(predicate: Callable[..., Any]) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements before the first for which a function returns False.

    >>> small = tf.data.Dataset.range(10).apply(tf.data.experimental.take_while(lambda x: x < 5))

    Raises:
        TypeError: the function does not return a scalar tf.bool.
    """
    def apply(dataset: Any) -> Any:
        function = Function(predicate, "tf.data.experimental.take_while()", dataset.element_spec)
        check_scalar(function.spec, dtypes.bool, "take_while: `predicate` must give one tf.bool scalar")
        return dataset._then(scanning.take_while_dataset, function.captured, predicate=function.graph)

    return apply


@export("data.experimental.unique", "contrib.data.unique")
def unique() -> Callable[[Any], Any]:
    """For `Dataset.apply`: each element once, where it comes first.

    Raises:
        TypeError: the elements are not single tensors of tf.int32, tf.int64 or tf.string.
    """
    def apply(dataset: Any) -> Any:
        spec = dataset.element_spec
        if nest.is_nested(spec) or getattr(spec, "dtype", None) not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError("tf.data.experimental.unique compares elements of one component, a tf.int32, "
                            f"tf.int64 or tf.string tensor; these elements are {spec}.")
        return dataset._then(selecting.unique_dataset)

    return apply


@export("data.experimental.ignore_errors", "contrib.data.ignore_errors")
def ignore_errors() -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements that can be computed; those that raise an error are left out.

    >>> numbers = tf.data.Dataset.from_tensor_slices(["1", "x", "3"]).map(tf.string_to_number)
    >>> numbers = numbers.apply(tf.data.experimental.ignore_errors())
    """
    return lambda dataset: dataset._then(selecting.ignore_errors_dataset)


@export("data.experimental.enumerate_dataset", "contrib.data.enumerate_dataset")
def enumerate_dataset(start: Any = 0) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.enumerate`."""
    return lambda dataset: dataset.enumerate(start)


@export("data.experimental.shuffle_and_repeat", "contrib.data.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements several times, each time in another random order.

    Unlike `shuffle` followed by `repeat`, it fills the buffer for the next epoch while it empties it of the last.

    Args:
        buffer_size: the size of the buffer.
        count: how many times; for ever if it is None or -1.
        seed: gives the same order each time.
    """
    def apply(dataset: Any) -> Any:
        return dataset._then(shuffling.shuffle_and_repeat_dataset, number(buffer_size, "buffer_size"), *seeds_of(seed),
                             number(-1 if count is None else count, "count"))

    return apply

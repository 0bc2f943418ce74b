"""Batches and shapes: batch_and_drop_remainder, sliding_window_batch, assert_element_shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.data.arguments import number
from evergraph.frontend.math import ensure_shape
from evergraph.ops.data.sparse_batching import sliding_window_dataset


@export("contrib.data.batch_and_drop_remainder")
def batch_and_drop_remainder(batch_size: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.batch(batch_size, drop_remainder=True)`."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@export("contrib.data.padded_batch_and_drop_remainder")
def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any,
                                    padding_values: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.padded_batch` with `drop_remainder=True`."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


@export("contrib.data.sliding_window_batch")
def sliding_window_batch(window_size: Any, stride: Any = None, window_shift: Any = None,
                         window_stride: Any = 1) -> Callable[[Any], Any]:
    """For `Dataset.apply`: windows of consecutive elements, stacked.

    >>> windows = tf.data.Dataset.range(6).apply(tf.contrib.data.sliding_window_batch(3))   # [0 1 2], [1 2 3], ...

    Windows of fewer elements at the end are left out.

    Args:
        window_size: how many elements a window has.
        stride: an older name of `window_shift`.
        window_shift: how many elements later the next one begins; 1 by default.
        window_stride: every which element is in a window.

    Raises:
        ValueError: both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `window_shift` and `stride`")
    shift = next((each for each in (window_shift, stride) if each is not None), 1)

    def apply(dataset: Any) -> Any:
        given = [number(value, name) for value, name in (
            (window_size, "window_size"), (shift, "window_shift"), (window_stride, "window_stride"))]
        return dataset._then(sliding_window_dataset, *given, spec=specs.batched(dataset.element_spec, None))

    return apply


@export("contrib.data.assert_element_shape")
def assert_element_shape(expected_shapes: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same elements, which must have these shapes.

    A run raises tf.errors.InvalidArgumentError for an element that has another.

    Args:
        expected_shapes: a structure of shapes; unknown sizes fit any.

    Raises:
        ValueError: the static shapes of the elements do not fit.
    """
    def apply(dataset: Any) -> Any:
        spec = dataset.element_spec
        shapes = nest.flatten_up_to(spec, expected_shapes)
        merged = [specs.shape_of(leaf).merge_with(TensorShape(shape))
                  for leaf, shape in zip(nest.flatten(spec), shapes, strict=True)]

        def checked(*parts: Any) -> Any:
            flat = nest.flatten_up_to(spec, parts if type(spec) is tuple else parts[0])
            return nest.pack_sequence_as(spec, [
                value if isinstance(value, specs.SparseTensor) else ensure_shape(value, shape)
                for value, shape in zip(flat, merged, strict=True)])

        return dataset.map(checked)

    return apply

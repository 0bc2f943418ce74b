"""Convolutions of NumPy arrays, for sizes that do not come back: by the kernels in C, or as products of matrices.

A row of the first matrix holds what a window of the filter sees at one place. Images have their channels last here.
"""

from __future__ import annotations

import numpy as np

from evergraph.ops.nn import native_windows
from evergraph.ops.nn.native_windows import CONVOLVE
from evergraph.ops.nn.windows import offsets, padded, seen_at


def is_slow(dtype):
    """Whether convolutions of this dtype pay for small arrays alone, because no kernel in C computes them."""
    return not native_windows.takes(CONVOLVE, dtype, on_numpy=True)


def convolved(input, filter, axes, groups):
    """The convolution of images with a filter; `axes` describe how its windows slide."""
    if not is_slow(input.dtype) and all(axis.places for axis in axes):
        return _joined([native_windows.forward(CONVOLVE, part, kernel, axes)
                        for part, kernel in zip(_split(input, groups), _split(filter, groups))])
    shape = (input.shape[0], *(axis.places for axis in axes))
    parts = [_seen(part, axes) @ _flat(kernel) for part, kernel in zip(_split(input, groups), _split(filter, groups))]
    return np.concatenate(parts, 1).reshape(*shape, filter.shape[-1]).astype(input.dtype, copy=False)


def filter_gradient(input, sizes, dy, axes, groups):
    """The gradient by the filter, which has these sizes."""
    shape = (*sizes[:-1], sizes[-1] // groups)
    if not is_slow(dy.dtype):
        return _joined([native_windows.to_filter(CONVOLVE, part, given, axes, shape)
                        for part, given in zip(_split(input, groups), _split(dy, groups))])
    parts = [(_seen(part, axes).T @ _rows(given)).reshape(shape)
             for part, given in zip(_split(input, groups), _split(dy, groups))]
    return np.concatenate(parts, -1).astype(dy.dtype, copy=False)


def input_gradient(sizes, filter, dy, axes, groups):
    """The gradient by the images, which have these sizes."""
    if not is_slow(dy.dtype):
        return _joined([native_windows.to_input(CONVOLVE, kernel, given, axes)
                        for given, kernel in zip(_split(dy, groups), _split(filter, groups))])
    own = (*sizes[:-1], sizes[-1] // groups)
    parts = [_put_back(_rows(given) @ _flat(kernel).T, own, axes)
             for given, kernel in zip(_split(dy, groups), _split(filter, groups))]
    return np.concatenate(parts, -1).astype(dy.dtype, copy=False)


def _joined(parts):
    """The channels of all groups."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts, -1)


def _split(array, groups):
    """The parts of an array by groups of its last axis, which is that of channels."""
    array = array.astype(np.float32) if array.dtype.itemsize < 4 else array
    return [array] if groups == 1 else np.split(array, groups, axis=-1)


def _rows(array):
    return array.reshape(-1, array.shape[-1])


def _flat(filter):
    """The filter as a matrix: a row for each element of a window and channel, a column for each output channel."""
    return filter.reshape(-1, filter.shape[-1])


def _seen(input, axes):
    """What each window sees: a row for each place, a column for each element of a window and channel."""
    positions = range(1, input.ndim - 1)
    around = padded(np, input, axes, positions)
    return _rows(np.concatenate([seen_at(around, axes, positions, offset) for offset in offsets(axes)], -1))


def _put_back(seen, sizes, axes):
    """Adds up what windows have given back to the elements that they saw."""
    positions = range(1, len(sizes) - 1)
    around = padded(np, np.zeros(sizes, seen.dtype), axes, positions)
    total, channels = np.zeros(around.shape, seen.dtype), sizes[-1]
    places = seen.reshape(sizes[0], *(axis.places for axis in axes), -1)
    for number, offset in enumerate(offsets(axes)):
        seen_at(total, axes, positions, offset)[...] += places[..., number * channels:(number + 1) * channels]
    inside = total[(slice(None), *(slice(axis.before, axis.before + axis.size) for axis in axes))]
    missing = [(0, size - kept) for size, kept in zip(sizes, inside.shape, strict=True)]
    return np.pad(inside, missing) if any(after for _, after in missing) else inside

"""Framing and window functions: tf.signal.frame, overlap_and_add, hann_window, hamming_window."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import gather, where_v2
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor, sizes_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.math import elementwise


def _scalar(value, what):
    """A size as (tensor, number if it is static)."""
    tensor = sizes_to_tensor(value, what)
    if tensor.shape.ndims not in (None, 0):
        raise ValueError(f"{what} must be a scalar, but its shape is {tensor.shape}")
    known = static_value(tensor)
    return tensor, None if known is None else int(known)


def number(value, what):
    """A size as a number if it is static, else as a tensor."""
    tensor, known = _scalar(value, what)
    return tensor if known is None else known


# ---- windows

@export("signal.hann_window", "contrib.signal.hann_window")
def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """The Hann window: 0.5 - 0.5 * cos(2 pi n / N).

    Args:
        window_length: the number of points.
        periodic: whether a window of even length is periodic, as for spectral analysis; else it is symmetric.
        dtype: a floating dtype.
        name: a name for the operations.

    Raises:
        ValueError: the dtype is not floating.
    """
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


@export("signal.hamming_window", "contrib.signal.hamming_window")
def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """The Hamming window: 0.54 - 0.46 * cos(2 pi n / N); arguments as `tf.signal.hann_window`."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(name, default_name, window_length, periodic, dtype, middle, height):
    """middle - height * cos(2 pi n / period)."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"a window function has a floating point dtype, not {dtype.name}")
    with name_scope(name, default_name, [window_length, periodic]):
        length, known = _scalar(window_length, "window_length")
        if known == 1:
            return array.ones([1], dtype=dtype)
        periodic = math.cast(convert_to_tensor(periodic, dtypes.bool, name="periodic"), dtypes.int32)
        even = 1 - length % 2
        period = math.cast(length + periodic * even - 1, dtype)
        points = math.cast(math.range(length), dtype)
        angles = np.array(2 * np.pi, dtype.np) * points / period
        window = middle - height * elementwise.cos(angles)
        if known is None:  # a single point has no period
            window = where_v2(elementwise.equal(length, 1), array.ones_like(window), window)
        return window


# ---- frames

@export("signal.frame", "contrib.signal.frame", "contrib.signal.frames")
def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Splits an axis into frames of equal length, which overlap if the step is smaller.

    >>> tf.Session().run(tf.signal.frame([1, 2, 3, 4, 5], 3, 2))
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)

    Args:
        signal: [..., samples, ...].
        frame_length: the length of a frame.
        frame_step: the distance between the starts of frames.
        pad_end: whether to pad frames that extend beyond the signal; else they are dropped.
        pad_value: the padding value.
        axis: the axis to split.
        name: a name for the operations.

    Returns:
        [..., frames, frame_length, ...].

    Raises:
        ValueError: the signal is a scalar, or a size or the padding value is not.
    """
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = convert_to_tensor(signal, name="signal")
        axis = _known_axis(signal, axis)
        length, step = number(frame_length, "frame_length"), number(frame_step, "frame_step")
        known = None if signal.shape.ndims is None else signal.shape.as_list()[axis]
        samples = array.shape(signal)[axis] if known is None else known
        if pad_end:
            count = -(-samples // step)
            signal = filled_up(signal, pad_value, axis, samples, length + (count - 1) * step)
        else:
            count = _at_least_zero(1 + (samples - length) // step)
        starts = array.reshape(math.range(count), [-1, 1]) * step
        frames = gather(signal, starts + math.range(length), axis=axis)
        return _with_frames_shape(frames, signal, axis, count, length)


def _known_axis(signal, axis):
    if signal.shape.ndims is None:
        return int(axis)
    if signal.shape.ndims == 0:
        raise ValueError("signal must have at least one axis")
    if not -signal.shape.ndims <= axis < signal.shape.ndims:
        raise ValueError(f"axis {axis} is not one of the {signal.shape.ndims} axes of the signal")
    return int(axis)


def _at_least_zero(count):
    return max(0, count) if isinstance(count, int) else elementwise.maximum(0, count)


def filled_up(signal, pad_value, axis, samples, wanted):
    """The signal padded with `pad_value` to `wanted` samples."""
    value = convert_to_tensor(pad_value, signal.dtype.base_dtype, name="pad_value")
    if value.shape.ndims not in (None, 0):
        raise ValueError(f"pad_value must be a scalar, but its shape is {value.shape}")
    missing = _at_least_zero(wanted - samples)
    rank = signal.shape.ndims
    if rank is not None:
        paddings = [[0, 0] for _ in range(rank)]
        paddings[axis] = [0, missing]
    else:
        paddings = _paddings_of_unknown_rank(signal, axis, missing)
    return array.pad(signal, paddings, constant_values=value)


def _paddings_of_unknown_rank(signal, axis, missing):
    rank = array.rank(signal)
    own = array.stack([[0, missing]])
    before = array.zeros(array.stack([(rank + axis if axis < 0 else axis), 2]), dtypes.int32)
    after = array.zeros(array.stack([(-axis - 1 if axis < 0 else rank - axis - 1), 2]), dtypes.int32)
    return array.concat([before, own, after], 0)


def _with_frames_shape(frames, signal, axis, count, length):
    """Sets the static shape of the frames, which a gather with computed indices loses."""
    if signal.shape.ndims is not None:
        sizes = signal.shape.as_list()
        axis %= len(sizes)
        known = [size if isinstance(size, int) else None for size in (count, length)]
        frames.set_shape([*sizes[:axis], *known, *sizes[axis + 1:]])
    return frames


@export("signal.overlap_and_add", "contrib.signal.overlap_and_add")
def overlap_and_add(signal, frame_step, name=None):
    """Reconstructs a signal from overlapping frames (overlap-add): adds frames at offsets of `frame_step`.

    Args:
        signal: [..., frames, frame_length].
        frame_step: at most frame_length.
        name: a name for the operations.

    Returns:
        [..., (frames - 1) * frame_step + frame_length].

    Raises:
        ValueError: the signal has fewer than two axes, or the step is not an integer scalar.
    """
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = convert_to_tensor(signal, name="signal")
        if signal.shape.ndims is not None and signal.shape.ndims < 2:
            raise ValueError("signal must have at least two axes, of frames and of samples")
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        if not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Found {frame_step.dtype.name}")
        step = number(frame_step, "frame_step")
        sizes = array.shape(signal)
        count, length = (_size(signal, sizes, at) for at in (-2, -1))
        if isinstance(step, int) and step == length:
            return array.reshape(signal, array.concat([sizes[:-2], [-1]], 0), name="fast_path")
        result = _added(signal, sizes[:-2], count, length, step)
        if signal.shape.ndims is not None:
            whole = (count - 1) * step + length
            result.set_shape([*signal.shape.as_list()[:-2], whole if isinstance(whole, int) else None])
        return result


def _size(x, sizes, axis):
    known = None if x.shape.ndims is None else x.shape.as_list()[axis]
    return sizes[axis] if known is None else known


def _added(signal, outer, count, length, step):
    """The sum of all frames at their offsets.

    Each frame is split into parts of one step. Part p of frame f belongs to step f + p of the result. With one step of
    zeros more behind the frames than there are parts, reshaping the same numbers to rows that are one step shorter
    shifts each part by one more than the part before, so that the parts of one step are a column.
    """
    parts = -(-length // step)
    signal = filled_up(signal, 0, -1, length, parts * step)
    shaped = array.reshape(signal, array.concat([outer, array.stack([count, parts, step])], 0))
    turned = _swap(shaped, -3, -2)
    spaced = filled_up(turned, 0, -2, count, count + parts)
    flat = array.reshape(spaced, array.concat([outer, array.stack([parts * (count + parts), step])], 0))
    flat = flat[..., :parts * (count + parts - 1), :]
    moved = array.reshape(flat, array.concat([outer, array.stack([parts, count + parts - 1, step])], 0))
    steps = reduce_sum(moved, axis=-3)
    return array.reshape(steps, array.concat([outer, [-1]], 0))[..., :(count - 1) * step + length]


def _swap(x, one, other):
    """`x` with two axes, counted from the end, exchanged."""
    if x.shape.ndims is not None:
        order = list(range(x.shape.ndims))
        order[one], order[other] = order[other], order[one]
        return array.transpose(x, order)
    rank = array.rank(x)
    order = list(range(min(one, other), 0))
    order[one], order[other] = order[other], order[one]
    behind = array.stack([rank + place for place in order])
    return array.transpose(x, array.concat([math.range(rank - len(order)), behind], 0))

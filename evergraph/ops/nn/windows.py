"""The geometry of sliding windows: layouts, padding, output sizes, and offsets."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from evergraph.base import errors

MANY = 100  # windows with more elements are not unrolled offset by offset
_LARGEST = 2**31 - 1  # TensorFlow reads windows, strides and dilations as numbers of 32 bits
_MOST_PADDED = 2**28  # numbers of padded images that are always allowed: 1 GiB of float32
_MOST_NUMBERS = 2**40  # of a result: 4 TiB of float32
_TRIPLED = 27  # SAME and VALID make what `seen_part` leaves of an axis at most three times as long


def invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def channel_axis(data_format, rank):
    return 1 if data_format.startswith("NC") else rank - 1


def spatial_axes(data_format, rank):
    """The axes other than batch and channels."""
    return range(2, rank) if data_format.startswith("NC") else range(1, rank - 1)


def _places(size, reach, stride):
    """The number of positions, divided towards zero, as in C."""
    rest = size - reach + stride
    return rest // stride if rest >= 0 else -(-rest // stride)


def output_size(size, window, stride, padding, dilation=1, explicit=None, may_be_empty=False):
    """The number of positions of a window along one axis; None if unknown.

    Args:
        may_be_empty: whether the op has no output, and not an error, for a window that is hardly larger than the axis.

    Raises:
        ValueError: the window does not fit.
    """
    _check_range(ValueError, stride, dilation, window)
    if window == stride == 1 and not explicit:
        return size
    if size is not None and padding == "SAME":
        return (size + stride - 1) // stride
    if size is None or window is None:
        return None
    whole, reach = size + sum(explicit or (0,)), (window - 1) * dilation + 1
    if whole < reach and not (may_be_empty and _places(whole, reach, stride) == 0):
        raise ValueError(f"Negative dimension size caused by subtracting {reach} from {whole}")
    return _places(whole, reach, stride)


@dataclass(frozen=True)
class Axis:
    """A window sliding along one axis."""

    size: int
    window: int
    stride: int
    dilation: int
    before: int  # padding
    after: int
    places: int

    @property
    def reach(self):
        """The number of elements that a window spans."""
        return (self.window - 1) * self.dilation + 1


POINT = Axis(size=1, window=1, stride=1, dilation=1, before=0, after=0, places=1)


def _check_range(error, stride, dilation, window=1):
    for what, number in (("a stride", stride), ("a dilation", dilation)):
        if not 0 < number <= _LARGEST:
            raise error(f"{what} must be positive and fit in 32 bits, got {number}")
    if window is not None and not 0 <= window <= _LARGEST:
        raise error(f"a window must fit in 32 bits and not be negative, got {window}")


@functools.lru_cache(1024)
def axis_of(size, window, stride, padding, dilation=1, explicit=None):
    """The window's geometry along one axis, with its padding."""
    _check_range(invalid, stride, dilation, window)
    before, after = explicit or (0, 0)
    reach = (window - 1) * dilation + 1
    if padding == "SAME":
        places = (size + stride - 1) // stride
        missing = max((places - 1) * stride + reach - size, 0)
        before, after = missing // 2, missing - missing // 2
    else:
        places = _places(size + before + after, reach, stride)
    if places < 0:
        raise invalid(f"a window that reaches over {reach} does not fit in a size of {size}, with a stride of "
                      f"{stride}: {places} places")
    if places == 1:  # no window is a stride away: a large one would only take room where gradients are spread
        stride = max(min(stride, size + before + after - reach + 1), 1)
    return Axis(size, window, stride, dilation, before, after, places)


@dataclass(frozen=True)
class Part:
    """The part of a window's movement along one axis that sees anything but padding.

    The other elements of the window, and the other places, see zeros alone. A dilation of a million leaves one element
    of a window over a small image, which needs no padding then.
    """

    axis: Axis  # the geometry of this part: its window may be empty
    elements: slice  # of the window
    places: slice
    inputs: slice  # the input without what this part does not see in front


@functools.lru_cache(1024)
def seen_part(axis):
    """The part of the movement along an axis that sees anything but padding; None if that is all of it."""
    part, first, start = axis, 0, 0
    while True:
        missed = max(_ceiling(part.before - (part.places - 1) * part.stride, part.dilation), 0)
        window = min(part.window, (part.size - 1 + part.before) // part.dilation + 1) - missed
        if window < 1 or part.places < 1:
            nothing = slice(0, 0)
            return Part(replace(axis, window=0, places=0), nothing, nothing, nothing)
        before = part.before - missed * part.dilation
        early = max(_ceiling(before - (window - 1) * part.dilation, part.stride), 0)
        places = min(part.places, (part.size - 1 + before) // part.stride + 1) - early
        if window == part.window and places == part.places:
            break
        first, start = first + missed, start + early
        part = replace(part, window=window, before=before - early * part.stride, places=places)
    if part is axis:
        return None
    skipped = max(-part.before, 0)
    part = replace(part, size=part.size - skipped, before=max(part.before, 0))
    after = (part.places - 1) * part.stride + part.reach - part.size - part.before
    return Part(replace(part, after=after), slice(first, first + part.window), slice(start, start + part.places),
                slice(skipped, None))


def _ceiling(number, divisor):
    return -(-number // divisor)


def seen_parts(axes):
    """The parts along several axes that see anything but padding; None if that is all along each of them."""
    parts = [seen_part(axis) for axis in axes]
    if all(part is None for part in parts):
        return None
    every = slice(None)
    return [Part(axis, every, every, every) if part is None else part for axis, part in zip(axes, parts)]


def sees_nothing(parts):
    """Whether all that windows see is padding."""
    return not all(part.axis.window for part in parts)


def cut(parts, which, positions, rank):
    """The slices of a tensor with this rank for parts of its axes: for their `inputs`, `places` or `elements`."""
    slices = [slice(None)] * rank
    for part, at in zip(parts, positions):
        slices[at] = getattr(part, which)
    return tuple(slices)


def spread(xp, part, slices, shape, fill=0):
    """`fill` in this shape, with `part` at the slices."""
    starts = [each.start or 0 for each in slices]
    pads = [(start, whole - start - size) for start, size, whole in zip(starts, part.shape, shape, strict=True)]
    return xp.pad(part, pads, constant_values=np.asarray(fill, part.dtype)) if any(map(any, pads)) else part


def check_padded(axes, images, channels):
    """Raises unless images with their padding are about as large as without it, or small.

    Raises:
        ResourceExhaustedError: they are not.
    """
    around = images * channels * math.prod([max((a.places - 1) * a.stride + a.reach, a.size) for a in axes])
    if around > _MOST_PADDED and around > _TRIPLED * images * channels * math.prod([axis.size for axis in axes]):
        raise errors.ResourceExhaustedError(None, None, (
            f"images of {[axis.size for axis in axes]} with a padding of {[(a.before, a.after) for a in axes]} would "
            f"be {around} numbers"))


def check_room(numbers, what):
    """Raises ResourceExhaustedError unless a machine may have room for so many numbers."""
    if numbers > _MOST_NUMBERS:
        raise errors.ResourceExhaustedError(None, None, f"{what} would be {numbers} numbers")


def pairs(explicit_paddings, axis):
    """The padding before and after an axis from a flat list; None if there is none."""
    return tuple(explicit_paddings[2 * axis : 2 * axis + 2]) if explicit_paddings else None


def offsets(axes):
    """All offsets in a window, in row-major order."""
    return itertools.product(*(range(axis.window) for axis in axes))


def padded(xp, x, axes, positions, fill=0):
    """`x` with the windows' padding; cropped where windows skip elements (`after` is negative)."""
    pads, cut = [(0, 0)] * x.ndim, [slice(None)] * x.ndim
    for axis, at in zip(axes, positions):
        needed = (axis.places - 1) * axis.stride + axis.reach if axis.places else axis.reach
        extra = max(needed - axis.size - axis.before, 0)
        pads[at] = (axis.before, extra)
        cut[at] = slice(0, needed)
    if any(p != (0, 0) for p in pads):
        x = xp.pad(x, pads, constant_values=np.asarray(fill, x.dtype))
    return x[tuple(cut)]


def seen_at(x, axes, positions, offset):
    """The elements of padded `x` at one offset of all windows, one per position."""
    cut = [slice(None)] * x.ndim
    for axis, at, step in zip(axes, positions, offset):
        start = step * axis.dilation
        cut[at] = slice(start, start + (axis.places - 1) * axis.stride + 1 if axis.places else start, axis.stride)
    return x[tuple(cut)]


# ---- gradients: which windows cover an element


def stretched(xp, x, axes, positions, fill=0):
    """`x`, which has one element per window position, spread so that the windows that cover an element can be read.

    Slices of the result (see `windows_over`) align with the input of the windows. So reads replace scatter-adds, which
    compilers turn into one fast loop. Dilated windows are not supported.
    """
    for axis, at in zip(axes, positions):
        last = (axis.size - 1 + axis.before) // axis.stride if axis.size else -1
        x = _fitted(xp, x, at, _overlap(axis) - 1, last + 1 - axis.places, fill)
        x = xp.repeat(x, axis.stride, axis=at) if axis.stride > 1 else x
    return x


def _overlap(axis):
    """The number of windows that may cover one element."""
    return -(-axis.window // axis.stride)


def _fitted(xp, x, at, before, after, fill):
    """`x` padded in front, and padded or cropped behind."""
    pads = [(0, 0)] * x.ndim
    pads[at] = (before, max(after, 0))
    x = xp.pad(x, pads, constant_values=np.asarray(fill, x.dtype))
    return x if after >= 0 else x[(*[slice(None)] * at, slice(0, x.shape[at] + after))]


def windows_over(axes, positions, rank):
    """For each way in which windows cover elements: (slices of a stretched tensor, the offset of each element).

    The offset has one array per axis, shaped to broadcast; `window` or more means that no window covers the element.
    """
    for back in itertools.product(*(range(_overlap(axis)) for axis in axes)):
        cut, where = [slice(None)] * rank, []
        for axis, at, steps in zip(axes, positions, back):
            start = axis.before + (_overlap(axis) - 1 - steps) * axis.stride
            cut[at] = slice(start, start + axis.size)
            every = np.arange(axis.size if axis.stride > 1 else 1)
            offset = (every + axis.before) % axis.stride + steps * axis.stride
            where.append(offset.reshape([-1 if i == at else 1 for i in range(rank)]))
        yield tuple(cut), where

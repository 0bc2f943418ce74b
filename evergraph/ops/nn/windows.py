"""The geometry of sliding windows: layouts, padding, output sizes, and offsets."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from evergraph.base import errors

MANY = 100  # windows with more elements are not unrolled offset by offset


def invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def channel_axis(data_format, rank):
    return 1 if data_format.startswith("NC") else rank - 1


def spatial_axes(data_format, rank):
    """The axes other than batch and channels."""
    return range(2, rank) if data_format.startswith("NC") else range(1, rank - 1)


def output_size(size, window, stride, padding, dilation=1, explicit=None):
    """The number of positions of a window along one axis; None if unknown.

    Raises:
        ValueError: the window does not fit.
    """
    if window == stride == 1 and not explicit:
        return size
    if size is not None and padding == "SAME":
        return (size + stride - 1) // stride
    if size is None or window is None:
        return None
    whole, reach = size + sum(explicit or (0,)), (window - 1) * dilation + 1
    if whole < reach:
        raise ValueError(f"Negative dimension size caused by subtracting {reach} from {whole}")
    return (whole - reach) // stride + 1


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


def axis_of(size, window, stride, padding, dilation=1, explicit=None):
    """The window's geometry along one axis, with its padding."""
    before, after = explicit or (0, 0)
    reach = (window - 1) * dilation + 1
    if padding == "SAME":
        places = (size + stride - 1) // stride
        missing = max((places - 1) * stride + reach - size, 0)
        before, after = missing // 2, missing - missing // 2
    else:
        places = (size + before + after - reach) // stride + 1
    if places < 0:
        raise invalid(f"a window that reaches over {reach} does not fit in a size of {size}, with a stride of "
                      f"{stride}: {places} places")
    return Axis(size, window, stride, dilation, before, after, places)


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

"""PeriodicResample: moves elements of one axis to the others, as sub-pixel convolution does (Shi et al., 2016)."""

from __future__ import annotations

import math

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op


def _sizes(shape):
    """A shape attr as a list with None for the adjustable axis."""
    return [None if size is None or size < 0 else int(size) for size in shape]


def _target(have, wanted):
    """(the shape of the output, the adjustable axis).

    Raises:
        InvalidArgumentError: ranks differ, there is not exactly one adjustable axis, or an axis would shrink.
    """
    if len(have) != len(wanted):
        raise invalid(f"periodic_resample expects the rank of the input tensor, {len(have)}, to be the same as the "
                      f"length of the desired shape, {len(wanted)}.")
    free = [axis for axis, size in enumerate(wanted) if size is None]
    for axis, (old, new) in enumerate(zip(have, wanted)):
        if new is not None and new < old:
            raise invalid(f"periodic_resample cannot shrink an axis. Dimension {axis} input tensor has size {old}, "
                          f"desired shape has size {new}.")
    if len(free) != 1:
        raise invalid(f"periodic_resample needs one None in the desired shape, but there are {len(free)}")
    fixed = math.prod(size for size in wanted if size is not None)
    rest = math.prod(have) // fixed if fixed else 0
    return [rest if size is None else size for size in wanted], free[0]


def _sources(have, wanted):
    """For each axis of the input, the index that every element of the output comes from."""
    target, free = _target(have, wanted)
    places = np.meshgrid(*map(np.arange, target), indexing="ij", sparse=True)
    sources, stride, along = [None] * len(have), 1, places[free]
    for axis, (old, new) in enumerate(zip(have, target)):
        if axis == free:
            continue
        times = -(-new // old) if old else 1
        sources[axis] = places[axis] // times
        along = along + target[free] * stride * (places[axis] % times)
        stride *= times
    sources[free] = np.minimum(along, max(have[free] - 1, 0))  # factors that are not whole reach beyond the end
    return tuple(sources)


@op("PeriodicResample(values: T, *, T: number, shape: shape) -> output: T", on="host")
def periodic_resample(values, shape):
    """Spreads one axis over the others, so that these have the sizes in `shape`."""
    return values[_sources(values.shape, _sizes(shape))]


@periodic_resample.shape
def _(values, shape):
    wanted = tuple(_sizes(shape))
    if values is None or None in values:
        return wanted
    return tuple(_target(values, wanted)[0])


@op("PeriodicResampleOpGrad(grad: T, *, T: number, original_shape: shape, desired_shape: shape) -> grad_values: T",
    shape=lambda original_shape: tuple(_sizes(original_shape)), on="host")
def periodic_resample_op_grad(grad, original_shape, desired_shape):
    """The gradient of PeriodicResample: every element goes back to where it came from."""
    have = _sizes(original_shape)
    found = np.zeros(have, grad.dtype)
    np.add.at(found, _sources(have, _sizes(desired_shape)), grad)
    return found


@periodic_resample.grad
def _(node, dy):
    return periodic_resample_op_grad(dy, original_shape=node.inputs[0].shape, desired_shape=node.get_attr("shape"))

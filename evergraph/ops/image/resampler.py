"""Resampler: bilinear sampling of images at arbitrary positions."""
from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.ops.math.linalg import precise

_KINDS = "T: {half, bfloat16, float, double}"


def _check(data, warp):
    if data.ndim != 4:
        raise errors.UnimplementedError(None, None, "Only bilinear interpolation is currently supported. The input "
                                        f"data shape should be [batch, height, width, channels], but is {data.shape}")
    if warp.ndim < 2:
        raise errors.InvalidArgumentError(None, None, f"warp should be at least a matrix, got shape {warp.shape}")
    if warp.shape[-1] != 2:
        raise errors.UnimplementedError(None, None, "Only bilinear interpolation is supported, warping coordinates "
                                        f"must be 2D; the last axis of warp has {warp.shape[-1]} numbers")
    if data.shape[0] != warp.shape[0]:
        raise errors.InvalidArgumentError(None, None, "Batch size of data and warp tensor must be the same, but are "
                                          f"{data.shape[0]} and {warp.shape[0]}")


class _Places:
    """The four pixels around each position, in images of the shape [batch, height * width, channels]."""

    def __init__(self, xp, data, warp):
        self.xp, (_, self.height, self.width, _) = xp, data.shape
        places = warp.reshape(warp.shape[0], -1, 2)
        x, y = places[..., 0], places[..., 1]
        # Up to one pixel outside the image the values fade out; beyond that they are zero.
        self.seen = (x > -1) & (y > -1) & (x < self.width) & (y < self.height)
        left, top = (xp.where(self.seen, xp.floor(each), 0) for each in (x, y))
        self.left, self.top = left.astype(np.int32), top.astype(np.int32)
        self.across, self.down = (xp.where(self.seen, each - low, 0) for each, low in ((x, left), (y, top)))

    def corners(self):
        """For each of the four pixels (index, whether it is inside, horizontal weight, vertical weight)."""
        for right in (0, 1):
            for below in (0, 1):
                column, row = self.left + right, self.top + below
                inside = self.seen & (column >= 0) & (column < self.width) & (row >= 0) & (row < self.height)
                index = self.xp.where(inside, row * self.width + column, 0)
                yield (index, inside, self.across if right else 1 - self.across,
                       self.down if below else 1 - self.down, 2 * right - 1, 2 * below - 1)


def _pixels(xp, flat, index, inside):
    """The pixels at these indices, zero if outside."""
    return xp.where(inside[..., None], xp.take_along_axis(flat, index[..., None], axis=1), 0)


def _read_shape(data, warp):
    if warp is None or not warp:
        return None
    return (*warp[:-1], None if data is None or not data else data[-1])


@op(f"Resampler(data: T, warp: T, *, {_KINDS}) -> output: T", shape=_read_shape)
def resampler(xp, data, warp):
    """Samples images at the positions in `warp` by bilinear interpolation; zero outside the image."""
    _check(data, warp)
    pixels, places = precise(data), _Places(xp, data, precise(warp))
    flat = pixels.reshape(data.shape[0], -1, data.shape[-1])
    total = sum(_pixels(xp, flat, index, inside) * (across * down)[..., None]
                for index, inside, across, down, _, _ in places.corners())
    return total.reshape(*warp.shape[:-1], data.shape[-1])


@op(f"ResamplerGrad(data: T, warp: T, grad_output: T, *, {_KINDS}) -> grad_data: T, grad_warp: T",
    shape=lambda data, warp: [data, warp])
def resampler_grad(xp, data, warp, grad_output):
    """The gradients of Resampler with respect to the images and the positions."""
    _check(data, warp)
    pixels, places = precise(data), _Places(xp, data, precise(warp))
    flat = pixels.reshape(data.shape[0], -1, data.shape[-1])
    back = precise(grad_output).reshape(data.shape[0], -1, data.shape[-1])
    by_data, by_x, by_y = xp.zeros_like(flat), 0, 0
    for index, inside, across, down, sign_x, sign_y in places.corners():
        share = xp.where(inside, across * down, 0)[..., None]
        by_data = _added(xp, by_data, index, share * back)
        slope = (_pixels(xp, flat, index, inside) * back).sum(axis=-1)
        by_x, by_y = by_x + sign_x * down * slope, by_y + sign_y * across * slope
    by_warp = xp.where(places.seen[..., None], xp.stack([by_x, by_y], axis=-1), 0)
    return by_data.reshape(data.shape), by_warp.reshape(warp.shape)


def _added(xp, total, index, parts):
    """`total` with `parts` added to the pixels at these indices, image by image."""
    images = np.arange(total.shape[0])[:, None]
    if xp is np:
        total = total.copy()
        np.add.at(total, (images, index), parts)
        return total
    return total.at[images, index].add(parts)


resampler.grad(lambda op, dy: list(resampler_grad(*op.inputs, dy)))

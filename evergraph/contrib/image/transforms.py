"""tf.contrib.image: rotations, translations and other projective transforms of images.

A transform is eight numbers [a0, a1, a2, b0, b1, b2, c0, c1]: the pixel (x, y) of the result is read at
((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with k = c0 x + c1 y + 1.
"""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import stop_gradient
from evergraph.ops.image.resampler import resampler
from evergraph.ops.math import elementwise

_DTYPES = (dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64)


@export("contrib.image.rotate")
def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Rotates images counterclockwise.

    Args:
        images: [height, width], [height, width, channels] or [batch, height, width, channels].
        angles: radians, one number or one for each image.
        interpolation: "NEAREST" or "BILINEAR".
        name: a name for the operations.

    Returns:
        Images of the same shape; what was outside is zero.
    """
    with name_scope(name, "rotate", [images, angles]):
        images = convert_to_tensor(images)
        height, width = (math.cast(size, dtypes.float32) for size in _sizes(images))
        return transform(images, angles_to_projective_transforms(angles, height, width), interpolation)


@export("contrib.image.translate")
def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Moves images by [dx, dy] pixels, to the right and down; what was outside is zero.

    Args:
        images: [height, width], [height, width, channels] or [batch, height, width, channels].
        translations: [dx, dy], or one for each image.
        interpolation: "NEAREST" or "BILINEAR".
        name: a name for the operations.
    """
    with name_scope(name, "translate", [images, translations]):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


@export("contrib.image.angles_to_projective_transforms")
def angles_to_projective_transforms(angles: Any, image_height: Any, image_width: Any,
                                    name: str | None = None) -> Tensor:
    """The transforms, [n, 8], that rotate images of this size about their middle.

    Args:
        angles: radians, one number or several.
        image_height: the height of the images.
        image_width: the width of the images.
        name: a name for the operations.
    """
    with name_scope(name, "angles_to_projective_transforms", [angles]):
        angles = array.reshape(convert_to_tensor(angles, dtypes.float32), [-1])
        right, bottom = (math.cast(size, dtypes.float32) - 1.0 for size in (image_width, image_height))
        cos, sin = elementwise.cos(angles), elementwise.sin(angles)
        x = (right - (cos * right - sin * bottom)) / 2.0
        y = (bottom - (sin * right + cos * bottom)) / 2.0
        zero = array.zeros_like(angles)
        return array.stack([cos, -sin, x, sin, cos, y, zero, zero], 1)


@export("contrib.image.translations_to_projective_transforms")
def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Tensor:
    """The transforms, [n, 8], that move images by [dx, dy] pixels.

    Args:
        translations: [dx, dy], or a matrix of such rows.
        name: a name for the operations.
    """
    with name_scope(name, "translations_to_projective_transforms", [translations]):
        rows = array.reshape(convert_to_tensor(translations, dtypes.float32), [-1, 2])
        zero, one = array.zeros_like(rows[:, 0]), array.ones_like(rows[:, 0])
        return array.stack([one, zero, -rows[:, 0], zero, one, -rows[:, 1], zero, zero], 1)


@export("contrib.image.transform")
def transform(images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None,
              name: str | None = None) -> Tensor:
    """Images read at other places: [a0, a1, a2, b0, b1, b2, c0, c1] say where each pixel comes from.

    Args:
        images: [height, width], [height, width, channels] or [batch, height, width, channels].
        transforms: eight numbers, or eight for each image. Gradients do not reach them.
        interpolation: "NEAREST" or "BILINEAR".
        output_shape: [height, width] of the result; by default those of the images.
        name: a name for the operations.

    Returns:
        The images; places outside are zero.

    Raises:
        TypeError: the dtype is none of images.
        ValueError: the rank is not from 2 to 4, or `interpolation` is unknown.
    """
    with name_scope(name, "transform", [images, transforms]):
        images = convert_to_tensor(images)
        if images.dtype.base_dtype not in _DTYPES:
            raise TypeError(f"images must be of one of {[d.name for d in _DTYPES]}, not {images.dtype.name}")
        if interpolation not in ("NEAREST", "BILINEAR"):
            raise ValueError(f"interpolation must be NEAREST or BILINEAR, not {interpolation!r}")
        batch = _as_batch(images)
        size = _sizes(images) if output_shape is None else array.unstack(
            convert_to_tensor(output_shape, dtypes.int32), 2)
        places = stop_gradient(_places(transforms, array.shape(batch)[0], *size))
        read = _nearest if interpolation == "NEAREST" else _mixed
        return _as_given(read(batch, places), images, output_shape)


def _sizes(images: Tensor) -> list[Any]:
    """[height, width], as numbers where they are known."""
    rank = images.shape.ndims
    if rank not in (2, 3, 4):
        raise ValueError(f"images must have a known rank from 2 to 4, the shape is {images.shape}")
    first = 1 if rank == 4 else 0
    static = images.shape.as_list()[first:first + 2]
    return [array.shape(images)[first + at] if size is None else size for at, size in enumerate(static)]


def _as_batch(images: Tensor) -> Tensor:
    """[batch, height, width, channels]."""
    if images.shape.ndims == 2:
        return images[None, :, :, None]
    return images[None] if images.shape.ndims == 3 else images


def _as_given(batch: Tensor, images: Tensor, output_shape: Any) -> Tensor:
    """A batch in the form that the images had."""
    if images.shape.ndims == 2:
        batch = batch[0, :, :, 0]
    elif images.shape.ndims == 3:
        batch = batch[0]
    if output_shape is None:
        batch.set_shape(images.shape)
    return batch


def _places(transforms: Any, count: Any, height: Any, width: Any) -> Tensor:
    """Where each pixel of the result is read: [batch, height, width, 2], as (x, y)."""
    transforms = convert_to_tensor(transforms, dtypes.float32)
    if transforms.shape.ndims == 1:
        transforms = transforms[None]
    rows = transforms + array.zeros(array.stack([count, 8]), dtypes.float32)
    a0, a1, a2, b0, b1, b2, c0, c1 = array.unstack(rows[:, :, None, None], 8, axis=1)
    x = math.cast(math.range(width), dtypes.float32)[None, None, :]
    y = math.cast(math.range(height), dtypes.float32)[None, :, None]
    depth = c0 * x + c1 * y + 1.0
    is_seen = elementwise.not_equal(depth, 0.0)
    depth = indexing.where(is_seen, depth, array.ones_like(depth))
    found = [(a0 * x + a1 * y + a2) / depth, (b0 * x + b1 * y + b2) / depth]
    return array.stack([indexing.where(is_seen, each, array.zeros_like(each) - 2.0) for each in found], 3)


def _nearest(batch: Tensor, places: Tensor) -> Tensor:
    """The pixel nearest to each place; halves are rounded away from zero."""
    half = indexing.where(elementwise.less(places, 0.0), array.zeros_like(places) - 0.5,
                          array.zeros_like(places) + 0.5)
    towards = math.cast(math.cast(places + half, dtypes.int64), dtypes.int32)
    x, y = towards[..., 0], towards[..., 1]
    shape = array.shape(batch)
    is_inside = elementwise.logical_and(elementwise.logical_and(x >= 0, x < shape[2]),
                                        elementwise.logical_and(y >= 0, y < shape[1]))
    zero = array.zeros_like(x)
    safe = indexing.where(is_inside, y, zero), indexing.where(is_inside, x, zero)
    number = math.range(shape[0])[:, None, None] + zero
    found = indexing.gather_nd(batch, array.stack([number, *safe], -1))
    return found * math.cast(is_inside[..., None], batch.dtype)


def _mixed(batch: Tensor, places: Tensor) -> Tensor:
    """The four pixels around each place, mixed; pixels outside are zero."""
    if batch.dtype.base_dtype.is_floating:
        return resampler(batch, math.cast(places, batch.dtype))
    return math.cast(resampler(math.cast(batch, dtypes.float32), places), batch.dtype)


@export("contrib.image.compose_transforms")
def compose_transforms(*transforms: Any) -> Tensor:
    """The transform that is the same as several, one after the other.

    Raises:
        ValueError: there is none.
    """
    if not transforms:
        raise ValueError("compose_transforms needs a transform at least")
    composed = flat_transforms_to_matrices(transforms[0])
    for each in transforms[1:]:
        composed = matmul(composed, flat_transforms_to_matrices(each))
    return matrices_to_flat_transforms(composed)


@export("contrib.image.flat_transforms_to_matrices")
def flat_transforms_to_matrices(transforms: Any) -> Tensor:
    """Transforms, [8] or [n, 8], as matrices, [n, 3, 3]."""
    rows = array.reshape(convert_to_tensor(transforms, dtypes.float32), [-1, 8])
    return array.reshape(array.concat([rows, array.ones_like(rows[:, :1])], 1), [-1, 3, 3])


@export("contrib.image.matrices_to_flat_transforms")
def matrices_to_flat_transforms(transform_matrices: Any) -> Tensor:
    """Matrices, [n, 3, 3], as transforms, [n, 8]: scaled so that the last number is 1."""
    rows = array.reshape(convert_to_tensor(transform_matrices), [-1, 9])
    return rows[:, :8] / rows[:, 8:]

"""Ops that adjust the colours of images, and ops that extract patches."""
from __future__ import annotations

import math

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, VJP, op
from evergraph.graph.shaping import at_least_rank, with_rank
from evergraph.kernel.fence import computed_once
from evergraph.ops.arrays.casting import as_dtype
from evergraph.ops.nn.windows import axis_of, check_room, output_size

_F = np.float32

# ---- contrast


def _contrast_shape(images, contrast_factor):
    with_rank(contrast_factor, 0)
    return at_least_rank(images, 3, "images")


def _contrasted(xp, images, factor):
    """Images with the distance of each pixel from its channel's mean multiplied."""
    if np.ndim(images) < 3:
        raise invalid(f"images have rank 3 at least; these have the shape {list(np.shape(images))}")
    count = np.shape(images)[-3] * np.shape(images)[-2]
    # XLA adds whole rows of an image many numbers at a time, but pixels channel by channel.
    rows = computed_once(xp.sum(images, axis=-3, keepdims=True, dtype=_F))
    mean = xp.sum(rows, axis=-2, keepdims=True) / _F(count)  # of no pixel: NaN, without a warning
    return computed_once((images - mean) * factor + mean)


@op("AdjustContrastv2(images: T, contrast_factor: float, *, T: {half, float} = float) -> output: T",
    shape=_contrast_shape, grad=VJP)
def adjust_contrastv2(xp, images, contrast_factor):
    """Adjusts contrast: multiplies the distance of each pixel from the mean of its image and channel."""
    return _contrasted(xp, images, contrast_factor)


@op("AdjustContrast(images: T, contrast_factor: float, min_value: float, max_value: float, *, "
    "T: {index, uint8, int8, int16, float, double}) -> output: float", shape=_contrast_shape, grad=STOP)
def adjust_contrast(xp, images, contrast_factor, min_value, max_value):
    """AdjustContrastv2 for any dtype, with the result clipped to two bounds."""
    return xp.clip(_contrasted(xp, images.astype(_F), contrast_factor), min_value, max_value)


# ---- hue, saturation, value


def _channels(images):
    """Red, green and blue (or hue, saturation and value) of images."""
    if np.ndim(images) < 1 or np.shape(images)[-1] != 3:
        raise errors.FailedPreconditionError(
            None, None, f"input must have 3 channels but has shape {list(np.shape(images))}")
    return (images[..., channel] for channel in range(3))


def _hsv(xp, images):
    """Hue (as a fraction of the circle), saturation and value of RGB images."""
    red, green, blue = _channels(images)
    value = xp.maximum(red, xp.maximum(green, blue))
    reach = value - xp.minimum(red, xp.minimum(green, blue))
    zero, one, third = (images.dtype.type(number) for number in (0, 1, 1 / 3))
    saturation = xp.where(value > 0, reach / xp.where(value > 0, value, one), zero)
    step = 1 / (6 * xp.where(reach > 0, reach, one))
    hue = xp.where(red == value, step * (green - blue),
                   xp.where(green == value, step * (blue - red) + third, step * (red - green) + 2 * third))
    hue = xp.where(reach > 0, hue, zero)
    return xp.where(hue < 0, hue + 1, hue), saturation, value


def _rgb(xp, hue, saturation, value):
    """Converts hue, saturation and value to RGB; the hue is periodic."""
    turn = 6 * hue
    shares = xp.abs(turn - 3) - 1, 2 - xp.abs(turn - 2), 2 - xp.abs(turn - 4)
    colours = [(1 - saturation + saturation * xp.clip(share, 0, 1)) * value for share in shares]
    return computed_once(xp.stack(colours, axis=-1))  # fused into a sum, XLA would compute them number by number


def _colours(images):
    if images is None:
        return None
    if at_least_rank(images, 1)[-1] not in (None, 3):
        raise ValueError(f"Dimension must be 3 but is {images[-1]}")
    return (*images[:-1], 3)


@op("RGBToHSV(images: T, *, T: floating = float) -> output: T", shape=_colours, grad=VJP,
    export=("image.rgb_to_hsv",))
def rgb_to_hsv(xp, images):
    """Converts RGB images to HSV (hue, saturation, value), all between 0 and 1 if the images are."""
    return computed_once(xp.stack(_hsv(xp, images), axis=-1))


@op("HSVToRGB(images: T, *, T: floating = float) -> output: T", shape=_colours, grad=STOP,
    export=("image.hsv_to_rgb",))
def hsv_to_rgb(xp, images):
    """Converts HSV images (hue, saturation, value) to RGB."""
    return _rgb(xp, *_channels(images))


@op("AdjustHue(images: T, delta: float, *, T: {half, float} = float) -> output: T", grad=VJP)
def adjust_hue(xp, images, delta):
    """Adjusts the hue of RGB images: shifts it around the colour circle, whose length is 1."""
    wide = images.astype(_F)
    least = xp.min(wide, axis=-1) if np.shape(images)[-1] else wide
    hue, _, value = _hsv(xp, wide)
    hue = hue + delta
    # The pixel keeps its largest and smallest channel, whatever their signs.
    pure = _rgb(xp, hue - xp.floor(hue), _F(1), _F(1))
    return least[..., None] + pure * (value - least)[..., None]


@op("AdjustSaturation(images: T, scale: float, *, T: {half, float} = float) -> output: T", grad=VJP)
def adjust_saturation(xp, images, scale):
    """Adjusts the saturation of RGB images: multiplies it, clipped to 1."""
    hue, saturation, value = _hsv(xp, images.astype(_F))
    return _rgb(xp, hue, xp.clip(saturation * scale, 0, 1), value)


@adjust_hue.shape
def _(images, delta):
    with_rank(delta, 0)
    return at_least_rank(images, 3, "images")


@adjust_saturation.shape
def _(images, scale):
    with_rank(scale, 0)
    return at_least_rank(images, 3, "images")


# ---- patches


def _patch_axes(sizes, lengths, strides, rates, padding):
    """How patches lie along the axes of space."""
    return [axis_of(sizes[at], lengths[at], strides[at], padding, rates[at]) for at in range(1, len(lengths) - 1)]


def _patches(xp, images, lengths, strides, rates, padding):
    """Patches over the spatial axes: [batch, positions..., flattened patch]."""
    if np.ndim(images) != len(lengths):
        raise invalid(f"input must be {len(lengths)}-dimensional, got shape {list(np.shape(images))}")
    axes = _patch_axes(images.shape, lengths, strides, rates, padding)
    check_room(images.shape[0] * images.shape[-1] * math.prod([axis.places * axis.window for axis in axes]), "patches")
    for at, axis in enumerate(axes, 1):  # each row of each patch, or a row of zeros
        rows = np.arange(axis.places)[:, None] * axis.stride + np.arange(axis.window) * axis.dilation - axis.before
        inside = (rows >= 0) & (rows < axis.size)
        if not inside.all():
            images = xp.pad(images, [(0, int(axis == at)) for axis in range(images.ndim)])
        images = xp.take(images, np.where(inside, rows, axis.size).ravel(), axis=at)
    sizes = [size for axis in axes for size in (axis.places, axis.window)]
    images = xp.reshape(images, [images.shape[0], *sizes, images.shape[-1]])
    places, within = list(range(1, 2 * len(axes), 2)), list(range(2, 2 * len(axes) + 1, 2))
    images = xp.transpose(images, [0, *places, *within, 2 * len(axes) + 1])
    return xp.reshape(images, [*images.shape[:len(axes) + 1], math.prod(images.shape[len(axes) + 1:])])


def _windows(what, values, rank):
    """Checks the sizes, strides or rates of a window: positive, and 1 along batch and channels."""
    if len(values) != rank:
        raise ValueError(f"{what} requires the {rank} elements, but got {len(values)}")
    if values[0] != 1 or values[-1] != 1:
        raise errors.UnimplementedError(None, None, f"{what} must be 1 along the batch and channels, not {values}")
    if min(values) < 1:
        raise ValueError(f"{what} must be positive: {values}")


def _patches_shape(images, lengths, strides, rates, padding):
    rank = len(lengths)
    images = with_rank(images, rank)
    for what, values in (("ksizes", lengths), ("strides", strides), ("rates", rates)):
        _windows(what, values, rank)
    places = [output_size(images[at], lengths[at], strides[at], padding, rates[at], may_be_empty=True)
              for at in range(1, rank - 1)]
    depth = None if images[-1] is None else images[-1] * math.prod(lengths)
    return (images[0], *places, depth)


@op("ExtractImagePatches(images: T, *, ksizes: list(int) >= 4, strides: list(int) >= 4, rates: list(int) >= 4, "
    "T: real, padding: {'SAME', 'VALID'}) -> patches: T", grad=VJP, multilinear=True)
def extract_image_patches(xp, images, ksizes, strides, rates, padding):
    """Extracts patches of images (im2col): each window, flattened into the last axis."""
    return _patches(xp, images, ksizes, strides, rates, padding)


@extract_image_patches.shape
def _(images, ksizes, strides, rates, padding):
    return _patches_shape(images, ksizes, strides, rates, padding)


@op("ExtractVolumePatches(input: T, *, ksizes: list(int) >= 5, strides: list(int) >= 5, T: real, "
    "padding: {'SAME', 'VALID'}) -> patches: T", grad=VJP, multilinear=True)
def extract_volume_patches(xp, input, ksizes, strides, padding):
    """Extracts patches of volumes: each window, flattened into the last axis.

    Args:
        ksizes: the size of the window, for each of the five axes.
        strides: how far it moves.
        padding: "SAME" or "VALID".
    """
    return _patches(xp, input, ksizes, strides, [1] * 5, padding)


@extract_volume_patches.shape
def _(input, ksizes, strides, padding):
    return _patches_shape(input, ksizes, strides, [1] * 5, padding)


# ---- glimpses


def _noise(kind, image, sizes):
    """The pixels of a glimpse outside the image: noise within the range of the image's values."""
    chance = np.random.default_rng()  # TensorFlow, too, seeds it from the clock
    if kind == "uniform":
        return chance.random(sizes, _F) * (image.max() - image.min()) + image.min()
    if kind == "gaussian":
        return np.clip(chance.normal(image.mean(), image.std(), sizes), image.min(), image.max()).astype(_F)
    return np.zeros(sizes, _F)


def _corner(size, length, offset, centered, normalized):
    """The start of a glimpse along one axis."""
    place = offset * _F(size) if normalized else offset
    if centered:
        place = place / _F(2) + _F(size / 2)
    return int(as_dtype(np, place - _F(length / 2), np.int32))


@op("ExtractGlimpse(input: float, size: int32, offsets: float, *, centered: bool = True, normalized: bool = True, "
    "uniform_noise: bool = True, noise: string = 'uniform') -> glimpse: float", on="host", grad=STOP)
def extract_glimpse(input, size, offsets, centered, normalized, uniform_noise, noise):
    """Extracts a window around a given position from each image; noise where the window is outside the image."""
    if np.ndim(input) != 4 or np.shape(size) != (2,) or np.shape(offsets) != (len(input), 2):
        raise invalid("input must be 4-dimensional, size of 2 elements and offsets [batch, 2], not "
                      f"{list(np.shape(input))}, {list(np.shape(size))} and {list(np.shape(offsets))}")
    if noise not in ("uniform", "gaussian", "zero") or (uniform_noise and noise != "uniform"):
        raise invalid("noise must be 'uniform', or without uniform_noise 'gaussian' or 'zero'")
    sizes = size.tolist()
    glimpses = [_glimpse(image, [_corner(*each, centered, normalized) for each in zip(image.shape, sizes, place)],
                         sizes, noise) for image, place in zip(input, offsets)]
    return np.stack(glimpses) if glimpses else np.zeros((0, *size, input.shape[3]), _F)


def _glimpse(image, corners, sizes, noise):
    """The window of an image that starts at the corners."""
    seen = [(max(at, 0), min(at + size, whole)) for at, size, whole in zip(corners, sizes, image.shape)]
    inside = tuple(slice(start, end) for start, end in seen)
    if all(end - start == size for (start, end), size in zip(seen, sizes)):
        return image[inside]
    glimpse = _noise(noise, image, (*sizes, image.shape[2]))
    if all(start < end for start, end in seen):
        glimpse[tuple(slice(start - at, end - at) for (start, end), at in zip(seen, corners))] = image[inside]
    return glimpse


@extract_glimpse.shape
def _(input, size, offsets, shape_of):
    input = with_rank(input, 4)
    with_rank(offsets, 2)
    height, width = with_rank(shape_of("size"), 2)
    return (input[0], height, width, input[3])

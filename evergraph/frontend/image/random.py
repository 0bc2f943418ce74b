"""tf.image: random augmentation of images."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.image.colour import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    adjust_jpeg_quality,
    adjust_saturation,
)
from evergraph.frontend.image.pixels import checked_image
from evergraph.frontend.random import random_uniform
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.pad import reverse_v2
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math import elementwise

_SEED = "seed: makes the choice reproducible; see `tf.set_random_seed`."


# ---- flips


def _random_flip(name, axis, what):
    def function(image, seed=None):
        with name_scope(None, name, [image]) as scope:
            image = convert_to_tensor(image, name="image")
            rank = image.shape.ndims
            if rank not in (None, 3, 4):
                raise ValueError(f"'image' must have either 3 or 4 dimensions. Its shape is {image.shape}")
            checked = checked_image(image)
            if rank is None:
                alone = elementwise.equal(array.rank(checked), 3)
                result = cond(alone, lambda: _flip_one(checked, axis, seed), lambda: _flip_some(checked, axis, seed))
            elif rank == 3:
                result = _flip_one(checked, axis, seed, scope)
            else:
                result = _flip_some(checked, axis, seed)
            result.set_shape(image.shape)
            return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{what} with probability 1/2, independently for each image of a batch.

    Args:
        image: [height, width, channels], or a batch of those.
        {_SEED}
    """
    return export(f"image.{name}")(function)


def _flip_one(image, axis, seed, name=None):
    chosen = elementwise.less(random_uniform([], 0, 1.0, seed=seed), 0.5)
    return cond(chosen, lambda: reverse_v2(image, [axis]), lambda: image, name=name)


def _flip_some(images, axis, seed):
    """Each image of the batch unchanged (0 drawn) or flipped (1 drawn)."""
    count = array.shape(images)[0]
    drawn = random_uniform([count], 0, 1.0, seed=seed)
    chosen = math.cast(math.round(reshape(drawn, [count, 1, 1, 1])), images.dtype.base_dtype)
    return chosen * reverse_v2(images, [axis + 1]) + (1 - chosen) * images


random_flip_left_right = _random_flip("random_flip_left_right", 1, "Flips images horizontally")
random_flip_up_down = _random_flip("random_flip_up_down", 0, "Flips images vertically")


# ---- colours


def _between(lower, upper):
    """Raises ValueError unless these are valid bounds of a factor."""
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


@export("image.random_brightness")
def random_brightness(image, max_delta, seed=None):
    """Randomly adjusts brightness: adds a number from [-max_delta, max_delta); see `tf.image.adjust_brightness`.

    Args:
        image: an image or a batch of images.
        max_delta: a non-negative number.
        seed: makes the choice reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: `max_delta` is negative.
    """
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_brightness(image, random_uniform([], -max_delta, max_delta, seed=seed))


@export("image.random_contrast")
def random_contrast(image, lower, upper, seed=None):
    """Randomly adjusts contrast by a factor from [lower, upper); see `tf.image.adjust_contrast`.

    Args:
        image: an image or a batch of images.
        lower: a non-negative number.
        upper: a larger number.
        seed: makes the choice reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: the bounds are invalid.
    """
    _between(lower, upper)
    return adjust_contrast(image, random_uniform([], lower, upper, seed=seed))


@export("image.random_hue")
def random_hue(image, max_delta, seed=None):
    """Randomly adjusts the hue of RGB images by a shift from [-max_delta, max_delta); see `tf.image.adjust_hue`.

    Args:
        image: [..., 3].
        max_delta: a number in [0, 0.5].
        seed: makes the choice reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: `max_delta` is out of range.
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_hue(image, random_uniform([], -max_delta, max_delta, seed=seed))


@export("image.random_saturation")
def random_saturation(image, lower, upper, seed=None):
    """Randomly adjusts the saturation of RGB images by a factor from [lower, upper); see `tf.image.adjust_saturation`.

    Args:
        image: [..., 3].
        lower: a non-negative number.
        upper: a larger number.
        seed: makes the choice reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: the bounds are invalid.
    """
    _between(lower, upper)
    return adjust_saturation(image, random_uniform([], lower, upper, seed=seed))


@export("image.random_jpeg_quality")
def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """Applies JPEG compression of a random quality from [min, max); see `tf.image.adjust_jpeg_quality`.

    Args:
        image: [height, width, channels] with 1 or 3 channels.
        min_jpeg_quality: a number in [0, 100].
        max_jpeg_quality: a larger number in [0, 100].
        seed: makes the choice reproducible; see `tf.set_random_seed`.

    Raises:
        ValueError: the bounds are invalid.
    """
    if min_jpeg_quality < 0 or max_jpeg_quality < 0 or min_jpeg_quality > 100 or max_jpeg_quality > 100:
        raise ValueError("a JPEG quality lies between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random_uniform([], min_jpeg_quality, max_jpeg_quality, dtypes.int32, seed)
    return adjust_jpeg_quality(image, quality)

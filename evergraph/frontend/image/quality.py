"""tf.image: image similarity (PSNR, SSIM), total variation, and image gradients."""
from __future__ import annotations

import math as numbers

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.image.pixels import convert_image_dtype
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.pad import tile
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math import elementwise
from evergraph.ops.nn.activations import relu
from evergraph.ops.nn.depthwise import depthwise_conv2d_native
from evergraph.ops.nn.pool import avg_pool

# ---- PSNR


def _compared(first, second, max_val):
    """(both images, the dynamic range) as float32, after checking that the shapes are compatible.

    Raises:
        ValueError: they are statically incompatible.
    """
    first, second = convert_to_tensor(first), convert_to_tensor(second)
    for image in (first, second):
        image.shape.with_rank_at_least(3)
    heads = first.shape[-3:], second.shape[-3:]
    if not heads[0].is_compatible_with(heads[1]):
        raise ValueError(f"Shapes {first.shape} and {second.shape} are incompatible")
    checks = []
    if not (first.shape.is_fully_defined() and second.shape.is_fully_defined()):
        sizes = array.shape(first)[-3:], array.shape(second)[-3:]
        same = reduce.reduce_all(elementwise.equal(*sizes))
        checks = [Assert(same, list(sizes), summarize=10)]
    largest = convert_image_dtype(math.cast(max_val, first.dtype.base_dtype), dtypes.float32)
    first, second = (convert_image_dtype(image, dtypes.float32) for image in (first, second))
    return with_dependencies(checks, first), second, largest


@export("image.psnr")
def psnr(a, b, max_val, name=None):
    """The peak signal-to-noise ratio between images, in decibels.

    Args:
        a: [..., height, width, channels].
        b: images of the same size.
        max_val: the dynamic range of the pixels: the largest minus the smallest possible value.
        name: a name scope.

    Returns:
        float32 [...]: one number per pair of images.
    """
    with name_scope(name, "PSNR", [a, b]):
        a, b, largest = _compared(a, b, max_val)
        error = reduce.reduce_mean(elementwise.squared_difference(a, b), [-3, -2, -1])
        peak = 20 * elementwise.log(largest) / np.float32(numbers.log(10))
        return elementwise.sub(peak, np.float32(10 / numbers.log(10)) * elementwise.log(error), name="psnr")


# ---- structural similarity


def _gaussian(size, sigma):
    """A Gaussian filter [size, size, 1, 1], normalized to sum 1."""
    away = np.arange(size, dtype=np.float64) - (size - 1) / 2
    falloff = np.exp(-0.5 * away**2 / float(sigma) ** 2)
    weights = np.outer(falloff, falloff)
    return (weights / weights.sum()).astype(np.float32).reshape(size, size, 1, 1)


def _blurred(images, weights):
    """The images convolved with the filter, without padding."""
    shape = array.shape(images)
    flat = reshape(images, array.concat([[-1], shape[-3:]], 0))
    means = depthwise_conv2d_native(flat, weights, strides=[1, 1, 1, 1], padding="VALID")
    result = reshape(means, array.concat([shape[:-3], array.shape(means)[1:]], 0))
    rank = images.shape.ndims
    if rank is not None and rank > 4:
        result.set_shape([*images.shape.as_list()[:-3], *means.shape.as_list()[1:]])
    return result


def _similarity(first, second, largest, filter_size, filter_sigma, k1, k2):
    """(SSIM, its contrast-structure term) per channel: Wang et al., Image quality assessment:
    from error visibility to structural similarity, 2004."""
    checks = _large_enough([first, second], filter_size)
    first = with_dependencies(checks, first)
    weights = tile(_gaussian(filter_size, filter_sigma), array.stack([1, 1, array.shape(first)[-1], 1]))
    c1, c2 = (k1 * largest) ** 2, (k2 * largest) ** 2
    mean_first, mean_second = _blurred(first, weights), _blurred(second, weights)
    product = mean_first * mean_second * 2.0
    squares = elementwise.square(mean_first) + elementwise.square(mean_second)
    luminance = (product + c1) / (squares + c1)
    both = _blurred(first * second, weights) * 2.0
    each = _blurred(elementwise.square(first) + elementwise.square(second), weights)
    structure = (both - product + c2) / (each - squares + c2)
    return reduce.reduce_mean(luminance * structure, [-3, -2]), reduce.reduce_mean(structure, [-3, -2])


def _large_enough(images, filter_size):
    """Checks that the images are at least as large as the filter.

    Raises:
        ValueError: they are statically smaller.
    """
    checks = []
    for image in images:
        known = image.shape.as_list()[-3:-1] if image.shape.ndims is not None else [None, None]
        if any(size is not None and size < filter_size for size in known):
            raise ValueError(f"images of shape {image.shape} are smaller than the filter, {filter_size}")
        if None in known:
            sizes = array.shape(image)[-3:-1]
            checks.append(Assert(reduce.reduce_all(elementwise.greater_equal(sizes, filter_size)), [sizes]))
    return checks


@export("image.ssim")
def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """The structural similarity index (SSIM; Wang et al., 2004) of images: at most 1, and 1 for equal images.

    Args:
        img1: [..., height, width, channels].
        img2: images of the same size.
        max_val: the dynamic range of the pixels: the largest minus the smallest possible value.
        filter_size: the size of the Gaussian filter.
        filter_sigma: the standard deviation of the Gaussian filter.
        k1: stabilizes the luminance term.
        k2: stabilizes the contrast term.

    Returns:
        float32 [...]: the mean over the channels of each pair of images.
    """
    with name_scope(None, "SSIM", [img1, img2]):
        first, second, largest = _compared(img1, img2, max_val)
        similarity, _ = _similarity(first, second, largest, filter_size, filter_sigma, k1, k2)
        return reduce.reduce_mean(similarity, [-1])


MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@export("image.ssim_multiscale")
def ssim_multiscale(img1, img2, max_val, power_factors=MSSSIM_WEIGHTS, filter_size=11, filter_sigma=1.5, k1=0.01,
                    k2=0.03):
    """The multi-scale structural similarity (MS-SSIM; Wang et al., 2003) of images.

    Args:
        img1: [..., height, width, channels].
        img2: images of the same size.
        max_val: the dynamic range of the pixels: the largest minus the smallest possible value.
        power_factors: the exponent of each scale; each scale has half the size of the one before.
        filter_size: see `tf.image.ssim`; at most the size of the smallest scale.
        filter_sigma: see `tf.image.ssim`.
        k1: see `tf.image.ssim`.
        k2: see `tf.image.ssim`.

    Returns:
        float32 [...]: the mean over the channels of each pair of images.
    """
    with name_scope(None, "MS-SSIM", [img1, img2]):
        first, second, largest = _compared(img1, img2, max_val)
        structures, similarity = [], None
        for number in range(len(power_factors)):
            with name_scope(f"Scale{number}"):
                if number:
                    first, second = _halved(first), _halved(second)
                similarity, structure = _similarity(first, second, largest, filter_size, filter_sigma, k1, k2)
                structures.append(relu(structure))
        # The last scale includes the luminance term.
        factors = array.stack([*structures[:-1], relu(similarity)], axis=-1)
        return reduce.reduce_mean(reduce.reduce_prod(elementwise.pow_(factors, list(power_factors)), [-1]), [-1])


def _halved(images):
    """Images downsampled by 2; the last row and column of odd sizes are repeated."""
    shape = array.shape(images)
    flat = reshape(images, array.concat([[-1], shape[-3:]], 0))
    odd = elementwise.floor_mod(shape[-3:-1], 2)
    frame = array.stack([[0, 0], array.stack([0, odd[0]]), array.stack([0, odd[1]]), [0, 0]])
    even = array.pad(flat, frame, mode="SYMMETRIC")
    small = avg_pool(even, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    return reshape(small, array.concat([shape[:-3], array.shape(small)[1:]], 0))


# ---- gradients


@export("image.total_variation")
def total_variation(images, name=None):
    """The total variation of images: the sum of the absolute differences of neighbouring pixels.

    Args:
        images: [batch, height, width, channels], or one image without the batch.
        name: a name scope.

    Returns:
        One number per image.

    Raises:
        ValueError: the rank is neither 3 nor 4.
    """
    with name_scope(name, "total_variation"):
        images = convert_to_tensor(images)
        rank = images.shape.ndims
        if rank == 3:
            down, across, axes = images[1:] - images[:-1], images[:, 1:] - images[:, :-1], None
        elif rank == 4:
            down, across = images[:, 1:] - images[:, :-1], images[:, :, 1:] - images[:, :, :-1]
            axes = [1, 2, 3]
        else:
            raise ValueError("'images' must have 3 or 4 dimensions.")
        return (reduce.reduce_sum(elementwise.abs_(down), axis=axes)
                + reduce.reduce_sum(elementwise.abs_(across), axis=axes))


@export("image.image_gradients")
def image_gradients(image):
    """Image gradients (dy, dx): finite differences to the pixel below and to the right; 0 at the edge.

    Args:
        image: [batch, height, width, channels].

    Raises:
        ValueError: the rank is not 4.
    """
    image = convert_to_tensor(image)
    if image.shape.ndims != 4:
        raise ValueError(f"image must be [batch, height, width, channels], got {image.shape}")
    down = image[:, 1:] - image[:, :-1]
    across = image[:, :, 1:] - image[:, :, :-1]
    return array.pad(down, [[0, 0], [0, 1], [0, 0], [0, 0]]), array.pad(across, [[0, 0], [0, 0], [0, 1], [0, 0]])


_SOBEL = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)


@export("image.sobel_edges")
def sobel_edges(image):
    """Sobel edge maps: the image gradients by Sobel's filter.

    Args:
        image: float [batch, height, width, channels].

    Returns:
        [batch, height, width, channels, 2]: vertical (dy) and horizontal (dx) gradients.
    """
    image = convert_to_tensor(image)
    known, shape = image.shape, array.shape(image)
    pair = np.stack([_SOBEL, _SOBEL.T], axis=-1).reshape(3, 3, 1, 2)
    kernel = tile(math.cast(pair, image.dtype.base_dtype), array.stack([1, 1, shape[-1], 1]), name="sobel_filters")
    framed = array.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    slopes = depthwise_conv2d_native(framed, kernel, strides=[1, 1, 1, 1], padding="VALID")
    result = reshape(slopes, array.concat([shape, [2]], 0))
    result.set_shape(known.concatenate([2]))
    return result

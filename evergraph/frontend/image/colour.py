"""tf.image: functions that adjust colours and convert colour spaces."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.contract import tensordot
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.image.files import decode_jpeg
from evergraph.frontend.image.pixels import checked_image, convert_image_dtype, required
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.pad import tile
from evergraph.ops.image import colours as ops
from evergraph.ops.image import files
from evergraph.ops.math import elementwise

_FLOATS = (dtypes.float16, dtypes.float32)
_LUMA = (0.2989, 0.5870, 0.1140)


def _in_floats(image):
    """The image in the dtype of the computation: float16 if it has it, else float32."""
    return image if image.dtype.base_dtype in _FLOATS else convert_image_dtype(image, dtypes.float32)


# ---- brightness, contrast


@export("image.adjust_brightness")
def adjust_brightness(image, delta):
    """Adjusts the brightness of images: adds `delta` to all pixels.

    Args:
        image: an image or a batch of images.
        delta: a scalar on the scale of float images, where white is 1; integer images are converted and back.
    """
    with name_scope(None, "adjust_brightness", [image, delta]) as scope:
        image = array.identity(convert_to_tensor(image, name="image"), name="Identity")
        kind = image.dtype.base_dtype
        floating = _in_floats(image)
        adjusted = elementwise.add(floating, math.cast(delta, floating.dtype.base_dtype), name=scope)
        return convert_image_dtype(adjusted, kind, saturate=True)


@export("image.adjust_contrast")
def adjust_contrast(images, contrast_factor):
    """Adjusts the contrast of images: (x - mean) * contrast_factor + mean, with the mean per channel.

    Args:
        images: [..., height, width, channels].
        contrast_factor: a scalar.
    """
    with name_scope(None, "adjust_contrast", [images, contrast_factor]) as scope:
        images = array.identity(convert_to_tensor(images, name="images"), name="Identity")
        kind = images.dtype.base_dtype
        adjusted = ops.adjust_contrastv2(_in_floats(images), contrast_factor, name=scope)
        return convert_image_dtype(adjusted, kind, saturate=True)


@export("image.adjust_gamma")
def adjust_gamma(image, gamma=1, gain=1):
    """Gamma correction: gain * image ** gamma, on images scaled to [0, 1].

    Args:
        image: an image or a batch of images.
        gamma: a non-negative number or scalar tensor.
        gain: a number or scalar tensor.

    Raises:
        ValueError: gamma is negative.
    """
    with name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = array.identity(convert_to_tensor(image, name="image"), name="Identity")
        kind = image.dtype.base_dtype
        floating = _in_floats(image)
        checks = required(gamma >= 0, "Gamma should be a non-negative real number.")
        if checks:
            gamma = with_dependencies(checks, gamma)
        return convert_image_dtype(gain * floating ** gamma, kind, saturate=True)


@export("image.per_image_standardization")
def per_image_standardization(image):
    """Standardizes each image to mean 0 and standard deviation 1; float32.

    The deviation is at least 1 / sqrt(number of elements), so that a uniform image becomes zeros.

    Args:
        image: [..., height, width, channels].
    """
    with name_scope(None, "per_image_standardization", [image]) as scope:
        image = checked_image(convert_to_tensor(image, name="image"))
        count = reduce.reduce_prod(array.shape(image)[-3:])
        image = math.cast(image, dtypes.float32)
        mean = reduce.reduce_mean(image, axis=[-1, -2, -3], keepdims=True)
        variance = reduce.reduce_mean(elementwise.square(image - mean), axis=[-1, -2, -3], keepdims=True)
        least = elementwise.rsqrt(math.cast(count, dtypes.float32))
        scale = elementwise.maximum(elementwise.sqrt(variance), least)
        return elementwise.real_div(elementwise.sub(image, mean), scale, name=scope)


# ---- hue and saturation


@export("image.adjust_hue")
def adjust_hue(image, delta, name=None):
    """Adjusts the hue of RGB images.

    Args:
        image: [..., 3].
        delta: the shift along the colour circle, whose length is 1; in [-1, 1].
        name: a name scope.
    """
    return _adjusted("adjust_hue", ops.adjust_hue, image, delta, name)


@export("image.adjust_saturation")
def adjust_saturation(image, saturation_factor, name=None):
    """Adjusts the saturation of RGB images: multiplies it by a factor.

    Args:
        image: [..., 3].
        saturation_factor: a scalar.
        name: a name scope.
    """
    return _adjusted("adjust_saturation", ops.adjust_saturation, image, saturation_factor, name)


def _adjusted(label, adjust, image, amount, name):
    with name_scope(name, label, [image]):
        image = array.identity(convert_to_tensor(image, name="image"), name="Identity")
        kind = image.dtype.base_dtype
        return convert_image_dtype(adjust(_in_floats(image), amount), kind)


# ---- colour spaces


@export("image.rgb_to_grayscale")
def rgb_to_grayscale(images, name=None):
    """Converts RGB images to grey-scale: the luma, with one channel.

    Args:
        images: [..., 3].
        name: a name for the operation.
    """
    with name_scope(name, "rgb_to_grayscale", [images]) as scope:
        images = convert_to_tensor(images, name="images")
        floating = convert_image_dtype(images, dtypes.float32)
        if images.shape.ndims is not None and images.shape.as_list()[-1] not in (None, 3):
            raise ValueError(f"Dimensions must be equal, but are {images.shape.as_list()[-1]} and 3: an RGB image "
                             f"has three channels, not shape {images.shape}")
        gray = reduce.reduce_sum(floating * np.array(_LUMA, np.float32), axis=-1, keepdims=True)
        return convert_image_dtype(gray, images.dtype.base_dtype, name=scope)


@export("image.grayscale_to_rgb")
def grayscale_to_rgb(images, name=None):
    """Converts grey-scale images to RGB: repeats the channel three times.

    Args:
        images: [..., 1].
        name: a name for the operation.

    Raises:
        ValueError: the last axis is statically larger than 1.
    """
    with name_scope(name, "grayscale_to_rgb", [images]) as scope:
        images = convert_to_tensor(images, name="images")
        if images.shape.ndims is not None and images.shape.as_list()[-1] not in (None, 1):
            raise ValueError("a grayscale image has one channel")
        images = checked_image(images)
        before = array.expand_dims(array.rank(images) - 1, 0)
        times = array.concat([array.ones(before, dtypes.int32), [3]], 0)
        result = tile(images, times, name=scope)
        if images.shape.ndims is not None:
            result.set_shape([*images.shape.as_list()[:-1], 3])
        return result


def _matrix_of(first, label, what):
    """The function that multiplies the channels of images by a matrix."""
    def function(images):
        images = convert_to_tensor(images, name="images")
        kernel = convert_to_tensor(first, images.dtype.base_dtype, name="kernel")
        return tensordot(images, kernel, [[images.shape.ndims - 1], [0]])

    function.__name__ = function.__qualname__ = label
    function.__doc__ = f"""{what}

    Args:
        images: floating images of known rank, [..., 3].
    """
    return export(f"image.{label}")(function)


_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_FROM_YIQ = [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_FROM_YUV = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]

rgb_to_yiq = _matrix_of(_YIQ, "rgb_to_yiq", "Converts RGB images to YIQ (luma and two chroma channels).")
yiq_to_rgb = _matrix_of(_FROM_YIQ, "yiq_to_rgb", "Converts YIQ images to RGB.")
rgb_to_yuv = _matrix_of(_YUV, "rgb_to_yuv", "Converts RGB images to YUV (luma and two chroma channels).")
yuv_to_rgb = _matrix_of(_FROM_YUV, "yuv_to_rgb", "Converts YUV images to RGB.")


# ---- JPEG quality


@export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """Applies JPEG compression of this quality to an image and decodes it again.

    Args:
        image: [height, width, channels] with 1 or 3 channels.
        jpeg_quality: an int32 scalar between 0 and 100.
        name: a name scope.
    """
    with name_scope(name, "adjust_jpeg_quality", [image]):
        image = array.identity(convert_to_tensor(image, name="image"), name="Identity")
        kind, channels = image.dtype.base_dtype, image.shape.as_list()[-1]
        encoded = files.encode_jpeg_variable_quality(convert_image_dtype(image, dtypes.uint8), jpeg_quality)
        return convert_image_dtype(decode_jpeg(encoded, channels=channels or 0), kind)

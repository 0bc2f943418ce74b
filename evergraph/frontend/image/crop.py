"""tf.image: functions that crop and pad images."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.image.pixels import as_batch, checked_image, image_checks, image_sizes, known_size, required
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import index
from evergraph.ops.math import elementwise


def _known(number):
    """A size as an int if it is static, else as a tensor."""
    if isinstance(number, Tensor):
        value = static_value(number)
        return number if value is None else int(value)
    return int(number)


def _larger(a, b):
    return max(a, b) if not isinstance(a, Tensor) and not isinstance(b, Tensor) else elementwise.maximum(a, b)


def _smaller(a, b):
    return min(a, b) if not isinstance(a, Tensor) and not isinstance(b, Tensor) else elementwise.minimum(a, b)


@export("image.crop_to_bounding_box")
def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Crops images to a box.

    Args:
        image: [batch, height, width, channels], or one image without the batch.
        offset_height: the top row of the box.
        offset_width: the left column of the box.
        target_height: the height of the box.
        target_width: the width of the box.

    Raises:
        ValueError: the box is not within the image; InvalidArgumentError if that is only known at run time.
    """
    with name_scope(None, "crop_to_bounding_box", [image]):
        images, restored = as_batch(convert_to_tensor(image, name="image"), or_one=True)
        checks = image_checks(images)
        batch, height, width, channels = image_sizes(images, 4)
        top, left, tall, wide = map(_known, (offset_height, offset_width, target_height, target_width))
        checks += required(left >= 0, "offset_width must be >= 0.")
        checks += required(top >= 0, "offset_height must be >= 0.")
        checks += required(wide > 0, "target_width must be > 0.")
        checks += required(tall > 0, "target_height must be > 0.")
        checks += required(width >= wide + left, "width must be >= target + offset.")
        checks += required(height >= tall + top, "height must be >= target + offset.")
        images = with_dependencies(checks, images)
        cropped = index.slice_(images, array.stack([0, top, left, 0]), array.stack([batch, tall, wide, channels]))
        return restored(known_size(cropped, tall, wide))


@export("image.pad_to_bounding_box")
def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Pads images with zeros to a size.

    Args:
        image: [batch, height, width, channels], or one image without the batch.
        offset_height: the number of rows of zeros above.
        offset_width: the number of columns of zeros on the left.
        target_height: the height of the result.
        target_width: the width of the result.

    Raises:
        ValueError: the image does not fit; InvalidArgumentError if that is only known at run time.
    """
    with name_scope(None, "pad_to_bounding_box", [image]):
        images, restored = as_batch(convert_to_tensor(image, name="image"), or_one=True)
        checks = image_checks(images)
        _, height, width, _ = image_sizes(images, 4)
        top, left, tall, wide = map(_known, (offset_height, offset_width, target_height, target_width))
        below, right = tall - top - height, wide - left - width
        checks += required(top >= 0, "offset_height must be >= 0")
        checks += required(left >= 0, "offset_width must be >= 0")
        checks += required(right >= 0, "width must be <= target - offset")
        checks += required(below >= 0, "height must be <= target - offset")
        images = with_dependencies(checks, images)
        frame = array.stack([array.stack(each) for each in ([0, 0], [top, below], [left, right], [0, 0])])
        return restored(known_size(array.pad(images, frame), tall, wide))


@export("image.resize_image_with_crop_or_pad", "image.resize_with_crop_or_pad")
def resize_image_with_crop_or_pad(image, target_height, target_width):
    """Crops images centrally, or pads them evenly with zeros, to a size.

    Args:
        image: [batch, height, width, channels], or one image without the batch.
        target_height: the new height.
        target_width: the new width.

    Raises:
        ValueError: a size is not positive.
    """
    with name_scope(None, "resize_image_with_crop_or_pad", [image]):
        images, restored = as_batch(convert_to_tensor(image, name="image"), or_one=True)
        checks = image_checks(images)
        tall, wide = _known(target_height), _known(target_width)
        checks += required(wide > 0, "target_width must be > 0.")
        checks += required(tall > 0, "target_height must be > 0.")
        images = with_dependencies(checks, images)
        _, height, width, _ = image_sizes(images, 4)
        down, across = tall - height, wide - width
        cropped = crop_to_bounding_box(images, _larger(-down // 2, 0), _larger(-across // 2, 0),
                                       _smaller(tall, height), _smaller(wide, width))
        padded = pad_to_bounding_box(cropped, _larger(down // 2, 0), _larger(across // 2, 0), tall, wide)
        return restored(known_size(padded, tall, wide))


@export("image.central_crop")
def central_crop(image, central_fraction):
    """Crops images to their central region.

    Args:
        image: [height, width, channels], or a batch of those.
        central_fraction: the fraction of each side to keep, in (0, 1].

    Raises:
        ValueError: the fraction is out of range, or `image` has another rank.
    """
    with name_scope(None, "central_crop", [image]):
        image = convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        rank = image.shape.ndims
        if rank not in (3, 4):
            raise ValueError(f"an image has rank 3, a batch of them rank 4, got rank {rank}")
        image = checked_image(image)
        starts, sizes = zip(*(_middle(each, central_fraction) for each in image_sizes(image, rank)[-3:-1]))
        before = [0] * (rank - 3)
        all_ = [-1] * (rank - 3)
        cropped = index.slice_(image, array.stack([*before, *starts, 0]), array.stack([*all_, *sizes, -1]))
        return known_size(cropped, *sizes)


def _middle(size, fraction):
    """(start, length) of the central part of a side."""
    if not isinstance(size, Tensor):
        start = int((size - size * fraction) / 2)
    else:
        length = math.cast(size, dtypes.float64)
        start = math.cast((length - length * fraction) / 2, dtypes.int32)
    return start, size - start * 2

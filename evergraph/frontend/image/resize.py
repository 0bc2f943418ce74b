"""tf.image: resizing of images by interpolation."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.image.crop import pad_to_bounding_box
from evergraph.frontend.image.pixels import as_batch, checked_image, image_sizes, size_vector
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.image import resize as ops
from evergraph.ops.math import elementwise

resize_area = export("image.resize_area")(ops.resize_area)

_OPTIONS = """

    Args:
        images: [batch, height, width, channels].
        size: an int32 vector: the new height and width.
        align_corners: whether the centres of the corner pixels stay fixed.
        name: a name for the operation.
        half_pixel_centers: whether pixel centres have half-integer coordinates.
    """


@export("image.resize_bilinear")
def resize_bilinear(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return ops.resize_bilinear(images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers,
                               name=name)


@export("image.resize_nearest_neighbor")
def resize_nearest_neighbor(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return ops.resize_nearest_neighbor(images, size, align_corners=align_corners,
                                       half_pixel_centers=half_pixel_centers, name=name)


@export("image.resize_bicubic")
def resize_bicubic(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return ops.resize_bicubic(images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers,
                              name=name)


resize_bilinear.__doc__ = "Resizes images by bilinear interpolation, to float32." + _OPTIONS
resize_nearest_neighbor.__doc__ = "Resizes images by nearest-neighbor interpolation; the dtype stays." + _OPTIONS
resize_bicubic.__doc__ = "Resizes images by bicubic interpolation (Keys, 1981), to float32." + _OPTIONS


@export("image.ResizeMethod")
class ResizeMethod:
    """The interpolation methods of `tf.image.resize_images`."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_RESIZERS = {
    ResizeMethod.BILINEAR: ops.resize_bilinear, ResizeMethod.NEAREST_NEIGHBOR: ops.resize_nearest_neighbor,
    ResizeMethod.BICUBIC: ops.resize_bicubic, ResizeMethod.AREA: ops.resize_area,
    "bilinear": ops.resize_bilinear, "nearest": ops.resize_nearest_neighbor, "bicubic": ops.resize_bicubic,
    "area": ops.resize_area,
}


def _resizer(method):
    """The op of an interpolation method.

    Raises:
        ValueError: the method is unknown.
    """
    try:
        return _RESIZERS[method]
    except (KeyError, TypeError):
        raise ValueError(f"Resize method is not implemented: {method!r}") from None


@export("image.resize_images", "image.resize")
def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False, preserve_aspect_ratio=False,
                  name=None):
    """Resizes images to a new height and width by interpolation.

    >>> tf.image.resize_images(image, [299, 299])

    Args:
        images: [batch, height, width, channels], or one image without the batch.
        size: the new height and width.
        method: one of `tf.image.ResizeMethod`; NEAREST_NEIGHBOR keeps the dtype, the others give float32.
        align_corners: whether the centres of the corner pixels stay fixed.
        preserve_aspect_ratio: whether to keep the aspect ratio, with the largest size that fits into `size`.
        name: a name scope.

    Returns:
        The resized images; the input itself if it statically has that size.

    Raises:
        ValueError: the rank of `images` is not 3 or 4, or `size` does not have two elements.
    """
    resize = _resizer(method)
    with name_scope(name, "resize", [images, size]):
        images, restored = as_batch(convert_to_tensor(images, name="images"))
        size = size_vector(size)
        if preserve_aspect_ratio:
            size = fitting_size(images, size)
        wanted, have = static_value(size), images.shape.as_list()[1:3]
        if wanted is not None and wanted.tolist() == have:
            return restored(images)
        return restored(resize(images, size, align_corners=align_corners))


def fitting_size(images, size):
    """The largest size within `size` that has the aspect ratio of `images`."""
    sizes = [math.cast(each, dtypes.float32) for each in image_sizes(images, 4)[1:3]]
    ratios = [elementwise.real_div(math.cast(size[axis], dtypes.float32), each) for axis, each in enumerate(sizes)]
    smaller = elementwise.minimum(*ratios)
    return array.stack([math.cast(math.round(smaller * each), dtypes.int32) for each in sizes], name="size")


@export("image.resize_image_with_pad")
def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, align_corners=False):
    """Resizes images with their aspect ratio kept and pads them with zeros to a given size.

    Args:
        image: [batch, height, width, channels], or one image without the batch.
        target_height: the height of the result, padding included.
        target_width: the width of the result.
        method: one of `tf.image.ResizeMethod`.
        align_corners: whether the centres of the corner pixels stay fixed.
    """
    with name_scope(None, "resize_image_with_pad", [image]):
        images, restored = as_batch(convert_to_tensor(image, name="image"))
        images = checked_image(images)
        sizes, frame = padded_sizes(images, target_height, target_width)
        resized = resize_images(images, sizes, method, align_corners)
        return restored(pad_to_bounding_box(resized, *frame, target_height, target_width))


def padded_sizes(images, target_height, target_width):
    """(the largest size within a frame that keeps the aspect ratio, as a tensor; the padding above and on the left)."""
    have = [math.cast(each, dtypes.float32) for each in image_sizes(images, 4)[1:3]]
    want = [math.cast(each, dtypes.float32) for each in (target_height, target_width)]
    ratio = elementwise.maximum(*(elementwise.real_div(h, w) for h, w in zip(have, want)))
    fitted = [elementwise.real_div(each, ratio) for each in have]
    sizes = [math.cast(elementwise.floor(each), dtypes.int32) for each in fitted]
    frame = [elementwise.maximum(0, math.cast(elementwise.floor((w - f) / 2.0), dtypes.int32))
             for w, f in zip(want, fitted)]
    return array.stack(sizes), frame

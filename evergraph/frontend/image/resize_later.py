"""tf.compat.v2.image: TensorFlow 2's resizing, with more kernels and with antialiasing."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.image.crop import pad_to_bounding_box
from evergraph.frontend.image.pixels import as_batch, checked_image, image_sizes, size_vector
from evergraph.frontend.image.resize import fitting_size, padded_sizes
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.image import resize as ops
from evergraph.ops.image.scale import scale_and_translate


@export("compat.v2.image.ResizeMethod")
class ResizeMethod:
    """The interpolation methods of `tf.compat.v2.image.resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_RESIZERS = {"bilinear": ops.resize_bilinear, "nearest": ops.resize_nearest_neighbor, "bicubic": ops.resize_bicubic}
_SMOOTH = {"bilinear": "triangle", "bicubic": "keyscubic"}
_KERNELS = ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def _resized(images, size, method, antialias):
    if method == "area":
        return ops.resize_area(images, size)
    if method in _KERNELS or antialias and method in _SMOOTH:
        have = math.cast(array.stack(image_sizes(images, 4)[1:3]), dtypes.float32)
        scale = math.cast(size, dtypes.float32) / have
        return scale_and_translate(images, size, scale, array.zeros([2]), kernel_type=_SMOOTH.get(method, method),
                                   antialias=antialias)
    return _RESIZERS[method](images, size, half_pixel_centers=True)


@export("compat.v2.image.resize")
def resize(images, size, method=ResizeMethod.BILINEAR, preserve_aspect_ratio=False, antialias=False, name=None):
    """Resizes images by interpolation, with half-pixel centres.

    Args:
        images: [batch, height, width, channels], or one image without the batch.
        size: the new height and width.
        method: one of `tf.compat.v2.image.ResizeMethod`; "nearest" keeps the dtype, the others give float32.
        preserve_aspect_ratio: whether to keep the aspect ratio, with the largest size that fits into `size`.
        antialias: whether to widen the kernel when images shrink; "nearest" and "area" ignore it.
        name: a name scope.

    Raises:
        ValueError: the rank of `images` is not 3 or 4, `size` does not have two elements, or the method is unknown.
    """
    if method not in (*_RESIZERS, "area", *_KERNELS):
        raise ValueError(f"Resize method is not implemented: {method!r}")
    with name_scope(name, "resize", [images, size]):
        images, restored = as_batch(convert_to_tensor(images, name="images"))
        size = size_vector(size)
        size = fitting_size(images, size) if preserve_aspect_ratio else size
        return restored(_resized(images, size, method, antialias))


@export("compat.v2.image.resize_with_pad")
def resize_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, antialias=False):
    """Resizes images with their aspect ratio kept and pads them with zeros to a given size.

    Args:
        image: [batch, height, width, channels], or one image without the batch.
        target_height: the height of the result, padding included.
        target_width: the width of the result.
        method: one of `tf.compat.v2.image.ResizeMethod`.
        antialias: see `tf.compat.v2.image.resize`.
    """
    with name_scope(None, "resize_image_with_pad", [image]):
        images, restored = as_batch(convert_to_tensor(image, name="image"))
        sizes, frame = padded_sizes(checked_image(images), target_height, target_width)
        resized = resize(images, sizes, method, antialias=antialias)
        return restored(pad_to_bounding_box(resized, *frame, target_height, target_width))

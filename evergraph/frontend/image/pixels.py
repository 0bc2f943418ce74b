"""tf.image: checks of images, flips, rotations, and dtype conversion."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, checks, control_flow, math
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor, sizes_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import pad
from evergraph.ops.math import elementwise

# ---- checks


def checked_image(image, rank=None):
    """`image`, after checking that it is a non-empty image or batch of images.

    Args:
        image: a tensor [..., height, width, channels].
        rank: the required rank; by default at least 3.

    Raises:
        ValueError: the static shape is invalid.
    """
    return control_flow.with_dependencies(image_checks(image, rank), image)


def image_checks(image, rank=None):
    """The run-time checks of an image whose static shape is incomplete; see `checked_image`."""
    shape = image.shape
    if shape.ndims is not None:
        if rank is None and shape.ndims < 3:
            raise ValueError(f"'image' must be at least three-dimensional; its shape is {shape}")
        if rank is not None and shape.ndims != rank:
            words = {3: "three", 4: "four"}
            raise ValueError(f"'image' (shape {shape}) must be {words[rank]}-dimensional.")
        if 0 in shape.as_list()[-3:]:
            raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {shape}")
    if shape.is_fully_defined():
        return []
    wanted = (checks.assert_greater_equal(array.rank(image), 3, message="'image' must be at least three-dimensional.")
              if rank is None else checks.assert_rank(image, rank))
    positive = checks.assert_positive(array.shape(image)[-3:], message="inner 3 dims of 'image.shape' must be > 0.")
    return [positive, wanted]


def image_sizes(image, rank):
    """The sizes of an image of this rank: ints if they are static, else scalar tensors."""
    known = image.shape.with_rank(rank).as_list()
    if None not in known:
        return known
    found = array.unstack(array.shape(image), rank)
    return [size if size is not None else found[axis] for axis, size in enumerate(known)]


def as_batch(image, or_one=False):
    """(images of rank 4, a function that undoes this on the result) for an image or a batch.

    Args:
        image: a tensor.
        or_one: whether an image of unknown rank is treated as one image.

    Raises:
        ValueError: the rank is unknown or neither 3 nor 4.
    """
    rank = image.shape.ndims
    if rank is None and not or_one:
        raise ValueError("'images' contains no shape.")
    if rank is None:
        batch = array.expand_dims(image, 0)
        batch.set_shape([None] * 4)
        return batch, lambda result: array.squeeze(result, [0])
    if rank == 3:
        return array.expand_dims(image, 0), lambda result: array.squeeze(result, [0])
    if rank != 4:
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    return image, lambda result: result


def required(condition, message):
    """Operations that fail unless `condition` is true; none if it is statically true.

    Raises:
        ValueError: the condition is statically false.
    """
    if isinstance(condition, Tensor):
        return [checks.Assert(condition, [message])]
    if not condition:
        raise ValueError(message)
    return []


def size_vector(size):
    """The new height and width as a tensor.

    Raises:
        ValueError: `size` is not a vector of two integers.
    """
    try:
        size = sizes_to_tensor(size, "size")
    except (TypeError, ValueError):
        raise ValueError("'size' must be two integers, the new height and the new width") from None
    if not size.shape.is_compatible_with([2]):
        raise ValueError("'size' must be a vector of the new height and the new width")
    return size


# ---- flips and rotations


def _reverse(image, axis):
    return pad.reverse_v2(image, [axis])


def flipped(image, axis):
    """`image`, or each image of a batch, flipped along an image axis (0 is height, 1 width)."""
    shape = image.shape
    if shape.ndims is None:
        alone = elementwise.equal(array.rank(image), 3)
        return control_flow.cond(alone, lambda: _reverse(image, axis), lambda: _reverse(image, axis + 1))
    if shape.ndims not in (3, 4):
        raise ValueError(f"'image' must have either 3 or 4 dimensions. Its shape is {shape}")
    return _reverse(image, axis + shape.ndims - 3)


@export("image.flip_left_right")
def flip_left_right(image):
    """Flips images horizontally (left to right).

    Args:
        image: [height, width, channels], or a batch of those.
    """
    return _flip(image, 1, "flip_left_right")


@export("image.flip_up_down")
def flip_up_down(image):
    """Flips images vertically (upside down).

    Args:
        image: [height, width, channels], or a batch of those.
    """
    return _flip(image, 0, "flip_up_down")


def _flip(image, axis, name):
    with name_scope(None, name, [image]):
        image = convert_to_tensor(image, name="image")
        result = flipped(checked_image(image), axis)
        result.set_shape(image.shape)
        return result


@export("image.transpose", "image.transpose_image")
def transpose(image, name=None):
    """Transposes images: exchanges rows and columns.

    Args:
        image: [height, width, channels], or a batch of those.
        name: a name scope.
    """
    with name_scope(name, "transpose", [image]):
        image = checked_image(convert_to_tensor(image, name="image"))
        return _transposed(image)


def _transposed(image):
    rank = image.shape.ndims
    if rank is None:
        alone = elementwise.equal(array.rank(image), 3)
        return control_flow.cond(alone, lambda: array.transpose(image, [1, 0, 2]),
                                 lambda: array.transpose(image, [0, 2, 1, 3]))
    if rank not in (3, 4):
        raise ValueError(f"'image' must have either 3 or 4 dimensions. Its shape is {image.shape}")
    return array.transpose(image, [1, 0, 2] if rank == 3 else [0, 2, 1, 3])


@export("image.rot90")
def rot90(image, k=1, name=None):
    """Rotates images counter-clockwise by 90 degrees, `k` times.

    Args:
        image: [height, width, channels], or a batch of those.
        k: an integer or scalar integer tensor.
        name: a name scope.
    """
    with name_scope(name, "rot90", [image, k]) as scope:
        image = checked_image(convert_to_tensor(image, name="image"))
        k = sizes_to_tensor(k, "k")
        k.shape.assert_has_rank(0)
        turns = [lambda: image, lambda: _transposed(flipped(image, 1)), lambda: flipped(flipped(image, 0), 1),
                 lambda: flipped(_transposed(image), 1)]
        known = static_value(k)
        if known is not None:
            return array.identity(turns[int(known) % 4](), name=scope)
        k = elementwise.floor_mod(k, 4)
        result = control_flow.case([(elementwise.equal(k, times), turns[times]) for times in (1, 2, 3)],
                                   default=turns[0], exclusive=True, name=scope)
        rank = image.shape.ndims
        if rank is not None:
            result.set_shape([None] * (rank - 1) + [image.shape.as_list()[-1]])
        return result


# ---- dtypes


@export("image.convert_image_dtype")
def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Converts images to another dtype and scales the values to its range.

    Floats are between 0 and 1, integers between 0 and the maximum of their dtype.

    Args:
        image: an image or a batch of images.
        dtype: the target dtype.
        saturate: whether to clip values that overflow, instead of wrapping around.
        name: a name for the operation.
    """
    image = convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if dtype == image.dtype.base_dtype:
        return array.identity(image, name=name)
    cast = math.saturate_cast if saturate else math.cast
    with name_scope(name, "convert_image", [image]) as scope:
        if image.dtype.is_integer and dtype.is_integer:
            return _integer_range(image, dtype, cast, scope)
        if image.dtype.is_floating and dtype.is_floating:
            return math.cast(image, dtype, name=scope)
        if image.dtype.is_integer:
            return elementwise.mul(math.cast(image, dtype), 1.0 / image.dtype.max, name=scope)
        # Adds half a step, because the cast truncates.
        return cast(elementwise.mul(image, dtype.max + 0.5), dtype, name=scope)


def _integer_range(image, dtype, cast, scope):
    """Integers rescaled from the range of one dtype to another's."""
    have, want = image.dtype.max, dtype.max
    if have > want:
        return cast(math.floordiv(image, (have + 1) // (want + 1)), dtype, name=scope)
    return elementwise.mul(cast(image, dtype), (want + 1) // (have + 1), name=scope)


def known_size(image, height, width):
    """Sets the static height and width of an image or batch of images (None or a tensor: unknown)."""
    sizes = [size if not isinstance(size, Tensor) else None for size in (height, width)]
    sizes = [None if size is None else int(size) for size in sizes]
    rank = image.shape.ndims
    if rank is not None:
        image.set_shape(TensorShape([None] * (rank - 3) + [*sizes, None]))
    return image

"""Ops that resize images.

Each spatial axis is resized separately: an output row is a weighted sum of a few input rows (its taps), with weights
that depend only on the two sizes. Positions are computed in float32, as in TensorFlow, because the nearest input row
depends on the last bit.
"""
from __future__ import annotations

import functools

import numpy as np

from evergraph import native
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.kernel.fence import computed_once
from evergraph.kernel.foreign import available, available_now, call, call_now
from evergraph.kernel.rows import Rows, of_first, one_by_one
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.arrays.reshape import shape_tensor

_F = np.float32
_RESAMPLE = "crops.resample"


# ---- positions of output rows in the input


def _scale(size, new_size, align_corners):
    """The number of input rows per output row; with aligned corners, the first and last rows coincide."""
    if align_corners and new_size > 1:
        return _F(size - 1) / _F(new_size - 1)
    return _F(size) / _F(new_size)


def _places(size, new_size, align_corners, half_pixel_centers):
    """The position of each output row, in units of input rows."""
    rows, scale = np.arange(new_size).astype(_F), _scale(size, new_size, align_corners)
    if half_pixel_centers:
        return (rows + _F(0.5)) * scale - _F(0.5)
    return rows * scale


@functools.lru_cache(maxsize=64)
def _neighbours(size, new_size, align_corners, half_pixel_centers):
    """The input rows before and after each output row, and the fraction of the way between them."""
    places = _places(size, new_size, align_corners, half_pixel_centers)
    before = np.floor(places)
    lower = np.maximum(before, 0).astype(np.int64)
    upper = np.minimum(np.ceil(places), size - 1).astype(np.int64)
    return lower, upper, (places - before).astype(_F)


def _nearest(size, new_size, align_corners, half_pixel_centers):
    """The nearest input row of each output row."""
    rows, scale = np.arange(new_size).astype(_F), _scale(size, new_size, align_corners)
    places = (rows + _F(0.5)) * scale if half_pixel_centers else rows * scale
    # Rounds half away from zero.
    nearest = np.floor(places + _F(0.5)) if align_corners else np.floor(places)
    return np.clip(nearest, 0, size - 1).astype(np.int64)


_STEPS = 1024  # bicubic weights come from a table with this many steps between two rows


def _cubic(distance, sharpness):
    """The bicubic weight at this distance, between 0 and 2."""
    a, d = sharpness, distance
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, far).astype(_F)


def _cubic_taps(size, new_size, align_corners, half_pixel_centers):
    """The four input rows around each output row and their weights, both [new_size, 4].

    Rows beyond the edge repeat the edge row; with half pixel centers they have no weight.
    """
    places = _places(size, new_size, align_corners, half_pixel_centers)
    first = np.floor(places)
    past = np.rint((places - first) * _F(_STEPS)) / _STEPS
    rows = first.astype(np.int64)[:, None] + np.arange(-1, 3)
    distances = np.stack([1 + past, past, 1 - past, 2 - past], axis=1).astype(np.float64)
    weights = _cubic(distances, -0.5 if half_pixel_centers else -0.75)
    bounded = np.clip(rows, 0, size - 1)
    if half_pixel_centers:
        weights = np.where(rows == bounded, weights, _F(0))
        total = weights.sum(axis=1, keepdims=True)
        weights = np.where(np.abs(total) >= 1000 * np.finfo(_F).tiny, weights / total, weights)
    return bounded, weights


def _area_matrix(size, new_size, align_corners):
    """The fraction of each input row that each output row covers: [new_size, size]."""
    scale = _scale(size, new_size, align_corners)
    start = np.arange(new_size).astype(_F) * scale
    end = np.arange(1, new_size + 1).astype(_F) * scale
    matrix = np.zeros((new_size, size), _F)
    for row in range(new_size):
        covered = np.arange(int(np.floor(start[row])), int(np.ceil(end[row])))
        shares = np.minimum(covered + 1, end[row]) - np.maximum(covered, start[row])
        np.add.at(matrix[row], np.clip(covered, 0, size - 1), shares.astype(_F))
    return matrix / scale if scale else np.ones((new_size, 1), _F)  # corners of one pixel: each row is that pixel


def _matrix(rows, weights, size):
    """The taps as a matrix [new_size, size]."""
    matrix = np.zeros((len(rows), size), weights.dtype)
    np.add.at(matrix, (np.arange(len(rows))[:, None], rows), weights)
    return matrix


def _linear_matrix(size, new_size, align_corners, half_pixel_centers):
    lower, upper, fraction = _neighbours(size, new_size, align_corners, half_pixel_centers)
    return _matrix(np.stack([lower, upper], axis=1), np.stack([1 - fraction, fraction], axis=1), size)


def _cubic_matrix(size, new_size, align_corners, half_pixel_centers):
    return _matrix(*_cubic_taps(size, new_size, align_corners, half_pixel_centers), size)


# ---- applying the taps


def _mixed(xp, matrix, x, axis):
    """`x` multiplied by `matrix` along `axis`."""
    options = {} if xp is np else {"precision": "highest"}
    return xp.moveaxis(xp.tensordot(matrix, x, axes=(1, axis), **options), 0, axis)


def _is_resampled_in_c(xp, images):
    is_here = available(_RESAMPLE) if is_traced(images) else xp is np and available_now(_RESAMPLE)
    return is_here and np.dtype(images.dtype) == _F and np.size(images) > 0


def resampled(xp, matrices, images):
    """Images whose rows and columns are products of matrices, [new height, height] and [new width, width]."""
    if _is_resampled_in_c(xp, images) and all(matrix.size for matrix in matrices):
        return _resampled_natively(matrices, images)
    for axis, matrix in zip((1, 2), matrices):
        images = _mixed(xp, matrix, images, axis)
    return images


def _resampled_natively(matrices, images):
    """The same by native/crops.c, with the entries of the matrices that are not zero."""
    operands = [images]
    for matrix in matrices:
        rows, places = np.nonzero(matrix)
        operands += [np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int32), places.astype(np.int32),
                     matrix[rows, places].astype(_F)]
    count, _, _, channels = images.shape
    sizes = [len(matrix) for matrix in matrices]
    shape, numbers = [count, *sizes, channels], [*images.shape, *sizes]
    if is_traced(images):
        return call(_RESAMPLE, shape, _F, operands, numbers)
    work = images.size * (len(operands[3]) // len(matrices[0]) + len(operands[6]) // len(matrices[1]) + 2)
    return call_now(_RESAMPLE, [shape], operands, np.array(numbers, np.int64).tobytes(), work)[0]


def _along(values, axis):
    """A vector reshaped to rank 4, varying along `axis`."""
    return values.reshape([-1 if each == axis else 1 for each in range(4)])


def _interpolated(xp, images, axis, lower, upper, fraction):
    before, after = xp.take(images, lower, axis=axis), xp.take(images, upper, axis=axis)
    return before + (after - before) * _along(fraction, axis)


def _weighted(xp, images, axis, rows, weights):
    return sum(xp.take(images, rows[:, tap], axis=axis) * _along(weights[:, tap], axis) for tap in range(4))


def new_sizes(size):
    """The height and width in a static `size`."""
    if np.shape(size) != (2,):
        raise invalid(f"size must be a 1-dimensional tensor of 2 elements, not of shape {list(np.shape(size))}")
    height, width = size.tolist()
    if height <= 0 or width <= 0:
        raise invalid(f"output dimensions must be positive, got {height} and {width}")
    return height, width


def _checked(images, size):
    """(axis, size, new size) of the two spatial axes."""
    shape = np.shape(images)
    if len(shape) != 4:
        raise invalid(f"input must be 4-dimensional, not of shape {list(shape)}")
    if 0 in shape[1:3]:
        raise invalid("an image without pixels has no other size")
    return list(zip((1, 2), shape[1:3], new_sizes(size)))


def resized_shape(images, shape_of):
    """The static shape of resized images."""
    batch, _, _, channels = with_rank(images, 4)
    height, width = with_rank(shape_of("size"), 2)
    return (batch, height, width, channels)


_options = "align_corners: bool = False, half_pixel_centers: bool = False"
_pixels = "{index, int8, uint8, int16, uint16, half, float, double}"


def _options_of(node):
    return {name: node.get_attr(name) for name in ("align_corners", "half_pixel_centers")}


def _exclusive(align_corners, half_pixel_centers):
    if align_corners and half_pixel_centers:
        raise invalid("half_pixel_centers and align_corners exclude each other.")


@of_first
def _resized_rows(call, node, values, count):
    """The images of all rows at once."""
    rows = values[0].values
    if rows.ndim != 5:
        return one_by_one(call, node, values, count)
    output, = call(rows.reshape(-1, *rows.shape[2:]), *values[1:])
    return [Rows(output.reshape(*rows.shape[:2], *output.shape[1:]))]


@op(f"ResizeBilinear(images: T, size: int32, *, T: {{floating, index, int8, uint8, int16, uint16}}, {_options}) -> "
    "resized_images: float", static=("size",), shape=resized_shape, in_batches=_resized_rows)
def resize_bilinear(xp, images, size, align_corners, half_pixel_centers):
    """Resizes images by bilinear interpolation."""
    _exclusive(align_corners, half_pixel_centers)
    axes = [(axis, _neighbours(old, new, align_corners, half_pixel_centers))
            for axis, old, new in _checked(images, size)]
    if native.images is not None and isinstance(images, np.ndarray) and images.dtype in (np.uint8, _F):
        return _interpolated_natively(images, *(taps for _, taps in axes))
    images = images.astype(_F)
    for axis, taps in reversed(axes):  # columns first, so that rounding is TensorFlow's
        images = computed_once(_interpolated(xp, images, axis, *taps))
    return images


def _interpolated_natively(images, rows, columns):
    """The same by the C extension."""
    result = np.empty((len(images), len(rows[0]), len(columns[0]), images.shape[3]), _F)
    native.images.bilinear(np.ascontiguousarray(images), result, images.shape, images.dtype == _F,
                           *rows, *columns)
    return result


@resize_bilinear.grad
def _(op, dy):
    return [resize_bilinear_grad(dy, op.inputs[0], **_options_of(op)), None]


def _gathered_back(xp, grads, original, matrix_of, *options):
    """The gradient of the pixels of `original`, from that of its resized copy."""
    wide = np.float64 if original.dtype == np.float64 else _F
    matrices = [matrix_of(np.shape(original)[axis], grads.shape[axis], *options).astype(wide).T for axis in (1, 2)]
    return resampled(xp, matrices, grads.astype(wide))


def _shape_of_original(grads, original_image):
    return (with_rank(grads, 4)[0], *with_rank(original_image, 4)[1:])


@op(f"ResizeBilinearGrad(grads: float, original_image: T, *, T: floating, {_options}) -> output: T",
    shape=_shape_of_original)
def resize_bilinear_grad(xp, grads, original_image, align_corners, half_pixel_centers):
    """The gradient of ResizeBilinear."""
    return _gathered_back(xp, grads, original_image, _linear_matrix, align_corners, half_pixel_centers)


@resize_bilinear_grad.grad
def _(op, dy):
    grads = op.inputs[0]
    return [resize_bilinear(dy, _spatial_sizes(grads), **_options_of(op)), None]


def _spatial_sizes(images):
    """Height and width as a tensor: a constant if they are static."""
    shape = images._shape
    if shape is not None and None not in shape[1:3]:
        return np.array(shape[1:3], np.int32)
    return strided_slice(shape_tensor(images, dtypes.int32), [1], [3], [1])


@op(f"ResizeNearestNeighbor(images: T, size: int32, *, T: {_pixels}, {_options}) -> resized_images: T",
    static=("size",), shape=resized_shape, in_batches=_resized_rows)
def resize_nearest_neighbor(xp, images, size, align_corners, half_pixel_centers):
    """Resizes images by nearest-neighbour interpolation."""
    _exclusive(align_corners, half_pixel_centers)
    for axis, old, new in _checked(images, size):
        images = xp.take(images, _nearest(old, new, align_corners, half_pixel_centers), axis=axis)
    return images


@resize_nearest_neighbor.grad
def _(op, dy):
    return [resize_nearest_neighbor_grad(dy, _spatial_sizes(op.inputs[0]), **_options_of(op)), None]


@op(f"ResizeNearestNeighborGrad(grads: T, size: int32, *, T: {{uint8, int8, int32, half, float, double}}, {_options}) "
    "-> output: T", static=("size",))
def resize_nearest_neighbor_grad(xp, grads, size, align_corners, half_pixel_centers):
    """The gradient of ResizeNearestNeighbor: each pixel gets the sum over its copies."""
    rows = [(_nearest(old, new, align_corners, half_pixel_centers), old) for _, new, old in _checked(grads, size)]
    ones = lambda places: np.ones((len(places), 1), grads.dtype)
    return resampled(xp, [_matrix(places[:, None], ones(places), old).T for places, old in rows], grads)


@resize_nearest_neighbor_grad.shape
def _(grads, shape_of):
    return resized_shape(grads, shape_of)


@resize_nearest_neighbor_grad.grad
def _(op, dy):
    return [resize_nearest_neighbor(dy, _spatial_sizes(op.inputs[0]), **_options_of(op)), None]


@op(f"ResizeBicubic(images: T, size: int32, *, T: {_pixels}, {_options}) -> resized_images: float",
    static=("size",), shape=resized_shape)
def resize_bicubic(xp, images, size, align_corners, half_pixel_centers):
    """Resizes images by bicubic interpolation."""
    _exclusive(align_corners, half_pixel_centers)
    images = images.astype(_F)
    if _is_resampled_in_c(xp, images):
        return resampled(xp, [_cubic_matrix(old, new, align_corners, half_pixel_centers)
                              for _, old, new in _checked(images, size)], images)
    for axis, old, new in _checked(images, size):
        taps = _cubic_taps(old, new, align_corners, half_pixel_centers)
        images = computed_once(_weighted(xp, images, axis, *taps))
    return images


@resize_bicubic.grad
def _(op, dy):
    image = op.inputs[0]
    if image.dtype.base_dtype not in (dtypes.float32, dtypes.float64):
        return [None, None]
    return [resize_bicubic_grad(dy, image, **_options_of(op)), None]


@op(f"ResizeBicubicGrad(grads: float, original_image: T, *, T: {{float, double}}, {_options}) -> output: T",
    shape=_shape_of_original)
def resize_bicubic_grad(xp, grads, original_image, align_corners, half_pixel_centers):
    """The gradient of ResizeBicubic."""
    return _gathered_back(xp, grads, original_image, _cubic_matrix, align_corners, half_pixel_centers)


@op(f"ResizeArea(images: T, size: int32, *, T: {_pixels}, align_corners: bool = False) -> resized_images: float",
    static=("size",), shape=resized_shape)
def resize_area(xp, images, size, align_corners):
    """Resizes images by area interpolation: each pixel is the mean over the area that it covers."""
    matrices = [_area_matrix(old, new, align_corners) for _, old, new in _checked(images, size)]
    return resampled(xp, matrices, images.astype(_F))


@op("QuantizedResizeBilinear(images: T, size: int32, min: float, max: float, *, T: {quint8, qint32, float}, "
    f"{_options}) -> resized_images: T, out_min: float, out_max: float", static=("size",), grad=STOP)
def quantized_resize_bilinear(xp, images, size, min, max, align_corners, half_pixel_centers, T):
    """ResizeBilinear of quantized images; the range is unchanged."""
    _exclusive(align_corners, half_pixel_centers)
    rows, columns = (_neighbours(old, new, align_corners, half_pixel_centers) for _, old, new in _checked(images, size))
    if T == np.uint8:
        return _interpolated_bytes(xp, images, rows, columns), min, max
    numbers = images.astype(_F if T == np.float32 else np.float64)
    resized = _interpolated(xp, _interpolated(xp, numbers, 2, *columns), 1, *rows)
    return resized if T == np.float32 else xp.floor(resized + 0.5).astype(T), min, max


_BYTE_STEPS = 128  # the interpolation weights of bytes have this many steps


def _interpolated_bytes(xp, images, rows, columns):
    """Bilinear interpolation of bytes in integer arithmetic, as in TensorFlow."""
    def taken(lines):
        return xp.take(xp.take(images.astype(np.int32), lines, axis=1), columns[0], axis=2), \
            xp.take(xp.take(images.astype(np.int32), lines, axis=1), columns[1], axis=2)
    across = _along((columns[2] * _BYTE_STEPS).astype(np.int32), 2)
    down = _along((rows[2] * _BYTE_STEPS).astype(np.int32), 1)
    above, below = (left * _BYTE_STEPS + (right - left) * across for left, right in map(taken, rows[:2]))
    between = xp.trunc((below - above) / _BYTE_STEPS).astype(np.int32)
    return xp.clip((above + between * down + _BYTE_STEPS // 2) // _BYTE_STEPS, 0, 255).astype(np.uint8)


@quantized_resize_bilinear.shape
def _(images, min, max, shape_of):
    with_rank(min, 0)
    with_rank(max, 0)
    return [resized_shape(images, shape_of), (), ()]

"""tf.keras.backend: shapes, construction, indexing, convolutions and pooling of tensors."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, functional, math
from evergraph.frontend import indexing as places
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.nn import convolution, pool
from evergraph.frontend.printing import print_v2
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant as constant_of
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import history, settings
from evergraph.keras.arithmetic import named
from evergraph.keras.local import locally_convolved
from evergraph.keras.resize import repeated, resized
from evergraph.layers.sizes import layout
from evergraph.ops.arrays import pad

# ---- properties

shape = named("shape", "The shape as a tensor.", lambda x: array.shape(x))
int_shape = named("int_shape", "The static shape as a tuple with None for unknown sizes; None for an unknown rank.",
                  lambda x: None if x.shape.rank is None else tuple(x.shape.as_list()), Any)
ndim = named("ndim", "The rank; None if unknown.", lambda x: x.shape.rank, int | None)
dtype_of = named("dtype", "The name of the dtype.", lambda x: x.dtype.base_dtype.name, str)
is_sparse = named("is_sparse", "Whether a tensor is sparse.", lambda tensor: isinstance(tensor, SparseTensor), bool)
to_dense = named("to_dense", "Converts a sparse tensor to a dense one; other tensors unchanged.",
                 lambda tensor: sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor, Any)


# ---- construction

@export("keras.backend.placeholder")
def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    """Creates a placeholder.

    Args:
        shape: its shape; or
        ndim: its rank.
        dtype: its dtype; by default `tf.keras.backend.floatx()`.
        sparse: whether it is sparse.
        name: its name.
        ragged: not supported.

    Raises:
        ValueError: both sparse and ragged.
    """
    if ragged:
        raise ValueError("A placeholder of tf.keras.backend is dense or sparse, not ragged.")
    if shape is None and ndim is not None:
        shape = (None,) * ndim
    make = array.sparse_placeholder if sparse else array.placeholder
    with history.symbolic():
        return make(dtypes.as_dtype(dtype or settings.floatx()), shape=shape, name=name)


@export("keras.backend.constant")
def constant(value, dtype=None, shape=None, name=None):
    """A constant; its dtype is by default `tf.keras.backend.floatx()`."""
    return constant_of(value, dtype=dtype or settings.floatx(), shape=shape, name=name or "Const")


@export("keras.backend.arange")
def arange(start, stop=None, step=1, dtype="int32"):
    """The range start, start + step, ..., excluding stop; from zero if only one number is given."""
    if stop is None and isinstance(start, (int, float)) and start < 0:
        start = 0
    result = math.range(start, limit=stop, delta=step)
    return result if dtype == "int32" else math.cast(result, dtype)


zeros_like = named("zeros_like", "Zeros of the shape of `x`.",
                   lambda x, dtype=None, name=None: array.zeros_like(x, dtype=dtype, name=name))
ones_like = named("ones_like", "Ones of the shape of `x`.",
                  lambda x, dtype=None, name=None: array.ones_like(x, dtype=dtype, name=name))
cast = named("cast", "Casts a tensor to another dtype.", lambda x, dtype: math.cast(x, dtype))


@export("keras.backend.cast_to_floatx")
def cast_to_floatx(x):
    """Casts an array or tensor to the default dtype."""
    if hasattr(x, "op"):
        return math.cast(x, settings.floatx())
    return np.asarray(x, dtype=settings.floatx())


one_hot = named("one_hot", "One-hot encodes indices.",
                lambda indices, num_classes: places.one_hot(indices, depth=num_classes, axis=-1))


# ---- shapes

reshape = named("reshape", "Gives a tensor another shape.", lambda x, shape: array.reshape(x, shape))
permute_dimensions = named("permute_dimensions", "Permutes the axes of a tensor.",
                           lambda x, pattern: array.transpose(x, perm=pattern))
transpose = named("transpose", "Reverses the order of the axes.", lambda x: array.transpose(x))
expand_dims = named("expand_dims", "Inserts an axis of size 1.", lambda x, axis=-1: array.expand_dims(x, axis))
squeeze = named("squeeze", "Removes an axis of size 1.", lambda x, axis: array.squeeze(x, [axis]))
flatten = named("flatten", "Flattens a tensor to a vector.", lambda x: array.reshape(x, [-1]))


@export("keras.backend.batch_flatten")
def batch_flatten(x):
    """Flattens each example: [batch, ...] to [batch, number of elements]."""
    sizes = [None] if x.shape.rank is None else x.shape.as_list()[1:]
    inner = -1 if None in sizes else int(np.prod(sizes))
    return array.reshape(x, array.stack([-1, inner]) if inner != -1 else [array.shape(x)[0], -1])


repeat = named("repeat", "Repeats each example n times: [batch, features] to [batch, n, features].",
               lambda x, n: pad.tile(array.expand_dims(x, 1), array.stack([1, n, 1])))
repeat_elements = named("repeat_elements", "Repeats each element `rep` times along an axis.",
                        lambda x, rep, axis: repeated(x, rep, axis % x.shape.rank))
tile = named("tile", "Tiles a tensor, `n` times or by a number for each axis.",
             lambda x, n: pad.tile(x, [n] if isinstance(n, int) else n))


@export("keras.backend.concatenate")
def concatenate(tensors, axis=-1):
    """Concatenates tensors along an axis."""
    rank = tensors[0].shape.rank
    axis = axis % rank if axis < 0 and rank else max(axis, 0)
    return array.concat(tensors, axis)


stack = named("stack", "Stacks a list of tensors along a new axis.", lambda x, axis=0: array.stack(x, axis=axis))
gather = named("gather", "Gathers the rows at these indices.",
               lambda reference, indices: places.gather(reference, indices))
reverse = named("reverse", "Reverses a tensor along axes.",
                lambda x, axes: pad.reverse_v2(x, [axes] if isinstance(axes, int) else axes))
temporal_padding = named("temporal_padding", "Pads sequences with zeros before and after.",
                         lambda x, padding=(1, 1): pad.pad(x, [[0, 0], list(padding), [0, 0]]))


def _spatial_padding(x, padding, data_format):
    sides = [list(pair) for pair in padding]
    last = settings.layout_of(data_format) == "channels_last"
    return pad.pad(x, [[0, 0], *sides, [0, 0]] if last else [[0, 0], [0, 0], *sides])


@export("keras.backend.spatial_2d_padding")
def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    """Pads images with zeros; see `tf.keras.layers.ZeroPadding2D`."""
    return _spatial_padding(x, padding, data_format)


@export("keras.backend.spatial_3d_padding")
def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    """Pads volumes with zeros; see `tf.keras.layers.ZeroPadding3D`."""
    return _spatial_padding(x, padding, data_format)


@export("keras.backend.resize_images")
def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    """Makes images larger by whole factors; see `tf.keras.layers.UpSampling2D`."""
    return resized(x, height_factor, width_factor, settings.layout_of(data_format), interpolation)


@export("keras.backend.resize_volumes")
def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    """Makes volumes larger by whole factors; see `tf.keras.layers.UpSampling3D`."""
    start = 1 if settings.layout_of(data_format) == "channels_last" else 2
    for place, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeated(x, factor, start + place)
    return x


# ---- functional operations

map_fn = named("map_fn", "Maps a function over the elements along the first axis.",
               lambda fn, elems, name=None, dtype=None: functional.map_fn(fn, elems, name=name, dtype=dtype), Any)


@export("keras.backend.foldl")
def foldl(fn, elems, initializer=None, name=None):
    """Left fold: reduces the elements along the first axis by a function, from the first on; see `tf.foldl`."""
    return functional.foldl(fn, elems, initializer=initializer, name=name)


@export("keras.backend.foldr")
def foldr(fn, elems, initializer=None, name=None):
    """Right fold: reduces the elements along the first axis by a function, from the last on; see `tf.foldr`."""
    return functional.foldr(fn, elems, initializer=initializer, name=name)


print_tensor = named("print_tensor", "Forwards the tensor, and prints it after the message whenever it is computed.",
                     lambda x, message="": with_dependencies([print_v2(message, x)], x))


# ---- convolutions and pooling

def _convolved(x, kernel, strides, padding, data_format, dilation_rate):
    x, order = convert_to_tensor(x), settings.layout_of(data_format)
    rank = len(kernel.shape)  # that of the images may be unknown
    each = lambda value: (value,) * (rank - 2) if isinstance(value, int) else tuple(value)
    if padding == "causal":
        missing = each(dilation_rate)[0] * (kernel.shape.as_list()[0] - 1)
        x = pad.pad(x, [[0, 0], [missing, 0], [0, 0]] if order == "channels_last" else [[0, 0], [0, 0], [missing, 0]])
        padding = "valid"
    return convolution.convolution(x, kernel, padding=padding.upper(), strides=each(strides),
                                   dilation_rate=each(dilation_rate), data_format=layout(order, rank))


@export("keras.backend.conv1d")
def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """1-D convolution; see `tf.keras.layers.Conv1D`."""
    return _convolved(x, kernel, strides, padding, data_format, dilation_rate)


@export("keras.backend.conv2d")
def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    """2-D convolution; see `tf.keras.layers.Conv2D`."""
    return _convolved(x, kernel, strides, padding, data_format, dilation_rate)


@export("keras.backend.conv3d")
def conv3d(x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)):
    """3-D convolution; see `tf.keras.layers.Conv3D`."""
    return _convolved(x, kernel, strides, padding, data_format, dilation_rate)


def _with_ends(values, order):
    return [1, *values, 1] if order == "channels_last" else [1, 1, *values]


@export("keras.backend.conv2d_transpose")
def conv2d_transpose(x, kernel, output_shape, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    """2-D transposed convolution, to the given output shape; see `tf.keras.layers.Conv2DTranspose`.

    Raises:
        ValueError: the dilation differs between height and width.
    """
    order = settings.layout_of(data_format)
    sizes = array.stack([array.shape(x)[0] if size is None else size for size in output_shape]) \
        if isinstance(output_shape, (list, tuple)) else output_shape
    if tuple(dilation_rate) == (1, 1):
        return convolution.conv2d_transpose(x, kernel, sizes, _with_ends(strides, order), padding=padding.upper(),
                                            data_format=layout(order, 4))
    if dilation_rate[0] != dilation_rate[1] or order == "channels_first":
        raise ValueError("A transposed convolution with holes wants equal rates and channels last.")
    return convolution.atrous_conv2d_transpose(x, kernel, sizes, dilation_rate[0], padding.upper())


@export("keras.backend.separable_conv2d")
def separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1), padding="valid", data_format=None,
                     dilation_rate=(1, 1)):
    """Depthwise separable 2-D convolution; see `tf.keras.layers.SeparableConv2D`."""
    order = settings.layout_of(data_format)
    if len(strides) != 2:
        raise ValueError(f"`strides` must be a tuple of 2 integers, got {strides}")
    return convolution.separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=_with_ends(strides, order),
                                        padding=padding.upper(), rate=dilation_rate, data_format=layout(order, 4))


def _pooled(x, pool_size, strides, padding, data_format, pool_mode):
    order = settings.layout_of(data_format)
    kinds = {("max", 4): pool.max_pool, ("avg", 4): pool.avg_pool, ("max", 5): pool.max_pool3d,
             ("avg", 5): pool.avg_pool3d}
    rank = len(pool_size) + 2
    if (pool_mode, rank) not in kinds:
        raise ValueError(f"Invalid pooling mode: {pool_mode}")
    return kinds[pool_mode, rank](x, _with_ends(pool_size, order), _with_ends(strides, order), padding=padding.upper(),
                                  data_format=layout(order, rank))


@export("keras.backend.pool2d")
def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    """2-D pooling; see `tf.keras.layers.MaxPool2D` and, for pool_mode="avg", `tf.keras.layers.AvgPool2D`."""
    return _pooled(x, pool_size, strides, padding, data_format, pool_mode)


@export("keras.backend.pool3d")
def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    """3-D pooling; see `tf.keras.layers.MaxPool3D` and, for pool_mode="avg", `tf.keras.layers.AvgPool3D`."""
    return _pooled(x, pool_size, strides, padding, data_format, pool_mode)


@export("keras.backend.local_conv1d")
def local_conv1d(inputs, kernel, kernel_size, strides, data_format=None):
    """1-D convolution without weight sharing; see `tf.keras.layers.LocallyConnected1D`."""
    return locally_convolved(inputs, kernel, kernel_size, strides, [kernel.shape.as_list()[0]],
                             settings.layout_of(data_format))


@export("keras.backend.local_conv2d")
def local_conv2d(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    """2-D convolution without weight sharing, to (rows, columns); see `tf.keras.layers.LocallyConnected2D`."""
    return locally_convolved(inputs, kernel, kernel_size, strides, list(output_shape), settings.layout_of(data_format))

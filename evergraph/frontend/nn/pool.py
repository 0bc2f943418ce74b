"""tf.nn's pooling: the largest element or the mean of windows over sequences, images and volumes."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.convolution import along_all, channels_first, with_space_to_batch
from evergraph.frontend.random import get_seed
from evergraph.frontend.reduce import either
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.nn import fractional
from evergraph.ops.nn import pool as ops

_LAYOUTS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
_ARGUMENTS = """
    Args:
        {input}: {what}, or with the channels second.
        ksize: the size of the window: one number, one for each axis of space, or one for every axis.
        strides: the steps of the window, in the same way.
        padding: "SAME" or "VALID".
        data_format: "{last}" or "{first}".
        name: a name for the operation."""


def _documented(text, count, input="input", more=""):
    """Gives a function its docstring."""
    what = {1: "[batch, width, channels]", 2: "[batch, height, width, channels]",
            3: "[batch, depth, height, width, channels]"}[count]
    last = _LAYOUTS[count]

    def decorate(function):
        arguments = _ARGUMENTS.format(input=input, what=what, last=last, first=f"NC{last[1:-1]}")
        function.__doc__ = f"{text}\n{arguments}{more}\n    "
        return function

    return decorate


_OLD = "\n        input: another name of `value`."


# ---- images

def _of_images(op, default, value, ksize, strides, padding, data_format, name, called="value"):
    with name_scope(name, default, [value]) as scope:
        order = data_format or "NHWC"
        value = convert_to_tensor(value, name=called)
        return op(value, ksize=along_all(ksize, 2, order, "ksize"), strides=along_all(strides, 2, order, "strides"),
                  padding=padding, data_format=order, name=scope)


@export("nn.max_pool")
@_documented("Max-pools images: takes the maximum over a sliding window, channel by channel.", 2, "value", _OLD)
def max_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    value = either("input", input, "value", value)
    return _of_images(ops.max_pool, "MaxPool", value, ksize, strides, padding, data_format, name)


@export("nn.avg_pool", "nn.avg_pool2d")
@_documented("Average-pools images: takes the mean over a sliding window, channel by channel.", 2, "value", _OLD)
def avg_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    value = either("input", input, "value", value)
    return _of_images(ops.avg_pool, "AvgPool", value, ksize, strides, padding, data_format, name)


@export("nn.max_pool2d")
@_documented("Max-pools images: takes the maximum over a sliding window, channel by channel.", 2)
def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    return _of_images(ops.max_pool, "MaxPool2d", input, ksize, strides, padding, data_format, name, "input")


@export("nn.max_pool_with_argmax")
def max_pool_with_argmax(input, ksize, strides, padding, data_format="NHWC", Targmax=None, name=None,
                         output_dtype=None, include_batch_in_index=False):
    """Max-pools images and also returns the index of each maximum in its flattened image.

    Args:
        input: [batch, height, width, channels].
        ksize: four numbers: the size of the window.
        strides: four numbers: the steps of the window.
        padding: "SAME" or "VALID".
        data_format: "NHWC".
        Targmax: the dtype of the places, tf.int64 by default.
        name: a name for the operation.
        output_dtype: another name of `Targmax`.
        include_batch_in_index: whether places are those in the whole flattened batch.

    Returns:
        (the elements, their places).

    Raises:
        ValueError: the layout is another.
    """
    if data_format != "NHWC":
        raise ValueError(f"data_format must be 'NHWC', got {data_format!r}")
    kind = either("Targmax", Targmax, "output_dtype", output_dtype)
    return ops.max_pool_with_argmax(input, ksize=ksize, strides=strides, padding=padding,
                                    Targmax=dtypes.int64 if kind is None else kind,
                                    include_batch_in_index=include_batch_in_index, name=name)


# ---- sequences

def _of_sequences(op, default, input, ksize, strides, padding, data_format, name):
    """Sequences are images of height 1."""
    with name_scope(name, default, [input]) as scope:
        order = data_format or "NWC"
        axis = 2 if channels_first(order) else 1
        ksize, strides = along_all(ksize, 1, order, "ksize"), along_all(strides, 1, order, "strides")
        for numbers in (ksize, strides):
            numbers.insert(axis, 1)
        image = array.expand_dims(input, axis)
        result = op(image, ksize=ksize, strides=strides, padding=padding,
                    data_format="NCHW" if axis == 2 else "NHWC", name=scope)
        return array.squeeze(result, axis)


@export("nn.max_pool1d")
@_documented("Max-pools sequences: takes the maximum over a sliding window, channel by channel.", 1)
def max_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    return _of_sequences(ops.max_pool, "MaxPool1d", input, ksize, strides, padding, data_format, name)


@export("nn.avg_pool1d")
@_documented("Average-pools sequences: takes the mean over a sliding window, channel by channel.", 1)
def avg_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    return _of_sequences(ops.avg_pool, "AvgPool1D", input, ksize, strides, padding, data_format, name)


# ---- volumes

def _of_volumes(op, default, input, ksize, strides, padding, data_format, name):
    with name_scope(name, default, [input]) as scope:
        order = data_format or "NDHWC"
        return op(input, ksize=along_all(ksize, 3, order, "ksize"), strides=along_all(strides, 3, order, "strides"),
                  padding=padding, data_format=order, name=scope)


@export("nn.max_pool3d")
@_documented("Max-pools volumes: takes the maximum over a sliding window, channel by channel.", 3)
def max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    return _of_volumes(ops.max_pool3d, "MaxPool3D", input, ksize, strides, padding, data_format, name)


@export("nn.avg_pool3d")
@_documented("Average-pools volumes: takes the mean over a sliding window, channel by channel.", 3)
def avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    return _of_volumes(ops.avg_pool3d, "AvgPool3D", input, ksize, strides, padding, data_format, name)


# ---- any number of axes

_BY_AXES = {
    "MAX": {1: max_pool1d, 2: max_pool, 3: max_pool3d},
    "AVG": {1: avg_pool1d, 2: avg_pool, 3: avg_pool3d},
}


def _of_any(kind, input, ksize, strides, padding, data_format, name):
    input = convert_to_tensor(input)
    rank = input.shape.rank
    if rank is None:
        raise ValueError("The rank of the input must be known")
    if not 3 <= rank <= 5:
        raise ValueError(f"the input must have rank 3, 4 or 5, got {rank}")
    function = _BY_AXES[kind][rank - 2]
    return function(input, ksize=ksize, strides=strides, padding=padding,
                    data_format=data_format or _LAYOUTS[rank - 2], name=name)


@export("nn.max_pool_v2")
def max_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    """Max-pools sequences, images or volumes, by the rank of the input.

    Args:
        ksize: the size of the window, a number or one for each axis.
        strides: how far the window moves.
        padding: "SAME" or "VALID".
        data_format: which axis has the channels, such as "NHWC".
    """
    return _of_any("MAX", input, ksize, strides, padding, data_format, name)


@export("nn.avg_pool_v2")
def avg_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    """Average-pools sequences, images or volumes, by the rank of the input.

    Args:
        ksize: the size of the window, a number or one for each axis.
        strides: how far the window moves.
        padding: "SAME" or "VALID".
        data_format: which axis has the channels, such as "NHWC".
    """
    return _of_any("AVG", input, ksize, strides, padding, data_format, name)


@export("nn.pool")
def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, data_format=None,
         dilations=None):
    """Pooling over as many axes as the window has.

    Args:
        input: [batch, ..., channels], or with the channels second.
        window_shape: the size of the window along each axis of space.
        pooling_type: "MAX" or "AVG".
        padding: "SAME" or "VALID".
        dilation_rate: the distance between the elements that a window sees; where it is not 1 the strides must be, and
            the padding must be "VALID".
        strides: the steps of the window; 1 by default.
        name: a name for the operations.
        data_format: a layout that begins with "NC" has the channels second.
        dilations: another name of `dilation_rate`.

    Raises:
        ValueError: the arguments do not fit each other.
    """
    rates = either("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        count = len(window_shape)
        if not 1 <= count <= 3:
            raise ValueError("`num_spatial_dims` must be 1, 2, or 3.")
        if pooling_type not in _BY_AXES:
            raise ValueError(f"pooling_type must be MAX or AVG, got {pooling_type!r}")
        rates, strides = list(rates or [1] * count), list(strides or [1] * count)
        _check_holes(padding, window_shape, rates, strides)
        order = f"NC{_LAYOUTS[count][1:-1]}" if channels_first(data_format) else _LAYOUTS[count]
        function = _BY_AXES[pooling_type][count]

        def pooled(tensor, _, padding):
            return function(tensor, list(window_shape), strides, padding, data_format=order, name=scope)

        return with_space_to_batch(input, rates, padding, pooled, filter_shape=list(window_shape),
                                   data_format=data_format)


def _check_holes(padding, window_shape, rates, strides):
    if max(rates) == 1:
        return
    if padding == "SAME":
        raise ValueError("averages over dilated windows need 'VALID' padding")
    if max(strides) > 1:
        raise ValueError("strides and dilation_rate cannot both be larger than 1")
    if any(stride > window for stride, window in zip(strides, window_shape)):
        raise ValueError("a window must not be smaller than its stride")


# ---- regions of random size

def _fractional(op, value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name):
    return op(value, pooling_ratio=pooling_ratio, pseudo_random=pseudo_random, overlapping=overlapping,
              deterministic=deterministic, seed=seed, seed2=seed2, name=name)


@export("nn.fractional_max_pool")
def fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0,
                        seed2=0, name=None):
    """Applies fractional max-pooling (Graham, 2014): the maximum over regions of randomly varying sizes.

    Args:
        value: [batch, height, width, channels].
        pooling_ratio: four numbers: by how much each axis shrinks; 1 for the first and the last.
        pseudo_random: whether one random number shifts all regions, instead of an order of its own for each axis.
        overlapping: whether neighbouring regions share an element.
        deterministic: whether every run uses the same regions.
        seed: a seed, for deterministic regions.
        seed2: a second one.
        name: a name for the operation.

    Returns:
        (the elements, where regions begin along the height, the same along the width).
    """
    return _fractional(fractional.fractional_max_pool, value, pooling_ratio, pseudo_random, overlapping, deterministic,
                       seed, seed2, name)


@export("nn.fractional_avg_pool")
def fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0,
                        seed2=0, name=None):
    """Applies fractional average-pooling; see `tf.nn.fractional_max_pool` for the regions and the arguments."""
    return _fractional(fractional.fractional_avg_pool, value, pooling_ratio, pseudo_random, overlapping, deterministic,
                       seed, seed2, name)


def _fractional_later(op, value, pooling_ratio, pseudo_random, overlapping, seed, name):
    """With TensorFlow 2's arguments: any seed but 0 fixes the regions."""
    ratio = list(pooling_ratio) if isinstance(pooling_ratio, (list, tuple)) else [pooling_ratio]
    if len(ratio) not in (1, 2, 4):
        raise ValueError(f"pooling_ratio should be of length 1, 2 or 4 but was {len(ratio)}")
    ratio = ratio if len(ratio) == 4 else [1.0, *(ratio * 2)[:2], 1.0]
    seeds = get_seed(seed) if seed else (0, 0)
    return _fractional(op, value, ratio, pseudo_random, overlapping, bool(seed), *seeds, name)


@export("compat.v2.nn.fractional_max_pool")
def fractional_max_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Applies fractional max-pooling (Graham, 2014) as TensorFlow 2 spells it; see `tf.nn.fractional_max_pool`.

    Args:
        value: [batch, height, width, channels].
        pooling_ratio: by how much height and width shrink: one number, two, or one for every axis.
        pseudo_random: whether one random number shifts all regions, instead of an order of its own for each axis.
        overlapping: whether neighbouring regions share an element.
        seed: any number but 0 has every run use the same regions.
        name: a name for the operation.

    Raises:
        ValueError: there are other than 1, 2 or 4 ratios.
    """
    return _fractional_later(fractional.fractional_max_pool, value, pooling_ratio, pseudo_random, overlapping, seed,
                             name)


@export("compat.v2.nn.fractional_avg_pool")
def fractional_avg_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Applies fractional average-pooling as TensorFlow 2 spells it; see its max-pooling for the arguments."""
    return _fractional_later(fractional.fractional_avg_pool, value, pooling_ratio, pseudo_random, overlapping, seed,
                             name)

"""tf.contrib.layers: convolutions, transposed, separable and in one plane."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.initializers import xavier_initializer
from evergraph.contrib.layers.names import (
    add_variable,
    channel_dimension,
    everywhere,
    last_dimension,
    n_positive_integers,
    two_element_tuple,
)
from evergraph.contrib.layers.scope import (
    KERNEL,
    SEPARABLE,
    WEIGHTED,
    finished,
    layer_scope,
    parameter,
    shared_arguments,
)
from evergraph.frontend.nn import activations as nn
from evergraph.frontend.nn.convolution import depthwise_conv2d
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.convolution import Conv1D, Conv2D, Conv3D
from evergraph.layers.separable import SeparableConv2D
from evergraph.layers.transpose import Conv2DTranspose, Conv3DTranspose
from evergraph.ops.arrays import pad
from evergraph.ops.nn import activations

_LAYOUTS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
_CLASSES = {1: Conv1D, 2: Conv2D, 3: Conv3D}


def _order(data_format: Any) -> str:
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def _require_layout(data_format: Any, count: int) -> None:
    """Raises ValueError for a layout that tensors with this number of spatial axes cannot have."""
    last, first = _LAYOUTS[count]
    if data_format not in (last, first):
        raise ValueError(f"data_format must be {last} or {first}, got {data_format!r}")


@export(*everywhere("convolution"))
@add_arg_scope
@shared_arguments(WEIGHTED)
def convolution(inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
                data_format: Any = None, rate: Any = 1, activation_fn: Any = activations.relu,
                normalizer_fn: Any = None, normalizer_params: Any = None,
                weights_initializer: Any = xavier_initializer(), weights_regularizer: Any = None,
                biases_initializer: Any = zeros_initializer(), biases_regularizer: Any = None, reuse: Any = None,
                variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
                scope: Any = None, conv_dims: int | None = None) -> Any:
    """1-D, 2-D or 3-D convolution, by the rank of the inputs.

    >>> tf.contrib.layers.conv2d(tf.zeros([1, 8, 8, 3]), 16, [3, 3], scope="conv1").op.name
    'conv1/Relu'

    Args:
        inputs: a tensor of rank 3, 4 or 5.
        num_outputs: the number of output channels.
        kernel_size: the size of the filters: an integer, or one for each axis.
        stride: the strides of the convolution: an integer, or one for each axis.
        padding: "SAME" or "VALID".
        data_format: None or, such as "NHWC", channels last; "NCHW" for channels after the batch.
        rate: the dilation of the filters: an integer, or one for each axis.
        conv_dims: the required number of spatial axes.

    Raises:
        ValueError: the layout or the rank of the inputs is invalid.
    """
    if data_format not in (None, *(layout for pair in _LAYOUTS.values() for layout in pair)):
        raise ValueError(f"Invalid data_format: {data_format!r}")
    with layer_scope(scope, "Conv", inputs, reuse, KERNEL) as (inner, inputs):
        rank = inputs.shape.rank
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        if rank not in (3, 4, 5):
            raise ValueError(f"inputs must have rank 3, 4 or 5, these have {rank}")
        layer = _CLASSES[rank - 2](
            num_outputs, n_positive_integers(rank - 2, kernel_size), strides=n_positive_integers(rank - 2, stride),
            padding=padding, data_format=_order(data_format), dilation_rate=n_positive_integers(rank - 2, rate),
            use_bias=not normalizer_fn and bool(biases_initializer), kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer, trainable=trainable, name=inner.name, dtype=inputs.dtype.base_dtype,
            _scope=inner, _reuse=reuse)
        outputs = _applied(layer, inputs, variables_collections)
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


def _applied(layer: Any, inputs: Any, variables_collections: Any) -> Any:
    """The outputs of a tf.layers layer, after adding its variables to their collections."""
    outputs = layer(inputs)
    add_variable(layer.kernel, variables_collections, "weights")
    if layer.bias is not None:
        add_variable(layer.bias, variables_collections, "biases")
    return outputs


def _of_rank(name: str, count: int, *short: str) -> Any:
    """`convolution` for inputs of one rank, as a separate function for `arg_scope`."""
    def function(inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
                 data_format: Any = None, rate: Any = 1, activation_fn: Any = activations.relu,
                 normalizer_fn: Any = None, normalizer_params: Any = None,
                 weights_initializer: Any = xavier_initializer(), weights_regularizer: Any = None,
                 biases_initializer: Any = zeros_initializer(), biases_regularizer: Any = None, reuse: Any = None,
                 variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
                 scope: Any = None) -> Any:
        return convolution(
            inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
            normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
            variables_collections, outputs_collections, trainable, scope, conv_dims=count)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`tf.contrib.layers.convolution` for inputs of rank {count + 2}; see there."
    return export(*everywhere(name, *short))(add_arg_scope(function))


convolution1d = conv1d = _of_rank("convolution1d", 1, "conv1d")
convolution2d = conv2d = _of_rank("convolution2d", 2, "conv2d")
convolution3d = conv3d = _of_rank("convolution3d", 3, "conv3d")


# ---- transposed

def _transpose_of(count: int, kind: Any, what: str) -> Any:
    """The transposed convolution over `count` spatial axes, by a layer of this class."""
    last, first = _LAYOUTS[count]

    def function(inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
                 data_format: str = last, activation_fn: Any = activations.relu, normalizer_fn: Any = None,
                 normalizer_params: Any = None, weights_initializer: Any = xavier_initializer(),
                 weights_regularizer: Any = None, biases_initializer: Any = zeros_initializer(),
                 biases_regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
                 outputs_collections: Any = None, trainable: bool = True, scope: Any = None) -> Any:
        _require_layout(data_format, count)
        with layer_scope(scope, f"Conv{count}d_transpose", inputs, reuse, KERNEL) as (inner, inputs):
            layer = kind(
                num_outputs, n_positive_integers(count, kernel_size), strides=n_positive_integers(count, stride),
                padding=padding, data_format=_order(data_format),
                use_bias=not normalizer_fn and bool(biases_initializer), kernel_initializer=weights_initializer,
                bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer, trainable=trainable, name=inner.name,
                dtype=inputs.dtype.base_dtype, _scope=inner, _reuse=reuse)
            outputs = _applied(layer, inputs, variables_collections)
            return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)

    name = f"convolution{count}d_transpose"
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Transposed convolution (deconvolution) of {what}.

    Args:
        inputs: a tensor of rank {count + 2}.
        num_outputs: the number of output channels.
        kernel_size: the size of the filters: an integer, or one for each axis.
        stride: the upsampling stride: an integer, or one for each axis.
        padding: "SAME" or "VALID".
        data_format: "{last}", or "{first}" for channels after the batch.

    Raises:
        ValueError: the layout is unknown.
    """
    documented = shared_arguments(WEIGHTED)(function)
    return export(*everywhere(name, f"conv{count}d_transpose"))(add_arg_scope(documented))


convolution2d_transpose = conv2d_transpose = _transpose_of(2, Conv2DTranspose, "images")
convolution3d_transpose = conv3d_transpose = _transpose_of(3, Conv3DTranspose, "volumes")


# ---- separable

@export(*everywhere("separable_convolution2d", "separable_conv2d"))
@add_arg_scope
@shared_arguments(WEIGHTED)
def separable_convolution2d(inputs: Any, num_outputs: int | None, kernel_size: Any, depth_multiplier: int = 1,
                            stride: Any = 1, padding: str = "SAME", data_format: str = "NHWC", rate: Any = 1,
                            activation_fn: Any = activations.relu, normalizer_fn: Any = None,
                            normalizer_params: Any = None, weights_initializer: Any = xavier_initializer(),
                            pointwise_initializer: Any = None, weights_regularizer: Any = None,
                            biases_initializer: Any = zeros_initializer(), biases_regularizer: Any = None,
                            reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
                            trainable: bool = True, scope: Any = None) -> Any:
    """Depthwise separable convolution: `scope`/depthwise_weights, then `scope`/pointwise_weights.

    Args:
        inputs: a tensor of rank 4.
        num_outputs: the number of output channels; None omits the pointwise convolution.
        kernel_size: the size of the filters: an integer, or two.
        depth_multiplier: the number of depthwise channels per input channel.
        stride: the strides of the convolution: an integer, or two.
        padding: "SAME" or "VALID".
        data_format: "NHWC", or "NCHW" for channels after the batch.
        rate: the dilation of the filters; the strides must be 1 then.
        pointwise_initializer: the initializer of the pointwise kernel; None for that of the other weights.

    Raises:
        ValueError: the layout is unknown.
    """
    _require_layout(data_format, 2)
    with layer_scope(scope, "SeparableConv2d", inputs, reuse, SEPARABLE) as (inner, inputs):
        biased = not normalizer_fn and bool(biases_initializer)
        if num_outputs is None:
            outputs = _by_channel(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate,
                                  weights_initializer, weights_regularizer, variables_collections, trainable)
            if biased:
                biases = parameter("biases", [outputs.shape.as_list()[1 if data_format == "NCHW" else -1]],
                                   inputs.dtype.base_dtype, biases_initializer, variables_collections, trainable,
                                   biases_regularizer)
                outputs = nn.bias_add(outputs, biases, data_format=data_format)
        else:
            layer = SeparableConv2D(
                num_outputs, two_element_tuple(kernel_size), strides=two_element_tuple(stride), padding=padding,
                data_format=_order(data_format), dilation_rate=two_element_tuple(rate),
                depth_multiplier=depth_multiplier, use_bias=biased, depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
                name=inner.name, dtype=inputs.dtype.base_dtype, _scope=inner, _reuse=reuse)
            outputs = layer(inputs)
            for variable, name in ((layer.depthwise_kernel, "weights"), (layer.pointwise_kernel, "weights"),
                                   (layer.bias, "biases")):
                if variable is not None:
                    add_variable(variable, variables_collections, name)
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


separable_conv2d = separable_convolution2d


def _by_channel(inputs, kernel_size, multiplier, stride, padding, data_format, rate, initializer, regularizer,
                variables_collections, trainable):
    """The depthwise convolution."""
    channels = channel_dimension(inputs.shape, data_format, min_rank=4)
    weights = parameter("depthwise_weights", [*two_element_tuple(kernel_size), channels, multiplier],
                        inputs.dtype.base_dtype, initializer, variables_collections, trainable, regularizer)
    height, width = two_element_tuple(stride)
    strides = [1, 1, height, width] if data_format == "NCHW" else [1, height, width, 1]
    return depthwise_conv2d(inputs, weights, strides, padding, rate=two_element_tuple(rate), data_format=data_format)


@export(*everywhere("convolution2d_in_plane", "conv2d_in_plane"))
@add_arg_scope
@shared_arguments(WEIGHTED)
def convolution2d_in_plane(inputs: Any, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
                           activation_fn: Any = activations.relu, normalizer_fn: Any = None,
                           normalizer_params: Any = None, weights_initializer: Any = xavier_initializer(),
                           weights_regularizer: Any = None, biases_initializer: Any = zeros_initializer(),
                           biases_regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
                           outputs_collections: Any = None, trainable: bool = True, scope: Any = None) -> Any:
    """Convolves every channel with the same 2-D filter, such as a blur or a finite difference.

    Args:
        inputs: a tensor of rank 4, channels last.
        kernel_size: the size of the filter: an integer, or two.
        stride: the strides of the convolution: an integer, or two.
        padding: "SAME" or "VALID".
    """
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        kind, channels = inputs.dtype.base_dtype, last_dimension(inputs.shape, min_rank=4)
        weights = parameter("weights", [*two_element_tuple(kernel_size), 1, 1], kind, weights_initializer,
                            variables_collections, trainable, weights_regularizer)
        height, width = two_element_tuple(stride)
        outputs = depthwise_conv2d(inputs, pad.tile(weights, [1, 1, channels, 1]), [1, height, width, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            biases = parameter("biases", [channels], kind, biases_initializer, variables_collections, trainable,
                               biases_regularizer)
            outputs = nn.bias_add(outputs, biases)
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


conv2d_in_plane = convolution2d_in_plane

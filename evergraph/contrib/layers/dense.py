"""tf.contrib.layers: fully connected layers, biases, and stacks of layers."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.initializers import xavier_initializer
from evergraph.contrib.layers.names import add_variable, channel_dimension, everywhere, last_dimension
from evergraph.contrib.layers.scope import KERNEL, WEIGHTED, finished, layer_scope, parameter, shared_arguments
from evergraph.frontend import array
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.nn import activations as nn
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.dense import Dense
from evergraph.ops.math import matmul
from evergraph.ops.nn import activations


@export(*everywhere("fully_connected"))
@add_arg_scope
@shared_arguments(WEIGHTED)
def fully_connected(inputs: Any, num_outputs: int, activation_fn: Any = activations.relu, normalizer_fn: Any = None,
                    normalizer_params: Any = None, weights_initializer: Any = xavier_initializer(),
                    weights_regularizer: Any = None, biases_initializer: Any = zeros_initializer(),
                    biases_regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
                    outputs_collections: Any = None, trainable: bool = True, scope: Any = None) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the inputs.

    Args:
        inputs: a tensor of rank 2 or more.
        num_outputs: the size of the last axis of the outputs.

    Raises:
        ValueError: `num_outputs` is not an integer, or the inputs' last size is not static.
    """
    if isinstance(num_outputs, bool) or int(getattr(num_outputs, "value", num_outputs)) != num_outputs:
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    with layer_scope(scope, "fully_connected", inputs, reuse, KERNEL) as (inner, inputs):
        layer = Dense(
            int(num_outputs), use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=inner.name, dtype=inputs.dtype.base_dtype, _scope=inner, _reuse=reuse)
        outputs = layer(inputs)
        add_variable(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_variable(layer.bias, variables_collections, "biases")
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


relu = export(*everywhere("relu"))(functools.partial(fully_connected, activation_fn=activations.relu))
relu6 = export(*everywhere("relu6"))(functools.partial(fully_connected, activation_fn=activations.relu6))
elu = export(*everywhere("elu"))(functools.partial(fully_connected, activation_fn=activations.elu))
linear = export(*everywhere("linear"))(functools.partial(fully_connected, activation_fn=None))


@export(*everywhere("bias_add"))
@add_arg_scope
def bias_add(inputs: Any, activation_fn: Any = None, initializer: Any = zeros_initializer(), regularizer: Any = None,
             reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
             trainable: bool = True, data_format: str = "NHWC", scope: Any = None) -> Any:
    """Adds a bias per channel, `scope`/biases.

    Args:
        inputs: a tensor of rank 2 or more.
        activation_fn: the activation function; None for none.
        initializer: the initializer of the biases.
        regularizer: a penalty on the biases, added to the REGULARIZATION_LOSSES.
        reuse: True to share the variables of an earlier layer of the same `scope`.
        variables_collections: collections for the biases, or a dictionary of them by name.
        outputs_collections: collections for the outputs.
        trainable: whether the biases are trainable.
        data_format: "NHWC", or "NCHW" for channels after the batch.
        scope: the name of the layer, or a variable scope.

    Raises:
        ValueError: `data_format` is unknown, or "NCHW" for inputs that are not images.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC. Got {data_format!r}")
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        if inputs.shape.rank is None:
            raise ValueError("the rank of the inputs must be known")
        if inputs.shape.rank != 4 and data_format == "NCHW":
            raise ValueError("with NCHW the inputs must be images, of rank 4")
        biases = parameter("biases", [channel_dimension(inputs.shape, data_format)], inputs.dtype.base_dtype,
                           initializer, variables_collections, trainable, regularizer)
        outputs = nn.bias_add(inputs, biases, data_format=data_format)
        return finished(outputs, inner, activation_fn, outputs_collections)


def _name_of(layer: Any) -> str:
    if hasattr(layer, "__name__"):
        return layer.__name__
    return layer.func.__name__ if hasattr(layer, "func") else ""


@export(*everywhere("repeat"))
def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    """Applies a layer repeatedly, each time with new variables: `scope`/`scope`_1, `scope`/`scope`_2, ...

    >>> x = tf.zeros([1, 8, 8, 3])
    >>> tf.contrib.layers.repeat(x, 2, tf.contrib.layers.conv2d, 16, [3, 3], scope="conv1").op.name
    'conv1/conv1_2/Relu'

    Args:
        inputs: a tensor.
        repetitions: the number of times.
        layer: a function with an argument `scope`.
        *args: its other arguments.
        **kwargs: its keyword arguments, and `scope`, the scope of the stack.
    """
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs = convert_to_tensor(inputs)
        name = scope or _name_of(layer) or "repeat"
        for number in range(1, repetitions + 1):
            outputs = layer(outputs, *args, **kwargs, scope=f"{name}_{number}")
        return outputs


@export(*everywhere("stack"))
def stack(inputs: Any, layer: Any, stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """Stacks a layer with different arguments: `scope`/`scope`_1, `scope`/`scope`_2, ...

    >>> x = tf.zeros([1, 8])
    >>> tf.contrib.layers.stack(x, tf.contrib.layers.fully_connected, [32, 16], scope="fc").op.name
    'fc/fc_2/Relu'

    Args:
        inputs: a tensor.
        layer: a function with an argument `scope`.
        stack_args: the arguments of each layer: one, or a list.
        **kwargs: keyword arguments of all layers, and `scope`, the scope of the stack.

    Raises:
        ValueError: `stack_args` is not a list.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args must be a list or tuple with the arguments of each layer")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = convert_to_tensor(inputs)
        name = scope or _name_of(layer) or "stack"
        for number, given in enumerate(stack_args, 1):
            given = given if isinstance(given, (list, tuple)) else [given]
            outputs = layer(outputs, *given, **kwargs, scope=f"{name}_{number}")
        return outputs


@export(*everywhere("legacy_fully_connected"))
def legacy_fully_connected(x: Any, num_output_units: int, activation_fn: Any = None,
                           weight_init: Any = xavier_initializer(), bias_init: Any = zeros_initializer(),
                           name: str | None = None, weight_collections: Any = (GraphKeys.WEIGHTS,),
                           bias_collections: Any = (GraphKeys.BIASES,),
                           output_collections: Any = (GraphKeys.ACTIVATIONS,), trainable: bool = True,
                           weight_regularizer: Any = None, bias_regularizer: Any = None) -> Any:
    """A fully connected layer in tf.contrib.layers' original form: activation_fn(x @ weights + bias).

    Args:
        x: a tensor of rank 2 or more.
        num_output_units: the size of the last axis of the outputs.
        activation_fn: the activation function; None for none.
        weight_init: the initializer of the weights.
        bias_init: the initializer of the bias; None for no bias.
        name: the name of the layer.
        weight_collections: collections for the weights.
        bias_collections: collections for the bias.
        output_collections: collections for the outputs.
        trainable: whether the variables are trainable.
        weight_regularizer: a penalty on the weights, added to the REGULARIZATION_LOSSES.
        bias_regularizer: a penalty on the bias, added to the REGULARIZATION_LOSSES.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = convert_to_tensor(x)
        if x.shape.rank is None:
            raise ValueError("the rank of x must be known")
        if x.shape.ndims and x.shape.as_list()[-1] is None:
            raise ValueError(f"the last dimension of x must be known but is None: {x.shape}")
        kind, size = x.dtype.base_dtype, last_dimension(x.shape, min_rank=2)
        weights = _legacy_variable("weights", [size, num_output_units], kind, weight_init, weight_collections,
                                   weight_regularizer, trainable)
        rows = x if x.shape.rank == 2 else array.reshape(x, [-1, size])
        outputs = matmul.mat_mul(rows, weights)
        if bias_init is not None:
            outputs = nn.bias_add(outputs, _legacy_variable("bias", [num_output_units], kind, bias_init,
                                                            bias_collections, bias_regularizer, trainable))
        if x.shape.rank > 2:
            outputs = array.reshape(outputs, array.concat([array.shape(x)[:-1], [num_output_units]], 0))
            outputs.set_shape(x.shape[:-1].concatenate(num_output_units))
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        add_to_collections(list(output_collections or ()), outputs)
        return outputs


def _legacy_variable(name, shape, dtype, initializer, collections, regularizer, trainable):
    return get_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                        collections=[*(collections or ()), GraphKeys.GLOBAL_VARIABLES], trainable=trainable)


legacy_linear = export(*everywhere("legacy_linear"))(functools.partial(legacy_fully_connected, activation_fn=None))
legacy_relu = export(*everywhere("legacy_relu"))(
    functools.partial(legacy_fully_connected, activation_fn=activations.relu))

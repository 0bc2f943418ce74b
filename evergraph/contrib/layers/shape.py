"""tf.contrib.layers without weights: reshaping, encodings, dropout, softmax."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.names import collect_named_outputs, everywhere, last_dimension
from evergraph.contrib.layers.scope import finished, layer_scope, parameter
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.gradients import custom_gradient
from evergraph.frontend.indexing import gather_nd, meshgrid, one_hot, where
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.frontend.variables.initializers import ones_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.dropout import Dropout
from evergraph.layers.flatten import flatten as flatten_layer
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


@export(*everywhere("flatten"))
@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Flattens each example: [batch, ...] to [batch, number of elements].

    Args:
        inputs: a tensor of rank 1 or more.
        outputs_collections: collections for the outputs.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "Flatten", [inputs]) as inner:
        outputs = flatten_layer(convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, inner, outputs)


@export(*everywhere("dropout"))
@add_arg_scope
def dropout(inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
            outputs_collections: Any = None, scope: Any = None, seed: int | None = None) -> Any:
    """Dropout (Srivastava et al., 2014): in training, zeroes random elements and scales the others by 1 / keep_prob.

    Args:
        inputs: a tensor.
        keep_prob: the probability that an element is kept.
        noise_shape: the shape of the random mask, which broadcasts over the inputs.
        is_training: whether to drop elements: a bool, or a bool tensor.
        outputs_collections: collections for the outputs.
        scope: the name of the layer, or a variable scope.
        seed: see `tf.set_random_seed`.
    """
    with layer_scope(scope, "Dropout", inputs) as (inner, inputs):
        layer = Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=inner.name, _scope=inner)
        outputs = layer(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, inner.name, outputs)


@export(*everywhere("one_hot_encoding"))
@add_arg_scope
def one_hot_encoding(labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0,
                     outputs_collections: Any = None, scope: str | None = None) -> Any:
    """One-hot encodes labels.

    Args:
        labels: a tensor of integers.
        num_classes: the size of the vectors.
        on_value: the value at the label's index.
        off_value: the value elsewhere.
        outputs_collections: collections for the outputs.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as inner:
        labels = convert_to_tensor(labels)
        if labels.dtype.base_dtype is dtypes.int32:
            labels = math.cast(labels, dtypes.int64)
        outputs = one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, inner, outputs)


@export(*everywhere("softmax"))
@add_arg_scope
def softmax(logits: Any, scope: str | None = None) -> Any:
    """Softmax along the last axis.

    Args:
        logits: a tensor of rank 2 or more, with a static last size.
        scope: a name prefix for the operations.
    """
    with variable_scope(scope, "softmax", [logits]):
        logits = convert_to_tensor(logits)
        rows = array.reshape(logits, [-1, last_dimension(logits.shape, min_rank=2)])
        outputs = array.reshape(activations.softmax(rows), array.shape(logits))
        outputs.set_shape(logits.shape)
        return outputs


@export(*everywhere("spatial_softmax"))
@add_arg_scope
def spatial_softmax(features: Any, temperature: Any = None, name: str | None = None, variables_collections: Any = None,
                    trainable: bool = True, data_format: str = "NHWC") -> Any:
    """Spatial softmax (Levine et al., 2016): the expected position (x, y) in [-1, 1] of each channel's softmax.

    Args:
        features: a tensor of rank 4.
        temperature: the softmax temperature; None for a trainable variable, initially 1.
        name: the name of the layer.
        variables_collections: collections for that variable, or a dictionary of them by name.
        trainable: whether that variable is trainable.
        data_format: "NHWC", or "NCHW" for channels after the batch.

    Returns:
        A tensor [batch, 2 * channels].

    Raises:
        ValueError: the layout is unknown, or the number of channels is not static.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC. Got {data_format!r}")
    with variable_scope(name, "spatial_softmax"):
        features = convert_to_tensor(features)
        first = features if data_format == "NCHW" else array.transpose(features, [0, 3, 1, 2])
        channels, sizes = first.shape.as_list()[1], array.shape(first)
        if channels is None:
            raise ValueError("The number of channels must be known.")
        if temperature is None:
            temperature = parameter("temperature", (), dtypes.float32, ones_initializer(), variables_collections,
                                    trainable)
        height, width = sizes[2], sizes[3]
        xs, ys = meshgrid(basic.lin_space(-1.0, 1.0, height), basic.lin_space(-1.0, 1.0, width), indexing="ij")
        attention = activations.softmax(array.reshape(first, [-1, height * width]) / temperature)
        expected = [reduce_sum(array.reshape(each, [height * width]) * attention, [1], keepdims=True)
                    for each in (xs, ys)]
        return array.reshape(array.concat(expected, 1), [-1, channels * 2])


@export(*everywhere("maxout"))
@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Any:
    """Maxout (Goodfellow et al., 2013): the maximum of each of `num_units` groups along an axis.

    Args:
        inputs: a tensor.
        num_units: the size of the axis in the outputs; it must divide that in the inputs.
        axis: the axis.
        scope: a name prefix for the operations.

    Raises:
        ValueError: it does not divide the size.
    """
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = convert_to_tensor(inputs)
        sizes = inputs.shape.as_list()
        axis = axis % len(sizes)
        if sizes[axis] is None or sizes[axis] % num_units:
            raise ValueError(f"{sizes[axis]} features are no multiple of {num_units} units")
        dynamic = array.shape(inputs)
        known = [dynamic[each] if size is None else size for each, size in enumerate(sizes)]
        grouped = array.reshape(inputs, [*known[:axis], num_units, sizes[axis] // num_units, *known[axis + 1:]])
        outputs = reduce_max(grouped, axis + 1)
        outputs.set_shape([*sizes[:axis], num_units, *sizes[axis + 1:]])
        return outputs


@export(*everywhere("images_to_sequence"))
@add_arg_scope
def images_to_sequence(inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None,
                       scope: str | None = None) -> Any:
    """Images as sequences of columns: [batch, height, width, channels] to [width, batch * height, channels].

    Args:
        inputs: a tensor of rank 4.
        data_format: "NHWC", or "NCHW" for channels after the batch.
        outputs_collections: collections for the outputs.
        scope: a name prefix for the operations.

    Raises:
        ValueError: the layout is unknown.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC. Got {data_format!r}")
    with name_scope(scope, "ImagesToSequence", [inputs]) as inner:
        inputs = convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = array.transpose(inputs, [0, 2, 3, 1])
        batch, height, width, channels = _known_or_dynamic(inputs)
        rows = array.reshape(inputs, [batch * height, width, channels])
        return collect_named_outputs(outputs_collections, inner, array.transpose(rows, [1, 0, 2]))


@export(*everywhere("sequence_to_images"))
@add_arg_scope
def sequence_to_images(inputs: Any, height: int, output_data_format: str = "channels_last",
                       outputs_collections: Any = None, scope: str | None = None) -> Any:
    """The inverse of `images_to_sequence`: [width, batch * height, channels] to images.

    Args:
        inputs: a tensor of rank 3.
        height: the height of the images.
        output_data_format: "channels_last", or "channels_first" for channels after the batch.
        outputs_collections: collections for the outputs.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "SequenceToImages", [inputs]) as inner:
        inputs = convert_to_tensor(inputs)
        width, batches, channels = _known_or_dynamic(inputs)
        batch = batches // height if isinstance(batches, int) else -1
        outputs = array.transpose(array.reshape(inputs, [width, batch, height, channels]), [1, 2, 0, 3])
        if output_data_format == "channels_first":
            outputs = array.transpose(outputs, [0, 3, 1, 2])
        return collect_named_outputs(outputs_collections, inner, outputs)


def _known_or_dynamic(tensor):
    dynamic = array.shape(tensor)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(tensor.shape.as_list())]


@export(*everywhere("dense_to_sparse"))
@add_arg_scope
def dense_to_sparse(tensor: Any, eos_token: int = 0, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Converts a dense tensor to a sparse one, without the end-of-sentence token.

    Args:
        tensor: a tensor of integers.
        eos_token: the token to drop.
        outputs_collections: collections for the result.
        scope: a name prefix for the operations.
    """
    with variable_scope(scope, "dense_to_sparse", [tensor]) as inner:
        tensor = convert_to_tensor(tensor)
        places = where(elementwise.not_equal(tensor, eos_token))
        outputs = SparseTensor(places, gather_nd(tensor, places), array.shape(tensor, out_type=dtypes.int64))
        return finished(outputs, inner, None, outputs_collections)


@export(*everywhere("scale_gradient"))
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Forwards its inputs and scales the gradient.

    Args:
        inputs: a tensor.
        gradient_multiplier: the factor.
    """
    @custom_gradient
    def scaled(x):
        return basic.identity(x), lambda dy: dy * convert_to_tensor(gradient_multiplier, dtype=dy.dtype)
    return scaled(convert_to_tensor(inputs))

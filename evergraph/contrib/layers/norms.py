"""tf.contrib.layers: layer, instance, group and unit normalization."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.names import everywhere
from evergraph.contrib.layers.scope import finished, parameter, shared_arguments
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.nn.normalize import batch_normalization, moments, normalize_moments, sufficient_statistics
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.initializers import ones_initializer, zeros_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import elementwise

_documented = shared_arguments("""\
        center: whether there is a `beta`.
        scale: whether there is a `gamma`.
        activation_fn: the activation function; None for none.
        reuse: True to share the variables of an earlier layer of the same `scope`.
        variables_collections: collections for the variables, or a dictionary of them by name.
        outputs_collections: collections for the outputs.
        trainable: whether the variables are trainable.
        scope: the name of the layer, or a variable scope.
""")


def _scale_and_shift(inputs, shape, center, scale, initializers, variables_collections, trainable):
    """(beta, gamma): variables, or None."""
    kind, initializers = inputs.dtype.base_dtype, initializers or {}
    beta = parameter("beta", shape, kind, initializers.get("beta", zeros_initializer()), variables_collections,
                     trainable) if center else None
    gamma = parameter("gamma", shape, kind, initializers.get("gamma", ones_initializer()), variables_collections,
                      trainable) if scale else None
    return beta, gamma


@export(*everywhere("layer_norm"))
@add_arg_scope
@_documented
def layer_norm(inputs: Any, center: bool = True, scale: bool = True, activation_fn: Any = None, reuse: Any = None,
               variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
               begin_norm_axis: int = 1, begin_params_axis: int = -1, scope: Any = None) -> Any:
    """Layer normalization (Ba et al., 2016): normalizes each example, then scales by gamma and shifts by beta.

    Args:
        inputs: a tensor.
        begin_norm_axis: the first of the axes to average over.
        begin_params_axis: the first of the axes of `beta` and `gamma`.

    Raises:
        ValueError: the rank or these sizes are not static, or an axis is out of range.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None:
            raise ValueError(f"the rank of {inputs.name} is undefined")
        begin = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or begin >= rank:
            raise ValueError(f"begin_params_axis and begin_norm_axis must be < rank(inputs), {rank}, but are "
                             f"{begin_params_axis} and {begin}")
        shape = inputs.shape[begin_params_axis:]
        if not shape.is_fully_defined():
            raise ValueError(f"the sizes of {inputs.name} from axis {begin_params_axis} on are not all known: "
                             f"{inputs.shape}")
        beta, gamma = _scale_and_shift(inputs, shape, center, scale, None, variables_collections, trainable)
        mean, variance = moments(inputs, list(range(begin, rank)), keepdims=True)
        # The smallest number that float16 can represent here.
        epsilon = 1e-3 if inputs.dtype.base_dtype is dtypes.float16 else 1e-12
        outputs = batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(inputs.shape)
        return finished(outputs, inner, activation_fn, outputs_collections)


@export(*everywhere("instance_norm", module="normalization"))
@add_arg_scope
@_documented
def instance_norm(inputs: Any, center: bool = True, scale: bool = True, epsilon: float = 1e-6,
                  activation_fn: Any = None, param_initializers: Any = None, reuse: Any = None,
                  variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
                  data_format: str = "NHWC", scope: Any = None) -> Any:
    """Instance normalization (Ulyanov et al., 2016): normalizes each channel of each example, then scales and shifts.

    Args:
        inputs: a tensor of rank 3 or more, whose first axis is the batch.
        epsilon: added to the variance.
        param_initializers: the variables' initializers, by name.
        data_format: "NHWC", or "NCHW" for channels after the batch; likewise for other ranks.

    Raises:
        ValueError: the layout is unknown, or the rank or the number of channels is not static.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC. Got {data_format!r}")
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None:
            raise ValueError(f"the rank of {inputs.name} is undefined")
        axis = 1 if data_format == "NCHW" else rank - 1
        channels = inputs.shape.as_list()[axis]
        if channels is None:
            raise ValueError(f"the number of channels of {inputs.name} is undefined: {inputs.shape}")
        beta, gamma = _scale_and_shift(inputs, [channels], center, scale, param_initializers, variables_collections,
                                       trainable)
        wide = [channels if each == axis else 1 for each in range(rank)]
        spread = lambda value: value if value is None or axis == rank - 1 else array.reshape(value, wide)
        mean, variance = moments(inputs, [each for each in range(1, rank) if each != axis], keepdims=True)
        outputs = batch_normalization(inputs, mean, variance, spread(beta), spread(gamma), epsilon,
                                      name="instancenorm")
        outputs.set_shape(inputs.shape)
        return finished(outputs, inner, activation_fn, outputs_collections)


@export(*everywhere("group_norm", module="normalization"))
@add_arg_scope
@_documented
def group_norm(inputs: Any, groups: int = 32, channels_axis: int = -1, reduction_axes: Any = (-3, -2),
               center: bool = True, scale: bool = True, epsilon: float = 1e-6, activation_fn: Any = None,
               param_initializers: Any = None, reuse: Any = None, variables_collections: Any = None,
               outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
               mean_close_to_zero: bool = False) -> Any:
    """Group normalization (Wu and He, 2018): normalizes groups of channels of each example, then scales and shifts.

    Args:
        inputs: a tensor whose rank is known.
        groups: the number of groups; it must divide the number of channels.
        channels_axis: the axis of the channels.
        reduction_axes: the axes to average over.
        epsilon: added to the variance.
        param_initializers: the variables' initializers, by name.
        mean_close_to_zero: whether to compute the variance in one pass, from the squares.

    Raises:
        ValueError: axes or groups are invalid for the inputs.
    """
    inputs = convert_to_tensor(inputs)
    rank = inputs.shape.rank
    if rank is None:
        raise ValueError(f"the rank of {inputs.name} is undefined")
    channel, averaged = _checked_axes(rank, channels_axis, reduction_axes)
    sizes = inputs.shape.as_list()
    _check_groups(inputs, sizes, channel, averaged, groups)
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as inner:
        beta, gamma = _scale_and_shift(inputs, [sizes[channel]], center, scale, param_initializers,
                                       variables_collections, trainable)
        split = [*sizes[:channel], groups, sizes[channel] // groups, *sizes[channel + 1:]]
        dynamic = array.shape(inputs)
        known = [size if size is not None else dynamic[axis] for axis, size in enumerate(sizes)]
        parts = array.reshape(inputs, [*known[:channel], *split[channel:channel + 2], *known[channel + 1:]])
        axes = [channel + 1, *(axis + (axis > channel) for axis in averaged)]
        mean, variance = _group_moments(parts, axes, mean_close_to_zero)
        wide = [1] * len(split)
        wide[channel:channel + 2] = split[channel:channel + 2]
        spread = lambda value: None if value is None else array.reshape(value, wide)
        gamma, beta = spread(gamma), spread(beta)
        gain = elementwise.rsqrt(variance + epsilon)
        gain = gain if gamma is None else gain * gamma
        shift = -mean * gain if beta is None else beta - mean * gain
        outputs = array.reshape(parts * gain + shift, known)
        outputs.set_shape(inputs.shape)
        return finished(outputs, inner, activation_fn, outputs_collections)


def _checked_axes(rank, channels_axis, reduction_axes):
    if channels_axis >= rank or channels_axis < -rank:
        raise ValueError(f"an axis is not one of the {rank} axes")
    channel = channels_axis % rank
    for axis in reduction_axes:
        if axis >= rank or axis < -rank:
            raise ValueError(f"an axis is not one of the {rank} axes")
    averaged = sorted(axis % rank for axis in reduction_axes)
    if channel in averaged or len(set(averaged)) != len(averaged):
        raise ValueError("an axis is named twice, in channels_axis and reduction_axes")
    return channel, averaged


def _check_groups(inputs, sizes, channel, averaged, groups):
    if sizes[channel] is None:
        raise ValueError(f"the number of channels of {inputs.name} is undefined: {sizes}")
    if any(sizes[axis] is None for axis in averaged):
        raise ValueError(f"sizes of {inputs.name} along reduction_axes are undefined: {sizes}")
    if groups > sizes[channel]:
        raise ValueError(f"{groups} groups are more than {sizes[channel]} channels")
    if sizes[channel] % groups != 0:
        raise ValueError(f"{groups} groups do not divide {sizes[channel]} channels")


def _group_moments(parts, axes, mean_close_to_zero):
    if not mean_close_to_zero:
        return moments(parts, axes, keepdims=True)
    return normalize_moments(*sufficient_statistics(parts, axes, keep_dims=True))


# ---- norms

@export(*everywhere("unit_norm"))
@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: str | None = None) -> Any:
    """Normalizes the vectors along an axis to L2 norm 1.

    Args:
        inputs: a tensor of static rank.
        dim: the axis.
        epsilon: added to the squared norms.
        scope: a name prefix for the operations.

    Raises:
        ValueError: the rank is unknown, or the axis is out of range.
    """
    with name_scope(scope, "UnitNorm", [inputs]):
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if not rank:
            raise ValueError("the rank of the inputs is not known")
        if not 0 <= dim < rank:
            raise ValueError(f"the inputs have no axis {dim}")
        lengths = elementwise.sqrt(epsilon + reduce_sum(math.square(inputs), dim, keepdims=True))
        return inputs / lengths


@export(*everywhere("poincare_normalize"))
def poincare_normalize(x: Any, axis: Any = 1, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """Projects vectors into the open unit ball (Poincare ball).

    Args:
        x: a tensor.
        axis: the axis of the vectors, or a list of axes.
        epsilon: the distance to the boundary.
        name: a name prefix for the operations.
    """
    with name_scope(name, "poincare_normalize", [x]) as scope:
        x = convert_to_tensor(x)
        lengths = elementwise.sqrt(reduce_sum(math.square(x), axis, keepdims=True))
        longest = 1.0 - epsilon
        factor = elementwise.minimum(longest / clip_by_value(lengths, 1e-12, x.dtype.max), 1.0)
        return elementwise.mul(x, factor, name=scope)

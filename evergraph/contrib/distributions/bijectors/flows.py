"""Normalizing flows: masked autoregressive flows, real NVP, batch normalization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.bijector import Bijector, ConditionalBijector
from evergraph.frontend import array
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.math import sqrt
from evergraph.frontend.nn.normalize import moments
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.initializers import glorot_normal_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.frontend.variables.template import make_template
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.dense import Dense
from evergraph.layers.normalization import BatchNormalization as Normalization
from evergraph.ops.arrays.basic import stop_gradient
from evergraph.ops.math.elementwise import exp, log
from evergraph.ops.nn.activations import relu

MASK_INCLUSIVE, MASK_EXCLUSIVE = "inclusive", "exclusive"


def _gen_mask(num_blocks: int, n_in: int, n_out: int, mask_type: str = MASK_EXCLUSIVE, dtype: Any = np.float32) -> Any:
    """[n_out, n_in]: 1 where an output may depend on an input, which is in a block before its own, or in it as well."""
    reached = np.minimum(_blocks(n_out, num_blocks) + (mask_type == MASK_INCLUSIVE), num_blocks)
    return (_blocks(n_in, num_blocks) < reached[:, None]).astype(dtype)


def _blocks(units: int, num_blocks: int) -> Any:
    """The number of the block of each unit."""
    if units < num_blocks:  # a unit stands for several blocks then
        return np.arange(units) * num_blocks // units
    return np.arange(units) // (units // num_blocks)


def _size(x: Any, what: str) -> int:
    size = x.shape.with_rank_at_least(1).as_list()[-1] if x.shape.ndims is not None else None
    if size is None:
        raise NotImplementedError(f"{what} needs to know the size of the last axis when the graph is built")
    return size


@export("contrib.distributions.bijectors.masked_dense")
def masked_dense(inputs: Any, units: int, num_blocks: int | None = None, exclusive: bool = False,
                 kernel_initializer: Any = None, reuse: bool | None = None, name: str | None = None, *args: Any,
                 **kwargs: Any) -> Any:
    """A dense layer in which a block of outputs depends on the blocks of inputs before it (MADE; Germain et al., 2015).

    Args:
        inputs: [..., size].
        units: the number of outputs.
        num_blocks: the number of blocks into which inputs and outputs are split.
        exclusive: whether a block of outputs does not depend on its own block of inputs.
        kernel_initializer: of the weights, before the others become 0; `tf.glorot_normal_initializer()` by default.
        reuse: whether the weights are those of a layer of the same name.
        name: the name of the layer.
        *args: further arguments of `tf.layers.Dense`.
        **kwargs: the same.
    """
    size = _size(convert_to_tensor(inputs), "masked_dense")
    mask = _gen_mask(num_blocks or 1, size, units, MASK_EXCLUSIVE if exclusive else MASK_INCLUSIVE).T
    initial = kernel_initializer or glorot_normal_initializer()

    def masked_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initial(shape, dtype, partition_info)

    layer = Dense(units, *args, kernel_initializer=masked_initializer, kernel_constraint=lambda kernel: mask * kernel,
                  name=name, _scope=name, _reuse=reuse, **kwargs)
    return layer.apply(inputs)


@export("contrib.distributions.bijectors.masked_autoregressive_default_template")
def masked_autoregressive_default_template(
        hidden_layers: Sequence[int], shift_only: bool = False, activation: Any = relu,
        log_scale_min_clip: float = -5.0, log_scale_max_clip: float = 3.0, log_scale_clip_gradient: bool = False,
        name: str | None = None, *args: Any, **kwargs: Any) -> Any:
    """A function of x to (shift, log_scale) in which element i depends on elements before i, of masked dense layers.

    Args:
        hidden_layers: the sizes of hidden layers.
        shift_only: whether log_scale is None.
        activation: that of hidden layers.
        log_scale_min_clip: the least log_scale.
        log_scale_max_clip: the largest one.
        log_scale_clip_gradient: whether no gradient reaches a log_scale that was clipped.
        name: the name of the template, below which the variables are.
        *args: further arguments of `masked_dense`.
        **kwargs: the same.
    """

    def shift_and_log_scale(x: Any) -> Any:
        x = convert_to_tensor(x)
        size = _size(x, "masked_autoregressive_default_template")
        given = array.shape(x) if x.shape.as_list().count(None) else x.shape.as_list()
        hidden = array.reshape(x, [1, -1]) if x.shape.ndims == 1 else x
        for at, units in enumerate(hidden_layers):
            hidden = masked_dense(hidden, units, size, at == 0, *args, activation=activation, **kwargs)
        count = 1 if shift_only else 2
        hidden = masked_dense(hidden, count * size, size, not hidden_layers, *args, activation=None, **kwargs)
        if shift_only:
            return array.reshape(hidden, given), None
        shift, log_scale = array.unstack(array.reshape(hidden, array.concat([given, [2]], 0)), num=2, axis=-1)
        clipped = clip_by_value(log_scale, log_scale_min_clip, log_scale_max_clip)
        return shift, clipped if log_scale_clip_gradient else log_scale + stop_gradient(clipped - log_scale)

    return make_template(name or "masked_autoregressive_default_template", shift_and_log_scale)


@export("contrib.distributions.bijectors.MaskedAutoregressiveFlow")
class MaskedAutoregressiveFlow(ConditionalBijector):
    """y[i] = x[i] * exp(log_scale[i]) + shift[i], where both depend on y[:i] (Papamakarios et al., 2017).

    The inverse is one call of the function, and forward one for each element.

    Args:
        shift_and_log_scale_fn: a function of y to (shift, log_scale), of which one may be None.
        is_constant_jacobian: whether log_scale depends on nothing.
        validate_args: whether steps check arguments.
        unroll_loop: whether forward is written out element by element, not a loop of the graph.
        name: a name for the operations.
    """

    def __init__(self, shift_and_log_scale_fn: Callable, is_constant_jacobian: bool = False,
                 validate_args: bool = False, unroll_loop: bool = False, name: str | None = None) -> None:
        self._function, self._unrolled = shift_and_log_scale_fn, unroll_loop
        super().__init__(None, is_constant_jacobian, validate_args, None, 1,
                         name=name or "masked_autoregressive_flow")

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        def step(y: Any) -> Any:
            shift, log_scale = self._function(y, **kwargs)
            y = x if log_scale is None else x * exp(log_scale)
            y = y if shift is None else y + shift
            y.set_shape(x.shape)
            return y

        first = step(array.zeros_like(x))
        if self._unrolled:
            for _ in range(_size(x, "a loop that is written out") - 1):
                first = step(first)
            return first
        return while_loop(lambda at, y: at < array.shape(x)[-1], lambda at, y: (at + 1, step(y)), (1, first))[1]

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        shift, log_scale = self._function(y, **kwargs)
        x = y if shift is None else y - shift
        return array.identity(x) if log_scale is None else x * exp(-log_scale)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        _, log_scale = self._function(y, **kwargs)
        return convert_to_tensor(0, y.dtype) if log_scale is None else -reduce_sum(log_scale, -1)


@export("contrib.distributions.bijectors.RealNVP")
class RealNVP(ConditionalBijector):
    """y = [x0, x1 * exp(log_scale) + shift], where both depend on x0, the first elements of x (Dinh et al., 2017).

    Args:
        num_masked: the size of x0.
        shift_and_log_scale_fn: a function of x0 and the size of x1 to (shift, log_scale), of which one may be None.
        is_constant_jacobian: whether log_scale depends on nothing.
        validate_args: whether steps check arguments.
        name: a name for the operations.

    Raises:
        ValueError: `num_masked` is not positive.
    """

    def __init__(self, num_masked: int, shift_and_log_scale_fn: Callable, is_constant_jacobian: bool = False,
                 validate_args: bool = False, name: str | None = None) -> None:
        if num_masked <= 0:
            raise ValueError(f"num_masked must be a positive integer, not {num_masked}")
        self._masked, self._function = num_masked, shift_and_log_scale_fn
        super().__init__(None, is_constant_jacobian, validate_args, None, 1, name=name or "real_nvp")

    def _parts(self, x: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        size = _size(x, "RealNVP")
        if self._masked >= size:
            raise ValueError(f"num_masked is {self._masked}, it must be less than the size of events, {size}")
        first, second = x[..., :self._masked], x[..., self._masked:]
        return first, second, *self._function(first, size - self._masked, **kwargs)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        first, second, shift, log_scale = self._parts(x, **kwargs)
        second = second if log_scale is None else second * exp(log_scale)
        return array.concat([first, second if shift is None else second + shift], -1)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        first, second, shift, log_scale = self._parts(y, **kwargs)
        second = second if shift is None else second - shift
        return array.concat([first, second if log_scale is None else second * exp(-log_scale)], -1)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        _, second, _, log_scale = self._parts(x, **kwargs)
        return convert_to_tensor(0, x.dtype) if log_scale is None else reduce_sum(
            log_scale + array.zeros_like(second), -1)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return -self._forward_log_det_jacobian(y, **kwargs)


@export("contrib.distributions.bijectors.real_nvp_default_template")
def real_nvp_default_template(hidden_layers: Sequence[int], shift_only: bool = False, activation: Any = relu,
                              name: str | None = None, *args: Any, **kwargs: Any) -> Any:
    """A function of x0 and a number of units to (shift, log_scale), of dense layers, for `RealNVP`.

    Args:
        hidden_layers: the sizes of hidden layers.
        shift_only: whether log_scale is None.
        activation: that of hidden layers.
        name: the name of the template, below which the variables are.
        *args: further arguments of `tf.layers.Dense`.
        **kwargs: the same.
    """

    def shift_and_log_scale(x: Any, output_units: int) -> Any:
        x = convert_to_tensor(x)
        hidden = x[None] if x.shape.ndims == 1 else x
        for units in hidden_layers:
            hidden = Dense(units, activation, *args, **kwargs).apply(hidden)
        hidden = Dense((1 if shift_only else 2) * output_units, None, *args, **kwargs).apply(hidden)
        hidden = hidden[0] if x.shape.ndims == 1 else hidden
        return (hidden, None) if shift_only else tuple(array.split(hidden, 2, axis=-1))

    return make_template(name or "real_nvp_default_template", shift_and_log_scale)


@export("contrib.distributions.bijectors.BatchNormalization")
class BatchNormalization(Bijector):
    """Batch normalization as a bijector, whose inverse normalizes (Dinh et al., 2017).

    In training, the inverse uses the statistics of its batch and updates moving averages; forward always uses the
    moving averages.

    Args:
        batchnorm_layer: a `tf.layers.BatchNormalization`; by default one whose gamma stays positive.
        training: whether the inverse uses the statistics of its batch.
        validate_args: whether steps check arguments.
        name: a name for the operations.

    Raises:
        ValueError: the layer renormalizes or has virtual batches.
    """

    def __init__(self, batchnorm_layer: Any = None, training: bool = True, validate_args: bool = False,
                 name: str = "batch_normalization") -> None:
        layer = batchnorm_layer or Normalization(gamma_constraint=lambda gamma: relu(gamma) + 1e-6)
        if not isinstance(layer, Normalization):
            raise ValueError(f"batchnorm_layer is a tf.layers.BatchNormalization, not {layer!r}")
        if layer.renorm or layer.virtual_batch_size is not None:
            raise ValueError("a layer that renormalizes or has virtual batches is no bijector")
        self.batchnorm, self._training = layer, training
        rank = len(layer.axis) if isinstance(layer.axis, list) else 1
        super().__init__(validate_args=validate_args, forward_min_event_ndims=rank, name=name)

    def _built(self, shape: Any) -> Any:
        if not self.batchnorm.built:
            with variable_scope(self.batchnorm.name):
                self.batchnorm.build(shape)
        return self.batchnorm

    def _inverse(self, y: Any) -> Any:
        return self.batchnorm.apply(y, training=self._training)

    def _forward(self, x: Any) -> Any:
        layer = self._built(x.shape)
        sizes = [size if axis in layer.axis else 1 for axis, size in enumerate(x.shape.as_list())]
        mean, variance, gamma, beta = (
            None if each is None else array.reshape(each, sizes)
            for each in (layer.moving_mean, layer.moving_variance, layer.gamma, layer.beta))
        x = x if beta is None else x - beta
        x = x if gamma is None else x / gamma
        return x * sqrt(variance + layer.epsilon) + mean

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        layer = self._built(y.shape)
        if not self._training:
            return self._slope(layer.moving_variance)
        outside = [axis for axis in range(y.shape.ndims) if axis not in layer.axis]
        return self._slope(array.reshape(moments(y, outside)[1], layer.moving_variance.shape.as_list()))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -self._slope(self._built(x.shape).moving_variance)

    def _slope(self, variance: Any) -> Any:
        scale = -0.5 * log(convert_to_tensor(variance) + self.batchnorm.epsilon)
        return reduce_sum(scale if self.batchnorm.gamma is None else scale + log(self.batchnorm.gamma))

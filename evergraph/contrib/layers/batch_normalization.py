"""tf.contrib.layers.batch_norm."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.names import add_variable, constant_value, everywhere, smart_cond
from evergraph.contrib.layers.scope import finished, layer_scope, model_getter, parameter
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.nn.normalize import batch_normalization, fused_batch_norm, moments, weighted_moments
from evergraph.frontend.variables.initializers import ones_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.layers.normalization import BatchNormalization
from evergraph.ops.arrays import basic
from evergraph.train.moving_averages import assign_moving_average


@export(*everywhere("batch_norm"))
@add_arg_scope
def batch_norm(inputs: Any, decay: float = 0.999, center: bool = True, scale: bool = False, epsilon: float = 0.001,
               activation_fn: Any = None, param_initializers: Any = None, param_regularizers: Any = None,
               updates_collections: Any = GraphKeys.UPDATE_OPS, is_training: Any = True, reuse: Any = None,
               variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
               batch_weights: Any = None, fused: bool | None = None, data_format: str = "NHWC",
               zero_debias_moving_mean: bool = False, scope: Any = None, renorm: bool = False,
               renorm_clipping: Any = None, renorm_decay: float = 0.99, adjustment: Any = None) -> Any:
    """Batch normalization (Ioffe and Szegedy, 2015): normalizes, then scales by `gamma` and shifts by `beta`.

    In training it uses the mean and variance of the batch and updates moving averages of them, which it uses otherwise.
    The updates are in the collection `updates_collections` and must run with each training step; with None they run
    whenever the outputs are computed.

    Variables are `scope`/beta, gamma, moving_mean and moving_variance, all in the MODEL_VARIABLES collection.

    Args:
        inputs: a tensor whose first axis is the batch.
        decay: the decay rate of the moving averages.
        center: whether to add `beta`.
        scale: whether to multiply by `gamma`.
        epsilon: added to the variance.
        activation_fn: the activation function; None for none.
        param_initializers: the variables' initializers, by name.
        param_regularizers: penalties on `beta` and `gamma`, added to the REGULARIZATION_LOSSES, by name.
        updates_collections: collections for the updates; None to run them with the outputs.
        is_training: whether to use the batch's statistics: a bool, or a bool tensor.
        reuse: True to share the variables of an earlier layer of the same `scope`.
        variables_collections: collections for the variables, or a dictionary of them by name.
        outputs_collections: collections for the outputs.
        trainable: whether `beta` and `gamma` are trainable.
        batch_weights: the weight of each example in mean and variance.
        fused: False to avoid the fused op.
        data_format: "NHWC", or "NCHW" for channels after the batch.
        zero_debias_moving_mean: whether to debias the moving mean, which starts at zero, with additional variables.
        scope: the name of the layer, or a variable scope.
        renorm, renorm_clipping, adjustment: as for `tf.layers.batch_normalization`.
        renorm_decay: its `renorm_momentum`.

    Raises:
        ValueError: the layout is unknown, the rank or the number of channels is not static, or arguments contradict
            each other.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC. Got {data_format!r}")
    fused = True if fused is None else fused
    own = batch_weights is not None or updates_collections != GraphKeys.UPDATE_OPS or zero_debias_moving_mean
    if own and (renorm or adjustment is not None):
        raise ValueError("renorm and adjustment do not go with batch_weights, zero_debias_moving_mean, or another "
                         "updates_collections than UPDATE_OPS")
    initializers, regularizers = param_initializers or {}, param_regularizers or {}
    rank = convert_to_tensor(inputs).shape.rank if hasattr(inputs, "shape") else None
    if not own and not (fused and rank == 2 and not renorm and adjustment is None):
        return _of_core_layer(
            inputs, initializers, regularizers, is_training, reuse, variables_collections, outputs_collections,
            activation_fn, scope, axis=1 if data_format == "NCHW" else -1, momentum=decay, epsilon=epsilon,
            center=center, scale=scale, renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay,
            adjustment=adjustment, trainable=trainable, fused=fused)
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=model_getter()) as inner:
        inputs = convert_to_tensor(inputs)
        _require_known(inputs, data_format)
        made = _Variables.made(inputs, data_format, center, scale, initializers, regularizers, variables_collections,
                               trainable)
        moved = _Moving(made, decay, zero_debias_moving_mean, updates_collections, is_training)
        if fused and batch_weights is None and inputs.shape.rank in (2, 4):
            outputs = _fused(inputs, made, moved, epsilon, data_format)
        else:
            outputs = _plain(inputs, made, moved, epsilon, data_format, batch_weights)
        outputs.set_shape(inputs.shape)
        return finished(outputs, inner, activation_fn, outputs_collections)


def _of_core_layer(inputs, initializers, regularizers, is_training, reuse, variables_collections, outputs_collections,
                   activation_fn, scope, **options):
    """The outputs of a layer of tf.layers with these options."""
    with layer_scope(scope, "BatchNorm", inputs, reuse) as (inner, inputs):
        layer = BatchNormalization(
            beta_initializer=initializers.get("beta") or zeros_initializer(),
            gamma_initializer=initializers.get("gamma") or ones_initializer(),
            moving_mean_initializer=initializers.get("moving_mean") or zeros_initializer(),
            moving_variance_initializer=initializers.get("moving_variance") or ones_initializer(),
            beta_regularizer=regularizers.get("beta"), gamma_regularizer=regularizers.get("gamma"), name=inner.name,
            _scope=inner, _reuse=reuse, **options)
        outputs = layer(inputs, training=is_training)
        for name in ("moving_mean", "moving_variance", "beta", "gamma"):
            if getattr(layer, name) is not None:
                add_variable(getattr(layer, name), variables_collections, name)
        return finished(outputs, inner, activation_fn, outputs_collections)


def _require_known(inputs, data_format):
    if inputs.shape.rank is None:
        raise ValueError(f"the rank of {inputs.name} is undefined")
    if inputs.shape.as_list()[1 if data_format == "NCHW" else -1] is None:
        raise ValueError(f"the number of channels of {inputs.name} is undefined: {inputs.shape}")


@dataclass(frozen=True)
class _Variables:
    """The variables of a layer; None for those that it does not have."""

    beta: Any
    gamma: Any
    mean: Any
    variance: Any

    @classmethod
    def made(cls, inputs, data_format, center, scale, initializers, regularizers, collections, trainable):
        channels = [inputs.shape.as_list()[1 if data_format == "NCHW" else -1]]
        half = inputs.dtype.base_dtype.name in ("float16", "bfloat16")
        kind = "float32" if half else inputs.dtype.base_dtype

        def learned(name, default):
            return parameter(name, channels, kind, initializers.get(name, default), collections, trainable,
                             regularizers.get(name))

        beta = learned("beta", zeros_initializer()) if center else None
        gamma = learned("gamma", ones_initializer()) if scale else None
        # Moving averages are updated as a whole, so no partitioner splits them.
        holder = get_variable_scope()
        partitioner = holder.partitioner
        holder.set_partitioner(None)
        try:
            mean, variance = (parameter(name, channels, kind, initializers.get(name, default), collections, False)
                              for name, default in (("moving_mean", zeros_initializer()),
                                                    ("moving_variance", ones_initializer())))
        finally:
            holder.set_partitioner(partitioner)
        return cls(beta, gamma, mean, variance)


@dataclass(frozen=True)
class _Moving:
    """The update rule of the moving averages."""

    variables: _Variables
    decay: float
    zero_debias: bool
    updates_collections: Any
    is_training: Any

    @property
    def may_train(self) -> bool:
        return constant_value(self.is_training) is not False

    def statistics(self, mean: Any, variance: Any) -> tuple[Any, Any]:
        """The mean and variance for the normalization, the batch's or the moving ones; adds the updates."""
        moving = lambda: (convert_to_tensor(self.variables.mean), convert_to_tensor(self.variables.variance))
        if self.updates_collections is None:
            return smart_cond(self.is_training, lambda: self._after_updates(mean, variance), moving)
        self._add_updates(lambda: self._updates(mean, variance))
        return smart_cond(self.is_training, lambda: (mean, variance), moving)

    def outputs(self, outputs: Any, mean: Any, variance: Any) -> Any:
        """The outputs of a fused op, with control dependencies on updates that are in no collection."""
        if not self.may_train:
            return outputs
        if self.updates_collections is not None:
            self._add_updates(lambda: self._updates(mean, variance))
            return outputs

        def updated():
            with control_dependencies(self._updates(mean, variance)):
                return basic.identity(outputs)
        return smart_cond(self.is_training, updated, lambda: outputs)

    def _updates(self, mean: Any, variance: Any) -> tuple[Any, Any]:
        kind = self.variables.mean.dtype.base_dtype
        return (assign_moving_average(self.variables.mean, math.cast(mean, kind), self.decay, self.zero_debias),
                assign_moving_average(self.variables.variance, math.cast(variance, kind), self.decay,
                                      zero_debias=False))

    def _after_updates(self, mean: Any, variance: Any) -> tuple[Any, Any]:
        with control_dependencies(self._updates(mean, variance)):
            return basic.identity(mean), basic.identity(variance)

    def _add_updates(self, updates: Callable[[], tuple[Any, Any]]) -> None:
        still = lambda: (convert_to_tensor(self.variables.mean), convert_to_tensor(self.variables.variance))
        for update in smart_cond(self.is_training, updates, still):
            add_to_collections(self.updates_collections, update)


def _fused(inputs, made, moved, epsilon, data_format):
    images = inputs
    if inputs.shape.rank == 2:
        channels = inputs.shape.as_list()[-1]
        images = array.reshape(inputs, [-1, 1, 1, channels] if data_format == "NHWC" else [-1, channels, 1, 1])
    size, kind = made.mean.shape.as_list(), made.mean.dtype.base_dtype
    gamma = constant(1.0, kind, size) if made.gamma is None else made.gamma
    beta = constant(0.0, kind, size) if made.beta is None else made.beta
    options = {"epsilon": epsilon, "data_format": data_format}
    outputs, mean, variance = smart_cond(
        moved.is_training, lambda: fused_batch_norm(images, gamma, beta, **options),
        lambda: fused_batch_norm(images, gamma, beta, mean=made.mean, variance=made.variance, is_training=False,
                                 **options))
    outputs = moved.outputs(outputs, mean, variance)
    return outputs if images is inputs else array.reshape(outputs, array.shape(inputs))


def _plain(inputs, made, moved, epsilon, data_format, batch_weights):
    rank, first = inputs.shape.rank, data_format == "NCHW"
    averaged = [axis for axis in range(rank) if axis != (1 if first else rank - 1)]
    if not moved.may_train:
        mean, variance = made.mean, made.variance
    else:
        mean, variance = moved.statistics(*_moments(inputs, averaged, first, batch_weights))
    wide = [-1 if axis == 1 else 1 for axis in range(rank)]
    kind = inputs.dtype.base_dtype

    def spread(value):
        if value is None:
            return None
        value = math.cast(value, kind)
        return array.reshape(value, wide) if first else value
    return batch_normalization(inputs, spread(mean), spread(variance), spread(made.beta), spread(made.gamma), epsilon)


def _moments(inputs, averaged, first, batch_weights):
    if batch_weights is None:
        mean, variance = moments(inputs, averaged, keepdims=first)
    else:
        weights = convert_to_tensor(batch_weights, dtype=inputs.dtype.base_dtype)
        if weights.shape.rank == 1:  # one for each example
            weights = array.reshape(weights, [-1] + [1] * (inputs.shape.rank - 1))
        mean, variance = weighted_moments(inputs, averaged, weights, keepdims=first)
    return (array.reshape(mean, [-1]), array.reshape(variance, [-1])) if first else (mean, variance)

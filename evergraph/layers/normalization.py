"""Batch normalization layers."""
from __future__ import annotations

import contextlib

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.blocks import colocate_with, control_dependencies, name_scope
from evergraph.frontend.control_flow import smart_cond, smart_constant_value
from evergraph.frontend.nn.normalize import batch_normalization as normalized
from evergraph.frontend.nn.normalize import fused_batch_norm, moments
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.variables import assign, regularizers
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.initializers import ones_initializer, zeros_initializer
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.layers import identifiers
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

_HALF = ("float16", "bfloat16")


@export("layers.BatchNormalization")
class BatchNormalization(Layer):
    """Batch normalization (Ioffe and Szegedy, 2015): gamma * (inputs - mean) / sqrt(variance + epsilon) + beta.

    In training, mean and variance are those of the batch, and their moving averages are updated; otherwise mean and
    variance are the moving averages. The updates are in the UPDATE_OPS collection and must run with each training step:

    >>> x = tf.placeholder(tf.float32, [None, 3])
    >>> y = tf.layers.batch_normalization(x, training=True)
    >>> loss = tf.reduce_sum(y)
    >>> with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    ...     train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    Args:
        axis: the axis of the features, usually the channels, or a list of axes; statistics are taken over all others.
        momentum: the decay rate of the moving averages.
        epsilon: added to the variance.
        center: whether to add `beta`.
        scale: whether to multiply by `gamma`.
        beta_initializer: the initializer of `beta`.
        gamma_initializer: the initializer of `gamma`.
        moving_mean_initializer: the initializer of the moving mean.
        moving_variance_initializer: the initializer of the moving variance.
        beta_regularizer: a function from `beta` to a regularization loss.
        gamma_regularizer: a function from `gamma` to a regularization loss.
        beta_constraint: a function that optimizers apply to `beta` after each update.
        gamma_constraint: a function that optimizers apply to `gamma` after each update.
        renorm: whether to use batch renormalization (Ioffe, 2017): training, too, normalizes by moving averages.
        renorm_clipping: a dictionary with "rmax", "rmin" and "dmax", the limits of the corrections of renormalization.
        renorm_momentum: the decay rate of the moving averages of renormalization.
        fused: False avoids the fused op, which is faster and otherwise used on 4-D inputs where the other arguments
            allow it.
        trainable: whether `beta` and `gamma` are added to the collection of trainable variables.
        virtual_batch_size: normalizes groups of this many examples separately (ghost batch normalization); it must
            divide the batch size.
        adjustment: a function from the dynamic shape of the inputs to (scale, bias), which are applied in training
            before `gamma` and `beta`.
        name: the name of the layer and its variable scope.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: the arguments contradict each other.
    """

    fields = ("axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
              "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer", "gamma_regularizer",
              "beta_constraint", "gamma_constraint")

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                 beta_initializer=zeros_initializer(), gamma_initializer=ones_initializer(),
                 moving_mean_initializer=zeros_initializer(), moving_variance_initializer=ones_initializer(),
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
                 renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True,
                 virtual_batch_size=None, adjustment=None, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        self.beta_initializer = identifiers.initializer(beta_initializer)
        self.gamma_initializer = identifiers.initializer(gamma_initializer)
        self.moving_mean_initializer = identifiers.initializer(moving_mean_initializer)
        self.moving_variance_initializer = identifiers.initializer(moving_variance_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = identifiers.constraint(beta_constraint)
        self.gamma_constraint = identifiers.constraint(gamma_constraint)
        self.renorm, self.renorm_momentum = renorm, renorm_momentum
        self.renorm_clipping = _checked_clipping(renorm_clipping) if renorm else {}
        self.fused = True if fused is None else fused
        self.virtual_batch_size, self.adjustment = virtual_batch_size, adjustment
        self.supports_masking = True
        # The fused op's variance is that of a sample, n / (n - 1) times the batch's own; False takes that back.
        self._bessels_correction_test_only = True

    # ---- variables

    def build(self, input_shape):
        input_shape = TensorShape(input_shape)
        if input_shape.rank is None:
            raise ValueError(f"Input has undefined rank: {input_shape}")
        self._settle_axis(input_shape.rank)
        self._check_virtual_batch()
        if self.fused:
            self.fused = input_shape.rank == 4 and self._can_be_fused()
        sizes = {axis: input_shape.as_list()[axis] for axis in self.axis}
        if None in sizes.values():
            raise ValueError(f"Input has undefined `axis` dimension. Input shape: {input_shape}")
        self.input_spec = InputSpec(ndim=input_shape.rank, axes=sizes)
        self._add_weights(self._weight_shape(sizes, input_shape.rank))
        self.built = True

    def _settle_axis(self, rank):
        """Makes `axis` a list of axes counted from the first."""
        given = [self.axis] if isinstance(self.axis, int) else self.axis
        if not isinstance(given, list):
            raise TypeError(f"axis is an int or a list of ints, not {type(self.axis)}")
        self.axis = [axis + rank if axis < 0 else axis for axis in given]
        for axis in self.axis:
            if not 0 <= axis < rank:
                raise ValueError(f"Invalid axis: {axis}")
        if len(self.axis) != len(set(self.axis)):
            raise ValueError(f"Duplicate axis: {self.axis}")

    def _check_virtual_batch(self):
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(f"virtual_batch_size must be a positive number that divides the batch, got "
                             f"{self.virtual_batch_size}")
        if 0 in self.axis:
            raise ValueError("with virtual_batch_size the first axis is the batch, and cannot be normalized")
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def _can_be_fused(self):
        special = self.renorm or self.virtual_batch_size is not None or self.adjustment is not None
        return self.axis in ([1], [3]) and not special

    def _weight_shape(self, sizes, rank):
        if len(sizes) == 1 and self.virtual_batch_size is None:
            return list(sizes.values())
        shape = [sizes.get(axis, 1) for axis in range(rank)]
        if self.virtual_batch_size is not None:
            shape.insert(1, 1)  # the axis that counts the parts of the batch
            self.axis = [axis + 1 for axis in self.axis]
        return shape

    def _add_weights(self, shape):
        dtype = dtypes.float32 if self.dtype in _HALF else self.dtype or dtypes.float32
        learned = lambda name, initializer, regularizer, constraint: self.add_weight(
            name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, constraint=constraint,
            trainable=True)
        self.gamma = learned("gamma", self.gamma_initializer, self.gamma_regularizer, self.gamma_constraint) \
            if self.scale else None
        self.beta = learned("beta", self.beta_initializer, self.beta_regularizer, self.beta_constraint) \
            if self.center else None
        moving = lambda name, initializer: self.add_weight(
            name, shape=shape, dtype=dtype, initializer=initializer, trainable=False,
            synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.MEAN)
        with self._unpartitioned():
            self.moving_mean = moving("moving_mean", self.moving_mean_initializer)
            self.moving_variance = moving("moving_variance", self.moving_variance_initializer)
            if self.renorm:
                root = lambda *args, **kwargs: math.sqrt(self.moving_variance_initializer(*args, **kwargs))
                self.moving_stddev = moving("moving_stddev", root)
                self.renorm_mean = moving("renorm_mean", self.moving_mean_initializer)
                self.renorm_stddev = moving("renorm_stddev", root)

    @contextlib.contextmanager
    def _unpartitioned(self):
        """A block in which the scope splits no variables: moving averages are updated as wholes."""
        if self._scope is None:
            yield
            return
        partitioner = self._scope.partitioner
        self._scope.set_partitioner(None)
        try:
            yield
        finally:
            self._scope.set_partitioner(partitioner)

    # ---- calls

    def call(self, inputs, training=False):
        """The normalized inputs.

        Args:
            inputs: a tensor.
            training: whether the batch's own mean and variance are used: a bool, or a bool tensor.
        """
        inputs = convert_to_tensor(inputs)
        if self.fused:
            return self._fused(inputs, training)
        if self.virtual_batch_size is None:
            return self._normalized(inputs, training)
        sizes = array.shape(inputs)
        whole = array.concat([constant([-1]), sizes[1:]], 0)
        parts = array.concat([constant([self.virtual_batch_size, -1]), whole[1:]], 0)
        outputs = array.reshape(self._normalized(_expanded(inputs, parts, self.virtual_batch_size), training), whole)
        outputs.set_shape(inputs.shape)
        return outputs

    def _fused(self, inputs, training):
        kind = dtypes.float32 if self.dtype in _HALF else inputs.dtype.base_dtype
        channels = inputs.shape.as_list()[self.axis[0]]
        gamma = self.gamma if self.scale else constant(1.0, kind, [channels])
        beta = self.beta if self.center else constant(0.0, kind, [channels])
        options = {"epsilon": self.epsilon, "data_format": "NCHW" if self.axis == [1] else "NHWC"}
        outputs, mean, variance = smart_cond(
            training, lambda: fused_batch_norm(inputs, gamma, beta, **options),
            lambda: fused_batch_norm(inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance,
                                     is_training=False, **options))
        if not self._bessels_correction_test_only:
            count = math.cast(array.size(inputs) / array.size(variance), variance.dtype.base_dtype)
            variance = variance * ((count - 1.0) / count)
        known = smart_constant_value(training)
        if known is not False:
            momentum = convert_to_tensor(self.momentum) if known else \
                smart_cond(training, lambda: constant(self.momentum), lambda: constant(1.0))
            self.add_update([lambda: _moved(self.moving_mean, mean, momentum),
                             lambda: _moved(self.moving_variance, variance, momentum)])
        return outputs

    def _normalized(self, inputs, training):
        rank = inputs.shape.rank
        averaged = [axis for axis in range(rank) if axis not in self.axis]
        if self.virtual_batch_size is not None:
            averaged.remove(1)
        wide = [inputs.shape.as_list()[axis] if axis == self.axis[0] else 1 for axis in range(rank)]

        def spread(value):
            """A vector of features with as many axes as the inputs, where arithmetic alone would not spread it so."""
            if value is None or value.shape.rank == rank or averaged == list(range(rank - 1)):
                return value
            return array.reshape(value, wide)

        scale, offset = spread(self.gamma), spread(self.beta)
        if smart_constant_value(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment:
                scale, offset = self._adjusted(inputs, training, scale, offset)
            mean, variance = self._statistics(inputs, training, averaged)
            scale, offset = self._follow(mean, variance, training, scale, offset, spread)
        kind = inputs.dtype.base_dtype
        of_kind = lambda value: None if value is None else math.cast(value, kind)
        outputs = normalized(inputs, spread(of_kind(mean)), spread(of_kind(variance)), of_kind(offset), of_kind(scale),
                             self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs

    def _adjusted(self, inputs, training, scale, offset):
        factor, shift = self.adjustment(array.shape(inputs))
        factor = smart_cond(training, lambda: factor, lambda: array.ones_like(factor))
        shift = smart_cond(training, lambda: shift, lambda: array.zeros_like(shift))
        return _composed(factor, shift, scale, offset)

    def _statistics(self, inputs, training, averaged):
        """The mean and variance to normalize with."""
        keepdims = self.virtual_batch_size is not None or len(self.axis) > 1
        precise = math.cast(inputs, self.moving_mean.dtype.base_dtype)
        mean, variance = moments(precise, averaged, keepdims=keepdims)
        return (smart_cond(training, lambda: mean, lambda: convert_to_tensor(self.moving_mean)),
                smart_cond(training, lambda: variance, lambda: convert_to_tensor(self.moving_variance)))

    def _follow(self, mean, variance, training, scale, offset, spread):
        """Adds the updates of the moving averages; gives the scale and offset, corrected by renormalization."""
        if self.virtual_batch_size is not None:
            mean, variance = reduce_mean(mean, axis=1, keepdims=True), reduce_mean(variance, axis=1, keepdims=True)
        if self.renorm:
            r, d, mean, variance = self._renormalization(mean, variance, training)
            r = spread(basic.stop_gradient(r, name="renorm_r"))
            d = spread(basic.stop_gradient(d, name="renorm_d"))
            scale, offset = _composed(r, d, scale, offset)
        self.add_update([
            lambda: smart_cond(training, lambda: _moved(self.moving_mean, mean, self.momentum),
                               lambda: convert_to_tensor(self.moving_mean)),
            lambda: smart_cond(training, lambda: self._moved_variance(variance),
                               lambda: convert_to_tensor(self.moving_variance))])
        return scale, offset

    def _moved_variance(self, variance):
        if not self.renorm:
            return _moved(self.moving_variance, variance, self.momentum)
        # The deviation is what is averaged, as renormalization does in training; the variance follows from it.
        deviation = _moved(self.moving_stddev, math.sqrt(variance + self.epsilon), self.momentum)
        return assign.assign(self.moving_variance, activations.relu(deviation * deviation - self.epsilon),
                             name="AssignNewValue")

    def _renormalization(self, mean, variance, training):
        """The corrections r and d of Ioffe (2017) and the statistics, which wait for their moving averages."""
        deviation = math.sqrt(variance + self.epsilon)
        least = elementwise.maximum(self.renorm_stddev, math.sqrt(self.epsilon))
        r, d = deviation / least, (mean - self.renorm_mean) / least
        with control_dependencies([r, d]):  # they must see the averages before those move
            mean, deviation = basic.identity(mean), basic.identity(deviation)
        r, d = self._clipped(r, d)
        r = smart_cond(training, lambda: r, lambda: array.ones_like(r))
        d = smart_cond(training, lambda: d, lambda: array.zeros_like(d))
        moves = [self._renorm_moved(variable, value, training)
                 for variable, value in ((self.renorm_mean, mean), (self.renorm_stddev, deviation))]
        with control_dependencies(moves):
            return r, d, basic.identity(mean), basic.identity(variance)

    def _clipped(self, r, d):
        limits = self.renorm_clipping
        if limits.get("rmin") is not None:
            r = elementwise.maximum(r, limits["rmin"])
        if limits.get("rmax") is not None:
            r = elementwise.minimum(r, limits["rmax"])
        if limits.get("dmax") is not None:
            d = elementwise.minimum(elementwise.maximum(d, -limits["dmax"]), limits["dmax"])
        return r, d

    def _renorm_moved(self, variable, value, training):
        value = basic.identity(value)
        return smart_cond(training, lambda: _moved(variable, value, self.renorm_momentum),
                          lambda: basic.identity(convert_to_tensor(variable)))

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


def _checked_clipping(clipping):
    clipping = clipping or {}
    keys = ["rmax", "rmin", "dmax"]
    if set(clipping) - set(keys):
        raise ValueError(f"renorm_clipping {clipping} contains keys not in {keys}")
    return clipping


def _moved(variable, value, momentum):
    """The variable moved towards the value: by 1 - momentum of the way."""
    with name_scope("AssignMovingAvg") as scope, colocate_with(variable.op):
        kind = variable.dtype.base_dtype
        if isinstance(momentum, float):
            way = convert_to_tensor(1.0 - momentum, dtype=kind, name="decay")
        else:
            way = math.cast(1.0 - momentum, kind)
        return assign.assign_sub(variable, (variable - math.cast(value, kind)) * way, name=scope)


def _composed(scale, offset, then_scale, then_offset):
    """The scale and offset that do both, one after the other."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    if then_offset is not None:
        offset = offset + then_offset
    return scale, offset


def _expanded(inputs, sizes, virtual_batch_size):
    """The batch as [examples of a part, parts, ...]."""
    outputs = array.reshape(inputs, sizes)
    batch, *rest = inputs.shape.as_list()
    outputs.set_shape([virtual_batch_size, None if batch is None else batch // virtual_batch_size, *rest])
    return outputs


@export("layers.batch_normalization")
def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                        beta_initializer=zeros_initializer(), gamma_initializer=ones_initializer(),
                        moving_mean_initializer=zeros_initializer(), moving_variance_initializer=ones_initializer(),
                        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
                        training=False, trainable=True, name=None, reuse=None, renorm=False, renorm_clipping=None,
                        renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None):
    """Applies batch normalization to `inputs`: the functional form of `tf.layers.BatchNormalization`.

    The moving averages change only when the operations of the UPDATE_OPS collection run: see there.

    Args:
        inputs: a tensor.
        training: whether to normalize by the statistics of the batch: a bool, or a scalar bool tensor.
        name: the name of the layer and its variable scope.
        reuse: True to share the variables of an earlier layer of the same name.
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, trainable,
        renorm, renorm_clipping, renorm_momentum, fused, virtual_batch_size, adjustment: as for the class.
    """
    layer = BatchNormalization(
        axis=axis, momentum=momentum, epsilon=epsilon, center=center, scale=scale, beta_initializer=beta_initializer,
        gamma_initializer=gamma_initializer, moving_mean_initializer=moving_mean_initializer,
        moving_variance_initializer=moving_variance_initializer, beta_regularizer=beta_regularizer,
        gamma_regularizer=gamma_regularizer, beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_momentum, fused=fused,
        trainable=trainable, virtual_batch_size=virtual_batch_size, adjustment=adjustment, name=name, _reuse=reuse,
        _scope=name)
    return layer(inputs, training=training)

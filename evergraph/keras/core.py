"""tf.keras.layers: dense, reshaping, lambda and masking layers."""
from __future__ import annotations

import math as arithmetic
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.reduce import reduce_any
from evergraph.frontend.variables.regularizers import L1L2
from evergraph.keras import activations, lambda_config, settings
from evergraph.keras.layer import Elementwise, Layer, resolved
from evergraph.layers.connections import set_mask
from evergraph.layers.dense import Dense as CoreDense
from evergraph.layers.flatten import Flatten as CoreFlatten
from evergraph.layers.input_spec import InputSpec
from evergraph.ops.arrays import pad
from evergraph.ops.math import elementwise


def from_input_dim(kwargs: dict[str, Any]) -> dict[str, Any]:
    """A layer's keyword arguments, with `input_dim` converted to `input_shape`."""
    if "input_dim" in kwargs and "input_shape" not in kwargs:
        kwargs["input_shape"] = (kwargs.pop("input_dim"),)
    return kwargs


@export("keras.layers.Dense")
class Dense(Layer, CoreDense):
    """A fully connected layer: activation(inputs @ kernel + bias), along the last axis of the inputs.

    Args:
        units: the size of the output's last axis.
        activation: the activation function, or its name; None for none.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the kernel.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a penalty on the kernel, added to the losses.
        bias_regularizer: a penalty on the bias, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        kernel_constraint: a projection of the kernel that optimizers apply after each step.
        bias_constraint: a projection of the bias that optimizers apply after each step.
        **kwargs: `input_dim`, the size of the inputs if the layer is the first of a model; see
            `tf.keras.layers.Layer`.
    """

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, **kwargs):
        super().__init__(**resolved(locals()), **from_input_dim(kwargs))


@export("keras.layers.Activation")
class Activation(Elementwise):
    """Applies an activation function.

    Args:
        activation: the function, or its name.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("activation",)

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.activation = activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)


@export("keras.layers.ActivityRegularization")
class ActivityRegularization(Elementwise):
    """Forwards its inputs and adds an L1 and L2 penalty on them to the losses.

    Args:
        l1: the weight of the absolute values.
        l2: the weight of the squares.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("l1", "l2")

    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        super().__init__(activity_regularizer=L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2


@export("keras.layers.Masking")
class Masking(Elementwise):
    """Masks the steps of a sequence whose features all equal `mask_value`; downstream layers skip them.

    Args:
        mask_value: the padding value.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("mask_value",)
    computes_masks_itself = True

    def __init__(self, mask_value=0.0, **kwargs):
        super().__init__(**kwargs)
        self.mask_value = mask_value

    def compute_mask(self, inputs, mask=None):
        return reduce_any(elementwise.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs):
        kept = reduce_any(elementwise.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * math.cast(kept, inputs.dtype)
        set_mask(outputs, array.squeeze(kept, axis=-1))
        return outputs


# ---- shapes

@export("keras.layers.Flatten")
class Flatten(Layer, CoreFlatten):
    """Flattens the inputs: [batch, ...] to [batch, number of elements].

    Args:
        data_format: "channels_last", or "channels_first" for inputs whose channels are moved to the end first.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(self, data_format=None, **kwargs):
        super().__init__(data_format=settings.layout_of(data_format), **kwargs)


@export("keras.layers.Reshape")
class Reshape(Layer):
    """Reshapes each example.

    Args:
        target_shape: the shape without the batch; one size may be -1 and is inferred.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: the number of elements differs, when the layer is called.
    """

    fields = ("target_shape",)

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def compute_output_shape(self, input_shape):
        batch, *sizes = TensorShape(input_shape).as_list()
        if None in sizes:
            return TensorShape([batch, *(None if size == -1 else size for size in self.target_shape)])
        known = arithmetic.prod(size for size in self.target_shape if size != -1)
        total = arithmetic.prod(sizes)
        if self.target_shape.count(-1) > 1:
            raise ValueError(f"more than one size is left open in {self.target_shape}")
        fits = known and total % known == 0 if -1 in self.target_shape else known == total
        if not fits:
            raise ValueError(f"{input_shape} does not hold as many elements as {self.target_shape}")
        return TensorShape([batch, *(total // known if size == -1 else size for size in self.target_shape)])

    def call(self, inputs):
        batch = inputs.shape.as_list()[0]
        outputs = array.reshape(inputs, [array.shape(inputs)[0] if batch is None else batch, *self._sizes(inputs)])
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def _sizes(self, inputs):
        return [-1 if size is None else size for size in self.compute_output_shape(inputs.shape).as_list()[1:]]


@export("keras.layers.Permute")
class Permute(Layer):
    """Permutes the axes, except the batch.

    Args:
        dims: for each axis of the output the axis of the input, counted from 1.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: `dims` is not a permutation.
    """

    fields = ("dims",)

    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(f"Invalid permutation `dims`, which must hold every axis after the batch once, from 1 on, "
                             f"got {dims}")
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs):
        return array.transpose(inputs, [0, *self.dims])

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], *(sizes[axis] for axis in self.dims)])


@export("keras.layers.RepeatVector")
class RepeatVector(Layer):
    """Repeats the input n times: [batch, features] to [batch, n, features].

    Args:
        n: the number of repetitions.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("n",)

    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def call(self, inputs):
        return pad.tile(array.expand_dims(inputs, 1), [1, self.n, 1])

    def compute_output_shape(self, input_shape):
        batch, size = TensorShape(input_shape).as_list()
        return TensorShape([batch, self.n, size])


# ---- functions

@export("keras.layers.Lambda")
class Lambda(Layer):
    """Wraps a function as a layer.

    >>> tf.keras.layers.Lambda(lambda x: x ** 2)(tf.zeros([2, 3])).shape.as_list()
    [2, 3]

    Args:
        function: a function of the inputs and optionally `mask` and `training`.
        output_shape: the shape of the output without the batch, or a function of the input's shape; by default
            inferred.
        mask: the mask of the output, or a function of inputs and mask; by default none.
        arguments: additional keyword arguments of the function.
        **kwargs: see `tf.keras.layers.Layer`.

    A file of a model describes a named function by its name, for `custom_objects`. One without a name, a lambda
    expression, is described by its bytecode, which is not run when another program loads the file: give that function
    under the layer's name in `custom_objects`.
    """

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self.mask, self._output_shape = mask, output_shape
        self.supports_masking = mask is not None
        code = getattr(function, "__code__", None)
        names = () if code is None else code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        self._given = [name for name in ("mask", "training") if name in names]

    def call(self, inputs, mask=None, training=None):
        values = {"mask": mask, "training": training}
        return self.function(inputs, **{**self.arguments, **{name: values[name] for name in self._given}})

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape):
        if self._output_shape is None:
            return super().compute_output_shape(input_shape)
        if callable(self._output_shape):
            return TensorShape(self._output_shape(input_shape))
        return TensorShape([TensorShape(input_shape).as_list()[0], *self._output_shape])

    def get_config(self):
        """The constructor's arguments; a function is described by its name, one without a name by its bytecode."""
        config = {**super().get_config(), **lambda_config.described("function", self.function, "module"),
                  **lambda_config.described("output_shape", self._output_shape), "arguments": self.arguments}
        return config if self.mask is None else {**config, **lambda_config.described("mask", self.mask)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer with these arguments.

        Args:
            config: what `get_config` returned.
            custom_objects: functions by their names. The name of a layer stands for a function that has none.

        Raises:
            ValueError: a function is unknown; or its code is another program's, see
                `tf.keras.config.enable_unsafe_deserialization`.
        """
        return cls(**lambda_config.understood(config, custom_objects or {}))

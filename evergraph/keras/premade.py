"""tf.keras.experimental.LinearModel and WideDeepModel."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.keras import activations, layers_by_name
from evergraph.keras.core import Dense
from evergraph.keras.layer import described, resolved
from evergraph.keras.model import Model
from evergraph.keras.objects import also


@export("keras.experimental.LinearModel")
class LinearModel(Model):
    """A linear model: the sum of a product for each input, plus a bias.

    Args:
        units: the size of the output.
        activation: the activation function, or its name.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the kernels.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a penalty on each kernel.
        bias_regularizer: a penalty on the bias.
        **kwargs: see `tf.keras.Model`.
    """

    fields = ("units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
              "bias_regularizer")

    def __init__(self, units=1, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, **kwargs):
        given = resolved(locals())
        super().__init__(**kwargs)
        vars(self).update(given)
        self.dense_layers: list[Any] = []
        self.bias: Any = None

    def call(self, inputs):
        """The sum over the inputs: a tensor, a list or tuple, or a dictionary of them.

        Raises:
            ValueError: there are none, or another number than before.
        """
        given = [inputs[name] for name in sorted(inputs)] if isinstance(inputs, dict) else nest.flatten(inputs)
        if not self.dense_layers:
            self._make(len(given))
        if len(given) != len(self.dense_layers):
            raise ValueError(f"the model was made for {len(self.dense_layers)} inputs, got {len(given)}")
        parts = [layer(tensor) for layer, tensor in zip(self.dense_layers, given)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        if self.use_bias:
            total = total + self.bias
        return total if self.activation is None else self.activation(total)

    def _make(self, count: int) -> None:
        self.dense_layers = [Dense(self.units, use_bias=False, kernel_initializer=self.kernel_initializer,
                                   kernel_regularizer=self.kernel_regularizer) for _ in range(count)]
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=(self.units,), initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer, trainable=True)

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {"name": self.name, **{field: described(getattr(self, field)) for field in self.fields}}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A model with these arguments; `custom_objects` holds functions and classes by name."""
        with also(custom_objects):
            return cls(**config)


@export("keras.experimental.WideDeepModel")
class WideDeepModel(Model):
    """A wide and deep model (Cheng et al., 2016): the sum of a linear model and a deep one.

    Args:
        linear_model: the linear model.
        dnn_model: the deep model.
        activation: the activation function of the sum, or its name.
        **kwargs: see `tf.keras.Model`.
    """

    def __init__(self, linear_model, dnn_model, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.linear_model, self.dnn_model = linear_model, dnn_model
        self.activation = activations.get(activation)

    def call(self, inputs):
        """The sum of both models' outputs, for a pair of their inputs, or the same input of both.

        Raises:
            ValueError: there are other than one or two inputs.
        """
        if isinstance(inputs, (list, tuple)):
            if len(inputs) != 2:
                raise ValueError(f"the model has a linear and a deep input, got {len(inputs)}")
            linear, deep = inputs
        else:
            linear = deep = inputs
        total = nest.map_structure(lambda one, other: one + other, self.linear_model(linear), self.dnn_model(deep))
        return total if self.activation is None else nest.map_structure(self.activation, total)

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {"name": self.name, "linear_model": layers_by_name.serialize(self.linear_model),
                "dnn_model": layers_by_name.serialize(self.dnn_model), "activation": described(self.activation)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A model with these arguments."""
        made = {name: layers_by_name.deserialize(config[name], custom_objects)
                for name in ("linear_model", "dnn_model")}
        return cls(**{**config, **made})

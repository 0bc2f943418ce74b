"""tf.keras.Sequential: a linear stack of layers."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np

from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph.node import Tensor
from evergraph.keras import history, layers_by_name, settings
from evergraph.keras.inputs import Input, InputLayer
from evergraph.keras.layer import Layer
from evergraph.keras.model import Model, _Deferred
from evergraph.layers import layer as base
from evergraph.layers.connections import set_mask


@export("keras.Sequential", "keras.models.Sequential")
class Sequential(Model, _Deferred):
    """A linear stack of layers.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(2)])
    >>> model(tf.zeros([5, 3])).shape.as_list()
    [5, 2]

    Variables are created in the model's scope when the model is called; or at once, if the first layer has an
    `input_shape`.

    Args:
        layers: a list of layers, or one layer.
        name: the name of the model.
    """

    def __init__(self, layers: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._stack: list[Any] = []
        self._build_input_shape: Any = None  # that of the first call, if no layer declares one
        self._path: list[Any] = []  # if the input is known: it, and the output of each layer
        for each in layers if isinstance(layers, (list, tuple)) else [] if layers is None else [layers]:
            self.add(each)

    def add(self, layer: Any) -> None:
        """Appends a layer; what `tf.keras.Input` gives stands for the layer that made it.

        Raises:
            TypeError: it is not a layer.
        """
        made_by = None if isinstance(layer, base.Layer) else history.history(layer)
        if made_by is not None and isinstance(made_by.layer, InputLayer):
            layer = made_by.layer
        if not isinstance(layer, base.Layer):
            raise TypeError(f"a Sequential model holds layers, got {layer}")
        if not self._stack and not self._path:
            self._begin(layer)
        elif self._path:
            self._path.append(_only(layer(self._path[-1])))
            self._stack.append(layer)
        else:
            self._stack.append(layer)
        self._settle()

    def _begin(self, layer: Any) -> None:
        if isinstance(layer, InputLayer):
            self._path = [layer.keras_nodes[0].outputs]
            return
        shape, dtype = _beginning(layer)
        self._stack.append(layer)
        if shape is not None:
            x = Input(batch_shape=shape, dtype=dtype, name=f"{layer.name}_input")
            self._path = [x, _only(layer(x))]

    def _settle(self) -> None:
        """Makes the stack a functional model if its input is known."""
        self._functional = bool(self._path) and bool(self._stack)
        if self._functional:
            self._connect(self._path[0], self._path[-1])

    def pop(self) -> None:
        """Removes the last layer.

        Raises:
            TypeError: there are no layers.
        """
        if not self._stack:
            raise TypeError("there is no layer to take away")
        self._stack.pop()
        if self._path:
            self._path.pop()
        self._settle()

    @property
    def layers(self) -> list[Any]:
        """The layers, without the input layer."""
        return list(self._stack)

    def _sublayers(self) -> list[Any]:
        return list(self._stack)

    def _attribute_variables(self) -> list[Any]:
        return []

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The output of the last layer.

        Args:
            inputs: a tensor; where the shape of the input is known beforehand, also a dict, list or tuple of one.
            training: the `training` argument of the layers.
            mask: the mask of the inputs.
        """
        if self._functional and nest.is_nested(inputs) and len(nest.flatten(inputs)) == 1:
            [inputs] = nest.flatten(inputs)
        if mask is not None:
            set_mask(inputs, mask)
        if self._build_input_shape is None and isinstance(inputs, Tensor) and inputs.shape.rank is not None:
            self._build_input_shape = tuple(inputs.shape.as_list())
        for each in self._stack:
            inputs = each(inputs)
        return inputs

    def build(self, input_shape: Any = None) -> None:
        """Creates the variables, by calling the model on a placeholder of this shape.

        Raises:
            ValueError: the shape is neither given nor known from the first layer.
        """
        if not self._functional and input_shape is None:
            raise ValueError("the shape of the input is not known: say it")
        super().build(input_shape)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
        shape = TensorShape(input_shape)
        for each in self._stack:
            shape = each.compute_output_shape(shape)
        return shape

    def predict_proba(self, x: Any, batch_size: int | None = 32, verbose: int = 0) -> Any:
        """The outputs for inputs; the same as `predict`, with a warning if they are no probabilities."""
        found = self.predict(x, batch_size, verbose)
        if found.min() < 0.0 or found.max() > 1.0:
            logging.warning("Outputs below 0 or above 1 are no probabilities: does the last layer end in a softmax or "
                            "sigmoid?")
        return found

    def predict_classes(self, x: Any, batch_size: int | None = 32, verbose: int = 0) -> Any:
        """The classes with the largest outputs; for a single output, whether it is above 0.5."""
        found = self.predict(x, batch_size, verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def _set_ends(self, inputs: list[Any], names: list[str], outputs: Any) -> None:
        own = [f"{self._stack[0].name}_input"] if self._structure is None and len(names) == 1 else names
        super()._set_ends(inputs, own, outputs)
        if len(self.outputs) == 1:
            self.output_names = [self._stack[-1].name]

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        config = {"name": self.name, "layers": [layers_by_name.serialize(each) for each in self._described_layers()]}
        if not self._functional and self._build_input_shape is not None:
            config["build_input_shape"] = self._build_input_shape
        return copy.deepcopy(config)

    def _described_layers(self) -> list[Any]:
        """The layers, after the input if the first of them does not declare it."""
        declared = bool(self._stack) and _beginning(self._stack[0])[0] is not None
        return [*([] if declared or not self._path else [history.history(self._path[0]).layer]), *self._stack]

    @classmethod
    def from_config(cls, config: Any, custom_objects: dict[str, Any] | None = None) -> Sequential:
        """A model with these layers, as `get_config` describes them; or of a list of their descriptions."""
        described = config if isinstance(config, dict) else {"layers": config}
        model = cls([layers_by_name.deserialize(each, custom_objects) for each in described["layers"]],
                    name=described.get("name"))
        if described.get("build_input_shape") is not None and not model._functional:
            shape = tuple(described["build_input_shape"])
            if None in shape[1:]:
                model.build(shape)
            else:
                model._know_inputs(np.empty((1, *shape[1:]), settings.floatx()))
        return model


def _only(output: Any) -> Any:
    if isinstance(output, (list, tuple)):
        raise TypeError("a layer of a Sequential model has one output; for more, describe the model by its inputs and "
                        "outputs")
    return output


def _beginning(layer: Any) -> tuple[Any, Any]:
    """The shape and dtype of a layer's inputs, if declared; for a model those of its first layer."""
    while isinstance(layer, Model) and not getattr(layer, "_batch_input_shape", None):
        if layer.inputs:
            tensor = layer.inputs[0]
            return tuple(tensor.shape.as_list()), tensor.dtype
        if not layer.layers:
            return None, None
        layer = layer.layers[0]
    shape = getattr(layer, "_batch_input_shape", None) if isinstance(layer, Layer) else None
    return shape, layer.dtype

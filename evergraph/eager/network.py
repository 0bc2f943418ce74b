"""tf.contrib.eager.Network: the older form of models that are subclasses of tf.keras.Model."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.keras.model import Model


@export("contrib.eager.Network")
class Network(Model):
    """The base of models that say in `call` what they compute, from layers that `track_layer` registers.

    >>> class Two(tf.contrib.eager.Network):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.first = self.track_layer(tf.layers.Dense(3))
    ...         self.second = self.track_layer(tf.layers.Dense(1))
    ...     def call(self, inputs):
    ...         return self.second(self.first(inputs))

    Args:
        name: the name; by default that of the class.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)

    def track_layer(self, layer: Any) -> Any:
        """Makes a layer part of the network, and returns it."""
        setattr(self, f"tracked_{len(self.layers)}", layer)
        return layer


@export("contrib.eager.Sequential")
class Sequential(Network):
    """Calls layers or functions one after the other.

    Args:
        layers_funcs: the layers and functions.
        name: the name.
    """

    def __init__(self, layers_funcs: Sequence[Any] | None = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._steps: list[Any] = []
        for step in layers_funcs or ():
            self.add(step)

    def add(self, layer_func: Any) -> None:
        """Adds a layer or function."""
        self._steps.append(self.track_layer(layer_func) if hasattr(layer_func, "weights") else layer_func)

    def call(self, inputs: Any, training: Any = None) -> Any:
        """What the last step gives. Layers that do differently in training are told whether this is that."""
        for step in self._steps:
            inputs = step(inputs) if training is None or not _knows_training(step) else step(inputs, training=training)
        return inputs


def _knows_training(step: Any) -> bool:
    """Whether a layer takes the argument `training`."""
    return hasattr(step, "call") and "training" in inspect.signature(step.call).parameters

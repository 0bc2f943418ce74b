"""tf.keras.optimizers.get, serialize and deserialize, and tf.train's optimizers as Keras's."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import init_scope, name_scope
from evergraph.keras import newer_configs, objects
from evergraph.keras.optimizer import Optimizer
from evergraph.keras.optimizers import SGD, Adadelta, Adagrad, Adam, Ftrl, RMSprop
from evergraph.keras.optimizers_adam import Adamax, Nadam
from evergraph.train.global_step import get_global_step
from evergraph.train.optimizer import Optimizer as TrainOptimizer

BY_NAME = {kind.__name__: kind for kind in (SGD, Adadelta, Adagrad, Adam, Adamax, Ftrl, Nadam, RMSprop)}


class TFOptimizer(Optimizer):
    """An optimizer of tf.train as one of Keras's.

    Args:
        optimizer: the optimizer.
        iterations: the variable that counts the steps; by default the global step, if there is one, else a new one.
    """

    def __init__(self, optimizer: Any, iterations: Any = None) -> None:
        super().__init__(type(optimizer).__name__)
        self.optimizer = optimizer
        if iterations is not None:
            self.iterations = iterations

    @property
    def iterations(self) -> Any:
        """The number of steps made, a variable."""
        self._enter()
        if self._state.iterations is None:
            with init_scope(), name_scope("TFOptimizer"):
                self._state.iterations = get_global_step() or self.add_weight("iterations", (), dtypes.int64)
        return self._state.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._enter()
        self._state.iterations = variable

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables."""
        return [gradient for gradient, _ in self.optimizer.compute_gradients(loss, params)]

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The operation that applies gradients to variables and counts the step."""
        return self.optimizer.apply_gradients(grads_and_vars, global_step=self.iterations, name=name)

    @property
    def weights(self) -> list[Any]:
        """Raises NotImplementedError: tf.train's optimizers have no list of weights in a fixed order."""
        raise NotImplementedError(f"{type(self.optimizer).__name__} of tf.train has no `weights`")

    def get_config(self) -> dict[str, Any]:
        """Raises NotImplementedError: tf.train's optimizers have no configuration."""
        raise NotImplementedError(f"{type(self.optimizer).__name__} of tf.train has no configuration")

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Raises NotImplementedError: tf.train's optimizers have no configuration."""
        raise NotImplementedError("an optimizer of tf.train has no configuration")

    def _checkpoint_children(self) -> dict[str, Any]:
        return {"optimizer": self.optimizer}


@export("keras.optimizers.serialize")
def serialize(optimizer: Any) -> dict[str, Any]:
    """The name of an optimizer's class and its configuration."""
    return objects.serialize_keras_object(optimizer)


@export("keras.optimizers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The optimizer of a serialized configuration.

    Args:
        config: a result of `serialize`; the case of the name does not matter.
        custom_objects: additional classes by name.

    Raises:
        ValueError: the class is unknown.
    """
    config = newer_configs.understood_optimizer(config)
    by_lower_case = {name.lower(): kind for name, kind in BY_NAME.items()}
    if config["class_name"].lower() in by_lower_case:
        config = {**config, "class_name": config["class_name"].lower()}
    return objects.deserialize_keras_object(config, by_lower_case, custom_objects, "optimizer")


@export("keras.optimizers.get")
def get(identifier: Any) -> Any:
    """An optimizer from itself, its name, or what `tf.keras.optimizers.serialize` returned; one of tf.train is wrapped.

    Raises:
        ValueError: there is no such optimizer.
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, TrainOptimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")

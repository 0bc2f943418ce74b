"""tf.keras.mixed_precision.experimental.LossScaleOptimizer."""
from __future__ import annotations

import functools
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.control_flow import group, smart_cond
from evergraph.keras import optimizers_by_name
from evergraph.keras.optimizer import Optimizer
from evergraph.ops.arrays.basic import no_op
from evergraph.train import loss_scale as scales
from evergraph.train.loss_scale_optimizer import times


def _of_the_optimizer(name: str) -> Any:
    """A method of the optimizer inside."""
    inner = getattr(Optimizer, name)

    @functools.wraps(inner)
    def method(self: LossScaleOptimizer, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._optimizer, name)(*args, **kwargs)
    return method


@export("keras.mixed_precision.experimental.LossScaleOptimizer")
class LossScaleOptimizer(Optimizer):
    """Loss scaling around an optimizer: scales the loss, unscales the gradients, leaves out steps that overflow.

    Args:
        opt: the optimizer.
        loss_scale: a `tf.train.experimental.LossScale`, a number for a fixed one, or "dynamic".

    Raises:
        ValueError: it is no optimizer of tf.keras, it clips gradients, or there is no loss scale.
    """

    def __init__(self, opt: Any, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f"LossScaleOptimizer wraps a Keras optimizer, got {opt}")
        for clip in ("clipnorm", "clipvalue"):
            if getattr(opt, clip) is not None:
                raise ValueError(f"LossScaleOptimizer does not support wrapping optimizers with {clip}, which would "
                                 f"clip the scaled gradients; optimizer {opt} has {clip} {getattr(opt, clip)}")
        super().__init__(opt._name)
        self._optimizer = opt
        self._loss_scale = scales.as_loss_scale(loss_scale)
        if self._loss_scale is None:
            raise ValueError("loss_scale cannot be None.")

    loss_scale = property(lambda self: self._loss_scale, doc="The loss scale.")
    weights = property(lambda self: self._optimizer.weights, doc="The variables of the optimizer.")
    get_weights, set_weights, variables, get_slot_names, get_slot, add_slot = map(_of_the_optimizer, (
        "get_weights", "set_weights", "variables", "get_slot_names", "get_slot", "add_slot"))

    def __getattr__(self, name: str) -> Any:
        """Hyperparameters are those of the optimizer."""
        if "_optimizer" not in vars(self):
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        inner = vars(self).get("_optimizer")
        if inner is not None and ("learning_rate" if name == "lr" else name) in inner._hyper:
            setattr(inner, name, value)
        else:
            super().__setattr__(name, value)

    @property
    def iterations(self) -> Any:
        """The number of steps made."""
        return self._optimizer.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._optimizer.iterations = variable

    # ---- scaling

    def get_scaled_loss(self, loss: Any) -> Any:
        """The loss, or a function that gives it, times the loss scale."""
        if callable(loss):
            return lambda: self.get_scaled_loss(loss())
        return loss * math.cast(self._loss_scale(), loss.dtype)

    def get_unscaled_gradients(self, grads: Any) -> list[Any]:
        """Gradients divided by the loss scale; None remains."""
        inverse = 1.0 / self._loss_scale()
        return [times(gradient, inverse) for gradient in grads]

    def _computed(self, loss: Any, var_list: Any, grad_loss: Any) -> tuple[list[Any], list[Any]]:
        found, variables = self._optimizer._computed(self.get_scaled_loss(loss), var_list, grad_loss)
        return self.get_unscaled_gradients(found), variables

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss by variables, not scaled."""
        return self.get_unscaled_gradients(self._optimizer.get_gradients(self.get_scaled_loss(loss), params))

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The operation that applies gradients if they are finite, and changes the loss scale."""
        pairs = list(grads_and_vars)
        self._optimizer.create_weights([variable for gradient, variable in pairs if gradient is not None])
        changed, finite = self._loss_scale.update([gradient for gradient, _ in pairs])
        applied = smart_cond(finite, lambda: group(self._optimizer.apply_gradients(pairs, name)), no_op)
        return group(applied, changed)

    # ---- configuration

    def _checkpoint_children(self) -> dict[str, Any]:
        return {"base_optimizer": self._optimizer, "loss_scale": self._loss_scale}

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        scale = {"class_name": type(self._loss_scale).__name__, "config": self._loss_scale.get_config()}
        return {"optimizer": optimizers_by_name.serialize(self._optimizer), "loss_scale": scale}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer with these arguments."""
        scale = config["loss_scale"]
        return cls(optimizers_by_name.deserialize(config["optimizer"], custom_objects),
                   getattr(scales, scale["class_name"]).from_config(scale["config"]))

"""An optimizer with a loss scale around another: training in half precision."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import group, smart_cond
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.node import Operation
from evergraph.ops.arrays.basic import no_op
from evergraph.train.loss_scale import as_loss_scale
from evergraph.train.optimizer import Optimizer


@export("train.experimental.MixedPrecisionLossScaleOptimizer")
class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Loss scaling for mixed precision training: scales the loss, unscales the gradients, skips steps that overflow.

    >>> opt = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(1e-3), "dynamic")

    Args:
        opt: the optimizer that applies the gradients.
        loss_scale: a LossScale, a number for a FixedLossScale, or "dynamic" for a DynamicLossScale.

    Raises:
        ValueError: `opt` is no tf.train.Optimizer.
    """

    def __init__(self, opt: Optimizer, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f"opt must be a tf.train.Optimizer, got {type(opt)}")
        self._optimizer = opt
        super().__init__(opt._use_locking, opt._name)
        self._loss_scale = as_loss_scale(loss_scale)
        if self._loss_scale is None:
            raise ValueError("loss_scale cannot be None.")

    def _checkpoint_children(self) -> dict[str, Any]:
        """What tf.train.Checkpoint finds below it."""
        return {"base_optimizer": self._optimizer, "loss_scale": self._loss_scale}

    def compute_gradients(self, loss: Any, var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
                          aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                          grad_loss: Any = None) -> list[tuple[Any, Any]]:
        """Computes the gradients of the scaled loss and divides them by the loss scale; see `tf.train.Optimizer`."""
        scale = self._loss_scale()
        scaled = (lambda: self._scaled(loss(), scale)) if callable(loss) else self._scaled(loss, scale)
        pairs = self._optimizer.compute_gradients(scaled, var_list, gate_gradients, aggregation_method,
                                                  colocate_gradients_with_ops, grad_loss)
        inverse = 1 / scale
        return [(times(g, inverse), v) for g, v in pairs]

    def _scaled(self, loss: Any, scale: Any) -> Any:
        return loss * math.cast(scale, loss.dtype)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """Applies the gradients if all of them are finite, and updates the loss scale; see `tf.train.Optimizer`."""
        pairs = list(grads_and_vars)
        update, should_apply = self._loss_scale.update([g for g, _ in pairs])
        if isinstance(should_apply, bool):
            applied = self._optimizer.apply_gradients(pairs, global_step, name=name) if should_apply else no_op()
            return group(applied, update)
        with name_scope(None, "cond") as scope:  # variables cannot be made inside the branch that uses them
            self._optimizer._create_slots([v for g, v in pairs if g is not None])
        apply = lambda: self._optimizer.apply_gradients(pairs, global_step, name=name)
        return group(smart_cond(should_apply, apply, no_op, name=scope), update)

    def get_slot(self, var: Any, name: str) -> Any:
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        return self._optimizer.get_slot_names()

    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer and of the loss scale."""
        return self._optimizer.variables() + [v for v in self._loss_scale._weights.values()]


def times(gradient: Any, factor: Any) -> Any:
    """A gradient, of rows or not, times a factor; or None."""
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(gradient.values * math.cast(factor, gradient.values.dtype), gradient.indices,
                             gradient.dense_shape)
    return gradient * math.cast(factor, gradient.dtype)

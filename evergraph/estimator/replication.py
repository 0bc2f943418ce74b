"""tf.contrib.estimator.replicate_model_fn: a model on the one device there is."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.estimator.calls import call_with
from evergraph.estimator.extenders import TransformGradients
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.blocks import device
from evergraph.losses.weighting import Reduction


@export("contrib.estimator.replicate_model_fn")
def replicate_model_fn(model_fn: Callable[..., EstimatorSpec], loss_reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
                       devices: Sequence[str] | None = None) -> Callable[..., EstimatorSpec]:
    """A model function whose batches are divided among devices, of which there is one here.

    Args:
        model_fn: the model function.
        loss_reduction: how the losses of the parts are reduced; those of one part are as they are.
        devices: the device; by default the session's choice.

    Raises:
        ValueError: the losses are not reduced.
        UnimplementedError: there are several devices.
    """
    if loss_reduction == Reduction.NONE:
        raise ValueError("loss_reduction is NONE, but the loss of each tower must be reduced to a scalar")
    if len(devices or ()) > 1:
        raise errors.UnimplementedError(None, None, f"replicate_model_fn on several devices: {list(devices or ())}")

    def replicated(features: Any, labels: Any, mode: str, params: Any = None, config: Any = None) -> EstimatorSpec:
        with device(devices[0] if devices else None):
            return call_with(model_fn, features=features, labels=labels, mode=mode, params=params, config=config)

    return replicated


@export("contrib.estimator.TowerOptimizer")
class TowerOptimizer(TransformGradients):
    """The optimizer of a replicated model: collects the gradients of all parts, of which there is one here.

    Args:
        optimizer_or_optimizer_fn: a tf.train.Optimizer, or a function without arguments that makes one.
    """

    def __init__(self, optimizer_or_optimizer_fn: Any) -> None:
        made = optimizer_or_optimizer_fn() if callable(optimizer_or_optimizer_fn) else optimizer_or_optimizer_fn
        super().__init__(made, lambda gradients: gradients, made.get_name())

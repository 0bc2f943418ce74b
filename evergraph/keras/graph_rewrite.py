"""Automatic mixed precision for the optimizers of tf.train and of tf.keras."""
from __future__ import annotations

from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.keras.loss_scale_optimizer import LossScaleOptimizer
from evergraph.keras.optimizer import Optimizer
from evergraph.run import mixed_precision
from evergraph.train import optimizer
from evergraph.train.loss_scale_optimizer import MixedPrecisionLossScaleOptimizer


@export("train.experimental.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite(
    opt: Any, loss_scale: Any = "dynamic"
) -> MixedPrecisionLossScaleOptimizer | LossScaleOptimizer:
    """Automatic mixed precision: returns the optimizer with a loss scale, and turns the rewrite on for new sessions.

    On GPUs with tensor cores and on TPUs, programs that these sessions compile have products, convolutions and what is
    between them in half precision: in bfloat16 where the device has it, otherwise in float16. Variables, checkpoints,
    feeds and fetches stay float32. docs/devices.md lists what decides.

    Args:
        opt: one of tf.train, or one of tf.keras for `Model.compile`.
        loss_scale: a LossScale, a number, or "dynamic".

    Returns:
        A tf.train.experimental.MixedPrecisionLossScaleOptimizer, or a
        tf.keras.mixed_precision.experimental.LossScaleOptimizer.

    Raises:
        ValueError: `opt` is no optimizer, has a loss scale already, or clips gradients, as an optimizer of tf.keras.
    """
    scaled = _scaled(opt, loss_scale)
    if mixed_precision.setting.was_off:
        logging.warn("Sessions that exist already go on in float32: mixed precision is for sessions made from now on")
    mixed_precision.setting.is_on = True
    return scaled


def _scaled(opt: Any, loss_scale: Any) -> MixedPrecisionLossScaleOptimizer | LossScaleOptimizer:
    """The optimizer with a loss scale around it."""
    if isinstance(opt, (MixedPrecisionLossScaleOptimizer, LossScaleOptimizer)):
        raise ValueError("opt scales its loss already")
    if isinstance(opt, Optimizer):
        return LossScaleOptimizer(opt, loss_scale)
    if isinstance(opt, optimizer.Optimizer):
        return MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    raise ValueError(f"opt is {opt}, no optimizer of tf.train or tf.keras")


@export("train.experimental.disable_mixed_precision_graph_rewrite")
def disable_mixed_precision_graph_rewrite() -> None:
    """Lets new sessions compute in float32 again; sessions that exist go on as they are."""
    mixed_precision.setting.is_on = False

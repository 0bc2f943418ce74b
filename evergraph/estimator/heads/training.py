"""The train op of a head: from a function or an optimizer, with the updates that run beside it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.math import add_n
from evergraph.graph.convert import convert_to_tensor


def check_one_trainer(optimizer: Any, train_op_fn: Any) -> None:
    """Raises ValueError unless exactly one of the two is given."""
    if optimizer is not None and train_op_fn is not None:
        raise ValueError("give train_op_fn or optimizer to make the training op, not both")
    if optimizer is None and train_op_fn is None:
        raise ValueError("training needs train_op_fn or optimizer, got neither")


def with_updates(train_op: Any, updates: Any) -> Any:
    """The train op, grouped with the updates where there are any."""
    return group(train_op, *updates) if updates else train_op


def train_op(loss: Any, optimizer: Any, train_op_fn: Callable[[Any], Any] | None,
             minimize: Callable[[Any], Any]) -> Any:
    """What `train_op_fn` makes of the loss, or `minimize`, which uses the optimizer."""
    check_one_trainer(optimizer, train_op_fn)
    return minimize(loss) if train_op_fn is None else train_op_fn(loss)


def keras_step(optimizer: Any, loss: Any, variables: Any) -> Any:
    """The step of an optimizer of tf.keras, whose variables are below "training/" and its name."""
    with name_scope(f"training/{optimizer._name}/"):
        return optimizer.get_updates(loss, variables)[0]


def total(losses: Any) -> Any:
    """The sum of regularization losses, None where there are none."""
    return add_n([convert_to_tensor(loss) for loss in losses]) if losses else None

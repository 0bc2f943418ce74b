"""tf.contrib.model_pruning.train: the loop of slim, with masks that change."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.slim import loops


@export("contrib.model_pruning.train")
def train(train_op: Any, logdir: str | None, mask_update_op: Any, train_step_fn: Any = loops.train_step,
          **kwargs: Any) -> Any:
    """`tf.contrib.slim.learning.train` that runs an operation after each step.

    Args:
        train_op, logdir: see there.
        mask_update_op: such as `Pruning.conditional_mask_update_op()`.
        train_step_fn, **kwargs: see there.

    Returns:
        The last loss.
    """
    def step(session: Any, *args: Any) -> tuple[Any, bool]:
        result = train_step_fn(session, *args)
        session.run(mask_update_op)
        return result

    return loops.train(train_op, logdir, train_step_fn=step, **kwargs)

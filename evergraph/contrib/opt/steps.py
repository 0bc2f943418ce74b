"""tf.contrib.opt: Adam driven by the global step, and Adagrad with optional slot updates."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.opt.adam import LazyAdamOptimizer
from evergraph.frontend import math
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.variable import Variable
from evergraph.ops.math.elementwise import pow_
from evergraph.train.adagrad import AdagradOptimizer
from evergraph.train.adam import AdamOptimizer


class _ByGlobalStep(AdamOptimizer):
    """Computes the powers of beta1 and beta2 from the global step, without variables.

    Args:
        global_step: the step counter: a variable or a number.
        learning_rate: a number, a tensor, or a function without arguments; so are the next three.
        beta1: the decay rate of the first moment.
        beta2: the decay rate of the second moment.
        epsilon: added to the denominator for numerical stability.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations and slots.
    """

    def __init__(self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
                 epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam") -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        step = self._global_step.read_value() if isinstance(self._global_step, Variable) else self._global_step
        steps = math.cast(step, dtypes.float32) + 1
        power = lambda beta: pow_(math.cast(beta, dtypes.float32), steps)
        return power(self._beta1_t), power(self._beta2_t)

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        return group(*update_ops, name=name_scope)


@export("contrib.opt.AdamGSOptimizer")
class AdamGSOptimizer(_ByGlobalStep):
    """Adam with bias correction by the global step, which other optimizers may share.

    Args:
        global_step: counts the steps, for the correction of the bias.
        learning_rate: how far a step goes, a number or a tensor.
        beta1: how slowly the mean of gradients forgets.
        beta2: how slowly the mean of their squares forgets.
        epsilon: is added to the square root, against division by zero.
    """


@export("contrib.opt.LazyAdamGSOptimizer")
class LazyAdamGSOptimizer(_ByGlobalStep, LazyAdamOptimizer):
    """Lazy Adam with bias correction by the global step.

    Args:
        global_step: counts the steps, for the correction of the bias.
        learning_rate: how far a step goes, a number or a tensor.
        beta1: how slowly the mean of gradients forgets.
        beta2: how slowly the mean of their squares forgets.
        epsilon: is added to the square root, against division by zero.
    """


@export("contrib.opt.RegAdagradOptimizer")
class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad with updates that do not change the accumulator, such as those of a regularization loss.

    >>> with optimizer.avoid_updating_slots():
    ...     shrink = optimizer.minimize(penalty)
    """

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
                 name: str = "RegAdagrad") -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Context manager for updates that use the accumulators but do not change them."""
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _flags(self) -> dict[str, bool]:
        return {"update_slots": self._should_update_slots}

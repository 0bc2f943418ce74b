"""tf.tpu.CrossShardOptimizer: sums gradients over the devices that share a batch."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.tpu import cross_replica_sum
from evergraph.losses.weighting import Reduction
from evergraph.train.optimizer import Optimizer


@export("tpu.CrossShardOptimizer", "contrib.tpu.CrossShardOptimizer")
class CrossShardOptimizer(Optimizer):
    """Wraps an optimizer so that it applies gradients summed over all devices. A session has one device.

    >>> optimizer = tf.tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.1))

    Args:
        opt: the optimizer.
        reduction: tf.losses.Reduction.SUM or MEAN: how the losses of the devices make up the loss; the same for one.
        name: a name; has no meaning here: the operations have the names that the wrapped optimizer gives them.
        group_assignment: groups of devices, over each of which gradients are summed; None for one group.

    Raises:
        ValueError: `reduction` is neither.
        TypeError: `opt` is no optimizer of tf.train.
    """

    def __init__(self, opt: Optimizer, reduction: str = Reduction.MEAN, name: str = "CrossShardOptimizer",
                 group_assignment: Any = None) -> None:
        if reduction not in (Reduction.SUM, Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        if not isinstance(opt, Optimizer):
            raise TypeError(f"CrossShardOptimizer wraps a tf.train.Optimizer, not {type(opt)}")
        super().__init__(False, name)
        self._opt, self._group_assignment = opt, group_assignment

    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """Computes the gradients as the wrapped optimizer does: the loss of one device is the loss."""
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies the gradients, summed over the devices.

        Args:
            grads_and_vars: (gradient, variable) pairs.
            global_step: the variable to count up.
            name: a name for the operation.
        """
        summed = [(gradient if gradient is None or self._group_assignment is None
                   else cross_replica_sum(gradient, self._group_assignment), variable)
                  for gradient, variable in grads_and_vars]
        return self._opt.apply_gradients(summed, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """The names of the wrapped optimizer's slots."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer."""
        return self._opt.variables()

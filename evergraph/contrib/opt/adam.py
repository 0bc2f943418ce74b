"""tf.contrib.opt: variants of Adam, and decoupled weight decay."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.opt.rows import ByRows, scattered
from evergraph.frontend import math
from evergraph.frontend.blocks import colocate_with, control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import gather
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math.elementwise import abs_, maximum, sqrt
from evergraph.ops.nn import updates
from evergraph.train.adam import AdamOptimizer
from evergraph.train.momentum import MomentumOptimizer
from evergraph.train.optimizer import Optimizer


class _RowsOnly(ByRows, AdamOptimizer):
    """An Adam variant whose sparse updates touch only the rows with a gradient, including their moments."""

    def _apply_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Operation:
        rates = self._rates(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        new_m, new_v, step = self._moved_rows(grad, gather(m, indices), gather(v, indices), rates)
        with control_dependencies([new_m, new_v, step]):
            return group(scattered("add", var, indices, -step), scattered("update", m, indices, new_m),
                         scattered("update", v, indices, new_v))

    def _moved_rows(self, grad: Tensor, m: Tensor, v: Tensor, rates: dict[str, Tensor]) -> tuple[Tensor, ...]:
        """(first moments, second moments, step) of the rows."""
        raise NotImplementedError


@export("contrib.opt.LazyAdamOptimizer")
class LazyAdamOptimizer(_RowsOnly):
    """Lazy Adam: updates only the rows of a variable that have a gradient, including their moments.

    It is faster than Adam on large embeddings, and differs from it: in Adam, moments decay in every step.

    Args:
        learning_rate: how far a step goes, a number or a tensor.
        beta1: how slowly the mean of gradients forgets.
        beta2: how slowly the mean of their squares forgets.
        epsilon: is added to the square root, against division by zero.
    """

    def _moved_rows(self, grad: Tensor, m: Tensor, v: Tensor, rates: dict[str, Tensor]) -> tuple[Tensor, ...]:
        beta1, beta2 = rates["beta1"], rates["beta2"]
        rate = rates["lr"] * sqrt(1 - rates["beta2_power"]) / (1 - rates["beta1_power"])
        new_m = beta1 * m + (1 - beta1) * grad
        new_v = beta2 * v + (1 - beta2) * (grad * grad)
        return new_m, new_v, rate * new_m / (sqrt(new_v) + rates["epsilon"])


@export("contrib.opt.AdaMaxOptimizer")
class AdaMaxOptimizer(_RowsOnly):
    """AdaMax (Kingma and Ba, 2014): Adam with the infinity norm of the gradients in place of the second moment.

    Args:
        learning_rate: a number, a tensor, or a function without arguments; so are the next three.
        beta1: the decay rate of the first moment.
        beta2: the decay rate of the infinity norm.
        epsilon: added to the denominator for numerical stability.
        use_locking: has no effect: updates are atomic.
        name: the name of the operations and slots.
    """

    rule = updates.ada_max

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
                 use_locking: bool = False, name: str = "AdaMax") -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        """The variable with the power of beta1."""
        return self._get_non_slot_variable("beta1_power", graph=default_graph())

    def _create_slots(self, var_list: list[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._call_if_callable(self._beta1), "beta1_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"beta1_power": self._get_beta_accumulators(), "lr": self._lr_t, "beta1": self._beta1_t,
                "beta2": self._beta2_t, "epsilon": self._epsilon_t}

    def _moved_rows(self, grad: Tensor, m: Tensor, v: Tensor, rates: dict[str, Tensor]) -> tuple[Tensor, ...]:
        beta1, rate = rates["beta1"], rates["lr"] / (1 - rates["beta1_power"])
        new_m = beta1 * m + (1 - beta1) * grad
        new_v = maximum(rates["beta2"] * v, abs_(grad))
        return new_m, new_v, rate * (new_m / (new_v + rates["epsilon"]))

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with colocate_with(power.op):
                grown = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return group(*update_ops, grown, name=name_scope)


@export("contrib.opt.NadamOptimizer")
class NadamOptimizer(AdamOptimizer):
    """NAdam (Dozat, 2016): Adam with Nesterov momentum.

    Args:
        learning_rate: how far a step goes, a number or a tensor.
        beta1: how slowly the mean of gradients forgets.
        beta2: how slowly the mean of their squares forgets.
        epsilon: is added to the square root, against division by zero.
    """

    def _flags(self) -> dict[str, bool]:
        return {"use_nesterov": True}

    def _apply_sparse_shared(self, grad: Tensor, var: Any, indices: Tensor,
                             scatter_add: Callable[..., Any]) -> Operation:
        """Decays all moments, but updates only the rows with a gradient."""
        rates = {name: math.cast(value, var.dtype.base_dtype) for name, value in self._hyperparameters(var).items()}
        beta1, beta2 = rates["beta1"], rates["beta2"]
        rate = rates["lr"] * sqrt(1 - rates["beta2_power"]) / (1 - rates["beta1_power"])
        seen = grad * (1 - beta1)
        new_m = self._decayed(self.get_slot(var, "m"), beta1, seen, indices, scatter_add)
        new_v = self._decayed(self.get_slot(var, "v"), beta2, (grad * grad) * (1 - beta2), indices, scatter_add)
        ahead = seen + beta1 * gather(new_m, indices)
        step = rate * ahead / (sqrt(gather(new_v, indices)) + rates["epsilon"])
        return group(scatter_add(var, indices, -step), new_m, new_v)


# ---- weight decay


@export("contrib.opt.DecoupledWeightDecayExtension")
class DecoupledWeightDecayExtension:
    """Decoupled weight decay (Loshchilov and Hutter, 2017), a mixin that precedes an optimizer class:

    >>> class SGDW(tf.contrib.opt.DecoupledWeightDecayExtension, tf.train.GradientDescentOptimizer):
    ...     def __init__(self, weight_decay, learning_rate):
    ...         super().__init__(weight_decay, learning_rate=learning_rate)

    Args:
        weight_decay: the decay per step; a number, a tensor, or a function without arguments. It is not multiplied by
            the learning rate: give it the same schedule.
        kwargs: the optimizer's arguments.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._weight_decay = weight_decay
        self._decay_var_list: set[Any] | None = None  # None: all of them
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(self, loss: Any, global_step: Any = None, var_list: Any = None,
                 gate_gradients: int = Optimizer.GATE_OP, aggregation_method: Any = None,
                 colocate_gradients_with_ops: bool = False, name: str | None = None, grad_loss: Any = None,
                 decay_var_list: Iterable[Any] | None = None) -> Operation:
        """As the optimizer, and decays `decay_var_list`; by default all variables that it updates."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else None
        return super().minimize(loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
                                aggregation_method=aggregation_method,
                                colocate_gradients_with_ops=colocate_gradients_with_ops, name=name,
                                grad_loss=grad_loss)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
                        decay_var_list: Iterable[Any] | None = None) -> Operation:
        """As the optimizer, and decays `decay_var_list`; by default all variables that it updates."""
        if decay_var_list:
            self._decay_var_list = set(decay_var_list)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self) -> None:
        self._weight_decay_tensor = self._call_if_callable(self._weight_decay)
        super()._prepare()

    def _shrinks(self, var: Any) -> bool:
        return self._decay_var_list is None or var in self._decay_var_list

    def _part(self, var: Any) -> Any:
        return math.cast(self._weight_decay_tensor, var.dtype.base_dtype)

    def _shrunk(self, var: Any) -> Operation:
        return group(var.assign_sub(self._part(var) * var, self._use_locking)) if self._shrinks(var) else no_op()

    def _shrunk_rows(self, var: Any, indices: Tensor) -> Operation:
        if not self._shrinks(var):
            return no_op()
        return group(scattered("add", var, indices, -self._part(var) * gather(var, indices)))

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        with control_dependencies([self._shrunk(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        with control_dependencies([self._shrunk(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        with control_dependencies([self._shrunk_rows(var, grad.indices)]):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Any:
        with control_dependencies([self._shrunk_rows(var, indices)]):
            return super()._resource_apply_sparse(grad, var, indices)


@export("contrib.opt.extend_with_decoupled_weight_decay")
def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type:
    """A subclass of an optimizer class with decoupled weight decay; its first argument is `weight_decay`.

    >>> AdamW = tf.contrib.opt.extend_with_decoupled_weight_decay(tf.train.AdamOptimizer)
    >>> optimizer = AdamW(weight_decay=1e-4, learning_rate=0.01)
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """An optimizer with decoupled weight decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            base_optimizer.__init__(self, *args, **kwargs)
            self._weight_decay, self._decay_var_list, self._weight_decay_tensor = weight_decay, None, None

    return OptimizerWithDecoupledWeightDecay


@export("contrib.opt.MomentumWOptimizer")
class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """SGDW with momentum (Loshchilov and Hutter, 2017): tf.train.MomentumOptimizer with decoupled weight decay."""

    def __init__(self, weight_decay: Any, learning_rate: Any, momentum: Any, use_locking: bool = False,
                 name: str = "MomentumW", use_nesterov: bool = False) -> None:
        super().__init__(weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking,
                         name=name, use_nesterov=use_nesterov)


@export("contrib.opt.AdamWOptimizer")
class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """AdamW (Loshchilov and Hutter, 2017): tf.train.AdamOptimizer with decoupled weight decay.

    Args:
        weight_decay: the share of each weight that a step takes away, besides Adam's change.
        learning_rate: how far a step goes, a number or a tensor.
        beta1: how slowly the mean of gradients forgets.
        beta2: how slowly the mean of their squares forgets.
        epsilon: is added to the square root, against division by zero.
    """

    def __init__(self, weight_decay: Any, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
                 epsilon: Any = 1e-8, use_locking: bool = False, name: str = "AdamW") -> None:
        super().__init__(weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
                         use_locking=use_locking, name=name)

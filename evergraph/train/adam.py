"""Adam."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.blocks import colocate_with, control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import assign, assign_sub
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math.elementwise import sqrt
from evergraph.ops.nn import updates
from evergraph.ops.state.variable_rows import REF_SCATTERS
from evergraph.train.optimizer import Optimizer


@export("train.AdamOptimizer")
class AdamOptimizer(Optimizer):
    """The Adam optimizer (Kingma and Ba, 2014): gradient descent with running means of the gradients and their squares.

    Step number t computes

        m = beta1 * m + (1 - beta1) * gradient
        v = beta2 * v + (1 - beta2) * gradient ** 2
        var -= learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)

    which is the paper's algorithm with the bias correction moved into the learning rate; `epsilon` therefore is the
    paper's epsilon hat. A sparse gradient (IndexedSlices) counts as zero in the other rows: their m and v decay, and
    they move too. `tf.contrib.opt.LazyAdamOptimizer` leaves them alone.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one; so are the next three.
        beta1: the decay rate of the mean of gradients.
        beta2: the decay rate of the mean of squared gradients.
        epsilon: added to the denominator, which keeps it away from zero.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations and the name of the slot variables.
    """

    rule = updates.adam
    slot_names = ("m", "v")

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
                 use_locking: bool = False, name: str = "Adam") -> None:
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._lr_t = self._beta1_t = self._beta2_t = self._epsilon_t = None
        self._powers: list[Tensor] | None = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        """The variables that hold the powers of beta1 and beta2."""
        graph = default_graph()
        return (self._get_non_slot_variable("beta1_power", graph=graph),
                self._get_non_slot_variable("beta2_power", graph=graph))

    def _create_slots(self, var_list: list[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)  # all parts of a program must agree on where these live
        self._create_non_slot_variable(self._call_if_callable(self._beta1), "beta1_power", colocate_with=first)
        self._create_non_slot_variable(self._call_if_callable(self._beta2), "beta2_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self) -> None:
        tensor = lambda value, name: convert_to_tensor(self._call_if_callable(value), name=name)
        self._lr_t, self._beta1_t = tensor(self._lr, "learning_rate"), tensor(self._beta1, "beta1")
        self._beta2_t, self._epsilon_t = tensor(self._beta2, "beta2"), tensor(self._epsilon, "epsilon")
        # Values at once are read once; in a graph each update reads the variables itself.
        self._powers = [*map(convert_to_tensor, self._get_beta_accumulators())] if default_graph().is_eager else None

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        beta1_power, beta2_power = self._powers or self._get_beta_accumulators()
        return {"beta1_power": beta1_power, "beta2_power": beta2_power, "lr": self._lr_t, "beta1": self._beta1_t,
                "beta2": self._beta2_t, "epsilon": self._epsilon_t}

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Operation:
        add = lambda x, i, v: REF_SCATTERS["add"](x, i, v, use_locking=self._use_locking)
        return self._apply_sparse_shared(grad.values, var, grad.indices, add)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Operation:
        return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

    def _apply_sparse_shared(self, grad: Tensor, var: Any, indices: Tensor,
                             scatter_add: Callable[..., Any]) -> Operation:
        """Both moments decay everywhere, so every row moves; only those of `indices` see the gradient."""
        rates = {name: math.cast(value, var.dtype.base_dtype) for name, value in self._hyperparameters(var).items()}
        beta1, beta2 = rates["beta1"], rates["beta2"]
        rate = rates["lr"] * sqrt(1 - rates["beta2_power"]) / (1 - rates["beta1_power"])
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        new_m = self._decayed(m, beta1, grad * (1 - beta1), indices, scatter_add)
        new_v = self._decayed(v, beta2, (grad * grad) * (1 - beta2), indices, scatter_add)
        spread = sqrt(new_v)
        moved = assign_sub(var, rate * new_m / (spread + rates["epsilon"]), use_locking=self._use_locking)
        return group(moved, new_m, new_v)

    def _decayed(self, moment: Any, beta: Any, rows: Tensor, indices: Tensor, scatter_add: Callable[..., Any]) -> Any:
        shrunk = assign(moment, moment * beta, use_locking=self._use_locking)
        with control_dependencies([shrunk]):
            return scatter_add(moment, indices, rows)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with colocate_with(beta1_power.op):
                grown = [power.assign(power * beta, use_locking=self._use_locking)
                         for power, beta in ((beta1_power, self._beta1_t), (beta2_power, self._beta2_t))]
        return group(*update_ops, *grown, name=name_scope)

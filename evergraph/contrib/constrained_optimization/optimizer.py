"""The base of constrained optimizers: a step for the model's parameters, and one for the weights of constraints."""

from __future__ import annotations

import abc
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.constrained_optimization.problem import ConstrainedMinimizationProblem
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import cond
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.train.optimizer import Optimizer


@export("contrib.constrained_optimization.ConstrainedOptimizer")
class ConstrainedOptimizer(abc.ABC):
    """The base class of optimizers of a ConstrainedMinimizationProblem.

    Args:
        optimizer: the `tf.train.Optimizer` of the model's parameters.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    @property
    def optimizer(self) -> Optimizer:
        """The optimizer of the model's parameters."""
        return self._optimizer

    @abc.abstractmethod
    def _minimize_constrained(self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any,
                              var_list: Any, gate_gradients: int, aggregation_method: Any,
                              colocate_gradients_with_ops: bool, name: str | None, grad_loss: Any) -> Operation:
        """The operation of a step; see `minimize_constrained`."""

    def minimize_constrained(self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any = None,
                             var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
                             aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                             name: str | None = None, grad_loss: Any = None) -> Operation:
        """The operation of a step that minimizes under the constraints; arguments are those of `tf.train.Optimizer`."""

        def minimize() -> Operation:
            return self._minimize_constrained(
                minimization_problem, global_step, var_list, gate_gradients, aggregation_method,
                colocate_gradients_with_ops, name, grad_loss)

        return _after(minimization_problem.pre_train_ops, minimize)

    def minimize_unconstrained(self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any = None,
                               var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
                               aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                               name: str | None = None, grad_loss: Any = None) -> Operation:
        """The operation of a step that minimizes the objective alone."""

        def minimize() -> Operation:
            return self.optimizer.minimize(
                minimization_problem.objective, global_step=global_step, var_list=var_list,
                gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                colocate_gradients_with_ops=colocate_gradients_with_ops, name=name, grad_loss=grad_loss)

        return _after(minimization_problem.pre_train_ops, minimize)

    def minimize(self, minimization_problem: ConstrainedMinimizationProblem, unconstrained_steps: int | None = None,
                 global_step: Any = None, var_list: Any = None, gate_gradients: int = Optimizer.GATE_OP,
                 aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
                 grad_loss: Any = None) -> Operation:
        """The operation of a step.

        Args:
            minimization_problem: what to minimize.
            unconstrained_steps: for how many steps the constraints are left out at first; needs `global_step`.
            global_step: see `tf.train.Optimizer.minimize`, as for those that follow.
            var_list: the variables.
            gate_gradients: when gradients are applied.
            aggregation_method: how gradients are added up.
            colocate_gradients_with_ops: whether gradients are where their operations are.
            name: the name of the operation.
            grad_loss: the gradient of the objective.

        Raises:
            ValueError: there is no global step to count the first steps by.
        """
        given = {"global_step": global_step, "var_list": var_list, "gate_gradients": gate_gradients,
                 "aggregation_method": aggregation_method, "colocate_gradients_with_ops": colocate_gradients_with_ops,
                 "name": name, "grad_loss": grad_loss}
        if unconstrained_steps is None:
            return self.minimize_constrained(minimization_problem, **given)
        if global_step is None:
            raise ValueError("unconstrained_steps needs a global_step that counts the steps")
        before = elementwise.less(math.cast(array.identity(global_step), dtypes.int64),
                                  math.cast(unconstrained_steps, dtypes.int64))
        return cond(before, lambda: _done(self.minimize_unconstrained(minimization_problem, **given)),
                    lambda: _done(self.minimize_constrained(minimization_problem, **given))).op


def _done(step: Operation) -> Tensor:
    with control_dependencies([step]):
        return array.constant(True)


def _after(first: Any, make: Any) -> Operation:
    if first is None:
        return make()
    with control_dependencies(first if isinstance(first, (list, tuple)) else [first]):
        return make()


class Game(ConstrainedOptimizer):
    """A constrained optimizer of two players, whose second one has a state of its own, which weighs the constraints.

    Args:
        optimizer: that of the first player, of the model's parameters.
        constraint_optimizer: that of the second; by default the same.
    """

    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None) -> None:
        super().__init__(optimizer)
        self._constraint_optimizer = constraint_optimizer

    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """The optimizer of the weights; None for that of the model."""
        return self._constraint_optimizer

    @abc.abstractmethod
    def _initial_state(self, num_constraints: int) -> Any:
        """What the state is at first."""

    @abc.abstractmethod
    def _weights(self, state: Any) -> Tensor:
        """The weights that a state gives."""

    @abc.abstractmethod
    def _state_gradient(self, state: Any, rewards: Tensor) -> Tensor:
        """The gradient of what the second player minimizes."""

    @abc.abstractmethod
    def _projected(self, state: Any, name: str | None) -> Operation:
        """The operation that brings the state back to where it may be."""

    def _minimize_constrained(self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any,
                              var_list: Any, gate_gradients: int, aggregation_method: Any,
                              colocate_gradients_with_ops: bool, name: str | None, grad_loss: Any) -> Operation:
        objective, constraints = minimization_problem.objective, minimization_problem.constraints
        proxies = minimization_problem.proxy_constraints
        count = minimization_problem.num_constraints
        state = ResourceVariable(self._initial_state(count), trainable=False, dtype=dtypes.float32,
                                 name=f"{type(self).__name__}_state")
        weights, rewards = self._weights(state), array.reshape(math.cast(constraints, dtypes.float32), [-1])
        penalties = rewards if proxies is None else array.reshape(math.cast(proxies, dtypes.float32), [-1])
        loss = self._loss(objective, penalties, weights)
        pairs = self.optimizer.compute_gradients(
            loss, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss)
        gradient = self._state_gradient(state, self._rewards(objective, rewards))
        inner = self.constraint_optimizer
        # Both players step from the same point.
        wait = [gradient, *(grad for grad, _ in pairs if grad is not None)]
        with control_dependencies([each if isinstance(each, Tensor) else each.values for each in wait]):
            if inner is None:
                step = self.optimizer.apply_gradients([*pairs, (gradient, state)], global_step=global_step, name=name)
            else:
                step = self.optimizer.apply_gradients(pairs, global_step=global_step, name=name)
                with control_dependencies([step]):
                    step = inner.apply_gradients([(gradient, state)])
        with control_dependencies([step]):
            done = self._projected(state, name)
        with control_dependencies([done]):
            return no_op(name=name)

    @abc.abstractmethod
    def _loss(self, objective: Any, penalties: Tensor, weights: Tensor) -> Tensor:
        """What the first player minimizes."""

    def _rewards(self, objective: Any, constraints: Tensor) -> Tensor:
        """What the second player gets for each weight."""
        return constraints


def weighted(values: Tensor, weights: Tensor) -> Tensor:
    """The sum of values times weights."""
    return reduce_sum(values * weights)

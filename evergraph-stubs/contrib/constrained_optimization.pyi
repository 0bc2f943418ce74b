# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.constrained_optimization."""

from evergraph import Operation
from evergraph.train import Optimizer
from numpy import ndarray
from typing import Any

import sys
if sys.platform == "":
    del (
        candidates, external_regret, optimizer, problem, swap_regret,
    )

class AdditiveExternalRegretOptimizer(ConstrainedOptimizer):
    """Minimizes the Lagrangian by the parameters while the multipliers climb by gradients of it."""
    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """The optimizer of the weights; None for that of the model."""
    def __init__(
        self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None,
        maximum_multiplier_radius: float | None = None,
    ) -> None: ...

class AdditiveSwapRegretOptimizer(ConstrainedOptimizer):
    """Plays a game of swap regret, in which the matrix takes gradient steps and is projected."""
    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """The optimizer of the weights; None for that of the model."""
    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None) -> None: ...

class ConstrainedMinimizationProblem:
    """Something to minimize under constraints: the objective, and tensors that shall not be above 0."""
    @property
    def objective(self) -> None:
        """The loss: a scalar."""
    @property
    def num_constraints(self) -> int:
        """How many constraints there are."""
    @property
    def constraints(self) -> None:
        """A tensor whose elements shall not be above 0."""
    @property
    def proxy_constraints(self) -> None:
        """Constraints that can be differentiated, in place of `constraints`; None where these can."""
    @property
    def pre_train_ops(self) -> None:
        """Operations that run before each step; None for none."""

class ConstrainedOptimizer:
    """The base class of optimizers of a ConstrainedMinimizationProblem."""
    @property
    def optimizer(self) -> Optimizer:
        """The optimizer of the model's parameters."""
    def minimize_constrained(
        self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any = None,
        var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None, grad_loss: Any = None,
    ) -> Operation:
        """The operation of a step that minimizes under the constraints; arguments are those of
        `tf.train.Optimizer`."""
    def minimize_unconstrained(
        self, minimization_problem: ConstrainedMinimizationProblem, global_step: Any = None,
        var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None, grad_loss: Any = None,
    ) -> Operation:
        """The operation of a step that minimizes the objective alone."""
    def minimize(
        self, minimization_problem: ConstrainedMinimizationProblem, unconstrained_steps: int | None = None,
        global_step: Any = None, var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None, grad_loss: Any = None,
    ) -> Operation:
        """The operation of a step."""
    def __init__(self, optimizer: Optimizer) -> None: ...

class MultiplicativeSwapRegretOptimizer(ConstrainedOptimizer):
    """Plays a game of swap regret, in which the matrix is multiplied by exponentials of its gains and
    normalized."""
    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """The optimizer of the weights; None for that of the model."""
    def __init__(
        self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None,
        minimum_multiplier_radius: float = 0.001, initial_multiplier_radius: float | None = None,
    ) -> None: ...

def find_best_candidate_distribution(
    objective_vector: Any, constraints_matrix: Any, epsilon: float = 0.0,
) -> ndarray:
    """The distribution over candidates with the least objective whose constraints hold on average; by
    SciPy."""

def find_best_candidate_index(
    objective_vector: Any, constraints_matrix: Any, rank_objectives: bool = False,
) -> int:
    """The candidate whose worst rank is the best: its rank by each constraint, among those that violate
    it."""

"""The best of several solutions, or the best distribution over them, of a constrained problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export


def _checked(objective_vector: Any, constraints_matrix: Any) -> tuple[np.ndarray, np.ndarray]:
    objective, constraints = np.asarray(objective_vector), np.asarray(constraints_matrix)
    if objective.ndim != 1 or constraints.ndim != 2 or constraints.shape[1] != len(objective):
        raise ValueError(f"For objectives of shape [candidates], constraints have shape [constraints, candidates]; got "
                         f"{objective.shape} and {constraints.shape}")
    return objective, constraints


@export("contrib.constrained_optimization.find_best_candidate_distribution")
def find_best_candidate_distribution(objective_vector: Any, constraints_matrix: Any,
                                     epsilon: float = 0.0) -> np.ndarray:
    """The distribution over candidates with the least objective whose constraints hold on average; by SciPy.

    Where none does, constraints may be violated by as little as is possible. At most one more candidate than there are
    constraints gets a probability.

    Args:
        objective_vector: the objective of each candidate.
        constraints_matrix: [constraints, candidates], what shall not be above 0.
        epsilon: how much more than the least violation is fine.

    Raises:
        ValueError: shapes do not fit, or `epsilon` is negative.
        ImportError: SciPy is not installed.
    """
    from scipy.optimize import linprog

    objective, constraints = _checked(objective_vector, constraints_matrix)
    if epsilon < 0.0:
        raise ValueError(f"epsilon must not be negative, got {epsilon}")
    count, limits = len(objective), len(constraints)
    sums = np.ones((1, count))
    # First the least violation that is possible, then the least objective with that violation.
    least = linprog(np.append(np.zeros(count), 1.0), A_ub=np.hstack([constraints, -np.ones((limits, 1))]),
                    b_ub=np.zeros(limits), A_eq=np.append(sums, [[0.0]], axis=1), b_eq=[1.0], bounds=(0, None))
    allowed = max(least.x[-1], 0.0) + epsilon
    for slack in (0.0, 1e-9, 1e-7, 1e-5):
        found = linprog(objective, A_ub=constraints, b_ub=np.full(limits, allowed + slack), A_eq=sums, b_eq=[1.0],
                        bounds=(0, None))
        if found.status == 0:
            return found.x
    return least.x[:-1]


@export("contrib.constrained_optimization.find_best_candidate_index")
def find_best_candidate_index(objective_vector: Any, constraints_matrix: Any, rank_objectives: bool = False) -> int:
    """The candidate whose worst rank is the best: its rank by each constraint, among those that violate it.

    Args:
        objective_vector: the objective of each candidate.
        constraints_matrix: [constraints, candidates], what shall not be above 0.
        rank_objectives: whether the rank by the objective counts, too; otherwise the objective decides between equals.

    Raises:
        ValueError: shapes do not fit.
    """
    objective, constraints = _checked(objective_vector, constraints_matrix)
    ranks = [_ranks(np.maximum(row, 0.0)) for row in constraints]
    if rank_objectives:
        ranks.append(_ranks(objective))
    worst = np.max(ranks, axis=0) if ranks else np.zeros(len(objective))
    return int(np.lexsort((objective, worst))[0])


def _ranks(values: np.ndarray) -> np.ndarray:
    """How many values are less, for each."""
    return np.searchsorted(np.sort(values), values, side="left")

"""Weights of constraints from a stochastic matrix, for constraints that are differentiated by proxies.

The weights are what the matrix leaves as it is; its columns learn, each by itself, to weigh well.
"""

from __future__ import annotations

import abc
import math as numbers
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.constrained_optimization.external_regret import onto_simplex
from evergraph.contrib.constrained_optimization.optimizer import Game, weighted
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_logsumexp, reduce_max, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise
from evergraph.train.optimizer import Optimizer

_LEAST_CHANGE = 1e-6
_MOST_ROUNDS = 100


def maximal_eigenvector(matrix: Any, epsilon: float = _LEAST_CHANGE, maximum_iterations: int = _MOST_ROUNDS) -> Tensor:
    """The vector that a left-stochastic matrix leaves as it is, by the power method.

    Args:
        matrix: square; its columns add up to 1.
        epsilon: the change in a round at which it ends.
        maximum_iterations: after how many rounds it ends in any case.

    Raises:
        ValueError: the matrix is not square, `epsilon` is not positive or there is no round.
    """
    if epsilon <= 0.0:
        raise ValueError(f"epsilon must be positive, got {epsilon}")
    if maximum_iterations < 1:
        raise ValueError(f"There must be at least one round, got {maximum_iterations}")
    matrix = _square(matrix)
    size = matrix.shape.as_list()[0]
    start = array.ones([size], matrix.dtype) / size

    def go_on(count: Tensor, vector: Tensor, change: Tensor) -> Tensor:
        return elementwise.logical_and(count < maximum_iterations, change > epsilon)

    def step(count: Tensor, vector: Tensor, change: Tensor) -> list[Tensor]:
        after = array.reshape(matmul(matrix, array.reshape(vector, [size, 1])), [size])
        after = after / reduce_sum(math.abs(after))
        return [count + 1, after, elementwise.sqrt(reduce_sum(elementwise.square(after - vector)))]

    found = while_loop(go_on, step, [array.constant(0), start, array.constant(np.inf, matrix.dtype)])
    return found[1]


def _square(matrix: Any) -> Tensor:
    matrix = convert_to_tensor(matrix)
    sizes = matrix.shape.as_list() if matrix.shape.is_fully_defined() else []
    if len(sizes) != 2 or sizes[0] != sizes[1]:
        raise ValueError(f"The matrix must be square and of a known size, not of shape {matrix.shape}")
    return matrix


def project_matrix(matrix: Any) -> Tensor:
    """The nearest left-stochastic matrix by Euclid's distance."""
    return array.transpose(onto_simplex(array.transpose(_square(matrix)), 1.0))


def project_log_matrix(log_matrix: Any) -> Tensor:
    """The logarithms of the nearest left-stochastic matrix by the Kullback-Leibler divergence."""
    log_matrix = _square(log_matrix)
    log_matrix = log_matrix - reduce_max(log_matrix, axis=0, keepdims=True)
    return log_matrix - reduce_logsumexp(log_matrix, axis=0, keepdims=True)


class _SwapRegretOptimizer(Game):
    """The base of optimizers whose state is a stochastic matrix."""

    @abc.abstractmethod
    def _stochastic_matrix(self, state: Any) -> Tensor:
        """The matrix that a state stands for."""

    def _weights(self, state: Any) -> Tensor:
        self._now = maximal_eigenvector(self._stochastic_matrix(state))
        return self._now

    def _loss(self, objective: Any, penalties: Tensor, weights: Tensor) -> Tensor:
        both = array.concat([array.reshape(math.cast(objective, dtypes.float32), [1]), penalties], 0)
        return weighted(both, weights)

    def _rewards(self, objective: Any, constraints: Tensor) -> Tensor:
        return array.concat([array.zeros([1], dtypes.float32), constraints], 0)

    def _matrix_gradient(self, rewards: Tensor) -> Tensor:
        """The gradient of minus what the matrix earns: each column in proportion to its weight."""
        return -elementwise.mul(rewards[:, None], self._now[None, :])


@export("contrib.constrained_optimization.AdditiveSwapRegretOptimizer")
class AdditiveSwapRegretOptimizer(_SwapRegretOptimizer):
    """Plays a game of swap regret, in which the matrix takes gradient steps and is projected.

    Args:
        optimizer: the `tf.train.Optimizer` of the model's parameters.
        constraint_optimizer: that of the matrix; by default the same.
    """

    def _initial_state(self, num_constraints: int) -> np.ndarray:
        matrix = np.zeros((num_constraints + 1, num_constraints + 1), np.float32)
        matrix[0] = 1.0
        return matrix

    def _stochastic_matrix(self, state: Any) -> Any:
        return state

    def _state_gradient(self, state: Any, rewards: Tensor) -> Tensor:
        return self._matrix_gradient(rewards)

    def _projected(self, state: Any, name: str | None) -> Operation:
        return state.assign(project_matrix(array.identity(state))).op


@export("contrib.constrained_optimization.MultiplicativeSwapRegretOptimizer")
class MultiplicativeSwapRegretOptimizer(_SwapRegretOptimizer):
    """Plays a game of swap regret, in which the matrix is multiplied by exponentials of its gains and normalized.

    This is algorithm 2 of Cotter, Jiang and Sridharan (2019), with any optimizers, and the one for proxy constraints.

    Args:
        optimizer: the `tf.train.Optimizer` of the model's parameters.
        constraint_optimizer: that of the logarithms of the matrix; by default the same.
        minimum_multiplier_radius: below which no element of the matrix falls, times the number of constraints plus 1.
        initial_multiplier_radius: what the weights of the constraints add up to at first; by default the minimum.

    Raises:
        ValueError: a radius is not above 0 and up to 1, or the initial one is below the minimum.
    """

    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None,
                 minimum_multiplier_radius: float = 1e-3, initial_multiplier_radius: float | None = None) -> None:
        super().__init__(optimizer, constraint_optimizer)
        if not 0.0 < minimum_multiplier_radius <= 1.0:
            raise ValueError(f"minimum_multiplier_radius must be above 0 and up to 1, got {minimum_multiplier_radius}")
        first = minimum_multiplier_radius if initial_multiplier_radius is None else initial_multiplier_radius
        if not minimum_multiplier_radius <= first <= 1.0:
            raise ValueError(f"initial_multiplier_radius must be from {minimum_multiplier_radius} to 1, got {first}")
        self._least, self._first = minimum_multiplier_radius, first

    def _initial_state(self, num_constraints: int) -> np.ndarray:
        size = num_constraints + 1
        column = np.full(size, self._first / size)
        column[0] = 1.0 - self._first * num_constraints / size
        return np.log(np.repeat(column[:, None], size, axis=1)).astype(np.float32)

    def _stochastic_matrix(self, state: Any) -> Tensor:
        return elementwise.exp(convert_to_tensor(state))

    def _state_gradient(self, state: Any, rewards: Tensor) -> Tensor:
        return self._matrix_gradient(rewards)

    def _projected(self, state: Any, name: str | None) -> Operation:
        least = numbers.log(self._least / state.shape.as_list()[0])
        projected = project_log_matrix(array.identity(state))
        return state.assign(project_log_matrix(elementwise.maximum(projected, least))).op

"""The Lagrangian way: a multiplier for each constraint, raised while the constraint is violated."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.constrained_optimization.optimizer import Game, weighted
from evergraph.frontend import array, math
from evergraph.frontend.indexing import gather
from evergraph.frontend.ordering import sort
from evergraph.frontend.reduce import cumsum, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise
from evergraph.train.optimizer import Optimizer


def onto_simplex(values: Tensor, size: Any) -> Tensor:
    """The nearest vectors whose elements are not negative and add up to a size, along the last axis (Duchi et al.,
    2008)."""
    values = convert_to_tensor(values)
    falling = sort(values, axis=-1, direction="DESCENDING")
    sums = cumsum(falling, axis=-1) - size
    places = math.cast(math.range(1, array.shape(values)[-1] + 1), values.dtype)
    count = reduce_sum(math.cast(elementwise.greater(falling * places, sums), dtypes.int32), axis=-1, keepdims=True)
    last = gather(sums, count - 1, axis=-1, batch_dims=values.shape.rank - 1)
    return elementwise.maximum(values - last / math.cast(count, values.dtype), 0.0)


def project_multipliers(multipliers: Any, radius: Any) -> Tensor:
    """The nearest multipliers that are not negative and add up to at most a radius.

    Args:
        multipliers: a vector.
        radius: a positive number.

    Raises:
        ValueError: the multipliers are no vector of a known length.
    """
    multipliers = convert_to_tensor(multipliers)
    if multipliers.shape.rank != 1 or not multipliers.shape.is_fully_defined():
        raise ValueError(f"multipliers must be a vector of a known length, not of shape {multipliers.shape}")
    raised = elementwise.maximum(multipliers, 0.0)
    inside = elementwise.less_equal(reduce_sum(raised), radius)
    return elementwise.select(inside, raised, onto_simplex(multipliers, radius))


@export("contrib.constrained_optimization.AdditiveExternalRegretOptimizer")
class AdditiveExternalRegretOptimizer(Game):
    """Minimizes the Lagrangian by the parameters while the multipliers climb by gradients of it.

    For problems without proxy constraints: algorithm 3 of Cotter, Jiang and Sridharan (2019), with any optimizers.

    Args:
        optimizer: the `tf.train.Optimizer` of the parameters.
        constraint_optimizer: that of the multipliers; by default the same.
        maximum_multiplier_radius: the most that the multipliers may add up to; None for no limit.

    Raises:
        ValueError: the radius is not positive.
    """

    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None,
                 maximum_multiplier_radius: float | None = None) -> None:
        super().__init__(optimizer, constraint_optimizer)
        if maximum_multiplier_radius is not None and maximum_multiplier_radius <= 0.0:
            raise ValueError(f"maximum_multiplier_radius must be positive, got {maximum_multiplier_radius}")
        self._radius = maximum_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Tensor:
        return array.zeros([num_constraints], dtypes.float32)

    def _lagrange_multipliers(self, state: Any) -> Any:
        """The multipliers, which are the state."""
        return state

    def _weights(self, state: Any) -> Tensor:
        return convert_to_tensor(self._lagrange_multipliers(state))

    def _loss(self, objective: Any, penalties: Tensor, weights: Tensor) -> Tensor:
        return objective + math.cast(weighted(penalties, weights), objective.dtype)

    def _state_gradient(self, state: Any, rewards: Tensor) -> Tensor:
        return -rewards

    def _projected(self, state: Any, name: str | None) -> Operation:
        now = array.identity(state)
        return state.assign(elementwise.maximum(now, 0.0) if self._radius is None
                            else project_multipliers(now, self._radius)).op

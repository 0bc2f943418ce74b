"""Values that come again."""

from __future__ import annotations

import math as numbers
from typing import Any

import numpy as np

from evergraph.contrib.timeseries.state_space import StateSpaceModel, StateSpaceModelConfiguration
from evergraph.frontend import array, math
from evergraph.frontend.indexing import where
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


class _Periodic(StateSpaceModel):
    """A state whose first value is shown, and moves at random."""

    _size: int

    def get_noise_transform(self) -> Any:
        return np.eye(self._size, 1)

    def get_observation_model(self, times: Tensor) -> Any:
        return np.eye(1, self._size)[0]


class CycleStateSpaceModel(_Periodic):
    """A value for each step of a period; their sum over a period is 0 but for noise.

    Args:
        periodicity: the number of steps, an integer.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, periodicity: int, configuration: Any = StateSpaceModelConfiguration()) -> None:
        self._size = periodicity - 1
        super().__init__(configuration)

    def get_state_transition(self) -> Any:
        matrix = np.eye(self._size, k=-1)
        matrix[0] = -1
        return matrix


class ResolutionCycleModel(_Periodic):
    """A few values that a period of any length goes through smoothly; their sum is 0 but for noise.

    The transition is a real power of the one that goes through the values in as many steps.

    Args:
        num_latent_values: the number of values, which is odd.
        periodicity: the length of the period.
        near_integer_threshold: how near an argument is to a multiple of the number of values where a quotient of two
            sines is replaced by its limit.
        configuration: a StateSpaceModelConfiguration.

    Raises:
        ValueError: the number of values is even.
    """

    def __init__(self, num_latent_values: int, periodicity: float, near_integer_threshold: float = 1e-8,
                 configuration: Any = StateSpaceModelConfiguration()) -> None:
        if num_latent_values % 2 == 0:
            raise ValueError(f"the number of latent values of a cycle is odd, got {num_latent_values}")
        self._values, self._size, self._period = num_latent_values, num_latent_values - 1, periodicity
        self._near = near_integer_threshold
        super().__init__(configuration)

    def get_state_transition(self) -> Any:
        return self.transition_to_powers(array.constant([1]))[0]

    def transition_to_powers(self, powers: Any) -> Tensor:
        steps = math.cast(convert_to_tensor(powers), self.dtype) * (self._values / self._period)
        rows, columns = np.arange(self._size)[:, None], np.arange(self._size)
        moved = steps[..., None, None] - rows.astype(self.dtype.as_numpy_dtype)
        made = self._quotient(moved + columns.astype(self.dtype.as_numpy_dtype)) - self._quotient(moved - 1)
        made.set_shape([*convert_to_tensor(powers).shape.as_list(), self._size, self._size])
        return made

    def _quotient(self, number: Tensor) -> Tensor:
        """sin(pi x) / (n sin(pi x / n)) for n values, which is 1 at multiples of n."""
        values = math.cast(self._values, self.dtype)
        within = number - elementwise.rint(number / values) * values
        is_near = elementwise.less(math.abs(within), self._near)
        safe = where(is_near, array.ones_like(within) / 2, within)
        found = elementwise.sin(numbers.pi * safe) / (values * elementwise.sin(numbers.pi * safe / values))
        return where(is_near, array.ones_like(within), found)

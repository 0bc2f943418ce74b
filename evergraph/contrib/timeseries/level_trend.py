"""A level that a trend moves."""

from __future__ import annotations

from typing import Any

from evergraph.contrib.timeseries.state_space import StateSpaceModel, StateSpaceModelConfiguration
from evergraph.frontend import array, math
from evergraph.graph.node import Tensor


class AdderStateSpaceModel(StateSpaceModel):
    """A level and its trend, which is added to it in each step.

    Args:
        use_level_noise: whether the level moves at random, too, and not only the trend.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, use_level_noise: bool = True,
                 configuration: Any = StateSpaceModelConfiguration()) -> None:
        self._has_level_noise = use_level_noise
        super().__init__(configuration)

    def get_state_transition(self) -> Any:
        return [[1.0, 1.0], [0.0, 1.0]]

    def get_noise_transform(self) -> Any:
        return [[1.0, 0.0], [0.0, 1.0]] if self._has_level_noise else [[0.0], [1.0]]

    def get_observation_model(self, times: Tensor) -> Any:
        return [1.0, 0.0]

    def get_prior_mean(self) -> Any:
        if self._input_statistics is None:
            return super().get_prior_mean()
        start = self._scale_data(math.cast(self._input_statistics.series_start_moments.mean, self.dtype))
        return array.concat([start[:1], array.zeros([1], self.dtype)], 0)

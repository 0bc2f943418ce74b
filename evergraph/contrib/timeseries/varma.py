"""Vector autoregression with moving averages."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.contrib.timeseries.state_space import StateSpaceModel, StateSpaceModelConfiguration
from evergraph.frontend import array
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.node import Tensor


class VARMA(StateSpaceModel):
    """Values that depend on earlier ones and on earlier noise, by trainable matrices (Harvey's form).

    Args:
        autoregressive_order: the number of earlier values.
        moving_average_order: the number of earlier noises.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, autoregressive_order: int, moving_average_order: int,
                 configuration: Any = StateSpaceModelConfiguration()) -> None:
        self._order, self._averaged = autoregressive_order, moving_average_order
        self._lags = max(autoregressive_order, moving_average_order + 1)
        self._regressive: Any = None
        self._average: Any = None
        super().__init__(configuration)

    def make_parameters(self) -> None:
        size = self.num_features
        if self._order:
            self._regressive = get_variable("autoregressive", [self._order * size, size], self.dtype,
                                            zeros_initializer())
        if self._averaged:
            self._average = get_variable("moving_average", [self._averaged * size, size], self.dtype,
                                         zeros_initializer())

    def get_state_transition(self) -> Tensor:
        """Each block of the state becomes the next one, and the first goes through the autoregressive matrices."""
        size, state = self.num_features, self._lags * self.num_features
        shift = np.eye(state, k=size, dtype=self.dtype.as_numpy_dtype)
        if self._regressive is None:
            return self._matrix(shift)
        return shift + array.pad(self._regressive, [[0, state - self._order * size], [0, state - size]])

    def get_noise_transform(self) -> Tensor:
        size = self.num_features
        first = array.eye(size, dtype=self.dtype)
        rest = [] if self._average is None else [array.identity(self._average)]
        blocks = self._lags - 1 - self._averaged
        return array.concat([first, *rest, array.zeros([blocks * size, size], self.dtype)], 0)

    def get_observation_model(self, times: Tensor) -> Any:
        return np.eye(self.num_features, self._lags * self.num_features)

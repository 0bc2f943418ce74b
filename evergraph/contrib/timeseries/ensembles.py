"""State space models that consist of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.contrib.timeseries.matrices import block_diagonal
from evergraph.contrib.timeseries.state_space import StateSpaceModel
from evergraph.contrib.timeseries.statistics import InputStatistics, Moments
from evergraph.frontend import array
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor


class _Ensemble(StateSpaceModel):
    """The states of several models, one after another."""

    def __init__(self, ensemble_members: Sequence[StateSpaceModel], configuration: Any) -> None:
        self._ensemble_members = list(ensemble_members)
        super().__init__(configuration)

    def _statistics_of(self, number: int, statistics: Any) -> Any:
        """What a member is told of the data."""
        return statistics

    def initialize_member(self, input_statistics: Any) -> None:
        for number, member in enumerate(self._ensemble_members):
            with variable_scope(f"member_{number}"):
                member.initialize_member(self._statistics_of(number, input_statistics))
        super().initialize_member(input_statistics)

    def get_state_transition(self) -> Tensor:
        return self._blocks([member.get_state_transition() for member in self._ensemble_members])

    def get_noise_transform(self) -> Tensor:
        return self._blocks([member.get_noise_transform() for member in self._ensemble_members])

    def _blocks(self, matrices: list[Any]) -> Tensor:
        return block_diagonal([self._matrix(each) for each in matrices], self.dtype)

    def get_prior_mean(self) -> Tensor:
        return array.concat([member.prior_state_mean for member in self._ensemble_members], 0)

    def get_prior_covariance(self) -> Tensor:
        return self._blocks([member.prior_state_covariance for member in self._ensemble_members])


class StateSpaceIndependentEnsemble(_Ensemble):
    """Models whose observations are added up, and whose noise has nothing to do with each other.

    Args:
        ensemble_members: the models; each of them has all features.
        configuration: a StateSpaceModelConfiguration.
    """

    def get_observation_model(self, times: Tensor) -> Tensor:
        return array.concat([member.observation_matrices(times) for member in self._ensemble_members], axis=-1)

    def make_transition_noise(self) -> Tensor:
        covariances = []
        for number, member in enumerate(self._ensemble_members):
            with variable_scope(f"member_{number}"):
                covariances.append(member.make_transition_noise())
        return self._blocks(covariances)


class StateSpaceCorrelatedFeaturesEnsemble(_Ensemble):
    """A model for each feature; the noise of all of them has one covariance.

    Args:
        ensemble_members: the models, each with one feature.
        configuration: a StateSpaceModelConfiguration.
    """

    def _statistics_of(self, number: int, statistics: Any) -> Any:
        if statistics is None:
            return None

        def own(moments: Moments) -> Moments:
            return Moments(*(each[number:number + 1] for each in moments))

        return InputStatistics(own(statistics.series_start_moments), own(statistics.overall_feature_moments),
                               statistics.start_time, statistics.total_observation_count)

    def get_observation_model(self, times: Tensor) -> Tensor:
        shown = [member.observation_matrices(times) for member in self._ensemble_members]
        sizes = [each.shape.as_list()[-1] for each in shown]
        rows = [array.pad(each, [[0, 0], [0, 0], [sum(sizes[:number]), sum(sizes[number + 1:])]])
                for number, each in enumerate(shown)]
        return array.concat(rows, axis=1)

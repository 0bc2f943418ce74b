"""Structural models: a level and its trend, periods, and what reverts to the mean, added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.contrib.timeseries.ensembles import StateSpaceCorrelatedFeaturesEnsemble, StateSpaceIndependentEnsemble
from evergraph.contrib.timeseries.level_trend import AdderStateSpaceModel
from evergraph.contrib.timeseries.periodic import CycleStateSpaceModel, ResolutionCycleModel
from evergraph.contrib.timeseries.state_space import StateSpaceModel, StateSpaceModelConfiguration
from evergraph.contrib.timeseries.varma import VARMA


def _of_features(make: Callable[[Any], StateSpaceModel], configuration: Any) -> StateSpaceModel:
    """A model of one feature for each of them."""
    single = configuration._replace(num_features=1)
    return StateSpaceCorrelatedFeaturesEnsemble([make(single) for _ in range(configuration.num_features)],
                                                configuration)


def _listed(periodicities: Any) -> list[Any]:
    if periodicities is None:
        return []
    return list(periodicities) if isinstance(periodicities, Sequence) else [periodicities]


def _parts(periods: Any, order: tuple[int, int], has_level_noise: bool, configuration: Any,
           cycle: Callable[[Any, Any], StateSpaceModel]) -> list[StateSpaceModel]:
    """The members of a structural model, none of which has exogenous features of its own."""
    inner = configuration._replace(exogenous_feature_columns=None, filtering_postprocessor=None)
    parts = [_of_features(lambda single: AdderStateSpaceModel(has_level_noise, configuration=single), inner)]
    parts += [_of_features(lambda single, period=period: cycle(period, single), inner) for period in _listed(periods)]
    return [*parts, VARMA(*order, configuration=inner)] if any(order) else parts


class StructuralEnsemble(StateSpaceIndependentEnsemble):
    """A level, its trend, periods with a value for each step, and an autoregressive moving average.

    Args:
        periodicities: an integer, or several, or None.
        moving_average_order: how many earlier noises values depend on.
        autoregressive_order: how many earlier values values depend on.
        use_level_noise: whether the level moves at random, and not only the trend.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, periodicities: Any, moving_average_order: int, autoregressive_order: int,
                 use_level_noise: bool = True, configuration: Any = StateSpaceModelConfiguration()) -> None:
        super().__init__(_parts(periodicities, (autoregressive_order, moving_average_order), use_level_noise,
                                configuration, lambda period, single: CycleStateSpaceModel(period, single)),
                         configuration)


class MultiResolutionStructuralEnsemble(StateSpaceIndependentEnsemble):
    """A structural model whose periods are of any length, and go through a few values.

    Args:
        cycle_num_latent_values: the number of values of each period; or one number for each. They are odd.
        moving_average_order: how many earlier noises values depend on.
        autoregressive_order: how many earlier values values depend on.
        periodicities: a length, or several, or None.
        use_level_noise: whether the level moves at random, and not only the trend.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, cycle_num_latent_values: Any, moving_average_order: int, autoregressive_order: int,
                 periodicities: Any, use_level_noise: bool = True,
                 configuration: Any = StateSpaceModelConfiguration()) -> None:
        periods = _listed(periodicities)
        sizes = (list(cycle_num_latent_values) if isinstance(cycle_num_latent_values, Sequence)
                 else [cycle_num_latent_values] * len(periods))
        super().__init__(_parts(list(zip(sizes, periods, strict=True)), (autoregressive_order, moving_average_order),
                                use_level_noise, configuration,
                                lambda cycle, single: ResolutionCycleModel(*cycle, configuration=single)),
                         configuration)

"""Autoregressive models that allow for anomalies."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.contrib.timeseries.ar_model import ARModel
from evergraph.contrib.timeseries.ar_networks import FlatPredictionModel
from evergraph.contrib.timeseries.matrices import cauchy_log_prob, normal_log_prob
from evergraph.frontend import array
from evergraph.frontend.reduce import reduce_logsumexp
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import AUTO_REUSE, get_variable, variable_scope
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


class AnomalyMixtureARModel(ARModel):
    """An ARModel whose likelihood is a mixture: now and then, a value comes from a wide distribution around the mean.

    Args:
        periodicities, input_window_size, output_window_size, num_features, prediction_model_factory, num_time_buckets,
            exogenous_feature_columns: see ARModel.
        anomaly_prior_probability: how likely an anomaly is.
        anomaly_distribution: GAUSSIAN_ANOMALY or CAUCHY_ANOMALY. Its scale is trained.

    Raises:
        ValueError: there is no such distribution.
    """

    GAUSSIAN_ANOMALY = "gaussian"
    CAUCHY_ANOMALY = "cauchy"

    def __init__(self, periodicities: Any, anomaly_prior_probability: float, input_window_size: int,
                 output_window_size: int, num_features: int,
                 prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
                 anomaly_distribution: str = GAUSSIAN_ANOMALY, num_time_buckets: int = 10,
                 exogenous_feature_columns: Any = None) -> None:
        densities = {self.GAUSSIAN_ANOMALY: normal_log_prob, self.CAUCHY_ANOMALY: cauchy_log_prob}
        if anomaly_distribution not in densities:
            raise ValueError(f"the distribution of anomalies is one of {sorted(densities)}, got "
                             f"{anomaly_distribution!r}")
        super().__init__(periodicities, input_window_size, output_window_size, num_features, prediction_model_factory,
                         num_time_buckets, self.NORMAL_LIKELIHOOD_LOSS, exogenous_feature_columns)
        self._density = densities[anomaly_distribution]
        self._log_prior, self._log_others = (numbers.log(anomaly_prior_probability),
                                             numbers.log1p(-anomaly_prior_probability))

    def _losses(self, targets: Tensor, predictions: Mapping[str, Tensor]) -> Tensor:
        with variable_scope("anomalies", reuse=AUTO_REUSE):
            wider = 1 + elementwise.exp(get_variable("log_scale", [self.num_features], self.dtype, zeros_initializer()))
        scale = elementwise.sqrt(predictions["covariance"])
        usual = normal_log_prob(predictions["mean"], scale, targets) + self._log_others
        strange = self._density(predictions["mean"], scale * wider, targets) + self._log_prior
        return -reduce_logsumexp(array.stack([usual, strange]), axis=0)

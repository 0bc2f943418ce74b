"""Layers that hold the losses and metrics that a program adds to a functional model."""
from __future__ import annotations

from typing import Any

from evergraph.keras.layer import Layer


class AddLoss(Layer):
    """Adds its input to the losses: a loss of a functional model."""

    def call(self, inputs: Any) -> Any:
        self.add_loss(inputs, inputs=inputs)
        return inputs


class AddMetric(Layer):
    """Adds its input to the metrics: a metric of a functional model.

    Args:
        aggregation: "mean".
        metric_name: the name of the metric.
    """

    fields = ("aggregation", "metric_name")

    def __init__(self, aggregation: str | None = None, metric_name: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.aggregation, self.metric_name = aggregation, metric_name

    def call(self, inputs: Any) -> Any:
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs

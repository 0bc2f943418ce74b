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


def added_to(layers: list[Any]) -> list[Any]:
    """The outputs of layers of this kind that were called on what follows from the outputs of others."""
    found, waiting, seen = [], list(layers), set()
    while waiting:
        layer = waiting.pop()
        for node in getattr(layer, "keras_outbound", ()):
            if isinstance(node.layer, (AddLoss, AddMetric)) and node not in seen:
                found.append(node.outputs)
            if node not in seen:
                seen.add(node)
                waiting.append(node.layer)
    return found

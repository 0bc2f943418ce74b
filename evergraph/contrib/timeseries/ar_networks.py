"""The networks that predict a window of values from the window before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.frontend import array
from evergraph.graph.node import Tensor
from evergraph.keras.core import Dense
from evergraph.keras.model import Model
from evergraph.keras.recurrent_layers import LSTM
from evergraph.ops.nn.activations import softplus

_LEAST_VARIANCE = 1e-6


class _PredictionModel(Model):
    """Gives means and variances, [batch, output window, features], by a network's features."""

    def __init__(self, num_features: int, output_window_size: int, outputs: int) -> None:
        super().__init__()
        self._features, self._output_window = num_features, output_window_size
        self._mean, self._variance = Dense(outputs, name="mean"), Dense(outputs, name="covariance")

    def _predicted(self, features: Tensor) -> dict[str, Tensor]:
        shape = [-1, self._output_window, self._features]
        return {"mean": array.reshape(self._mean(features), shape),
                "covariance": array.reshape(softplus(self._variance(features)) + _LEAST_VARIANCE, shape)}


class FlatPredictionModel(_PredictionModel):
    """A network of dense layers, or a linear function, of all numbers of both windows.

    Args:
        num_features: the number of values at each time.
        input_window_size: the number of times before those that are predicted.
        output_window_size: the number of times that are predicted.
        hidden_layer_sizes: the sizes of hidden layers; without any, the function is linear.
    """

    def __init__(self, num_features: int, input_window_size: int, output_window_size: int,
                 hidden_layer_sizes: Sequence[int] | None = None) -> None:
        super().__init__(num_features, output_window_size, num_features * output_window_size)
        self._hidden = [Dense(size, activation="relu", name=f"hidden_{number}")
                        for number, size in enumerate(hidden_layer_sizes or ())]

    def call(self, input_window_features: Tensor, output_window_features: Tensor) -> dict[str, Tensor]:
        """Predictions from the features of two windows, [batch, window, features]."""
        net = array.concat([_flat(input_window_features), _flat(output_window_features)], axis=1)
        for layer in self._hidden:
            net = layer(net)
        return self._predicted(net)


class LSTMPredictionModel(_PredictionModel):
    """An LSTM that reads the input window, and another one that starts from its state and predicts.

    Args:
        num_features: the number of values at each time.
        input_window_size: the number of times before those that are predicted.
        output_window_size: the number of times that are predicted.
        num_units: the size of the LSTMs.
    """

    def __init__(self, num_features: int, input_window_size: int, output_window_size: int,
                 num_units: int = 128) -> None:
        super().__init__(num_features, output_window_size, num_features)
        self._encoder = LSTM(num_units, return_state=True, name="encoder")
        self._decoder = LSTM(num_units, return_sequences=True, name="decoder")

    def call(self, input_window_features: Tensor, output_window_features: Tensor) -> dict[str, Tensor]:
        """Predictions from the features of two windows, [batch, window, features]."""
        _, *state = self._encoder(input_window_features)
        return self._predicted(self._decoder(output_window_features, initial_state=state))


def _flat(window: Any) -> Tensor:
    size, features = window.shape.as_list()[1:]
    return array.reshape(window, [array.shape(window)[0], size * features])

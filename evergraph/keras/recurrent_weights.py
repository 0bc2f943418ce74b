"""Weights of recurrent layers between the plain layout and that of cuDNN, for files that hold the other one.

cuDNN multiplies from the left: the kernel of a gate [inputs, units] holds the rows of a matrix [units, inputs]. It adds
a bias to the product of the inputs and another one to that of the state.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.keras.cudnn import CuDNNGRU, CuDNNLSTM
from evergraph.keras.recurrent_layers import GRU, LSTM
from evergraph.keras.wrappers import Bidirectional, TimeDistributed

Arrays = list[Any]


def converted(layer: Any, values: Arrays) -> Arrays:
    """The values for a layer's weights, from those of the same layer in the other layout.

    Raises:
        ValueError: the two kinds of GRU differ in where the reset gate acts.
    """
    if isinstance(layer, Bidirectional):
        half = len(values) // 2
        return converted(layer.forward_layer, values[:half]) + converted(layer.backward_layer, values[half:])
    if isinstance(layer, TimeDistributed):
        return converted(layer.layer, values)
    if hasattr(layer, "_nested_outputs") or hasattr(layer, "_stack"):
        return _converted_model(layer, values)
    if len(values) != 3:
        return values
    if isinstance(layer, (LSTM, CuDNNLSTM)):
        return _lstm(isinstance(layer, CuDNNLSTM), values)
    if isinstance(layer, (GRU, CuDNNGRU)):
        return _gru(layer, values)
    return values


def _converted_model(model: Any, values: Arrays) -> Arrays:
    """The values of a model inside a model: first what is trainable, layer by layer, then the rest."""
    found, place = {}, 0
    for trainable in (True, False):
        for layer in model.layers:
            count = len(layer.trainable_weights if trainable else layer.non_trainable_weights)
            found[layer, trainable] = list(values[place:place + count])
            place += count
    for layer in model.layers:
        both = found[layer, True] + found[layer, False]
        split = len(found[layer, True])
        made = converted(layer, both)
        found[layer, True], found[layer, False] = made[:split], made[split:]
    return [value for part in found.values() for value in part] + list(values[place:])


def _lstm(to_cudnn: bool, values: Arrays) -> Arrays:
    kernel, recurrent, bias = values
    units = recurrent.shape[0]
    is_cudnn = bias.shape == (8 * units,)
    if to_cudnn == is_cudnn:
        return values
    bias = np.tile(0.5 * bias, 2) if to_cudnn else np.sum(np.split(bias, 2), axis=0)
    return [_kernels(kernel, 4, to_cudnn), _kernels(recurrent, 4, to_cudnn), bias]


def _gru(layer: Any, values: Arrays) -> Arrays:
    kernel, recurrent, bias = values
    units = recurrent.shape[0]
    kinds = {(6 * units,): "CuDNNGRU", (2, 3 * units): "GRU(reset_after=True)", (3 * units,): "GRU(reset_after=False)"}
    source = kinds.get(bias.shape)
    target = "CuDNNGRU" if isinstance(layer, CuDNNGRU) else f"GRU(reset_after={bool(layer.reset_after)})"
    if source is None or source == target:
        return values
    if "False" in source + target:
        raise ValueError(f"{source} is not compatible with {target}")
    to_cudnn = target == "CuDNNGRU"
    return [_kernels(kernel, 3, to_cudnn), _kernels(recurrent, 3, to_cudnn),
            bias.reshape(-1) if to_cudnn else bias.reshape(2, -1)]


def _kernels(kernels: Any, gates: int, to_cudnn: bool) -> Any:
    """The kernels of the gates, side by side, in the other layout."""
    parts = np.split(kernels, gates, axis=1)
    if to_cudnn:
        return np.concatenate([part.T.reshape(part.shape) for part in parts], axis=1)
    return np.concatenate([part.reshape(part.shape[::-1]).T for part in parts], axis=1)

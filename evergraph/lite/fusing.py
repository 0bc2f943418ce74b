"""Makes fewer steps of a model: constants join the weights of the layer before them, activations the step before."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.lite.model import Step, Subgraph, Value

ACTIVATIONS = {"RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}
"""Operator -> its number where another operator applies it to its result."""

_CHANNEL = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": 0, "TRANSPOSE_CONV": 0}
"""Layer -> the axis of its weights that belongs to the channels of its result."""

_TAKE_ACTIVATIONS = {*_CHANNEL, "ADD", "SUB", "MUL", "DIV", "AVERAGE_POOL_2D", "MAX_POOL_2D", "CONV_3D"} - {
    "TRANSPOSE_CONV"}  # fmt: skip


def fuse(subgraph: Subgraph) -> None:
    """Fuses what can be fused in a subgraph and in those that it calls, and removes steps that nobody needs."""
    for inner in subgraph.inner():
        _fuse(inner)
    _fuse(subgraph)


def _fuse(subgraph: Subgraph) -> None:
    remove_unused(subgraph)
    while _fuse_once(subgraph):
        pass
    remove_unused(subgraph)


def _fuse_once(subgraph: Subgraph) -> bool:
    """Fuses pairs of steps; whether there were any."""
    users, kept = subgraph.users(), set(subgraph.outputs)
    gone: set[Step] = set()
    for step in subgraph.steps:
        if step in gone or len(step.outputs) != 1 or step.outputs[0] in kept:
            continue
        after = users.get(step.outputs[0], [])
        if len(after) != 1 or after[0] in gone or after[0].inputs.count(step.outputs[0]) != 1:
            continue
        if _absorb(step, after[0]):
            step.outputs, step.origin = after[0].outputs, after[0].origin
            gone.add(after[0])
    subgraph.steps = [step for step in subgraph.steps if step not in gone]
    return bool(gone)


def _absorb(step: Step, after: Step) -> bool:
    """Lets a step do what the only user of its result does; whether it can."""
    if step.activation():
        return False
    if after.code in ACTIVATIONS and step.code in _TAKE_ACTIVATIONS:
        step.options["fusedActivationFunction"] = ACTIVATIONS[after.code]
        return True
    if step.code not in _CHANNEL or after.code not in ("ADD", "SUB", "MUL", "DIV"):
        return False
    place = after.inputs.index(step.outputs[0])
    other = after.inputs[1 - place]
    if other is None or other.data is None or place and after.code in ("SUB", "DIV"):
        return False
    vector = _by_channel(step, after, other)
    if vector is None:
        return False
    if after.code in ("ADD", "SUB"):
        _shift(step, vector if after.code == "ADD" else -vector)
    elif not _scale(step, vector if after.code == "MUL" else 1 / vector):
        return False
    step.options["fusedActivationFunction"] = after.activation()
    return True


def _by_channel(step: Step, after: Step, other: Value) -> np.ndarray[Any, Any] | None:
    """A constant as one number for each channel of a layer's result, or None if it is something else."""
    result, weights = step.outputs[0].shape, _weights(step)
    if result is None or after.outputs[0].shape is None or len(after.outputs[0].shape) != len(result):
        return None
    channels = (weights.shape or ())[_CHANNEL[step.code]]
    data = other.data
    assert data is not None
    if data.dtype != np.float32 or any(size != 1 for size in data.shape[:-1]) or data.ndim > len(result):
        return None
    if channels is None or data.size not in (1, channels) or data.size == 1 and result[-1] != channels:
        return None
    return np.broadcast_to(data.ravel().astype(np.float64), (channels,))


def _weights(step: Step) -> Value:
    value = step.inputs[1]
    assert value is not None
    return value


def _bias_place(step: Step) -> int:
    return 3 if step.code == "TRANSPOSE_CONV" else 2


def _shift(step: Step, vector: np.ndarray[Any, Any]) -> None:
    place = _bias_place(step)
    while len(step.inputs) <= place:
        step.inputs.append(None)
    old = step.inputs[place]
    before = 0 if old is None or old.data is None else old.data.astype(np.float64)
    name = f"{step.outputs[0].name}_bias" if old is None else old.name
    step.inputs[place] = _constant(name, before + vector)


def _scale(step: Step, vector: np.ndarray[Any, Any]) -> bool:
    weights, place = _weights(step), _bias_place(step)
    if weights.data is None or not np.all(np.isfinite(vector)):
        return False
    shape = [1] * weights.data.ndim
    shape[_CHANNEL[step.code]] = -1
    step.inputs[1] = _constant(weights.name, weights.data * vector.reshape(shape))
    bias = step.inputs[place] if len(step.inputs) > place else None
    if bias is not None and bias.data is not None:
        step.inputs[place] = _constant(bias.name, bias.data * vector)
    return True


def _constant(name: str, data: np.ndarray[Any, Any]) -> Value:
    return Value(name, dtypes.float32, data.shape, data.astype(np.float32))


def remove_unused(subgraph: Subgraph) -> None:
    """Removes steps whose results nothing needs."""
    wanted = set(subgraph.outputs)
    kept = []
    for step in reversed(subgraph.steps):
        if any(value in wanted for value in step.outputs):
            kept.append(step)
            wanted.update(value for value in step.inputs if value is not None)
    subgraph.steps = kept[::-1]

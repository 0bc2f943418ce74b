"""The table that tf.keras.Model.summary prints."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.keras.history import Node, history, node_of
from evergraph.keras.layer import OperationLayer
from evergraph.keras.network import numbered
from evergraph.keras.operation_layer import TensorFlowOpLayer


def _count(variables: list[Any]) -> int:
    return sum(int(np.prod(variable.shape.as_list())) for variable in variables)


def _row(cells: list[str], ends: list[int]) -> str:
    line = ""
    for cell, end in zip(cells, ends):
        line = f"{(line + cell)[:end - 1]:<{end}}"
    return line


def printed(model: Any, width: int | None, positions: Any) -> list[str]:
    """The lines; where layers branch, each names the layers that it is connected to."""
    branches = model._functional and _has_branches(model)
    width = width or (98 if branches else 65)
    positions = positions or ((0.33, 0.55, 0.67, 1.0) if branches else (0.45, 0.85, 1.0))
    ends = [int(width * part) for part in positions] if positions[-1] <= 1 else list(positions)
    heads = ["Layer (type)", "Output Shape", "Param #", *(["Connected to"] if branches else [])]
    lines = [f'Model: "{model.name}"', "_" * width, _row(heads, ends), "=" * width]
    numbers = numbered(model) if branches else {}
    for number, layer in enumerate(model.layers):
        cells = [f"{layer.name} ({_class(layer)})", _shape(model, layer), str(_count(layer.weights))]
        first, *others = _connections(layer, numbers) or [""]
        lines += [_row([*cells, first], ends), *(_row(["", "", "", other], ends) for other in others),
                  ("=" if number == len(model.layers) - 1 else "_") * width]
    trained, fixed = _count(model.trainable_weights), _count(model.non_trainable_weights)
    return [*lines, f"Total params: {trained + fixed:,}", f"Trainable params: {trained:,}",
            f"Non-trainable params: {fixed:,}", "_" * width]


def _calls_by_depth(model: Any) -> list[list[Node]]:
    """The calls of a functional model, by the number of calls that follow before its outputs."""
    depths = dict.fromkeys(model._nodes, 0)
    for node in reversed(model._nodes):
        for tensor in node.flat_inputs:
            earlier = node_of(tensor)
            if earlier in depths:
                depths[earlier] = max(depths[earlier], depths[node] + 1)
    found: dict[int, list[Node]] = {}
    for node, depth in depths.items():
        found.setdefault(depth, []).append(node)
    return list(found.values())


def _has_branches(model: Any) -> bool:
    """Whether the model is more than a chain of layers, each called once on one tensor."""
    return len({node.layer for node in model._nodes}) < len(model._nodes) or \
        any(len(calls) > 1 or len(calls[0].flat_inputs) > 1 for calls in _calls_by_depth(model))


def _class(layer: Any) -> str:
    return (TensorFlowOpLayer if isinstance(layer, OperationLayer) else type(layer)).__name__


def _connections(layer: Any, numbers: dict[Node, int]) -> list[str]:
    """What the layer's calls take: the layers, the numbers of their calls, and the indices of their outputs."""
    tensors = [tensor for node in layer.keras_nodes if node in numbers for tensor in node.flat_inputs]
    return [f"{history(each).layer.name}[{numbers[node_of(each)]}][{history(each).tensor_index}]" for each in tensors]


def _shape(model: Any, layer: Any) -> str:
    try:
        return str(layer.output_shape) if model._functional else "multiple"
    except AttributeError:
        return "multiple"

"""The table that tf.keras.Model.summary prints."""
from __future__ import annotations

from typing import Any

import numpy as np


def _count(variables: list[Any]) -> int:
    return sum(int(np.prod(variable.shape.as_list())) for variable in variables)


def _row(cells: list[str], ends: list[int]) -> str:
    line = ""
    for cell, end in zip(cells, ends):
        line = f"{(line + cell)[:end - 1]:<{end}}"
    return line


def printed(model: Any, width: int, positions: Any) -> list[str]:
    """The lines."""
    ends = [int(width * part) for part in positions] if positions[-1] <= 1 else list(positions)
    lines = [f'Model: "{model.name}"', "_" * width, _row(["Layer (type)", "Output Shape", "Param #"], ends),
             "=" * width]
    for number, layer in enumerate(model.layers):
        lines += [_row([f"{layer.name} ({type(layer).__name__})", _shape(layer), str(_count(layer.weights))], ends),
                  ("=" if number == len(model.layers) - 1 else "_") * width]
    trained, fixed = _count(model.trainable_weights), _count(model.non_trainable_weights)
    return [*lines, f"Total params: {trained + fixed:,}", f"Trainable params: {trained:,}",
            f"Non-trainable params: {fixed:,}", "_" * width]


def _shape(layer: Any) -> str:
    try:
        return str(layer.output_shape)
    except AttributeError:
        return "multiple"

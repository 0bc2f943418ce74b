"""States of models as structures of tensors, and the first and last times of batches."""

from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.pad import tile


def replicate_state(start_state: Any, batch_size: Any) -> Any:
    """A state for each series of a batch, along a first axis, from one without it."""
    def replicated(part: Any) -> Tensor:
        part = convert_to_tensor(part)
        return tile(part[None], array.concat([[batch_size], array.ones([part.shape.rank], "int32")], 0))

    return nest.map_structure(replicated, start_state)


def as_tensors(state: Any) -> Any:
    """The state with tensors for its parts."""
    return nest.map_structure(convert_to_tensor, state)


def batch_start_time(times: Any) -> Tensor:
    """The first time of each window, [batch]."""
    return convert_to_tensor(times)[:, 0]


def batch_end_time(times: Any) -> Tensor:
    """The last time of each window, [batch]."""
    return convert_to_tensor(times)[:, -1]

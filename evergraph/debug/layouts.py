"""Changes between the layouts of images that convolutions take, for tensors and for the lists of their sizes."""

from __future__ import annotations

from typing import Any

from evergraph.frontend import array
from evergraph.graph.node import Tensor

_VECTOR = 4  # the channels that NCHW_VECT_C keeps together


def channels_first(input_tensor: Any) -> Any:
    """NHWC as NCHW, or NDHWC as NCDHW: a tensor, or a list of four or five sizes."""
    return _moved(input_tensor, lambda rank: [0, rank - 1, *range(1, rank - 1)])


def channels_last(input_tensor: Any) -> Any:
    """NCHW as NHWC, or NCDHW as NDHWC: a tensor, or a list of four or five sizes."""
    return _moved(input_tensor, lambda rank: [0, *range(2, rank), 1])


def channels_in_vectors(input_shape_or_tensor: Any) -> Any:
    """NHWC as NCHW_VECT_C, where four channels at a time are the last axis: a tensor, or a list of sizes.

    Raises:
        ValueError: the number of channels is no multiple of four.
    """
    sizes = _sizes(input_shape_or_tensor)
    if sizes[-1] % _VECTOR:
        raise ValueError(f"NCHW_VECT_C holds channels in fours, and there are {sizes[-1]}")
    split = [*sizes[:-1], sizes[-1] // _VECTOR, _VECTOR]
    rank = len(split)
    order = [0, rank - 2, *range(1, rank - 2), rank - 1]
    if isinstance(input_shape_or_tensor, Tensor):
        return array.transpose(array.reshape(input_shape_or_tensor, split), order)
    return [split[axis] for axis in order]


def channels_out_of_vectors(input_shape_or_tensor: Any) -> Any:
    """NCHW_VECT_C as NHWC: a tensor, or a list of sizes.

    Raises:
        ValueError: the last axis does not hold four channels.
    """
    sizes = _sizes(input_shape_or_tensor)
    if sizes[-1] != _VECTOR:
        raise ValueError(f"the last axis of NCHW_VECT_C holds {_VECTOR} channels, not {sizes[-1]}")
    rank = len(sizes)
    order = [0, *range(2, rank - 1), 1, rank - 1]
    moved = [sizes[axis] for axis in order]
    merged = [*moved[:-2], moved[-2] * moved[-1]]
    if isinstance(input_shape_or_tensor, Tensor):
        return array.reshape(array.transpose(input_shape_or_tensor, order), merged)
    return merged


def _sizes(shape_or_tensor: Any) -> list[int]:
    return shape_or_tensor.shape.as_list() if isinstance(shape_or_tensor, Tensor) else [*shape_or_tensor]


def _moved(shape_or_tensor: Any, order_of: Any) -> Any:
    rank = len(_sizes(shape_or_tensor))
    if rank not in (4, 5):
        raise ValueError(f"images have four or five axes, not {rank}")
    if isinstance(shape_or_tensor, Tensor):
        return array.transpose(shape_or_tensor, order_of(rank))
    return [shape_or_tensor[axis] for axis in order_of(rank)]

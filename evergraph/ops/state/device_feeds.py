"""Ops on the queues into and out of accelerators, one of each for every device ordinal. They run on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.devices import DeviceSpec
from evergraph.base.shapes import as_shape
from evergraph.graph.node import Operation
from evergraph.graph.opdef import op
from evergraph.ops.state.staging_area import LineArea

_KIND: dict[str, Any] = {"stateful": True, "on": "host"}


def _queue(shared: Any, node: Operation, direction: str) -> LineArea:
    """The queue of the device that an op names by its ordinal, or else by its own device; the first one by default."""
    ordinal = node.attrs.get("device_ordinal", -1)
    if ordinal < 0:
        own = DeviceSpec.from_string(node.device or "")
        ordinal = own.device_index or 0 if (own.device_type or "").startswith("TPU") else 0
    name = f"{direction}/{ordinal}"
    return shared(lambda: LineArea(name, 0, 0), f"device_feeds/{name}")


def _check(node: Operation, values: list[np.ndarray], shapes: list[Any]) -> None:
    for position, (value, wanted) in enumerate(zip(values, shapes, strict=True)):
        if not as_shape(wanted).is_compatible_with(np.shape(value)):
            raise errors.InvalidArgumentError(None, None, f"element {position} of '{node.name}' must have the shape "
                                              f"{as_shape(wanted)}, and has {np.shape(value)}")


@op("InfeedEnqueue(input: dtype, *, dtype: type, shape: shape = [], layout: list(int) = [], "
    "device_ordinal: int = -1) -> ()", export=("contrib.tpu.infeed_enqueue",), **_KIND)
def infeed_enqueue(shared, node, input, shape):
    """Puts a tensor into the queue into a device."""
    _check(node, [input], [shape])
    _queue(shared, node, "infeed").put([input])


@op("InfeedEnqueueTuple(inputs: dtypes, *, dtypes: list(type) >= 1, shapes: list(shape), layouts: list(int) = [], "
    "device_ordinal: int = -1) -> ()", export=("contrib.tpu.infeed_enqueue_tuple",), **_KIND)
def infeed_enqueue_tuple(shared, node, inputs, shapes):
    """Puts several tensors together into the queue into a device."""
    _check(node, inputs, shapes)
    _queue(shared, node, "infeed").put(inputs)


@op("InfeedDequeue(*, dtype: type, shape: shape) -> output: dtype", shape=lambda shape: shape,
    export=("contrib.tpu.infeed_dequeue",), **_KIND)
def infeed_dequeue(shared, node):
    """Takes a tensor from the queue into a device, waiting for one."""
    return _queue(shared, node, "infeed").get()[0]


@op("InfeedDequeueTuple(*, dtypes: list(type) >= 1, shapes: list(shape)) -> outputs: dtypes",
    shape=lambda shapes: list(shapes), export=("contrib.tpu.infeed_dequeue_tuple",), **_KIND)
def infeed_dequeue_tuple(shared, node):
    """Takes tensors that were put together from the queue into a device, waiting for them."""
    return _queue(shared, node, "infeed").get()


@op("OutfeedEnqueue(input: dtype, *, dtype: type) -> ()", export=("contrib.tpu.outfeed_enqueue",), **_KIND)
def outfeed_enqueue(shared, node, input):
    """Puts a tensor into the queue out of a device."""
    _queue(shared, node, "outfeed").put([input])


@op("OutfeedEnqueueTuple(inputs: dtypes, *, dtypes: list(type) >= 1) -> ()",
    export=("contrib.tpu.outfeed_enqueue_tuple",), **_KIND)
def outfeed_enqueue_tuple(shared, node, inputs):
    """Puts several tensors together into the queue out of a device."""
    _queue(shared, node, "outfeed").put(inputs)


@op("OutfeedDequeue(*, dtype: type, shape: shape, device_ordinal: int = -1) -> output: dtype",
    shape=lambda shape: shape, export=("contrib.tpu.outfeed_dequeue",), **_KIND)
def outfeed_dequeue(shared, node):
    """Takes a tensor from the queue out of a device, waiting for one."""
    return _queue(shared, node, "outfeed").get()[0]


@op("OutfeedDequeueTuple(*, dtypes: list(type) >= 1, shapes: list(shape), device_ordinal: int = -1) -> "
    "outputs: dtypes", shape=lambda shapes: list(shapes), export=("contrib.tpu.outfeed_dequeue_tuple",), **_KIND)
def outfeed_dequeue_tuple(shared, node):
    """Takes tensors that were put together from the queue out of a device, waiting for them."""
    return _queue(shared, node, "outfeed").get()

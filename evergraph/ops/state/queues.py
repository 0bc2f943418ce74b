"""Ops on queues. They run on the host: a waiting step holds no lock."""

from __future__ import annotations

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.opdef import op
from evergraph.graph.shaping import scalar, with_rank
from evergraph.ops.state import queue as queues

_COMMON = "capacity: int = -1, {}container: string = '', shared_name: string = ''"
_TYPES = "component_types: list(type) >= 1, shapes: list(shape) >= 0 = []"
_PRIORITY_TYPES = "component_types: list(type) >= 0 = [], shapes: list(shape) >= 0"
_SHUFFLE = "min_after_dequeue: int = 0, seed: int = 0, seed2: int = 0, "
_WAITING = "timeout_ms: int = -1"


def _fifo(node, kind=queues.FIFOQueue, **more):
    attrs = node.attrs
    name = attrs["shared_name"] or node.name
    return lambda: kind(name, attrs["capacity"], attrs["component_types"], attrs["shapes"], **more)


def _priority(node):
    """A priority queue has one component more than its attrs: the priority."""
    attrs = node.attrs
    types, shapes = attrs["component_types"], attrs["shapes"]
    return lambda: queues.PriorityQueue(attrs["shared_name"] or node.name, attrs["capacity"], [dtypes.int64, *types],
                                        [(), *shapes] if shapes or not types else [])


def _holder(name, types, make, doc, more=""):
    def kernel(shared, node):
        held = shared(make(node))
        if node.attrs["shared_name"] and node not in held.agreed:
            held.check_same(make(node)())
            held.agreed.add(node)
        return held
    kernel.__doc__ = doc
    common = _COMMON.format(more)
    return op(f"{name}(*, {types}, {common}) -> handle: resource", stateful=True, on="host", shape=scalar)(kernel)


fifo_queue_v2 = _holder("FIFOQueueV2", _TYPES, _fifo, "A first-in, first-out queue.")
padding_fifo_queue_v2 = _holder("PaddingFIFOQueueV2", _TYPES, lambda node: _fifo(node, queues.PaddingFIFOQueue),
                                "A FIFO queue that pads elements to the largest of a batch.")
random_shuffle_queue_v2 = _holder(
    "RandomShuffleQueueV2", _TYPES,
    lambda node: _fifo(node, queues.RandomShuffleQueue, min_after_dequeue=node.attrs["min_after_dequeue"],
                       seeds=(node.attrs["seed"], node.attrs["seed2"])),
    "A queue that dequeues its elements in random order.", _SHUFFLE)
priority_queue_v2 = _holder("PriorityQueueV2", _PRIORITY_TYPES, _priority,
                            "A queue that dequeues the element with the smallest first component.")


@op(f"QueueEnqueueV2(handle: resource, components: Tcomponents, *, Tcomponents: list(type) >= 1, {_WAITING}) -> ()",
    stateful=True, on="host")
def queue_enqueue_v2(handle, components, timeout_ms):
    """Enqueues an element, waiting for capacity."""
    _no_timeout(timeout_ms)
    handle.enqueue(components)


@op(f"QueueEnqueueManyV2(handle: resource, components: Tcomponents, *, Tcomponents: list(type) >= 1, {_WAITING}) -> ()",
    stateful=True, on="host")
def queue_enqueue_many_v2(handle, components, timeout_ms):
    """Enqueues the rows of the components as elements, waiting for capacity."""
    _no_timeout(timeout_ms)
    handle.enqueue_many(components)


@op(f"QueueDequeueV2(handle: resource, *, component_types: list(type) >= 1, {_WAITING}) -> components: component_types",
    stateful=True, on="host", shape=lambda component_types: [None] * len(component_types))
def queue_dequeue_v2(handle, timeout_ms):
    """Dequeues an element, waiting for it."""
    _no_timeout(timeout_ms)
    return handle.dequeue()


def _batch_shapes(component_types, n):
    with_rank(n, 0, "n")
    return [None] * len(component_types)


@op(f"QueueDequeueManyV2(handle: resource, n: int32, *, component_types: list(type) >= 1, {_WAITING}) -> "
    "components: component_types", stateful=True, on="host", shape=_batch_shapes)
def queue_dequeue_many_v2(handle, n, timeout_ms):
    """Dequeues n elements, waiting for all of them, and stacks them."""
    _no_timeout(timeout_ms)
    return handle.dequeue_many(int(n))


@op(f"QueueDequeueUpToV2(handle: resource, n: int32, *, component_types: list(type) >= 1, {_WAITING}) -> "
    "components: component_types", stateful=True, on="host", shape=_batch_shapes)
def queue_dequeue_up_to_v2(handle, n, timeout_ms):
    """Dequeues n elements, or the rest of a closed queue, and stacks them."""
    _no_timeout(timeout_ms)
    return handle.dequeue_many(int(n), fewer=True)


@op("QueueCloseV2(handle: resource, *, cancel_pending_enqueues: bool = False) -> ()", stateful=True, on="host")
def queue_close_v2(handle, cancel_pending_enqueues):
    """Closes a queue for enqueues."""
    handle.close(cancel_pending_enqueues)


@op("QueueSizeV2(handle: resource) -> size: int32", stateful=True, on="host", shape=scalar)
def queue_size_v2(handle):
    """The number of elements in a queue."""
    return np.int32(handle.size())


@op("QueueIsClosedV2(handle: resource) -> is_closed: bool", stateful=True, on="host", shape=scalar)
def queue_is_closed_v2(handle):
    """Whether a queue is closed."""
    return np.bool_(handle.closed)


@op("EvergraphChosenQueue(index: int32, handles: N * resource, *, N: int >= 1) -> handle: resource", on="host",
    shape=scalar)
def chosen_queue(index, handles):
    """Selects one of several queues by index; TensorFlow has this for references only."""
    if not 0 <= index < len(handles):
        raise errors.InvalidArgumentError(None, None, f"index {index} is not in [0, {len(handles)})")
    return handles[int(index)]


def _no_timeout(timeout_ms):
    if timeout_ms != -1:
        raise errors.InvalidArgumentError(None, None, "Timeout not supported yet.")

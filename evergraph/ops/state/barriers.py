"""Ops on barriers. They run on the host: a waiting step holds no lock."""

from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.state.barrier import Barrier


@op("Barrier(*, component_types: list(type) >= 1, shapes: list(shape) >= 0 = [], capacity: int = -1, "
    "container: string = '', shared_name: string = '') -> handle: Ref(string)", stateful=True, on="host", grad=STOP,
    shape=lambda: (2,))
def barrier(shared, node, capacity):
    """Creates a barrier, which holds elements until all their components are there."""
    if capacity != -1:
        raise errors.InvalidArgumentError(None, None, f"a barrier has no limit: capacity must be -1, got {capacity}. "
                                          "Let the inputs pass through a queue that has one")
    name = node.attrs["shared_name"] or node.name
    make = lambda: Barrier(name, node.attrs["component_types"], node.attrs["shapes"])
    held = shared(make)
    if node.attrs["shared_name"] and node not in held.agreed:
        held.check_same(make())
        held.agreed.add(node)
    return held


@op("BarrierInsertMany(handle: Ref(string), keys: string, values: T, *, T: type, component_index: int) -> ()",
    on="host", grad=STOP)
def barrier_insert_many(handle, keys, values, component_index):
    """Adds a component of several elements."""
    handle.insert_many(component_index, np.asarray(keys), np.asarray(values))


def _taken_shapes(component_types):
    return [(None,), (None,), *[None] * len(component_types)]


@op("BarrierTakeMany(handle: Ref(string), num_elements: int32, *, component_types: list(type) >= 1, "
    "allow_small_batch: bool = False, wait_for_incomplete: bool = False, timeout_ms: int = -1) -> indices: int64, "
    "keys: string, values: component_types", on="host", grad=STOP, shape=_taken_shapes)
def barrier_take_many(handle, num_elements, component_types, allow_small_batch, timeout_ms):
    """Takes complete elements, waiting for them. Small batches wait for incomplete elements in any case."""
    if timeout_ms != -1:
        raise errors.InvalidArgumentError(None, None, f"a barrier waits for any time: timeout_ms must be -1, got "
                                          f"{timeout_ms}")
    taken = handle.take_many(int(num_elements), allow_small_batch)
    indices = np.array([index for index, _, _ in taken], np.int64)
    keys = np.array([key for _, key, _ in taken], object).reshape(len(taken))
    columns = [_stacked([values[at] for _, _, values in taken], dtype, handle.shapes and handle.shapes[at])
               for at, dtype in enumerate(component_types)]
    return indices, keys, columns


def _stacked(arrays, dtype, shape):
    if arrays:
        return np.stack(arrays)
    return np.empty((0, *(size or 0 for size in shape or ())), np.dtype(object) if dtype.hasobject else dtype)


@op("BarrierClose(handle: Ref(string), *, cancel_pending_enqueues: bool = False) -> ()", on="host", grad=STOP)
def barrier_close(handle, cancel_pending_enqueues):
    """Closes a barrier for new keys."""
    handle.close(cancel_pending_enqueues)


def _size(name, size, doc):
    def kernel(handle):
        return np.int32(size(handle))
    kernel.__doc__ = doc
    return op(f"{name}(handle: Ref(string)) -> size: int32", on="host", grad=STOP, shape=scalar)(kernel)


barrier_ready_size = _size("BarrierReadySize", Barrier.ready_size, "The number of complete elements.")
barrier_incomplete_size = _size("BarrierIncompleteSize", Barrier.incomplete_size, "The number of incomplete elements.")

"""Entries of dense tensors: recognizes the nodes that make a tensor sparse, and does their work at once.

Feature columns drop the empty strings and the -1 of a dense feature: they compare it with that value, look where it
differs, and gather what is there.
"""

import functools

import numpy as np

from evergraph.graph.registry import lookup
from evergraph.graph.traits import Fusion


def entries_of(node, resolve, users):
    """The fusion around a Where node; None if its inputs and uses are others."""
    test = resolve(node.inputs[0]).op
    if not _is(node, "Where") or not _is(test, "NotEqual"):
        return None
    dense, ignored = map(resolve, test.inputs)
    if ignored._shape != () or dense._shape is None or not dense._shape:
        return None
    found = node.outputs[0]
    gathers = [user for user in users(found) if _is(user, "GatherNd") and resolve(user.inputs[0]) is dense
               and resolve(user.inputs[1]) is found]
    if len(gathers) != 1:
        return None
    return Fusion(frozenset((test, node, gathers[0])), (dense, ignored), (found, gathers[0].outputs[0]), entries)


def _is(node, name):
    return node.opdef is lookup(name) and not node._control_inputs


def entries(dense, ignored):
    """(the coordinates of the elements that differ from `ignored`, these elements)."""
    flat = dense.reshape(-1)
    if dense.dtype.hasobject:
        elements, unwanted = flat.tolist(), ignored.item()
        if unwanted not in elements:
            return _all_places(dense.shape).copy(), flat.copy()
        kept = np.array([place for place, element in enumerate(elements) if element != unwanted], np.int64)
    else:
        kept = np.flatnonzero(flat != ignored)
    return _all_places(dense.shape)[kept], flat[kept]


@functools.lru_cache(maxsize=64)
def _all_places(shape):
    """The coordinates of all elements of an array."""
    return np.stack(np.unravel_index(np.arange(np.prod(shape, dtype=np.int64)), shape), axis=1).astype(np.int64)

"""Entries of dense tensors: recognizes the nodes that make a tensor sparse, and does their work at once.

Feature columns drop the empty strings and the -1 of a dense feature: they compare it with that value, look where it
differs, and gather what is there.
"""

import functools

import numpy as np

from evergraph import native
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
    kept = _others(flat, ignored.item()) if dense.dtype.hasobject else np.flatnonzero(flat != ignored)
    if len(kept) == len(flat):
        return _all_places(dense.shape).copy(), flat.copy()
    return _all_places(dense.shape)[kept], flat[kept]


def _others(strings, unwanted):
    """The places of the strings of a vector that differ from one."""
    if native.strings is None:
        return np.array([place for place, string in enumerate(strings.tolist()) if string != unwanted], np.int64)
    places = np.empty(len(strings), np.int64)
    return places[: native.strings.others(np.ascontiguousarray(strings), unwanted, places)]


@functools.lru_cache(maxsize=64)
def _all_places(shape):
    """The coordinates of all elements of an array."""
    return np.stack(np.unravel_index(np.arange(np.prod(shape, dtype=np.int64)), shape), axis=1).astype(np.int64)

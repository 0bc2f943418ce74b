"""Bags of ids: recognizes the nodes of safe_embedding_lookup_sparse that prepare ids, and does their work at once.

A model has such a chain for each categorical column: drop negative ids, give empty rows an id, number the distinct ids
and the rows. One loop in C does that in a fraction of the time that nine kernels take to be called. Where the ids are
the hash buckets of the strings of a dense feature, the same loop finds these too.
"""

from dataclasses import dataclass

import numpy as np

from evergraph import native
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Fusion, Kind
from evergraph.ops.arrays.entries import entries_of
from evergraph.ops.sparse.reshapes import before_reshapes


def bags_of_ids(node, resolve, users):
    """The fusion around a SparseFillEmptyRows node; None if its inputs and uses are others."""
    if native.sparse is None:
        return None
    kept_rows, kept_ids, shape, filler = map(resolve, node.inputs)
    before = _kept(kept_rows, kept_ids, resolve)
    after = _numbered(node, users)
    if before is None or after is None or np.size(static_value(filler)) != 1 or static_value(filler) is None:
        return None
    indices, ids, *dropping = before
    column, segments, distinct = after
    nodes = frozenset((node, kept_rows.op, kept_ids.op, *dropping, column, segments, distinct))
    results = (segments.outputs[0], *distinct.outputs, node.outputs[2])
    indices, shape, spared = before_reshapes(indices, shape, resolve)
    fusion = Fusion(nodes, (indices, ids, shape, filler), results, in_bags, spared)
    return _with_hashes(fusion, resolve, users) or fusion


def _with_hashes(fusion, resolve, users):
    """The fusion with the nodes before it that hash the strings of a dense matrix; None if there are others."""
    indices, ids, shape, filler = fusion.inputs
    if not _is(ids.op, "StringToHashBucketFast") or not _is(indices.op, "Where"):
        return None
    found = entries_of(indices.op, resolve, users)
    if found is None or found.results != (indices, resolve(ids.op.inputs[0])):
        return None
    dense, ignored = found.inputs
    if len(dense._shape) != 2 or shape.op.opdef.kind is not Kind.SHAPE or resolve(shape.op.inputs[0]) is not dense:
        return None
    nodes = fusion.nodes | found.nodes | {ids.op}
    function = HashedBags(ids.op.attrs["num_buckets"])
    return Fusion(nodes, (dense, ignored, filler), fusion.results, function, fusion.spared, fusion)


def _kept(rows, ids, resolve):
    """(the indices, the ids, the nodes that find the ids that are not negative), where both are gathered at these."""
    if not all(_is(t.op, "GatherV2") and _is_value(resolve(t.op.inputs[2]), 0) for t in (rows, ids)):
        return None
    places = resolve(rows.op.inputs[1])
    if resolve(ids.op.inputs[1]) is not places or not _is(places.op, "Reshape") or places._shape != (None,):
        return None
    where = resolve(places.op.inputs[0]).op
    test = resolve(where.inputs[0]).op if _is(where, "Where") else None
    given = resolve(ids.op.inputs[0])
    if test is None or not _is(test, "GreaterEqual") or resolve(test.inputs[0]) is not given \
            or not _is_value(resolve(test.inputs[1]), 0) or given.dtype.name != "int64":
        return None
    return resolve(rows.op.inputs[0]), given, places.op, where, test


def _numbered(node, users):
    """(StridedSlice and Cast that take the row numbers, Unique that takes the ids), where these are the only uses."""
    slices, uniques = users(node.outputs[0]), users(node.outputs[1])
    if len(slices) != 1 or len(uniques) != 1 or not _is_first_column(slices[0]) or not _is(uniques[0], "Unique"):
        return None
    casts = users(slices[0].outputs[0])
    fits = len(casts) == 1 and _is(casts[0], "Cast") and casts[0].attrs["DstT"].name == "int32" \
        and uniques[0].attrs["out_idx"].name == "int32"
    return (slices[0], casts[0], uniques[0]) if fits else None


def _is_first_column(node):
    """Whether the node takes `[:, 0]` of a matrix."""
    if not _is(node, "StridedSlice"):
        return False
    begin, _, strides = (static_value(t) for t in node.inputs[1:])
    masks = [node.attrs[name] for name in ("shrink_axis_mask", "ellipsis_mask", "new_axis_mask")]
    return masks == [2, 0, 0] and begin is not None and strides is not None and begin.tolist()[1:] == [0] \
        and node.attrs["begin_mask"] & 1 == node.attrs["end_mask"] & 1 == 1 and strides.tolist() == [1, 1]


def _is(node, name):
    return node.opdef is lookup(name) and not node._control_inputs


def _is_value(tensor, number):
    value = static_value(tensor)
    return value is not None and value.size == 1 and value.item() == number


def in_bags(indices, ids, dense_shape, filler):
    """(the row of each id, the distinct ids, the number of each id among them, which rows had no id).

    Negative ids are dropped. A row without ids gets the filler.
    """
    if indices.ndim == 2 and dense_shape.ndim == 1 and ids.shape == indices.shape[:1] and dense_shape.size == \
            indices.shape[1] > 0 and dense_shape[0] >= 0 and filler.ndim == 0:
        most, rows = len(ids) + int(dense_shape[0]), int(dense_shape[0])
        segments, distinct = np.empty(most, np.int32), np.empty(most, np.int64)
        numbers, empty = np.empty(most, np.int32), np.empty(rows, bool)
        total, count = native.sparse.bags(np.ascontiguousarray(indices), indices.shape[1], np.ascontiguousarray(ids),
                                          filler.item(), rows, segments, distinct, numbers, empty)
        if total >= 0:
            return segments[:total], distinct[:count], numbers[:total], empty
    return _one_by_one(indices, ids, dense_shape, filler)


@dataclass(frozen=True)
class HashedBags:
    """`in_bags` of the hash buckets of the strings in a dense matrix, without those that are ignored."""

    buckets: int

    def __call__(self, dense, ignored, filler):
        rows, most = len(dense), max(dense.size, len(dense))
        segments, distinct = np.empty(most, np.int32), np.empty(most, np.int64)
        numbers, empty = np.empty(most, np.int32), np.empty(rows, bool)
        total, count = native.sparse.hashed_bags(np.ascontiguousarray(dense), ignored.item(), self.buckets,
                                                 filler.item(), segments, distinct, numbers, empty)
        return segments[:total], distinct[:count], numbers[:total], empty


def _one_by_one(indices, ids, dense_shape, filler):
    """`in_bags` as the kernels do it, which say what is wrong with ids that are not as they should be."""
    kept = np.flatnonzero(ids >= 0)
    rows, ids, empty, _ = lookup("SparseFillEmptyRows").kernel(indices[kept], ids[kept], dense_shape, filler)
    distinct, numbers = lookup("Unique").kernel(ids, None)
    return rows[:, 0].astype(np.int32), distinct, numbers.astype(np.int32), empty

"""Bags of ids: recognizes the nodes of safe_embedding_lookup_sparse that prepare ids, and does their work at once.

A model has such a chain for each categorical column: drop negative ids, give empty rows an id, number the distinct ids
and the rows. One loop in C does that in a fraction of the time that nine kernels take to be called. Where the ids are
the hash buckets of the strings of a dense feature, the same loop finds these too. The weights of a weighted column are
sorted and filled by a second chain, which shares the first nodes with that of the ids.
"""

from dataclasses import dataclass

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Fusion, Kind
from evergraph.ops.arrays.entries import entries_of
from evergraph.ops.sparse.reshapes import before_reshapes


def bags_of_ids(node, resolve, users):
    """The fusion around a SparseFillEmptyRows node; None if its inputs and uses are others."""
    if native.sparse is None:
        return None
    rows, values, shape, filler = map(resolve, node.inputs)
    before = _kept(rows, values, resolve)
    if before is None or np.size(static_value(filler)) != 1 or static_value(filler) is None:
        return None
    indices, shape, spared = before_reshapes(resolve(rows.op.inputs[0]), shape, resolve)
    if resolve(values.op.inputs[0]) is not before.ids:
        return _bags_of_weights(node, before, indices, shape, filler, spared, users)
    after = _numbered(node, users)
    if after is None:
        return None
    column, segments, distinct = after
    nodes = before.nodes | {node, column, segments, distinct}
    results = (segments.outputs[0], *distinct.outputs, node.outputs[2])
    if before.weights is not None:
        return Fusion(nodes, (indices, before.ids, before.weights, shape, filler), results, in_bags_by_weight, spared)
    fusion = Fusion(nodes, (indices, before.ids, shape, filler), results, in_bags, spared)
    return _with_hashes(fusion, resolve, users) or fusion


def _bags_of_weights(node, before, indices, shape, filler, spared, users):
    """The fusion around the node that fills in weights, as many as there are ids in the bags."""
    given, weights = before.taken, before.weights
    if given._dtype.name not in ("float32", "float64") or weights is not None and weights is not given \
            or any(users(t) for t in (node.outputs[0], *node.outputs[2:])):
        return None
    function = weights_in_bags if weights is None else positive_weights_in_bags
    inputs = (indices, before.ids, given, shape, filler)
    return Fusion(before.nodes | {node}, inputs, node.outputs[1:2], function, spared)


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


@dataclass(frozen=True)
class _Kept:
    """Entries of which those with proper ids are kept.

    Attributes:
        ids: the ids.
        weights: the weights, where those with one that is not positive are dropped too; else None.
        taken: the ids or weights that are kept.
        nodes: the nodes that find and take them.
    """

    ids: Tensor
    weights: Tensor | None
    taken: Tensor
    nodes: frozenset[Operation]


def _kept(rows, values, resolve):
    """What the nodes before do, where rows and values are gathered at the same places; None if it is something else."""
    if not all(_is(t.op, "GatherV2") and _is_value(resolve(t.op.inputs[2]), 0) for t in (rows, values)):
        return None
    places = resolve(rows.op.inputs[1])
    if resolve(values.op.inputs[1]) is not places or not _is(places.op, "Reshape") or places._shape != (None,):
        return None
    where = resolve(places.op.inputs[0]).op
    test = resolve(where.inputs[0]).op if _is(where, "Where") else None
    if test is None:
        return None
    parts = [resolve(t).op for t in test.inputs] if _is(test, "LogicalAnd") else [test]
    ids, weights = (_above_zero(part, name, resolve) for part, name in
                    zip((*parts, None)[:2], ("GreaterEqual", "Greater")))
    if ids is None or ids.dtype.name not in ("int32", "int64") or weights is None and len(parts) > 1:
        return None
    nodes = frozenset((rows.op, values.op, places.op, where, test, *parts))
    return _Kept(ids, weights, resolve(values.op.inputs[0]), nodes)


def _above_zero(test, name, resolve):
    """What a comparison compares with zero; None if it is another one."""
    if test is None or not _is(test, name) or not _is_value(resolve(test.inputs[1]), 0):
        return None
    return resolve(test.inputs[0])


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
    if _are_entries(indices, ids, dense_shape) and filler.ndim == 0:
        most, rows = len(ids) + int(dense_shape[0]), int(dense_shape[0])
        segments, distinct = np.empty(most, np.int32), np.empty(most, np.int64)
        numbers, empty = np.empty(most, np.int32), np.empty(rows, bool)
        total, count = native.sparse.bags(np.ascontiguousarray(indices), indices.shape[1],
                                          np.ascontiguousarray(ids, np.int64), filler.item(), rows, segments, distinct,
                                          numbers, empty)
        if total >= 0:
            return segments[:total], distinct[:count].astype(ids.dtype, copy=False), numbers[:total], empty
    return _one_by_one(indices, ids, dense_shape, filler)


def in_bags_by_weight(indices, ids, weights, dense_shape, filler):
    """`in_bags` without the ids whose weight is not positive."""
    return in_bags(indices, _with_weight(ids, weights), dense_shape, filler)


def weights_in_bags(indices, ids, weights, dense_shape, filler):
    """The weight of each id in the bags; a row without ids gets the filler."""
    if _are_entries(indices, ids, dense_shape) and weights.shape == ids.shape and filler.ndim == 0:
        order, rows = np.empty(len(ids) + int(dense_shape[0]), np.int64), int(dense_shape[0])
        total = native.sparse.bag_order(np.ascontiguousarray(indices), indices.shape[1],
                                        np.ascontiguousarray(ids, np.int64), rows, order)
        if total >= 0:
            return [np.append(weights, filler)[order[:total]]]
    kept = np.flatnonzero(ids >= 0)
    return [lookup("SparseFillEmptyRows").kernel(indices[kept], weights[kept], dense_shape, filler)[1]]


def positive_weights_in_bags(indices, ids, weights, dense_shape, filler):
    """`weights_in_bags` of the weights that are positive."""
    return weights_in_bags(indices, _with_weight(ids, weights), weights, dense_shape, filler)


def _with_weight(ids, weights):
    """Ids of which those without a positive weight are negative, and dropped."""
    if weights.shape != ids.shape:
        raise errors.InvalidArgumentError(None, None, f"there are ids of shape {list(ids.shape)}, but weights of shape "
                                                      f"{list(weights.shape)}")
    return np.where(weights > 0, ids, ids.dtype.type(-1))


def _are_entries(indices, values, dense_shape):
    """Whether these are the parts of a sparse tensor, as far as their shapes tell."""
    return indices.ndim == 2 and dense_shape.ndim == 1 and values.shape == indices.shape[:1] \
        and dense_shape.size == indices.shape[1] > 0 and dense_shape[0] >= 0


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

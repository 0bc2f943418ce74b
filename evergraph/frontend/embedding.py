"""Embeddings: rows of one or several tables, picked by ids, alone or combined by sparse tensors of ids."""
from __future__ import annotations

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, indexing, math, segment
from evergraph.frontend.blocks import colocate_with, device, name_scope
from evergraph.frontend.clip import clip_by_norm
from evergraph.frontend.partitions import PartitionedVariable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops import basic, elementwise, search
from evergraph.ops import gather as gather_ops
from evergraph.ops import segment as segment_ops


def _as_list(params):
    """The tables as a list."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, (PartitionedVariable, tuple)):
        return list(params)
    return params if isinstance(params, list) else [params]


def _as_tables(params):
    """Tables that rows can be read from; resource variables stay variables, which are never read as a whole."""
    if any(hasattr(p, "handle") for p in params):
        return params
    return [convert_to_tensor(p, name=f"params_{i}") for i, p in enumerate(params)]


@export("nn.embedding_lookup")
def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None):
    """The rows of a table, or of several that together make one.

    Args:
        params: the table, a list of its parts, or a variable that was split into parts.
        ids: int32 or int64 of any shape: the numbers of the rows.
        partition_strategy: how rows are dealt out to parts: "mod" (id % number of parts), or "div" (in stretches).
        name: a name for the operation.
        validate_indices: has no meaning: ids are always checked.
        max_norm: when given, rows longer than this are scaled down to it.

    Returns:
        The rows, of shape ids.shape + params.shape[1:].

    Raises:
        ValueError: there is no table, or the strategy is unknown.

    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.Session().run(tf.nn.embedding_lookup(table, [1]))
    array([[3., 4.]], dtype=float32)
    """
    params = _as_list(params)
    if not params:
        raise ValueError("Need at least one param")
    with name_scope(name, "embedding_lookup", [*params, ids]) as scope:
        params = _as_tables(params)
        ids = convert_to_tensor(ids, name="ids")
        if len(params) == 1:
            with colocate_with(params[0]):
                rows = _clipped(indexing.gather(params[0], ids, name=scope), ids, max_norm)
            # The identity is free to live elsewhere than the table.
            return array.identity(rows)
        return _clipped(_from_parts(params, ids, partition_strategy, scope), ids, max_norm)


def _clipped(rows, ids, max_norm):
    """Rows scaled down to a length of at most `max_norm`."""
    if max_norm is None:
        return rows
    if ids.shape.rank is not None and rows.shape.rank is not None:
        axes = list(range(ids.shape.rank, rows.shape.rank))
    else:
        axes = math.range(array.rank(ids), array.rank(rows))
    return clip_by_norm(rows, max_norm, axes=axes)


def _from_parts(params, ids, partition_strategy, name):
    """Looks every id up in the part that has it, and puts the rows in order again."""
    flat = array.reshape(ids, [-1])
    places = math.range(array.size(flat))
    part, row = _whereabouts(params, flat, partition_strategy)
    part = math.cast(part, dtypes.int32)
    count = len(params)
    rows_of = gather_ops.dynamic_partition(row, part, num_partitions=count)
    places_of = gather_ops.dynamic_partition(places, part, num_partitions=count)
    found = []
    for table, rows in zip(params, rows_of):
        with colocate_with(table), device(None):
            found.append(indexing.gather(table, rows))
    result = gather_ops.parallel_dynamic_stitch(places_of, found, name=name)
    return _in_shape(result, ids, params)


def _whereabouts(params, ids, partition_strategy):
    """(the part that holds each id, the row in that part)."""
    count = len(params)
    if partition_strategy == "mod":
        return ids % count, ids // count
    if partition_strategy != "div":
        raise ValueError(f"Unrecognized partition strategy: {partition_strategy}")
    total = _total_rows(params, ids.dtype.base_dtype)
    each, extra = total // count, total % count  # the first `extra` parts have one row more
    part = elementwise.maximum(ids // (each + 1), (ids - extra) // each)
    return part, indexing.where(part < extra, ids % (each + 1), (ids - extra) % each)


def _total_rows(params, kind):
    sizes = [TensorShape(p.shape)[0].value for p in params]
    if None not in sizes:
        return constant(sum(sizes), kind)
    counts = [constant(size, kind) if size is not None else math.cast(array.shape(p)[0], kind)
              for p, size in zip(params, sizes)]
    return math.add_n(counts)


def _in_shape(rows, ids, params):
    """Rows of flattened ids in the shape of the ids."""
    row = TensorShape(params[0].shape)[1:]
    for p in params[1:]:
        row = row.merge_with(TensorShape(p.shape)[1:])
    sizes = row.as_list() if row.is_fully_defined() else array.shape(params[0])[1:]
    result = array.reshape(rows, array.concat([array.shape(ids), sizes], 0))
    result.set_shape(ids.shape.concatenate(row))
    return result


# ---- bags of ids

_COMBINERS = ("mean", "sqrtn", "sum")


@export("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy="mod", name=None, combiner=None,
                            max_norm=None):
    """The rows of a table that each row of a sparse tensor of ids picks, combined into one.

    Args:
        params: the table, a list of its parts, or a variable that was split into parts.
        sp_ids: a sparse tensor of int64 ids; every row must have at least one, the last ones aside.
        sp_weights: a sparse tensor of as many weights, or None where all count alike.
        partition_strategy: see `tf.nn.embedding_lookup`.
        name: a name for the operation.
        combiner: "sum"; "mean", the sum divided by the sum of the weights (the default); or "sqrtn", divided by the
            root of the sum of their squares.
        max_norm: when given, rows longer than this are scaled down to it before they are combined.

    Raises:
        TypeError: ids or weights are not sparse tensors.
        ValueError: the combiner is unknown.
    """
    if combiner is None:
        logging.warning('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    if combiner not in _COMBINERS:
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _as_list(params)
    _check_sparse(sp_ids, sp_weights)
    with name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]) as scope:
        segments = math.cast(sp_ids.indices[:, 0], dtypes.int32)
        ids, places = search.unique(sp_ids.values)
        rows = embedding_lookup(params, ids, partition_strategy=partition_strategy, max_norm=max_norm)
        if rows.dtype in (dtypes.float16, dtypes.bfloat16):
            rows = math.cast(rows, dtypes.float32)
        if sp_weights is None:
            return _COMBINE_ALIKE[combiner](rows, places, segments, name=scope)
        return _weighted(indexing.gather(rows, places), sp_weights.values, segments, combiner, scope)


def _check_sparse(sp_ids, sp_weights):
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is None:
        return
    if not isinstance(sp_weights, SparseTensor):
        raise TypeError("sp_weights must be either None or SparseTensor")
    for part in ("values", "indices", "dense_shape"):
        getattr(sp_ids, part).shape.assert_is_compatible_with(getattr(sp_weights, part).shape)


_COMBINE_ALIKE = {
    "sum": segment.sparse_segment_sum,
    "mean": segment.sparse_segment_mean,
    "sqrtn": segment.sparse_segment_sqrt_n,
}


def _weighted(rows, weights, segments, combiner, name):
    """Weighted rows, combined by segments."""
    weights = math.cast(weights, rows.dtype.base_dtype)
    known = weights.shape
    ones = basic.fill(array.expand_dims(array.rank(rows) - 1, 0), 1)
    weights = array.reshape(weights, array.concat([array.shape(weights), ones], 0))
    if rows.shape.rank is not None:
        weights.set_shape(known.concatenate([1] * (rows.shape.rank - 1)))
    rows = rows * weights
    if combiner == "sum":
        return segment_ops.segment_sum(rows, segments, name=name)
    total = segment_ops.segment_sum(rows, segments)
    if combiner == "mean":
        return math.div(total, segment_ops.segment_sum(weights, segments), name=name)
    squares = segment_ops.segment_sum(elementwise.pow_(weights, 2), segments)
    return math.div(total, elementwise.sqrt(squares), name=name)

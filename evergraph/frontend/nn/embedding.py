"""Embeddings: rows of one or several tables, picked by ids, alone or combined by sparse tensors of ids."""
from __future__ import annotations

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, dimension_value
from evergraph.frontend import array, indexing, math, reduce, segment
from evergraph.frontend.blocks import colocate_with, device, name_scope
from evergraph.frontend.clip import clip_by_norm
from evergraph.frontend.sparse import arithmetic
from evergraph.frontend.sparse import shape as sparse_shape
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.arrays import basic, search
from evergraph.ops.arrays import gather as gather_ops
from evergraph.ops.arrays import segment as segment_ops
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math import elementwise


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
    """Looks up the rows of an embedding table by their ids; the table may be split into parts.

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
    sizes = [dimension_value(TensorShape(p.shape)[0]) for p in params]
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
    """Looks up the embeddings of each row of sparse ids and combines them into one vector by sum or mean.

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
        logging.warning('no combiner was given; "mean" is used')
        combiner = "mean"
    if combiner not in _COMBINERS:
        raise ValueError(f"combiner must be 'mean', 'sqrtn' or 'sum', got {combiner!r}")
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


# ---- bags that may be empty or hold ids that make no sense


@export("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None,
                                 name=None, partition_strategy="div", max_norm=None):
    """`tf.nn.embedding_lookup_sparse` for ids as data brings them: some negative, some rows empty.

    Negative ids are left out, and so are ids whose weight is not positive unless rows are summed up. A row without ids
    gets the embedding of `default_id`.

    Args:
        embedding_weights: the table, a list of its parts, or a variable that was split into parts.
        sparse_ids: a sparse tensor of ids; the last axis holds the bags.
        sparse_weights: a sparse tensor of as many weights, or None where all count alike.
        combiner: "sum", "mean" or "sqrtn".
        default_id: the id that empty rows get; None for a row of zeros.
        name: a name prefix for the operations.
        partition_strategy: see `tf.nn.embedding_lookup`.
        max_norm: when given, rows longer than this are scaled down to it before they are combined.

    Returns:
        The combined rows, of the shape of the ids without their last axis, then that of a row.

    Raises:
        ValueError: there is no table.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    tables = _as_list(embedding_weights)
    if not tables:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    kind = None if sparse_weights is None else sparse_weights.dtype
    tables = [t if hasattr(t, "handle") and kind in (None, t.dtype) else convert_to_tensor(t, dtype=kind)
              for t in tables]
    with name_scope(name, "embedding_lookup", [*tables, sparse_ids, sparse_weights]) as scope:
        ids, weights, axes = _as_matrix(sparse_ids, sparse_weights)
        ids, weights = _only_proper(ids, weights, combiner)
        ids, is_empty = arithmetic.sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = arithmetic.sparse_fill_empty_rows(weights, 1.0)
        rows = embedding_lookup_sparse(tables, ids, weights, combiner=combiner, partition_strategy=partition_strategy,
                                       name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            marks = tile(array.reshape(is_empty, [-1, 1]), array.stack([1, array.shape(rows)[1]]))
            rows = indexing.where(marks, array.zeros_like(rows), rows, name=scope)
        outer = indexing.slice(math.cast(sparse_ids.dense_shape, dtypes.int32), [0], [axes])
        result = array.reshape(rows, array.concat([outer, indexing.slice(array.shape(rows), [1], [-1])], 0))
        rank = dimension_value(sparse_ids.dense_shape.shape[0])
        result.set_shape(TensorShape(None if rank is None else [None] * (rank - 1)).concatenate(rows.shape[1:]))
        return result


@export("compat.v2.nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse_in_stretches(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean",
                                              default_id=None, max_norm=None, name=None):
    """`tf.nn.safe_embedding_lookup_sparse` as TensorFlow 2 spells it: rows are dealt out to parts in stretches."""
    return safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, name,
                                        "div", max_norm)


def _as_matrix(ids, weights):
    """(ids and weights with all axes but the last one as one, the number of those axes)."""
    shape, rank = ids.dense_shape, dimension_value(ids.dense_shape.shape[0])
    rank = array.size(shape) if rank is None else rank
    outer = indexing.slice(shape, [0], [rank - 1])
    ids = sparse_shape.sparse_reshape(ids, [reduce.reduce_prod(outer), indexing.gather(shape, rank - 1)])
    if weights is not None:
        weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
    return ids, weights, rank - 1


def _only_proper(ids, weights, combiner):
    """Without negative ids; and without weights that are not positive, which a mean cannot be taken of."""
    kept = elementwise.greater_equal(ids.values, 0)
    if weights is not None and combiner != "sum":
        kept = elementwise.logical_and(kept, elementwise.greater(weights.values, 0))
    return arithmetic.sparse_retain(ids, kept), None if weights is None else arithmetic.sparse_retain(weights, kept)

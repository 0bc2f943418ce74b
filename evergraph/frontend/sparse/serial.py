"""Serialization of sparse tensors to strings or variants, and maps that keep them between steps."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with
from evergraph.frontend.sparse.arithmetic import as_sparse
from evergraph.graph.composite import SparseTensor
from evergraph.graph.node import Operation
from evergraph.ops.sparse import serial as ops


@export("serialize_sparse", "io.serialize_sparse")
def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """Serializes a sparse tensor to a vector of three elements: indices, values and shape.

    Args:
        sp_input: a sparse tensor.
        name: a name for the operation.
        out_type: tf.string, or tf.variant, which avoids the encoding.
    """
    sp_input = as_sparse(sp_input)
    return ops.serialize_sparse(sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type, name=name)


@export("serialize_many_sparse", "io.serialize_many_sparse")
def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """Serializes the slices of a sparse tensor along its first axis to rows of three; see `tf.serialize_sparse`."""
    sp_input = as_sparse(sp_input)
    return ops.serialize_many_sparse(sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type,
                                     name=name)


def deserialize_sparse(serialized_sparse, dtype, rank=None, name=None):
    """Deserializes sparse tensors of `tf.serialize_sparse`, stacked along new leading axes.

    Args:
        serialized_sparse: a tensor whose last axis has the three elements.
        dtype: the dtype of the values.
        rank: the rank of the result, if known.
        name: a name prefix for the operations.
    """
    return _of_rank(ops.deserialize_sparse(serialized_sparse, dtype, name=name), rank)


@export("deserialize_many_sparse", "io.deserialize_many_sparse")
def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """Deserializes the sparse tensors in the rows of a matrix, stacked along a new first axis.

    Args:
        serialized_sparse: a matrix of strings with three columns, as from `tf.serialize_many_sparse`.
        dtype: the dtype of the values.
        rank: the rank of the result, if known.
        name: a name prefix for the operations.
    """
    return _of_rank(ops.deserialize_many_sparse(serialized_sparse, dtype, name=name), rank)


def _of_rank(parts, rank):
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)


# ---- maps


def add_sparse_to_tensors_map(sp_input, container=None, shared_name=None, name=None):
    """Adds a sparse tensor to a map of the session, and returns its handle."""
    sp_input = as_sparse(sp_input)
    return ops.add_sparse_to_tensors_map(sp_input.indices, sp_input.values, sp_input.dense_shape,
                                         container=container or "", shared_name=shared_name or "", name=name)


def add_many_sparse_to_tensors_map(sp_input, container=None, shared_name=None, name=None):
    """Adds the slices of a sparse tensor along its first axis to a map, and returns their handles."""
    sp_input = as_sparse(sp_input)
    return ops.add_many_sparse_to_tensors_map(sp_input.indices, sp_input.values, sp_input.dense_shape,
                                              container=container or "", shared_name=shared_name or "", name=name)


def take_many_sparse_from_tensors_map(sparse_map_op, sparse_handles, rank=None, name=None):
    """Removes sparse tensors from a map, stacked along a new first axis.

    Args:
        sparse_map_op: the operation that added them.
        sparse_handles: their handles.
        rank: the rank of the result, if known.
        name: a name for the operation.

    Raises:
        TypeError: `sparse_map_op` does not add sparse tensors to a map.
    """
    if not isinstance(sparse_map_op, Operation):
        raise TypeError("sparse_map_op be an Operation")
    if sparse_map_op.opdef not in (ops.add_sparse_to_tensors_map, ops.add_many_sparse_to_tensors_map):
        raise TypeError(f"sparse_map_op must be one of AddSparseToTensorsMap or AddManySparseToTensorsMap. Instead, "
                        f"found `{sparse_map_op.type}`.")
    with colocate_with(sparse_map_op):
        parts = ops.take_many_sparse_from_tensors_map(
            sparse_handles, dtype=sparse_map_op.get_attr("T"), container=sparse_map_op.get_attr("container"),
            shared_name=sparse_map_op.get_attr("shared_name") or sparse_map_op.name, name=name)
    return _of_rank(parts, rank)

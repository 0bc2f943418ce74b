"""tf.contrib.layers: embeddings whose elements are scattered over one vector of weights by hashes."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.layers.feature_columns import OlderColumn, model_weights
from evergraph.contrib.layers.feature_crosses import SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, crossed
from evergraph.contrib.layers.names import everywhere
from evergraph.feature.column import DenseTensorColumn
from evergraph.feature.inputs import to_sparse
from evergraph.frontend import array, math, segment
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.indexing import gather
from evergraph.frontend.input.features import VarLenFeature
from evergraph.frontend.nn import embedding
from evergraph.frontend.ordering import unique
from evergraph.frontend.reduce import reduce_all
from evergraph.frontend.sparse.arithmetic import sparse_fill_empty_rows
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays import pad
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math import elementwise


def _parts(params: Any) -> list[Any]:
    return list(params) if isinstance(params, (list, tuple, PartitionedVariable)) else [params]


def sampled_lookup(params: Any, values: Any, dimension: int | None = None, sampled_candidates: Any = None,
                   hash_key: int | None = None, name: str | None = None) -> Any:
    """The elements of embeddings: element i of a value is the weight that a hash of i and the value chooses.

    Args:
        params: a vector of weights, or a list of its partitions.
        values: any shape of text or integers.
        dimension: the number of elements; the elements are 0, 1, ... then.
        sampled_candidates: which elements, for each value; None for all.
        hash_key: the key of the hash.
        name: the name of the operations.

    Raises:
        ValueError: neither `dimension` nor `sampled_candidates` is given, or a dimension is less than 1.
        InvalidArgumentError: the candidates do not have the shape of the values.
    """
    hash_key = SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY if hash_key is None else hash_key
    with name_scope(name, "sampled_scattered_embedding_lookup", [*_parts(params), values]):
        values = convert_to_tensor(values)
        shape, rows = array.shape(values), array.reshape(values, [-1, 1])
        if dimension is None and sampled_candidates is None:
            raise ValueError("scattered embeddings need a dimension or the candidates among their elements")
        if sampled_candidates is None:
            if dimension < 1:
                raise ValueError(f"the dimension of embeddings is at least 1, not {dimension}")
            chosen = pad.tile([range(dimension)], [array.shape(rows)[0], 1])
        else:
            chosen = convert_to_tensor(sampled_candidates)
            dimension, outer = array.shape(chosen)[-1], array.shape(chosen)[:-1]
            fits = Assert(reduce_all(elementwise.equal(outer, shape)),
                          ["The shape of sampled_candidates: ", array.shape(chosen),
                           " does not match the shape of values: ", shape])
            with control_dependencies([fits]):
                chosen = array.reshape(chosen, [-1, dimension])
        sizes = [each.shape.as_list() for each in _parts(params)]
        if any(len(size) != 1 or size[0] is None for size in sizes):
            raise ValueError(f"scattered embeddings take vectors of weights, not tensors of shapes {sizes}")
        ids = array.reshape(crossed([chosen, rows], sum(size[0] for size in sizes), hash_key).values, [-1])
        found = embedding.embedding_lookup(_parts(params), ids, partition_strategy="div")
        return array.reshape(found, array.concat([shape, [dimension]], 0))


@export(*everywhere("scattered_embedding_lookup", module="embedding_ops"))
def scattered_embedding_lookup(params: Any, values: Any, dimension: int, name: str | None = None,
                               hash_key: int | None = None) -> Any:
    """Embeddings of `dimension` weights each, which hashes choose from one vector (Weinberger et al., 2009).

    Args:
        params: a vector of weights, or a list of its partitions.
        values: any shape of text or integers.
        dimension: the number of elements of an embedding.
        name: the name of the operations.
        hash_key: the key of the hash.
    """
    return sampled_lookup(params, values, dimension, hash_key=hash_key, name=name or "scattered_embedding_lookup")


@export(*everywhere("scattered_embedding_lookup_sparse", module="embedding_ops"))
def scattered_embedding_lookup_sparse(params: Any, sparse_values: SparseTensor, dimension: int,
                                      combiner: str | None = None, default_value: Any = None, name: str | None = None,
                                      hash_key: int | None = None) -> Any:
    """Scattered embeddings of the values of each row, combined.

    Args:
        params, dimension, name, hash_key: as for `scattered_embedding_lookup`.
        sparse_values: rows of text or integers.
        combiner: "mean", which is the default, "sqrtn" or "sum".
        default_value: the value that an empty row has; by default "" or 0.
    """
    if combiner is None:
        logging.warning('The default combiner is "mean".')
        combiner = "mean"
    combine = {"mean": segment.sparse_segment_mean, "sqrtn": segment.sparse_segment_sqrt_n,
               "sum": segment.sparse_segment_sum}
    if combiner not in combine:
        raise ValueError(f"a combiner is one of {sorted(combine)}, not {combiner!r}")
    if default_value is None:
        default_value = "" if sparse_values.dtype is dtypes.string else 0
    with name_scope(name, "scattered_embedding_lookup_sparse"):
        filled, _ = sparse_fill_empty_rows(sparse_values, default_value)
        rows = math.cast(filled.indices[:, 0], dtypes.int32)
        distinct, places = unique(filled.values)
        found = scattered_embedding_lookup(params, distinct, dimension, hash_key=hash_key)
        return combine[combiner](found, places, rows)


def sampled_lookup_sparse(params: Any, sp_values: SparseTensor, dimension: int | None = None,
                          sampled_candidates: Any = None, hash_key: int | None = None, with_sign_hash: bool = False,
                          name: str | None = None) -> Any:
    """The sums of scattered embeddings over each row, or of some of their elements.

    Args:
        params, dimension, hash_key, name: as for `scattered_embedding_lookup`.
        sp_values: rows of text or integers.
        sampled_candidates: which elements, for each row; None for all.
        with_sign_hash: whether another hash of value and element chooses a sign.
    """
    with name_scope(name, "sampled_scattered_embedding_lookup_sparse"):
        rows = sp_values.indices[:, 0]
        chosen = None if sampled_candidates is None else gather(sampled_candidates, rows)
        found = sampled_lookup(params, sp_values.values, dimension, chosen, hash_key)
        if with_sign_hash:
            signs = sampled_lookup(convert_to_tensor([-1.0, 1.0]), sp_values.values, dimension, chosen,
                                   SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY if hash_key is None else hash_key + 1)
            found *= signs
        return unsorted_segment_sum(found, rows, sp_values.dense_shape[0])


@export(*everywhere("embedding_lookup_sparse_with_distributed_aggregation", module="embedding_ops"))
def embedding_lookup_sparse_with_distributed_aggregation(
        params: Any, sp_ids: SparseTensor, sp_weights: SparseTensor | None, partition_strategy: str = "mod",
        name: str | None = None, combiner: str | None = None, max_norm: float | None = None) -> Any:
    """The same as `tf.nn.embedding_lookup_sparse`: which device adds the rows up makes no difference to the numbers."""
    return embedding.embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy, name, combiner, max_norm)


# ---- a column

@export("contrib.layers.scattered_embedding_column")
def scattered_embedding_column(column_name: str, size: int, dimension: int, hash_key: int, combiner: str = "mean",
                               initializer: Any = None) -> ScatteredEmbeddingColumn:
    """A dense column of scattered embeddings of text.

    Args:
        column_name: the name of the feature.
        size: the number of weights.
        dimension: the number of elements of an embedding.
        hash_key: the key of the hash, another one for each column with the same weights.
        combiner: "mean", "sqrtn" or "sum".
        initializer: the initializer of the weights; by default a truncated normal with deviation 0.1.

    Raises:
        ValueError: size or dimension is less than 1, the combiner is another, or the initializer cannot be called.
    """
    if dimension < 1 or size < 1:
        raise ValueError(f"dimension and size must be greater than 0. dimension: {dimension}, size: {size}, "
                         f"column_name: {column_name}")
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(f"column {column_name!r} cannot combine embeddings by {combiner!r}: 'mean', 'sqrtn' and 'sum' "
                         "are known")
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. column_name: {column_name}")
    if initializer is None:
        initializer = truncated_normal_initializer(mean=0.0, stddev=0.1)
    return ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)


class ScatteredEmbeddingColumn(
    OlderColumn, DenseTensorColumn,
    collections.namedtuple("_ScatteredEmbeddingColumn", ["column_name", "size", "dimension", "hash_key", "combiner",
                                                         "initializer"]),
):
    """What `tf.contrib.layers.scattered_embedding_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.column_name}_scattered_embedding"

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(dtypes.string)}

    def _transform_feature(self, inputs: Any) -> Any:
        return to_sparse(inputs.get(self.column_name))

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        weights = model_weights("weights", [self.size], self.initializer, trainable is not False, weight_collections)
        return scattered_embedding_lookup_sparse(weights, inputs.get(self), self.dimension, self.combiner,
                                                 name=f"{self.name}_weights", hash_key=self.hash_key)

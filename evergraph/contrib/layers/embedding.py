"""tf.contrib.layers: embeddings of sequences and bags of words."""
from __future__ import annotations

from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.contrib.framework.variables import model_variable
from evergraph.contrib.layers.names import everywhere
from evergraph.contrib.layers.shape import dense_to_sparse
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import gather
from evergraph.frontend.nn import embedding
from evergraph.frontend.ordering import unique
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor


@export(*everywhere("safe_embedding_lookup_sparse", module="embedding_ops"))
def safe_embedding_lookup_sparse(embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None,
                                 combiner: str | None = None, default_id: int | None = None, name: str | None = None,
                                 partition_strategy: str = "div", max_norm: float | None = None) -> Any:
    """Combines embeddings as `tf.nn.safe_embedding_lookup_sparse` does, by default with the combiner "mean".

    Raises:
        ValueError: the weights differ in dtype.
    """
    if combiner is None:
        logging.warning('The default combiner is "mean".')
        combiner = "mean"
    kinds = {convert_to_tensor(table).dtype.base_dtype for table in _tables(embedding_weights)}
    kinds |= set() if sparse_weights is None else {sparse_weights.dtype}
    if len(kinds) > 1:
        raise ValueError(f"weights of one dtype are wanted, not of {sorted(kind.name for kind in kinds)}")
    return embedding.safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, default_id,
                                                  name, partition_strategy, max_norm)


def _tables(weights: Any) -> list[Any]:
    return list(weights) if isinstance(weights, (list, tuple)) else [weights]


@export(*everywhere("embedding_lookup_unique", module="embedding_ops"))
def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """`tf.nn.embedding_lookup` that looks up each unique id once.

    Args:
        params: the table, or a list of its partitions.
        ids: a tensor of ids.
        partition_strategy: see `tf.nn.embedding_lookup`.
        name: a name prefix for the operations.
    """
    with name_scope(name, "EmbeddingLookupUnique", [*_tables(params), ids]):
        ids = convert_to_tensor(ids)
        distinct, places = unique(array.reshape(ids, [-1]))
        rows = gather(embedding.embedding_lookup(params, distinct, partition_strategy), places)
        result = array.reshape(rows, array.concat([array.shape(ids), array.shape(rows)[1:]], 0))
        result.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return result


@export(*everywhere("embed_sequence", module="encoders"))
def embed_sequence(ids: Any, vocab_size: int | None = None, embed_dim: int | None = None, unique: bool = False,
                   initializer: Any = None, regularizer: Any = None, trainable: bool = True, scope: Any = None,
                   reuse: Any = None) -> Any:
    """Embeds sequences of ids with the table `scope`/embeddings: [batch, length] to [batch, length, embed_dim].

    Args:
        ids: a tensor of integers [batch, length].
        vocab_size: the number of rows of the table.
        embed_dim: the size of a row.
        unique: whether to look up each unique id once.
        initializer: the initializer of the table.
        regularizer: a penalty on the table, added to the REGULARIZATION_LOSSES.
        trainable: whether the table is trainable.
        scope: the name of the layer, or a variable scope.
        reuse: True to share the table of an earlier layer of the same `scope`; the sizes may then be omitted.

    Raises:
        ValueError: there is no table to share, and a size is missing.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(f"new embeddings need vocab_size and embed_dim, got {vocab_size} and {embed_dim}")
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = [vocab_size, embed_dim] if vocab_size and embed_dim else None
        table = model_variable("embeddings", shape=shape, initializer=initializer, regularizer=regularizer,
                               trainable=trainable)
        return embedding_lookup_unique(table, ids) if unique else embedding.embedding_lookup(table, ids)


@export(*everywhere("bow_encoder", module="encoders"))
def bow_encoder(ids: Any, vocab_size: int, embed_dim: int, sparse_lookup: bool = True, initializer: Any = None,
                regularizer: Any = None, trainable: bool = True, scope: Any = None, reuse: Any = None) -> Any:
    """Bag-of-words encoding: the mean of `scope`/embeddings over each bag: [batch, length] to [batch, embed_dim].

    Args:
        ids: a tensor of integers [batch, length], padded with 0, or a sparse tensor.
        vocab_size: the number of rows of the table.
        embed_dim: the size of a row.
        sparse_lookup: whether to ignore zeros in a dense tensor; otherwise they count as ids.
        initializer: the initializer of the table.
        regularizer: a penalty on the table, added to the REGULARIZATION_LOSSES.
        trainable: whether the table is trainable.
        scope: the name of the layer, or a variable scope.
        reuse: True to share the table of an earlier layer of the same `scope`.

    Raises:
        TypeError: the ids are sparse and `sparse_lookup` is False.
    """
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        table = model_variable("embeddings", shape=[vocab_size, embed_dim], initializer=initializer,
                               regularizer=regularizer, trainable=trainable)
        if sparse_lookup:
            sparse = ids if isinstance(ids, SparseTensor) else dense_to_sparse(ids)
            return safe_embedding_lookup_sparse([table], sparse, combiner="mean", default_id=0)
        if isinstance(ids, SparseTensor):
            raise TypeError("ids must be dense, got a SparseTensor")
        return reduce_mean(embedding.embedding_lookup(table, ids), axis=1)

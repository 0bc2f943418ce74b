"""tf.contrib.losses.metric_learning: losses that bring embeddings of the same label together."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.frontend import array, math
from evergraph.frontend.indexing import where
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.cross_entropy import softmax_cross_entropy_with_logits_v2
from evergraph.frontend.printing import Print
from evergraph.frontend.reduce import reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_sum
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import elementwise

_names = names_in("contrib.losses.metric_learning")


@export(*_names("contrastive_loss"))
def contrastive_loss(labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0) -> Any:
    """The contrastive loss (Hadsell, Chopra and LeCun, 2006) of pairs of embeddings.

    Args:
        labels: 1 for pairs that belong together, 0 for others: [batch].
        embeddings_anchor: [batch, size], normalized.
        embeddings_positive: the other of each pair.
        margin: the distance from which on pairs that do not belong together cost nothing.
    """
    distances = elementwise.sqrt(reduce_sum(elementwise.squared_difference(embeddings_anchor, embeddings_positive), 1))
    together = math.cast(labels, dtypes.float32)
    apart = elementwise.square(elementwise.maximum(margin - distances, 0.0))
    return reduce_mean(together * elementwise.square(distances) + (1.0 - together) * apart, name="contrastive_loss")


def pairwise_distance(feature: Any, squared: bool = False) -> Any:
    """The distance of each two rows, [n, n]; exactly 0 on the diagonal, where its gradient is 0 too."""
    feature = convert_to_tensor(feature)
    norms = reduce_sum(elementwise.square(feature), 1, keepdims=True)
    distances = elementwise.maximum(norms + array.transpose(norms) - 2.0 * matmul(feature, feature, transpose_b=True),
                                    0.0)
    if not squared:
        is_zero = math.cast(elementwise.less_equal(distances, 0.0), distances.dtype)
        distances = elementwise.sqrt(distances + is_zero * 1e-16) * (1.0 - is_zero)
    return distances * _off_diagonal(feature)


def _off_diagonal(feature: Any) -> Any:
    rows = array.shape(feature)[0]
    return array.ones([rows, rows], feature.dtype) - _identity(rows, feature.dtype)


def _identity(rows: Any, dtype: Any) -> Any:
    places = math.range(rows)
    return math.cast(elementwise.equal(array.expand_dims(places, 0), array.expand_dims(places, 1)), dtype)


def _same(labels: Any) -> Any:
    """Whether each two labels are equal, [n, n]."""
    column = array.reshape(labels, [-1, 1])
    return elementwise.equal(column, array.transpose(column))


@export(*_names("triplet_semihard_loss"))
def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """The triplet loss with semi-hard negatives (Schroff, Kalenichenko and Philbin, 2015).

    The negative of a pair is the nearest that is farther than its positive, or else the farthest.

    Args:
        labels: [batch] integers.
        embeddings: [batch, size], normalized.
        margin: by how much a negative should be farther than a positive.
    """
    distances = pairwise_distance(embeddings, squared=True)
    same = _same(convert_to_tensor(labels))
    negative = math.cast(elementwise.logical_not(same), distances.dtype)
    farthest = reduce_max(distances * negative - 1e30 * (1.0 - negative), 1, keepdims=True)
    # [anchor, positive, other]: others of another label that are farther from the anchor than the positive
    others, positives = array.expand_dims(distances, 1), array.expand_dims(distances, 2)
    is_farther = elementwise.logical_and(elementwise.greater(others, positives),
                                         array.expand_dims(elementwise.logical_not(same), 1))
    large = array.zeros_like(others + positives) + 1e30
    nearest = reduce_min(where(is_farther, others + array.zeros_like(large), large), 2)
    chosen = where(elementwise.less(nearest, 1e30), nearest, farthest + array.zeros_like(nearest))
    pairs = math.cast(same, distances.dtype) * _off_diagonal(convert_to_tensor(embeddings))
    losses = elementwise.maximum(margin + distances - chosen, 0.0) * pairs
    return math.div(reduce_sum(losses), reduce_sum(pairs), name="triplet_semihard_loss")


@export(*_names("npairs_loss"))
def npairs_loss(labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002,
                print_losses: bool = False) -> Any:
    """The N-pairs loss (Sohn, 2016): cross entropy of similarities with equality of labels, and regularization.

    Args:
        labels: [batch] integers.
        embeddings_anchor: [batch, size].
        embeddings_positive: the other of each pair.
        reg_lambda: the weight of the squared norms.
        print_losses: whether each step prints both parts.
    """
    shares = math.cast(_same(convert_to_tensor(labels)), dtypes.float32)
    return _npairs(shares, embeddings_anchor, embeddings_positive, reg_lambda, print_losses)


@export(*_names("npairs_loss_multilabel"))
def npairs_loss_multilabel(sparse_labels: Any, embeddings_anchor: Any, embeddings_positive: Any,
                           reg_lambda: float = 0.002, print_losses: bool = False) -> Any:
    """The N-pairs loss of examples with several labels: two are as alike as they have labels in common.

    Args:
        sparse_labels: a list with a SparseTensor of shape [classes] for each example.
        embeddings_anchor: [batch, size].
        embeddings_positive: the other of each pair.
        reg_lambda: the weight of the squared norms.
        print_losses: whether each step prints both parts.

    Raises:
        TypeError: the labels are not sparse.
    """
    if not all(isinstance(labels, SparseTensor) for labels in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, got {sparse_labels!r}")
    rows = array.stack([math.cast(sparse_tensor_to_dense(labels), dtypes.float32) for labels in sparse_labels])
    common = matmul(rows, rows, transpose_b=True)
    return _npairs(common, embeddings_anchor, embeddings_positive, reg_lambda, print_losses)


def _npairs(alike: Any, anchors: Any, positives: Any, reg_lambda: float, print_losses: bool) -> Any:
    norms = reduce_mean(reduce_sum(elementwise.square(anchors), 1)) \
        + reduce_mean(reduce_sum(elementwise.square(positives), 1))
    regularization = elementwise.mul(0.25 * reg_lambda, norms, name="l2loss")
    shares = math.div(alike, reduce_sum(alike, 1, keepdims=True))
    similarities = matmul(anchors, positives, transpose_b=True)
    entropy = reduce_mean(softmax_cross_entropy_with_logits_v2(labels=shares, logits=similarities), name="xentropy")
    if print_losses:
        entropy = Print(entropy, ["cross entropy:", entropy, "l2loss:", regularization])
    return regularization + entropy


@export(*_names("lifted_struct_loss"))
def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """The lifted structured loss (Song, Xiang, Jegelka and Savarese, 2016).

    Args:
        labels: [batch] integers.
        embeddings: [batch, size].
        margin: the distance that other labels should have.
    """
    distances = pairwise_distance(embeddings)
    same = _same(convert_to_tensor(labels))
    masked = where(same, array.zeros_like(distances) - 1e30, margin - distances)
    of_rows = reduce_logsumexp(masked, 1, keepdims=True)
    both = reduce_logsumexp(array.stack([of_rows + array.zeros_like(distances),
                                         array.transpose(of_rows) + array.zeros_like(distances)]), 0)
    pairs = math.cast(same, distances.dtype) * _off_diagonal(convert_to_tensor(embeddings))
    losses = elementwise.square(elementwise.maximum(both + distances, 0.0)) * pairs
    return math.div(0.5 * reduce_sum(losses), reduce_sum(pairs), name="liftedstruct_loss")

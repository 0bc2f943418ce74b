"""tf.nn's losses: cross entropies between labels and logits, the Poisson loss, and means over distributed batches."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.nn.activations import known_axis
from evergraph.frontend.reduce import either, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.arrays import basic, index, reshape
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

_HALF = (dtypes.float16, dtypes.bfloat16)


def _check_named(function, sentinel, labels, logits):
    """Raises ValueError unless labels and logits are both given, by name: their order is too easily mistaken."""
    if sentinel is not None:
        raise ValueError(f"Only call `{function}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


# ---- one class out of many

@export("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, name=None, axis=None):
    """Computes the cross entropy -sum(labels * log_softmax(logits)); no gradient flows into the labels.

    Args:
        _sentinel: not to be used: it makes sure that the arguments are named.
        labels: the probability of each class, a distribution in each row.
        logits: unscaled log probabilities, of the same shape.
        dim: the axis of the classes.
        name: a name for the operation.
        axis: another name of `dim`.

    Returns:
        The losses, of the shape of `logits` without the axis of the classes.

    Raises:
        ValueError: an argument is missing or not named.
    """
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    axis = dim if axis is None else axis
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = basic.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=axis, name=scope)


@export("nn.softmax_cross_entropy_with_logits_v2")
def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """Computes the cross entropy -sum(labels * log_softmax(logits)); gradients flow into logits and labels.

    Args:
        labels: the probability of each class, a distribution in each row.
        logits: unscaled log probabilities, of the same shape.
        axis: the axis of the classes; by default the last.
        name: a name for the operation.
        dim: the older name of `axis`.

    Returns:
        The losses, of the shape of `logits` without the axis of the classes.
    """
    axis = either("axis", axis, "dim", dim)
    _check_named("softmax_cross_entropy_with_logits", None, labels, logits)
    axis = -1 if axis is None else known_axis(axis)
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        precise = math.cast(logits, dtypes.float32) if logits.dtype in _HALF else logits
        losses = _by_rows(math.cast(labels, precise.dtype.base_dtype), precise, axis, scope)
        if logits.shape.rank is not None:
            sizes = logits.shape.as_list()
            del sizes[axis]
            losses.set_shape(sizes)
        return math.cast(losses, logits.dtype.base_dtype)


def _by_rows(labels, logits, axis, name):
    """The losses of tensors of any rank, which the op takes as matrices."""
    rank = array.rank(logits)
    if axis != -1:
        labels, logits = _moved_to_end(labels, axis), _moved_to_end(logits, axis)
    sizes = array.shape(logits)
    losses, _ = activations.softmax_cross_entropy_with_logits(_as_matrix(logits), _as_matrix(labels), name=name)
    return reshape.reshape(losses, index.slice_(sizes, [0], [elementwise.sub(rank, 1)]))


def _moved_to_end(x, axis):
    """`x` with an axis behind all others."""
    if x.shape.rank is not None:
        order = list(range(x.shape.rank))
        order.append(order.pop(axis))
        return array.transpose(x, order)
    count = array.rank(x)
    axis = axis + count if axis < 0 else convert_to_tensor(axis)
    return array.transpose(x, array.concat([math.range(axis), math.range(axis + 1, count), [axis]], 0))


def _as_matrix(x):
    """`x` with all its axes but the last made one."""
    rank, sizes = array.rank(x), array.shape(x)
    columns = index.slice_(sizes, [elementwise.sub(rank, 1)], [1])
    result = reshape.reshape(x, array.concat([[-1], columns], 0))
    known = x.shape.as_list() if x.shape.rank is not None else None
    if known:
        rows = known[:-1]
        result.set_shape([None if None in rows else int(np.prod(rows)), known[-1]])
    return result


@export("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the cross entropy -log_softmax(logits)[label] for class indices as labels.

    Args:
        _sentinel: not to be used: it makes sure that the arguments are named.
        labels: the class of each row, int32 or int64, of the shape of `logits` without its last axis.
        logits: unscaled log probabilities, the classes along the last axis.
        name: a name for the operation.

    Returns:
        The losses, of the shape of `labels`.

    Raises:
        ValueError: an argument is missing or not named, or the shapes do not fit.
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        precise = math.cast(logits, dtypes.float32) if logits.dtype in _HALF else logits
        sizes = array.shape(labels)
        _check_sparse(labels.shape, logits.shape)
        if logits.shape.rank == 2:
            losses, _ = activations.sparse_softmax_cross_entropy_with_logits(precise, labels, name=name)
        else:
            with control_dependencies(_same_rows(labels, logits)):
                count = array.shape(logits)[array.rank(logits) - 1]
                rows, flat = array.reshape(precise, [-1, count]), array.reshape(labels, [-1])
                losses, _ = activations.sparse_softmax_cross_entropy_with_logits(rows, flat, name=name)
                losses = array.reshape(losses, sizes)
                losses.set_shape(labels.shape)
        return math.cast(losses, logits.dtype.base_dtype)


def _check_sparse(labels, logits):
    """Raises ValueError where the static shapes of class labels and logits do not fit."""
    if logits.rank == 0:
        raise ValueError(f"Logits cannot be scalars - received shape {logits}.")
    if None not in (labels.rank, logits.rank) and labels.rank != logits.rank - 1:
        raise ValueError(f"Rank mismatch: logits of rank {logits.rank} need labels of rank {logits.rank - 1}, got "
                         f"{labels.rank}")
    if labels.is_fully_defined() and logits[:-1].is_fully_defined() and labels.as_list() != logits[:-1].as_list():
        raise ValueError(f"Shape mismatch: The shape of labels (received {labels}) should equal the shape of logits "
                         f"except for the last dimension (received {logits}).")


def _same_rows(labels, logits):
    """The assertion that there is one label for each row of logits; none where the static shapes say so."""
    if labels.shape.is_fully_defined() and logits.shape[:-1].is_fully_defined():
        return []
    return [assert_equal(array.shape(labels), array.shape(logits)[:-1])]


# ---- two classes, independent of each other

@export("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the binary cross entropy of independent labels z and logits x: max(x, 0) - x * z + log(1 + exp(-|x|)).

    Args:
        _sentinel: not to be used: it makes sure that the arguments are named.
        labels: probabilities, of the shape and dtype of `logits`.
        logits: unscaled log odds.
        name: a name for the operation.

    Raises:
        ValueError: an argument is missing or not named, or the shapes differ.
    """
    _check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits, labels = _of_one_shape(logits, labels)
        # max(x, 0) - x * z + log(1 + exp(-|x|)): never the exponential of a large number.
        zeros = array.zeros_like(logits, dtype=logits.dtype.base_dtype)
        positive = logits >= zeros
        rectified = indexing.where(positive, logits, zeros)
        negated = indexing.where(positive, -logits, logits)
        return elementwise.add(rectified - logits * labels, elementwise.log1p(elementwise.exp(negated)), name=scope)


@export("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    """Computes the binary cross entropy in which the positive labels weigh `pos_weight` times as much.

    Args:
        labels: probabilities, of the shape and dtype of `logits`.
        logits: unscaled log odds.
        pos_weight: the weight of positive examples; more than 1 raises recall, less than 1 precision.
        name: a name for the operation.
        targets: the older name of `labels`.

    Raises:
        ValueError: the shapes differ.
    """
    labels = either("labels", labels, "targets", targets)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits, labels = _of_one_shape(logits, labels)
        weight = 1 + (pos_weight - 1) * labels
        softplus = elementwise.log1p(elementwise.exp(-math.abs(logits))) + activations.relu(-logits)
        return elementwise.add((1 - labels) * logits, weight * softplus, name=scope)


def _of_one_shape(logits, labels):
    logits = convert_to_tensor(logits, name="logits")
    labels = convert_to_tensor(labels, name="labels")
    try:
        labels.shape.merge_with(logits.shape)
    except ValueError:
        raise ValueError(f"logits and labels must have the same shape: {logits.shape} and {labels.shape}") from None
    return logits, labels


# ---- counts

@export("nn.log_poisson_loss")
def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """Computes the negative log likelihood of counts under Poisson distributions: exp(log_input) - log_input * targets.

    Args:
        targets: counts, of the shape and dtype of `log_input`.
        log_input: the logarithms of the rates.
        compute_full_loss: whether the part that does not depend on the guess is added, by Stirling's approximation.
        name: a name for the operations.

    Raises:
        ValueError: the shapes differ.
    """
    with name_scope(name, "log_poisson_loss", [log_input, targets]):
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, name="targets")
        try:
            targets.shape.merge_with(log_input.shape)
        except ValueError:
            raise ValueError(f"targets and log_input must have the same shape: {targets.shape} and {log_input.shape}") \
                from None
        result = elementwise.exp(log_input) - log_input * targets
        return result + _log_factorial(targets) if compute_full_loss else result


def _log_factorial(x):
    """Stirling's approximation; 0 for numbers from 0 to 1, for which it does not hold."""
    half, two_pi = constant(0.5, x.dtype.base_dtype), constant(2 * np.pi, x.dtype.base_dtype)
    approximate = x * elementwise.log(x) - x + half * elementwise.log(two_pi * x)
    zeros, ones = array.zeros_like(x), array.ones_like(x)
    small = elementwise.logical_and(x >= zeros, x <= ones)
    return indexing.where(small, zeros, approximate)


# ---- means over a batch that may be spread over replicas

@export("nn.compute_average_loss")
def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """The sum of the losses of examples, divided by the size of the batch over all replicas.

    Args:
        per_example_loss: the loss of each example.
        sample_weight: weights, one for each example.
        global_batch_size: the number of examples; by default those at hand.
    """
    losses = convert_to_tensor(per_example_loss)
    kind = losses.dtype.base_dtype
    if sample_weight is not None:
        losses = math.cast(losses, dtypes.float32)
        weights = math.cast(convert_to_tensor(sample_weight), dtypes.float32)
        losses = losses * weights if weights.shape.rank in (0, losses.shape.rank) else \
            losses * _as_wide(weights, losses)
    losses = math.cast(losses, kind)
    if global_batch_size is None:
        global_batch_size = array.shape(losses)[0]
    total = reduce_sum(losses)
    return total / math.cast(global_batch_size, kind)


def _as_wide(weights, losses):
    """Weights with as many axes as the losses."""
    missing = (losses.shape.rank or 1) - (weights.shape.rank or 1)
    return array.reshape(weights, array.concat([array.shape(weights), [1] * missing], 0))


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss):
    """The sum of regularization losses, for one replica."""
    return reduce_sum(regularization_loss)

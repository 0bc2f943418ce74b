"""Losses of models with very many classes, computed for the true classes and some that are drawn."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import candidates
from evergraph.frontend.nn.cross_entropy import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits_v2
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.nn.candidates import SAMPLERS

_ARGUMENTS = """

    Args:
        weights: [num_classes, dim], a list of parts, or a variable that was split into parts.
        biases: [num_classes].
        labels: int64 [batch_size, num_true]: the true classes.
        inputs: [batch_size, dim].
        num_sampled: how many classes to draw for a batch.
        num_classes: how many classes there are.
        num_true: how many are true for each example.
        sampled_values: what a candidate sampler gave; `tf.nn.log_uniform_candidate_sampler` draws by default.
        remove_accidental_hits: whether a class that was drawn does not count where it is true.
        partition_strategy: see `tf.nn.embedding_lookup`.
        name: a name prefix for the operations.{}

    Returns:
        A loss for each example.
    """


@export("nn.nce_loss")
def nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
             remove_accidental_hits=False, partition_strategy="mod", name="nce_loss"):
    logits, targets = sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true,
                                     sampled_values, True, remove_accidental_hits, partition_strategy, name)
    losses = sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name="sampled_losses")
    return row_sums(losses)


nce_loss.__doc__ = "Noise-contrastive estimation: telling true classes from drawn ones." + _ARGUMENTS.format("")


@export("nn.sampled_softmax_loss")
def sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                         remove_accidental_hits=True, partition_strategy="mod", name="sampled_softmax_loss",
                         seed=None):
    logits, targets = sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true,
                                     sampled_values, True, remove_accidental_hits, partition_strategy, name, seed)
    targets = basic.stop_gradient(targets, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=targets, logits=logits)


sampled_softmax_loss.__doc__ = "Softmax cross entropy over the true classes and some that are drawn." + \
    _ARGUMENTS.format("\n        seed: makes the draws the same in every run.")


def row_sums(x):
    """The sums of rows, as a product: that is what TensorFlow rounds like."""
    ones = array.ones(array.stack([array.shape(x)[1], 1]), x.dtype)
    return array.reshape(matmul(x, ones), [-1])


def sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                   subtract_log_q=True, remove_accidental_hits=False, partition_strategy="mod", name=None, seed=None):
    """(logits, targets): the true classes of each example, then the classes drawn for all of them.

    Args:
        subtract_log_q: whether the logarithm of how often a class is drawn is taken from its logit.
        (others): as for `tf.nn.sampled_softmax_loss`.
    """
    weights = list(weights) if isinstance(weights, PartitionedVariable) else weights
    weights = weights if isinstance(weights, list) else [weights]
    with name_scope(name, "compute_sampled_logits", [*weights, biases, inputs, labels]):
        inputs, labels = convert_to_tensor(inputs), math.cast(labels, dtypes.int64)
        flat = array.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = candidates.log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes,
                                                                      seed=seed)
        different = _all_different(sampled_values[0])
        sampled, true_count, sampled_count = (basic.stop_gradient(each) for each in sampled_values)
        sampled = math.cast(sampled, dtypes.int64)
        ids = array.concat([flat, sampled], 0)
        rows = math.cast(embedding_lookup(weights, ids, partition_strategy), inputs.dtype)
        shifts = math.cast(embedding_lookup(biases, ids, partition_strategy), inputs.dtype)
        true_logits, drawn_logits = _products(inputs, rows, shifts, flat, num_true)
        if remove_accidental_hits:
            drawn_logits += _taken_out(labels, sampled, drawn_logits.dtype, different)
        if subtract_log_q:
            true_logits -= elementwise.log(true_count)
            drawn_logits -= elementwise.log(sampled_count)
        targets = array.concat([array.ones_like(true_logits) / num_true, array.zeros_like(drawn_logits)], 1)
        return array.concat([true_logits, drawn_logits], 1), targets


def _products(inputs, rows, shifts, flat, num_true):
    """(logits of the true classes, logits of the sampled ones), from the weights and biases of both."""
    count = array.shape(flat)
    true_rows = indexing.slice(rows, [0, 0], array.stack([count[0], -1]))
    sampled_rows = indexing.slice(rows, array.stack([count[0], 0]), [-1, -1])
    sampled_logits = matmul(inputs, sampled_rows, transpose_b=True) + indexing.slice(shifts, count, [-1])
    dim = array.shape(true_rows)[1:2]
    by_example = array.reshape(true_rows, array.concat([[-1, num_true], dim], 0))
    products = array.reshape(array.expand_dims(inputs, 1) * by_example, array.concat([[-1], dim], 0))
    true_logits = array.reshape(row_sums(products), [-1, num_true])
    return true_logits + array.reshape(indexing.slice(shifts, [0], count), [-1, num_true]), sampled_logits


def _all_different(sampled):
    """Whether a sampler is known to draw no class twice."""
    source = getattr(sampled, "source", None)
    return source is not None and source.opdef in SAMPLERS and source.attrs["unique"]


def _taken_out(labels, sampled, kind, different):
    """[batch_size, num_sampled]: what takes sampled classes out where they are true, and 0 elsewhere.

    `tf.nn.compute_accidental_hits` gives a list whose length changes from step to step. Comparing all pairs comes to
    the same and stays in one compiled program. Of a class that was drawn several times, TensorFlow takes out the last.
    """
    hit = reduce.reduce_any(elementwise.equal(array.expand_dims(labels, 2), sampled), 1)
    if not different:
        place = math.range(array.shape(sampled)[0])
        same = elementwise.equal(array.expand_dims(sampled, 1), sampled)
        last = reduce.reduce_max(indexing.where_v2(same, place, -1), 1)
        hit = elementwise.logical_and(hit, elementwise.equal(last, place))
    return math.cast(indexing.where_v2(hit, np.finfo(np.float32).min, np.float32(0)), kind)

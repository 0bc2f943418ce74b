"""tf.contrib.crf: conditional random fields on chains, for tags whose neighbours have a say in them.

The score of a sequence of tags is the sum of its unary scores, `inputs[t, tag[t]]`, and of its transitions,
`transition_params[tag[t], tag[t + 1]]`. Its likelihood is exp(score) over the sum of exp(score) of all sequences.
"""

from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import concat, expand_dims, reverse_sequence, shape, squeeze, stack, zeros_like
from evergraph.frontend.indexing import batch_gather, gather_nd, sequence_mask, where
from evergraph.frontend.math import cast
from evergraph.frontend.reduce import argmax, reduce_logsumexp, reduce_max, reduce_sum
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.rnn import dynamic_rnn
from evergraph.layers.rnn_cell import RNNCell
from evergraph.ops.math.elementwise import less_equal, maximum


@export("contrib.crf.crf_sequence_score")
def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """The score of each sequence of tags; 0 where there is no tag.

    Args:
        inputs: unary scores, [batch, time, tags].
        tag_indices: ints, [batch, time].
        sequence_lengths: how many of the time steps count, [batch].
        transition_params: [tags, tags], from a row's tag to a column's.

    Returns:
        [batch]
    """
    return (crf_unary_score(tag_indices, sequence_lengths, inputs)
            + crf_binary_score(tag_indices, sequence_lengths, transition_params))  # fmt: skip


@export("contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices, sequence_lengths, inputs):
    """What the tags score without their neighbours; see `crf_sequence_score`."""
    inputs, tag_indices = convert_to_tensor(inputs), convert_to_tensor(tag_indices)
    scores = squeeze(batch_gather(inputs, expand_dims(tag_indices, 2)), [2])
    return _sum_of_first(scores, sequence_lengths)


@export("contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    """What the transitions between tags score; see `crf_sequence_score`."""
    tag_indices, sequence_lengths = convert_to_tensor(tag_indices), convert_to_tensor(sequence_lengths)
    steps = stack([tag_indices[:, :-1], tag_indices[:, 1:]], axis=2)
    return _sum_of_first(gather_nd(transition_params, steps), sequence_lengths - 1)


def _sum_of_first(scores, counts):
    """The sum of the first counts[i] scores of row i."""
    counted = sequence_mask(counts, shape(scores)[1])
    return reduce_sum(where(counted, scores, zeros_like(scores)), 1)


@export("contrib.crf.crf_multitag_sequence_score")
def crf_multitag_sequence_score(inputs, tag_bitmap, sequence_lengths, transition_params):
    """The log of the sum of exp(score) of all sequences whose tags are among those allowed.

    Args:
        inputs: unary scores, [batch, time, tags].
        tag_bitmap: bool, which tags are allowed at each time step, [batch, time, tags].
        sequence_lengths: [batch].
        transition_params: [tags, tags].

    Returns:
        [batch]
    """
    inputs = convert_to_tensor(inputs)
    allowed = where(tag_bitmap, inputs, zeros_like(inputs) + float("-inf"))
    return crf_log_norm(allowed, sequence_lengths, transition_params)


@export("contrib.crf.crf_log_norm")
def crf_log_norm(inputs, sequence_lengths, transition_params):
    """The log of the sum of exp(score) of all sequences, [batch]; 0 for no steps. See `crf_log_likelihood`."""
    inputs, sequence_lengths = convert_to_tensor(inputs), convert_to_tensor(sequence_lengths)
    _, scores = dynamic_rnn(
        CrfForwardRnnCell(transition_params), _moved(inputs), initial_state=inputs[:, 0],
        sequence_length=_transitions(sequence_lengths), dtype=inputs.dtype,
    )  # fmt: skip
    return _unless_empty(sequence_lengths, reduce_logsumexp(scores, [1]))


def _moved(inputs):
    """The scores from the second step on; the first comes last, where no sequence gets, so that there is a step."""
    return concat([inputs[:, 1:], inputs[:, :1]], 1)


def _transitions(lengths):
    """How many transitions there are in sequences of these lengths."""
    return maximum(lengths - 1, convert_to_tensor(0, lengths.dtype))


def _unless_empty(lengths, values):
    return where(less_equal(lengths, convert_to_tensor(0, lengths.dtype)), zeros_like(values), values)


@export("contrib.crf.crf_log_likelihood")
def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """The log-likelihood of each sequence of tags.

    Args:
        inputs: unary scores, [batch, time, tags].
        tag_indices: ints, [batch, time].
        sequence_lengths: how many of the time steps count, [batch].
        transition_params: [tags, tags]; by default a variable "transitions".

    Returns:
        ([batch], transition_params)
    """
    inputs = convert_to_tensor(inputs)
    if transition_params is None:
        tags = inputs.shape.as_list()[2]
        transition_params = get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


@export("contrib.crf.crf_decode")
def crf_decode(potentials, transition_params, sequence_length):
    """The sequences of the highest score.

    Args:
        potentials: unary scores, [batch, time, tags].
        transition_params: [tags, tags].
        sequence_length: how many of the time steps count, [batch].

    Returns:
        (int32 tags [batch, time], zeros behind the end of a sequence; their scores, [batch])
    """
    potentials, lengths = convert_to_tensor(potentials), convert_to_tensor(sequence_length)
    tags, counts = potentials.shape.as_list()[2], _transitions(lengths)
    came_from, scores = dynamic_rnn(
        CrfDecodeForwardRnnCell(transition_params), _moved(potentials), initial_state=potentials[:, 0],
        sequence_length=counts, scope="crf_fwd", dtype=dtypes.int32,
    )  # fmt: skip
    last = expand_dims(argmax(scores, axis=1, output_type=dtypes.int32), 1)
    path, _ = dynamic_rnn(
        CrfDecodeBackwardRnnCell(tags), reverse_sequence(came_from, counts, seq_axis=1), initial_state=last,
        sequence_length=counts, scope="crf_bwd", dtype=dtypes.int32,
    )  # fmt: skip
    backwards = concat([last, squeeze(path, [2])[:, :-1]], 1)
    return reverse_sequence(backwards, counts + 1, seq_axis=1), _unless_empty(lengths, reduce_max(scores, 1))


class _ChainCell(RNNCell):
    """What the cells have in common: a state and an output for each tag, and no variables."""

    def __init__(self, transition_params):
        super().__init__()
        self._transitions = expand_dims(convert_to_tensor(transition_params), 0)
        self._tags = self._transitions.shape.as_list()[1]

    state_size = property(lambda self: self._tags, doc="The number of tags.")
    output_size = property(lambda self: self._tags, doc="The number of tags.")

    def _reached(self, state):
        """[batch, from, to]: the score of coming to a tag from each one before it."""
        return expand_dims(state, 2) + self._transitions


@export("contrib.crf.CrfForwardRnnCell")
class CrfForwardRnnCell(_ChainCell):
    """One step of the sum over all sequences: for each tag, the log of the sum of those that end in it."""

    def __call__(self, inputs, state, scope=None):
        with variable_scope(scope or "crf_forward_rnn_cell"):
            sums = inputs + reduce_logsumexp(self._reached(state), [1])
        return sums, sums


@export("contrib.crf.CrfDecodeForwardRnnCell")
class CrfDecodeForwardRnnCell(_ChainCell):
    """One step of the search: the best score that ends in each tag, and the tag before it there."""

    def __call__(self, inputs, state, scope=None):
        with variable_scope(scope or "crf_decode_forward_rnn_cell"):
            reached = self._reached(state)
            return argmax(reached, 1, output_type=dtypes.int32), inputs + reduce_max(reached, [1])


@export("contrib.crf.CrfDecodeBackwardRnnCell")
class CrfDecodeBackwardRnnCell(RNNCell):
    """One step back along the best sequence: from a tag to the tag before it."""

    def __init__(self, num_tags):
        super().__init__()
        self._tags = num_tags

    state_size = property(lambda self: 1, doc="One tag.")
    output_size = property(lambda self: 1, doc="One tag.")

    def __call__(self, inputs, state, scope=None):
        with variable_scope(scope or "crf_decode_backward_rnn_cell"):
            before = batch_gather(inputs, cast(state, dtypes.int32))
        return before, before


@export("contrib.crf.viterbi_decode")
def viterbi_decode(score, transition_params):
    """The best sequence for one example, worked out by NumPy.

    Args:
        score: unary scores, [time, tags].
        transition_params: [tags, tags].

    Returns:
        (list of tags, their score)
    """
    best, came_from = score[0], []
    for unary in score[1:]:
        reached = best[:, np.newaxis] + transition_params
        came_from.append(np.argmax(reached, 0))
        best = unary + np.max(reached, 0)
    tags = [np.argmax(best)]
    for before in reversed(came_from):
        tags.append(before[tags[-1]])
    return tags[::-1], np.max(best)

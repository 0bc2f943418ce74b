"""One step of a beam search: extends the beams by tokens and keeps the best."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.contrib.seq2seq.wrapper import AttentionWrapperState
from evergraph.frontend import array, math, ordering
from evergraph.frontend.indexing import batch_gather, one_hot, where
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import pad, reshape
from evergraph.ops.math import elementwise


def beams_after(logits: Any, cell_state: Any, before: Any, end_token: Any, length_penalty_weight: Any,
                coverage_penalty_weight: Any) -> tuple[Any, Any]:
    """The beams after a step.

    Args:
        logits: the tokens' logits: a tensor of shape [batch, beam, vocabulary].
        cell_state: the state of the cell after the step, with the axes batch and beam.
        before: the state of the search before the step.
        end_token: the end token.
        length_penalty_weight, coverage_penalty_weight: see `tf.contrib.seq2seq.BeamSearchDecoder`.

    Returns:
        (scores, tokens, parent beams) and the five fields of the search's state.
    """
    sizes = array.shape(logits)
    width, symbols = (known or sizes[axis] for axis, known in zip((1, 2), logits.shape.as_list()[1:]))
    chances = only_the_end(activations.log_softmax(logits), end_token, before.finished)
    total = array.expand_dims(before.log_probs, 2) + chances
    open_, attended = elementwise.logical_not(before.finished), coverage_of(cell_state, coverage_penalty_weight)
    if attended is not None:
        still = array.expand_dims(math.cast(open_, attended.dtype), 2)
        attended = before.accumulated_attention_probs + attended * still
    lengths = _lengths_with(before.lengths, open_, end_token, symbols)
    scores = _scores(total, lengths, length_penalty_weight, coverage_penalty_weight, before.finished, attended)

    best, places = ordering.top_k(reshape.reshape(scores, [sizes[0], -1]), k=width)
    chosen = batch_gather(reshape.reshape(total, [sizes[0], -1]), places)
    ids, parents = elementwise.floor_mod(places, symbols), elementwise.floor_div(places, symbols)
    was_finished = batch_gather(before.finished, parents)
    finished = elementwise.logical_or(was_finished, elementwise.equal(ids, end_token), name="next_beam_finished")
    longer = math.cast(elementwise.logical_not(was_finished), dtypes.int64)
    after = (nest.map_structure(lambda t: _continued(t, parents), cell_state), chosen, finished,
             batch_gather(before.lengths, parents) + longer,
             () if attended is None else batch_gather(attended, parents))
    return (best, ids, parents), after


def _continued(t: Any, parents: Tensor) -> Any:
    """The rows of the parent beams; values without beams are unchanged."""
    if isinstance(t, TensorArray) or t.shape.ndims is not None and t.shape.ndims < 2:
        return t
    result = batch_gather(t, parents)
    result.set_shape(t.shape)
    return result


def only_the_end(chances: Tensor, end_token: Any, finished: Tensor) -> Tensor:
    """The log probabilities of tokens; finished beams can only repeat the end token, at no cost."""
    ended = one_hot(end_token, array.shape(chances)[2], dtype=chances.dtype, on_value=chances.dtype.as_numpy_dtype(0),
                    off_value=chances.dtype.min)
    rows = array.zeros_like(chances) + ended
    over = pad.tile(array.expand_dims(finished, 2), [1, 1, array.shape(chances)[2]])
    return where(over, rows, chances)


def _lengths_with(lengths: Tensor, open_: Tensor, end_token: Any, symbols: Any) -> Tensor:
    """The beams' lengths with each token; the end token does not count."""
    counts = one_hot(end_token, symbols, on_value=0, off_value=1, dtype=dtypes.int64)
    return array.expand_dims(lengths, 2) + counts * array.expand_dims(math.cast(open_, dtypes.int64), 2)


def _scores(total: Tensor, lengths: Tensor, length_weight: Any, coverage_weight: Any, finished: Tensor,
            attended: Tensor | None) -> Tensor:
    """The beams' scores: log probabilities with the length penalty, minus the coverage penalty.

    Raises:
        ValueError: a weight is not a scalar.
    """
    scores = total / math.cast(_length_penalty(lengths, length_weight), total.dtype)
    weight = convert_to_tensor(coverage_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(f"coverage_penalty_weight must be a scalar, but has the shape {weight.shape}")
    if attended is None:
        return scores
    # Steps with no attention at all are beyond the end of the memory.
    attended = where(elementwise.equal(attended, 0.0), array.ones_like(attended), attended)
    missing = reduce_sum(elementwise.log(elementwise.minimum(attended, 1.0)), 2)
    missing = missing * math.cast(finished, missing.dtype) * weight
    return scores + array.expand_dims(missing, 2)


def _length_penalty(lengths: Tensor, weight: Any) -> Any:
    """The length penalty ((5 + length) / 6) ** weight (Wu et al., 2016)."""
    factor = convert_to_tensor(weight, name="penalty_factor")
    if factor.shape.ndims not in (0, None):
        raise ValueError(f"length_penalty_weight must be a scalar, but has the shape {factor.shape}")
    if static_value(factor) == 0:
        return 1.0
    return elementwise.div((5.0 + math.cast(lengths, dtypes.float32)) ** factor, (5.0 + 1.0) ** factor)


def coverage_of(cell_state: Any, weight: Any) -> Tensor | None:
    """The alignments of the last step; None without a coverage penalty.

    Raises:
        ValueError: there is a coverage penalty, but the cell has no attention.
    """
    if not isinstance(weight, Tensor) and weight == 0.0:
        return None
    states = [cell_state]
    if not isinstance(cell_state, AttentionWrapperState):
        states = list(cell_state) if isinstance(cell_state, tuple) else []
    found = [_mean(state.alignments) for state in states if isinstance(state, AttentionWrapperState)]
    if not found:
        raise ValueError("coverage_penalty_weight has to be 0.0 when no cell attends to a memory")
    return _mean(tuple(found)) if len(found) > 1 else found[0]


def _mean(alignments: Any) -> Tensor:
    if not isinstance(alignments, tuple):
        return alignments
    return reduce_mean(array.stack(alignments, -1), -1)

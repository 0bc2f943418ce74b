"""GatherTree: backtracks the beams of a beam search."""

import numpy as np

from evergraph.base import errors
from evergraph.graph import shaping
from evergraph.graph.opdef import STOP, op
from evergraph.ops.nn.rnn_blocks import over_time


@op("GatherTree(step_ids: T, parent_ids: T, max_sequence_lengths: int32, end_token: T, *, T: {int32}) -> beams: T",
    grad=STOP)
def gather_tree(xp, check, step_ids, parent_ids, max_sequence_lengths, end_token):
    """Backtracks beam search: follows each beam's parents from the last step to the first and returns its tokens.

    After the length of a sequence, or after the first `end_token`, the tokens are `end_token`.

    Args:
        step_ids: the tokens, [time, batch, beam].
        parent_ids: the beam that each one follows, [time, batch, beam].
        max_sequence_lengths: [batch], how many steps count.
        end_token: a scalar.
    """
    _require_trees(step_ids, parent_ids, max_sequence_lengths, end_token)
    steps, batch, width = np.shape(step_ids)
    if not steps:
        return step_ids
    own = np.broadcast_to(np.arange(width, dtype=np.int32), (batch, width))
    lengths = xp.minimum(max_sequence_lengths, steps)[:, None]

    def step(place, row):
        time, ids, parents = row
        inside, safe = time < lengths, xp.clip(place, 0, width - 1)
        found = xp.where(inside, xp.take_along_axis(ids, safe, 1), end_token)
        return xp.where(inside, xp.take_along_axis(parents, safe, 1), own), (found, place)

    rows = (np.arange(steps), step_ids, parent_ids)
    _, (found, places) = over_time(xp, step, xp.asarray(own), rows, backward=True)
    _check_places(xp, check, places, width)
    ends = xp.asarray(found == end_token, np.int32)
    return xp.where(xp.cumsum(ends, axis=0) - ends > 0, end_token, found)


def _require_trees(step_ids, parent_ids, lengths, end_token):
    for ok, told in ((np.ndim(step_ids) == 3, "step_ids must have three axes"),
                     (np.ndim(lengths) == 1, "max_sequence_lengths must be a vector"),
                     (np.ndim(end_token) == 0, "end_token must be a scalar"),
                     (np.shape(step_ids) == np.shape(parent_ids), "step_ids and parent_ids must have one shape"),
                     (np.ndim(step_ids) != 3 or np.shape(step_ids)[1:2] == np.shape(lengths),
                      "max_sequence_lengths must have one length for each sequence of step_ids")):
        if not ok:
            raise errors.InvalidArgumentError(None, None, f"{told}, saw shapes: {np.shape(step_ids)}, "
                                              f"{np.shape(parent_ids)}, {np.shape(lengths)}, {np.shape(end_token)}")


def _check_places(xp, check, places, width):
    """Fails if a parent beam is out of range; names the first sequence and beam, and the last step."""
    wrong = (places < 0) | (places >= width)
    ordered = xp.flip(xp.transpose(wrong, (1, 2, 0)), 2)
    batch, beam, back = (xp.asarray(n) for n in xp.unravel_index(xp.argmax(ordered.reshape(-1)), ordered.shape))
    time = wrong.shape[0] - 1 - back
    check(~xp.any(wrong), "no beam has the parent id {} at (batch, time, beam) == ({}, {}, {})",
          places[time, batch, beam], batch, time, beam)


@gather_tree.shape
def _(step_ids, parent_ids, max_sequence_lengths, end_token):
    shaping.with_rank(max_sequence_lengths, 1)
    shaping.with_rank(end_token, 0)
    return shaping.merge(shaping.with_rank(step_ids, 3), shaping.with_rank(parent_ids, 3))

"""Connectionist temporal classification (CTC; Graves et al., 2006): the loss, and greedy and beam search decoding.

A path assigns one class to each frame; the last class is the blank. A path spells a label sequence: repeated classes
are merged, then blanks are removed. The loss sums over all paths that spell the labels.
"""
from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_size, require_equal, with_rank
from evergraph.ops.arrays.basic import prevent_gradient
from evergraph.ops.arrays.reshape import expand_dims
from evergraph.ops.math.elementwise import mul

# ---- the loss


def _loss_shape(inputs, labels_indices, labels_values, sequence_length):
    inputs = with_rank(inputs, 3)
    require_equal(with_rank(labels_indices, 2)[0], with_rank(labels_values, 1)[0])
    batch = merge_size(inputs[1], with_rank(sequence_length, 1)[0])
    return [(batch,), (inputs[0], batch, inputs[2])]


@op(
    "CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32, *, "
    "preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True, "
    "ignore_longer_outputs_than_inputs: bool = False, T: {float, double} = float) -> loss: T, gradient: T",
    shape=_loss_shape,
    on="host",
)
def ctc_loss(inputs, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated, ctc_merge_repeated,
             ignore_longer_outputs_than_inputs):
    """The CTC loss (Graves et al., 2006): minus the log likelihood of each label sequence, and its gradient.

    The numbers of frames and labels vary from step to step, and the rest of a training step stays one program.
    """
    batch, classes = inputs.shape[1:]
    _check_frames(inputs, sequence_length, errors.InvalidArgumentError)
    if sequence_length.min() < 0:
        raise invalid(f"sequence_length must not be negative, but is {sequence_length.tolist()}")
    targets = [_target(row, labels, classes - 1, preprocess_collapse_repeated)
               for row, labels in enumerate(_rows(labels_indices, labels_values, batch))]
    counts = np.array([len(t) for t in targets])
    too_long = counts > sequence_length
    if too_long.any() and not ignore_longer_outputs_than_inputs:
        row = int(too_long.argmax())
        raise invalid(f"sequence {row} has {counts[row]} labels, too many for its {sequence_length[row]} frames")
    states = np.full((batch, 2 * counts.max() + 1), classes - 1, np.int64)
    for row, target in enumerate(targets):
        states[row, 1:2 * len(target):2] = target
    with np.errstate(divide="ignore", invalid="ignore"):  # the logarithm of 0 is that of a path that there is not
        loss, gradient = _loss_and_gradient(bool(ctc_merge_repeated), inputs, states, counts,
                                            np.where(too_long, 0, sequence_length))
    return np.where(too_long, 0, loss), gradient


@ctc_loss.grad
def _ctc_loss_grad(op, by_loss, by_gradient):
    known = prevent_gradient(op.outputs[1], message="the gradient of CTCLoss is computed by itself and has none")
    return [mul(expand_dims(expand_dims(by_loss, 0), -1), known), None, None, None]


def _check_frames(inputs, sequence_length, wrong_lengths):
    """Raises if there are no frames, or if a sequence is longer than the frames."""
    if inputs.ndim == 3 and not inputs.shape[1]:
        raise invalid(f"batch_size must not be 0: inputs are [frames, batch, classes], of shape {list(inputs.shape)}")
    if inputs.ndim != 3 or 0 in inputs.shape:
        raise invalid(f"inputs must be [frames, batch, classes] with at least one of each, but are of shape "
                      f"{list(inputs.shape)}")
    if sequence_length.shape != inputs.shape[1:2]:
        raise wrong_lengths(None, None, f"sequence_length must be of shape [{inputs.shape[1]}], one for each sequence, "
                                        f"but is of shape {list(sequence_length.shape)}")
    if sequence_length.max() > len(inputs):
        raise wrong_lengths(None, None, f"sequence_length is {sequence_length.tolist()}, but there are {len(inputs)} "
                                        f"frames")


def _rows(indices, values, batch):
    """The labels of each sequence, in order."""
    if indices.ndim != 2 or indices.shape[1] != 2 or values.shape != indices.shape[:1]:
        raise invalid(f"labels must be n indices [sequence, position] and n values, but are of shape "
                      f"{list(indices.shape)} and {list(values.shape)}")
    rows = indices[:, 0]
    if len(rows) and not (0 <= rows.min() and rows.max() < batch):
        raise invalid(f"labels name sequences {rows.min()} to {rows.max()}, but there are {batch}")
    steps = np.diff(indices, axis=0)
    if np.any((steps[:, 0] < 0) | (steps[:, 0] == 0) & (steps[:, 1] <= 0)):
        raise invalid("the indices of labels are not in order")
    return np.split(values, np.searchsorted(rows, np.arange(1, batch)))


def _target(row, labels, blank, collapse):
    """The labels that a path must spell: blanks are only allowed at the end, where they are dropped."""
    if not len(labels):
        raise invalid(f"sequence {row} has no labels")
    if collapse:
        labels = labels[np.insert(labels[1:] != labels[:-1], 0, True)]
    end = int((labels >= blank).argmax()) if (labels >= blank).any() else len(labels)
    if np.any(labels[end:] < blank):
        raise invalid(f"sequence {row} has a label after a blank (a label of {blank} or more): {labels.tolist()}")
    if np.any(labels < 0):
        raise invalid(f"sequence {row} has a negative label: {labels.tolist()}")
    return labels[:end]


def _loss_and_gradient(merge_repeated, logits, states, counts, lengths):
    """The forward-backward algorithm over all paths.

    The backward pass is the forward pass on the reversed sequence, so that one walk computes both.

    Args:
        merge_repeated: whether repeated labels are merged, so that a path may stay at a label.
        logits: [frames, batch, classes].
        states: [batch, 2 * labels + 1], the class of each state: blank, first label, blank, second label, ...
        counts: the number of labels of each sequence; later states are unused.
        lengths: the number of frames of each sequence.
    """
    batch = len(states)
    shown = np.exp(logits - logits.max(axis=2, keepdims=True))
    shown /= shown.sum(axis=2, keepdims=True)
    emitted = np.log(np.take_along_axis(shown, states[None], axis=2))  # that of a rounded probability, as in TensorFlow
    frames, rows, position = np.arange(len(logits))[:, None], np.arange(batch), np.arange(states.shape[1])
    ends = 2 * counts[:, None]
    turned_frames = np.clip(lengths - 1 - frames, 0, len(logits) - 1)[:, :, None]
    turned_states = np.clip(ends - position, 0, states.shape[1] - 1)

    def turned(scores):
        return scores[turned_frames, rows[:, None], turned_states]

    both_states = np.concatenate([states, np.take_along_axis(states, turned_states, axis=1)])
    both = _walked(np.concatenate([emitted, turned(emitted)], axis=1), both_states, merge_repeated)
    forwards, backwards = both[:, :batch], turned(both[:, batch:])
    at_end = forwards[np.maximum(lengths - 1, 0), rows]
    likelihood = np.logaddexp(at_end[rows, 2 * counts], np.where(counts > 0, at_end[rows, 2 * counts - 1], -np.inf))
    through = np.exp(forwards + backwards - emitted - likelihood[:, None])  # both include the frame's emission
    possible = (position <= ends) & np.isfinite(likelihood)[:, None] & np.isfinite(emitted)
    gradient = shown - _by_class(np.where(possible, through, 0), states, shown.shape)
    gradient[frames >= lengths] = 0
    return -likelihood, gradient


def _by_class(weights, states, shape):
    """The sums of the weights of states that have the same class."""
    frames, batch, classes = shape
    places = (np.arange(frames * batch) * classes).reshape(frames, batch, 1) + states
    sums = np.bincount(places.reshape(-1), weights.reshape(-1), frames * batch * classes)
    return sums.reshape(shape).astype(weights.dtype)


def _walked(emitted, states, merge_repeated):
    """The log probability of all paths up to each frame and state, [frames, batch, states]."""
    position = np.arange(states.shape[1])
    is_label = position % 2 == 1
    before = np.pad(states, ((0, 0), (2, 0)), constant_values=-1)[:, :-2]
    may_skip = is_label & (position > 1) & ((states != before) | (not merge_repeated))
    cost = lambda allowed: np.where(allowed, 0, -np.inf).astype(emitted.dtype)
    staying, skipping = None if merge_repeated else cost(~is_label), cost(may_skip)
    least = np.finfo(emitted.dtype).min  # the largest of no ways, from which nothing can be subtracted
    scores, found = np.full((len(states), len(position) + 2), -np.inf, emitted.dtype), np.empty_like(emitted)
    here, one_before, two_before = scores[:, 2:], scores[:, 1:-1], scores[:, :-2]
    found[0] = here[:] = np.where(position < 2, emitted[0], -np.inf)
    ways, best = np.empty((3, *here.shape), emitted.dtype), np.empty_like(emitted[0])
    for frame in range(1, len(emitted)):
        if staying is None:
            ways[0] = here
        else:
            np.add(here, staying, out=ways[0])
        ways[1] = one_before
        np.add(two_before, skipping, out=ways[2])
        ways.max(axis=0, out=best, initial=least)
        ways -= best
        np.exp(ways, out=ways)
        arrived = ways.sum(axis=0, out=found[frame])
        np.log(arrived, out=arrived)
        arrived += best
        arrived += emitted[frame]
        here[:] = arrived
    return found


# ---- decoding


def _sparse(counts, values):
    """(indices, values, dense shape) of the SparseTensor whose rows have so many of the values each."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.stack([rows, places], axis=1), values.astype(np.int64), np.array([len(counts), counts.max()])


def _collapsed(sequence):
    """The sequence with repeated elements merged."""
    return sequence[np.insert(sequence[1:] != sequence[:-1], 0, True)] if len(sequence) else sequence


def _greedy_shape(inputs, sequence_length):
    batch = merge_size(with_rank(inputs, 3)[1], with_rank(sequence_length, 1)[0])
    return [(None, 2), (None,), (2,), (batch, 1)]


@op(
    "CTCGreedyDecoder(inputs: T, sequence_length: int32, *, merge_repeated: bool = False, "
    "T: {float, double} = float) -> decoded_indices: int64, decoded_values: int64, decoded_shape: int64, "
    "log_probability: T",
    shape=_greedy_shape,
    grad=STOP,
    on="host",
    later={"blank_index": -1},
)
def ctc_greedy_decoder(inputs, sequence_length, merge_repeated):
    """CTC decoding along the most likely class of each frame, and minus the sum of that path's logits."""
    _check_frames(inputs, sequence_length, errors.FailedPreconditionError)
    best = inputs.argmax(axis=2)
    counted = np.arange(len(inputs))[:, None] < sequence_length
    score = -np.where(counted, np.take_along_axis(inputs, best[:, :, None], 2)[:, :, 0], 0).sum(axis=0)
    chosen = counted & (best != inputs.shape[2] - 1)
    if merge_repeated:
        chosen[1:] &= best[1:] != best[:-1]
    return *_sparse(chosen.sum(axis=0), best.T[chosen.T]), score[:, None]


def _beam_shape(inputs, sequence_length, top_paths):
    batch = merge_size(with_rank(inputs, 3)[1], with_rank(sequence_length, 1)[0])
    return [(None, 2)] * top_paths + [(None,)] * top_paths + [(2,)] * top_paths + [(batch, top_paths)]


@op(
    "CTCBeamSearchDecoder(inputs: T, sequence_length: int32, *, beam_width: int >= 1, top_paths: int >= 1, "
    "merge_repeated: bool = True, T: {float, double} = float) -> decoded_indices: top_paths * int64, "
    "decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T",
    shape=_beam_shape,
    grad=STOP,
    on="host",
)
def ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated):
    """CTC beam search decoding: the most likely label sequences, best first, and their log probabilities."""
    _check_frames(inputs, sequence_length, errors.FailedPreconditionError)
    if top_paths > beam_width:
        raise invalid(f"requested more paths than the beam width: {top_paths} of a beam of {beam_width}")
    beam = Beam(inputs.shape[1], beam_width, inputs.dtype)
    shifted = inputs - inputs.max(axis=2, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=2, keepdims=True))
    for frame in range(max(int(sequence_length.max()), 0)):
        beam.advance(logs[frame], np.flatnonzero(sequence_length > frame))
    scores = beam.scores()[:, :top_paths]
    if np.isneginf(scores[:, -1]).any():
        raise invalid(f"there are fewer than {top_paths} paths for some sequence")
    found = [[_collapsed(s) if merge_repeated else s for s in beam.sequences(rank)] for rank in range(top_paths)]
    indices, values, shapes = zip(*(_sparse(np.array(list(map(len, each))), np.concatenate(each)) for each in found))
    return list(indices), list(values), list(shapes), scores


class Beam:
    """The beams of a batch of sequences: the most likely prefixes after each frame, best first.

    A prefix is identified by a hash of its labels, so that one that left the beam and returns is again the parent of
    its continuations.
    """

    _ROOT, _NOBODY = np.uint64(1), np.uint64(0)

    def __init__(self, batch, width, dtype):
        self._width = width
        self._by_blank = np.full((batch, width), -np.inf, dtype)  # log probability of the paths that end in a blank ...
        self._by_label = self._by_blank.copy()  # ... and of those that end in the last label
        self._by_blank[:, 0] = 0
        self._last = np.full((batch, width), -1)
        self._number = np.full((batch, width), self._NOBODY)
        self._number[:, 0] = self._ROOT
        self._parent = np.full((batch, width), self._NOBODY)
        self._history = []  # per frame: for each prefix, its parent in the frame before, and the label added

    def scores(self):
        """The log probability of each prefix."""
        return np.logaddexp(self._by_blank, self._by_label)

    def advance(self, logs, rows):
        """Processes one more frame of the sequences `rows`, given log probabilities [batch, classes]."""
        logs = logs[rows]
        last, total, blank = self._last[rows], self.scores()[rows], self._by_blank[rows]
        stay_blank, stay_label, is_parent = self._kept(logs, rows, last, total)
        fresh = np.repeat(total[:, :, None], logs.shape[1] - 1, axis=2)
        row, place = np.nonzero(last >= 0)
        fresh[row, place, last[row, place]] = blank[row, place]  # a repeated label needs a blank between
        fresh += logs[:, None, :-1]
        row, child, parent = np.nonzero(is_parent)
        fresh[row, parent, last[row, child]] = -np.inf  # is in the beam already
        kept = np.logaddexp(stay_blank, stay_label)
        later = is_parent & np.tri(self._width, k=-1, dtype=bool) & np.isfinite(kept)[:, :, None]
        for row in np.flatnonzero(later.any(axis=(1, 2))):
            fresh[row, _silenced(kept[row], fresh[row], last[row], later[row])] = -np.inf
        scores = np.concatenate([kept, fresh.reshape(len(rows), -1)], axis=1)
        self._keep(rows, _best(scores, self._width), kept, stay_blank, stay_label, fresh)

    def _kept(self, logs, rows, last, total):
        """(by blank, by label) of the beam's prefixes after this frame, and which prefix is whose parent."""
        parent, number = self._parent[rows], self._number[rows]
        is_parent = (parent[:, :, None] == number[:, None, :]) & (parent != self._NOBODY)[:, :, None]
        from_parent = np.where(last[:, :, None] == last[:, None, :], self._by_blank[rows][:, None, :],
                               total[:, None, :])
        arrived = np.where(is_parent, from_parent, -np.inf).max(axis=2)
        label = logs[np.arange(len(rows))[:, None], np.maximum(last, 0)]
        by_label = np.where(last >= 0, np.logaddexp(self._by_label[rows], arrived) + label, -np.inf)
        return total + logs[:, -1:], by_label, is_parent

    def _keep(self, rows, chosen, kept, stay_blank, stay_label, fresh):
        """Continues with the chosen candidates: first the prefixes of the beam, then their continuations."""
        width, labels = self._width, fresh.shape[2]
        stays = chosen < width
        source = np.where(stays, chosen, (chosen - width) // max(labels, 1))
        added = np.where(stays, -1, (chosen - width) % max(labels, 1))
        each = np.arange(len(rows))[:, None]
        pick = lambda values: values[each, source]
        longer = fresh.reshape(len(rows), -1)[each, np.where(stays, 0, chosen - width)] if labels else pick(stay_label)
        number = pick(self._number[rows])
        missing = np.isneginf(np.where(stays, pick(kept), longer))
        self._by_blank[rows] = np.where(stays, pick(stay_blank), -np.inf)
        self._by_label[rows] = np.where(stays, pick(stay_label), longer)
        self._last[rows] = np.where(stays, pick(self._last[rows]), added)
        self._parent[rows] = np.where(missing, self._NOBODY, np.where(stays, pick(self._parent[rows]), number))
        self._number[rows] = np.where(missing, self._NOBODY, np.where(stays, number, _continued(number, added)))
        self._history.append((rows, source, added))

    def sequences(self, rank):
        """The labels of the prefixes at this rank, one for each sequence of the batch."""
        place = np.full(len(self._last), rank)
        added = []
        for rows, source, labels in reversed(self._history):
            step = np.full(len(place), -1)
            within = np.arange(len(rows))
            step[rows] = labels[within, place[rows]]
            place[rows] = source[within, place[rows]]
            added.append(step)
        steps = np.array(added[::-1]).reshape(-1, len(place))
        return [column[column >= 0] for column in steps.T]


def _silenced(kept, fresh, last, later):
    """Which prefixes of one beam are not extended although they could be.

    TensorFlow processes the prefixes in order, best first, and inserts each extension into the beam at once. A prefix
    that has by then dropped out of the beam, as an extension of its parent, is forgotten and so is not extended when
    its turn comes.

    Args:
        kept: the prefixes' scores after this frame.
        fresh: [prefixes, labels], the scores of their extensions.
        last: the last label of each prefix.
        later: [prefixes, prefixes], whether the second is the parent of the first, and comes before it.
    """
    width = len(kept)
    child, parent = np.nonzero(later)
    silenced = np.zeros(width, bool)
    limits = kept[child][:, None]
    source, label = np.nonzero(fresh > limits.min())
    before = (source < parent[:, None]) | (source == parent[:, None]) & (label < last[child][:, None])
    above = before & (fresh[source, label] > limits)
    kept_above = (kept > limits).sum(axis=1)
    while True:
        pushed_out = (kept_above + (above & ~silenced[source]).sum(axis=1) >= width) & ~silenced[parent]
        now = np.zeros(width, bool)
        now[child[pushed_out]] = True
        if np.array_equal(now, silenced):  # each depends on better ones only, so that this terminates
            return silenced
        silenced = now


def _best(scores, count):
    """The indices of the highest scores of each row, best first; ties in ascending order."""
    if scores.shape[1] > 4 * count:
        each = np.arange(len(scores))[:, None]
        some = np.sort(np.argpartition(-scores, count - 1, axis=1)[:, :count], axis=1)
        return some[each, np.argsort(-scores[each, some], axis=1, kind="stable")]
    return np.argsort(-scores, axis=1, kind="stable")[:, :count]


def _continued(number, label):
    """The hash of a prefix with one more label: 64 well-mixed bits, so that collisions are negligible."""
    mixed = (number + np.uint64(0x9E3779B97F4A7C15)) ^ ((label + 2).astype(np.uint64) * np.uint64(0xD6E8FEB86659FD93))
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)

"""Connectionist temporal classification: losses of label sequences that are not aligned with their frames, decoders."""
from __future__ import annotations

import math as numbers
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.functional import foldl, map_fn
from evergraph.frontend.nn.activations import log_softmax
from evergraph.frontend.reduce import cumsum, either, reduce_logsumexp, reduce_max, reduce_sum
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import gather, pad, search
from evergraph.ops.math import elementwise
from evergraph.ops.nn import ctc

# The weight, as a logarithm, that the dense loss gives to paths which do not show all labels. It keeps the loss of
# sequences with too few frames finite, and its gradient meaningful.
_UNFINISHED = numbers.log(1e-307)
_NEVER = -1e30  # as good as minus infinity, but with gradients


@export("nn.ctc_loss")
def ctc_loss(labels: Any, inputs: Any = None, sequence_length: Any = None, preprocess_collapse_repeated: bool = False,
             ctc_merge_repeated: bool = True, ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
             logits: Any = None) -> Tensor:
    """Minus the log likelihood of label sequences given the logits of frames, whatever the alignment.

    The last class is the blank.

    Args:
        labels: an int32 SparseTensor; its element [b, i] is the i-th label of sequence b.
        inputs: logits, [frames, batch, classes].
        sequence_length: int32, the number of frames of each sequence.
        preprocess_collapse_repeated: gives equal labels in a row only once before anything else.
        ctc_merge_repeated: whether equal labels in a row of a path count once, as usual.
        ignore_longer_outputs_than_inputs: gives sequences with more labels than frames no loss, where they would be
            an error.
        time_major: False when `inputs` are [batch, frames, classes].
        logits: another name of `inputs`.

    Returns:
        The loss of each sequence.

    Raises:
        TypeError: `labels` is no SparseTensor.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError(f"labels must be a SparseTensor, not {labels!r}")
    inputs = convert_to_tensor(either("logits", logits, "inputs", inputs), name="inputs")
    inputs = inputs if time_major else array.transpose(inputs, [1, 0, 2])
    return ctc.ctc_loss(inputs, labels.indices, labels.values, sequence_length,
                        preprocess_collapse_repeated=preprocess_collapse_repeated,
                        ctc_merge_repeated=ctc_merge_repeated,
                        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs)[0]


@export("nn.ctc_loss_v2")
def ctc_loss_v2(labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True,
                unique: Any = None, blank_index: int | None = None, name: str | None = None) -> Tensor:
    """Minus the log likelihood of label sequences, given densely or sparsely, with any class as the blank.

    Args:
        labels: [batch, labels], filled up at the end; or a SparseTensor as `tf.nn.ctc_loss` takes.
        logits: [frames, batch, classes].
        label_length: the number of labels of each sequence; not used when they are sparse.
        logit_length: the number of frames of each sequence.
        logits_time_major: False when `logits` are [batch, frames, classes].
        unique: what `tf.nn.ctc_unique_labels` gives; has no meaning here: each label is looked up directly.
        blank_index: the class that is the blank; a negative one counts from the end. By default 0, but sparse labels
            require it.
        name: a name scope.

    Returns:
        The loss of each sequence. Where dense labels do not fit in their frames it is large, but finite.

    Raises:
        ValueError: labels are sparse and `blank_index` is not given.
    """
    if isinstance(labels, SparseTensor):
        return _sparse_loss(labels, logits, logit_length, logits_time_major, blank_index)
    with name_scope(name, "ctc_loss_dense", [labels, logits, label_length, logit_length]):
        logits = convert_to_tensor(logits, name="logits")
        labels = math.cast(convert_to_tensor(labels, name="labels"), dtypes.int32)
        label_length = math.cast(convert_to_tensor(label_length, name="label_length"), dtypes.int32)
        logit_length = math.cast(convert_to_tensor(logit_length, name="logit_length"), dtypes.int32)
        logits = logits if logits_time_major else array.transpose(logits, [1, 0, 2])
        return _dense_loss(labels, logits, label_length, logit_length, _blank(logits, blank_index or 0))


def _blank(logits: Tensor, blank_index: int) -> Any:
    """The class of the blank, counted from the start."""
    return blank_index if blank_index >= 0 else array.shape(logits)[2] + blank_index


def _sparse_loss(labels: SparseTensor, logits: Any, logit_length: Any, time_major: bool,
                 blank_index: int | None) -> Tensor:
    """The loss of the op, with the class of the blank moved to the end."""
    if blank_index is None:
        raise ValueError("blank_index must be given when labels are sparse")
    logits = convert_to_tensor(logits, name="logits")
    blank = _blank(logits, blank_index)
    if blank_index != -1:
        logits = array.concat([logits[:, :, :blank], logits[:, :, blank + 1:], logits[:, :, blank:blank + 1]], axis=2)
        values = indexing.where(labels.values < blank, labels.values, labels.values - 1)
        labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return ctc_loss(labels, logits, logit_length, time_major=time_major)


def _dense_loss(labels: Tensor, logits: Tensor, label_length: Tensor, logit_length: Tensor, blank: Any) -> Tensor:
    """Walks all paths at once, frame by frame, through the states: start, blank, first label, blank, second label, ...

    A path goes from a state to the next, or skips a blank between two different labels.
    """
    shown = _interleaved(labels, blank)
    scores = log_softmax(logits)
    emitted = array.transpose(indexing.gather(array.transpose(scores, [1, 2, 0]), shown, batch_dims=1), [2, 0, 1])
    emitted = pad.pad_v2(emitted, [[0, 0], [0, 0], [1, 0]], constant(_NEVER, scores.dtype))
    is_label = elementwise.equal(math.range(array.shape(shown)[1]) % 2, 1)
    may_skip = elementwise.logical_and(is_label, elementwise.not_equal(shown, _moved(shown, 2, -1)))
    skip_cost = _NEVER * pad.pad_v2(1 - math.cast(may_skip, scores.dtype), [[0, 0], [1, 0]], constant(1, scores.dtype))

    def step(paths: Tensor, frame: Any) -> Tensor:
        time, here = frame
        arriving = array.stack([paths, _moved(paths, 1, _NEVER), _moved(paths, 2, _NEVER) + skip_cost])
        return indexing.where(time < logit_length, reduce_logsumexp(arriving, axis=0) + here, paths)

    start = _NEVER * indexing.one_hot(0, array.shape(skip_cost)[1], on_value=0, off_value=1, dtype=scores.dtype)
    start = start + array.zeros_like(skip_cost)
    paths = foldl(step, (math.range(array.shape(emitted)[0]), emitted), initializer=start)
    state = math.range(array.shape(skip_cost)[1])
    past_end = (state - 2 * label_length[:, None]) * (state - 2 * label_length[:, None] - 1)  # 0 in the last two states
    finished = reduce_logsumexp(indexing.where(elementwise.equal(past_end, 0), paths, paths + _NEVER), axis=1)
    anywhere = reduce_logsumexp(paths, axis=1) + constant(_UNFINISHED, scores.dtype)
    loss = -reduce_logsumexp(array.stack([finished, anywhere]), axis=0)
    loss.set_shape(logits.shape.with_rank(3)[1:2].merge_with(labels.shape.with_rank(2)[:1]).merge_with(
        label_length.shape).merge_with(logit_length.shape))
    return loss


def _interleaved(labels: Tensor, blank: Any) -> Tensor:
    """[blank, first label, blank, second label, ..., blank] of each row."""
    blanks = array.zeros_like(labels) + blank
    pairs = array.reshape(array.stack([blanks, labels], axis=2), [array.shape(labels)[0], -1])
    return array.concat([pairs, array.zeros_like(labels[:, :1]) + blank], axis=1)


def _moved(rows: Tensor, by: int, filling: float) -> Tensor:
    """Each row moved to the right."""
    return pad.pad_v2(rows, [[0, 0], [by, 0]], constant(filling, rows.dtype))[:, :-by]


@export("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True) -> tuple[list[Any], Tensor]:
    """The labels of the most likely class of each frame.

    Args:
        inputs: logits, [frames, batch, classes]; the last class is the blank.
        sequence_length: int32, the number of frames of each sequence.
        merge_repeated: whether equal classes in a row count once.

    Returns:
        A list with one int64 SparseTensor, its element [b, i] the i-th label of sequence b; and [batch, 1], minus the
        sum of the highest logits.
    """
    indices, values, shape, score = ctc.ctc_greedy_decoder(inputs, sequence_length, merge_repeated=merge_repeated)
    return [SparseTensor(indices, values, shape)], score


@export("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1,
                            merge_repeated: bool = True) -> tuple[list[Any], Tensor]:
    """The most likely sequences of labels, found by a beam search over their prefixes.

    Args:
        inputs: logits, [frames, batch, classes]; the last class is the blank.
        sequence_length: int32, the number of frames of each sequence.
        beam_width: how many prefixes are followed.
        top_paths: how many sequences to give, best first.
        merge_repeated: whether equal labels in a row of a result are given once. That is rarely what is meant: "aab"
            was found as two labels a and one b.

    Returns:
        For each path an int64 SparseTensor, its element [b, i] the i-th label of sequence b; and [batch, top_paths],
        their log probabilities.
    """
    found = ctc.ctc_beam_search_decoder(inputs, sequence_length, beam_width=beam_width, top_paths=top_paths,
                                        merge_repeated=merge_repeated)
    return [SparseTensor(*parts) for parts in zip(*found[:3])], found[3]


@export("nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder_v2(inputs: Any, sequence_length: Any, beam_width: int = 100,
                               top_paths: int = 1) -> tuple[list[Any], Tensor]:
    """Decodes as `tf.nn.ctc_beam_search_decoder` does, and leaves equal labels in a row as they were found."""
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


@export("nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Label sequences with equal labels in a row given once.

    Args:
        labels: [batch, labels].
        seq_length: the number of labels of each row that count.
        name: a name scope.

    Returns:
        The labels, filled up with zeros to the longest row that is left, and the number of labels of each row.
    """
    with name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = convert_to_tensor(labels, name="labels")
        labels.set_shape([None, None])
        seq_length = convert_to_tensor(seq_length, name="seq_length")
        shape = array.shape(labels)
        first = array.ones_like(labels[:, :1], dtype=dtypes.bool)
        starts = array.concat([first, elementwise.not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        starts = elementwise.logical_and(starts, indexing.sequence_mask(seq_length, shape[1]))
        counts = reduce_sum(math.cast(starts, seq_length.dtype), axis=1)
        places = cumsum(math.cast(starts, dtypes.int32), axis=1) - 1
        rows = array.zeros_like(places) + math.range(shape[0])[:, None]
        labels_left = labels * math.cast(starts, labels.dtype)
        kept = gather.scatter_nd(array.stack([rows, elementwise.maximum(places, 0)], axis=2), labels_left, shape)
        kept = kept[:, :math.cast(reduce_max(counts), dtypes.int32)]
        return kept, counts


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The different labels of each row, in the order they occur, and where each label of the row is among them.

    Args:
        labels: [batch, labels].
        name: a name scope.

    Returns:
        Two tensors of the shape of `labels`: the labels, filled up with zeros, and int32 places.
    """
    with name_scope(name, "ctc_unique_labels", [labels]):
        labels = convert_to_tensor(labels, name="labels")

        def of_row(row: Tensor) -> list[Tensor]:
            distinct, places = search.unique(row)
            missing = array.shape(row)[0] - array.shape(distinct)[0]
            return [pad.pad(distinct, [[0, missing]]), places]

        distinct, places = map_fn(of_row, labels, dtype=[labels.dtype, dtypes.int32])
        distinct.set_shape(labels.shape)
        places.set_shape(labels.shape)
        return distinct, places

"""tf.keras.backend: connectionist temporal classification."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.indexing import gather_nd, sequence_mask, where
from evergraph.frontend.nn import ctc
from evergraph.frontend.sparse.arithmetic import sparse_to_dense
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import settings
from evergraph.ops.math import elementwise


def _logits(y_pred):
    """Converts probabilities [batch, frames, classes] to logits with frames first."""
    return elementwise.log(array.transpose(y_pred, [1, 0, 2]) + settings.epsilon())


@export("keras.backend.ctc_label_dense_to_sparse")
def ctc_label_dense_to_sparse(labels, label_lengths):
    """Converts padded labels to a sparse tensor.

    Args:
        labels: a tensor [batch, longest].
        label_lengths: the number of labels of each sequence.
    """
    labels = convert_to_tensor(labels)
    kept = where(sequence_mask(label_lengths, array.shape(labels)[1]))
    return SparseTensor(kept, gather_nd(labels, kept), math.cast(array.shape(labels), dtypes.int64))


@export("keras.backend.ctc_batch_cost")
def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """The connectionist temporal classification (CTC) loss of each sequence, [batch, 1].

    Args:
        y_true: labels [batch, longest].
        y_pred: probabilities [batch, frames, classes]; the last class is the blank.
        input_length: the numbers of frames, [batch, 1].
        label_length: the numbers of labels, [batch, 1].
    """
    lengths = math.cast(array.squeeze(label_length, axis=-1), dtypes.int32)
    frames = math.cast(array.squeeze(input_length, axis=-1), dtypes.int32)
    labels = ctc_label_dense_to_sparse(y_true, lengths)
    labels = SparseTensor(labels.indices, math.cast(labels.values, dtypes.int32), labels.dense_shape)
    return array.expand_dims(ctc.ctc_loss(labels, inputs=_logits(y_pred), sequence_length=frames), 1)


@export("keras.backend.ctc_decode")
def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    """CTC decoding: (list of decoded label tensors padded with -1, minus the log probabilities).

    Args:
        y_pred: probabilities [batch, frames, classes]; the last class is the blank.
        input_length: the numbers of frames, [batch].
        greedy: whether to take the most likely class of each frame; otherwise uses beam search.
        beam_width: the number of beams.
        top_paths: the number of sequences to return.
    """
    logits, frames = _logits(y_pred), math.cast(input_length, dtypes.int32)
    if greedy:
        decoded, score = ctc.ctc_greedy_decoder(logits, frames)
    else:
        decoded, score = ctc.ctc_beam_search_decoder(logits, frames, beam_width=beam_width, top_paths=top_paths)
    dense = [sparse_to_dense(each.indices, each.dense_shape, each.values, default_value=-1) for each in decoded]
    return dense, score

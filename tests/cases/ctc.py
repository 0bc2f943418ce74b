"""Connectionist temporal classification: evergraph/ops/nn/ctc.py."""

import numpy as np

from tests.harness import case, floats, i32, i64, program

frames = floats(6, 3, 5)
long = floats(12, 2, 4, seed=3)
lengths = i32([6, 5, 3])


def labels(*sequences):
    """Indices and values of sparse labels."""
    places = [(row, place) for row, sequence in enumerate(sequences) for place in range(len(sequence))]
    return i64(places).reshape(-1, 2), i32([v for sequence in sequences for v in sequence])


usual = labels([0, 1, 1], [2, 3], [3])
pair = labels([0], [1])
two = floats(4, 2, 3, seed=5)
rows = i32([4, 3])
Invalid = "InvalidArgumentError"


def loss(x, sequences, sizes, **attrs):
    """A case of the loss; its second output, which is the gradient, has none itself."""
    return case("CTCLoss", x, *sequences, sizes, **attrs).no_grad("a program below has it").tolerance(1e-4, 1e-5)


CASES = [
    loss(frames, usual, lengths),
    loss(frames.astype("float64"), usual, lengths),
    loss(frames, usual, lengths, ctc_merge_repeated=False),
    loss(frames, labels([0, 0, 1, 1, 0], [2, 2], [3]), lengths, preprocess_collapse_repeated=True),
    loss(frames, labels([0, 0, 1, 1], [2, 2], [3]), lengths, preprocess_collapse_repeated=True,
         ctc_merge_repeated=False),
    loss(frames, labels([0, 1], [2, 2, 2], [3, 1, 0, 2]), lengths, ignore_longer_outputs_than_inputs=True),
    loss(frames, labels([0, 1], [2], [3, 3, 3]), lengths),  # no path: the loss is infinite
    loss(frames, labels([0, 4], [2], [1, 7]), lengths),  # blanks at the end
    loss(1000 * frames, usual, lengths),  # likelihoods underflow
    loss(two, (i64([[0, 0], [0, 3], [1, 5]]), i32([0, 1, 0])), rows),
    loss(long, labels([0, 1, 2, 0, 1], [2, 2, 1]), i32([12, 9])),
    loss(two, labels([0], []), rows).fails(Invalid),
    loss(two, pair, i32([4, 0])).fails(Invalid),
    loss(two, pair, i32([4, -1])).fails(Invalid),
    loss(two, pair, i32([5, 3])).fails(Invalid),
    loss(two, labels([0, 1, 0, 1, 0], [1]), rows).fails(Invalid),
    loss(two, labels([2, 1], [1]), rows).fails(Invalid),
    loss(two, labels([0, -1], [1]), rows).fails(Invalid),
    loss(two, (i64([[0, 0], [2, 0]]), i32([0, 1])), rows).fails(Invalid),
    loss(two, (i64([[1, 0], [0, 0]]), i32([0, 1])), rows).fails(Invalid),
    loss(two[:, :0], labels([], []), i32([])).fails(Invalid),
    loss(two, (i64([[0, 0], [1, 0]]), i32([0, 1, 1])), rows).fails("ValueError"),
    loss(two, pair, i32([4, 3, 2])).fails("ValueError"),
    case("CTCGreedyDecoder", frames, lengths),
    case("CTCGreedyDecoder", long, i32([12, 9]), merge_repeated=True),
    case("CTCGreedyDecoder", long.astype("float64"), i32([12, 0]), merge_repeated=True),
    case("CTCGreedyDecoder", np.zeros((3, 1, 3), "float32"), i32([3])),
    case("CTCGreedyDecoder", two, i32([4, 5])).fails("FailedPreconditionError"),
    case("CTCGreedyDecoder", two[:0], i32([0, 0])).fails(Invalid),
    case("CTCGreedyDecoder", two, i32([4])).fails("ValueError"),
    case("CTCBeamSearchDecoder", frames, lengths, beam_width=4, top_paths=3),
    case("CTCBeamSearchDecoder", long, i32([12, 9]), beam_width=20, top_paths=5, merge_repeated=False),
    case("CTCBeamSearchDecoder", long.astype("float64"), i32([12, 9]), beam_width=2, top_paths=2)
    .tolerance(1e-7),  # TensorFlow normalizes in single precision
    case("CTCBeamSearchDecoder", floats(30, 4, 7, seed=8), i32([30, 20, 0, 5]), beam_width=10, top_paths=1),
    case("CTCBeamSearchDecoder", two[:, :, :1], rows, beam_width=3, top_paths=1),
    case("CTCBeamSearchDecoder", two, rows, beam_width=1, top_paths=2).fails(Invalid),
    case("CTCBeamSearchDecoder", two[:1], i32([1, 1]), beam_width=9, top_paths=5).fails(Invalid),
    case("CTCBeamSearchDecoder", two, i32([4, 5]), beam_width=3, top_paths=1).fails("FailedPreconditionError"),
]


@program(frames, *usual, lengths, floats(3, seed=9))
def loss_gradient(tf, x, indices, values, sizes, weights):
    result = tf.raw_ops.CTCLoss(inputs=x, labels_indices=indices, labels_values=values, sequence_length=sizes)
    return tf.gradients(weights * result.loss, x)[0]


def sparse(tf, indices, values):
    return tf.SparseTensor(indices, values, [3, 4])


@program(frames, *usual, lengths)
def batch_major_loss(tf, x, indices, values, sizes):
    batch_major = tf.transpose(x, [1, 0, 2])
    return tf.nn.ctc_loss(sparse(tf, indices, values), logits=batch_major, sequence_length=sizes, time_major=False)


@program(frames, *usual, lengths)
def sparse_loss_with_blank(tf, x, indices, values, sizes):
    loss = lambda labels, blank: tf.nn.ctc_loss_v2(sparse(tf, indices, labels), x, None, sizes, blank_index=blank)
    return loss(values + 1, 0), loss(values, -1), loss(tf.where(values < 2, values, values + 1), 2)


dense = i32([[1, 2, 2], [4, 1, 0], [3, 0, 0]])
dense_lengths = i32([3, 2, 1])


@program(frames, dense, dense_lengths, lengths)
def dense_loss(tf, x, labels, label_lengths, sizes):
    return tf.nn.ctc_loss_v2(labels, x, label_lengths, sizes)


@program(frames, dense, dense_lengths, lengths)
def dense_loss_of_unique_labels(tf, x, labels, label_lengths, sizes):
    return tf.nn.ctc_loss_v2(labels, x, label_lengths, sizes, unique=tf.nn.ctc_unique_labels(labels))


@program(frames, dense, i32([3, 0, 2]), i32([2, 0, 1]))
def dense_loss_without_room(tf, x, labels, label_lengths, sizes):
    return tf.nn.ctc_loss_v2(labels, x, label_lengths, sizes)


@program(frames, dense - 1, dense_lengths, lengths)
def dense_loss_with_last_blank(tf, x, labels, label_lengths, sizes):
    batch_major = tf.transpose(x, [1, 0, 2])
    return tf.nn.ctc_loss_v2(tf.maximum(labels, 0), batch_major, label_lengths, sizes, logits_time_major=False,
                             blank_index=-1)


@program(long, i32([12, 9]))
def decoded(tf, x, sizes):
    greedy, score = tf.nn.ctc_greedy_decoder(x, sizes)
    beams, scores = tf.nn.ctc_beam_search_decoder(x, sizes, beam_width=8, top_paths=2)
    distinct, _ = tf.nn.ctc_beam_search_decoder_v2(x, sizes, top_paths=2)
    found = [tf.sparse.to_dense(s, default_value=-1) for s in (*greedy, *beams, *distinct)]
    return (*found, score, scores)


@program(i64([[1, 1, 2, 2, 1], [1, 1, 1, 1, 1], [0, 1, 1, 0, 0]]), i32([5, 3, 4]))
def collapsed(tf, labels, sizes):
    return tf.nn.collapse_repeated(labels, sizes)


@program(i64([[1, 1, 2, 2, 1], [1, 1, 1, 1, 1], [0, 1, 1, 0, 0]]))
def unique_labels(tf, labels):
    return tf.nn.ctc_unique_labels(labels)


dense_loss_without_room = dense_loss_without_room.no_grad("TensorFlow's is not that of the loss it gives")

"""tf.contrib.legacy_seq2seq and tf.contrib.seq2seq.sequence_loss."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

legacy = tf.contrib.legacy_seq2seq


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default(), tf.variable_scope("", initializer=tf.constant_initializer(0.2)):
        yield


def symbols(*columns):
    return [tf.constant(column, tf.int32) for column in columns]


def test_decoder_feeds_its_output_back():
    cell = tf.nn.rnn_cell.BasicRNNCell(3)
    seen = []

    def loop_function(before, number):
        seen.append(number)
        return before * 2.0

    outputs, state = legacy.rnn_decoder([tf.ones([2, 3])] * 3, tf.zeros([2, 3]), cell, loop_function)
    assert seen == [1, 2]
    values, last = evaluated([outputs, state])
    step = lambda x, h: np.tanh(0.2 * (3 * x + 3 * h))
    first = step(1.0, 0.0)
    second = step(2 * first, first)
    np.testing.assert_allclose(values[1][0, 0], second, rtol=1e-5)
    np.testing.assert_allclose(last[0, 0], step(2 * second, second), rtol=1e-5)


def test_tied_parts_share_their_variables():
    steps = [tf.ones([2, 3])] * 2
    legacy.basic_rnn_seq2seq(steps, steps, tf.nn.rnn_cell.GRUCell(2))
    assert len(tf.trainable_variables("basic_rnn_seq2seq")) == 8
    legacy.tied_rnn_seq2seq(steps, steps, tf.nn.rnn_cell.GRUCell(2))
    assert len(tf.trainable_variables("combined_tied_rnn_seq2seq/tied_rnn_seq2seq/gru_cell")) == 4


def test_embedding_seq2seq_with_a_switch():
    feed = tf.placeholder_with_default(False, [])
    cell = tf.nn.rnn_cell.BasicLSTMCell(4)
    outputs, state = legacy.embedding_rnn_seq2seq(symbols([1, 2], [0, 4]), symbols([0, 0], [3, 1], [2, 2]), cell, 5, 6,
                                                  3, feed_previous=feed)
    assert [out.shape.as_list() for out in outputs] == [[2, 6]] * 3
    assert isinstance(state, tf.nn.rnn_cell.LSTMStateTuple)
    names = [v.op.name for v in tf.trainable_variables()]
    assert names[0] == "embedding_rnn_seq2seq/rnn/embedding_wrapper/embedding"
    assert names[3] == "embedding_rnn_seq2seq/embedding_rnn_decoder/embedding"
    assert names[-1].endswith("embedding_rnn_decoder/rnn_decoder/output_projection_wrapper/bias")
    with tf.Session(tier="numpy") as session:
        session.run(tf.global_variables_initializer())
        plain, fed = session.run(outputs), session.run(outputs, {feed: True})
    np.testing.assert_array_equal(plain[0], fed[0])  # the embeddings are alike, so are the outputs


LOGITS = [np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]], np.float32), np.array([[3.0, 0.0, 1.0]] * 2, np.float32)]
TARGETS = [np.array([1, 0], np.int32), np.array([0, 2], np.int32)]
WEIGHTS = [np.array([1.0, 0.5], np.float32), np.array([1.0, 0.0], np.float32)]


def crossings():
    losses = []
    for logits, targets in zip(LOGITS, TARGETS):
        chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        losses.append(-np.log(chances[[0, 1], targets]))
    return np.array(losses) * WEIGHTS


def test_losses_of_lists():
    tensors = [[tf.constant(value) for value in values] for values in (LOGITS, TARGETS, WEIGHTS)]
    by_example, total, summed = evaluated([
        legacy.sequence_loss_by_example(*tensors), legacy.sequence_loss(*tensors),
        legacy.sequence_loss(*tensors, average_across_timesteps=False, average_across_batch=False)])
    wanted = crossings().sum(0) / np.sum(WEIGHTS, 0)
    np.testing.assert_allclose(by_example, wanted, rtol=1e-5)
    np.testing.assert_allclose(total, wanted.mean(), rtol=1e-5)
    np.testing.assert_allclose(summed, crossings().sum(), rtol=1e-5)
    with pytest.raises(ValueError, match="as many"):
        legacy.sequence_loss_by_example(tensors[0], tensors[1], tensors[2][:1])


@pytest.mark.parametrize("averaged, axes", [((True, True), (0, 1)), ((True, False), 0), ((False, True), 1)])
def test_loss_of_tensors(averaged, axes):
    stacked = [tf.constant(np.stack(values, 1)) for values in (LOGITS, TARGETS, WEIGHTS)]
    batch, time = averaged
    got = evaluated(tf.contrib.seq2seq.sequence_loss(*stacked, average_across_batch=batch,
                                                     average_across_timesteps=time))
    np.testing.assert_allclose(got, crossings().T.sum(axes) / np.stack(WEIGHTS, 1).sum(axes), rtol=1e-5)


def test_loss_of_tensors_without_weights_is_zero():
    stacked = [tf.constant(np.stack(values, 1)) for values in (LOGITS, TARGETS)]
    loss = tf.contrib.seq2seq.sequence_loss(*stacked, tf.zeros([2, 2]), False, False, True, True)
    assert evaluated(loss) == 0
    with pytest.raises(ValueError, match="logits must be"):
        tf.contrib.seq2seq.sequence_loss(stacked[1], stacked[1], tf.zeros([2, 2]))


def test_buckets_share_their_variables():
    def model(encoder, decoder):
        return legacy.embedding_rnn_seq2seq(encoder, decoder, tf.nn.rnn_cell.GRUCell(3), 4, 4, 2)

    steps = symbols([1, 2], [3, 0], [1, 1])
    weights = [tf.ones([2])] * 3
    outputs, losses = legacy.model_with_buckets(steps, steps, steps, weights, [(1, 2), (3, 3)], model)
    assert [len(out) for out in outputs] == [2, 3] and len(losses) == 2
    assert len({v.name for v in tf.trainable_variables()}) == len(tf.trainable_variables()) == 12
    with pytest.raises(ValueError, match="at least that of last bucket"):
        legacy.model_with_buckets(steps, steps, steps, weights, [(4, 3)], model)

"""tf.contrib.seq2seq: samplers, decoders and attention mechanisms that are layers."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.seq2seq.samplers import categorical_sample
from tests.harness.session import evaluated

seq2seq = tf.contrib.seq2seq


@pytest.fixture
def inputs():
    return np.random.RandomState(0).randn(3, 5, 2).astype(np.float32)


def test_a_training_sampler_decodes_as_the_helper(inputs):
    cell = tf.nn.rnn_cell.GRUCell(4)
    state = cell.zero_state(3, tf.float32)
    layer = seq2seq.BasicDecoderV2(cell, seq2seq.TrainingSampler(), output_time_major=True)
    outputs, final, lengths = layer(inputs, initial_state=state, sequence_length=[5, 2, 3])
    older = seq2seq.BasicDecoder(cell, seq2seq.TrainingHelper(inputs, [5, 2, 3]), state)
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        expected = seq2seq.dynamic_decode(older, output_time_major=True)
    found, wanted = evaluated([(outputs, final, lengths), expected])
    np.testing.assert_array_equal(found[0].rnn_output, wanted[0].rnn_output)
    np.testing.assert_array_equal(found[1], wanted[1])
    assert found[2].tolist() == [5, 2, 3]


@pytest.mark.parametrize("time_major", [False, True])
def test_lengths_come_from_a_mask_or_the_inputs(inputs, time_major):
    given = inputs.transpose(1, 0, 2) if time_major else inputs
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], bool)
    sampler = seq2seq.TrainingSampler(time_major=time_major)
    finished, first = sampler.initialize(given, mask=mask.T if time_major else mask)
    later = sampler.next_inputs(tf.constant(1), tf.zeros([3, 2]), (), None)[0]
    complete = seq2seq.TrainingSampler(time_major=time_major).initialize(given)[0]
    found = evaluated([finished, first, later, complete])
    assert found[0].tolist() == [False, False, True] and found[2].tolist() == [False, True, True]
    np.testing.assert_array_equal(found[1], inputs[:, 0])
    assert not found[3].any()


def test_a_mask_with_holes_and_two_ways_of_lengths_are_refused(inputs):
    with pytest.raises(tf.errors.InvalidArgumentError, match="at their end alone"):
        evaluated(seq2seq.TrainingSampler().initialize(inputs, mask=np.array([[1, 0, 1, 1, 1]] * 3, bool))[0])
    with pytest.raises(ValueError, match="exclude"):
        seq2seq.TrainingSampler().initialize(inputs, sequence_length=[1, 1, 1], mask=np.ones([3, 5]))
    with pytest.raises(ValueError, match="after initialize"):
        seq2seq.TrainingSampler().batch_size.shape  # noqa: B018 - the property raises
    with pytest.raises(ValueError, match="an embedding is needed"):
        seq2seq.GreedyEmbeddingSampler().initialize(None, [0], 1)


def test_greedy_samples_feed_their_embedding_back():
    embedding = np.eye(4, dtype=np.float32)
    sampler = seq2seq.GreedyEmbeddingSampler()
    finished, first = sampler.initialize(embedding, start_tokens=[0, 1], end_token=3)
    logits = tf.constant([[0.0, 5, 1, 2], [0, 1, 2, 3]])
    ids = sampler.sample(tf.constant(0), logits, ())
    done, following, _ = sampler.next_inputs(tf.constant(0), logits, (), ids)
    found = evaluated([finished, first, ids, done, following])
    assert not found[0].any() and found[2].tolist() == [1, 3] and found[3].tolist() == [False, True]
    np.testing.assert_array_equal(found[1], embedding[:2])
    np.testing.assert_array_equal(found[4], embedding[[1, 3]])


def test_a_custom_sampler_and_draws():
    sampler = seq2seq.CustomSampler(
        lambda start, end: (start > end, start), lambda time, outputs, state: outputs + 1,
        lambda time, outputs, state, sample_ids: (sample_ids > 3, sample_ids, state))
    finished, first = sampler.initialize(tf.constant([1, 9]), end=5)
    ids = sampler.sample(0, tf.constant([2, 3]), ())
    found = evaluated([finished, first, ids, sampler.next_inputs(0, None, (), ids)[0], sampler.batch_size])
    assert [part.tolist() for part in found] == [[False, True], [1, 9], [3, 4], [False, True], 2]
    assert evaluated(categorical_sample(tf.constant([[0.0, 90, 0]]))).tolist() == [1]


def test_beams_as_a_layer(inputs):
    cell, embedding = tf.nn.rnn_cell.GRUCell(6), np.random.RandomState(1).randn(6, 2).astype(np.float32)
    state = cell.zero_state(6, tf.float32)
    layer = seq2seq.BeamSearchDecoderV2(cell, beam_width=3, maximum_iterations=4)
    found = layer(embedding, start_tokens=[0, 1], end_token=5, initial_state=state)
    older = seq2seq.BeamSearchDecoder(cell, embedding, [0, 1], 5, state, 3)
    expected = seq2seq.dynamic_decode(older, maximum_iterations=4)
    ours, theirs = evaluated([found[0].predicted_ids, expected[0].predicted_ids])
    np.testing.assert_array_equal(ours, theirs)


def softmax(scores):
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def test_luong_attention_as_a_layer(inputs):
    mechanism = seq2seq.LuongAttentionV2(2, inputs, memory_sequence_length=[5, 2, 3], scale=True, memory_layer=None)
    query, state = tf.constant([[1.0, 2.0]] * 3), tf.zeros([3, 5])
    alignments, after = evaluated(mechanism([query, state]))
    scores = inputs @ np.array([1.0, 2.0])
    scores[1, 2:] = scores[2, 3:] = -np.inf
    np.testing.assert_allclose(alignments, softmax(scores), rtol=1e-5)
    np.testing.assert_array_equal(after, alignments)


def test_bahdanau_attention_as_a_layer(inputs):
    mechanism = seq2seq.BahdanauAttentionV2(2, inputs, query_layer=None, memory_layer=None, kernel_initializer="ones")
    alignments = evaluated(mechanism([tf.constant([[1.0, 2.0]] * 3), tf.zeros([3, 5])]))[0]
    np.testing.assert_allclose(alignments, softmax(np.tanh(inputs + [1.0, 2.0]).sum(-1)), rtol=1e-5)
    again = seq2seq.BahdanauAttentionV2.from_config(mechanism.get_config())
    assert again.get_config() == mechanism.get_config()
    with pytest.raises(ValueError, match="has no memory"):
        again([tf.zeros([3, 2]), tf.zeros([3, 5])])
    with pytest.raises(ValueError, match="probability_fn"):
        seq2seq.LuongAttentionV2(2, None, probability_fn="softmin")


def test_monotonic_attention_as_a_layer(inputs):
    mechanism = seq2seq.LuongMonotonicAttentionV2(2, inputs, score_bias_init=0.5, mode="hard", memory_layer=None)
    start = mechanism.initial_state(3, tf.float32)
    alignments = evaluated(mechanism([tf.constant([[1.0, 2.0]] * 3), start]))[0]
    first = np.argmax(inputs @ np.array([1.0, 2.0]) + 0.5 > 0, axis=1)
    np.testing.assert_array_equal(alignments.argmax(1), first)


def test_a_sequence_loss_of_keras():
    logits = tf.constant(np.random.RandomState(2).randn(2, 3, 4).astype(np.float32))
    targets, weights = tf.constant([[0, 1, 2], [3, 2, 1]]), tf.constant([[1.0, 1, 0], [1, 0, 0]])
    loss = seq2seq.SequenceLoss(sum_over_batch=False, sum_over_timesteps=False, average_across_batch=True,
                                average_across_timesteps=True)
    found, wanted = evaluated([loss(targets, logits, weights), seq2seq.sequence_loss(logits, targets, weights)])
    assert found == wanted
    assert evaluated(seq2seq.SequenceLoss()(targets, logits)) > 0

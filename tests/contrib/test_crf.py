"""Conditional random fields against the sums and maxima over all sequences that there are."""

import itertools

import numpy as np
import pytest

import evergraph as tf

crf = tf.contrib.crf
RANDOM = np.random.RandomState(3)
UNARY = RANDOM.randn(4, 5, 3).astype(np.float32)
STEPS = RANDOM.randn(3, 3).astype(np.float32)
TAGS = RANDOM.randint(0, 3, (4, 5)).astype(np.int32)
LENGTHS = np.array([5, 3, 1, 0], np.int32)


def score(unary, tags):
    return sum(unary[t, tag] for t, tag in enumerate(tags)) + sum(STEPS[a, b] for a, b in zip(tags, tags[1:]))


def every(unary, length, allowed=None):
    """All sequences of tags with their scores."""
    choices = [range(3) if allowed is None else np.flatnonzero(allowed[t]) for t in range(length)]
    return {tags: score(unary, tags) for tags in itertools.product(*choices)}


def total(unary, length, allowed=None):
    return np.logaddexp.reduce([*every(unary, length, allowed).values()]) if length else 0.0


def run(values, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(values, feed)


def test_scores():
    wanted = [score(unary, tags[:length]) for unary, tags, length in zip(UNARY, TAGS, LENGTHS)]
    np.testing.assert_allclose(run(crf.crf_sequence_score(UNARY, TAGS, LENGTHS, STEPS)), wanted, rtol=1e-5)
    np.testing.assert_allclose(run(crf.crf_sequence_score(UNARY, TAGS.astype(np.int64), LENGTHS, STEPS)), wanted,
                               rtol=1e-5)


def test_log_norm():
    wanted = [total(unary, length) for unary, length in zip(UNARY, LENGTHS)]
    np.testing.assert_allclose(run(crf.crf_log_norm(UNARY, LENGTHS, STEPS)), wanted, rtol=1e-5)
    np.testing.assert_allclose(run(crf.crf_log_norm(UNARY[:, :1], np.minimum(LENGTHS, 1).astype(np.int64), STEPS)),
                               [total(unary, min(length, 1)) for unary, length in zip(UNARY, LENGTHS)], rtol=1e-5)


def test_several_tags_may_be_right():
    allowed = RANDOM.rand(4, 5, 3) > 0.3
    allowed[..., 0] = True
    wanted = [total(unary, length, rows) for unary, length, rows in zip(UNARY, LENGTHS, allowed)]
    np.testing.assert_allclose(run(crf.crf_multitag_sequence_score(UNARY, allowed, LENGTHS, STEPS)), wanted, rtol=1e-5)


def test_decode_finds_the_best_sequence():
    tags, scores = run(crf.crf_decode(UNARY, STEPS, LENGTHS))
    assert tags.dtype == np.int32 and tags.shape == (4, 5) and scores[3] == 0
    for unary, length, found, points in zip(UNARY[:3], LENGTHS, tags, scores):
        scored = every(unary, length)
        best = max(scored, key=scored.get)
        assert tuple(found[:length]) == best and not found[length:].any()
        np.testing.assert_allclose(points, scored[best], rtol=1e-5)
        alone, alone_points = crf.viterbi_decode(unary[:length], STEPS)
        assert tuple(alone) == best and alone_points == pytest.approx(points, rel=1e-5)


def test_one_step_that_is_fed():
    fed = tf.placeholder(tf.float32, [None, None, 3])
    tags, scores = run(crf.crf_decode(fed, STEPS, [1, 1, 1, 1]), {fed: UNARY[:, :1]})
    np.testing.assert_array_equal(tags[:, 0], UNARY[:, 0].argmax(1))
    np.testing.assert_allclose(scores, UNARY[:, 0].max(1))


def test_training_raises_the_likelihood():
    fed = tf.placeholder(tf.float32, [None, None, 3])
    likelihood, transitions = crf.crf_log_likelihood(fed, TAGS, LENGTHS)
    assert transitions.op.name == "transitions" and transitions.shape.as_list() == [3, 3]
    loss = tf.reduce_mean(-likelihood)
    gradient, = tf.gradients(loss, transitions)
    moved = tf.assign_sub(transitions, 0.1 * gradient)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss, {fed: UNARY})
        for _ in range(5):
            session.run(moved, {fed: UNARY})
        assert session.run(loss, {fed: UNARY}) < first


def test_the_gradient_of_the_norm_is_a_probability():
    fed = tf.constant(UNARY)
    gradient, = tf.gradients(crf.crf_log_norm(fed, LENGTHS, STEPS), fed)
    sums = run(gradient).sum(2)
    np.testing.assert_allclose(sums, np.arange(5) < LENGTHS[:, None], atol=1e-5)

"""A constant that is fed has the value that is fed, wherever the constant's own value would have been known."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import TIERS

NUMBERS = np.arange(12, dtype=np.float32)

CASES = {  # name -> of a vector and the constant 3: a tensor, and its value when 8 is fed for the constant
    "identity": lambda x, c: (tf.identity(tf.identity(c)), 8),
    "arithmetic": lambda x, c: (c * 2 + 1, 17),
    "an equal constant": lambda x, c: (tf.constant(3) + c, 11),
    "gather": lambda x, c: (tf.gather(x, c), 8.0),
    "slice": lambda x, c: (tf.reduce_sum(x[:c]), 28.0),
    "range": lambda x, c: (tf.reduce_sum(tf.range(c)), 28),
    "fill": lambda x, c: (tf.reduce_sum(tf.fill([c], 2.0)), 16.0),
    "tile": lambda x, c: (tf.reduce_sum(tf.tile(x, tf.stack([c - 2]))), 396.0),
    "unique": lambda x, c: (tf.reduce_sum(tf.unique(tf.stack([c, 8]))[0]), 8),
    "mask": lambda x, c: (tf.reduce_sum(tf.boolean_mask([1.0, 2.0], tf.stack([c > 5, False]))), 1.0),
    "text": lambda x, c: (tf.as_string(c), b"8"),
    "gradient": lambda x, c: (tf.gradients(x * tf.cast(c, tf.float32), x)[0][0], 8.0),
}


@TIERS
@pytest.mark.parametrize("name", CASES)
def test_what_is_fed_counts(tier, name):
    x, c = tf.placeholder(tf.float32, [12]), tf.constant(3)
    tensor, wanted = CASES[name](x, c)
    with tf.Session(tier=tier) as session:
        own = session.run(tensor, {x: NUMBERS})
        for _ in range(5):
            assert session.run(tensor, {x: NUMBERS, c: 8}) == wanted
        assert session.run(tensor, {x: NUMBERS}) == own != wanted


@TIERS
def test_a_number_that_follows_from_constants(tier):
    x, n = tf.placeholder(tf.float32, [12]), tf.constant(3) * 2
    with tf.Session(tier=tier) as session:
        assert session.run(tf.reduce_sum(x[:n]), {x: NUMBERS, n: 4}) == 6.0


@TIERS
def test_a_rate_that_is_a_constant(tier):
    keep, x = tf.constant(1.0), tf.placeholder(tf.float32, [4])
    with tf.Session(tier=tier) as session:
        for fed in (0.5, 0.25):
            assert session.run(x * keep, {x: np.ones(4), keep: fed}).tolist() == [fed] * 4


def test_copies_in_functions_are_refused(session):
    c, other = tf.constant(3), tf.constant(4)
    chosen = tf.cond(tf.placeholder_with_default(True, []), lambda: c * 2, lambda: c - 1)
    with pytest.raises(tf.errors.UnimplementedError, match="Const:0 is fed, .* copies of it. tf.placeholder_with"):
        session.run(chosen, {c: 7})
    assert session.run(chosen) == 6
    assert session.run(c + other, {c: 7}) == 11
    assert session.run(chosen + other, {other: 10}) == 16

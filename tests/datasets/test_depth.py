"""Chains of many transformations."""

import sys

import pytest

import evergraph as tf

exp = tf.data.experimental


@pytest.fixture(autouse=True)
def _limit():
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("add", [
    lambda d: d.map(lambda x: x + 0),
    lambda d: d.filter(lambda x: x >= 0),
    lambda d: d.shuffle(1),
    lambda d: d.take(9),
    lambda d: d.concatenate(tf.data.Dataset.range(0)),
    lambda d: d.prefetch(1),
    lambda d: d.batch(1).apply(exp.unbatch()),
    lambda d: d.flat_map(tf.data.Dataset.from_tensors),
], ids=["map", "filter", "shuffle", "take", "concatenate", "prefetch", "unbatch", "flat_map"])
def test_a_long_chain(add):
    dataset = tf.data.Dataset.range(3)
    for _ in range(300):
        dataset = add(dataset)
    element = dataset.batch(3).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert session.run(element).tolist() == [0, 1, 2]


def test_nine_hundred_maps(session):
    dataset = tf.data.Dataset.range(3)
    for _ in range(900):
        dataset = dataset.map(lambda x: x + 1)
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    session.run(iterator.initializer)
    assert [session.run(element) for _ in range(3)] == [900, 901, 902]

"""Small inputs of a program travel together."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.packing import packing


def arrays(count, shape=(3, 1), dtype=np.float32):
    return [np.random.RandomState(at).randint(0, 9, shape).astype(dtype) for at in range(count)]


@pytest.mark.parametrize("is_native", [True, False])
def test_what_is_packed_comes_out_as_it_was(monkeypatch, is_native):
    if not is_native:
        monkeypatch.setattr(native, "sparse", None)
    inputs = [*arrays(5), *arrays(6, (2, 2), bool), np.array(2, np.float32), np.zeros((0, 4), np.float32),
              *arrays(5, (4,), np.int64)]
    inputs[2] = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)).T[::-1]  # not contiguous
    pack = packing(inputs, True)
    taken = pack.packed(inputs)
    assert [each.dtype for each in taken] == [np.float32, bool, np.int64] and pack.single == ()
    for found, given in zip(pack.unpacked(taken), inputs, strict=True):
        np.testing.assert_array_equal(found, given)
        assert found.shape == given.shape and found.dtype == given.dtype


def test_what_travels_alone():
    large, few = np.zeros(1 << 15, np.float32), arrays(2, dtype=np.int32)
    inputs = [*few, large, *arrays(8)]
    assert packing(inputs, True).single == (0, 1, 2)
    assert not packing(inputs, False).parcels
    other = object()
    assert packing([other, *arrays(8)], True).packed([other, *arrays(8)])[1] is other


def test_a_step_with_many_feeds():
    feeds = [tf.placeholder(tf.float32, [None, 1]) for _ in range(9)]
    weight = tf.get_variable("weight", [9, 1], initializer=tf.ones_initializer())
    product = tf.matmul(tf.concat(feeds, 1), weight)
    update = weight.assign_add(tf.reduce_sum(product) * tf.ones([9, 1]))
    with tf.Session(tier="xla") as session:
        session.run(weight.initializer)
        values = arrays(9, (4, 1))
        for step in range(3):  # the third time the values are views that are not contiguous
            given = values if step < 2 else [np.repeat(value, 2, axis=0)[::2] for value in values]
            before = session.run(weight)
            found, _ = session.run([product, update], dict(zip(feeds, given)))
            np.testing.assert_array_equal(found, np.concatenate(values, 1) @ before)

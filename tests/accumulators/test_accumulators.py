"""Gradients add up between steps, and whoever takes them waits for enough."""

import threading

import numpy as np
import pytest

import evergraph as tf


def test_takes_the_mean_and_starts_again(session):
    accumulator = tf.ConditionalAccumulator(tf.float32, [2])
    for gradient in ([1.0, 2.0], [3.0, 6.0]):
        session.run(accumulator.apply_grad(gradient))
    assert session.run(accumulator.num_accumulated()) == 2
    np.testing.assert_allclose(session.run(accumulator.take_grad(1)), [2.0, 4.0])
    assert session.run(accumulator.num_accumulated()) == 0


def test_takes_the_sum(session):
    accumulator = tf.ConditionalAccumulator(tf.int32, [], reduction_type="SUM")
    for gradient in (3, 4):
        session.run(accumulator.apply_grad(gradient))
    assert session.run(accumulator.take_grad(2)) == 7


def test_drops_gradients_of_older_steps(session):
    accumulator = tf.ConditionalAccumulator(tf.float32, [])
    session.run(accumulator.set_global_step(2))
    session.run([accumulator.apply_grad(1.0, local_step=1), accumulator.apply_grad(5.0, local_step=2)])
    assert session.run(accumulator.take_grad(1)) == 5.0
    session.run(accumulator.apply_grad(1.0, local_step=2))  # taking moved it to step 3
    assert session.run(accumulator.num_accumulated()) == 0


def test_waits_for_enough(session):
    accumulator = tf.ConditionalAccumulator(tf.float32, [])
    apply, take = accumulator.apply_grad(2.0), accumulator.take_grad(3)
    found = []
    thread = threading.Thread(target=lambda: found.append(session.run(take)))
    thread.start()
    for _ in range(3):
        assert not found
        session.run(apply)
    thread.join(10)
    assert found == [2.0]


def test_closing_the_session_wakes_who_waits():
    with tf.Graph().as_default():
        take = tf.ConditionalAccumulator(tf.float32, []).take_grad(1)
        session, raised = tf.Session(), []

        def wait():
            with pytest.raises(tf.errors.CancelledError) as caught:
                session.run(take)
            raised.append(caught.type)

        thread = threading.Thread(target=wait)
        thread.start()
        while not session._store._values:
            pass
        session.close()
        thread.join(10)
    assert raised == [tf.errors.CancelledError]


@pytest.mark.parametrize("required", [0, -1])
def test_refuses_to_take_none(session, required):
    accumulator = tf.ConditionalAccumulator(tf.float32, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_required"):
        session.run(accumulator.take_grad(required))


def test_refuses_other_shapes(session):
    accumulator = tf.ConditionalAccumulator(tf.float32, [2, None])
    with pytest.raises(ValueError):
        accumulator.apply_grad([1.0])
    fed = tf.placeholder(tf.float32)
    apply = accumulator.apply_grad(fed)
    session.run(apply, {fed: np.ones((2, 3))})
    for shape in [(2,), (3, 3), (2, 4)]:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Shape mismatch"):
            session.run(apply, {fed: np.ones(shape)})
    with pytest.raises(ValueError, match="reduction_type"):
        tf.ConditionalAccumulator(tf.float32, reduction_type="MEDIAN")


def test_shared_name_is_one_accumulator(session):
    first = tf.ConditionalAccumulator(tf.float32, [], shared_name="same")
    second = tf.ConditionalAccumulator(tf.float32, [], shared_name="same")
    session.run([first.apply_grad(1.0), second.apply_grad(3.0)])
    assert session.run(first.take_grad(2)) == 2.0


# ---- rows


def test_rows_are_averaged_by_how_often_they_came(session):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, [4, 2])
    session.run(accumulator.apply_grad([0, 2], [[1.0, 1.0], [2.0, 2.0]], [4, 2]))
    session.run(accumulator.apply_grad([1, 2], [[5.0, 5.0], [4.0, 4.0]]))
    taken = session.run(accumulator.take_indexed_slices_grad(2))
    np.testing.assert_array_equal(taken.indices, [0, 1, 2])
    np.testing.assert_allclose(taken.values, [[1, 1], [5, 5], [3, 3]])
    np.testing.assert_array_equal(taken.dense_shape, [4, 2])


def test_rows_are_summed(session):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, reduction_type="SUM")
    for _ in range(2):
        session.run(accumulator.apply_grad([3], [[1.0, 2.0]]))
    taken = session.run(accumulator.take_grad(1))
    np.testing.assert_allclose(taken.values, [[2.0, 4.0]])
    np.testing.assert_array_equal(taken.shape, [-1, 2])


def test_gradients_of_gathered_rows_add_up(session):
    table = tf.Variable(np.ones((4, 2), np.float32))
    slices = tf.gradients(tf.reduce_sum(tf.gather(table, [0, 2]) ** 2), table)[0]
    accumulator = tf.SparseConditionalAccumulator(tf.float32, table.shape)
    apply = accumulator.apply_indexed_slices_grad(slices)
    session.run(table.initializer)
    session.run(apply)
    session.run(apply)
    taken = session.run(accumulator.take_indexed_slices_grad(2))
    np.testing.assert_array_equal(taken.indices, [0, 2])
    np.testing.assert_allclose(taken.values, np.full((2, 2), 2.0))


@pytest.mark.parametrize("indices, values, shape, words", [
    ([0], [[1.0]], None, "values dim 1"),
    ([4], [[1.0, 2.0]], None, "exceeded limits"),
    ([0], [[1.0, 2.0]], [5, 2], "shape dim 0"),
    ([0], [[1.0, 2.0]], [4], "rank at least"),
    ([0, 1], [[1.0, 2.0]], None, "Expected 2"),
    ([[0]], [[1.0, 2.0]], None, "should be vector"),
])
def test_refuses_rows_that_do_not_fit(session, indices, values, shape, words):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, [4, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(accumulator.apply_grad(indices, values, shape))


def test_the_reference_to_an_accumulator_is_its_container_and_its_name(session):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, [2], name="sparse")
    shared = tf.SparseConditionalAccumulator(tf.float32, [2], shared_name="mine", name="other")
    found, other = session.run([accumulator.accumulator_ref, shared.accumulator_ref])
    assert found.tolist() == [b"localhost", b"_0_sparse"] and other.tolist() == [b"localhost", b"mine"]

"""Who draws the elements of a dataset that is computed ahead: threads, or, where elements are quick, whoever asks."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.ops.data import prefetching
from evergraph.ops.data.prefetching import FIRST_TRIALS, MOST_TRIALS, QUICK, Pace

COUNT = 3 * FIRST_TRIALS


@pytest.fixture(params=[10.0, 0.0], ids=["quick", "slow"])
def is_quick(request, monkeypatch):
    """Whether all elements count as quick, which then does not depend on the clock."""
    monkeypatch.setattr(prefetching, "QUICK", request.param)
    return request.param > 0


def paced(*seconds):
    pace = Pace()
    for each in seconds:
        pace.note(each)
    return pace


def test_threads_draw_until_an_element_was_quick():
    assert not Pace().is_quick
    assert not paced(*[QUICK / 2] * (FIRST_TRIALS - 1)).is_quick
    assert paced(*[2 * QUICK] * (FIRST_TRIALS - 1), QUICK / 2).is_quick
    assert not paced(*[2 * QUICK] * 10 * FIRST_TRIALS).is_quick


def test_threads_go_on_when_the_average_is_slow():
    quick = [QUICK / 2] * 2 * FIRST_TRIALS
    assert paced(*quick, 10 * QUICK).is_quick  # one slow element among quick ones
    assert not paced(*quick, 200 * QUICK).is_quick
    assert not paced(*quick, *[2 * QUICK] * 10 * FIRST_TRIALS).is_quick
    assert not paced(*[QUICK / 2] * 100_000, 2.0).is_quick  # however much was saved before


def test_each_time_threads_draw_twice_as_many():
    pace = paced(*[0.0] * FIRST_TRIALS, 1.0, *[0.0] * (2 * FIRST_TRIALS - 1))
    assert not pace.is_quick
    pace.note(0.0)
    assert pace.is_quick


def test_there_is_a_limit_to_what_threads_draw():
    pace = paced(*[0.0, 1.0] * 20 * MOST_TRIALS, *[0.0] * MOST_TRIALS)
    assert pace.is_quick


def drawn(session, dataset):
    element, found = dataset.make_one_shot_iterator().get_next(), []
    with pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(session.run(element))
    with pytest.raises(tf.errors.OutOfRangeError):  # the end stays
        session.run(element)
    return found


@pytest.mark.parametrize("ahead", [
    lambda dataset, function: dataset.map(function).prefetch(2),
    lambda dataset, function: dataset.map(function, num_parallel_calls=3),
], ids=["prefetch", "parallel map"])
def test_elements_come_in_order_whoever_draws_them(session, is_quick, ahead):
    threads = []

    def noted(x):
        threads.append(threading.get_ident())
        return x

    def function(x):
        return tf.py_func(noted, [x], tf.int64)

    assert drawn(session, ahead(tf.data.Dataset.range(COUNT), function)) == list(range(COUNT))
    assert len(threads) == COUNT
    here = [thread == threading.get_ident() for thread in threads]
    assert not any(here[:FIRST_TRIALS]) and any(here) == is_quick


def test_an_error_has_the_place_of_its_element(session, is_quick):
    values = np.arange(COUNT)
    values[[3, COUNT - 2]] = -1
    dataset = tf.data.Dataset.from_tensor_slices(values).map(
        lambda x: tf.cond(x < 0, lambda: tf.string_to_number("x", tf.int64), lambda: x)).prefetch(1)
    element, found = dataset.make_one_shot_iterator().get_next(), []
    for _ in range(COUNT):
        try:
            found.append(session.run(element))
        except tf.errors.InvalidArgumentError:
            found.append(-1)
    assert found == values.tolist()


def test_a_saved_iterator_goes_on_at_the_next_element(session, is_quick, tmp_path):
    iterator = tf.data.Dataset.range(2 * COUNT).prefetch(3).make_initializable_iterator()
    element = iterator.get_next()
    saver = tf.train.Saver({"iterator": tf.data.experimental.make_saveable_from_iterator(iterator)})
    session.run(iterator.initializer)
    for number in range(COUNT):
        assert session.run(element) == number
    path = saver.save(session, str(tmp_path / "ckpt"))
    assert session.run(element) == COUNT
    session.run(iterator.initializer)
    saver.restore(session, path)
    assert session.run(element) == COUNT


def test_a_step_with_a_deadline_does_not_wait_for_a_slow_element(session, is_quick):
    is_over = threading.Event()

    def waiting():
        yield from range(COUNT)
        is_over.wait(10)
        yield COUNT

    element = tf.data.Dataset.from_generator(waiting, tf.int64).prefetch(1).make_one_shot_iterator().get_next()
    for number in range(COUNT):
        assert session.run(element) == number
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(element, options=tf.RunOptions(timeout_in_ms=50))
    is_over.set()
    assert session.run(element) == COUNT

"""Who draws the elements of a dataset that is computed ahead: threads, or, where elements are quick, whoever asks."""

import queue
import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.ops.data import prefetching
from evergraph.ops.data.own_time import Usage, own_seconds, usage
from evergraph.ops.data.pipeline import Iterator
from evergraph.ops.data.prefetching import CLOSE_LOOKS, FIRST_TRIALS, MOST_TRIALS, QUICK, AheadIterator, Pace

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


class Clock:
    """A clock, and what a thread has used, which sources move on."""

    def __init__(self, monkeypatch):
        self.now, self.used = 0.0, Usage(0.0, 0)
        monkeypatch.setattr(prefetching.time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(prefetching, "usage", lambda: self.used)

    def source(self, seconds, processor, waits):
        """An iterator whose elements take so many seconds, of which a part is the processor's."""
        class Source(Iterator):
            def get(_):
                self.now += seconds
                self.used = Usage(self.used.processor + processor, self.used.waits + waits)
                return [np.zeros(())]
        return Source()


@pytest.mark.parametrize("seconds, processor, waits, is_drawn_here", [
    (QUICK / 2, QUICK / 2, 0, True),
    (10 * QUICK, QUICK / 2, 0, True),      # other processes run meanwhile
    (10 * QUICK, QUICK / 2, 1, False),     # it waits for something
    (10 * QUICK, 10 * QUICK, 0, False),
])
def test_the_time_of_other_processes_does_not_count(monkeypatch, seconds, processor, waits, is_drawn_here):
    clock = Clock(monkeypatch)
    iterator = AheadIterator(clock.source(seconds, processor, waits), 1)
    for _ in range(FIRST_TRIALS):
        iterator._ready._pace.note(0.0)
    for _ in range(CLOSE_LOOKS):
        assert iterator._ready.is_resting
        iterator.get()
        if not iterator._ready.is_resting:
            break
    assert iterator._ready.is_resting == is_drawn_here


@pytest.mark.parametrize("seconds, is_drawn_here", [(QUICK / 2, True), (10 * QUICK, False)])
def test_blocks_are_drawn_here_unless_their_elements_are_slow(monkeypatch, seconds, is_drawn_here):
    clock = Clock(monkeypatch)
    iterator = AheadIterator(clock.source(seconds, seconds, 0), 1)
    for _ in range(FIRST_TRIALS):
        assert iterator.block(32).count == 32
    assert bool(iterator._threads) != is_drawn_here
    iterator.close()


def test_a_thread_is_known_to_wait():
    if usage() is None:
        pytest.skip("the system does not tell what a thread has used")
    before = usage()
    time.sleep(0.01)
    assert own_seconds(0.01, before, usage()) == 0.01
    before, start = usage(), time.thread_time()
    while time.thread_time() < start + 0.002:
        pass
    after = usage()
    assert after.processor - before.processor >= 0.0015
    assert own_seconds(1.0, before, Usage(after.processor, before.waits)) < 0.5


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
        threads.append(threading.current_thread().name)
        return x

    def function(x):
        return tf.py_func(noted, [x], tf.int64)

    assert drawn(session, ahead(tf.data.Dataset.range(COUNT), function)) == list(range(COUNT))
    assert len(threads) == COUNT
    here = [thread == "dataset_drawing" for thread in threads]
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


def test_who_asks_waits_for_no_other_element():
    """A generator that waits for what the program does with the elements before."""
    items = queue.Queue()

    def waiting():
        while (item := items.get(timeout=30)) is not None:
            yield item

    following = tf.data.Dataset.from_generator(waiting, tf.int32, []).prefetch(2).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        for number in range(30):
            items.put(number)
            assert session.run(following) == number
        items.put(None)
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following)

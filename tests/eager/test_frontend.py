"""Functions of tf.* that do something of their own with eager execution."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.debug.leaks import assert_no_garbage_created
from evergraph.eager.modes import eager_mode


def test_critical_sections_run_one_at_a_time():
    section, v = tf.CriticalSection(shared_name="counting"), tf.contrib.eager.Variable(0.0)

    def add():
        with eager_mode():
            for _ in range(20):
                section.execute(lambda: v.assign(v.value() + 1.0))

    threads = [threading.Thread(target=add) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy() == 60.0
    with pytest.raises(ValueError, match="directly access the CriticalSection"):
        section.execute(lambda: section.execute(lambda: tf.constant(1.0)))
    assert section.execute(lambda: {"a": tf.constant(1.0)})["a"].numpy() == 1.0


def test_recurrent_networks_check_the_lengths():
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    outputs, _ = tf.nn.dynamic_rnn(cell, np.ones((2, 3, 1), np.float32), sequence_length=[3, 1], dtype=tf.float32)
    assert outputs.shape == (2, 3, 2) and not outputs.numpy()[1, 1:].any()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape for Tensor"):
        tf.nn.dynamic_rnn(cell, np.ones((2, 3, 1), np.float32), sequence_length=[3], dtype=tf.float32)


def test_functions_without_results():
    called = []
    assert tf.py_function(lambda: called.append(1), [], []) == [] and called == [1]


def test_optimizers_do_not_change_tensors():
    x, optimizer = tf.constant(1.0), tf.train.GradientDescentOptimizer(3.0)
    pairs = optimizer.compute_gradients(lambda: x * x, [x])
    assert pairs[0][0].numpy() == 2.0
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.apply_gradients(pairs)


@pytest.mark.parametrize("make", [
    lambda: tf.random_uniform([2, 2], seed=1), lambda: tf.contrib.eager.Variable(1.0),
    lambda: tf.layers.Dense(2, name="my_dense")(tf.ones([2, 2])), lambda: tf.constant([1.0]).source.outputs[0]])
def test_tensors_and_variables_are_freed_without_the_collector(make):
    make()  # what is imported and cached now is no garbage
    assert_no_garbage_created(lambda test: make())(None)


def test_arrays_grow():
    x = tf.constant([2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in range(3):
            array = array.write(i, x * float(i))
        total = tf.reduce_sum(array.stack())
    assert total.numpy() == 6.0 and tape.gradient(total, x).numpy().tolist() == [3.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="list with 0 elements"):
        tf.TensorArray(tf.float32, size=0).write(0, x)


def test_iterators_obey_the_options_of_datasets():
    second_is_out = threading.Event()

    def waits(x):
        return x if x else x + second_is_out.wait(10) * 0

    options = tf.data.Options()
    options.experimental_deterministic = False
    dataset = tf.data.Dataset.range(2).map(lambda x: tf.py_func(waits, [x], tf.int64), num_parallel_calls=2)
    iterator = iter(dataset.with_options(options))
    assert next(iterator).numpy() == 1
    second_is_out.set()
    assert next(iterator).numpy() == 0


@pytest.mark.parametrize("make", [tf.FIFOQueue, tf.PaddingFIFOQueue, tf.PriorityQueue])
def test_queues_hold_elements(make):
    one, two = (make(10, tf.int64, shapes=[()], shared_name="q") for _ in range(2))
    elements = [(i, i * i) for i in range(5)] if make is tf.PriorityQueue else [(i,) for i in range(5)]
    for element in elements:
        one.enqueue([tf.constant(part, tf.int64) for part in element])
    assert one.size().numpy() == 5 and two.size().numpy() == 0
    first = one.dequeue()
    assert [int(part) for part in (first if isinstance(first, list) else [first])] == [*elements[0]]
    found = one.dequeue_many(2)
    assert (found[-1] if isinstance(found, list) else found).numpy().tolist() == [elements[1][-1], elements[2][-1]]
    one.close()
    assert one.is_closed().numpy()
    with pytest.raises(tf.errors.OutOfRangeError):
        one.dequeue_many(3)


def test_queues_wait_for_other_threads():
    queue, got = tf.FIFOQueue(1, tf.float32), []

    def take():
        with eager_mode():
            got.extend(queue.dequeue().numpy() for _ in range(3))

    taker = threading.Thread(target=take)
    taker.start()
    for i in range(3):
        queue.enqueue(float(i))
    taker.join()
    assert got == [0.0, 1.0, 2.0]


def test_a_dataset_draws_from_a_queue():
    queue = tf.FIFOQueue(10, tf.int64, shapes=[])
    queue.enqueue_many(np.arange(3))
    queue.close()
    dataset = tf.data.Dataset.from_tensors(0).repeat().map(lambda _: queue.dequeue())
    iterator = iter(dataset)
    assert [int(next(iterator)) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(StopIteration):
        next(iterator)

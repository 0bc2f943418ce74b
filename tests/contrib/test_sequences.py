"""tf.contrib.training.batch_sequences_with_states: segments of sequences, with states from one to the next."""

import numpy as np
import pytest

import evergraph as tf

training = tf.contrib.training


def saver(**more):
    """A saver of segments of two steps, and the feeds of one sequence."""
    length, key = tf.placeholder(tf.int32, []), tf.placeholder(tf.string, [])
    steps = tf.placeholder(tf.float32, [None, 1])
    arguments = {"batch_size": 2, "num_unroll": 2, "input_length": length, "input_key": key,
                 "input_sequences": {"steps": steps}, "input_context": {"twice": length * 2},
                 "initial_states": {"sum": tf.zeros([1])}, **more}
    made = training.SequenceQueueingStateSaver(**arguments)
    return made, lambda name, values, n: {key: name, steps: np.reshape(values, [-1, 1]), length: n}


def test_states_go_from_segment_to_segment(session):
    made, sequence = saver()
    batch = made.next_batch
    assert made.next_batch is batch and made.num_unroll == 2
    total = batch.state("sum") + tf.reduce_sum(batch.sequences["steps"], 1)
    save = batch.save_state("sum", total)
    for name, first in (("a", 1.0), ("b", 10.0)):
        session.run(made.prefetch_op, sequence(name, [first, first, first, 0.0], 3))
    fetches = [batch.key, batch.next_key, batch.length, batch.total_length, batch.sequence, batch.context["twice"],
               total, save]
    first, second = session.run(fetches), session.run(fetches)
    assert first[0].tolist() == [b"00000_of_00002:a", b"00000_of_00002:b"]
    assert first[1].tolist() == second[0].tolist()
    assert second[1].tolist() == [b"STOP:a", b"STOP:b"]
    assert [first[2].tolist(), second[2].tolist()] == [[2, 2], [1, 1]]
    assert first[3].tolist() == [3, 3] and second[4].tolist() == [1, 1] and second[5].tolist() == [6, 6]
    assert second[6].tolist() == [[3.0], [30.0]]
    assert session.run([made.barrier.ready_size(), made.barrier.incomplete_size()]) == [0, 0]


def test_small_batches_end_the_input(session):
    made, sequence = saver(allow_small_batch=True, capacity=2)
    batch = made.next_batch
    save = batch.save_state("sum", batch.state("sum"))
    session.run(made.prefetch_op, sequence("a", np.ones(4), 4))
    session.run(made.close())
    assert [session.run([batch.batch_size, save])[0] for _ in range(2)] == [1, 1]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(batch.key)


def test_what_does_not_fit_is_refused(session):
    with pytest.raises(ValueError, match="capacity 1 needs to be >= batch_size 2"):
        saver(capacity=1)
    with pytest.raises(TypeError, match="input_context must be a dict"):
        saver(input_context=[1])
    with pytest.raises(ValueError, match="the shape of initial_states"):
        saver(initial_states={"sum": tf.placeholder(tf.float32, [None])})
    made, sequence = saver()
    with pytest.raises(KeyError, match="state was not declared"):
        made.next_batch.state("other")
    with pytest.raises(ValueError, match="Rank check failed"):
        made.next_batch.save_state("sum", [1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="should be a multiple of: 2. It is 3"):
        session.run(made.prefetch_op, sequence("a", np.ones(3), 3))


def test_queue_runners_pad_and_batch_sequences(session):
    sparse = tf.SparseTensor([[0, 1], [2, 0]], tf.constant([5, 6], tf.int64), [3, 2])
    number = tf.train.range_input_producer(2, num_epochs=1, shuffle=False).dequeue()
    batch = training.batch_sequences_with_states(
        tf.as_string(number), {"steps": tf.range(3.0), "sparse": sparse}, {"sparse": sparse}, None,
        {"count": tf.constant(0)}, num_unroll=2, batch_size=2, num_threads=1)
    save = batch.save_state("count", batch.state("count") + 1)
    session.run(tf.local_variables_initializer())
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    fetches = [batch.sequences["steps"], tf.sparse_tensor_to_dense(batch.sequences["sparse"]), batch.length,
               batch.state("count"), tf.sparse_tensor_to_dense(batch.context["sparse"]), save]
    first, second = session.run(fetches), session.run(fetches)
    assert [first[0][1].tolist(), second[0][1].tolist()] == [[0.0, 1.0], [2.0, 0.0]]
    assert [first[1][0].tolist(), second[1][0].tolist()] == [[[0, 5], [0, 0]], [[6, 0], [0, 0]]]
    assert second[2].tolist() == [1, 1] and second[3].tolist() == [1, 1]
    assert second[4][1].tolist() == [[0, 5], [0, 0], [6, 0]]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(batch.key)
    coordinator.request_stop()
    coordinator.join(threads)


def test_keys_are_made_unique(session):
    batch = training.batch_sequences_with_states("same", {"x": tf.zeros([1, 1])}, {}, None, {"s": tf.zeros([])},
                                                 1, 2, make_keys_unique=True, make_keys_unique_seed=3)
    threads = tf.train.start_queue_runners(session, coord := tf.train.Coordinator())
    assert len(set(session.run(batch.key))) == 2
    coord.request_stop()
    coord.join(threads)

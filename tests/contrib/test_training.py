"""tf.contrib.training: buckets, loops, evaluations, placement."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.events import events_in

training = tf.contrib.training


def drained(outputs):
    """What a graph with queues gives until its input ends."""
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while True:
                found.append(session.run(outputs))
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
    return found


def numbers(count):
    number = tf.train.range_input_producer(count, num_epochs=1, shuffle=False).dequeue()
    return number, tf.fill([number], number)


def test_buckets_hold_what_belongs_together():
    number, sequence = numbers(24)
    bucket, (value, padded) = training.bucket([number, sequence], number % 2, batch_size=[4, 3], num_buckets=2,
                                              dynamic_pad=True, keep_input=number < 23)
    assert value.shape.as_list() == [None] and padded.shape.as_list() == [None, None]
    seen = []
    for which, values, rows in drained([bucket, value, padded]):
        assert set(values % 2) == {which} and len(values) == (4, 3)[which]
        for each, row in zip(values, rows):
            assert row.tolist() == [each] * each + [0] * (values.max() - each)
        seen += values.tolist()
    assert sorted(seen) == [*range(18), 18, 20, 22]  # of the odd ones 19 and 21 are no batch of three


def test_buckets_by_length():
    number, sequence = numbers(30)
    lengths, batch = training.bucket_by_sequence_length(number, {"s": sequence}, 4, [10, 20], dynamic_pad=True,
                                                        allow_smaller_final_batch=True)
    found = drained([lengths, batch])
    assert sorted(np.concatenate([each for each, _ in found]).tolist()) == list(range(30))
    for each, values in found:
        assert len({int(np.searchsorted([10, 20], length, "right")) for length in each}) == 1
        assert values["s"].shape == (len(each), each.max())


def test_buckets_are_checked():
    one = tf.constant(1)
    with pytest.raises(ValueError, match="exactly num_buckets"):
        training.bucket([one], 0, 2, num_buckets=2, bucket_capacities=[3, 4, 5])
    for wrong, error in (([], ValueError), ([3, 2], ValueError), ([1.5], TypeError)):
        with pytest.raises(error):
            training.bucket_by_sequence_length(one, [one], 2, wrong)


def test_train_and_evaluate_repeatedly(tmp_path):
    logs = str(tmp_path / "train")
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        loss = tf.constant(2.5)
        with tf.control_dependencies([step.assign_add(1)]):
            train_op = tf.identity(loss)
        assert training.train(train_op, logs, hooks=[tf.train.StopAtStepHook(num_steps=3)]) == 2.5
        with pytest.raises(ValueError):
            training.train(train_op, None)
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        seen, count = tf.metrics.mean(tf.constant([1.0, 3.0]))
        tf.summary.scalar("seen", seen)
        out = str(tmp_path / "eval")
        found = training.evaluate_repeatedly(
            logs, eval_ops=count, final_ops={"seen": seen}, eval_interval_secs=0, max_number_of_evaluations=1,
            hooks=[training.StopAfterNEvalsHook(2), training.SummaryAtEndHook(out)])
        assert found == {"seen": 2.0}
    written = [(event.step, value.tag, value.simple_value) for event in events_in(out) for value in event.summary.value]
    assert written == [(3, "seen", 2.0)]


def test_placement():
    names = ["Variable", "Variable_1", "Variable_2", "Variable_3"]
    strategy = training.RandomStrategy(2, seed=0)
    assert [strategy(type("Named", (), {"name": name})) for name in names] == [1, 0, 1, 1]
    balanced = training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn)
    nodes = [tf.placeholder(tf.float32, shape).op for shape in ([2, 2], [2, 1], [2, 2], [1, 3])]
    assert [balanced(node) for node in nodes] == [0, 1, 1, 0]
    with pytest.raises(ValueError):
        training.byte_size_load_fn(tf.placeholder(tf.float32, [None]).op)

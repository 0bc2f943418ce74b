"""Staging areas, in order and by key; batches of records in random order."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.input.record_input import RecordInput
from evergraph.frontend.input.staging import MapStagingArea, StagingArea


def test_elements_leave_in_order(session):
    x = tf.placeholder(tf.float32)
    area = StagingArea([tf.float32, tf.float32], shapes=[[], [2]], names=["x", "v"])
    put = area.put({"x": x, "v": tf.fill([2], x)})
    found = area.get()
    assert found["v"].shape.as_list() == [2]
    session.run(put, {x: -1})
    for step in range(4):
        _, values = session.run([put, found], {x: step})
        assert values["x"] == step - 1 and values["v"].tolist() == [step - 1] * 2
    assert session.run(area.size()) == 1 and session.run(area.peek(0))["x"] == 3
    session.run(area.clear())
    assert session.run(area.size()) == 0


@pytest.mark.parametrize("limits", [{"capacity": 2}, {"memory_limit": 20}])
def test_a_put_waits_for_room(session, limits):
    x = tf.placeholder(tf.int64)
    area = StagingArea([tf.int64], shapes=[[]], **limits)
    put, take = area.put([x]), area.get()
    session.run(put, {x: 0})
    session.run(put, {x: 1})
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(put, {x: 2}, options=tf.RunOptions(timeout_in_ms=50))
    thread = threading.Thread(target=session.run, args=(put, {x: 2}))
    thread.start()
    assert [session.run(take)[0] for _ in range(3)] == [0, 1, 2]
    thread.join()


def test_what_does_not_fit():
    area = StagingArea([tf.int64, tf.int64])
    for wrong in ([1], [1, 2, 3], {"a": 1}):
        with pytest.raises(ValueError):
            area.put(wrong)
    with pytest.raises(ValueError):
        StagingArea([tf.int64], names=["a", "b"])


@pytest.mark.parametrize("ordered", [False, True])
def test_parts_of_elements_by_key(session, ordered):
    key, x = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    area = MapStagingArea([tf.float32, tf.float32], names=["x", "y"], ordered=ordered)
    one, two = area.put(key, {"x": x}), area.put(key, {"y": -x})
    sizes = [area.size(), area.incomplete_size()]
    session.run(one, {key: 7, x: 1})
    assert session.run(sizes) == [0, 1]
    session.run(two, {key: 7, x: 1})
    assert session.run(sizes) == [1, 0] and session.run(area.peek(7, ["y"])) == {"y": -1.0}
    for number in (3, 5):
        session.run([one, two], {key: number, x: number})
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(one, {key: 5, x: 1})
    assert session.run(area.get(7)) == (7, {"x": 1.0, "y": -1.0})
    assert session.run(area.get(5, ["x"])) == (5, {"x": 5.0})
    with pytest.raises(tf.errors.InvalidArgumentError, match="already been removed"):
        session.run(area.get(5, ["x"]))
    assert session.run(area.get(5, ["y"])) == (5, {"y": -5.0})
    assert session.run(area.get()) == (3, {"x": 3.0, "y": -3.0})


def test_records_come_once_in_an_epoch(session, tmp_path):
    for file in range(5):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"r{file}")) as writer:
            for record in range(4):
                writer.write(b"%d" % (4 * file + record))
    batches = RecordInput(str(tmp_path / "r*"), batch_size=2, buffer_size=6, shift_ratio=0.3, seed=1,
                          batches=2).get_yield_op()
    assert [batch.shape.as_list() for batch in batches] == [[2], [2]]
    epochs = [np.concatenate([np.concatenate(session.run(batches)) for _ in range(5)]).tolist() for _ in range(3)]
    for epoch in epochs:
        assert sorted(map(int, epoch)) == list(range(20))
    assert epochs[0] != epochs[1]
    with pytest.raises(tf.errors.NotFoundError):
        session.run(RecordInput(str(tmp_path / "none*")).get_yield_op())

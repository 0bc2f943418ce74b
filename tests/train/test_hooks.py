"""The hooks of tf.train, each in a monitored session."""

import glob
import json
import math
import os
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import logging
from evergraph.train.chrome_trace import Timeline


@pytest.fixture
def step():
    return tf.train.create_global_step()


@pytest.fixture
def train(step):
    """Counts up the step."""
    return tf.assign_add(step, 1)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set forward."""

    class Clock:
        now = 1000.0

    monkeypatch.setattr(time, "time", lambda: Clock.now)
    return Clock


@pytest.fixture
def log(monkeypatch):
    """What is logged at level INFO or above."""
    texts = []
    monkeypatch.setattr(logging.get_logger(), "handle", lambda record: texts.append(record.getMessage()))
    before = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    yield texts
    tf.logging.set_verbosity(before)


@pytest.fixture(autouse=True)
def closed_writers():
    yield
    tf.summary.FileWriterCache.clear()


def session(*hooks, **kwargs):
    return tf.train.SingularMonitoredSession(hooks=hooks, **kwargs)


def events(folder):
    """(step, kind of event, tags) for each event of the files in a directory."""
    tf.summary.FileWriterCache.clear()
    found = []
    for path in sorted(glob.glob(f"{folder}/events*")):
        for event in tf.train.summary_iterator(path):
            kind = event.WhichOneof("what")
            status = [event.session_log.status] if kind == "session_log" else []
            found.append((event.step, kind, status + [value.tag for value in event.summary.value]))
    return found


def saved_steps(folder):
    paths = tf.train.get_checkpoint_state(str(folder)).all_model_checkpoint_paths
    return [int(path.rsplit("-", 1)[1]) for path in paths]


# ---- stopping


@pytest.mark.parametrize("when", [{"last_step": 3}, {"num_steps": 3}])
def test_stop_at_step(train, when):
    runs = 0
    with session(tf.train.StopAtStepHook(**when)) as sess:
        while not sess.should_stop():
            sess.run(train)
            runs += 1
    assert runs == 3


def test_number_of_steps_counts_from_the_first(step, train):
    scaffold = tf.train.Scaffold(init_op=step.assign(10))
    with session(tf.train.StopAtStepHook(num_steps=2), scaffold=scaffold) as sess:
        assert sess.run(train) == 11 and not sess.should_stop()
        assert sess.run(train) == 12 and sess.should_stop()


def test_step_hooks_need_a_step(tmp_path):
    for hook in (tf.train.StopAtStepHook(1), tf.train.StepCounterHook(), tf.train.GlobalStepWaiterHook(1),
                 tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1),
                 tf.train.SummarySaverHook(1, summary_op=[]), tf.train.ProfilerHook(1, output_dir=str(tmp_path))):
        with pytest.raises(RuntimeError, match=f"{type(hook).__name__} needs a global step"):
            hook.begin()


def test_hooks_read_the_step_before_the_run_by_one_node(graph, step):
    seen = []

    class Reader(tf.train.StopAtStepHook):
        def after_run(self, run_context, run_values):
            seen.append(int(run_values.results))

    step_up = tf.assign_add(step, 1)
    with session(Reader(last_step=9), tf.train.StepCounterHook()) as sess:
        for _ in range(3):
            sess.run(step_up)
    assert seen == [0, 1, 2]
    assert [node.name for node in graph.get_operations() if "global_step/add" in node.name] == [
        "global_step/add/y", "global_step/add"]  # fmt: skip


def test_nan_loss():
    loss = tf.placeholder(tf.float32)
    with session(tf.train.NanTensorHook(loss)) as sess:
        assert sess.run(loss, {loss: 1.0}) == 1.0
        with pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN"):
            sess.run(loss, {loss: math.nan})
    with session(tf.train.NanTensorHook(loss, fail_on_nan_loss=False)) as sess:
        sess.run(loss, {loss: math.nan})
        assert sess.should_stop()


@pytest.mark.parametrize("make", [
    lambda: tf.train.StopAtStepHook(), lambda: tf.train.StopAtStepHook(1, 2),
    lambda: tf.train.LoggingTensorHook(["x"]), lambda: tf.train.LoggingTensorHook(["x"], 1, 1),
    lambda: tf.train.LoggingTensorHook(["x"], 0), lambda: tf.train.StepCounterHook(1, 1),
    lambda: tf.train.CheckpointSaverHook("x"), lambda: tf.train.CheckpointSaverHook("x", 1, 1),
    lambda: tf.train.CheckpointSaverHook("x", 1, saver=1, scaffold=2),
    lambda: tf.train.SummarySaverHook(1), lambda: tf.train.SummarySaverHook(1, scaffold=1, summary_op=2),
    lambda: tf.train.SummarySaverHook(summary_op=1), lambda: tf.train.ProfilerHook(1, 1)])  # fmt: skip
def test_arguments_that_contradict_each_other(make):
    with pytest.raises(ValueError):
        make()


# ---- logging


def test_log_every_few_runs(log):
    x = tf.placeholder_with_default(2.0, [], name="x")
    with session(tf.train.LoggingTensorHook({"twice": x * 2, "once": "x"}, every_n_iter=2, at_end=True)) as sess:
        for _ in range(4):
            sess.run(x)
    shown = [text.split(" (")[0] for text in log if "once" in text]
    assert shown == ["once = 2.0, twice = 4.0"] * 3  # in runs 1 and 3, and at the end
    assert " sec)" in [text for text in log if "once" in text][1]


def test_classes_of_programs_read_and_replace_the_tensors(log):
    class Doubled(tf.train.LoggingTensorHook):
        def begin(self):
            super().begin()
            self._current_tensors = {tag: 2 * tensor for tag, tensor in self._current_tensors.items()}

        def _log_tensors(self, tensor_values):
            seen.append((self._iter_count, [tensor_values[tag] for tag in self._tag_order]))
            super()._log_tensors(tensor_values)

    x, seen = tf.constant(2.0, name="x"), []
    with session(Doubled(["x"], every_n_iter=2, at_end=True)) as sess:
        for _ in range(3):
            sess.run(x)
    assert seen == [(0, [4.0]), (2, [4.0]), (3, [4.0])]


def test_log_every_few_seconds(log, clock):
    x = tf.constant(2.0, name="x")
    with session(tf.train.LoggingTensorHook(["x:0"], every_n_secs=10)) as sess:
        for now in (0, 5, 10, 11, 21):
            clock.now = 1000.0 + now
            sess.run(x)
    assert [text for text in log if "x:0" in text] == [
        "x:0 = 2.0", "x:0 = 2.0 (10.000 sec)", "x:0 = 2.0 (11.000 sec)"]  # fmt: skip


def test_log_at_the_end_by_a_formatter(log):
    x = tf.constant(2.0, name="x")
    hook = tf.train.LoggingTensorHook(["x"], at_end=True, formatter=lambda values: f"100% of {values}")
    with session(hook) as sess:
        sess.run(x)
        before = len(log)
    assert log[before:] == [f"100% of {dict(x=np.float32(2))}"]
    assert not any("100%" in text for text in log[:before])


def test_what_cannot_be_logged(graph):
    tf.unstack(tf.constant([1, 2]), name="two")
    other = tf.Graph()
    with other.as_default():
        elsewhere = tf.constant(1)
    for tensors, error in ((["two"], ValueError), (["none"], KeyError), ([elsewhere], ValueError)):
        with pytest.raises(error):
            tf.train.LoggingTensorHook(tensors, every_n_iter=1).begin()
    tf.train.LoggingTensorHook(["two:1"], every_n_iter=1).begin()


def test_steps_per_second(train, tmp_path, clock, log):
    with session(tf.train.StepCounterHook(every_n_steps=10, output_dir=str(tmp_path))) as sess:
        for _ in range(30):
            clock.now += 0.01
            sess.run(train)
    assert [(at, tags) for at, kind, tags in events(tmp_path) if kind == "summary"] == [
        (11, ["global_step/sec"]), (21, ["global_step/sec"])]  # fmt: skip
    assert "global_step/sec: 100" in log


def test_a_step_that_stands_still_is_told_of(step, log):
    with session(tf.train.StepCounterHook()) as sess:
        for _ in range(2):
            sess.run(step)
    assert any("has not been increased" in text for text in log)


# ---- saving


class Listener(tf.train.CheckpointSaverListener):
    def __init__(self, stop_at=None):
        self.calls, self.stop_at = [], stop_at

    def begin(self):
        self.calls.append("begin")

    def before_save(self, session, global_step_value):
        self.calls.append(f"before {global_step_value}")

    def after_save(self, session, global_step_value):
        self.calls.append(f"after {global_step_value}")
        return global_step_value == self.stop_at

    def end(self, session, global_step_value):
        self.calls.append(f"end {global_step_value}")


def test_checkpoints_every_few_steps(train, tmp_path):
    listener = Listener()
    with session(tf.train.CheckpointSaverHook(str(tmp_path), save_steps=2, listeners=[listener])) as sess:
        for _ in range(3):
            sess.run(train)
    assert saved_steps(tmp_path) == [0, 2, 3]
    assert listener.calls == ["begin", "before 0", "after 0", "before 2", "after 2", "before 3", "after 3", "end 3"]
    assert (tmp_path / "graph.pbtxt").exists() and (tmp_path / "model.ckpt-2.meta").exists()


def test_checkpoints_every_few_seconds(train, tmp_path, clock):
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_secs=10, checkpoint_basename="m")
    with session(hook) as sess:
        for now in (1, 11, 12, 21, 22):
            clock.now = 1000.0 + now
            sess.run(train)
    assert saved_steps(tmp_path) == [0, 2, 4, 5]
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "m-5")


def test_several_steps_in_one_run(step, tmp_path):
    train = tf.assign_add(step, 5)
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=10)
    hook._set_steps_per_run(5)
    with session(hook) as sess:
        for _ in range(5):
            sess.run(train)
    assert saved_steps(tmp_path) == [0, 10, 20, 25]


def test_a_listener_may_stop(train, tmp_path):
    with session(tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1, listeners=[Listener(2)])) as sess:
        sess.run(train)
        assert not sess.should_stop()
        sess.run(train)
        assert sess.should_stop()


def test_a_checkpoint_that_fails_ends_the_run_and_leaves_the_one_before(train, tmp_path):
    class Full(tf.train.Saver):
        def save(self, sess, save_path, global_step=None, **kwargs):
            if global_step == 2:
                raise tf.errors.ResourceExhaustedError(None, None, "the disk is full")
            return super().save(sess, save_path, global_step=global_step, **kwargs)

    with pytest.raises(tf.errors.ResourceExhaustedError):
        with session(tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1, saver=Full())) as sess:
            while True:
                sess.run(train)
    assert saved_steps(tmp_path) == [0, 1]


def test_summaries(step, train, tmp_path):
    updated = tf.Variable(0.0, use_resource=False).assign_add(1.0)
    tf.summary.scalar("updates", updated)
    scaffold = tf.train.Scaffold()
    hook = tf.train.SummarySaverHook(save_steps=8, output_dir=str(tmp_path), scaffold=scaffold)
    with session(hook, scaffold=scaffold) as sess:
        for _ in range(20):
            sess.run(train)
    start = tf.SessionLog.START
    assert events(tmp_path)[3:] == [(1, "session_log", [start]), (1, "summary", ["updates"]),
                                    (9, "summary", ["updates"]), (17, "summary", ["updates"])]  # fmt: skip


def test_several_summaries_by_seconds(train, tmp_path, clock):
    summaries = [tf.summary.scalar(name, 1.0) for name in "ab"]
    hook = tf.train.SummarySaverHook(save_secs=9.0, output_dir=str(tmp_path), summary_op=summaries)
    with session(hook) as sess:
        for _ in range(5):
            sess.run(train)
            clock.now += 3.1
    assert [(at, tags) for at, kind, tags in events(tmp_path) if kind == "summary"] == [
        (1, ["a"]), (1, ["b"]), (4, ["a"]), (4, ["b"])]  # fmt: skip


def test_profiles(step, tmp_path):
    train = tf.assign_add(step, tf.cast(tf.reduce_max(tf.ones([3])), tf.int64))
    hook = tf.train.ProfilerHook(save_steps=3, output_dir=str(tmp_path), show_memory=True)
    with session(hook) as sess:
        for _ in range(7):
            sess.run(train)
    assert sorted(os.path.basename(path) for path in glob.glob(f"{tmp_path}/*.json")) == [
        "timeline-3.json", "timeline-6.json"]  # fmt: skip
    trace = json.loads((tmp_path / "timeline-3.json").read_text())["traceEvents"]
    assert {"M", "X"} <= {event["ph"] for event in trace}
    assert "global_step" in {event["args"].get("name") for event in trace if event["ph"] == "X"}
    assert [at for at, kind, _ in events(tmp_path) if kind == "tagged_run_metadata"] == [3, 6]


def test_a_timeline_shows_order_arrows_and_memory():
    metadata = tf.RunMetadata()
    nodes = metadata.step_stats.dev_stats.add(device="/cpu:0").node_stats
    first = nodes.add(node_name="a", timeline_label="a = Const()", all_start_micros=10, all_end_rel_micros=5)
    first.output.add().tensor_description.allocation_description.MergeFrom(
        type(first.output[0].tensor_description.allocation_description)(requested_bytes=8, allocator_name="cpu"))
    nodes.add(node_name="b", timeline_label="b = Neg(a)", all_start_micros=15, all_end_rel_micros=5)
    nodes.add(node_name="c", timeline_label="c = Neg(a:0, ^b)", all_start_micros=16, all_end_rel_micros=9)
    trace = json.loads(Timeline(metadata.step_stats).generate_chrome_trace_format(show_memory=True))["traceEvents"]
    bars = {event["args"]["name"]: event for event in trace if event["ph"] == "X"}
    assert [(bars[n]["ts"], bars[n]["dur"], bars[n]["tid"]) for n in "abc"] == [(10, 5, 0), (15, 5, 0), (16, 9, 1)]
    assert [(e["name"], e["ts"]) for e in trace if e["ph"] in "st"] == [
        ("a", 15), ("a", 15), ("a", 15), ("a", 16), ("b", 20), ("b", 16)]  # fmt: skip
    assert [(e["ts"], e["args"]["cpu"]) for e in trace if e["ph"] == "C"] == [(10, 8), (25, 0)]


# ---- waiting, feeding, ending


def test_wait_for_a_step(step, monkeypatch):
    steps = [tf.assign(step, 500), tf.assign(step, 1100)]
    hook, slept = tf.train.GlobalStepWaiterHook(1000), []
    with session(hook) as sess:
        monkeypatch.setattr(time, "sleep", lambda secs: slept.append(sess.raw_session().run(steps[len(slept)])))
        sess.run(step)
        assert slept == [500, 1100]
        sess.run(step)
        assert len(slept) == 2


def test_nothing_to_wait_for(step, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda secs: pytest.fail("waited"))
    with session(tf.train.GlobalStepWaiterHook(0)) as sess:
        sess.run(step)


def test_final_ops(train):
    x = tf.placeholder(tf.float32)
    hook = tf.train.FinalOpsHook({"twice": x * 2, "step": train}, {x: 3})
    with session(hook) as sess:
        sess.run(train)
        assert hook.final_ops_values is None
    assert hook.final_ops_values == {"twice": 6, "step": 2}


def test_final_ops_without_input_left(log):
    queue = tf.FIFOQueue(1, tf.int32)
    taken, closed = queue.dequeue(), queue.close()
    with pytest.raises(tf.errors.OutOfRangeError):
        with session(tf.train.FinalOpsHook(taken)) as sess:
            sess.run(closed)
    assert any("input that has ended" in text for text in log)


def test_feeds_of_a_function():
    x = tf.placeholder(tf.float32)
    y, fed = x + 1, iter([1.0, 5.0])
    with session(tf.train.FeedFnHook(lambda: {x: next(fed)})) as sess:
        assert [sess.run(y), sess.run(y)] == [2, 6]

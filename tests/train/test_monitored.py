"""Monitored sessions: hooks in order, errors that pass, workers that are lost, training that goes on."""

import inspect
import os
import signal
import subprocess
import sys
import threading

import pytest

import evergraph as tf
from evergraph.graph.graph import default_graph

KINDS = [tf.train.MonitoredSession, tf.train.SingularMonitoredSession]


class Noting(tf.train.SessionRunHook):
    """Notes when it is called."""

    def __init__(self, calls, name="", asks=None, stops=False, fails=()):
        self.calls, self.name, self.asks, self.stops, self.fails = calls, name, asks, stops, list(fails)

    def begin(self):
        self.calls.append(f"begin{self.name}")

    def after_create_session(self, session, coord):
        assert isinstance(session, tf.Session) and isinstance(coord, tf.train.Coordinator)
        self.calls.append(f"create{self.name}")

    def before_run(self, run_context):
        self.calls.append(f"before{self.name}")
        error = self.fails.pop(0) if self.fails else None
        if error is not None:
            raise error
        return self.asks

    def after_run(self, run_context, run_values):
        self.calls.append(f"after{self.name}")
        self.values = run_values
        if self.stops:
            run_context.request_stop()

    def end(self, session):
        self.calls.append(f"end{self.name}")


def lost():
    return tf.errors.AbortedError(None, None, "a worker has gone")


@pytest.fixture(autouse=True)
def closed_writers():
    yield
    tf.summary.FileWriterCache.clear()


# ---- hooks


@pytest.mark.parametrize("kind", KINDS)
def test_hooks_are_called_in_order(graph, kind):
    one, calls = tf.constant(1), []
    with kind(hooks=[Noting(calls, 1), Noting(calls, 2)]) as sess:
        assert sess.run(one) == 1 and sess.graph is graph and graph.finalized
    assert calls == ["begin1", "begin2", "create1", "create2", "before1", "before2", "after1", "after2", "end1", "end2"]
    assert sess.should_stop() and sess.graph is None and not graph.finalized


def test_hooks_fetch_and_feed():
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32)
    total = x + y
    hook = Noting([], asks=tf.train.SessionRunArgs({"both": [x, y]}, {y: 2.0}))
    with tf.train.MonitoredSession(hooks=[hook, Noting([])]) as sess:
        assert sess.run(total, {x: 1.0}) == 3
        assert hook.values.results == {"both": [1, 2]}
        with pytest.raises(RuntimeError, match="Same tensor is fed"):
            sess.run(total, {x: 1.0, y: 1.0})


@pytest.mark.parametrize("change", ["args", "fetches", "feeds", "options", "nothing"])
def test_hooks_may_change_what_they_ask_for(change):
    """Also where the object that asks stays the same."""
    x = tf.placeholder_with_default(1.0, [])
    mine, own, feeds, options = [x + 1.0], [x], {}, tf.RunOptions()
    hook = Noting([], asks=tf.train.SessionRunArgs(own, None if change == "nothing" else feeds,
                                                   options if change == "options" else None))
    with tf.train.MonitoredSession(hooks=[hook, Noting([])]) as sess:
        for _ in range(2):
            assert sess.run(mine) == [2] and hook.values.results == [1]
        mine.append(x)
        if change == "args":
            hook.asks = tf.train.SessionRunArgs({"x": x})
        own += [mine[0]] if change == "fetches" else []
        feeds.update({x: 5.0} if change == "feeds" else {})
        options.trace_level = tf.RunOptions.FULL_TRACE if change == "options" else 0
        assert sess.run(mine) == ([6, 5] if change == "feeds" else [2, 1])
        assert hook.values.results == {"args": {"x": 1}, "fetches": [1, 2], "feeds": [5]}.get(change, [1])
        assert bool(hook.values.run_metadata.step_stats.dev_stats) == (change == "options")


def test_hooks_see_the_run():
    one = tf.constant(1)
    seen = []

    class Seeing(tf.train.SessionRunHook):
        def before_run(self, run_context):
            seen.append((run_context.original_args.fetches, run_context.session.run(one)))

    with tf.train.MonitoredSession(hooks=[Seeing()]) as sess:
        sess.run([one])
    assert seen == [([one], 1)]


def test_options_are_merged():
    one = tf.constant(1)
    asked = tf.RunOptions(trace_level=tf.RunOptions.SOFTWARE_TRACE, timeout_in_ms=60000)
    hook = Noting([], asks=tf.train.SessionRunArgs(None, options=asked))
    given, metadata = tf.RunOptions(trace_level=3, timeout_in_ms=30000, output_partition_graphs=True), tf.RunMetadata()
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        sess.run(one, options=given, run_metadata=metadata)
        assert hook.values.options == tf.RunOptions(trace_level=3, timeout_in_ms=60000, output_partition_graphs=True)
        assert hook.values.run_metadata is metadata and metadata.partition_graphs and metadata.step_stats.dev_stats
        assert given.timeout_in_ms == 30000
        sess.run(one)
        assert hook.values.options == asked


def test_a_hook_stops():
    one = tf.constant(1)
    with tf.train.MonitoredSession(hooks=[Noting([], stops=True)]) as sess:
        assert not sess.should_stop()
        sess.run(one)
        assert sess.should_stop()
        with pytest.raises(RuntimeError, match="stop"):
            sess.run(one)


# ---- errors


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", [tf.errors.OutOfRangeError(None, None, "end"), StopIteration()])
def test_the_end_of_input_ends_the_block(kind, error):
    calls = []
    with kind(hooks=[Noting(calls)]) as sess:
        raise error
    assert calls[-1] == "end" and sess.should_stop()


@pytest.mark.parametrize("kind", KINDS)
def test_errors_close_the_session_and_go_on(graph, kind):
    calls = []
    with pytest.raises(KeyError):
        with kind(hooks=[Noting(calls)]) as sess:
            raw = sess._tf_sess()
            raise KeyError("mine")
    assert "end" not in calls and sess.should_stop() and not graph.finalized
    with pytest.raises(RuntimeError, match="closed"):
        raw.run("x:0")


def test_an_error_at_the_end_of_a_hook_closes_the_session_too():
    class Failing(tf.train.SessionRunHook):
        def end(self, session):
            raise KeyError("late")

    with pytest.raises(KeyError):
        with tf.train.MonitoredSession(hooks=[Failing()]) as sess:
            pass
    assert sess._is_closed()


def test_closed_is_closed():
    one = tf.constant(1)
    sess = tf.train.MonitoredSession()
    sess.close()
    for use in (sess.close, lambda: sess.run(one), lambda: sess.run_step_fn(lambda step_context: 1)):
        with pytest.raises(RuntimeError, match="already closed"):
            use()


def test_a_graph_that_was_finalized_stays_so(graph):
    tf.train.Scaffold().finalize()
    with tf.train.MonitoredSession():
        pass
    assert graph.finalized


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_a_thread_is_raised_at_the_end(kind):
    one = tf.constant(1)

    class Threaded(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.thread = threading.Thread(target=coord.request_stop, args=(ZeroDivisionError("in a thread"),))
            coord.register_thread(self.thread)

        def before_run(self, run_context):
            self.thread.start()
            self.thread.join()

    with pytest.raises(ZeroDivisionError):
        with kind(hooks=[Threaded()]) as sess:
            assert sess.run(one) == 1


def test_a_session_that_cannot_be_made_is_closed(graph):
    made = []

    class Failing(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            made.append((session, coord))
            raise KeyError("no")

    with pytest.raises(KeyError):
        tf.train.MonitoredSession(hooks=[Failing()])
    (session, coord), = made
    assert coord.should_stop()
    with pytest.raises(RuntimeError, match="closed"):
        session.run("x:0")


# ---- lost workers


@pytest.mark.parametrize("error", [tf.errors.AbortedError, tf.errors.UnavailableError])
def test_a_lost_worker_means_a_new_session(error):
    step = tf.train.create_global_step()
    up, calls = tf.assign_add(step, 1), []
    hook = Noting(calls, fails=[None, None, error(None, None, "gone")])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        assert [sess.run(up), sess.run(up)] == [1, 2]
        assert sess.run(up) == 1  # again, where nothing was saved
    assert calls.count("begin") == 1 and calls.count("create") == 2 and calls.count("end") == 1


def test_a_new_session_goes_on_from_the_checkpoint(tmp_path):
    step = tf.train.create_global_step()
    up = tf.assign_add(step, 1)
    hook = Noting([], fails=[None, None, lost()])
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_checkpoint_steps=1,
                                           hooks=[hook]) as sess:
        assert [sess.run(up) for _ in range(4)] == [1, 2, 3, 4]


def test_a_worker_lost_while_the_session_is_made():
    v, errors = tf.Variable(3), [lost()]

    def init(scaffold, sess):
        if errors:
            raise errors.pop()

    creator = tf.train.ChiefSessionCreator(tf.train.Scaffold(init_fn=init))
    with tf.train.MonitoredSession(creator) as sess:
        assert sess.run(v) == 3 and not errors


def test_a_singular_session_does_not_recover():
    one = tf.constant(1)
    with pytest.raises(tf.errors.AbortedError):
        with tf.train.SingularMonitoredSession(hooks=[Noting([], fails=[lost()])]) as sess:
            sess.run(one)


def test_a_worker_that_a_thread_lost():
    """A run that fails because the threads that feed it have stopped is done again."""
    one, calls, coords = tf.constant(1), [], []

    class Stuck(Noting):
        def after_create_session(self, session, coord):
            super().after_create_session(session, coord)
            coords.append(coord)

        def before_run(self, run_context):
            if len(coords) == 1:
                coords[0].request_stop(lost())
                raise tf.errors.CancelledError(None, None, "nobody feeds this")

    with tf.train.MonitoredSession(hooks=[Stuck(calls)]) as sess:
        assert sess.run(one) == 1
        coords[1].request_stop(lost())
        assert not sess.should_stop() and len(coords) == 3


# ---- steps of several runs


def test_step_functions():
    x = tf.placeholder(tf.float32)
    double, calls = x * 2, []

    def step(step_context):
        raw = step_context.session.run(double, {x: 1.0})
        return raw + step_context.run_with_hooks(double, feed_dict={x: raw})

    class Model:
        def step(self, step_context):
            return step(step_context)

    with tf.train.MonitoredSession(hooks=[Noting(calls)]) as sess:
        assert sess.run_step_fn(step) == 6 and sess.run_step_fn(Model().step) == 6
        assert calls.count("before") == 2
        for wrong in (lambda: 1, lambda context: 1, lambda step_context, more: 1):
            with pytest.raises(ValueError, match="step_context"):
                sess.run_step_fn(wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_function_stops(kind):
    with kind() as sess:
        while not sess.should_stop():
            sess.run_step_fn(lambda step_context: step_context.request_stop())
            pytest.fail("the step asked to stop")


def test_a_step_function_is_called_again_when_a_worker_was_lost():
    one, tries = tf.constant(1), []

    def step(step_context):
        tries.append(step_context.session)
        return step_context.run_with_hooks(one)

    with tf.train.MonitoredSession(hooks=[Noting([], fails=[lost()])]) as sess:
        assert sess.run_step_fn(step) == 1
    assert len(tries) == 2 and tries[0] is not tries[1]


# ---- creators


def test_checkpoints_by_directory_and_by_path(tmp_path):
    v = tf.Variable(7, name="v")
    with tf.Session() as sess:
        sess.run(v.initializer)
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    change = v.assign(8)
    for where in ({"checkpoint_dir": str(tmp_path)}, {"checkpoint_filename_with_path": path}):
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(**where)) as sess:
            assert sess.run(v) == 7 and sess.run(change) == 8
        with tf.train.SingularMonitoredSession(**where) as sess:
            assert sess.run(v) == 7 and sess.raw_session().run(v) == 7


def test_a_worker_waits_for_the_chief():
    v = tf.Variable(1, name="v")
    with pytest.raises(tf.errors.DeadlineExceededError):
        tf.train.MonitoredTrainingSession(is_chief=False, max_wait_secs=0.01)
    default_graph()._unsafe_unfinalize()
    scaffold = tf.train.Scaffold(ready_op=tf.constant([], tf.string), local_init_op=v.initializer,
                                 ready_for_local_init_op=tf.constant([], tf.string))
    calls = []
    with tf.train.MonitoredTrainingSession(is_chief=False, scaffold=scaffold, hooks=[Noting(calls)],
                                           chief_only_hooks=[Noting(calls, " of the chief")]) as sess:
        assert sess.run(v) == 1
    assert not any("chief" in call for call in calls)


def test_servers_that_are_not_there():
    tf.train.get_or_create_global_step()
    with pytest.raises(tf.errors.DeadlineExceededError, match="grpc://localhost:1"):
        tf.train.MonitoredTrainingSession("grpc://localhost:1", config=tf.ConfigProto(operation_timeout_in_ms=100))
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        tf.Session("nowhere")


def test_a_creator_says_how():
    with pytest.raises(NotImplementedError):
        tf.train.SessionCreator().create_session()


def test_the_end_of_queues_ends_training(tmp_path):
    source = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    batch = tf.train.batch([source.dequeue()], 1)
    seen = []
    with tf.train.MonitoredSession() as sess:
        while not sess.should_stop():
            seen += list(sess.run(batch))
    assert seen == [b"a", b"b", b"a", b"b"]


def test_a_thread_that_the_closing_of_the_session_ends(monkeypatch):
    """The chief's thread of a SyncReplicasOptimizer waits for gradients as long as there is a session."""
    step = tf.train.create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1)
    w = tf.Variable([1.0], use_resource=False)
    train = optimizer.minimize(tf.reduce_sum(w * w), global_step=step)
    hooks, failed = [optimizer.make_session_run_hook(True), tf.train.StopAtStepHook(last_step=4)], []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    before = set(threading.enumerate())
    with tf.train.MonitoredSession(hooks=hooks, stop_grace_period_secs=0.1) as sess:
        while not sess.should_stop():
            sess.run(train)
        assert sess._tf_sess().run(w) == pytest.approx([0.4096])  # as in TensorFlow 2.15
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert not failed


# ---- training


def test_what_is_written(tmp_path):
    """TensorFlow 2.15 writes these events and files for this program, but for the last flush."""
    step = tf.train.create_global_step()
    v = tf.Variable(0.0, name="v")
    up = tf.group(tf.assign_add(step, 1), v.assign_add(1.0))
    tf.summary.scalar("v", v)
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_summaries_steps=2,
                                           save_checkpoint_steps=3, log_step_count_steps=2) as sess:
        for _ in range(7):
            sess.run(up)
    tf.summary.FileWriterCache.clear()
    path, = tmp_path.glob("events*")
    written = [(event.step, event.WhichOneof("what"), [value.tag for value in event.summary.value])
               for event in tf.train.summary_iterator(str(path))]
    graph, rate, summary = [(0, "graph_def", []), (0, "meta_graph_def", [])], ["global_step/sec"], ["v_1"]
    assert written == [
        (0, "file_version", []), *graph, *graph, (0, "session_log", []), (1, "session_log", []),
        (1, "summary", summary), (3, "summary", rate), (3, "summary", summary), (3, "session_log", []),
        (5, "summary", rate), (5, "summary", summary), (6, "session_log", []), (7, "summary", rate),
        (7, "summary", summary), (7, "session_log", [])]  # fmt: skip
    kept = [os.path.basename(p) for p in tf.train.get_checkpoint_state(str(tmp_path)).all_model_checkpoint_paths]
    assert kept == ["model.ckpt-0", "model.ckpt-3", "model.ckpt-6", "model.ckpt-7"]


def test_nothing_is_saved_without_a_directory_or_wish(tmp_path):
    v = tf.Variable(1)
    with tf.train.MonitoredTrainingSession() as sess:
        assert sess.run(v) == 1
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_checkpoint_secs=0,
                                           save_summaries_steps=0, log_step_count_steps=0) as sess:
        sess.run(v)
    assert not list(tmp_path.iterdir())


def trained(folder, last_step):
    """Trains until a step; gives the step and a variable after each run."""
    step = tf.train.create_global_step()
    v = tf.Variable(0.0, name="v")
    train = tf.group(tf.assign_add(step, 1), v.assign_add(2.0))
    hooks = [tf.train.StopAtStepHook(last_step=last_step)]
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, save_checkpoint_steps=5, hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(train)
            yield sess._tf_sess().run([step, v])


def test_a_killed_training_goes_on_where_it_was_saved(tmp_path):
    folder = str(tmp_path / "model")
    program = f"import evergraph as tf\n{inspect.getsource(trained)}\n" \
              f"for pair in trained({folder!r}, 10**9): print(*pair, flush=True)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as killed:
        for line in killed.stdout:
            if int(line.split()[0]) >= 12:
                killed.send_signal(signal.SIGKILL)
                break
        killed.stdout.read()
    saved = int(tf.train.latest_checkpoint(folder).rsplit("-", 1)[1])
    assert saved >= 10 and saved % 5 == 0
    assert list(trained(folder, saved + 4)) == [[saved + n, 2.0 * (saved + n)] for n in (1, 2, 3, 4)]
    assert tf.train.latest_checkpoint(folder).endswith(f"-{saved + 4}")

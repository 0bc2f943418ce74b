"""Nothing that happens from outside loses variables: interrupts, other threads, the end of the interpreter, forks, and
memory that runs out."""

import contextlib
import ctypes
import os
import pathlib
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import KINDS
from tests.run.interrupted import SCENES, Counters

ROOT = pathlib.Path(__file__).parent.parent.parent
MOMENTS = int(os.environ.get("EVERGRAPH_INTERRUPTS", "12"))  # of each scene
STEPS, SAVES = (2000, 100) if MOMENTS > 12 else (200, 8)


def program(*arguments, timeout=60 + 10 * MOMENTS):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, timeout=timeout)


@pytest.mark.parametrize("scene", SCENES)
def test_an_interrupt_at_any_moment_loses_nothing(scene, tmp_path):
    done = program("-m", "tests.run.interrupted", scene, "7", str(MOMENTS), str(tmp_path))
    assert done.stdout == "done\n", done.stderr


LOADS = [("load", at / MOMENTS) for at in range(MOMENTS)] if MOMENTS > 12 else [
    ("load", delay) for delay in (0.0, 0.1, 0.4, 0.8)]


@pytest.mark.parametrize("scene, delay", [*LOADS, *[("use", delay) for delay in (0.01, 0.05, 0.2)]])
def test_an_interrupt_while_modules_are_loaded(scene, delay, tmp_path):
    done = program("-m", "tests.run.interrupted", scene, "7", "1", str(tmp_path), str(delay))
    assert done.stdout == "done\n", done.stderr


_AT_ONCE = """
import sys, threading
import evergraph as tf
tf.logging.set_verbosity(tf.logging.ERROR)  # a busy machine may say that it compiles for long
results = []

def step(number, start):
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x = tf.placeholder(tf.float32, [2])
        v = tf.Variable([0.0, 0.0])
        arrays = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, x * number)),
                               [0, tf.TensorArray(tf.float32, 3)])[1]
        total = tf.reduce_sum(tf.assign_add(v, tf.reduce_sum(arrays.stack(), 0)))
        start.wait()
        session.run(v.initializer)
        results.append(float(session.run(total, {x: [1.0, 1.0]})))

for turn in range(int(sys.argv[1])):
    start = threading.Barrier(16)
    threads = [threading.Thread(target=step, args=(number, start)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [6.0 * number for number in range(16)], results
    results.clear()
print("done")
"""
PROCESSES, TURNS = (20, 10) if MOMENTS > 12 else (2, 2)  # 200 turns of 16 sessions, or a few


@pytest.mark.parametrize("process", range(PROCESSES))
def test_sessions_whose_first_steps_are_compiled_at_once(process):
    """The first turn of a process loads JAX."""
    done = program("-c", _AT_ONCE, str(TURNS))
    assert (done.stdout, done.stderr) == ("done\n", "")


@pytest.mark.in_process("a message is sent between the two, and the buffers that a program gets are copies")
@pytest.mark.parametrize("through_host", [False, True])
def test_no_python_runs_between_a_program_and_the_keeping_of_its_results(through_host):
    """An exception from outside comes between two bytecodes: there are none."""
    counters, calls = Counters(resource=True, through_host=through_host), []
    store = counters.session._store
    commit = type(store).commit.__code__

    def note(frame, event, argument):
        if event == "call" and frame.f_back is not None and frame.f_back.f_code is commit:
            calls.append(frame.f_code)
        if event == "call" and frame.f_code is commit:
            calls.append(commit)

    for _ in range(2):
        counters.run()
    sys.setprofile(note)
    try:
        counters.run()
    finally:
        sys.setprofile(None)
    assert calls and set(calls) == {commit}


def raise_in(thread, kind):
    """Has Python raise an exception in another thread, between two of its bytecodes."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(kind))


class Stopped(BaseException):
    """What a thread is stopped with."""


@KINDS
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # inside of such a callback
def test_an_exception_that_another_thread_raises_loses_nothing(resource):
    counters, choose = Counters(resource), random.Random(3)
    counters.run()

    def train():
        try:
            while True:
                counters.run()
        except Stopped:
            return

    for _ in range(MOMENTS):
        thread = threading.Thread(target=train, daemon=True)
        thread.start()
        time.sleep(choose.uniform(0, 0.02))
        while thread.is_alive():  # Python drops what comes inside a callback of the garbage collector
            raise_in(thread, Stopped)
            thread.join(1)
        before = counters.value()
        counters.run()
        assert counters.value() == before + 1


def test_an_interrupted_step_keeps_nobody_waiting():
    """A thread that waits for another one's step, and is stopped meanwhile, does not hold up a third."""
    reached, go_on = threading.Event(), threading.Event()

    def wait(value):
        reached.set()
        assert go_on.wait(30)
        return value

    v = tf.Variable(1.0)
    slow = tf.assign_add(v, tf.py_func(wait, [tf.constant(2.0)], tf.float32))
    with tf.Session() as session:
        session.run(v.initializer)
        keys = frozenset(["Variable"])
        with session._store.using(keys, keys):
            before = session._store.mark
            waiting = threading.Thread(target=lambda: pytest.raises(Stopped, session.run, v), daemon=True)
            waiting.start()
            while session._store.mark == before:
                time.sleep(0.001)
            raise_in(waiting, Stopped)
        waiting.join(10)
        assert not waiting.is_alive()
        go_on.set()
        assert session.run(slow) == 3.0


@contextlib.contextmanager
def training(counters):
    """A block during which another thread trains, at least so many steps; its errors are raised at the end."""
    stop, failures, trained = threading.Event(), [], 0

    def train():
        nonlocal trained
        try:
            while not stop.is_set() or trained < STEPS:
                counters.run()
                trained += 1
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=train, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        stop.set()
        thread.join(600)
    assert failures == []


def values_of_one_step(path):
    reader = tf.train.load_checkpoint(path)
    values = [reader.get_tensor(name) for name in reader.get_variable_to_shape_map() if name.startswith("v")]
    return np.unique(values).size == 1


@pytest.mark.parametrize("kinds", [[False] * 6, [True] * 6, [False, True] * 3], ids=["ref", "resource", "both"])
def test_threads_save_and_evaluate_while_one_trains(kinds, tmp_path):
    counters, paths = Counters(kinds), []
    counters.run()
    saver = tf.train.Saver(counters.variables, max_to_keep=0)
    means = [tf.reduce_mean(v) for v in counters.variables]
    with training(counters):
        for number in range(SAVES):
            paths.append(saver.save(counters.session, str(tmp_path / "model"), number, write_meta_graph=False))
            assert np.unique(counters.session.run(means)).size == 1
    assert all(map(values_of_one_step, paths))
    assert counters.value() > STEPS


@KINDS
def test_a_supervisor_saves_while_the_program_trains(resource, tmp_path):
    counters = Counters(resource, starts=False)
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0.01, saver=counters.saver, summary_op=None,
                                     global_step=None)
    with supervisor.managed_session() as counters.session:
        for _ in range(STEPS):
            counters.run()
            assert not supervisor.should_stop()
    path = tf.train.latest_checkpoint(str(tmp_path))
    assert values_of_one_step(path)


@KINDS
def test_a_thread_saves_while_a_monitored_session_trains(resource, tmp_path):
    counters = Counters(resource, starts=False)
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_checkpoint_steps=20) as session:
        counters.session = session
        with training(counters):
            for _ in range(SAVES):
                path = counters.saver.save(session._tf_sess(), str(tmp_path / "other"), write_meta_graph=False)
                assert values_of_one_step(path)
    assert values_of_one_step(tf.train.latest_checkpoint(str(tmp_path)))


_LEFT_BEHIND = """
import sys, threading, time
import evergraph as tf
tf.logging.set_verbosity(tf.logging.ERROR)  # a busy machine may say that it compiles for long
v = tf.Variable(tf.zeros([300, 300]))
step = tf.assign_add(v, tf.matmul(v, v) * 0.1 + 1e-3).op
take = tf.FIFOQueue(1, tf.float32).dequeue()
session = tf.Session(tier="xla")
session.run(tf.global_variables_initializer())
session.run(step)

def train():
    while True:
        session.run(step)
        session.run(v)

for work in (train, train, lambda: session.run(take)):
    threading.Thread(target=work, daemon=True).start()
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("seconds", [0.05, 0.11, 0.17])
def test_the_interpreter_ends_while_daemon_threads_train(seconds):
    done = program("-c", _LEFT_BEHIND, str(seconds))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


_FORKED = """
import os, warnings
import evergraph as tf
warnings.simplefilter("ignore")
x = tf.placeholder(tf.float32, [2])
v = tf.Variable([1.0, 2.0])
compiled, small = tf.Session(tier="xla"), tf.Session()
compiled.run(v.initializer)
child = os.fork()
if not child:
    print(small.run(x + 1.0, {x: [1.0, 2.0]}), flush=True)
    try:
        compiled.run(tf.assign_add(v, [1.0, 1.0]))
    except tf.errors.FailedPreconditionError as error:
        print(error.message, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(compiled.run(tf.assign_add(v, [1.0, 1.0])))
"""


def test_a_forked_process_says_that_it_cannot_use_xla():
    done = program("-c", _FORKED)
    first, second, third = done.stdout.splitlines()
    assert first == "[2. 3.]" and "was forked from one that had used XLA" in second and third == "[2. 3.]"


# In a process of its own: malloc serves a thread from other places once it has failed there.
_TOO_LARGE = """
import sys
import numpy as np
import evergraph as tf
x, v = tf.placeholder(tf.float32, [None]), tf.Variable([1.0, 2.0])
wide = tf.tile(tf.reshape(x, [-1, 1]), [1, 20_000_000], name="wide")
step = tf.assign_add(v, tf.fill([2], tf.reduce_sum(tf.cumsum(wide, axis=1))))
with tf.Session(tier=sys.argv[1]) as session:
    session.run(v.initializer)
    try:
        session.run(step, {x: np.zeros(4_000_000)})
    except tf.errors.ResourceExhaustedError as error:
        print(error.op.name, error)
    print(session.run(v))
"""


@pytest.mark.parametrize("tier, size", [("numpy", "291. TiB"), ("xla", "320,000,000,000,000 bytes")])
def test_memory_that_runs_out(tier, size):
    done = program("-c", _TOO_LARGE, tier)
    assert done.stdout.startswith("wide ") and size in done.stdout, done.stderr
    assert "<string>:6" in done.stdout and done.stdout.endswith("[1. 2.]\n")

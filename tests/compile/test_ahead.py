"""Programs that the background compiles while steps run on NumPy: when they take over, and what happens around that."""

import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import executable, program
from evergraph.compile.ahead import ahead
from evergraph.compile.policy import compilations
from evergraph.compile.shared_programs import programs
from tests.harness.tiers import compile_after

SWITCH = 8


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    compile_after(monkeypatch, SWITCH)
    programs.clear()  # which other tests have left


def training():
    """(the step, its loss, the input) of a small network, with a random op."""
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    hidden = tf.layers.dense(x, 32, tf.nn.tanh, kernel_initializer=tf.initializers.random_normal(seed=3))
    loss = tf.reduce_mean(tf.square(tf.layers.dense(
        tf.nn.dropout(hidden, 0.9, seed=5), 2, kernel_initializer=tf.initializers.random_normal(seed=4))))
    return tf.train.AdamOptimizer(0.01).minimize(loss), loss, x


def tiers(session, fetches, feeds, runs):
    """Which of the runs are compiled, by what tracing says of them."""
    found = []
    for _ in range(runs):
        metadata = tf.RunMetadata()
        session.run(fetches, feeds, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
        names = [stats.node_name for device in metadata.step_stats.dev_stats for stats in device.node_stats]
        found.append(any(name.startswith("compiled_") for name in names))
    return found


def test_the_switch_is_at_a_fixed_run():
    train, loss, x = training()
    before = compilations.count
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert tiers(session, [train, loss], {x: np.ones([4, 6])}, SWITCH + 3) == [False] * SWITCH + [True] * 3
    assert compilations.count == before + 1


@pytest.mark.parametrize("rows, is_shared", [(1 << 12, True), (1 << 20, False)])
def test_programs_with_constants_are_kept_unless_these_are_large(rows, is_shared):
    before = compilations.count
    for _ in range(2):
        with tf.Graph().as_default(), tf.Session(tier="xla") as session:
            x = tf.placeholder(tf.float32, [8])
            total = tf.reduce_sum(tf.constant(np.arange(8 * rows, dtype=np.float32).reshape(rows, 8)) * x)
            assert session.run(total, {x: np.ones(8)}) == pytest.approx(4 * rows * (8 * rows - 1), rel=1e-3)
    assert compilations.count == before + (1 if is_shared else 2)


def test_the_same_program_twice_gives_the_same_numbers(monkeypatch):
    train, loss, x = training()
    batches = np.random.RandomState(0).randn(3 * SWITCH, 4, 6)

    def losses():
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [session.run([train, loss], {x: batch})[1] for batch in batches]

    first = losses()
    compiled = executable.Executable.compile

    def slow(self, *args):
        time.sleep(0.3)
        compiled(self, *args)

    monkeypatch.setattr(executable.Executable, "compile", slow)  # a background that is late
    assert losses() == first


def test_each_signature_counts_for_itself():
    train, loss, x = training()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = compilations.count
        for size in range(1, 40):
            session.run(train, {x: np.ones([size, 6])})
        assert compilations.count == before
        for _ in range(SWITCH + 1):
            session.run(train, {x: np.ones([3, 6])})
        assert compilations.count == before + 1


def test_compiling_begins_halfway(monkeypatch):
    train, loss, x = training()
    begun = []
    monkeypatch.setattr("evergraph.compile.programs.ahead", lambda owner, call: begun.append(1) or ahead(owner, call))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert tiers(session, [train, loss], {x: np.ones([4, 6])}, SWITCH // 2) == [False] * (SWITCH // 2) and not begun
        assert tiers(session, [train, loss], {x: np.ones([4, 6])}, 1) == [False] and len(begun) == 1
        assert tiers(session, [train, loss], {x: np.ones([3, 6])}, 1) == [False]  # the last batch of an epoch
        left = SWITCH // 2 - 1
        assert tiers(session, [train, loss], {x: np.ones([4, 6])}, left + 3) == [False] * left + [True] * 3


def test_a_value_that_has_to_be_static_is_found_at_the_switch():
    count, w = tf.placeholder(tf.int32, []), tf.Variable(tf.ones([8, 8]))
    tiled = tf.tile(w, [count, 1])
    step = tf.assign_add(w, tf.gradients(tf.reduce_sum(tf.square(tf.matmul(tiled, w))), w)[0] * 1e-4)
    found = {}
    for tier in (None, "numpy"):
        with tf.Session(tier=tier) as session:
            session.run(w.initializer)
            for _ in range(2 * SWITCH):
                session.run(step.op, {count: 3})
            found[tier] = session.run(w)
    np.testing.assert_allclose(found[None], found["numpy"], rtol=1e-5)


def test_an_error_of_the_background_is_raised_at_the_switch(monkeypatch):
    train, _, x = training()

    def failing(self, *args):
        raise tf.errors.InternalError(None, None, "no program")

    monkeypatch.setattr(program.StageProgram, "trace", failing)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(SWITCH):
            session.run(train, {x: np.ones([4, 6])})
        with pytest.raises(tf.errors.InternalError, match="no program"):
            session.run(train, {x: np.ones([4, 6])})
        monkeypatch.undo()
        session.run(train, {x: np.ones([4, 6])})


def test_threads_that_reach_a_signature_together_compile_it_once():
    train, _, x = training()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = compilations.count
        start = threading.Barrier(4)

        def steps():
            start.wait()
            for _ in range(SWITCH):
                session.run(train, {x: np.ones([4, 6])})

        threads = [threading.Thread(target=steps) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert compilations.count == before + 1


def test_fed_arrays_may_change_after_a_step():
    train, loss, x = training()
    batch = np.ones([4, 6], np.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(SWITCH + 1):
            value = session.run([train, loss], {x: batch})[1]
            batch[:] = np.nan
            assert np.isfinite(value)
            batch[:] = 1


def test_what_nobody_waits_for_is_dropped():
    class Owner:
        """Stands for the runner of a stage, whose session may be closed."""

    go, called = threading.Event(), []
    first, second = Owner(), Owner()
    jobs = [ahead(first, go.wait), ahead(second, lambda: called.append(1)), ahead(first, lambda: called.append(2))]
    del second
    gc.collect()
    go.set()
    assert [job.wait() for job in jobs] == [True, False, True] and called == [2]
    for thread in threading.enumerate():
        if thread.name == "evergraph compiler":
            thread.join(10)
            assert not thread.is_alive()


PROGRAM = """
import os, numpy as np, evergraph as tf
from evergraph.compile import policy
policy.CPU = policy.CPU_WITHOUT_C = policy.Machine(
    load=40, compile=0, start=-1, kernel=0, loop=0, element=0, flop=0, replays=False)
x, w = tf.placeholder(tf.float32, [4, 4]), tf.Variable(tf.ones([4, 64]))
train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.square(tf.matmul(x, w))))
session = tf.Session()
session.run(tf.global_variables_initializer())
run = lambda count: [session.run(train, {x: np.ones([4, 4])}) for _ in range(count)]
run(21)                          # the background has begun
"""

pytestmark = pytest.mark.cpus


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_goes_on_without_the_background_and_a_process_may_end_meanwhile():
    program = PROGRAM + """
if os.fork() == 0:
    run(19)                      # on NumPy
    try:
        run(1)
    except tf.errors.FailedPreconditionError:
        print("needs XLA", flush=True)
    os._exit(0)
os.wait()
run(20)
print("compiled", policy.compilations.count)
x = tf.placeholder(tf.float32, [3, 4])
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(tf.matmul(x, w))))
[session.run(train, {x: np.ones([3, 4])}) for _ in range(21)]
print("over")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "needs XLA\ncompiled 1\nover\n"

"""Steps whose sizes change beside an accelerator: what runs on NumPy, what is compiled, and for how many sizes.

The platform is a fake: programs run on CPUs, and what decides about them takes these for an accelerator.
"""

import dataclasses
import math
import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import backend
from evergraph.compile.cache import (
    COMPILING,
    COMPILING_NODE,
    ELEMENT,
    FEW_RUNS,
    FORMS_AT_ONCE,
    HEAVY_ELEMENTS,
    HOT_RUNS,
    ITERATION_BESIDE,
    KERNEL,
    LIGHT_VOLUME,
    LONG_NODES,
    LOOP_ELEMENTS_BESIDE,
    MOST_AT_ONCE,
    MOST_EXECUTABLES,
    MOVING,
    NUMBER,
    STARTING,
    STARTING_NODE,
    Work,
    calls_before_compiling,
    compilations,
    runs_anywhere,
    runs_on_numpy,
)
from evergraph.kernel.lists import transfer
from tests.rnn import test_over_time as over_time
from tests.run import test_sizes


@pytest.fixture
def accelerator(monkeypatch):
    monkeypatch.setattr(backend, "platform", lambda: "gpu")
    monkeypatch.setattr(backend, "compiler_options", lambda *given: {})


# ---- the policy


LIGHT = Work(100, 5000, True, False, volume=LIGHT_VOLUME)
HEAVY = Work(100, HEAVY_ELEMENTS, True, False, volume=1 << 34)
MIDDLE = dataclasses.replace(HEAVY, volume=1 << 25)
UNKNOWN = Work(100, 5000, True, False)
LOOPS = Work(5000, 5000, True, False, volume=1000, looping=200, iteration=200 << 13)


def paying(work, moved=0):
    lost = KERNEL * work.nodes + NUMBER * work.numbers + ELEMENT * work.elements + MOVING * moved \
        - STARTING - STARTING_NODE * work.nodes
    return (COMPILING + COMPILING_NODE * work.nodes) // lost


@pytest.mark.parametrize("work, compiled, runs", [
    (LIGHT, 0, paying(LIGHT)), (LIGHT, 30, paying(LIGHT)),             # until it has lost the time that compiling takes
    (dataclasses.replace(LIGHT, volume=1000), 0, math.inf),            # a program would take longer
    (MIDDLE, 0, 0), (MIDDLE, FORMS_AT_ONCE - 1, 0), (MIDDLE, FORMS_AT_ONCE, paying(MIDDLE)),
    (HEAVY, 0, 0), (HEAVY, MOST_AT_ONCE, 0), (HEAVY, MOST_EXECUTABLES - 1, 0),  # for every size
    (HEAVY, MOST_EXECUTABLES, paying(HEAVY)),                          # more would push each other out
    (UNKNOWN, MOST_AT_ONCE - 1, 0), (UNKNOWN, MOST_AT_ONCE, HOT_RUNS * MOST_AT_ONCE),
    (dataclasses.replace(UNKNOWN, elements=HEAVY_ELEMENTS), MOST_AT_ONCE, 0),
    (dataclasses.replace(UNKNOWN, elements=HEAVY_ELEMENTS), MOST_EXECUTABLES, HOT_RUNS),
    (dataclasses.replace(LOOPS, iteration=ITERATION_BESIDE + 1), MOST_AT_ONCE, 0),
    (dataclasses.replace(LOOPS, elements=LOOP_ELEMENTS_BESIDE), MOST_AT_ONCE, 0),
    (dataclasses.replace(LIGHT, device_only=True), 99, 0),
])  # fmt: skip
def test_runs_on_numpy(work, compiled, runs):
    assert runs_on_numpy(work, compiled, "gpu") == runs


def test_what_is_heavy_runs_on_numpy_a_few_times_at_most():
    assert paying(HEAVY) <= FEW_RUNS < paying(MIDDLE) < math.inf


def test_variables_on_the_device_make_numpy_slower():
    """Also a light stage then is compiled, if it keeps running."""
    light = dataclasses.replace(LIGHT, volume=1000)
    assert runs_on_numpy(light, 0, "gpu", moved=8) == paying(light, 8)
    assert runs_on_numpy(LIGHT, 0, "gpu", moved=8) == paying(LIGHT, 8) < paying(LIGHT)


def test_loops_of_small_kernels_stay_on_numpy():
    small = dataclasses.replace(LOOPS, iteration=200 << 9)
    assert calls_before_compiling(small, "gpu") == math.inf == runs_on_numpy(small, 1, "gpu", calls=10_000)
    assert LOOPS.has_light_loops and calls_before_compiling(LOOPS, "gpu") < calls_before_compiling(LOOPS, "cpu")
    few, many = (runs_on_numpy(LOOPS, 1, "gpu", calls=calls) for calls in (10_000, 100_000))
    assert 0 < many < few < math.inf


def test_runs_on_every_platform():
    assert runs_anywhere(LIGHT) == min(runs_on_numpy(LIGHT, 0, platform) for platform in ("cpu", "gpu")) > 0
    assert runs_anywhere(MIDDLE) == 0 < runs_on_numpy(dataclasses.replace(MIDDLE, nodes=LONG_NODES), 0, "cpu")


# ---- steps


def mlp(width=64, name="x"):
    """(the step, the input) of a network that is trained."""
    x = tf.placeholder(tf.float32, [None, 32], name=name)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(tf.layers.dense(x, width, tf.nn.relu), 4)))
    return [tf.train.AdamOptimizer(0.01).minimize(loss), loss], x


def losses(sizes, tier=None):
    """(the loss of each step on a batch of some size, how many programs were compiled for it)."""
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        step, x = mlp()
        data = np.random.RandomState(0).randn(max(sizes), 32)
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            found, counts = [], []
            for size in sizes:
                before = compilations.count
                found.append(session.run(step, {x: data[:size]})[1])
                counts.append(compilations.count - before)
            return found, counts


@pytest.fixture
def heavy(monkeypatch):
    """Every step is too much for NumPy."""
    monkeypatch.setattr("evergraph.compile.cache.LIGHT_VOLUME", -1)
    monkeypatch.setattr("evergraph.compile.cache.NUMBER", 1000)


def test_light_steps_of_many_sizes_need_no_program(accelerator):
    assert sum(losses(range(1, 40))[1]) == 0


def test_every_size_of_a_heavy_step_is_compiled_at_once(accelerator, heavy):
    sizes = [*range(1, MOST_AT_ONCE + 3)] * 2
    found, counts = losses(sizes)
    assert counts == [1] * (MOST_AT_ONCE + 2) + [0] * (MOST_AT_ONCE + 2)
    np.testing.assert_allclose(found, losses(sizes, "numpy")[0], rtol=1e-3)


def test_further_sizes_of_a_step_that_numpy_can_do_are_compiled_when_they_come_back(accelerator, monkeypatch):
    monkeypatch.setattr("evergraph.compile.cache.LIGHT_VOLUME", -1)
    monkeypatch.setattr("evergraph.compile.cache.HEAVY_ELEMENTS", 0)  # which makes the work known, and not light
    monkeypatch.setattr("evergraph.compile.stage.AHEAD_ELEMENTS", 0)
    monkeypatch.setattr("evergraph.compile.cache._paying_runs", lambda *_: FEW_RUNS + 1)
    monkeypatch.setattr("evergraph.compile.cache.Work.is_light", False)
    sizes = [3, 5, *[7] * (FEW_RUNS + 3)]
    found, counts = losses(sizes)
    assert counts == [1, 1, *[0] * (FEW_RUNS + 1), 1, 0]
    np.testing.assert_allclose(found, losses(sizes, "numpy")[0], rtol=1e-3)


@pytest.mark.parametrize("returns_early", ["0", "1"])
def test_a_light_step_is_compiled_in_the_background(returns_early, accelerator, monkeypatch):
    """Also where steps may return before the device is done, so that a program takes the code of the step before."""
    monkeypatch.setenv("EVERGRAPH_RETURN_EARLY", returns_early)
    monkeypatch.setattr("evergraph.compile.cache._paying_runs", lambda *_: 10)
    found, counts = losses([6] * 14)
    assert counts == [0] * 5 + [1] + [0] * 8
    np.testing.assert_allclose(found, losses([6] * 14, "numpy")[0], rtol=1e-3)


def test_a_light_step_is_compiled_where_another_one_takes_its_variables_to_the_device(accelerator, monkeypatch):
    """Each step on NumPy takes them back, which costs more than the step itself."""
    monkeypatch.setattr("evergraph.compile.stage.AHEAD_ELEMENTS", 0)
    for name, time in (("COMPILING", 3 * MOVING), ("COMPILING_NODE", 0), ("STARTING", 0)):
        monkeypatch.setattr(f"evergraph.compile.cache.{name}", time)
    (train, loss), x = mlp()
    large, weights = tf.placeholder(tf.float32, [None, 1024]), tf.trainable_variables()[0]
    change = weights.assign_add(tf.reduce_mean(tf.matmul(large, tf.ones([1024, 1024]))) * tf.ones_like(weights))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        programs = []
        for at in range(12):
            if at >= 4:
                session.run(change.op, {large: np.zeros([512, 1024])})
            before = compilations.count
            session.run([train, loss], {x: np.ones([5, 32])})
            programs.append(compilations.count - before)
    assert sum(programs[:5]) == 0 and sum(programs) == 1


@pytest.mark.parametrize("choose", test_sizes.CHOICES.values(), ids=test_sizes.CHOICES)
def test_a_mask_in_a_loss_takes_no_program_for_each_count(choose, accelerator, monkeypatch):
    monkeypatch.setattr("evergraph.compile.cache.LIGHT_VOLUME", -1)
    counts = [7, 9, 3, 16, 1, 9, 12, 5, 2, 8]
    found, expected = (test_sizes.masked(choose, tier, counts) for tier in (None, "numpy"))
    assert 0 < found[1] <= 6
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-4)
    for value, wanted in zip(found[2], expected[2], strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-5)


# ---- loops over time


@pytest.fixture
def heavy_loops(accelerator, monkeypatch):
    """Loops are heavy for an accelerator, though NumPy would run them where there is none."""
    monkeypatch.setattr("evergraph.compile.cache.ITERATION_BESIDE", -1)


LENGTHS = (5, 9, 3, 12, 9)


def assert_equal(found, build, lengths=LENGTHS):
    expected = over_time.flat(over_time.trained(build, "numpy", lengths))
    for value, wanted in zip(over_time.flat(found), expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=2e-4, atol=1e-6)


@pytest.mark.parametrize("build", [over_time.recurrent, over_time.bidirectional, over_time.mapped])
def test_lengths_are_one_program(build, heavy_loops):
    found = over_time.trained(build, lengths=LENGTHS)
    assert not any(found[2][2:]), found[2]
    assert_equal(found, build)


def test_loops_behind_loops(heavy_loops):
    build = over_time.scanned_behind_a_network
    assert_equal(over_time.trained(build, lengths=LENGTHS), build)


@pytest.mark.parametrize("build", [over_time.time_major, over_time.bidirectional, over_time.scanned])
def test_lists_get_their_room_on_the_device(build, heavy_loops, heavy, monkeypatch):
    """Stages around the loops are compiled for each length here: what they make need not go to the host and back."""
    filled = []
    program = transfer._program_that_fills()
    monkeypatch.setattr(transfer, "_is_elsewhere", lambda leaf: not isinstance(leaf, np.ndarray))
    monkeypatch.setattr(transfer, "_program_that_fills", lambda: lambda *given: filled.append(1) or program(*given))
    found = over_time.trained(build, lengths=LENGTHS)
    assert filled
    assert_equal(found, build)


@pytest.mark.parametrize("build", [over_time.recurrent, over_time.bidirectional])
def test_light_loops_stay_on_numpy(build, accelerator):
    assert sum(over_time.trained(build, lengths=LENGTHS)[2]) == 0


def test_light_loops_get_room_when_compiling_pays(accelerator, monkeypatch):
    monkeypatch.setattr("evergraph.compile.stage.calls_before_compiling", lambda *_: 400)
    lengths = [5, 9] * 8 + [4, 6, 8, 10, 12]
    found = over_time.trained(over_time.recurrent, lengths=lengths)
    assert 0 < sum(found[2]) <= 4 and not any(found[2][-5:]), found[2]
    assert_equal(found, over_time.recurrent, lengths)


def test_a_buffer_is_cut_or_filled_where_it_is():
    import jax

    leaf = jax.numpy.arange(6).reshape(3, 2)
    assert transfer._filled(leaf, 3) is leaf
    assert transfer._filled(leaf, 2).tolist() == [[0, 1], [2, 3]]
    assert transfer._filled(leaf, 4).tolist() == [[0, 1], [2, 3], [4, 5], [0, 0]]
    assert transfer._is_elsewhere(leaf) == (jax.default_backend() != "cpu") and not transfer._is_elsewhere(np.zeros(3))


# ---- starting


LIGHT_PROGRAM = """
import sys
import numpy as np
import evergraph as tf
from evergraph.compile import backend

backend._has_only_cpus = lambda: False  # as where a plugin for an accelerator is installed
x = tf.placeholder(tf.float32, [None, None, 8])
outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(8), x, dtype=tf.float32)
loss = tf.reduce_mean(tf.square(tf.layers.dense(outputs, 64)))
other = tf.reduce_mean(tf.square(tf.layers.dense(tf.layers.dense(x, 64), 64)))
steps = [tf.train.AdamOptimizer().minimize(each) for each in (loss, other)]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for size in range(2, 20):
        for step in steps:
            session.run(step, {x: np.ones([4, size, 8])})
print("jax" in sys.modules)
"""


def test_light_programs_do_not_load_jax_to_look_for_accelerators():
    done = subprocess.run([sys.executable, "-c", LIGHT_PROGRAM], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["False"]

"""Steps whose sizes change beside an accelerator: what runs on NumPy, what is compiled, and for how many sizes.

The platform is a fake: programs run on CPUs, and what decides about them takes these for an accelerator.
"""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import backend
from evergraph.compile.policy import compilations
from evergraph.kernel.lists import transfer
from tests.harness.tiers import compile_after, compile_loops_after
from tests.rnn import test_over_time as over_time
from tests.run import test_sizes


@pytest.fixture
def accelerator(monkeypatch):
    monkeypatch.setattr(backend, "platform", lambda: "gpu")
    monkeypatch.setattr(backend, "compiler_options", lambda *given: {})


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
    compile_after(monkeypatch, 0)


def test_light_steps_of_many_sizes_need_no_program(accelerator):
    assert sum(losses(range(1, 40))[1]) == 0


def test_every_size_of_a_heavy_step_is_compiled_at_once(accelerator, heavy):
    sizes = [*range(1, 10)] * 2
    found, counts = losses(sizes)
    assert counts == [1] * 9 + [0] * 9
    np.testing.assert_allclose(found, losses(sizes, "numpy")[0], rtol=1e-3)


def test_sizes_of_a_step_that_numpy_can_do_are_compiled_when_they_come_back(accelerator, monkeypatch):
    compile_after(monkeypatch, 6)
    monkeypatch.setattr("evergraph.compile.programs.MOST_COPIED", 0)
    sizes = [3, 5, *[7] * 8]
    found, counts = losses(sizes)
    assert counts == [0, 0, *[0] * 6, 1, 0]
    np.testing.assert_allclose(found, losses(sizes, "numpy")[0], rtol=1e-3)


@pytest.mark.parametrize("returns_early", ["0", "1"])
def test_a_light_step_is_compiled_in_the_background(returns_early, accelerator, monkeypatch):
    """Also where steps may return before the device is done, so that a program takes the code of the step before."""
    monkeypatch.setenv("EVERGRAPH_RETURN_EARLY", returns_early)
    compile_after(monkeypatch, 10)
    found, counts = losses([6] * 14)
    assert counts == [0] * 5 + [1] + [0] * 8
    np.testing.assert_allclose(found, losses([6] * 14, "numpy")[0], rtol=1e-3)


def test_a_light_step_is_compiled_where_another_one_takes_its_variables_to_the_device(accelerator, monkeypatch):
    """Each step on NumPy takes them back, which costs more than the step itself."""
    monkeypatch.setattr("evergraph.compile.programs.MOST_COPIED", 0)
    compile_after(monkeypatch, 0, load=5000, start=1000, kernel=0, move=2000, flop=1e-3)
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
    compile_after(monkeypatch, 0, start=20)
    counts = [7, 9, 3, 16, 1, 9, 12, 5, 2, 8]
    found, expected = (test_sizes.masked(choose, tier, counts) for tier in (None, "numpy"))
    assert 0 < found[1] <= 6
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-4)
    for value, wanted in zip(found[2], expected[2], strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-5)


# ---- loops over time


@pytest.fixture
def heavy_loops(accelerator, monkeypatch):
    compile_loops_after(monkeypatch, 0)


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
def test_lists_get_their_room_on_the_device(build, accelerator, heavy, monkeypatch):
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
    compile_loops_after(monkeypatch, 400)
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


# ---- places


@pytest.mark.cpus
def test_a_session_without_gpus_computes_on_the_cpu(accelerator):
    x = tf.placeholder(tf.float32, [8])
    w = tf.get_variable("w", [8], initializer=tf.ones_initializer())
    up = tf.assign_add(w, x)
    for config, name in ((None, "GPU:0"), (tf.ConfigProto(device_count={"GPU": 0}), "CPU:0")):
        with tf.Session(config=config, tier="xla") as session:
            session.run(w.initializer)
            for _ in range(3):
                session.run(up.op, {x: np.ones(8)})
            assert session.run(w).tolist() == [4.0] * 8
            place = session._find(up.op, [(x, None)])[0].plan.runners[0].stage.place
            assert place.name.endswith(name)
            assert backend.device(place) == (None if config is None else backend.jax().local_devices(backend="cpu")[0])


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

"""Functions called with eager execution run as plans do: stages, donated variables, effects in order."""

import gc
import threading
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.eager.graph import EAGER
from evergraph.run.functions import Runners
from tests.datasets.soak import left_threads

SIZE = 30


@pytest.fixture
def compiled(monkeypatch):
    """Functions that are called for the first time are compiled at once."""
    monkeypatch.setattr(EAGER.context.held, "tier", "xla")


@pytest.fixture(params=["numpy", "xla"])
def tier(request, monkeypatch):
    """What functions run on that are called for the first time."""
    monkeypatch.setattr(EAGER.context.held, "tier", request.param)
    return request.param


def stages_of(concrete):
    """(whether it is the host's, how many programs it has) for each stage of a function."""
    (runner,) = concrete.graph.cache(Runners).values()
    (body,) = runner.bodies.values()
    return [(each.stage.on_host, len(each.signatures.programs())) for each in body.executor.plan.runners]


def in_threads(count, program):
    """Runs a program in several threads, with eager execution; returns what they raised."""
    errors = []

    def run():
        try:
            with EAGER.as_default():
                program()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, errors


def matrix(seed=0):
    return np.random.RandomState(seed).randn(SIZE, SIZE).astype("f") * 0.05


def test_ops_of_the_host_leave_the_rest_compiled(compiled, capfd):
    w, seen = tf.Variable(matrix()), []

    @tf.function(autograph=False)
    def step(x):
        for _ in range(4):
            x = tf.tanh(tf.matmul(x, w))
        printed = tf.print("norm", tf.reduce_sum(x))
        x = tf.boolean_mask(x, tf.reduce_sum(x, 1) > -1e9)
        x = tf.py_function(lambda value: seen.append(float(value[0, 0])) or value, [x], tf.float32)
        x = tf.reshape(x, [SIZE, SIZE])
        for _ in range(4):
            x = tf.tanh(tf.matmul(x, w))
        w.assign_sub(0.001 * x)
        with tf.control_dependencies([printed]):
            return tf.reduce_sum(x)

    x = tf.constant(matrix(1))
    before = compilations.count
    results = [float(step(x)) for _ in range(3)]
    stages = stages_of(step.get_concrete_function(x))
    assert sum(on_host for on_host, _ in stages) >= 2
    assert [programs for on_host, programs in stages if not on_host] == [1] * (compilations.count - before)
    assert compilations.count - before >= 2
    assert len(seen) == 3 == capfd.readouterr().err.count("norm") == len(set(results))


def test_effects_come_in_the_order_of_the_program(capfd, tier):
    size = 20
    v, log = tf.Variable(np.zeros([size, size], "f")), []

    @tf.function
    def f(x):
        tf.print("first", v[0, 0])
        v.assign_add(x)
        tf.py_function(lambda: log.append(float(v.numpy()[0, 0])), [], [])
        y = tf.reduce_sum(tf.matmul(v, v))
        v.assign_add(x)
        tf.print("second", v[0, 0])
        tf.py_function(lambda: log.append(float(v.numpy()[0, 0])), [], [])
        v.assign(v * 2.0)
        tf.print("third", v[0, 0])
        return y + v[0, 0]

    x = tf.ones([size, size])
    for _ in range(8):
        v.assign(tf.zeros([size, size]))
        assert float(f(x)) == size**3 + 4.0
    assert log == [1.0, 2.0] * 8
    assert capfd.readouterr().err.split() == ["first", "0", "second", "2", "third", "4"] * 8


def test_functions_inside_of_functions_leave_the_rest_compiled(compiled, capfd):
    v = tf.Variable(1.0)

    @tf.function
    def shown(x):
        y = tf.tanh(x) * v
        tf.print("value", v)
        v.assign_add(1.0)
        return y + v

    @tf.function
    def twice(x):
        return tf.reduce_sum(shown(shown(x) * 2.0))

    def expected(x, v):
        y = (np.tanh(x) * v + v + 1.0) * 2.0
        return np.sum(np.tanh(y) * (v + 1.0) + v + 2.0)

    x = np.linspace(0.0, 1.0, 5, dtype="f")
    for before in (1.0, 3.0, 5.0):
        np.testing.assert_allclose(float(twice(tf.constant(x))), expected(x, before), rtol=1e-5)
    assert capfd.readouterr().err.split() == [word for n in range(1, 7) for word in ("value", str(n))]
    assert stages_of(twice.get_concrete_function(tf.constant(x))) == [(False, 1), (True, 0)]


def test_a_python_function_changes_variables_between_two_stages(tier):
    v = tf.Variable(1.0)

    @tf.function
    def f():
        before = v.read_value()
        tf.py_function(lambda: [v.assign(10.0)] and None, [], [])
        return before, v.read_value(), v.assign_add(1.0)

    assert [float(each) for each in f()] == [1.0, 10.0, 11.0]


def test_variables_are_updated_in_place_unless_someone_shows_them(compiled):
    v = tf.Variable(matrix())

    @tf.function
    def step(x):
        v.assign(tf.tanh(tf.matmul(v, x)) + v)
        return tf.reduce_sum(v)

    x = tf.constant(matrix(1))
    for _ in range(10):
        step(x)
    cell = v.handle.held
    held = cell.stored
    assert hasattr(held, "is_deleted")  # on a device
    place = held.unsafe_buffer_pointer()
    del held
    step(x)
    assert cell.stored.unsafe_buffer_pointer() == place
    shown = v.read_value()
    before = shown.numpy()
    step(x)
    np.testing.assert_array_equal(shown.numpy(), before)
    assert not np.array_equal(v.numpy(), before)


def test_a_result_that_is_a_variable_outlives_the_variables_buffer(tier):
    v = tf.Variable(matrix())

    @tf.function
    def step(x):
        new = v.assign(tf.tanh(tf.matmul(v, x)) + v)
        return new, v.read_value()

    x = tf.constant(matrix(1))
    results = [step(x) for _ in range(12)]
    for one, other in results:
        np.testing.assert_array_equal(one.numpy(), other.numpy())
    assert len({float(tf.reduce_sum(one)) for one, _ in results}) == 12


def test_a_failure_in_a_late_stage_restores_what_early_ones_replaced(tier):
    v = tf.Variable(np.zeros([SIZE, SIZE], "f"))

    @tf.function
    def f(x, fails):
        v.assign_add(tf.tanh(tf.matmul(x, x)) * 0.0 + 1.0)
        tf.py_function(_fail_if, [fails, v], [])
        return tf.reduce_sum(v)

    x = tf.constant(matrix())
    for _ in range(8):
        f(x, tf.constant(False))
    with pytest.raises(tf.errors.OpError):
        f(x, tf.constant(True))
    assert v.numpy()[0, 0] == 8.0
    assert float(f(x, tf.constant(False))) == 9.0 * SIZE**2


def _fail_if(fails, value):
    if fails:
        raise ValueError("asked for")


def test_threads_read_variables_while_a_function_donates_them(compiled):
    v = tf.Variable(np.zeros([SIZE, SIZE], "f"))

    @tf.function
    def step(x):
        v.assign_add(tf.ones_like(v) + 0.0 * tf.matmul(v, x))
        return v[0, 0]

    def read():
        for _ in range(300):
            value = v.numpy()
            assert value[0, 0] == value[-1, -1]

    x = tf.constant(np.zeros([SIZE, SIZE], "f"))
    threads, errors = in_threads(2, read)
    for _ in range(60):
        step(x)
    for thread in threads:
        thread.join()
    assert errors == [] and v.numpy()[0, 0] == 60.0


def test_functions_of_threads_wait_for_each_other(tier):
    v = tf.Variable(np.zeros([SIZE, SIZE], "f"))

    @tf.function
    def add(x):
        v.assign_add(x)
        return v[0, 0]

    x = tf.ones([SIZE, SIZE])
    add(x)
    threads, errors = in_threads(3, lambda: [add(x) for _ in range(40)])
    for thread in threads:
        thread.join()
    assert errors == [] and v.numpy()[0, 0] == 121.0 == v.numpy()[-1, -1]


def test_a_variable_among_the_arguments_is_not_kept(tier):
    @tf.function
    def f(v):
        return v.assign_add(1.0)

    f(tf.Variable(0.0))
    v = tf.Variable(1.0)
    f(v)
    held = weakref.ref(v.handle.held)
    del v
    gc.collect()
    assert held() is None
    w = tf.Variable(5.0)
    assert float(f(w)) == 6.0


def test_variables_among_the_arguments_share_a_program(compiled):
    @tf.function(autograph=False)
    def f(v, x):
        for _ in range(6):
            x = tf.tanh(tf.matmul(x, v))
        v.assign(x)
        return tf.reduce_sum(x)

    x = tf.constant(matrix())
    for _ in range(10):
        f(tf.Variable(matrix(2)), x)
    before = compilations.count
    for seed in range(3):
        f(tf.Variable(matrix(seed)), x)
    assert compilations.count == before


def test_a_dropped_function_is_forgotten(tier):
    v = tf.Variable(matrix())

    def made():
        f = tf.function(lambda x: tf.reduce_sum(tf.tanh(tf.matmul(x, v))), autograph=False)
        x = tf.constant(matrix(1))
        for _ in range(10):
            with tf.GradientTape() as tape:
                y = f(x)
            tape.gradient(y, v)
        return weakref.ref(f.get_concrete_function(x).graph)

    graph = made()
    gc.collect()
    assert graph() is None


def test_a_function_decides_as_a_session_does():
    def body(x):
        return tf.reduce_sum(tf.tanh(tf.matmul(x, x)))

    def tiers(runners):
        return [(each.stage.on_host, len(each.signatures.programs())) for each in runners]

    value = np.ones([8, 8], "f")
    f = tf.function(body, autograph=False)
    for _ in range(40):
        f(tf.constant(value))
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [8, 8])
        y = body(x)
        for _ in range(40):
            session.run(y, {x: value})
        (executor, *_) = session._find(y, [(x, value)])
    own = tiers(executor.plan.runners)
    assert stages_of(f.get_concrete_function(tf.constant(value))) == own == [(False, 0)]


def test_a_handle_that_a_function_returns_is_the_variables(tier):
    v = tf.Variable(3.0)
    f = tf.function(lambda handle: (handle, tf.identity(handle)), autograph=False)
    for handle in f(v.handle):
        assert handle.held is v.handle.held


def test_a_dataset_of_a_function_reads_variables(tier):
    v = tf.Variable(2, dtype=tf.int64)

    @tf.function
    def total():
        result = tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(4).map(lambda x: x * v):
            result += x
        return result

    assert [int(total()) for _ in range(3)] == [12] * 3
    v.assign(3)
    assert int(total()) == 18


def test_a_variable_without_a_value_fails_by_its_name(tier):
    v = tf.Variable(1.0, name="speed")
    f = tf.function(lambda: v * 2.0, autograph=False)
    tf.raw_ops.DestroyResourceOp(resource=v.handle, ignore_lookup_error=True)
    with pytest.raises((tf.errors.NotFoundError, tf.errors.FailedPreconditionError), match="speed"):
        f()


def test_a_device_that_is_not_there_leaves_a_function_where_it_is(tier):
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        with tf.device("/gpu:7"):
            return x * v

    assert float(f(tf.constant(3.0))) == 6.0


def test_iterators_of_a_function_end_with_it():
    def drawn():
        @tf.function
        def f(x):
            return next(iter(tf.data.Dataset.range(1000).map(lambda a: a + 1, num_parallel_calls=2).prefetch(2))) + x

        return [f(tf.constant(1, tf.int64)).numpy() for _ in range(2)]

    before = set(threading.enumerate())
    for _ in range(10):  # a second call stops the iterator of the first while it is drawing, or not
        assert drawn() == [2, 2]
    assert not left_threads(before)

"""The policy that chooses between NumPy and XLA: a function of what is known without a clock."""

import math

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.cache import (
    A_NUMBER,
    AHEAD_ELEMENTS,
    FORMS_AT_ONCE,
    HEAVY_ELEMENTS,
    HOT_RUNS,
    LIGHT_ITERATION,
    LIGHT_LOOP_ELEMENTS,
    LIGHT_NODES,
    LIGHT_RUNS,
    LIGHT_VOLUME,
    LOADING_CALLS,
    LOADING_NODES,
    LOADING_NUMBERS,
    LONG_NODES,
    LONG_VOLUME,
    MEANWHILE_NUMBERS,
    MEANWHILE_RUNS,
    MOST_AT_ONCE,
    MOST_HOT_RUNS,
    NUMBERS_A_NODE,
    PASSES_BEFORE,
    PASSES_MEANWHILE,
    QUICK_ELEMENTS,
    QUICK_NODES,
    QUICK_VOLUME,
    SETTLING_RUNS,
    SMALL_ITERATION,
    Work,
    calls_before_compiling,
    calls_while_compiling,
    runs_on_numpy,
    starts_ahead,
    tier,
)
from evergraph.compile.footprint import footprint, open_sizes
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune

SMALL = Work(nodes=3, elements=10, updates=True, device_only=False)
STEP = Work(nodes=200, elements=5000, updates=True, device_only=False)
FORWARD = Work(nodes=200, elements=5000, updates=False, device_only=False)
SPREAD = Work(nodes=3, elements=10, updates=False, device_only=False, largest=1 << 20)
LAX = Work(nodes=1, elements=1, updates=False, device_only=True)
FILL = Work(nodes=200, elements=1 << 20, updates=False, device_only=False, fills=True)


@pytest.mark.parametrize("work, runs, compiled, platform, wanted", [
    (SMALL, 1000, 0, "cpu", "numpy"), (SMALL, 0, 0, "gpu", "numpy"),       # nothing to gain, anywhere
    (SPREAD, 0, 0, "cpu", "numpy"), (SPREAD, HOT_RUNS, 0, "cpu", "xla"),   # few numbers become many
    (LAX, 0, 0, "cpu", "xla"),                                             # no other kernel
    (STEP, 0, 0, "cpu", "xla"),                                            # will run again and again
    (FORWARD, 0, 0, "cpu", "numpy"), (FORWARD, HOT_RUNS, 0, "cpu", "xla"),  # has to prove hot
    (FORWARD, 0, 0, "gpu", "xla"),
    (FILL, 0, 0, "cpu", "numpy"), (FILL, 0, 0, "gpu", "numpy"), (FILL, MOST_HOT_RUNS, 0, "gpu", "xla"),  # runs once
    (STEP, 0, FORMS_AT_ONCE, "cpu", "numpy"),                       # a new form every step is not compiled
    (STEP, HOT_RUNS, FORMS_AT_ONCE, "cpu", "numpy"),                # it has to come back ...
    (STEP, 2 * HOT_RUNS, 2, "cpu", "xla"), (STEP, 8 * HOT_RUNS, 9, "cpu", "numpy"),
    (STEP, 0, MOST_AT_ONCE, "gpu", "numpy"),
    (STEP, MOST_HOT_RUNS, 10_000, "cpu", "xla"),                           # ... but however many forms there are
])  # fmt: skip
def test_tier(work, runs, compiled, platform, wanted):
    assert tier(work, runs, compiled, platform) == wanted


LIGHT = Work(nodes=200, elements=5000, updates=True, device_only=False, volume=100)
FULL = Work(nodes=200, elements=5000, updates=True, device_only=False, volume=LIGHT_VOLUME)


@pytest.mark.parametrize("work, compiled, platform, runs", [
    (LIGHT, 0, "cpu", LIGHT_RUNS), (LIGHT, 50, "cpu", LIGHT_RUNS),         # NumPy is as good for a while
    (FULL, 0, "cpu", LIGHT_RUNS * 200 // (200 + LIGHT_VOLUME // NUMBERS_A_NODE)),  # many numbers make it slower
    (Work(QUICK_NODES, QUICK_ELEMENTS, False, False, volume=QUICK_VOLUME), 0, "cpu", math.inf),  # it is better for good
    (Work(QUICK_NODES, QUICK_ELEMENTS, False, False, volume=QUICK_VOLUME), 0, "gpu", math.inf),
    (Work(QUICK_NODES + 1, QUICK_ELEMENTS, False, False, volume=0), 0, "cpu", LIGHT_RUNS),
    (Work(QUICK_NODES, QUICK_ELEMENTS + 1, False, False, volume=0), 0, "cpu", LIGHT_RUNS),
    (LIGHT, 0, "gpu", math.inf),
    (Work(200, 5000, True, False, volume=100, has_waited=True), 0, "cpu", 0),
    (Work(LONG_NODES - 1, HEAVY_ELEMENTS, True, False, volume=10), 0, "cpu", 0),       # compiling takes no second
    (Work(LIGHT_NODES + 1, 5000, True, False, volume=LONG_VOLUME), 0, "cpu", 0),
    (Work(LIGHT_NODES + 1, 5000, True, True, volume=10), 0, "cpu", 0),
    (Work(LONG_NODES - 1, 5000, True, False, volume=LIGHT_VOLUME + 1), 0, "cpu", 0),
    (Work(200, 5000, True, True, volume=10), 0, "cpu", 0),
    (FORWARD, 0, "cpu", HOT_RUNS), (SMALL, 0, "cpu", math.inf),
])  # fmt: skip
def test_runs_on_numpy(work, compiled, platform, runs):
    assert runs_on_numpy(work, compiled, platform) == runs


def long(nodes=1000, elements=0, updates=True, volume=0, **more):
    return Work(nodes, elements, updates, False, volume=volume, **more)


FULL_LONG = long(elements=LONG_VOLUME // 2, volume=LONG_VOLUME // 2)


@pytest.mark.parametrize("work, compiled, platform, runs", [
    (long(), 0, "cpu", MEANWHILE_RUNS), (long(LIGHT_NODES + 1), 0, "cpu", MEANWHILE_RUNS),
    (FULL_LONG, 0, "cpu", MEANWHILE_RUNS * 1100 // (1000 + LONG_VOLUME // MEANWHILE_NUMBERS)),
    (long(LONG_NODES, HEAVY_ELEMENTS, multiplications=A_NUMBER * MEANWHILE_NUMBERS * 284), 0, "cpu",
     MEANWHILE_RUNS * (LONG_NODES + LOADING_NODES) // (LONG_NODES + 300)),
    (long(200, 5000, volume=LIGHT_VOLUME + 1), 0, "cpu", MEANWHILE_RUNS * 300 // (200 + 1024)),
    (long(), 1, "cpu", LIGHT_RUNS), (long(), 9, "cpu", LIGHT_RUNS),        # other forms are compiled when that pays
    (long(volume=1000 * NUMBERS_A_NODE), 1, "cpu", LIGHT_RUNS // 2),
    (long(has_waited=True), 0, "cpu", HOT_RUNS), (long(has_waited=True), 1, "cpu", LIGHT_RUNS),
    (long(), 0, "gpu", 0), (long(LIGHT_NODES + 1, volume=LONG_VOLUME + 1), 0, "cpu", 0),
    (long(volume=None), 0, "cpu", 0), (long(LONG_NODES, AHEAD_ELEMENTS, volume=LONG_VOLUME), 0, "cpu", 0),
    (long(updates=False), 0, "cpu", MEANWHILE_RUNS),
])  # fmt: skip
def test_long_stages_run_on_numpy_meanwhile(work, compiled, platform, runs):
    assert runs_on_numpy(work, compiled, platform) == runs


def test_compiling_what_is_long_begins_when_sizes_are_known():
    first = [next(runs for runs in range(200) if starts_ahead(runs, switch, True)) for switch in (1, 3, 10, 128)]
    assert first == [1, 1, 5, SETTLING_RUNS]


@pytest.mark.parametrize("switch, first", [(0, None), (math.inf, None), (1, 1), (3, 1), (48, 24),
                                           (LIGHT_RUNS, LIGHT_RUNS // 2)])
def test_compiling_begins_halfway(switch, first):
    """From which run on the background compiles: nothing that was seen once, and nothing that NumPy keeps."""
    assert next((runs for runs in range(LIGHT_RUNS) if starts_ahead(runs, switch)), None) == first


def looping(nodes=200, elements=5000, volume=1000, iteration=0):
    return Work(5000, elements, True, False, volume=volume, looping=nodes, iteration=iteration)


def test_loops_are_light():
    assert looping().has_light_loops and not looping().is_light
    assert not LIGHT.has_light_loops


@pytest.mark.parametrize("nodes, before, meanwhile", [
    (1, LOADING_CALLS, PASSES_MEANWHILE),  # loading JAX takes longest
    (5000, 5000 * PASSES_BEFORE, 5000 * PASSES_MEANWHILE),
])  # fmt: skip
def test_calls_of_light_loops(nodes, before, meanwhile):
    assert calls_before_compiling(looping(nodes)) == before
    assert calls_while_compiling(looping(nodes)) == meanwhile


def test_loops_that_make_many_numbers_are_compiled_sooner():
    counts = (0, 20 * NUMBERS_A_NODE, 1 << 24)
    numbers = [calls_before_compiling(looping(200, iteration=count)) for count in counts]
    assert numbers == [LOADING_CALLS, LOADING_CALLS * 200 // 220, LOADING_NUMBERS * 200 // (1 << 24)]


def test_loops_over_changing_lengths_that_make_few_numbers_stay():
    counts = (0, SMALL_ITERATION - 1, SMALL_ITERATION)
    assert [looping(iteration=count).has_small_iterations for count in counts] == [True, True, False]
    assert not LIGHT.has_small_iterations


@pytest.mark.parametrize("work", [
    looping(elements=LIGHT_LOOP_ELEMENTS), looping(volume=LONG_VOLUME + 1),
    looping(iteration=LIGHT_ITERATION + 1), looping(volume=None),
])  # fmt: skip
def test_loops_are_not_light(work):
    assert not work.has_light_loops
    assert runs_on_numpy(work, 0, "cpu") == 0


@pytest.mark.parametrize("make, fills", [
    (lambda v, w: v.initializer, True),
    (lambda v, w: tf.group(v.initializer, w.initializer), True),
    (lambda v, w: v.assign(w + 1), False),                                 # reads what may be on another device
    (lambda v, w: v.assign_add(tf.ones([8, 8])), False),
    (lambda v, w: v.assign(tf.matmul(tf.random_normal([8, 8]), tf.ones([8, 8]))), False),
    (lambda v, w: v.assign(tf.placeholder(tf.float32, [8, 8])), False),
    (lambda v, w: tf.random_normal([8, 8]), False),                        # whoever asks for numbers may ask again
])  # fmt: skip
def test_initializers_fill(make, fills):
    with tf.Graph().as_default():
        v, w = (tf.get_variable(name, [8, 8], initializer=tf.truncated_normal_initializer()) for name in "vw")
        fetch = make(v, w)
        feeds = [op.outputs[0] for op in fetch.graph.get_operations() if op.type == "Placeholder"]
        fetch = fetch.op if isinstance(fetch, tf.Tensor) and fetch.op.type.startswith("Assign") else fetch
        stages = partition(prune([fetch], feeds), [fetch], feeds)
        assert [footprint(stage).fills for stage in stages] == [fills]


def test_variables_are_no_numbers_that_a_stage_makes():
    weights = tf.get_variable("weights", [100, 3])
    fetch = tf.matmul(tf.ones([2, 100]), weights)
    stage, = partition(prune([fetch], []), [fetch], [])
    assert footprint(stage).work(300, sizes=[100]).volume == 6


def test_open_sizes_of_inputs_stand_for_sizes_that_are_not_static():
    image, any_shape = tf.placeholder(tf.float32, [None, 64, 64, 3]), tf.placeholder(tf.float32)
    given = [np.zeros([2, 64, 64, 3]), np.zeros([5, 7])]
    assert open_sizes([image], given[:1]) == [2]
    assert open_sizes([image, any_shape], given) == [7, 5]
    assert open_sizes([tf.zeros([8])], [np.zeros([8])]) == [8]
    assert open_sizes([], []) == [1]


def test_work_of_attention_over_changing_lengths():
    x = tf.placeholder(tf.float32, [None, None, 8])
    weights = tf.matmul(x, x, transpose_b=True)
    fetch = tf.matmul(weights, x)
    stage, = partition(prune([fetch], [x]), [fetch], [x])
    work = footprint(stage).work(0, sizes=[20, 3])
    assert work.volume == 20 * 3 * 20 + 20 * 3 * 8
    exact = 2 * 3 * 20 * 20 * 8
    assert exact <= work.multiplications <= 2 * exact  # a batch counts for a bit more
    assert footprint(stage).work(0).volume is None


def test_multiplications_of_matrices_and_in_loops():
    x, w = tf.placeholder(tf.float32, [5, 7]), tf.get_variable("w", [7, 7])
    product = tf.matmul(x, w)
    stage, = partition(prune([product], [x]), [product], [x])
    assert footprint(stage).work(0, sizes=[1]).multiplications == 5 * 7 * 7
    _, last = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf.matmul(y, w)), [0, x])
    stage, = partition(prune([last], [x]), [last], [x])
    work = footprint(stage).work(0, sizes=[1])
    assert work.multiplications == 0 and work.iteration == work.volume + 5 * 7 * 7 // A_NUMBER

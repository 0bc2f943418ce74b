"""The policy that chooses between NumPy and XLA: a function of what is known without a clock."""

import ast
import inspect
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import policy
from evergraph.compile.footprint import footprint, open_sizes
from evergraph.compile.policy import (
    ACCELERATOR,
    COMES_BACK,
    CPU,
    CPU_WITHOUT_C,
    MOST_KEPT,
    History,
    Work,
    decide,
    explained,
    is_kept_by_numpy,
    most_calls,
)
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune

SMALL = Work(nodes=10, elements=100)
UNKNOWN = Work(nodes=100)
LAX = Work(nodes=1, elements=1, xla_only=True)
MLP = Work(nodes=314, elements=326_000, flops=8_000_000, state=278_000)
TRANSFORMER = Work(nodes=2040, elements=102_000_000, flops=4_400_000_000, state=3_000_000)
HUGE = Work(nodes=10, elements=MOST_KEPT + 1)
BERT = Work(nodes=8000, elements=MOST_KEPT, flops=10**12, state=110_000_000)
LSTM = Work(nodes=303, elements=1_000_000, nodes_in_loops=250, elements_in_loops=1_700_000)


def runs(machine, work, **history):
    """After how many runs on NumPy a program takes over."""
    return decide(machine, work, History(**history)).until


@pytest.mark.parametrize("machine, work, history, wanted", [
    (CPU, SMALL, {}, math.inf), (ACCELERATOR, SMALL, {}, math.inf), (CPU_WITHOUT_C, SMALL, {}, math.inf),
    (CPU, LAX, {}, 0), (ACCELERATOR, LAX, {}, 0),                              # there is no other kernel
    (CPU, HUGE, {}, 0),                                                        # NumPy would keep it all
    (CPU, UNKNOWN, {}, COMES_BACK),                                            # it has to come back ...
    (CPU, UNKNOWN, {"programs": 4}, 5 * COMES_BACK),                           # ... more often where sizes change
    (CPU, UNKNOWN, {"is_decided": True}, 0), (CPU, UNKNOWN, {"is_decided": True, "programs": 2}, 2 * COMES_BACK),
    (CPU, MLP, {"is_decided": True}, 0), (CPU, SMALL, {"is_decided": True}, math.inf),
    (ACCELERATOR, BERT, {}, 0),                                                # NumPy could run it twice meanwhile
    (ACCELERATOR, Work(200, 10_000), {}, math.inf),                            # it takes longer to start a program
    (CPU, LSTM, {"varies": True}, math.inf), (CPU, LSTM, {"signatures": COMES_BACK + 1}, math.inf),
    (ACCELERATOR, replace(LSTM, flops_in_loops=400_000_000), {"varies": True, "calls": 15_000}, 17),
    (CPU, LSTM, {"has_room": True, "programs": 9}, 0),
])  # fmt: skip
def test_runs_on_numpy(machine, work, history, wanted):
    assert runs(machine, work, **history) == wanted


@pytest.mark.parametrize("machine, work, history", [
    (CPU, MLP, {}), (CPU, TRANSFORMER, {}), (CPU_WITHOUT_C, MLP, {}), (ACCELERATOR, TRANSFORMER, {}),
    (ACCELERATOR, MLP, {"moved": 20}), (CPU, LSTM, {"calls": 6000}),
    (CPU_WITHOUT_C, LSTM, {"calls": 500, "varies": True}),
])  # fmt: skip
def test_a_program_takes_over_when_as_much_is_lost_as_it_costs(machine, work, history):
    until = runs(machine, work, **history)
    lost = machine.lost(work, history.get("calls", 0), history.get("moved", 0))
    assert until * lost >= machine.cost(work) > (until - 1) * lost


def test_orders_of_magnitude():
    """By what was measured: a small network after thousands of runs, a transformer after hundreds."""
    assert 2_000 < runs(CPU, MLP) < 20_000
    assert 80 < runs(CPU, TRANSFORMER) < 800
    assert runs(CPU_WITHOUT_C, MLP) < runs(CPU, MLP) / 3
    assert 50 < runs(CPU, LSTM, calls=6000) < 1000


def test_compiling_begins_halfway_and_the_switch_is_at_a_fixed_run():
    until = runs(CPU, MLP)
    found = [decide(CPU, MLP, History(runs=run)) for run in (0, until // 2 - 1, until // 2, until - 1, until)]
    assert [decision.tier for decision in found] == ["numpy"] * 4 + ["xla"]
    assert [decision.compile_now for decision in found] == [False, False, True, True, False]


def test_variables_on_the_device_make_numpy_slower():
    assert runs(ACCELERATOR, MLP, moved=20) < math.inf


def test_what_numpy_keeps_on_every_machine():
    assert is_kept_by_numpy(SMALL) and not is_kept_by_numpy(TRANSFORMER) and not is_kept_by_numpy(LAX)


def test_a_run_is_given_up_when_python_would_lose_what_compiling_costs():
    assert most_calls(MLP) == math.inf
    assert most_calls(LSTM) * CPU_WITHOUT_C.loop_call(LSTM) == pytest.approx(CPU_WITHOUT_C.cost(LSTM))


def test_a_decision_is_explained_in_one_line():
    history = History(runs=99)
    line = explained("train", MLP, ((32, 784), (32, 10)), history, decide(CPU, MLP, history))
    assert line.startswith("stage train (314 nodes, 16 MFLOP) on [32, 784], [32, 10], run 100: NumPy; lost 0.0")
    assert line.endswith(f"compiled at run {runs(CPU, MLP) + 1:,}")
    begun = explained("train", MLP, (), history, decide(CPU, MLP, History(runs=runs(CPU, MLP) - 1)))
    assert "on no inputs" in begun and "NumPy, compiling meanwhile;" in begun
    assert "XLA; there is no other kernel" in explained("f", LAX, (), history, decide(CPU, LAX, history))


def numbers_of_the_policy():
    """The numbers in the policy's module that are neither 0, 1 or 2 nor 1e6, microseconds of a second."""
    tree = ast.parse(inspect.getsource(policy))
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [number for number in found if type(number) in (int, float) and number not in (0, 1, 2, 1e6)]


def test_the_numbers_of_the_policy_are_few():
    found = numbers_of_the_policy()
    print(f"{len(found)} numbers: {found}")
    assert len(found) <= 20


def test_the_platform_follows_from_the_place_of_a_stage():
    """Only the backend itself asks for that of the process."""
    package = Path(tf.__file__).parent
    asking = [path.name for path in package.rglob("*.py") if "backend.platform(" in path.read_text()]
    assert not asking, asking


def test_variables_are_nothing_that_a_stage_makes():
    weights = tf.get_variable("weights", [100, 3])
    fetch = tf.matmul(tf.ones([2, 100]), weights)
    stage, = partition(prune([fetch], []), [fetch], [])
    assert footprint(stage).work(300, sizes=[100]).elements == 6


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
    assert work.elements == 20 * 3 * 20 + 20 * 3 * 8
    exact = 2 * 3 * 20 * 20 * 8
    assert exact <= work.flops <= 2 * exact  # a batch counts for a bit more


def test_flops_of_matrices_and_in_loops():
    x, w = tf.placeholder(tf.float32, [5, 7]), tf.get_variable("w", [7, 7])
    product = tf.matmul(x, w)
    stage, = partition(prune([product], [x]), [product], [x])
    assert footprint(stage).work(0, sizes=[1]).flops == 5 * 7 * 7
    _, last = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf.matmul(y, w)), [0, x])
    stage, = partition(prune([last], [x]), [last], [x])
    work = footprint(stage).work(0, sizes=[1])
    assert work.flops == 0 and work.flops_in_loops == 5 * 7 * 7 and work.nodes_in_loops == 3

"""Programs for parameter servers, each task in a process of its own, started by `evergraph launch`."""

import json
import os
import signal

import numpy as np
import pytest

import evergraph as tf
from tests.cluster.processes import ROOT, Process

PROGRAMS = ROOT / "tests/cluster"
STEPS = 6


def launched(*words):
    return Process(["-m", "evergraph", "launch", *words])


def variables(text):
    """What the chief has printed at the end."""
    (line,) = [line for line in text.splitlines() if "variables [" in line]
    return [np.array(value) for value in json.loads(line.partition("variables ")[2])]


def alone(steps, rows):
    """The variables that one process gets to with batches of so many rows."""
    rng = np.random.RandomState(0)
    inputs = rng.randn(1000, 6).astype("f")
    labels, rng = np.tanh(inputs @ rng.randn(6, 1)).astype("f"), np.random.RandomState(1)
    w, b = tf.Variable(rng.randn(6, 5).astype("f")), tf.Variable(tf.zeros([5]))
    u = tf.Variable(rng.randn(5, 1).astype("f"))
    x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 1])
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.nn.xw_plus_b(x, w, b)), u) - y))
    train = tf.train.AdamOptimizer(0.02).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            taken = slice(step * rows, (step + 1) * rows)
            session.run(train, {x: inputs[taken], y: labels[taken]})
        return session.run([w, b, u])


def test_one_worker_goes_where_one_process_goes():
    with launched("--ps", "2", "--workers", "1", "--flags", str(PROGRAMS / "replica.py"), f"--train_steps={STEPS}",
                  "--monitored") as process:
        *found, step = variables(process.result())
    assert step == STEPS
    for value, wanted in zip(found, alone(STEPS, 8), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


def test_two_workers_in_step_go_where_the_batch_of_both_goes():
    """Each worker has seen the step before its last, so that the chief may be one step further than was asked."""
    with launched("--ps", "1", "--workers", "2", "--flags", str(PROGRAMS / "replica.py"), f"--train_steps={STEPS}",
                  "--sync_replicas", "--tokens=0") as process:
        *found, step = variables(process.result())
    assert STEPS <= step <= STEPS + 1
    for value, wanted in zip(found, alone(int(step), 16), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-4, atol=1e-5)


def test_an_estimator_in_four_processes(tmp_path):
    with launched("--ps", "1", "--workers", "1", "--chief", "--evaluator", str(PROGRAMS / "estimator_program.py"),
                  str(tmp_path), "60") as process:
        text = process.result()
    assert sorted(line.split("|")[0].strip() for line in text.splitlines() if line.endswith("| ended")) == [
        "chief", "evaluator", "worker 0"]
    assert list((tmp_path / "eval").glob("events.*"))
    assert tf.train.load_variable(tf.train.latest_checkpoint(str(tmp_path)), "global_step") >= 60


def test_wide_and_deep_with_embeddings_on_two_parameter_servers(tmp_path):
    with launched("--ps", "2", "--workers", "1", "--chief", str(PROGRAMS / "wide_deep_program.py"), str(tmp_path),
                  "200") as process:
        text = process.result()
    (line,) = [line for line in text.splitlines() if "| auc" in line]
    assert line.split()[0] == "chief" and float(line.split()[-1]) > 0.9
    path = tf.train.latest_checkpoint(str(tmp_path))
    shards = sorted(each.name for each in tmp_path.glob(f"{os.path.basename(path)}.data-*"))
    assert [name.partition(".data-")[2] for name in shards] == ["00000-of-00002", "00001-of-00002"]
    shapes = dict(tf.train.list_variables(path))
    assert shapes["dnn/input_from_feature_columns/input_layer/words_embedding/embedding_weights"] == [1000, 8]


WAITS = "import tensorflow as tf, time; print('waits', flush=True); time.sleep(600)"


def test_an_interrupt_ends_all_tasks():
    with launched("--ps", "1", "--workers", "2", "-c", WAITS) as process:
        for name in ("ps 0", "worker 0", "worker 1"):
            process.wait_for(f"{name} | waits")
        children = _children(process.popen.pid)
        assert len(children) == 3
        process.popen.send_signal(signal.SIGINT)
        assert process.popen.wait(60) == 130
    assert not [pid for pid in children if _is_running(pid)]


FAILS = """
import os, sys
import tensorflow as tf
path = sys.argv[1]
count = len(open(path).read()) if os.path.exists(path) else 0
open(path, "a").write(".")
sys.exit(3 if count < 2 else 0)
"""


@pytest.mark.parametrize("restarts, status", [(1, 3), (2, 0)])
def test_a_task_that_fails_is_started_again(tmp_path, restarts, status):
    with launched("--restarts", str(restarts), "-c", FAILS, str(tmp_path / "starts")) as process:
        assert process.popen.wait(60) == status
    assert len((tmp_path / "starts").read_text()) == restarts + 1


@pytest.mark.parametrize("words", [["--ps", "many", "x.py"], ["--nonsense", "x.py"], ["--ps", "1"]])
def test_what_cannot_be_launched(words):
    with launched(*words) as process:
        assert process.popen.wait(60) == 2


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

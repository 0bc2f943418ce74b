"""Tasks that are killed and come back: training goes on, or ends with an error that says which task is missing.

The quick ones. `make faults` runs those of tests/cluster/faults.py, too.
"""

import contextlib
import json
import signal

import pytest

import evergraph as tf
from tests.cluster.processes import Process, free_addresses


class Training:
    """A parameter server and workers that train, each in a process of its own."""

    def __init__(self, stack, folder, workers=1, steps=100_000, words=()):
        one, *others = free_addresses(1 + workers)
        self.cluster, self._stack = {"ps": [one], "worker": others}, stack
        self._rest = [json.dumps(self.cluster), str(folder), str(steps), *words]
        self.ps = self.start("ps", 0)
        self.workers = [self.start("worker", number) for number in range(workers)]

    def start(self, job, number):
        return self._stack.enter_context(Process(["-m", "tests.cluster.training", job, str(number), *self._rest]))


@pytest.fixture
def training(tmp_path):
    with contextlib.ExitStack() as stack:
        yield lambda *args, **keywords: Training(stack, tmp_path, *args, **keywords)


def steps(process, after=0):
    """The global steps that a worker has told of."""
    return _steps(process.lines[after:])


def _steps(lines):
    return [int(line.split()[1]) for line in lines if line is not None and line.startswith("step ")]


def wait_for_step(process, step):
    process.wait_until(lambda lines: max(_steps(lines), default=0) >= step)


def saved(folder):
    """The global step of the newest checkpoint."""
    return tf.train.load_variable(tf.train.latest_checkpoint(str(folder)), "global_step")


def test_a_parameter_server_that_comes_back(training, tmp_path):
    run = training(workers=2)
    for worker in run.workers:
        wait_for_step(worker, 15)
    run.ps.kill()
    seen = [len(worker.lines) for worker in run.workers]
    kept = saved(tmp_path)
    again = run.start("ps", 0)
    again.wait_for("up")
    for worker, after in zip(run.workers, seen):
        worker.wait_for("session at", after)
        worker.wait_for("step ", after)
    assert steps(run.workers[0], seen[0])[0] >= kept > 0  # no step is lost that was saved


def test_a_parameter_server_that_does_not_come_back(training):
    run = training(words=["timeout=2000"])
    run.workers[0].wait_for("step 5")
    run.ps.kill()
    line = run.workers[0].wait_for("raised")
    assert "DeadlineExceededError" in line and "/job:ps/task:0" in line and run.cluster["ps"][0] in line
    assert run.workers[0].popen.wait(60) == 3


def test_a_worker_that_comes_back(training):
    run = training(workers=2)
    for worker in run.workers:
        worker.wait_for("step ")
    run.workers[1].kill()
    before = len(run.workers[0].lines)
    again = run.start("worker", 1)
    again.wait_for("step ")
    assert steps(run.workers[0], before)  # the other one has gone on meanwhile
    assert not [line for line in run.workers[0].lines[before:] if "session" in line]


def test_a_chief_that_comes_back_does_not_roll_back(training, tmp_path):
    run = training()
    wait_for_step(run.workers[0], 15)
    run.workers[0].kill()
    last, kept = steps(run.workers[0])[-1], saved(tmp_path)
    again = run.start("worker", 0)
    again.wait_for("step ")
    assert steps(again)[0] > last >= kept


def test_a_worker_in_step_that_comes_back(training):
    run = training(workers=2, words=["sync"])
    for worker in run.workers:
        worker.wait_for("step 5")
    run.workers[1].kill()
    again = run.start("worker", 1)
    again.wait_for("step ")
    first = steps(again)[0]
    run.workers[0].wait_for(f"step {first + 3} ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_tasks_end_when_they_are_told_to(training, number):
    run = training()
    run.workers[0].wait_for("step ")
    for process in (run.workers[0], run.ps):
        process.popen.send_signal(number)
        assert process.popen.wait(30) != 0

"""Faults of clusters, with the times that they take: `python -m tests.cluster.faults [KILLS]`, 100 kills by default.

A line for each fault; the exit status is 1 if one took longer than it may, or was not survived. What is quick is in
test_faults.py and test_ring.py, and runs with all tests.
"""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

import numpy as np

import evergraph as tf
from tests.cluster import networks
from tests.cluster.processes import ROOT, Process, free_addresses

FINAL_STEP = 1_000_000


class Training:
    """A parameter server and workers that train."""

    def __init__(self, stack, workers=2, words=(), steps=FINAL_STEP):
        self.folder = stack.enter_context(tempfile.TemporaryDirectory())
        one, *others = free_addresses(1 + workers)
        self.cluster, self._stack, self._words = {"ps": [one], "worker": others}, stack, words
        self._rest = [json.dumps(self.cluster), self.folder, str(steps), *words]
        self.ps = self.start("ps", 0)
        self.workers = [self.start("worker", number) for number in range(workers)]

    def start(self, job, number):
        return self._stack.enter_context(Process(["-m", "tests.cluster.training", job, str(number), *self._rest]))

    def wait_for_steps(self, count):
        for worker in self.workers:
            worker.wait_until(lambda lines: sum("step " in (line or "") for line in lines) >= count)


def times(process, after=0):
    """The moments of a worker's steps."""
    return [float(line.split()[-1]) for line in process.lines[after:] if line is not None and line.startswith("step ")]


def next_step(process, after, timeout=90):
    """The moment of the first step after so many lines."""
    process.wait_for("step ", after, timeout)
    return times(process, after)[0]


def worker_killed(stack):
    run = Training(stack)
    run.wait_for_steps(30)
    run.workers[1].kill()
    killed = time.monotonic()
    again = run.start("worker", 1)
    up = again.wait_for("up") and time.monotonic()
    first = next_step(again, 0)
    other = [at for at in times(run.workers[0]) if at > killed - 1]
    pause = max(np.diff(other), default=0.0)
    return [("worker killed: the other pauses", pause, 1.0),
            ("  the new one's first step after its start", first - up, 1.5)]


def ps_restarted(stack):
    run = Training(stack)
    run.wait_for_steps(30)
    run.ps.kill()
    seen = [len(worker.lines) for worker in run.workers]
    again = run.start("ps", 0)
    up = again.wait_for("up") and time.monotonic()
    back = [next_step(worker, after) - up for worker, after in zip(run.workers, seen)]
    return [("ps restarted: the chief's next step", back[0], 1.5), ("  the worker's next step", back[1], 3.0)]


def ps_gone(stack):
    run = Training(stack, workers=1)
    run.wait_for_steps(5)
    run.ps.kill()
    killed = time.monotonic()
    line = run.workers[0].wait_for("raised", timeout=90)
    assert "/job:ps/task:0" in line, line
    return [("ps gone for good: an error that names it", time.monotonic() - killed, 65.0)]


def ps_stopped(stack):
    run = Training(stack, workers=1)
    run.wait_for_steps(5)
    run.ps.popen.send_signal(signal.SIGSTOP)
    stopped, after = time.monotonic(), len(run.workers[0].lines)
    time.sleep(25)
    run.ps.popen.send_signal(signal.SIGCONT)
    resumed = time.monotonic()
    return [("ps stands still for 25 s: the next step after that", next_step(run.workers[0], after) - resumed, 5.0),
            ("  after it stood still", resumed - stopped, 26.0)]


def network_cut(stack):
    """For longer than tasks take to give each other up."""
    if not networks.can_be_made():
        return [("network cut for 30 s: not tried, this process may not make network namespaces", 0.0, 0.0)]
    folder, network = stack.enter_context(tempfile.TemporaryDirectory()), stack.enter_context(networks.Network())
    cluster = {"ps": [f"{networks.HOSTS[0]}:2222"], "worker": [f"{networks.HOSTS[1]}:2222"]}
    words = ["0", json.dumps(cluster), folder, str(FINAL_STEP)]
    ps, worker = [stack.enter_context(network.process(side, ["-m", "tests.cluster.training", job, *words]))
                  for side, job in enumerate(cluster)]
    worker.wait_for("step 20 ")
    network.cut()
    time.sleep(30)
    after, mended = len(worker.lines), time.monotonic()
    network.mend()
    first = next_step(worker, after) - mended
    assert any("session at" in (line or "") for line in worker.lines[after:]), worker.text[-2000:]
    return [("network cut for 30 s: the worker's next step after it is mended", first, 10.0)]


def in_step_killed(stack):
    addresses, folder = free_addresses(2), stack.enter_context(tempfile.TemporaryDirectory())

    def start(number):
        config = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}}
        return stack.enter_context(Process(
            ["-m", "evergraph", "run", "tests/cluster/in_step.py", "estimator", folder, "100000"],
            {"TF_CONFIG": json.dumps(config)}))

    one, two = start(0), start(1)
    for each in (one, two):
        each.wait_for("step 30 ")
    two.kill()
    after = len(one.lines)
    time.sleep(2)
    again = start(1)
    first = next_step(again, 0)
    other = next_step(one, after)
    warned = any("waits for" in (line or "") and "task:1" in line for line in one.lines[after:])
    assert warned, one.text[-2000:]
    return [("in step, killed: the other goes on after its return", max(0.0, other - first), 1.0)]


def half_messages(stack):
    run = Training(stack, workers=1)
    run.wait_for_steps(5)
    host, port = run.cluster["ps"][0].split(":")
    chance = random.Random(0)
    for _ in range(50):
        with socket.create_connection((host, int(port))) as link:
            link.sendall(chance.randbytes(chance.randrange(1, 4000)))
    after, start = len(run.workers[0].lines), time.monotonic()
    return [("50 half messages to a ps: the next step", next_step(run.workers[0], after) - start, 1.0)]


def random_kills(stack, count):
    run = Training(stack)
    chance, start = random.Random(1), time.monotonic()
    run.wait_for_steps(12)
    for _ in range(count):
        time.sleep(chance.uniform(0.0, 1.5))
        which = chance.choice(["ps", 0, 1])
        process = run.ps if which == "ps" else run.workers[which]
        process.kill(chance.choice([9, 9, 15]))
        started = run.start("ps", 0) if which == "ps" else run.start("worker", which)
        if which == "ps":
            run.ps = started
        else:
            run.workers[which] = started
    for worker in run.workers:
        next_step(worker, len(worker.lines))
    for process in (run.ps, *run.workers):
        process.kill()
    losses = [float(line.split()[3]) for line in run.workers[0].lines if line is not None and line.startswith("step ")]
    state = tf.train.get_checkpoint_state(run.folder)
    for path in state.all_model_checkpoint_paths:
        assert np.isfinite(tf.train.load_variable(path, "w")).all()
    assert losses[-1] < 385 / 2, losses[-1]  # what it is at first
    return [(f"{count} random kills: training goes on, every checkpoint loads; seconds in all",
             time.monotonic() - start, 5.0 * count + 60)]


def turned_bytes(stack):
    start = time.monotonic()
    found = subprocess.run([sys.executable, "-m", "pytest", "-q", "tests/cluster/test_damage.py"], cwd=ROOT,
                           env={**os.environ, "EVERGRAPH_FUZZ": "10000"}, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout[-3000:]
    return [("bytes turned in 10,000 messages; seconds in all", time.monotonic() - start, 600.0)]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    faults = [worker_killed, ps_restarted, ps_stopped, network_cut, in_step_killed, half_messages, ps_gone,
              lambda stack: random_kills(stack, count), turned_bytes]
    failed = False
    for fault in faults:
        try:
            with contextlib.ExitStack() as stack:
                rows = fault(stack)
        except AssertionError as error:
            rows = [(f"{getattr(fault, '__name__', 'random_kills')}: {str(error)[-1500:]}", float("inf"), 0.0)]
        for name, seconds, limit in rows:
            failed |= seconds > limit
            print(f"{name:70} {seconds:8.2f} s of {limit:6.1f} {'' if seconds <= limit else 'TOO LONG'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

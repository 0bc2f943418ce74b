"""`evergraph launch --on ray`: tasks on a Ray cluster of two nodes, on addresses of the loopback interface.

They need an interpreter with Ray, which EVERGRAPH_RAY names: Ray is no part of the test environment.
"""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import evergraph as tf
from tests.cluster.processes import ROOT, Process

PYTHON = os.environ.get("EVERGRAPH_RAY", "")
HEAD, OTHER, PORT = "127.0.0.2", "127.0.0.3", 6399
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": f"{HEAD}:{PORT}"}
PROGRAM = str(ROOT / "tests/cluster/estimator_program.py")

pytestmark = pytest.mark.skipif(not PYTHON, reason="EVERGRAPH_RAY names no interpreter with Ray")


class Node:
    """A node of a Ray cluster, which ends with everything that it has started when it is left."""

    def __init__(self, folder, host, *words):
        command = [str(Path(PYTHON).with_name("ray")), "start", "--block", f"--node-ip-address={host}",
                   "--num-cpus=4", "--object-store-memory=100000000", *words]
        with (folder / f"{host}.log").open("w") as log:
            self._popen = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=ENVIRONMENT,
                                           start_new_session=True)

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    """The two nodes of a cluster."""
    folder = tmp_path_factory.mktemp("ray")
    with contextlib.ExitStack() as stack:
        found = []
        for host, words in ((HEAD, ["--head", f"--port={PORT}", "--include-dashboard=false", f"--temp-dir={folder}"]),
                            (OTHER, [f"--address={HEAD}:{PORT}"])):
            found.append(Node(folder, host, *words))
            stack.callback(found[-1].end)
            wait_for_nodes(len(found))
        yield found


def wait_for_nodes(count):
    script = f"import ray; ray.init('{HEAD}:{PORT}', log_to_driver=False); print(len(ray.nodes()))"
    for _ in range(30):
        if subprocess.run([PYTHON, "-c", script], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=120).stdout.strip() == str(count):
            return
        time.sleep(1)
    raise AssertionError(f"no Ray cluster of {count} nodes")


@contextlib.contextmanager
def launched(*words):
    with Process(["-m", "evergraph", "launch", "--on", "ray", *words], ENVIRONMENT, python=PYTHON) as process:
        yield process


def tasks_of(folder):
    """The processes of a program that has this folder among its words: job -> pid."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (each / "cmdline").read_bytes().split(b"\0")
            if b"run" in words and os.fsencode(folder) in words:
                task = next(line for line in (each / "environ").read_bytes().split(b"\0") if b"TF_CONFIG" in line)
                found[task.rpartition(b'"type": "')[2].partition(b'"')[0].decode()] = int(each.name), task.decode()
    return found


def test_a_task_that_is_killed(nodes, tmp_path):
    """It is started again on its machine, and training ends; the tasks are on both nodes."""
    with launched("--ps", "1", "--workers", "1", "--chief", "--restarts", "2", PROGRAM, str(tmp_path), "3000") as run:
        run.wait_until(lambda lines: list(tmp_path.glob("*.index")))
        pid, config = tasks_of(tmp_path)["worker"]
        assert HEAD in config and OTHER in config
        os.kill(pid, signal.SIGKILL)
        run.wait_for("start 2")
        text = run.result()
    assert "chief | ended" in text and "worker 0 | ended" in text
    assert tf.train.load_variable(tf.train.latest_checkpoint(str(tmp_path)), "global_step") >= 3000


def test_a_machine_that_is_lost(nodes, tmp_path):
    """Its tasks get places on the other one, and all tasks get to know; training ends."""
    with launched("--ps", "1", "--workers", "1", "--chief", "--restarts", "2", PROGRAM, str(tmp_path), "6000") as run:
        run.wait_until(lambda lines: list(tmp_path.glob("*.index")))
        nodes[1].end()
        run.wait_for("all tasks start again")
        run.result()
    assert tf.train.load_variable(tf.train.latest_checkpoint(str(tmp_path)), "global_step") >= 6000

"""Workers that train in step: strategies by TF_CONFIG, and programs for Horovod, started by `evergraph launch -n`."""

import os
import shutil
import subprocess
import sys

import pytest

import evergraph as tf
from evergraph.horovod.processes import Place, place_in
from tests.cluster.processes import PATIENCE, ROOT, Process

PROGRAMS = ROOT / "tests/cluster"


def launched(count, program, *words):
    return Process(["-m", "evergraph", "launch", "-n", str(count), str(PROGRAMS / program), *words])


def results(process):
    """What each rank has printed as its results."""
    found = {}
    for line in process.result().splitlines():
        rank, _, result = line.partition("| result ")
        if result:
            found.setdefault(rank.strip(), []).append(result)
    return [found[rank] for rank in sorted(found)]


def numbers(lines):
    return [float(word) for line in lines for word in line.split()]


def test_two_workers_go_where_the_batch_of_both_goes():
    words = ["session", "keras", "seed"]
    with launched(1, "in_step.py", *words) as one, launched(2, "in_step.py", *words) as two:
        (alone,), (first, second) = results(one), results(two)
    assert first == second
    assert numbers(first) == pytest.approx(numbers(alone), rel=1e-3)


def test_workers_begin_with_the_same_values_and_orders():
    with launched(2, "in_step.py", "session", "keras", "shuffle") as process:
        first, second = results(process)
    assert first == second


@pytest.mark.parametrize("mode", ["graph", "eager", "keras"])
def test_horovod(mode):
    with launched(1, "horovod_program.py", mode) as one, launched(2, "horovod_program.py", mode) as two:
        (alone,), (first, second) = results(one), results(two)
    assert first == second
    if mode != "keras":  # whose first batch is made before its variables are equal
        assert first == alone


def test_a_worker_that_is_killed_and_comes_back(tmp_path):
    """The other one waits for it, and both go on from the last checkpoint."""
    words = ["-m", "evergraph", "launch", "-n", "2", "--restarts", "1", str(PROGRAMS / "in_step.py"), "estimator"]
    with Process([*words, str(tmp_path), "60"]) as process:
        process.wait_for("rank 1 | step 20")
        os.kill(_children(process.popen.pid)[1], 9)
        assert sorted(results(process)) == [["False"], ["True"]]
    assert "rank 1 has ended with status -9; start 2" in process.text
    assert tf.train.load_variable(tf.train.latest_checkpoint(str(tmp_path)), "global_step") == 60


@pytest.mark.parametrize("environment, place", [
    ({}, Place()),
    ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, Place(3, 4, 1, 2)),
    ({"PMI_RANK": "1", "PMI_SIZE": "2"}, Place(1, 2, 1, 2)),
    ({"HOROVOD_RANK": "0", "HOROVOD_SIZE": "2", "HOROVOD_LOCAL_RANK": "0", "HOROVOD_LOCAL_SIZE": "1"},
     Place(0, 2, 0, 1)),
])
def test_places(environment, place):
    assert place_in(environment) == place


MEETS = """
from evergraph.horovod import processes

processes.init()
print(processes.joined().all_gather(processes.here().rank))
"""


@pytest.mark.parametrize("extra", [{}, {"MASTER_ADDR": "localhost"}], ids=["folder", "rank 0"])
def test_processes_of_mpirun_find_each_other(tmp_path, extra):
    from evergraph.cluster.local_cluster import free_ports

    if extra:
        extra = {**extra, "MASTER_PORT": str(free_ports(1)[0])}
    processes = [Process(["-c", MEETS], {
        "OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": str(rank),
        "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "TMPDIR": str(tmp_path), "PMIX_NAMESPACE": "run", **extra})
        for rank in range(2)]
    with processes[0], processes[1]:
        assert processes[0].result() == processes[1].result()
    assert not list(tmp_path.glob("evergraph-*"))


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_mpirun(mode):
    """Two ranks of Open MPI compute what `evergraph launch -n 2` does."""
    words = ["-m", "evergraph", "run", str(PROGRAMS / "horovod_program.py"), mode]
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2", sys.executable, *words]
    found = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT,
                           env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert found.returncode == 0, found.stdout + found.stderr
    with launched(2, "horovod_program.py", mode) as process:
        expected = results(process)
    words = found.stdout.replace("result", " result ").split()  # mpirun may join their lines, in any order
    assert sorted(words) == sorted(word for (line,) in expected for word in ("result", *line.split()))
